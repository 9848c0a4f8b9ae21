"""Measure the quality of an evaluation without a search. Three measures fit any evaluation.

order        are terminal states that are better for a player valued higher than worse ones?
cost         how long does a call take, without the call of the rules?
calibration  of the positions with a predicted share of wins, what share is won?

The positions come from games in which both sides look one ply ahead, and sometimes play at random.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from gambito.errors import EvaluationError
from gambito.evaluate.compare import evaluations_of
from gambito.evaluate.files import HAND, USUAL
from gambito.game.contract import CHANCE, NO_ACTION, Game
from gambito.game.gears import gears
from gambito.native import Handle, int64, native
from gambito.native.random import new_random
from gambito.native.store import get, put, width
from gambito.words import say

GAMES, STRAY, LONGEST = 400, 100, 600  # games to play, random moves per thousand, plies
TIMES = 20  # evaluations of each position, to measure the cost
BINS = 10
PAIRS = 20_000  # of terminal states to compare


class Pages(Handle):
    """States, their values for player 0, the results of their games for player 0, and the player to move."""

    arrays: ClassVar[dict[str, type]] = {
        "kept": np.uint8,
        "worth": np.float64,
        "ended": np.float64,
        "mover": np.int64,
    }


@native
def play_ahead(game, rng, first, games, pages, room):
    """Play games with one ply of search; return the number of states written, terminal ones included."""
    count = int64(0)
    for _ in range(games):
        state, begin, ply = first, count, 0
        while ply < LONGEST and not game.is_terminal(state) and count < room - 1:
            player = game.player(state)
            if game.chance and player == CHANCE:
                state = game.result(state, game.random_outcome(state, rng))
                continue
            put(pages.kept, count, state)
            worth = float(game.evaluate(state, player))
            pages.worth[count] = worth if player == 0 else -worth
            pages.mover[count] = player
            count += 1
            action = game.random_action(state, rng)
            if rng.below(1000) >= STRAY:
                action = best_ahead(game, state, player, action)
            state = game.result(state, action)
            ply += 1
        if not game.is_terminal(state):
            count = begin
            continue
        put(pages.kept, count, state)
        pages.worth[count] = float(game.evaluate(state, 0))
        pages.mover[count] = -2
        count += 1
        for place in range(begin, count):
            pages.ended[place] = float(game.utility(state, 0))
    return count


@native
def best_ahead(game, state, player, fallback):
    """Return the action that leads to the state with the best value."""
    best, chosen = -float(game.infinity), fallback
    for action in game.actions(state):
        child = game.result(state, action)
        if game.is_terminal(child):
            worth = 2.0 * float(game.utility(child, player))
        else:
            worth = float(game.evaluate(child, player))
        if worth > best:
            best, chosen = worth, action
    return chosen


@native
def value_all(game, pages, count, times, like, asks):
    """Value all states `times` times, or only read the player to move. The sum keeps every call alive."""
    total = 0.0
    for _ in range(times):
        for place in range(count):
            state = get(pages.kept, place, like)
            if asks:
                total += float(game.evaluate(state, 0))
            else:
                total += float(game.player(state))
    return total


@dataclass
class Judgement:
    """The measures of an evaluation."""

    game: str
    positions: int
    terminal: int
    ordered: float | None  # the share of pairs of terminal states in the right order; None: all are equal
    nanoseconds: float
    error: float  # mean squared error of the predicted shares of a win
    guess: float  # the same error if the mean is always predicted
    bins: list[tuple[float, float, int]] = field(
        default_factory=list
    )  # predicted share, won share, positions

    def as_dict(self) -> dict[str, Any]:
        return {**vars(self), "bins": [list(one) for one in self.bins]}

    def draw(self) -> str:
        """Draw the calibration."""
        from gambito.draw.chart import Line, draw_chart  # not needed by most commands

        lines = [
            Line(say("as promised"), [(0.0, 0.0), (1.0, 1.0)], 0, dashed=True),
            Line("won", [(promised, won) for promised, won, _ in self.bins], 1),
        ]
        below = say("{:,} positions; squared error {:.4f}", self.positions, self.error)
        return draw_chart(
            say("{}: promised and won", self.game),
            below,
            say("promised"),
            say("share won"),
            lines,
            kind="plain",
        )


def judge(game: Game, games: int = GAMES, seed: int = 0) -> Judgement:
    """Measure the evaluation of a game; if the usual one is silent, the best that comes with Gambito."""
    if game.silent and game.parameters()["evaluation"] == USUAL:
        game = game.judged_by(next(name for name in reversed(evaluations_of(game)) if name != HAND))
    if type(game).evaluate is Game.evaluate:
        raise EvaluationError("{} has no evaluation", game.label())
    if games < 1:
        raise EvaluationError("games must be at least 1, not {}", games)
    both = gears(game)
    inner, first = both.in_gear("native"), both.cast(game.initial())
    assert both.state is not None
    room = games * min(LONGEST, game.longest or LONGEST) + 1
    numbers = {name: np.zeros(room) for name in ("worth", "ended")}
    pages = Pages(
        kept=np.zeros(room * width(both.state), np.uint8), mover=np.zeros(room, np.int64), **numbers
    )
    count = int(play_ahead(inner, new_random((seed, 1)), first, games, pages, room))
    is_over = pages.mover[:count] == NO_ACTION - 1
    worth, ended = pages.worth[:count], pages.ended[:count]
    if not is_over.any():
        raise EvaluationError("no game of {} came to its end within {} plies", game.label(), LONGEST)
    shares = np.array([game.expectation(value) for value in worth[~is_over]])
    won, ordered = 0.5 + 0.5 * np.sign(ended[~is_over]), _ordered(worth[is_over], ended[is_over], seed)
    return Judgement(
        game.label(),
        int((~is_over).sum()),
        int(is_over.sum()),
        ordered,
        _cost(inner, pages, count, first),
        float(np.mean((shares - won) ** 2)),
        float(np.var(won)),
        _bins(shares, won),
    )


def _ordered(worth: Any, ended: Any, seed: int) -> float | None:
    """Return the share of pairs with different utilities whose values have the same order."""
    rng = np.random.default_rng(seed)
    one, two = rng.integers(len(worth), size=(2, PAIRS))
    differs = ended[one] != ended[two]
    if not differs.any():
        return None
    agree = np.sign(worth[one] - worth[two]) == np.sign(ended[one] - ended[two])
    return float(agree[differs].mean())


def _cost(inner: Any, pages: Pages, count: int, like: Any) -> float:
    """Return the nanoseconds of one call."""
    value_all(inner, pages, count, 1, like, True)
    spent = []
    for asks in (False, True):
        best = math.inf
        for _ in range(3):
            began = time.perf_counter()
            value_all(inner, pages, count, TIMES, like, asks)
            best = min(best, time.perf_counter() - began)
        spent.append(best)
    return max(spent[1] - spent[0], 0.0) / (TIMES * count) * 1e9


def _bins(shares: Any, won: Any) -> list[tuple[float, float, int]]:
    """Group positions by prediction: the mean prediction, the mean result and the size of each group."""
    place = np.minimum((shares * BINS).astype(int), BINS - 1)
    found = []
    for number in range(BINS):
        chosen = place == number
        if chosen.any():
            found.append((float(shares[chosen].mean()), float(won[chosen].mean()), int(chosen.sum())))
    return found
