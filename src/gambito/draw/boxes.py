"""The events of a recorded search as Winston numbers them, in boxes beside the nodes of his figure.

A box is a leaf that is valued, a better bound of a node, or the value of a node when no branch of it is left.
A bound that is the value at once has one box. Unlike a conclusion of the record, it is about the node alone,
whatever window the node has from above.

Winston, Artificial Intelligence (3rd edition, 1992), the chapter on adversaries.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from gambito.draw.labels import number
from gambito.search.trace.record import Record, Step
from gambito.words.sentence import Sentence

BETTER = frozenset({"alpha", "beta", "value"})  # steps at a node whose bound a branch has changed
SENTENCES = {
    "leaf": "static value {0}",
    "exact": "value = {0}",
    "lower": "value ≥ {0}",
    "upper": "value ≤ {0}",
}


@dataclass(frozen=True)
class Box:
    """One event: the step at which it is known, its node, and what is known of the node's value for MAX."""

    step: int
    node: int
    value: Any
    bound: str  # "exact", "lower", "upper"
    text: str


@dataclass
class _Open:
    """A node that the search is in."""

    node: int
    value: Any = None  # the best of its branches so far, for MAX
    bound: str = ""  # what that is for the node, were no branch left


def boxes(record: Record) -> list[Box]:
    """The boxes of a search that goes through a tree once, in their order."""
    found: list[Box] = []
    path: list[_Open] = []
    steps = record.steps
    for place, step in enumerate(steps):
        if step.kind == "enter":
            path.append(_Open(step.node))
        elif step.kind == "leaf":
            path[-1].value, path[-1].bound = step.value, "exact"
            found.append(Box(place, step.node, step.value, "exact", _say("leaf", step.value)))
        elif step.kind == "leave" and path:
            left = path.pop()
            if record.nodes[left.node].children and left.bound:
                if left.bound != "cut":
                    found.append(Box(place, left.node, left.value, left.bound, _say(left.bound, left.value)))
            if path and left.value is not None:
                found += _improve(record, path[-1], left, steps, place)
    return found


def _improve(record: Record, above: _Open, left: _Open, steps: list[Step], place: int) -> list[Box]:
    """The box that a node gets as the search returns from a branch, if any: a better bound, unless the search
    leaves the node at once, which has a box of its own."""
    is_max = record.nodes[above.node].player == 0
    value = left.value
    is_better = above.value is None or (value > above.value if is_max else value < above.value)
    if is_better:
        exact = left.bound == "exact"
        above.value, above.bound = value, "exact" if exact else "upper" if is_max else "lower"
    at = place + 1
    if at < len(steps) and steps[at].node == above.node and steps[at].kind == "cut":
        above.bound = "cut"
        side = "lower" if is_max else "upper"
        return [Box(at, above.node, value, side, _say(side, value))]
    if at < len(steps) and steps[at].node == above.node and steps[at].kind in BETTER:
        at += 1
    is_last = at < len(steps) and steps[at].node == above.node and steps[at].kind == "leave"
    if not is_better or is_last:
        return []
    side = "lower" if is_max else "upper"
    return [Box(at - 1, above.node, value, side, _say(side, value))]


def boxed(record: Record) -> Record:
    """A copy of the record whose conclusions are the boxes, each with its own step: what it concluded from
    windows has no number any more."""
    at = {box.step: (count, box) for count, box in enumerate(boxes(record), 1)}
    steps = []
    for place, step in enumerate(record.steps):
        count, box = at.get(place, (None, None))
        is_here = box is not None and box.node == step.node
        steps.append(replace(step, conclusion=count if is_here else None))
        if box is not None and not is_here:
            steps.append(Step("value", box.node, box.text, count, box.value))
    return replace(record, steps=steps)


def _say(kind: str, value: Any) -> Sentence:
    return Sentence(SENTENCES[kind], number(value))
