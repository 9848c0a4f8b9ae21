"""`check` and `check_heuristic`, with reports that a notebook can show."""

from gambito.game.check import check
from gambito.game.check_play import Report
from gambito.puzzle.check import HeuristicReport, check_heuristic
from gambito.shown import adorn

__all__ = ["check", "check_heuristic"]

adorn(Report, "html", "report_html")
adorn(HeuristicReport, "html", "heuristic_html")
