"""The result of a heuristic check in words, the same on a terminal and in a notebook."""

from __future__ import annotations

from gambito.puzzle.check import Example, HeuristicReport
from gambito.words import count, digits, say


def facts(report: HeuristicReport) -> list[tuple[str, str]]:
    """The report as pairs of a name and a value."""
    how = say("all that can be reached") if report.proof else say("not all")
    means = digits(f"{report.mean_h:.4g}")
    if report.mean_cost is not None:
        means = say("{:.4g} of {:.4g}", report.mean_h, report.mean_cost)
    return [
        (say("puzzle"), report.puzzle),
        (say("heuristic"), report.heuristic),
        (say("looked at"), f"{count(report.states, 'state')} ({how}), {count(report.edges, 'action')}"),
        (say("mean h"), means),
        (say("admissible"), _verdict(report.admissible)),
        (say("consistent"), _verdict(report.consistent)),
    ]


def _verdict(holds: bool | None) -> str:
    if holds is None:
        return say("no counter-example found")
    return say("yes, proven") if holds else say("no")


def examples(report: HeuristicReport) -> list[tuple[str, str]]:
    """The counter-examples to the heuristic: a sentence and a position each."""
    found = []
    if report.inadmissible_example is not None:
        found.append(_inadmissible(report.inadmissible_example))
    if report.inconsistent_example is not None:
        found.append(_inconsistent(report.inconsistent_example))
    return found


def _inadmissible(one: Example) -> tuple[str, str]:
    told = say("not admissible: h = {:g}, and the true cost is {:g}", one.h, one.true_cost)
    if one.is_bound:
        told = say("not admissible: h = {:g}, and the true cost is at most {:g}", one.h, one.true_cost)
    return told, one.show


def _inconsistent(one: Example) -> tuple[str, str]:
    told = say(
        "not consistent: h = {:g}, the action {} costs {:g}, and behind it h = {:g}",
        *(one.h, one.action, one.cost, one.child_h),
    )
    return told, say("{}\nbehind it: {}", one.show, one.child)
