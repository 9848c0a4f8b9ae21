"""Alpha-mu: the best choices that are the same in worlds that look alike, some own moves ahead.

A strategy has a vector of values, one for each imagined world. Of several strategies those are kept that no
other one beats in every world (a Pareto front). Where the player of the root chooses, its fronts are united;
where the others choose, who are taken to know the world, two vectors become the lower value in each world.
So it does not choose differently in worlds that look alike (strategy fusion), and sees what the others would
avoid (non-locality). After `moves` own moves, or where chance decides, a world is valued with open cards, as
by `pimc`; with one move the two are the same.

Cazenave & Ventos, The αμ search algorithm for the game of bridge (2019).
"""

from __future__ import annotations

import math
from itertools import product
from typing import Any

from gambito.game.contract import CHANCE
from gambito.hidden.determinized import OPTIONS, Worlds, fits
from gambito.search.algorithm import AnytimeSearch, Option
from gambito.search.found import ActionStatistics
from gambito.search.question import Answer, Question
from gambito.search.watch import EVALUATIONS, LIMIT, NODES, STOP

Entry = tuple[int, Any]  # the number of a world, and a state of it
Vector = tuple[float, ...]  # a value for each world; infinity: the world cannot come here
MOST_VECTORS = 64  # of a front; those with the highest means are kept


class _Stopped(Exception):
    """The search is to end; what it was computing is not known."""


def run(question: Question) -> Answer:
    worlds = Worlds(question)
    if question.watch.data[LIMIT] == STOP:  # only to compile everything
        worlds.value(worlds.imagine())
        return Answer(exact=False)
    if (agreed := worlds.agreed()) is not None:
        return agreed
    entries = [(number, worlds.imagine()) for number in range(question.options["worlds"])]
    found = Answer(exact=False)
    question.ongoing.answer = lambda: found
    for moves in range(1, question.options["moves"] + 1):  # the answer of fewer moves is there in time
        try:
            found = answer(worlds, entries, moves, is_first=moves == 1)
        except _Stopped:
            break
    question.ongoing.answer = None
    question.watch.data[EVALUATIONS] = question.watch.data[NODES]
    return found


def answer(worlds: Worlds, entries: list[Entry], moves: int, is_first: bool) -> Answer:
    """The action whose front has the vector with the highest mean."""
    listed = []
    for action in worlds.actions():
        below = [(number, worlds.open.result(state, action)) for number, state in entries]
        best = max(mean(vector) for vector in play_on(worlds, below, moves - 1, len(entries), is_first))
        half = (worlds.rules.highest - worlds.rules.lowest) / 2 or 1.0
        reward = (best - (worlds.rules.highest + worlds.rules.lowest) / 2) / half
        listed.append(ActionStatistics(action, len(entries), best, best, best, reward))
    ranked = sorted(listed, key=lambda c: -(c.value or 0.0))
    chosen = ranked[0]
    return Answer(
        chosen.value,
        action=chosen.action,
        line=[chosen.action],
        exact=False,
        depth=moves,
        candidates=ranked,
        policy={chosen.action: 1.0},
    )


def play_on(worlds: Worlds, entries: list[Entry], moves: int, count: int, is_first: bool) -> list[Vector]:
    """The front of states that may look different to the player: a strategy for each that looks alike."""
    groups: dict[Any, list[Entry]] = {}
    for number, state in entries:
        seen = worlds.rules.observe(state, worlds.player)
        is_over = bool(worlds.rules.is_terminal(state))
        groups.setdefault((seen, is_over, int(worlds.rules.player(state))), []).append((number, state))
    joined: list[Vector] = [(math.inf,) * count]
    for (_, is_over, mover), group in groups.items():
        front = value_of(worlds, group, is_over, mover, moves, count, is_first)
        joined = kept([tuple(map(min, a, b)) for a, b in product(joined, front)])
    return joined


def value_of(
    worlds: Worlds, group: list[Entry], is_over: bool, mover: int, moves: int, count: int, is_first: bool
) -> list[Vector]:
    """The front of states that look alike to the player of the root."""
    if worlds.is_stopped() and not is_first:
        raise _Stopped
    if is_over or moves == 0 or mover == CHANCE:
        vector = [math.inf] * count
        for number, state in group:
            vector[number] = min(vector[number], worlds.value(state))
        return [tuple(vector)]
    rules = worlds.rules
    worlds.question.watch.visit(len(group))
    if mover == worlds.player:
        fronts: list[Vector] = []
        for action in rules.legal(group[0][1]):
            below = [(number, worlds.open.result(state, action)) for number, state in group]
            fronts = kept(fronts + play_on(worlds, below, moves - 1, count, is_first))
        return fronts
    every = [(n, worlds.open.result(state, action)) for n, state in group for action in rules.legal(state)]
    return play_on(worlds, every, moves, count, is_first)


def kept(vectors: list[Vector]) -> list[Vector]:
    """The vectors that no other one beats; of many, those with the highest means."""
    ranked = sorted(set(vectors), key=lambda vector: (-mean(vector), vector))
    front: list[Vector] = []
    for vector in ranked:
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
