"""The worlds of a small game whose rules do not say how to imagine them: all its states, listed once.

A world is kept as the actions that lead to it, and weighs as much as chance makes it likely. It does not know
any search.
"""

from __future__ import annotations

import threading
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
from gambito.native.values import as_key
from gambito.search.patience import Check, alone, never
from gambito.search.task import SearchTask

MOST_WORLDS = 1 << 17  # states of a game that can be listed
MOST_ACTIONS = 1 << 24  # actions that lead to them, in all
STATES_PER_CHECK = 32  # states between two looks at the clock
_LISTED = "_gambito_worlds"  # the attribute in which a game keeps its listed view
_LISTING = "_gambito_listing"  # and the list of its states until it is complete


def with_worlds(task: SearchTask) -> SearchTask:
    """The question about a game that can imagine: the same, or the one whose worlds are listed.

    The list may take longer than the search: then it is `Stopped`, and the next search goes on with it.
    """
    if type(task.rules).imagine is not Game.imagine:
        return task
    with task.ongoing.preparing() as check:
        listed = imagining(task.rules, check)
    return replace(task, rules=listed, game=gears(listed).in_gear(task.gear))


def imagining(rules: Game, check: Check = never) -> Game:
    """A game that can imagine: the same, or the one whose worlds are listed. `check` may end the listing."""
    if type(rules).imagine is not Game.imagine:
        return rules
    held = vars(rules)
    if _LISTED not in held:
        listing: Listing = held.setdefault(_LISTING, Listing(rules))
        with alone(listing.lock, check):
            if _LISTED not in held:
                held[_LISTED] = listed_view(rules, listing.finish(check))
                held.pop(_LISTING)
    listed: Game = held[_LISTED]
    return listed


@native
def imagine_world(game, seen, player, rng):
    """A world that looks like `seen` to a player."""
    return game.imagine(seen, player, rng)


def imagine_worlds(
    rules: Game, seen: Any, player: int, most: int, seconds: float, seed: int = 1
) -> Iterator[Any]:
    """Worlds that look like `seen` to a player: at least one, then more until the time is over."""
    both, rng = gears(rules), new_random(seed)
    game, entered = both.in_gear(both.default()), both.cast(seen)
    end: float | None = None
    for _ in range(most):
        world = both.cast(imagine_world(game, entered, player, rng))
        end = end or time.monotonic() + seconds  # compilation does not count
        yield world
        if time.monotonic() > end:
            return


def listed_view(rules: Game, tables: dict[str, np.ndarray]) -> Game:
    """The game with an `imagine` that draws from the list of its states."""
    kind = type(rules)
    own = {"__module__": kind.__module__, "name": kind.name, "imagine": draw_world}
    view: Any = object.__new__(type(kind.__name__, (kind,), own))
    vars(view).update({n: held for n, held in vars(rules).items() if not n.startswith("_gambito_")})
    for name, array in tables.items():
        setattr(view, name, Memory(array))
    listed: Game = view
    return listed


