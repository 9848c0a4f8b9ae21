"""Alpha-mu: the best choices that are the same in worlds that look alike, some own moves ahead.

A strategy has a vector of values, one for each imagined world. Of several strategies those are kept that no
other one beats in every world (a Pareto front). Where the player of the root chooses, its fronts are united;
where the others choose, who are taken to know the world, two vectors become the lower value in each world.
So it does not choose differently in worlds that look alike (strategy fusion), and sees what the others would
avoid (non-locality). A partner is taken to know the world too, and takes the higher value. After `moves` own
moves, or where chance decides, a world is valued with open cards, as by `pimc`; with one move the two are the
same.

Cazenave & Ventos, The αμ search algorithm for the game of bridge (2019).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from gambito.game.contract import CHANCE
from gambito.hidden.determinized import OPTIONS, Worlds, fits
from gambito.hidden.pimc import weighed
from gambito.native.values import as_key
from gambito.search.algorithm import AnytimeSearch, Option
from gambito.search.monitor import EVALUATIONS, NODES
from gambito.search.search_result import ActionStatistics
from gambito.search.task import SearchTask, Stopped, TaskResult

Entry = tuple[int, Any]  # the number of a world, and a state of it
Vector = tuple[float, ...]  # a value for each world; infinity: the world cannot come here
VECTORS_PER_CHECK = 16  # vectors between two looks at the clock
MOST_VECTORS = 64  # of a front; those with the highest means are kept


def run(task: SearchTask) -> TaskResult:
    worlds = Worlds(task)
    if worlds.is_warmed_up():
        return TaskResult(exact=False)
    if (agreed := worlds.agreed()) is not None:
        return agreed
    entries: list[Entry] = []

    def imagined() -> Iterator[Any]:
        for number in range(task.options["worlds"]):
            entries.append((number, worlds.imagine()))
            yield entries[-1][1]

    found = weighed(worlds, imagined(), is_vote=False)
    task.ongoing.answer = lambda: found
    for moves in range(2, task.options["moves"] + 1):  # the answer of fewer moves is there in time
        if worlds.is_stopped():
            break
        try:
            found = answer(worlds, entries, moves, found.candidates)
        except Stopped:
            break
    task.ongoing.answer = None
    task.monitor.data[EVALUATIONS] = task.monitor.data[NODES]
    return found


def answer(worlds: Worlds, entries: list[Entry], moves: int, before: list[ActionStatistics]) -> TaskResult:
    """The action whose front has the vector with the highest mean; `before`: with fewer moves.

    If open states are solved, looking further ahead only lowers values. So an action that was not better than
    the best is now keeps its value.
    """
    listed, best = [], -math.inf
    for action, value in ((each.action, each.value or 0.0) for each in before):
        if not worlds.is_solved or value > best:
            below = [(number, worlds.open.result(state, action)) for number, state in entries]
            hopes = Hopes(best, open_values(worlds, below, len(entries))) if worlds.is_solved else None
            value = max(map(mean, play_on(worlds, below, moves - 1, len(entries), hopes)))
        best = max(best, value)
        half = (worlds.rules.highest - worlds.rules.lowest) / 2 or 1.0
        reward = (value - (worlds.rules.highest + worlds.rules.lowest) / 2) / half
        listed.append(ActionStatistics(action, len(entries), value, value, value, reward))
    ranked = sorted(listed, key=lambda c: -(c.value or 0.0))
    chosen = ranked[0]
    return TaskResult(
        chosen.value,
        action=chosen.action,
        line=[chosen.action],
        exact=False,
        depth=moves,
        candidates=ranked,
        policy={chosen.action: 1.0},
    )


class Hopes(NamedTuple):
    """What an action of the root can still reach: in each world at most so much, and more than its rival."""

    rival: float  # the mean of the best action so far
    most: Vector

    def lowered(self, most: Vector) -> Hopes:
        return Hopes(self.rival, tuple(map(min, self.most, most)))

    @property
    def is_lost(self) -> bool:
        return mean(self.most) <= self.rival

    def within(self, entries: list[Entry]) -> list[Vector]:
        """The front of states that need no search, because the action is lost."""
        here = {number for number, _ in entries}
        return [tuple(most if n in here else math.inf for n, most in enumerate(self.most))]


def open_values(worlds: Worlds, entries: list[Entry], count: int) -> Vector:
    """The value of each world with open cards."""
    vector = [math.inf] * count
    for number, state in entries:
        vector[number] = min(vector[number], worlds.value(state))
    return tuple(vector)


def play_on(
    worlds: Worlds, entries: list[Entry], moves: int, count: int, hopes: Hopes | None
) -> list[Vector]:
    """The front of states that may look different to the player: a strategy for each that looks alike."""
    groups: dict[Any, list[Entry]] = {}
    for number, state in entries:
        seen = worlds.rules.observe(state, worlds.player)
        is_over = bool(worlds.rules.is_terminal(state))
        looks = as_key(seen), is_over, int(worlds.rules.player(state))
        groups.setdefault(looks, []).append((number, state))
    joined: list[Vector] = [(math.inf,) * count]
    for (_, is_over, mover), group in groups.items():
        front = value_of(worlds, group, is_over, mover, moves, count, hopes)
        joined = kept(worlds, [tuple(map(min, a, b)) for a, b in product(joined, front)])
        if hopes is not None:
            hopes = hopes.lowered(tuple(map(max, *joined)) if len(joined) > 1 else joined[0])
            if hopes.is_lost:
                return hopes.within(entries)
    return joined


def value_of(
    worlds: Worlds,
    group: list[Entry],
    is_over: bool,
    mover: int,
    moves: int,
    count: int,
    hopes: Hopes | None,
) -> list[Vector]:
    """The front of states that look alike to the player of the root."""
    if worlds.is_stopped():
        raise Stopped
    if is_over or moves == 0 or mover == CHANCE:
        return [open_values(worlds, group, count)]
    if hopes is not None:
        hopes = hopes.lowered(open_values(worlds, group, count))
        if hopes.is_lost:
            return hopes.within(group)
    rules = worlds.rules
    worlds.task.monitor.visit(len(group))
    if mover == worlds.player:
        fronts: list[Vector] = []
        for action in rules.legal(group[0][1]):
            below = [(number, worlds.open.result(state, action)) for number, state in group]
            fronts = kept(worlds, fronts + play_on(worlds, below, moves - 1, count, hopes))
            if hopes is not None and fronts == hopes.within(group):
                break  # as good as with open cards
        return fronts
    if worlds.is_partner(mover):
        return helped(worlds, group, moves, count)
    every = [(n, worlds.open.result(state, action)) for n, state in group for action in rules.legal(state)]
    return play_on(worlds, every, moves, count, hopes)


def helped(worlds: Worlds, group: list[Entry], moves: int, count: int) -> list[Vector]:
    """The front where a partner chooses: whatever the player plans after each choice, the best in each
    world."""
    choices: dict[int, list[Entry]] = {}
    for number, state in group:
        for action in worlds.rules.legal(state):
            choices.setdefault(action, []).append((number, worlds.open.result(state, action)))
    joined: list[Vector] = [(math.inf,) * count]
    for below in choices.values():
        front = play_on(worlds, below, moves, count, None)  # another choice may be better in some worlds
        joined = kept(worlds, [tuple(map(_higher, a, b)) for a, b in product(joined, front)])
    return joined


def _higher(first: float, second: float) -> float:
    """The higher of two values; infinity is none."""
    return min(first, second) if math.inf in (first, second) else max(first, second)


def kept(worlds: Worlds, vectors: list[Vector]) -> list[Vector]:
    """The vectors that no other one beats; of many, those with the highest means."""
    ranked = sorted(set(vectors), key=lambda vector: (-mean(vector), vector))
    front: list[Vector] = []
    for number, vector in enumerate(ranked):
        if number % VECTORS_PER_CHECK == 0:
            worlds.check()
        if not any(all(a >= b for a, b in zip(other, vector, strict=True)) for other in front):
            front.append(vector)
        if len(front) == MOST_VECTORS:
            break
    return front


def mean(vector: Vector) -> float:
    """The mean over the worlds that can come here."""
    known = [value for value in vector if value < math.inf]
    return math.fsum(known) / len(known) if known else 0.0


ALGORITHM = AnytimeSearch(
    name="alpha-mu",
    summary="the best choices that are the same in imagined worlds that look alike, some own moves ahead",
    source="Cazenave & Ventos 2019",
    run=run,
    options=(
        *OPTIONS,
        Option("moves", 2, "own moves that are looked ahead", low=1, high=64, technique=False),
    ),
    fits=fits("alpha-mu"),
)
