"""TD(lambda): a network learns from the games that it plays against itself."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numba import float32

from gambito.game.contract import CHANCE, NO_ACTION
from gambito.learn.learner import OUTPUTS, descend, forward
from gambito.native import Handle, int64, native
from gambito.native.scratch import scratch

MOST_PLIES = 2000
ONE = np.float32(1)


class Game(Handle):
    """One game: the inputs of its positions, side by side, who is to move in each, and its stage."""

    arrays: ClassVar[dict[str, type]] = {
        "pairs": np.int64,
        "ends": np.int64,
        "movers": np.int64,
        "stages": np.int64,
        "targets": np.float32,
    }


@native
def mover_of(game, state):
    """The player to move; where chance decides first, the one who moves then."""
    player = game.player(state)
    if game.chance and player == CHANCE:
        for outcome in game.actions(state):
            return game.player(game.result(state, outcome))
    return player


@native
def value_of(game, learner, state, player):
    """What the network thinks of a state that is not terminal, for that player."""
    end = game.inputs(state, learner.buffer, int64(0))
    forward(learner, game.stage(state), learner.buffer, int64(0), end)
    value = learner.value()
    return value if mover_of(game, state) == player else -value


@native
def best_action(game, learner, state, player):
    best, best_value = int64(NO_ACTION), float32(-1e9)
    for action in game.actions(state):
        child = game.result(state, action)
        if game.is_terminal(child):
            value = float32(game.utility(child, player))
        else:
            value = value_of(game, learner, child, player)
        if value > best_value:
            best, best_value = action, value
    return best


@native
def play_games(game, start, learner, record, rng, games, rate, trace, explore):
    """Play so many games, and learn from each when it is over."""
    outputs = learner.sizes[2]
    total, seen = 0.0, 0
    for _ in range(games):
        # 1. Play, and keep what the network saw.
        state, count, place = start, 0, int64(0)
        is_first = True
        while not game.is_terminal(state) and count < MOST_PLIES - 1:
            if not (is_first and game.chance):
                place = game.inputs(state, record.pairs, place)
                record.ends[count + 1] = place
                record.movers[count] = mover_of(game, state)
                record.stages[count] = game.stage(state)
                count += 1
            is_first = False
            while game.chance and game.player(state) == CHANCE:
                state = game.result(state, game.random_outcome(state, rng))
            if explore > 0.0 and rng.fraction() < explore:
                action = game.random_action(state, rng)
            else:
                action = best_action(game, learner, state, game.player(state))
            state = game.result(state, action)

        # 2. From the last position back.
        viewer = record.movers[count - 1]
        score = float32(game.utility(state, viewer))
        goal = record.targets
        for number in range(outputs):
            goal[number] = ONE if score >= learner.scores[number + 1] else float32(0)
        number = count - 1
        while number >= 0:
            begin, end, stage = record.ends[number], record.ends[number + 1], record.stages[number]
            forward(learner, stage, record.pairs, begin, end)
            total += descend(learner, stage, record.pairs, begin, end, goal, 0, rate)
            seen += 1
            if number > 0:
                for k in range(outputs):
                    goal[k] = trace * goal[k] + (ONE - trace) * learner.outs[k]
                if record.movers[number - 1] != record.movers[number]:
                    for k in range((outputs + 1) // 2):
                        low, high = goal[k], goal[outputs - 1 - k]
                        goal[k], goal[outputs - 1 - k] = ONE - high, ONE - low
            number -= 1
    return total / max(seen, 1), seen


@native
def contest(game, start, learner, rng, games):
    """The points a game of the network's first choices against those of the game's own evaluation."""
    total = 0.0
    for number in range(games):
        state, ours = start, number & 1
        while not game.is_terminal(state):
            player = game.player(state)
            if game.chance and player == CHANCE:
                state = game.result(state, game.random_outcome(state, rng))
            elif player == ours:
                state = game.result(state, best_action(game, learner, state, player))
            else:
                best, best_value = int64(NO_ACTION), float(-game.infinity)
                for action in game.actions(state):
                    child = game.result(state, action)
                    if game.is_terminal(child):
                        value = float(game.utility(child, player))
                    else:
                        value = float(game.evaluate(child, player))
                    if value > best_value:
                        best, best_value = action, value
                state = game.result(state, best)
        total += game.utility(state, ours)
    return total / games