class Listing:
    """All states of a game that are not terminal, in the order of a breadth-first search.

    A state that is reached in several ways is listed once, and weighs as much as all of them. If states come
    back, only the shortest ways to each one count.
    """

    def __init__(self, rules: Game) -> None:
        self.rules = rules
        self.states: list[Any] = []
        self.parents: list[int] = []  # by state: where its shortest way comes from, by which action
        self.actions: list[int] = []
        self.plies: list[int] = []
        self.below: list[list[tuple[int, float]]] = []  # by state that was followed: what comes after it
        self._numbers: dict[Any, int] = {}
        self.lock = threading.Lock()

    def finish(self, check: Check) -> dict[str, np.ndarray]:
        """Go on to the end, unless `check` raises; return the tables of `tables_of`."""
        if not self.states:
            self._number(gears(self.rules).cast(self.rules.initial()), -1, -1)
        while len(self.below) < len(self.states):
            if len(self.below) % STATES_PER_CHECK == 0:
                check()
            self._follow(len(self.below))
        return self._tables(check)

    def _number(self, state: Any, parent: int, action: int) -> int:
        """The number of a state, which is new or not; below 0 if it is terminal."""
        name = as_key(state)
        if name in self._numbers:
            return self._numbers[name]
        if self.rules.is_terminal(state):
            self._numbers[name] = -1
            return -1
        if len(self.states) == MOST_WORLDS:
            raise SearchError(
                "{} has more than {} states, too many to list: it needs a rule 'imagine'",
                self.rules.label(),
                MOST_WORLDS,
            )
        number = self._numbers[name] = len(self.states)
        self.states.append(state)
        self.parents.append(parent)
        self.actions.append(action)
        self.plies.append(self.plies[parent] + 1 if parent >= 0 else 0)
        return number

    def _follow(self, number: int) -> None:
        """List the states after one."""
        rules, state = self.rules, self.states[number]
        is_chance = rules.player(state) == CHANCE
        chances = rules.chances(state) if is_chance else ((a, 1.0) for a in rules.legal(state))
        below = []
        for action, share in chances:
            child = gears(rules).cast(rules.result(state, action))
            below.append((self._number(child, number, int(action)), float(share)))
        self.below.append([each for each in below if each[0] >= 0])

    def _weights(self, check: Check) -> list[float]:
        """How likely chance makes each state, if all choices are made."""
        above = [0] * len(self.states)
        for below in self.below:
            for child, _ in below:
                above[child] += 1
        order = [0] if not above[0] else []
        for number in order:  # the loop extends this list
            for child, _ in self.below[number]:
                above[child] -= 1
                if not above[child]:
                    order.append(child)
        has_cycles = len(order) < len(self.states)
        weights = [1.0] + [0.0] * (len(self.states) - 1)
        for place, number in enumerate(range(len(self.states)) if has_cycles else order):
            if place % STATES_PER_CHECK == 0:
                check()
            for child, share in self.below[number]:
                if not has_cycles or self.plies[child] > self.plies[number]:
                    weights[child] += weights[number] * share
        return weights

    def _tables(self, check: Check) -> dict[str, np.ndarray]:
        """The states grouped by what each player sees of them.

        worlds_key     by group: the key of what is seen, sorted
        worlds_first   by group, and one more: its first world
        worlds_sum     by world: the weight of the worlds of its group so far
        worlds_begin, worlds_length   by world: where its actions are
        worlds_action  the actions
        worlds_count   the number of groups
        """
        rules, weights = self.rules, self._weights(check)
        if sum(self.plies) > MOST_ACTIONS:
            raise SearchError(
                "the games of {} are too long to list its states: it needs a rule 'imagine'", rules.label()
            )
        groups: dict[int, list[tuple[float, int, int]]] = {}
        actions: list[int] = []
        for place, (number, path) in enumerate(self._ways()):
            if place % STATES_PER_CHECK == 0:
                check()
            world = (weights[number], len(actions), len(path))
            actions += path
            for player in range(rules.players):
                groups.setdefault(key_of(rules, self.states[number], player), []).append(world)
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
            "worlds_count": np.array([len(ordered)], np.int64),
        }

    def _ways(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Every state with the actions of its shortest way, the last action of a state first."""
        following: list[list[int]] = [[] for _ in self.states]
        for number, parent in enumerate(self.parents):
            if parent >= 0:
                following[parent].append(number)
        waiting: list[tuple[int, tuple[int, ...]]] = [(0, ())]
        while waiting:
            number, path = waiting.pop()
            yield number, path
            waiting += [(child, (*path, self.actions[child])) for child in following[number]]


def key_of(rules: Game, state: Any, player: int) -> int:
    """The key of what a player sees."""
    return int(uint64(rules.seen_key(state, player)) + uint64(player))


def draw_world(self, seen, player, rng):
    """A listed state that looks like `seen` to that player."""
    key = uint64(mix(seen)) + uint64(player)
    low, high = int64(0), int64(self.worlds_count[0])
    while low < high:
        middle = (low + high) // 2
        if self.worlds_key[middle] < key:
            low = middle + 1
        else:
            high = middle
    if low == self.worlds_count[0] or self.worlds_key[low] != key:
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
