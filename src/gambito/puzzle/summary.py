"""The result of a heuristic check in words, the same on a terminal and in a notebook."""

from __future__ import annotations

from gambito.puzzle.check import Example, HeuristicReport
from gambito.search.summary import count

VERDICTS = {True: "yes, proven", False: "no", None: "no counter-example found"}


def facts(report: HeuristicReport) -> list[tuple[str, str]]:
    """The report as pairs of a name and a value."""
    how = "all that can be reached" if report.proof else "not all"
    means = f"{report.mean_h:.4g}" + (f" of {report.mean_cost:.4g}" if report.mean_cost is not None else "")
    return [
        ("puzzle", report.puzzle),
        ("heuristic", report.heuristic),
        ("looked at", f"{count(report.states, 'state')} ({how}), {count(report.edges, 'action')}"),
        ("mean h", means),
        ("admissible", VERDICTS[report.admissible]),
        ("consistent", VERDICTS[report.consistent]),
    ]


def examples(report: HeuristicReport) -> list[tuple[str, str]]:
    """The counter-examples to the heuristic: a sentence and a position each."""
    found = []
    if report.inadmissible_example is not None:
        found.append(_inadmissible(report.inadmissible_example))
    if report.inconsistent_example is not None:
        found.append(_inconsistent(report.inconsistent_example))
    return found


def _inadmissible(one: Example) -> tuple[str, str]:
    bound = "at most " if one.is_bound else ""
    return f"not admissible: h = {one.h:g}, and the true cost is {bound}{one.true_cost:g}", one.show


def _inconsistent(one: Example) -> tuple[str, str]:
    edge = f"the action {one.action} costs {one.cost:g}, and behind it h = {one.child_h:g}"
    return f"not consistent: h = {one.h:g}, {edge}", f"{one.show}\nbehind it: {one.child}"
