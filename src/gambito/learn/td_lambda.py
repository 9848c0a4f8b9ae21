"""TD(lambda): a network learns from self-play, in compiled code.

There are two ways to learn from a game, for any game with the hook `inputs`, with or without dice.
`play_games` plays a game to its end and moves the value of each position towards a mixture of the next
position's value (`trace` 0) and of the result (`trace` 1). `look_ahead` moves the value towards the mean,
over all rolls, of the best move according to the network. This costs more, and avoids the luck of the dice.

Sutton, Learning to predict by the methods of temporal differences (1988); Tesauro, TD-Gammon (1994).
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy import float32

from gambito.game.contract import CHANCE, NO_ACTION
from gambito.learn.trainable_network import OUTPUTS, descend, forward
from gambito.native import Handle, int64, native
from gambito.native.scratch import scratch

MAX_POSITIONS = 2000  # positions of a game
ONE, ZERO = np.float32(1), np.float32(0)


class RecordedGame(Handle):
    """One game: the inputs of its positions, and the player to move and the stage of each."""

    arrays: ClassVar[dict[str, type]] = {
        "pairs": np.int64,
        "ends": np.int64,
        "movers": np.int64,
        "stages": np.int64,
    }


def new_recorded_game(most: int) -> RecordedGame:
    """Return a diary for a game with at most `most` inputs in a position."""
    held: dict[str, Any] = {name: np.zeros(MAX_POSITIONS + 1, np.int64) for name in RecordedGame.arrays}
    held["pairs"] = np.zeros(2 * most * MAX_POSITIONS, np.int64)
    return RecordedGame(**held)


def turn(outs, outputs):
    """Return outputs from the other player's point of view."""
    for low in range((outputs + 1) // 2):
        high = outputs - 1 - low
        outs[low], outs[high] = ONE - outs[high], ONE - outs[low]


@native
def view(game, learner, state, player, outs):
    """Return the value of a state for a player, and write the outputs, or the result, to `outs`."""
    outputs = learner.outputs
    if game.is_terminal(state):
        score = float32(game.utility(state, player))
        for number in range(outputs):
            outs[number] = ONE if score >= learner.scores[number + 1] else ZERO
    else:
        end = game.inputs(state, learner.buffer, int64(0))
        forward(learner, game.stage(state), learner.buffer, int64(0), end)
        for number in range(outputs):
            outs[number] = learner.outs[number]
        if game.mover(state) != player:
            turn(outs, outputs)
    return learner.value(outs)


@native
def choose(game, learner, state, outs):
    """Return the best action according to the network, and write its outputs for the player to `outs`."""
    player, tried = game.player(state), scratch(OUTPUTS, float32)
    best, best_value = int64(NO_ACTION), ZERO
    for action in game.actions(state):
        value = view(game, learner, game.result(state, action), player, tried)
        if best == NO_ACTION or value > best_value:
            best, best_value = action, value
            for number in range(OUTPUTS):
                outs[number] = tried[number]
    return best


@native
def play_games(game, start, learner, diary, rng, games, rate, trace, explore):
    """Play games and learn from each at its end; return the squared errors and the number of positions."""
    outputs, outs = learner.outputs, scratch(OUTPUTS, float32)
    total, seen = 0.0, int64(0)
    for _ in range(games):
        # 1. Play, and keep the inputs, except for the first position, where chance may choose the player.
        state, count, place, is_first = start, int64(0), int64(0), game.chance
        while not game.is_terminal(state) and count < MAX_POSITIONS:
            if not is_first:
                place = game.inputs(state, diary.pairs, place)
                diary.ends[count + 1] = place
                diary.movers[count] = game.mover(state)
                diary.stages[count] = game.stage(state)
                count += 1
            is_first = False
            while game.chance and game.player(state) == CHANCE:
                state = game.result(state, game.random_outcome(state, rng))
            if explore > 0.0 and rng.fraction() < explore:
                state = game.result(state, game.random_action(state, rng))
            else:
                state = game.result(state, choose(game, learner, state, outs))

        # 2. Learn, from the last position back.
        number = count - 1
        view(game, learner, state, diary.movers[max(number, 0)], outs)
        while number >= 0:
            begin, end, stage = diary.ends[number], diary.ends[number + 1], diary.stages[number]
            forward(learner, stage, diary.pairs, begin, end)
            total += descend(learner, stage, diary.pairs, begin, end, outs, rate)
            seen += 1
            if number > 0:
                for k in range(outputs):
                    outs[k] = trace * outs[k] + (ONE - trace) * learner.outs[k]
                if diary.movers[number - 1] != diary.movers[number]:
                    turn(outs, outputs)
            number -= 1
    return total, seen


@native
def look_ahead(game, start, learner, diary, rng, games, rate, explore):
    """Like `play_games`, but learn at every position from all outcomes of chance and the best replies."""
    outputs, outs, goal = learner.outputs, scratch(OUTPUTS, float32), scratch(OUTPUTS, float32)
    total, seen = 0.0, int64(0)
    for _ in range(games):
        state, count, is_first = start, int64(0), game.chance
        while not game.is_terminal(state) and count < MAX_POSITIONS:
            # 1. Compute the expected outputs and choose the move.
            is_stray, following = explore > 0.0 and rng.fraction() < explore, state
            if game.chance and game.player(state) == CHANCE:
                rolled = game.random_outcome(state, rng)
                for k in range(outputs):
                    goal[k] = ZERO
                for outcome, chance in game.chances(state):
                    child = game.result(state, outcome)
                    action = choose(game, learner, child, outs)
                    for k in range(outputs):
                        goal[k] += float32(chance) * outs[k]
                    if outcome == rolled:
                        action = game.random_action(child, rng) if is_stray else action
                        following = game.result(child, action)
            else:
                action = choose(game, learner, state, goal)
                following = game.result(state, game.random_action(state, rng) if is_stray else action)

            # 2. Learn, except from the first position, where chance may choose the player.
            if not is_first:
                end, stage = game.inputs(state, diary.pairs, int64(0)), game.stage(state)
                forward(learner, stage, diary.pairs, int64(0), end)
                total += descend(learner, stage, diary.pairs, int64(0), end, goal, rate)
                seen += 1
            state, count, is_first = following, count + 1, False
    return total, seen


@native
def contest(game, start, learner, rng, games):
    """Return the points per game of the network against the game's own evaluation."""
    outs, total = scratch(OUTPUTS, float32), 0.0
    for number in range(games):
        state, ours = start, number & 1
        while not game.is_terminal(state):
            player = game.player(state)
            if game.chance and player == CHANCE:
                state = game.result(state, game.random_outcome(state, rng))
            elif player == ours:
                state = game.result(state, choose(game, learner, state, outs))
            else:
                best, best_value = int64(NO_ACTION), 0.0
                for action in game.actions(state):
                    child = game.result(state, action)
                    if game.is_terminal(child):
                        value = float(game.utility(child, player))
                    else:
                        value = float(game.evaluate(child, player))
                    if best == NO_ACTION or value > best_value:
                        best, best_value = action, value
                state = game.result(state, best)
        total += game.utility(state, ours)
    return total / games
