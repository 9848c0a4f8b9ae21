"""The worlds of a small game whose rules do not say how to imagine them: all its states, listed once.

A world is kept as the actions that lead to it, and weighs as much as chance makes it likely. It does not know
any search.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from gambito.errors import SearchError
from gambito.game.contract import CHANCE, Game
from gambito.game.gears import gears
from gambito.native import Memory, int64, mix, native, uint64
from gambito.native.random import new_random
from gambito.search.question import Question

MOST_WORLDS = 1 << 17  # states of a game that can be listed
_LISTED = "_gambito_worlds"  # the attribute in which a game keeps its listed view


def with_worlds(question: Question) -> Question:
    """The question about a game that can imagine: the same, or the one whose worlds are listed."""
    listed = imagining(question.rules)
    if listed is question.rules:
        return question
    return replace(question, rules=listed, game=gears(listed).shift(question.gear))


def imagining(rules: Game) -> Game:
    """A game that can imagine: the same, or the one whose worlds are listed."""
    if type(rules).imagine is not Game.imagine:
        return rules
    listed: Game | None = vars(rules).get(_LISTED)
    if listed is None:
        vars(rules)[_LISTED] = listed = listed_view(rules)
    return listed


@native
def imagine_world(game, seen, player, rng):
    """A world that looks like `seen` to a player."""
    return game.imagine(seen, player, rng)


def imagine_worlds(
    rules: Game, seen: Any, player: int, most: int, seconds: float, seed: int = 1
) -> Iterator[Any]:
    """Worlds that look like `seen` to a player: at least one, then more until the time is over."""
    turning, rng = gears(rules), new_random(seed)
    game, entered = turning.shift(turning.default()), turning.enter(seen)
    end: float | None = None
    for _ in range(most):
        world = turning.enter(imagine_world(game, entered, player, rng))
        end = end or time.monotonic() + seconds  # compilation does not count
        yield world
        if time.monotonic() > end:
            return


def listed_view(rules: Game) -> Game:
    """The game with an `imagine` that draws from the list of its states."""
    kind = type(rules)
    own = {"__module__": kind.__module__, "name": kind.name, "imagine": draw_world}
    view: Any = object.__new__(type(kind.__name__, (kind,), own))
    vars(view).update({n: held for n, held in vars(rules).items() if not n.startswith("_gambito_")})
    tables = list_worlds(rules)
    view.worlds_count = len(tables["worlds_key"])
    for name, array in tables.items():
        setattr(view, name, Memory(array))
    listed: Game = view
    return listed


def list_worlds(rules: Game) -> dict[str, np.ndarray]:
    """All states that are not terminal, grouped by what each player sees of them.

    worlds_key     by group: the key of what is seen, sorted
    worlds_first   by group, and one more: its first world
    worlds_sum     by world: the weight of the worlds of its group so far
    worlds_begin, worlds_length   by world: where its actions are
    worlds_action  the actions
    """
    groups: dict[int, list[tuple[float, int, int]]] = {}
    actions: list[int] = []
    waiting: list[tuple[Any, float, tuple[int, ...]]] = [(gears(rules).enter(rules.initial()), 1.0, ())]
    count = 0
    while waiting:
        state, weight, path = waiting.pop()
        if rules.is_terminal(state):
            continue
        count += 1
        if count > MOST_WORLDS:
            raise SearchError(
                "{} has more than {} states, too many to list: it needs a rule 'imagine'",
                rules.label(),
                MOST_WORLDS,
            )
        place = (weight, len(actions), len(path))
        actions += path
        for player in range(rules.players):
            groups.setdefault(key_of(rules, state, player), []).append(place)
        is_chance = rules.player(state) == CHANCE
        chances = rules.chances(state) if is_chance else ((a, 1.0) for a in rules.legal(state))
        for action, share in chances:
            child = gears(rules).enter(rules.result(state, action))
            waiting.append((child, weight * share, (*path, int(action))))
    ordered = sorted(groups.items())
    worlds = [world for _, group in ordered for world in group]
    sums = [np.cumsum([weight for weight, _, _ in group]) for _, group in ordered]
    return {
        "worlds_key": np.array([key for key, _ in ordered], np.uint64),
        "worlds_first": np.cumsum([0, *(len(group) for _, group in ordered)]).astype(np.int64),
        "worlds_sum": np.concatenate(sums),
        "worlds_begin": np.array([begin for _, begin, _ in worlds], np.int64),
        "worlds_length": np.array([length for _, _, length in worlds], np.int64),
        "worlds_action": np.array([*actions, 0], np.int64),
    }


def key_of(rules: Game, state: Any, player: int) -> int:
    """The key of what a player sees."""
    return int(uint64(rules.seen_key(state, player)) + uint64(player))


def draw_world(self, seen, player, rng):
    """A listed state that looks like `seen` to that player."""
    key = uint64(mix(seen)) + uint64(player)
    low, high = int64(0), int64(self.worlds_count)
    while low < high:
        middle = (low + high) // 2
        if self.worlds_key[middle] < key:
            low = middle + 1
        else:
            high = middle
    if low == self.worlds_count or self.worlds_key[low] != key:
        return seen
    first = self.worlds_first[low]
    last = self.worlds_first[low + 1]
    wanted = rng.fraction() * self.worlds_sum[last - 1]
    while first < last - 1 and self.worlds_sum[first] <= wanted:
        first += 1
    state = self.initial()
    for place in range(self.worlds_begin[first], self.worlds_begin[first] + self.worlds_length[first]):
        state = self.result(state, self.worlds_action[place])
    return state
