"""The steps of a record for replay on a page: only what changes, in words ready to show.

What happens inside branches that are not drawn is one step for each time the search goes there. This module
does not depend on the page.
"""

from __future__ import annotations

from typing import Any

from gambito.draw.facts import EVALUATED, preorder
from gambito.draw.labels import SIGN, facts_words, name, number, returned, window
from gambito.draw.layout import Layout
from gambito.search.trace.record import CUTS, Node, Record, Step, Visit
from gambito.words import count, say, tell


def replay(record: Record, layout: Layout) -> list[dict[str, Any]]:
    """The steps, each a small dictionary; keys without content are left out.

    item: where it happens, as an index into `layout.items`; kind and text: as in the record; order: the
    number of a stay that begins; value, window: what the item shows now; cut: the items dropped; conclusion:
    its number; cell and facts: its place on the board, and the numbers there; counts: visited, evaluated and
    cut-offs so far.
    """
    where = _places(record, layout)
    stays = Stays(record)
    windows: dict[int, tuple[float | None, float | None]] = {}
    told: list[dict[str, Any]] = []
    for step in record.steps:
        begins, visit = stays.follow(step)
        change = _change(step, begins, visit, stays.counts[0], windows)
        item = where[step.node]
        if layout.items[item].hidden:
            _tell_hidden(record, layout, told, item)
        else:
            told.append({"item": item, "kind": step.kind, "text": tell(step.text), **change})
            cell = record.nodes[step.node].cell
            if cell is not None:
                told[-1] |= {"cell": cell, "facts": step.facts}
            if step.conclusion is not None:
                told[-1]["conclusion"] = step.conclusion
            if step.cut:
                told[-1]["cut"] = _cut_items(layout, where, step.cut)
        told[-1]["counts"] = list(stays.counts)
    return told


def _places(record: Record, layout: Layout) -> dict[int, int]:
    """For each node of the record, the item that shows it: its own, or the stub that hides it."""
    where = {item.node: index for index, item in enumerate(layout.items) if not item.hidden}
    stubs = {item.node: index for index, item in enumerate(layout.items) if item.hidden}
    for node in preorder(record):
        if node not in where:
            parent = record.nodes[node].parent
            assert parent is not None
            where[node] = stubs.get(parent, where[parent])
    return where


def _tell_hidden(record: Record, layout: Layout, told: list[dict[str, Any]], item: int) -> None:
    """Merge a step at a stub with the previous one, if that was at the same stub."""
    last = told[-1] if told else {}
    steps = last["steps"] + 1 if last.get("item") == item else 1
    if steps == 1:
        told.append({"item": item, "kind": "hidden"})
    place = name(record, layout.items[item].node)
    told[-1]["steps"] = steps
    told[-1]["text"] = say("{} in branches of {} that are not drawn.", count(steps, "step"), place)


def _cut_items(layout: Layout, where: dict[int, int], nodes: list[int]) -> list[int]:
    """The items of dropped nodes; a stub only if everything that it hides is dropped."""
    items = sorted({where[node] for node in nodes})
    return [i for i in items if not layout.items[i].hidden or layout.items[i].state == "dropped"]


def _change(
    step: Step,
    begins: bool,
    visit: Visit | None,
    visited: int,
    windows: dict[int, tuple[float | None, float | None]],
) -> dict[str, Any]:
    """What a step changes at its node; `windows` holds the current windows of the nodes."""
    change: dict[str, Any] = {}
    low, high = windows.get(step.node, (None, None))
    if begins:
        low, high = (visit.alpha, visit.beta) if visit else (step.alpha, step.beta)
        change |= {"order": visit.order if visit else visited, "value": ""}
    low = step.alpha if step.kind == "alpha" else low
    high = step.beta if step.kind == "beta" else high
    if begins or step.kind in ("alpha", "beta"):
        windows[step.node] = (low, high)
        change["window"] = window(low, high)
    if step.kind in ("leaf", "leave"):
        change["value"] = _final(visit, step)
    elif step.value is not None:
        change["value"] = say("best {}", number(step.value))
    elif step.facts:
        change["value"] = facts_words(step)
    return change


class Stays:
    """Follows the steps and determines which stay at which node each step belongs to."""

    def __init__(self, record: Record) -> None:
        self.nodes = record.nodes
        self.begun: dict[int, int] = {}  # node -> stays begun there
        self.last: Step | None = None
        self.counts = [0, 0, 0]  # visited, evaluated, cut-offs

    def follow(self, step: Step) -> tuple[bool, Visit | None]:
        """Does a stay begin with this step, and which stay does the step belong to?"""
        node = self.nodes[step.node]
        entered = self.last is not None and self.last.kind == "enter" and self.last.node == step.node
        begins = step.kind == "enter" or (step.kind == "leaf" and not entered)
        if begins:
            self.begun[node.id] = self.begun.get(node.id, 0) + 1
            self.counts[0] += 1
        visit = self._visit(node)
        self.counts[1] += step.kind == "leaf" and (visit is None or visit.leaf in EVALUATED)
        self.counts[2] += step.kind in CUTS
        self.last = step
        return begins, visit

    def _visit(self, node: Node) -> Visit | None:
        stay = self.begun.get(node.id, 0) - 1
        return node.visits[stay] if 0 <= stay < len(node.visits) else None


def _final(visit: Visit | None, step: Step) -> str:
    """The value with its kind, once the stay is over."""
    if visit is not None and visit.value is not None:
        return returned(visit)
    return f"{SIGN['exact']} {number(step.value)}" if step.value is not None else ""
