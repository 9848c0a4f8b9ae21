"""Exercises: A* and an admissible heuristic."""

from __future__ import annotations

import contextlib
import dataclasses
import heapq
import itertools
import math
import random
import shlex
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from gambito.draw.text import draw_text
from gambito.errors import PositionError
from gambito.exercises.counted import STEPS, TOO_MANY, TooManySteps
from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.positions import NUMBER, game_at
from gambito.exercises.trial import (
    PlainArguments,
    StudentAnswer,
    Trial,
    equal,
    is_number,
    trying,
    with_mistakes,
    wrong_type,
)
from gambito.game.puzzle import Puzzle
from gambito.game.registry import load
from gambito.puzzle.check import check_heuristic
from gambito.search.api import search, trace
from gambito.words.sentence import Sentence

GREEDY = "the cost so far does not count: the search is greedy"
GENERATED = "it stops when a goal is generated, not when it is expanded"
STEPS_COUNT = "actions are counted instead of their costs"
NO_REOPENING = "a state that was expanded is never expanded again, even if a cheaper path to it is found"
NO_ESTIMATE = "the estimate does not count: the search is uniform-cost"
REOPENED = (
    "S-A 4, S-B 1, A-B 1, A-G 5; S=0 A=0 B=6 G=0; S to G"  # a cheaper path to A is found after A was expanded
)


