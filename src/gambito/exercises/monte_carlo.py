"""Exercises: the choice of UCB1, and the backup of a simulation."""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable, Iterable
from typing import Any

from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.trial import (
    PlainArguments,
    StudentAnswer,
    Trial,
    equal,
    is_number,
    shortened,
    with_mistakes,
    wrong_type,
)
from gambito.words.sentence import Sentence

MEAN_ONLY = "the best mean is taken, and nothing is explored"
OWN_LOG = "the logarithm uses the visits of the child, not those of all children"
NO_ROOT = "the square root is missing"
TOTAL = "the total reward is not divided by the visits"
NO_CONSTANT = "the constant c is not used"
LOG_TEN = "the logarithm is not the natural one"


def _ucb1(totals: list[float], visits: list[int], c: float, mistake: str = "") -> int:
    """UCB1 with a mistake."""
    if 0 in visits:
        return visits.index(0)
    everything = sum(visits)

    def score(place: int) -> float:
        count = visits[place]
        mean = totals[place] if mistake == TOTAL else totals[place] / count
        log = math.log10 if mistake == LOG_TEN else math.log
        part = log(count if mistake == OWN_LOG else everything) / count
        bonus = part if mistake == NO_ROOT else math.sqrt(part)
        return mean + {MEAN_ONLY: 0.0, NO_CONSTANT: 1.0}.get(mistake, c) * bonus

    return max(range(len(visits)), key=score)


def _judge_choice(case: PlainArguments, answer: StudentAnswer) -> Wrong | None:
    value = answer.value
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return wrong_type(value, "the number of a child")
    right = _ucb1(*case.args)
    if int(value) == right:
        return None
    return Wrong("the child is wrong", gave=int(value), right=right)


def _choices() -> list[PlainArguments]:
    rng = random.Random(21)
    cases = [([0.0], [0], 1.4), ([1.0], [1], 1.4), ([3.0, 0.0], [3, 0], 1.4), ([0.0, 0.0], [0, 0], 1.0)]
    for count in (2, 2, 2, 3, 3, 4, 5) * 12:
        visits = [
            rng.choice((0, 1, 2, 5, 9, 30, 100)) if rng.random() < 0.3 else rng.randint(1, 60)
            for _ in range(count)
        ]
        totals = [round(rng.uniform(-0.2, 1.0) * n, 2) for n in visits]
        cases.append((totals, visits, rng.choice((0.3, 0.7, 1.0, 1.4, 2.0))))
    return [
        PlainArguments(given, f"totals={given[0]}, visits={given[1]}, c={given[2]}")
        for given in sorted(cases, key=lambda given: len(given[1]))
    ]


UCB1 = Exercise(
    name="ucb1",
    title="UCB1: choose the child that the next simulation goes to.",
    task="""Write ucb1(totals, visits, c). totals and visits are lists: the sum of the rewards of each \
child, and how often it was visited. It returns the number of the child, from 0 on, with the highest

mean + c * sqrt(ln N / n), where n are the child's visits and N those of all children together.

A child without visits comes before all others; of several, the first.""",
    checked="The choice, for one to five children and several constants.",
    hint="math.log is the natural logarithm. Look for children without visits before dividing.",
    lesson="algorithms/mcts.md",
    start='''"""UCB1: choose the child that the next simulation goes to."""


def ucb1(totals, visits, c):
    """The number of the child, counted from 0."""
    return 0


if __name__ == "__main__":
    print(ucb1([3.0, 1.0], [4, 1], 1.4))  # 1
''',
    check=Trial(
        _choices,
        _judge_choice,
        with_mistakes(_ucb1, (MEAN_ONLY, OWN_LOG, NO_ROOT, TOTAL, NO_CONSTANT, LOG_TEN)),
    ),
)


# ---- backup --------------------------------------------------------------------------------------
NO_SIGN = "the reward is added as player 0 sees it, for both players"
EVERY_NODE = "the sign is changed at every node, even if the same player moved again"
NO_ROOT_VISIT = "the root is not counted"
NO_VISITS = "the visits are not counted"
REPLACED = "the reward replaces the total instead of being added to it"


