"""Exercise: iterative deepening under a limit of nodes."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from gambito.exercises.counted import TooManySteps
from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.trial import StudentAnswer, Trial, shortened, with_mistakes
from gambito.words.sentence import Sentence

MOST_ASKED = 50

ALL_AGAIN = "each iteration is given all the nodes, not what is left of them"
UNFINISHED = "the action of an iteration that was not finished is taken"
FROM_TWO = "the first iteration is not of depth 1"
GOES_ON = "it continues although the whole game was seen"
KEEPS_FIRST = "the action of the first iteration is kept"


class StudentResult(NamedTuple):
    """The result of an iteration."""

    action: str
    nodes: int  # nodes used
    finished: bool
    whole: bool  # the game ends within its depth


@dataclasses.dataclass(frozen=True)
class Iterations:
    """A search in which every depth takes a known number of nodes and finds a known action."""

    costs: tuple[int, ...]  # for depth 1, 2 …; the last sees the whole game
    nodes: int

    @property
    def text(self) -> str:
        return ", ".join(f"search({depth}): {cost}" for depth, cost in enumerate(self.costs, 1))

    @property
    def given(self) -> str:
        return f"nodes={self.nodes}"

    def ask(self, function: Callable[..., Any]) -> StudentAnswer:
        asked: list[tuple[int, int]] = []

        def search(depth: int, nodes: int) -> StudentResult:
            asked.append((depth, nodes))
            if len(asked) > MOST_ASKED:
                raise TooManySteps(
                    Sentence("it calls search more than {} times and does not end", MOST_ASKED)
                )
            if not isinstance(depth, int) or depth < 1:
                raise ValueError(Sentence("the depth is a whole number from 1 on, not {}", repr(depth)))
            depth = min(depth, len(self.costs))
            cost = self.costs[depth - 1]
            if cost > nodes:
                return StudentResult(f"unfinished {depth}", nodes, False, False)
            return StudentResult(f"action {depth}", cost, True, depth == len(self.costs))

        return StudentAnswer((function(search, self.nodes), tuple(asked)))

    def smaller(self) -> Iterable[Iterations]:
        if len(self.costs) > 1:
            yield dataclasses.replace(self, costs=self.costs[:-1])

    def shown(self) -> tuple[str, str]:
        return "", ""


def _deepen(search: Callable[[int, int], StudentResult], nodes: int, mistake: str = "") -> str | None:
    """Iterative deepening with a mistake."""
    best, left, depth = None, nodes, 2 if mistake == FROM_TWO else 1
    while left > 0 and depth < 40:
        found = search(depth, nodes if mistake == ALL_AGAIN else left)
        if not found.finished:
            return found.action if mistake == UNFINISHED else best
        if best is None or mistake != KEEPS_FIRST:
            best = found.action
        left -= found.nodes
        if found.whole and mistake != GOES_ON:
            break
        depth += 1
    return best


def _judge(case: Iterations, answer: StudentAnswer) -> Wrong | None:
    action, asked = answer.value
    right, wanted = case.ask(_deepen).value
    for told, best in zip(asked, wanted, strict=False):
        if told != best:
            reason = Sentence(
                "it calls search({}, {}) where search({}, {}) is right", told[0], told[1], best[0], best[1]
            )
            return Wrong(reason, "value", gave=shortened(told), right=shortened(best))
    if len(asked) != len(wanted):
        reason = Sentence("iterations begun: {}, where {} are right", len(asked), len(wanted))
        return Wrong(reason, "value", gave=len(asked), right=len(wanted))
    if action == right:
        return None
    return Wrong("the action is wrong", "value", gave=shortened(action), right=shortened(right))


def _cases() -> list[Iterations]:
    rng = random.Random(2)
    cases = [Iterations((5,), 3), Iterations((5,), 5), Iterations((2, 6), 9), Iterations((2, 6), 7)]
    for _ in range(80):
        cost, costs = rng.randint(1, 4), []
        for _ in range(rng.randint(1, 6)):
            costs.append(cost)
            cost = cost * rng.randint(2, 4) + rng.randint(0, 3)
        cases.append(Iterations(tuple(costs), rng.randint(1, sum(costs) + 10)))
    return sorted(cases, key=lambda case: (len(case.costs), case.nodes))


DEEPENING = Exercise(
    name="iterative-deepening",
    title="Iterative deepening: depth 1, then 2, then 3, until the nodes are used up.",
    task="""Write iterative_deepening(search, nodes). search(depth, nodes) searches to that depth with \
at most that many nodes, and returns a record: found.action, found.nodes (the nodes used), \
found.finished, and found.whole (the game ends within that depth).

Begin with depth 1. Each iteration is given the nodes that are left. Stop when none are left, when an \
iteration is not finished, or when the whole game was seen.

Return the action of the last iteration that was finished; None if there is none.""",
    checked="The action, and every call of search: its depth and its nodes.",
    hint="An unfinished iteration also has an action, but only the best of the branches that it \
happened to see.",
    lesson="algorithms/iterative-deepening.md",
    start='''"""Iterative deepening: depth 1, then 2, then 3, until the nodes are used up."""


def iterative_deepening(search, nodes):
    """The action of the last iteration that was finished; None if there is none."""
    found = search(1, nodes)
    return found.action
''',
    check=Trial(
        _cases,
        _judge,
        with_mistakes(_deepen, (ALL_AGAIN, UNFINISHED, FROM_TWO, GOES_ON, KEEPS_FIRST)),
    ),
)
