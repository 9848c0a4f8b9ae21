"""Backgammon beside OpenSpiel's: the positions that a roll can lead to."""

from __future__ import annotations

import random

import numpy as np

from gambito import load
from gambito.game.gears import gears
from gambito.games.backgammon.board import pack
from gambito.games.backgammon.rules import State
from gambito.native import native

BAR = 100  # OpenSpiel's number of it
MOST = 4096  # plays of a roll


@native
def list_results(game, state, words):
    """Write the board after every play into `words`, four of them each; returns how many there are."""
    count = 0
    for action in game.actions(state):
        child = game.result(state, action)
        words[count, 0] = child.near
        words[count, 1] = child.far
        words[count, 2] = child.other_near
        words[count, 3] = child.other_far
        count += 1
    return count


def points(state, player: int) -> list[int]:
    """A player's 26 counts; OpenSpiel's player 1 walks down from 23, player 0 up from 0."""
    order = range(23, -1, -1) if player == 0 else range(24)
    found = [state.board(player, place) for place in order]
    found.append(state.board(player, BAR))
    return [*found, 15 - sum(found)]


def board(state) -> tuple[int, ...]:
    return (*pack(points(state, 0)), *pack(points(state, 1)))


def finals(state, player: int) -> set[tuple[int, ...]]:
    """The boards at the end of a turn; a double takes two actions."""
    found, waiting = set(), [state.child(action) for action in state.legal_actions()]
    while waiting:
        child = waiting.pop()
        if not child.is_terminal() and child.current_player() == player:
            waiting += [child.child(action) for action in child.legal_actions()]
        else:
            found.add(board(child))
    return found


def compare(count: int, seed: int) -> list[str]:
    """Random positions and rolls of random games: a sentence for each where the rules differ."""
    import pyspiel

    game, rng = load("backgammon"), random.Random(seed)
    inner, cast = gears(game).in_gear("native"), gears(game).cast
    words = np.zeros((MOST, 4), np.uint64)
    other = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    wrong: list[str] = []
    state, done, turn = other.new_initial_state(), 0, -1
    while done < count:
        if state.is_terminal():
            state, turn = other.new_initial_state(), -1
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(rng.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0])
            turn = -1
            continue
        player = state.current_player()
        if turn < 0:
            dice = sorted(d if d <= 6 else d - 6 for d in dice_of(state))
            here = cast(State(*board(state), player, dice[1], dice[0]))
            number = list_results(inner, here, words)
            ours = {tuple(int(w) for w in words[n]) for n in range(number)}
            theirs = finals(state, player)
            if ours != theirs:
                wrong.append(f"{game.text(here)}: {len(ours)} and {len(theirs)}")
            if len(ours) != number:
                wrong.append(f"{game.text(here)}: {number} plays to {len(ours)} boards")
            done += 1
        state.apply_action(rng.choice(state.legal_actions()))
        turn = player
    return wrong


def dice_of(state) -> list[int]:
    line = next(line for line in str(state).splitlines() if line.startswith("Dice:"))
    return [int(c) for c in line.split(":")[1].strip()]
