"""Notebook output: positions, results, reports and watched searches as SVG and HTML.

Styles are inline or bound to Gambito's own class, so that nothing outside an output changes; tables have the
colours of the notebook, light or dark. Every text is escaped, and the page of a search runs in a frame that
cannot access anything around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gambito.draw.html import draw_html
from gambito.draw.labels import flat, headline, shorten, summary
from gambito.draw.marks import escape
from gambito.draw.position import draw_position
from gambito.draw.svg import draw_svg
from gambito.errors import PositionError
from gambito.game.check_play import Report
from gambito.game.contract import CHANCE, Game
from gambito.game.puzzle import Puzzle
from gambito.game.registry import load
from gambito.puzzle.check import HeuristicReport
from gambito.puzzle.summary import examples
from gambito.puzzle.summary import facts as heuristic_facts
from gambito.search.request import game_and_state
from gambito.search.search_result import ActionStatistics, SearchResult
from gambito.search.summary import facts as found_facts
from gambito.search.summary import side, signed
from gambito.search.trace.record import Record
from gambito.words import count, digits, say, tell

FRAME_HEIGHT, BOARD_HEIGHT = 700, 260  # of a watched search in pixels, and the addition for a board
POSITION_LETTERS = 120
LINE_LETTERS = 240
MOST_CANDIDATES = 8  # actions shown for a search that counts visits
ROW = "display:flex;flex-wrap:wrap;gap:20px;align-items:flex-start"
TABLE = "border-collapse:collapse;margin:0;font-variant-numeric:tabular-nums"
CELL = "text-align:left;vertical-align:top;padding:2px 12px 2px 0;border:0;white-space:normal"
NUMBER = "text-align:right;vertical-align:top;padding:2px 0 2px 16px;border:0"
SOFT = "opacity:.72;font-weight:400"
NARROW = "width:min-content;min-width:200px"  # as wide as the board
SMALL = "font-size:.9em;margin-top:4px;overflow-wrap:anywhere"
PRE = "margin:0;line-height:1.3"


class ShownPosition:
    """A position of a game with marked moves, for display. Its text is the game's own board."""

    def __init__(self, game: Any, state: Any = None, line: Any = (), turned: bool = False) -> None:
        self.game, self.state, self.position = game_and_state(load(game), state)
        self.line = read_line(self.game, self.state, line)
        self.turned = turned

    def __repr__(self) -> str:
        return self.game.show(self.state)

    def _repr_svg_(self) -> str | None:
        return draw_position(self.game, self.state, self.line, self.turned)

    def _repr_html_(self) -> str:
        position = escape(shorten(self.position, POSITION_LETTERS))
        told = " · ".join(filter(None, (position and f"<code>{position}</code>", escape(turn_words(self)))))
        return f'<div style="{NARROW}">{_board(self)}<div style="{SMALL}">{told}</div></div>'


def read_line(game: Game, state: Any, line: Any) -> list[int]:
    """The actions to mark: one or several, as numbers or in the game's notation."""
    actions = []
    for said in [line] if isinstance(line, str) or not isinstance(line, Iterable) else line:
        action = game.read(state, said) if isinstance(said, str) else int(said)
        if action not in game.legal(state):
            raise PositionError("the move {} is not legal here: {}", said, game.text(state))
        actions.append(action)
        state = game.result(state, action)
    return actions


def turn_words(view: ShownPosition) -> str:
    """The side to move, in words."""
    game, state = view.game, view.state
    if isinstance(game, Puzzle):
        return say("the goal") if game.is_goal(state) else say("one agent")
    if game.is_terminal(state):
        return say("the game is over")
    player = game.player(state)
    if player == CHANCE:
        return say("chance decides")
    return say("{} to move", side(game, player))


def _board(view: ShownPosition) -> str:
    """The picture of a position; its text if it has no picture."""
    return view._repr_svg_() or f'<pre style="{PRE}">{escape(repr(view))}</pre>'


# ---- results -----------------------------------------------------------------------------------------