class CountedPuzzle:
    """A puzzle as a student's function sees it; expansions are counted."""

    def __init__(self, puzzle: Any) -> None:
        self._puzzle, self._left = puzzle, STEPS
        self.expanded = 0  # calls of actions

    def actions(self, state: Any) -> list[int]:
        self._ask()
        self.expanded += 1
        return [int(action) for action in self._puzzle.actions(state)]

    def result(self, state: Any, action: int) -> Any:
        self._ask()
        return self._puzzle.result(state, action)

    def cost(self, state: Any, action: int) -> Any:
        self._ask()
        return self._puzzle.cost(state, action)

    def is_goal(self, state: Any) -> bool:
        self._ask()
        return bool(self._puzzle.is_goal(state))

    def show(self, state: Any) -> str:
        return self._puzzle.show(state)

    def _ask(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise TooManySteps(TOO_MANY)


@dataclasses.dataclass(frozen=True)
class Way:
    """A path problem: a graph with estimates, or a map."""

    name: str
    place: str

    @property
    def text(self) -> str:
        return f"{self.name} {self.place}"

    @property
    def given(self) -> str:
        return ""

    def ask(self, function: Callable[..., Any]) -> StudentAnswer:
        puzzle, state = game_at(self.name, self.place)
        counted = CountedPuzzle(puzzle)
        start = int(state) if self.name == "graph" else state
        value = function(counted, start, lambda state: puzzle.estimate(state))  # type: ignore[attr-defined]
        return StudentAnswer(value, counted.expanded)

    def smaller(self) -> Iterator[Way]:
        """The graph without one road, as long as its estimates are still admissible."""
        if self.name != "graph":
            return
        roads, estimates, task = self.place.split("; ")
        parts = roads.split(", ")
        for place in range(len(parts) if len(parts) > 1 else 0):
            text = "; ".join((", ".join(parts[:place] + parts[place + 1 :]), estimates, task))
            with contextlib.suppress(PositionError):  # no road leads out of the start
                puzzle: Any = game_at("graph", text)[0]
                if puzzle.claims("estimate")[0]:
                    yield Way("graph", text)

    def shown(self) -> tuple[str, str]:
        """The graph and the package's search of it, or the map."""
        puzzle, state = game_at(self.name, self.place)
        words = ["gambito", "trace", self.name, "--position", self.place, "--algorithm", "a-star"]
        if self.name != "graph" or puzzle.is_terminal(state):
            return puzzle.show(state), shlex.join(words)
        drawn = draw_text(trace(puzzle, state, "a-star")).rstrip("\n")
        return f"{puzzle.show(state)}\n\n{drawn}", shlex.join(words)


def _a_star(puzzle: Any, state: Any, h: Callable[[Any], Any], mistake: str = "") -> Any:
    """A* with a mistake."""
    number = itertools.count()
    costs, closed = {state: 0}, set()
    waiting = [(h(state), next(number), 0, state)]
    while waiting:
        _, _, so_far, state = heapq.heappop(waiting)
        if state in closed or so_far > costs[state]:
            continue
        if puzzle.is_goal(state):
            return so_far
        if mistake in (NO_REOPENING, GREEDY):
            closed.add(state)
        for action in puzzle.actions(state):
            child = puzzle.result(state, action)
            cost = so_far + (1 if mistake == STEPS_COUNT else puzzle.cost(state, action))
            if mistake == GENERATED and puzzle.is_goal(child):
                return cost
            if cost < costs.get(child, math.inf):
                costs[child] = cost
                estimate = 0 if mistake == NO_ESTIMATE else h(child)
                heapq.heappush(
                    waiting, (estimate + (0 if mistake == GREEDY else cost), next(number), cost, child)
                )
    return None


def _judge_way(case: Way, answer: StudentAnswer) -> Wrong | None:
    puzzle, state = game_at(case.name, case.place)
    right = search(puzzle, state, "uniform-cost", gear="python").cost
    if answer.value is not None and not is_number(answer.value):
        return wrong_type(answer.value, "a number or None")
    if (answer.value is None) != (right is None) or (right is not None and not equal(answer.value, right)):
        gave = "None" if answer.value is None else answer.value
        return Wrong("the cost is wrong", gave=gave, right="None" if right is None else right)
    if right is None or not puzzle.claims("estimate")[1]:  # type: ignore[attr-defined]
        return None
    enough = sum(so_far + puzzle.estimate(place) <= right for place, so_far in _costs(puzzle, state).items())  # type: ignore[attr-defined]
    if answer.leaves <= enough:
        return None
    reason = Sentence(
        "states expanded: {}; no more than {} have an f of at most the cost", answer.leaves, enough
    )
    return Wrong(reason, "leaves", gave=answer.leaves, right=enough)


def _costs(puzzle: Any, start: Any) -> dict[Any, Any]:
    """The cost of the cheapest path from the start to each state."""
    costs, waiting = {start: 0}, [start]
    while waiting:
        state = waiting.pop()
        for action in puzzle.actions(state):
            child, cost = puzzle.result(state, action), costs[state] + puzzle.cost(state, action)
            if cost < costs.get(child, math.inf):
                costs[child] = cost
                waiting.append(child)
    return costs


def _ways() -> list[Way]:
    """Graphs of two or more places with consistent, admissible and no estimates; then maps."""
    rng = random.Random(41)
    texts = ("S-G 3; S=0; S to G", "S-G 2; S=0; S to S", "S-A 1, G>S 1; S=0; S to G", REOPENED)
    ways = [Way("graph", text) for text in texts]
    for count in sorted([3] * 15 + [4] * 25 + [5] * 25 + [6, 7] * 12):
        names = ["S", *"ABCDE"[: count - 2], "G"]
        pairs = [(a, b) for a, b in itertools.combinations(names, 2) if rng.random() < 0.6] or [("S", "G")]
        pairs = pairs if pairs[0][0] == "S" else [("S", names[1]), *pairs]
        roads = ", ".join(f"{a}{rng.choice('--->')}{b} {rng.randint(1, 9)}" for a, b in pairs)
        bare: Any = load("graph")
        plan: Any = bare.at(bare.parse(f"{roads}; S to G"))
        true = dict(zip(plan.plan.names, plan.true_costs(), strict=True))
        kind = rng.choice(("half", "any", "any", "true"))
        estimates = []
        for name, cost in true.items():
            whole = 9 if math.isinf(cost) else int(cost)
            estimates.append(
                f"{name}={ {'half': whole // 2, 'any': rng.randint(0, whole), 'true': whole}[kind] }"
            )
        ways.append(Way("graph", f"{roads}; {' '.join(estimates)}; S to G"))
    maps = ("S.G", "S#G", "S..#/..#G/....", "S...#/.##../.#.#./...#G", "S.3.G/.#9#./.....")
    ways.sort(key=lambda way: len(way.place))
    return ways + [Way("grid-map", place) for place in maps]


A_STAR = Exercise(
    name="a-star",
    title="A*: the cheapest path to a goal, guided by an estimate of the rest.",
    task="""Write a_star(puzzle, state, h). It returns the cost of the cheapest path from the state to \
a goal, or None if there is no path.

The puzzle has actions(state), result(state, action), cost(state, action) and is_goal(state); states \
can be keys of a dictionary. h(state) is an estimate that never exceeds the true cost. The state with \
the least f = cost so far + h is expanded next, which means that its actions are requested. If a \
cheaper path to a state is found later, that path counts.""",
    checked="The cost; and, if the estimate is consistent, the number of states expanded: no more than \
those whose f is at most the cheapest cost.",
    hint="Use heapq with (f, number, cost, state), where a running number decides between equal f. The \
goal counts when it is taken out, not when it is put in.",
    lesson="algorithms/a-star.md",
    start='''"""A*: the cheapest path to a goal, guided by an estimate of the rest."""

import heapq


def a_star(puzzle, state, h):
    """The cost of the cheapest path to a goal; None if there is no path."""
    if puzzle.is_goal(state):
        return 0
    return None


if __name__ == "__main__":
    import gambito

    puzzle = gambito.load("graph")
    print(a_star(puzzle, puzzle.initial(), puzzle.estimate))  # 8
''',
    check=Trial(
        _ways,
        _judge_way,
        with_mistakes(_a_star, (GREEDY, GENERATED, STEPS_COUNT, NO_REOPENING, NO_ESTIMATE)),
    ),
)


# ---- an admissible heuristic ---------------------------------------------------------------------
TILES = "sliding-tiles:width=3,height=2"
WITH_BLANK = "the blank is counted like a tile"
SQUARED = "distances are squared"
NOTHING = "the estimate is 0 everywhere"
STRAIGHT_WRONG = "rows and columns are read with the wrong width"


def _heuristic(tiles: tuple[int, ...], mistake: str = "") -> Any:
    """Manhattan distances with a mistake."""
    total, width = 0, 2 if mistake == STRAIGHT_WRONG else 3
    for place, tile in enumerate(tiles):
        if tile or mistake == WITH_BLANK:
            home = (tile - 1) % 6
            across, down = abs(place % width - home % width), abs(place // width - home // width)
            total += across**2 + down**2 if mistake == SQUARED else across + down
    return 0 if mistake == NOTHING else total


class _Judged(Puzzle):
    """Six cells of sliding tiles with a student's estimate."""

    compiles = False
    symmetric = True

    def __init__(self, function: Callable[..., Any] = lambda tiles: 0) -> None:
        self.function = function
        self.inner: Any = load(TILES)

    def parameters(self) -> dict[str, Any]:
        return {}

    def initial(self) -> Any:
        return self.inner.initial()

    def actions(self, state: Any) -> Iterable[int]:
        return list(self.inner.actions(state))

    def result(self, state: Any, action: int) -> Any:
        return self.inner.result(state, action)

    def is_goal(self, state: Any) -> bool:
        return bool(self.inner.is_goal(state))

    def key(self, state: Any) -> Any:
        return self.inner.key(state)

    def estimate(self, state: Any) -> Any:
        return self.function(tuple(map(int, self.inner.numbers(state))))


@cache
def _true_costs() -> dict[tuple[int, ...], int]:
    """Every solvable position with its number of moves, nearest to the goal first."""
    game: Any = load(TILES)
    layer, costs, moves = [game.finished], dict[tuple[int, ...], int](), 0
    while layer:
        following = []
        for state in layer:
            tiles = tuple(map(int, game.numbers(state)))
            if tiles not in costs:
                costs[tiles] = moves
                following += [game.result(state, action) for action in game.actions(state)]
        layer, moves = following, moves + 1
    return costs


def _judge_estimate(case: PlainArguments, answer: StudentAnswer) -> Wrong | None:
    if not is_number(answer.value):
        return wrong_type(answer.value, NUMBER)
    right = _true_costs()[case.args[0]]
    if 0 <= answer.value <= right:
        return None
    if answer.value < 0:
        return Wrong("an estimate is 0 or more", gave=answer.value)
    return Wrong(Sentence("the estimate exceeds the true cost, {}", right), gave=answer.value, right=right)


def _knows_enough(function: Callable[..., Any]) -> Wrong | None:
    """Admissible by the package's check, and on average not below the number of misplaced tiles."""
    trying(TILES)
    report = check_heuristic(_Judged(function))
    misplaced = check_heuristic(_Judged(_misplaced)).mean_h
    if report.admissible is False:
        return Wrong("the estimate is not admissible")
    if report.mean_h >= misplaced - 1e-9:
        return None
    reason = Sentence(
        "the mean estimate is {:.3g}, and that of misplaced tiles is {:.3g}", report.mean_h, misplaced
    )
    return Wrong(reason, gave=round(report.mean_h, 3), right=round(misplaced, 3))


def _misplaced(tiles: tuple[int, ...]) -> int:
    return sum(tile != 0 and place != tile - 1 for place, tile in enumerate(tiles))


HEURISTIC = Exercise(
    name="heuristic",
    title="An admissible heuristic: how far six sliding tiles are from their goal, never overestimated.",
    task="""Write heuristic(tiles). tiles is a tuple of six numbers, two rows of three; 0 is the \
blank. The goal is (1, 2, 3, 4, 5, 0). It returns an estimate of how many moves are left: never more \
than the true number, and on average at least the number of tiles that are not in their place.""",
    checked="All 360 positions that can be solved, by the same check as gambito heuristic check.",
    hint="At best, each move brings one tile one cell nearer. The blank is not a tile.",
    lesson="puzzles.md",
    start='''"""An admissible heuristic: how far six sliding tiles are from their goal, never \
overestimated."""


def heuristic(tiles):
    """At most the number of moves that are left."""
    return 0


if __name__ == "__main__":
    print(heuristic((1, 2, 3, 4, 0, 5)))  # 1
''',
    check=Trial(
        lambda: [PlainArguments((tiles,), str(tiles)) for tiles in _true_costs()],
        _judge_estimate,
        with_mistakes(_heuristic, (WITH_BLANK, SQUARED, STRAIGHT_WRONG, NOTHING)),
        _knows_enough,
    ),
)