class SearchNode:
    """A node of the tree: who made the move to it, its visits, and the total reward of that player."""

    def __init__(self, mover: int, visits: int, total: float) -> None:
        self.mover, self.visits, self.total = mover, visits, total

    def __repr__(self) -> str:
        return f"Node(mover={self.mover}, visits={self.visits}, total={self.total:g})"


@dataclasses.dataclass(frozen=True)
class Path:
    """Nodes from the root to the leaf with mover, visits and total of each, and player 0's reward."""

    nodes: tuple[tuple[int, int, float], ...]
    reward: float

    @property
    def text(self) -> str:
        return ", ".join(repr(SearchNode(*node)) for node in self.nodes)

    @property
    def given(self) -> str:
        return f"reward={self.reward:g}"

    def ask(self, function: Callable[..., Any]) -> StudentAnswer:
        path = [SearchNode(*node) for node in self.nodes]
        function(list(path), self.reward)
        return StudentAnswer([(node.visits, node.total) for node in path])

    def smaller(self) -> Iterable[Path]:
        if len(self.nodes) > 1:
            for place in range(len(self.nodes)):
                yield dataclasses.replace(self, nodes=self.nodes[:place] + self.nodes[place + 1 :])

    def shown(self) -> tuple[str, str]:
        return "", ""


def _backup(path: list[SearchNode], reward: float, mistake: str = "") -> None:
    """A backup with a mistake."""
    sign = 1
    for place, node in enumerate(path):
        if place == 0 and mistake == NO_ROOT_VISIT:
            continue
        if mistake != NO_VISITS:
            node.visits += 1
        mine = {NO_SIGN: reward, EVERY_NODE: sign * reward}.get(
            mistake, reward if node.mover == 0 else -reward
        )
        node.total = mine if mistake == REPLACED else node.total + mine
        sign = -sign


def _judge_backup(case: Path, answer: StudentAnswer) -> Wrong | None:
    right = case.ask(_backup).value
    for place, (gave, wanted) in enumerate(zip(answer.value, right, strict=True)):
        if not is_number(gave[0]) or gave[0] != wanted[0]:
            return Wrong(
                Sentence("the visits of node {} are wrong", place), gave=shortened(gave[0]), right=wanted[0]
            )
        if not equal(gave[1], wanted[1]):
            return Wrong(
                Sentence("the total of node {} is wrong", place), gave=shortened(gave[1]), right=wanted[1]
            )
    return None


def _paths() -> list[Path]:
    rng = random.Random(17)
    cases = [Path(((1, 0, 0.0),), 1.0), Path(((0, 2, 1.0),), -1.0)]
    for length in (1, 2, 2, 3, 3, 4, 5) * 6:
        nodes = tuple(
            (rng.randint(0, 1), rng.randint(0, 9), float(rng.randint(-5, 5))) for _ in range(length)
        )
        cases.append(Path(nodes, rng.choice((-1.0, 0.0, 0.5, 1.0))))
    return sorted(cases, key=lambda case: len(case.nodes))


BACKUP = Exercise(
    name="backup",
    title="Backup: the reward of a simulation is added to every node on its path.",
    task="""Write backup(path, reward). path is the list of the nodes from the root to the leaf of a \
simulation; reward is player 0's reward, between -1 and 1.

A node has node.mover, the player who made the move to it; node.visits; and node.total, the sum of the \
rewards as that player sees them. Every node of the path gets one more visit and its player's reward. \
Nothing is returned.""",
    checked="visits and total of every node, on paths where a player moves twice in a row.",
    hint="Player 1 gets minus the reward. Look at node.mover, not at the depth of the node.",
    lesson="algorithms/mcts.md",
    start='''"""Backup: the reward of a simulation is added to every node on its path."""


def backup(path, reward):
    """Add the visit and the reward of player 0 to every node."""
    for node in path:
        node.visits += 1
''',
    check=Trial(
        _paths,
        _judge_backup,
        with_mistakes(_backup, (NO_SIGN, EVERY_NODE, NO_ROOT_VISIT, NO_VISITS, REPLACED)),
    ),
)
