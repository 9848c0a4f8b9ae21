"""Solving a spot: counterfactual regret minimisation on its public tree, and what the strategy can lose.

Values are chips beside the half of the pot, so they add up to 0. Exploitability is what the players could win
on average by their best responses, told in per cent of the pot.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from gambito.errors import SearchError, quoted
from gambito.game_tools.poker.cards import HANDS, HIGH, LOW, SETS, set_of
from gambito.game_tools.poker.gear import gear
from gambito.game_tools.poker.spots.spot import Spot
from gambito.game_tools.poker.spots.tree import BYTES, CHANCE, NODE, Tree, build, measure
from gambito.game_tools.poker.spots.walk import FOLLOW, LEARN, RESPOND, Public, WalkMode, walk
from gambito.game_tools.poker.strength import strengths
from gambito.hidden.regrets import VARIANTS, factor

DEFAULT_METHOD = "dcfr"
JUDGING = 1.0  # the time of the best responses, in iterations
JUDGED = 1.4  # exploitability is computed each time that the iterations have grown by this factor


def memory_needed(spot: Spot) -> int:
    """The bytes that solving a spot needs, known before it starts."""
    size, hands = measure(spot), len(hands_of(spot))
    return size.actions * hands * BYTES + size.nodes * NODE + 3 * 8 * hands * (size.deepest + 3)


def hands_of(spot: Spot) -> Any:
    """The hands that a player may hold."""
    free = (SETS & set_of(spot.board)) == 0
    return np.flatnonzero(free & ((spot.first > 0) | (spot.second > 0)))


class SpotSolver:
    """A spot that is being solved. It goes on from where it was, as often as it is asked."""

    def __init__(
        self, spot: Spot, algorithm: str = DEFAULT_METHOD, how: str = "native", mebibytes: int = 4096
    ) -> None:
        if algorithm not in VARIANTS or VARIANTS[algorithm].foresight:
            known = ", ".join(name for name, each in VARIANTS.items() if not each.foresight)
            raise SearchError("{} does not solve spots; accepted: {}", algorithm, known)
        needed = memory_needed(spot)
        if needed > mebibytes << 20:
            raise SearchError(
                "the spot needs {:,} MiB of memory, more than {:,} MiB; accepted: fewer sizes of bets, "
                "narrower ranges, or a larger option memory", (needed >> 20) + 1, mebibytes,
            )  # fmt: skip
        self.spot, self.algorithm, self.gear = spot, algorithm, gear(how)
        self.hands = hands_of(spot)
        self.tree: Tree = build(spot, len(self.hands))
        self.weights = [weights[self.hands].astype(np.float64) for weights in spot.ranges]
        self.public = self._arrays()
        disjoint = (SETS[self.hands][:, None] & SETS[self.hands][None, :]) == 0
        self.pairs = float(self.weights[0] @ disjoint @ self.weights[1])  # the weight of all deals
        self.iteration = 0
        self.curve: list[tuple[int, float]] = []

    def _arrays(self) -> Public:
        tree, size = self.tree, len(self.hands)
        boards = len(tree.boards)
        order, level = (np.zeros((boards, size), np.int16) for _ in range(2))
        shared, found = np.zeros(boards, np.int16), np.zeros(HANDS, np.int64)
        for cards, number in tree.boards.items():
            strengths(self.gear, set_of(cards), found)
            held = found[self.hands]
            ordered = np.argsort(held, kind="stable")[(held < 0).sum() :]  # without hands that share a card
            shared[number] = len(ordered)
            order[number, : len(ordered)] = ordered
            level[number, : len(ordered)] = np.unique(held[ordered], return_inverse=True)[1]
        room = (tree.deepest + 2) * size
        return Public(
            shape=np.array([size]), kind=np.array(tree.kind, np.int8), first=np.array(tree.first, np.int32),
            count=np.array(tree.count, np.int16), stake=np.array(tree.stake), place=np.array(tree.place),
            card=np.array(tree.card, np.int8), full=np.array(tree.full, np.int32), low=LOW[self.hands],
            high=HIGH[self.hands], order=order.reshape(-1), level=level.reshape(-1), shared=shared,
            regret=np.zeros(tree.room, np.float32), average=np.zeros(tree.room, np.float32),
            reach=np.zeros(room), value=np.zeros(room), total=np.zeros(room), sums=np.zeros(52),
        )  # fmt: skip

    def walk(self, player: int, how: WalkMode) -> Any:
        """What each hand of a player is worth at the root, times the weights of the other's hands."""
        self.public.reach[: len(self.hands)] = self.weights[1 - player]
        walk(self.gear, self.public, how, player, 0, 0, 0)
        return self.public.value[: len(self.hands)]

    def iterate(self, count: int) -> None:
        """Learn for a number of iterations: one player after the other."""
        variant = VARIANTS[self.algorithm]
        for _ in range(count):
            self.iteration += 1
            number = self.iteration
            how = WalkMode(
                LEARN,
                factor(number, variant.alpha),
                factor(number, variant.beta),
                float(number) ** variant.gamma,
            )
            for player in range(2):
                self.walk(player, how)

    def value(self, player: int, mode: int = FOLLOW) -> float:
        """What the strategy is worth to a player, or its best response: chips beside the half of the pot."""
        return float(self.weights[player] @ self.walk(player, WalkMode(mode))) / self.pairs

    def exploitability(self) -> float:
        """What the players could gain on average, in per cent of the pot."""
        return 100 * (self.value(0, RESPOND) + self.value(1, RESPOND)) / 2 / self.spot.pot

    def solve(
        self, iterations: int, target: float = 0.0, seconds: float | None = None,
        hear: Callable[[int, float], None] = lambda iteration, exploitability: None,
    ) -> float:  # fmt: skip
        """Learn until one of the limits is reached; return the exploitability in per cent of the pot.

        No iteration begins that would not end in time, with the best responses that judge it; but one is
        always done.
        """
        if seconds is not None:  # what is compiled now takes no time from it
            self.walk(0, WalkMode(FOLLOW))
        end = math.inf if seconds is None else time.monotonic() + seconds
        due, found, took = 8, np.inf, 0.0
        while self.iteration < iterations and found > target:
            began = time.monotonic()
            if self.iteration and began + (1 + JUDGING) * took > end:
                break
            self.iterate(1)
            took = time.monotonic() - began
            if self.iteration >= due or self.iteration == iterations:
                found = self.exploitability()
                self.curve.append((self.iteration, found))
                hear(self.iteration, found)
                due = max(due + 4, int(due * JUDGED))
        if not self.curve or self.curve[-1][0] != self.iteration:
            found = self.exploitability()
            self.curve.append((self.iteration, found))
        return found

    def strategy(self, node: int) -> Any:
        """The probabilities of a decision: a row for each action, a column for each of `hands`."""
        begin, count = self.tree.place[node], self.tree.count[node]
        sums = (
            self.public.average[begin : begin + count * len(self.hands)].reshape(count, -1).astype(np.float64)
        )
        total = sums.sum(0)
        return np.divide(sums, total, out=np.full_like(sums, 1 / count), where=total > 0)

    def find(self, line: str) -> int:
        """The decision that a line of actions and cards leads to, as in `check, bet 50`."""
        node, names = 0, [" ".join(part.split()).lower() for part in line.split(",") if part.strip()]
        for name in names:
            known = {self.tree.names[child].lower(): child for child in self.tree.children(node)}
            if name not in known:
                raise SearchError(
                    "there is no {} there; accepted: {}", quoted(name), ", ".join(known) or "nothing"
                )
            node = known[name]
        if self.tree.kind[node] == CHANCE:
            raise SearchError("a card follows there; accepted: the line with a card, as in {}", f"{line}, 2h")
        if self.tree.kind[node] > CHANCE:
            raise SearchError("nobody decides any more after {}", quoted(line))
        return node

    def reach(self, node: int) -> Any:
        """The weights of the hands with which the player to act comes to a decision."""
        player = self.tree.kind[node]
        weights = self.weights[player].copy()
        while node:
            parent = self.tree.parents[node]
            if self.tree.kind[parent] == player:
                weights *= self.strategy(parent)[node - self.tree.first[parent]]
            elif self.tree.kind[parent] == CHANCE:
                card = self.tree.card[node]
                weights[(LOW[self.hands] == card) | (HIGH[self.hands] == card)] = 0
            node = parent
        return weights
