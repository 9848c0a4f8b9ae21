"""Records made by hand to test drawings on: a tiny alpha-beta over nested lists that records everything."""

from __future__ import annotations

from itertools import cycle
from string import ascii_lowercase

import pytest

from gambito.search.trace.record import Cut, Node, Record, Step, Visit

AIMA = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]


@pytest.fixture(scope="session")
def record_of():
    return _record_of


@pytest.fixture(scope="session")
def bare_record():
    return _bare_record


@pytest.fixture
def aima() -> Record:
    """The tree of Russell & Norvig, figure 5.2, whose inner nodes are A, B, C and D."""
    return _record_of(AIMA, labels="ABCD")


def _record_of(tree, name="tree", labels="", boards=False) -> Record:
    """The record of alpha-beta on nested lists whose leaves are MAX's values; labels name the inner nodes."""
    record = Record(game=name, position=str(tree), algorithm="alpha-beta", depth=_depth(tree))
    names = iter(labels)
    letters = cycle(ascii_lowercase)  # the actions of each inner node have a letter of their own
    values: dict[int, list] = {}

    def grow(sub, parent, action, player):
        inner = isinstance(sub, list)
        label = next(names, "") if inner else str(sub)
        node = Node(len(record.nodes), parent, action, player, label, board=repr(sub) if boards else "")
        record.nodes.append(node)
        values[node.id] = sub
        if inner:
            letter = next(letters)
            for k, child in enumerate(sub, 1):
                node.children.append(grow(child, node.id, f"{letter}{k}", 1 - player))
        return node.id

    def tell(kind, node, text, concluded=False, **more):
        number = 1 + sum(s.conclusion is not None for s in record.steps) if concluded else None
        record.steps.append(Step(kind, node, text, number, **more))

    def search(i, depth, alpha, beta, a_by, b_by):
        node = record.nodes[i]
        record.visited += 1
        visit = Visit(record.visited, depth, alpha, beta, again=bool(node.visits))
        node.visits.append(visit)
        tell("enter", i, f"Enter {node.action or 'the root'}.", alpha=alpha, beta=beta)
        if not node.children:
            record.evaluations += 1
            visit.value, visit.bound, visit.leaf = values[i], "exact", "terminal"
            tell("leaf", i, f"The leaf is worth {values[i]}.", value=values[i], alpha=alpha, beta=beta)
            return values[i], []
        best, line, low, high = None, [], alpha, beta
        sign = 1 if node.player == 0 else -1
        for k, child in enumerate(node.children):
            got, below = search(child, depth - 1, low, high, a_by, b_by)
            if best is None or sign * got > sign * best:
                best, line = got, [record.nodes[child].action, *below]
                sort = "at least" if sign > 0 else "at most"
                now = {"value": best}
                if sign > 0 and (low is None or best > low):
                    low, a_by = best, i
                    tell("alpha", i, f"So it is worth {sort} {best}.", True, **now, alpha=low, beta=high)
                elif sign < 0 and (high is None or best < high):
                    high, b_by = best, i
                    tell("beta", i, f"So it is worth {sort} {best}.", True, **now, alpha=low, beta=high)
                else:
                    tell("value", i, f"So it is worth {sort} {best}.", True, **now, alpha=low, beta=high)
            rest = node.children[k + 1 :]
            if low is not None and high is not None and low >= high and rest:
                reason, by = ("beta", b_by) if sign > 0 else ("alpha", a_by)
                deep = by is not None and by != node.parent
                text = f"Already {best}: the opponent has better above, so the rest cannot matter."
                for other in rest:
                    record.nodes[other].cut = Cut(reason, i, by, deep, text)
                record.cutoffs += 1
                tell("cut", i, text, value=best, alpha=low, beta=high, cut=list(rest))
                break
        visit.value = best
        if alpha is not None and best <= alpha:
            visit.bound = "upper"
        else:
            visit.bound = "lower" if beta is not None and best >= beta else "exact"
        tell("leave", i, f"Leave {node.action or 'the root'} with {best}.", value=best, alpha=low, beta=high)
        return best, line

    grow(tree, None, "", 0)
    record.value, record.line = search(0, record.depth, None, None, None, None)
    record.action = record.line[0] if record.line else ""
    return record


def _bare_record(parents: list[int]) -> Record:
    """A record of a given shape that no search has visited: node i + 1 hangs on parents[i] <= i."""
    record = Record("shape", "", "none", 0, nodes=[Node(0, None, "", 0)])
    for i, parent in enumerate(parents, 1):
        player = 1 - record.nodes[parent].player
        record.nodes.append(Node(i, parent, f"a{i}", player))
        record.nodes[parent].children.append(i)
    return record


def _depth(tree) -> int:
    return 1 + max(_depth(sub) for sub in tree) if isinstance(tree, list) and tree else 0
