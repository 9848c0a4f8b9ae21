"""Facts about a record that every drawing needs: order, sizes, principal line, dropped nodes, conclusions.

Nothing here recurses, so that a tree may be hundreds of plies deep. Formats are not known here.
"""

from __future__ import annotations

from gambito.search.trace.record import Cut, Node, Record, Step

EVALUATED = frozenset({"terminal", "horizon"})  # a stay that ended this way called `utility` or `evaluate`


def preorder(record: Record) -> list[int]:
    """All nodes below the root in preorder: a parent before its children, branches from left to right."""
    order: list[int] = []
    stack = [0] if record.nodes else []
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(reversed(record.nodes[node].children))
    return order


def sizes(record: Record, order: list[int]) -> list[int]:
    """For each node, the number of nodes in its subtree, including itself; `order` is the preorder."""
    size = [1] * len(record.nodes)
    for node in reversed(order):
        for child in record.nodes[node].children:
            size[node] += size[child]
    return size


def principal(record: Record) -> list[int]:
    """The nodes of the principal line, the root first; empty if the search found no line."""
    actions = record.line or ([record.action] if record.action else [])
    if not actions or not record.nodes:
        return []
    path = [0]
    for action in actions:
        found = [c for c in record.nodes[path[-1]].children if record.nodes[c].action == action]
        if not found:
            break
        path.append(found[0])
    return path


def dropped(record: Record, order: list[int]) -> set[int]:
    """The nodes that a cut-off removed: the roots of such branches and all nodes below them."""
    gone: set[int] = set()
    for node in order:
        one = record.nodes[node]
        if one.cut is not None or one.parent in gone:
            gone.add(node)
    return gone


def conclusions(record: Record) -> list[Step]:
    """The steps that have a number, in the order of the numbers."""
    return sorted((s for s in record.steps if s.conclusion is not None), key=lambda s: s.conclusion or 0)


def conclusions_at(record: Record) -> dict[int, list[int]]:
    """For each node, the numbers of the conclusions drawn there."""
    at: dict[int, list[int]] = {}
    for step in conclusions(record):
        at.setdefault(step.node, []).append(step.conclusion or 0)
    return at


def facts_at(record: Record) -> dict[int, Step]:
    """For each node with named numbers, the last step that has them."""
    return {step.node: step for step in record.steps if step.facts}


def touched(record: Record) -> set[int]:
    """The nodes where something happened."""
    return {step.node for step in record.steps}


def cuts_at(record: Record) -> dict[int, list[Cut]]:
    """For each node, the different reasons for which its remaining branches were dropped."""
    at: dict[int, list[Cut]] = {}
    for node in record.nodes:
        cut = node.cut
        if cut is None:
            continue
        known = at.setdefault(cut.at, [])
        if all((c.reason, c.by, c.deep) != (cut.reason, cut.by, cut.deep) for c in known):
            known.append(cut)
    return at


def is_evaluated(node: Node) -> bool:
    """Was the node itself evaluated, on any stay?"""
    return any(visit.leaf in EVALUATED for visit in node.visits)
