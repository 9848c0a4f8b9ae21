"""A strategy that is being learned: a game's tree, its tables, and the method that fills them.

It goes on from where it was, as often as it is asked, and can be kept in a file. Where the tree of a game is
too large, a method that samples learns in a table of the information sets that it meets; how good the
strategy is then stays unknown.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambito.errors import SearchError
from gambito.game.contract import CHANCE, Game
from gambito.game.gears import gears
from gambito.hidden.best_response import Judgement, judge, new_flow, unstopped, value_actions
from gambito.hidden.cfr import (
    COUNT,
    FULL,
    MASK,
    ROOM,
    SAMPLING_SCHEMES,
    SLOTS,
    USED,
    HashedSets,
    IndexedSets,
    Sampling,
    hashed_sets,
    indexed_sets,
    iterate_walks,
)  # fmt: skip
from gambito.hidden.cfr_vectorised import iterate
from gambito.hidden.fictitious import play_fictitiously
from gambito.hidden.game_tree import Tree, check_ends, set_key, too_large, unroll
from gambito.hidden.oos import DEFAULT_AIM, Aim, Aimed, iterate_games, marked
from gambito.hidden.regrets import VARIANTS, InformationSets, Variant, normalised
from gambito.hidden.sequence_form import SequenceForm, new_sequence_form, sequences_of
from gambito.hidden.strategy import Strategy
from gambito.native import Constant
from gambito.native.bits import spread
from gambito.native.random import new_random
from gambito.search.monitor import Monitor
from gambito.search.patience import Check, never

SWEEPS, WALK, RESPONSES, ONLINE = "sweeps", "walk", "responses", "online"
_TREE = "_gambito_tree"  # the attribute in which a game keeps its tree and its plan
SAMPLED = 128  # MiB: a method that samples does without a larger tree
JUDGED = 1.25  # exploitability is computed each time that the iterations have grown by this factor
QUICK_ENTRIES = {"native": 1 << 20, "python": 1 << 13}  # of a plan that is judged in a moment
BY_HAND = 20_000  # entries of a plan that are looked through before code for it would be compiled
KEPT = ("regret", "policy", "average")  # what a file holds of each slot


class Impatient(Exception):
    """A method that samples does not wait for a tree any longer."""


@dataclass(frozen=True)
class Method:
    """How a strategy is learned."""

    name: str
    variant: Variant = VARIANTS["cfr"]
    how: Sampling = SAMPLING_SCHEMES["none"]
    by: str = SWEEPS
    aim: Aim = DEFAULT_AIM

    @property
    def samples(self) -> bool:
        return self.how != SAMPLING_SCHEMES["none"]


def tree_of(game: Game, gear: str, mebibytes: int, check: Check = never) -> tuple[Tree, SequenceForm] | None:
    """The tree of a game and its plan, which the game keeps; None if they need more memory than that.

    `check` may end the work by an error; then the next call goes on with it.
    """
    held = vars(game)
    if _TREE not in held:
        tree = unroll(game, gear, mebibytes, check)
        if tree is None:
            return None
        held[_TREE] = tree, new_sequence_form(tree, check)
    found: tuple[Tree, SequenceForm] = held[_TREE]
    return found


class Solver:
    """A strategy that is being learned."""

    def __init__(
        self, game: Game, method: Method, gear: str, mebibytes: int, seed: int, check: Check = never,
        spare: float | None = None,
    ) -> None:  # fmt: skip
        """`check` may end the preparations; `spare`: seconds in which a method that samples gets a tree."""
        self.game, self.method, self.mebibytes, self.seed = game, method, mebibytes, seed
        self.iteration = 0  # iterations so far
        self.is_hurried = False  # the time is over: what takes long is not computed any more
        self.rng = new_random((seed, 24))
        self.curve: list[tuple[int, float]] = []  # exploitability after some numbers of iterations
        self._last: tuple[int, Judgement] | None = None
        self.tree: Tree | None = None
        self.plan: SequenceForm | None = None
        self.table: HashedSets | IndexedSets
        found = self._find_tree(gear, check, spare)
        if found is None and not method.samples:
            raise too_large(game, gear, mebibytes, check)
        if found is not None:
            self.tree, self.plan = found
            self.table = indexed_sets(self.tree)
        else:
            check_ends(game, check)
            self.table = hashed_sets(mebibytes, game.players)
        walked: Game = game if self.tree is None else self.tree.unrolled
        self.walked, self.root = gears(walked).in_gear(gear), gears(walked).cast(walked.initial())

    def _find_tree(self, gear: str, check: Check, spare: float | None) -> tuple[Tree, SequenceForm] | None:
        """The tree; None if it is too large, or if a method that samples would have to wait too long."""
        if not self.method.samples:
            return tree_of(self.game, gear, self.mebibytes, check)
        end = time.perf_counter() + (math.inf if spare is None else spare)

        def check_both() -> None:
            check()
            if time.perf_counter() > end:
                raise Impatient

        try:
            return tree_of(self.game, gear, min(self.mebibytes, SAMPLED), check_both)
        except Impatient:
            return None

    def aim(self, state: Any) -> None:
        """Have an online method sample games towards the information set of a state."""
        if self.method.by == ONLINE and self.tree is not None:
            player = int(self.game.player(state))
            number = None if player == CHANCE else self.tree.find(set_key(self.game, state, player))
            slot = None if number is None else int(self.tree.first[number])
            arrays = {name: getattr(self.table, name) for name in InformationSets.arrays}
            self.aimed = Aimed(marks=marked(self.tree, slot), **arrays)

    def iterate(self, count: int, monitor: Monitor) -> int:
        """Learn for a number of iterations, or fewer if the monitor says stop; returns how many it were."""
        begin, end, method = self.iteration + 1, self.iteration + 1 + count, self.method
        if method.by == WALK:
            how = (method.variant, method.how, begin, end)
            end = int(iterate_walks(self.walked, self.root, *how, self.table, self.rng, monitor))
            if self.table.head[FULL]:
                raise self._full(end)
        elif method.by == ONLINE:
            end = int(iterate_games(self.walked, method.aim, begin, end, self.aimed, self.rng, monitor))
        elif method.by == RESPONSES:
            end = int(play_fictitiously(self.walked, self.plan, self.table, begin, end, monitor))
        else:
            end = int(iterate(self.walked, self.plan, self.table, method.variant, begin, end, monitor))
        self.iteration += end - begin
        return end - begin

    def judgement(self) -> Judgement | None:
        """How good the strategy is; None if the tree is too large to know, or nobody can wait for it."""
        if self.tree is None or self.plan is None:
            return None
        if self._last is None or self._last[0] != self.iteration:
            if self.is_hurried and self.is_slow:
                return None
            policy = normalised(self.tree.first, self.table.average)
            self._last = self.iteration, judge(self.walked, self.plan, policy)
        return self._last[1]

    @property
    def is_slow(self) -> bool:
        """Does it take more than a moment to judge the strategy?"""
        most = QUICK_ENTRIES["native" if isinstance(self.walked, Constant) else "python"]
        return self.plan is not None and len(self.plan.worth) > most

    @property
    def due(self) -> int:
        """The next number of iterations after which the strategy is judged for the curve: 1, 2, 3 …, 125."""
        number = 1
        while number <= self.iteration:
            number = max(number + 1, int(number * JUDGED))
        return number

    def mark(self) -> Judgement | None:
        """Judge the strategy for the curve."""
        found = self.judgement()
        if found is not None:
            self.curve.append((self.iteration, found.exploitability))
        return found

    @property
    def latest(self) -> Judgement | None:
        """The last judgement, perhaps of some iterations ago."""
        return None if self._last is None else self._last[1]

    def value_at(self, state: Any) -> float | None:
        """What the strategy is worth to the player to move, who knows only what it sees; None if unknown.

        It is unknown without a tree, where the others' strategies never lead, and if nobody can wait for it.
        """
        if self.tree is None or self.plan is None or (self.is_hurried and self.is_slow):
            return None
        tree, player = self.tree, int(self.game.player(state))
        number = tree.find(set_key(self.game, state, player))
        if number is None:
            return None
        first, last = int(tree.first[number]), int(tree.first[number + 1])
        held = new_flow(normalised(tree.first, self.table.average))
        is_small = len(self.plan.worth) <= BY_HAND
        walked: Any = tree.unrolled if is_small else self.walked
        value_actions(walked, self.plan, held, player, unstopped(walked))
        worth = float(held.policy[first:last] @ held.flow[first:last])
        sequence, chance = sequences_of(tree)
        nodes = np.flatnonzero(tree.unrolled.place.array == first)
        others = [sequence[each, nodes] for each in range(tree.players) if each != player]
        reach = float((chance[nodes] * np.prod([held.flow[each] for each in others], 0)).sum())
        return worth / reach if reach > 0 else None

    def strategy(self) -> Strategy:
        """What was learned so far."""
        keys, first, sums = self._learned()
        found, facts = self.judgement(), dict[str, Any]()
        if found is not None:
            facts = {"exploitability": found.exploitability, "value": found.values[0]}
            if self.game.players == 2 and self.game.zero_sum:
                facts |= dict(zip(("low", "high"), found.bounds, strict=True))
        facts = {
            "algorithm": self.method.name,
            "iterations": self.iteration,
            "seed": self.seed,
            **facts,
            "curve": [list(point) for point in self.curve],
        }
        return Strategy(self.game, keys, first, normalised(first, sums), facts, self._state())

    def _learned(self) -> tuple[Any, Any, Any]:
        """The keys of the information sets, their first slots, and the sums of probabilities."""
        if self.tree is not None:
            return self.tree.keys, self.tree.first, self.table.average
        table: Any = self.table
        count, used = int(table.head[COUNT]), int(table.head[USED])
        filled = np.flatnonzero(table.numbers)
        keys = np.zeros(count, np.uint64)
        keys[table.numbers[filled] - 1] = table.keys[filled]
        return keys, table.first[: count + 1].astype(np.int64), table.average[:used]

    # ---- going on from a file --------------------------------------------------------------------
    def _state(self) -> dict[str, Any]:
        used = int(self.table.head[USED])
        held = {name: getattr(self.table, name)[:used] for name in KEPT}
        return {**held, "random": self.rng.words}

    def resume(self, strategy: Strategy) -> None:
        """Go on from what a strategy has learned; an error if another method learned it."""
        if strategy.facts["algorithm"] != self.method.name or strategy.facts["seed"] != self.seed:
            raise SearchError(
                "the strategy was learned by {} with seed {}; accepted: the same algorithm and seed",
                strategy.facts["algorithm"], strategy.facts["seed"],
            )  # fmt: skip
        if self.tree is None:
            self._enter(strategy)
        for name in KEPT:
            getattr(self.table, name)[: len(strategy.state[name])] = strategy.state[name]
        self.rng.words[:] = strategy.state["random"]
        self.iteration = strategy.facts["iterations"]
        self.curve = [(int(n), float(x)) for n, x in strategy.facts["curve"]]

    def _enter(self, strategy: Strategy) -> None:
        """Enter the information sets of a strategy into an empty table."""
        table: Any = self.table
        mask = int(table.head[MASK])
        if len(strategy.keys) > table.head[ROOM] or strategy.first[-1] > table.head[SLOTS]:
            raise self._full(strategy.facts["iterations"])
        for number, key in enumerate(strategy.keys):
            place = int(spread(key) >> np.uint64(20)) & mask
            while table.numbers[place]:
                place = (place + 1) & mask
            table.keys[place], table.numbers[place] = key, number + 1
        table.first[: len(strategy.first)] = strategy.first
        table.head[USED], table.head[COUNT] = strategy.first[-1], len(strategy.keys)

    def _full(self, iterations: int) -> SearchError:
        return SearchError(
            "the table of {:,} MiB is full after {:,} iterations and needs {:,} MiB or more; "
            "accepted: a larger option memory", self.mebibytes, iterations, 2 * self.mebibytes,
        )  # fmt: skip
