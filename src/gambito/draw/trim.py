"""The choice of nodes to draw: all nodes of a small tree, the important part of a large one.

A tree above the limit keeps its principal line, its shallow part and the first branches. The nodes left out
below a node are drawn as one stub that shows how many it hides. This module does not depend on coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import log2

from gambito.draw.facts import dropped, preorder, principal, sizes
from gambito.search.trace.record import Record
from gambito.words import count, say

PICTURE_LIMIT = 400  # a picture with more nodes cannot be read
PRINCIPAL_STEP = 0.5  # the cost of a ply on the principal line; another ply costs 1 or more
DROPPED_STEP = 2.0  # the additional cost of a ply inside a dropped branch


@dataclass(slots=True)
class Twig:
    """One object to draw: a node, or a stub that stands for hidden branches of its parent."""

    node: int  # the node of the record; for a stub, the node whose branches it hides
    parent: int | None  # index of the parent twig
    level: int  # 0 for the root
    hidden: int = 0  # for a stub, how many nodes it stands for; 0 for a node
    children: list[int] = field(default_factory=list)  # indices of twigs


def trim(record: Record, limit: int | None = PICTURE_LIMIT) -> list[Twig]:
    """The twigs to draw, in preorder: at most `limit` of them (at least two), or all if `limit` is None.

    A limit that is not positive is an error.
    """
    if limit is not None and limit < 1:
        raise ValueError(f"a drawing's limit is a positive number of nodes, not {limit}")
    order = preorder(record)
    size = sizes(record, order)
    whole = limit is None or len(order) <= limit
    kept = set(order) if whole else _choose(record, order, limit or 1)
    return _twigs(record, kept, size)


def trim_note(record: Record, twigs: list[Twig]) -> str:
    """One sentence that says how much of the tree is drawn; empty if all of it is."""
    hidden = sum(twig.hidden for twig in twigs)
    if not hidden:
        return ""
    drawn = sum(1 for twig in twigs if not twig.hidden)
    return say(
        "{:,} of {} are drawn; each “…” stands for branches left out.",
        *(drawn, count(drawn + hidden, "node")),
    )


def _choose(record: Record, order: list[int], limit: int) -> set[int]:
    """The nodes to keep: the root, then the cheapest by distance from the root and from the first branch.

    A kept node with a hidden branch needs a stub, and stubs count too.
    """
    nodes = record.nodes
    line = set(principal(record))
    gone = dropped(record, order)
    missing: dict[int, int] = {}  # kept node -> the number of its hidden children
    kept: set[int] = set()
    stubs = 0
    heap = [(False, 0.0, 0, 0)]  # (off the principal line, cost, age, node): the line comes first
    pushed = 0
    while heap:
        _, cost, _, node = heappop(heap)
        children = nodes[node].children
        parent = nodes[node].parent
        fills = parent is not None and missing[parent] == 1
        if kept and len(kept) + 1 + stubs + bool(children) - fills > limit:
            break
        kept.add(node)
        missing[node] = len(children)
        stubs += bool(children) - fills
        if parent is not None:
            missing[parent] -= 1
        for rank, child in enumerate(children):
            step = PRINCIPAL_STEP if child in line else 1.0 + log2(1 + rank)
            price = cost + step + (DROPPED_STEP if child in gone else 0.0)
            pushed += 1
            heappush(heap, (child not in line, price, pushed, child))
    return kept


def _twigs(record: Record, kept: set[int], size: list[int]) -> list[Twig]:
    """The kept nodes in preorder, with one stub at the first hidden branch of each node that has one."""
    twigs: list[Twig] = []
    stack: list[tuple[int, int | None, int, int]] = [(0, None, 0, 0)] if record.nodes else []
    while stack:
        node, parent, level, hidden = stack.pop()
        index = len(twigs)
        twigs.append(Twig(node, parent, level, hidden))
        if parent is not None:
            twigs[parent].children.append(index)
        if hidden:
            continue
        children = record.nodes[node].children
        out = [c for c in children if c not in kept]
        lost = sum(size[c] for c in out)
        below: list[tuple[int, int | None, int, int]] = []
        for child in children:
            if child in kept or lost == 1:  # a stub for a single node would take the place of that node
                below.append((child, index, level + 1, 0))
            elif child == out[0]:
                below.append((node, index, level + 1, lost))
        stack.extend(reversed(below))
    return twigs