def found_html(found: SearchResult) -> str:
    """The board with the best move marked, and the result beside it."""
    view = ShownPosition(found.game, found.state, () if found.action is None else found.action)
    told = [(name, shorten(text, LINE_LETTERS)) for name, text in found_facts(found)]
    beside = facts_table([(say("game"), found.game.label()), *told]) + _candidates(found)
    return f'<div style="{ROW}">{view._repr_html_()}<div>{beside}</div></div>'


def _candidates(found: SearchResult) -> str:
    """The actions of a search that counts visits."""
    if not found.candidates:
        return ""
    shown = found.candidates[:MOST_CANDIDATES]
    write = found.game.write
    rows = [(found.game.spoken(write(found.state, one.action)), *_candidate(one)) for one in shown]
    left = len(found.candidates) - len(shown)
    more = f'<div style="{SMALL}">{say("and {} more", left)}</div>' if left else ""
    head = (say("move"), say("visits"), say("value"), "95 %")
    return f'<div style="margin-top:12px">{table(head, rows)}{more}</div>'


def _candidate(one: ActionStatistics) -> tuple[str, str, str]:
    known = one.low is not None and one.high is not None
    interval = say("{} to {}", signed(one.low), signed(one.high)) if known else ""
    return digits(f"{one.visits:,}"), "" if one.value is None else signed(one.value), interval


def played_words(report: Report) -> str:
    """How much a check has played."""
    return say(
        "{0}, {1:,} {1:state|states}, at most {2:,} {2:ply|plies}",
        *(count(report.games, "game"), report.states, report.longest),
    )


def report_html(report: Report) -> str:
    """The result of a game check."""
    gears = say("both agree") if report.native else say("the Python gear only")
    told = facts_table(
        [
            (say("game"), report.game),
            (say("problems"), say("none") if report.ok else str(len(report.problems))),
            (say("played"), played_words(report)),
            (say("most actions"), str(report.most_actions)),
            (say("gears"), gears),
        ]
    )
    wrong = "".join(f"<li>{escape(flat(tell(problem)))}</li>" for problem in report.problems)
    return f"<div>{told}{f'<ul>{wrong}</ul>' if wrong else ''}</div>"


def heuristic_html(report: HeuristicReport) -> str:
    """The result of a heuristic check, with its counter-examples."""
    shown = "".join(
        f'<p style="margin:8px 0 2px">{escape(sentence)}</p><pre style="{PRE}">{escape(position)}</pre>'
        for sentence, position in examples(report)
    )
    return f"<div>{facts_table(heuristic_facts(report))}{shown}</div>"


def facts_table(facts: Iterable[tuple[str, str]]) -> str:
    """Names and values in two columns; a fact without a value is left out."""
    rows = "".join(
        f'<tr style="background:none"><th style="{CELL};{SOFT}">{escape(name)}</th>'
        f'<td style="{CELL}">{escape(text)}</td></tr>'
        for name, text in facts
        if text
    )
    return f'<table style="{TABLE}">{rows}</table>'


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with names in the first column and numbers in the others."""
    styles = [CELL, *[NUMBER] * (len(head) - 1)]
    top = "".join(
        f'<th style="{style};{SOFT}">{escape(word)}</th>' for style, word in zip(styles, head, strict=True)
    )
    body = "".join(
        '<tr style="background:none">'
        + "".join(f'<td style="{style}">{escape(word)}</td>' for style, word in zip(styles, row, strict=True))
        + "</tr>"
        for row in rows
    )
    return f'<table style="{TABLE}"><tr style="background:none">{top}</tr>{body}</table>'


# ---- watched searches --------------------------------------------------------------------------------


def record_svg(record: Record) -> str:
    return draw_svg(record)


def record_html(record: Record) -> str:
    """The page for stepping through a search, in its own frame, with the result above it."""
    told = " · ".join(f"{word} {value}" for word, value in summary(record) if word != say("line"))
    height = FRAME_HEIGHT + (BOARD_HEIGHT if record.board else 0)
    frame = f"width:100%;height:{height}px;border:1px solid #8886;border-radius:6px"
    return (
        f'<div style="font-size:.9em">{escape(headline(record))}: {escape(told)}</div>'
        f'<iframe title="{escape(headline(record))}" sandbox="allow-scripts" style="{frame}" '
        f'srcdoc="{escape(draw_html(record))}"></iframe>'
    )
