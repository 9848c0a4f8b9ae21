"""The rules beside OpenSpiel's: the same legal actions and the same outcome at every step of random games."""

import random

import numpy as np
import pytest

import gambito
from gambito.game.gears import gears
from gambito.native import int64, native

pyspiel = pytest.importorskip("pyspiel")


@native
def replay(game, state, actions, legal, ends):
    """Write the legal actions before every ply, and where they end; returns who has how much in the end."""
    place = int64(0)
    for ply in range(len(actions) + 1):
        if not game.is_terminal(state):
            for action in game.actions(state):
                legal[place] = action
                place += 1
        ends[ply] = place
        if ply < len(actions):
            state = game.result(state, actions[ply])
    over = game.is_terminal(state)
    return over, game.utility(state, 0) if over else 0


def numbers(game, other):
    """For each of OpenSpiel's actions ours."""
    name, size = other.get_type().short_name, game.size
    cells = [(x, y) for y in range(size) for x in range(size)]
    if name == "go":
        ours = {(size - 1 - y) * size + x: y * game.stride + x for x, y in cells}
        return ours | {size * size: game.pass_action}
    return {y * size + x: y * game.stride + x for x, y in cells}


def breakthrough_numbers(game, other):
    """By name, `a7b6*`: taking is an action of its own there, and the first player sits on top."""
    found, state = {}, other.new_initial_state()
    for action in range(other.num_distinct_actions()):
        word = state.action_to_string(action).replace("*", "")
        files, ranks = ["abcdefgh".find(c) for c in word[::2]], [8 - int(c) for c in word[1::2]]
        found[action] = 3 * (8 * ranks[0] + files[0]) + files[1] - files[0] + 1
    return found


def compare(game, other, games, translate, seed=1):
    rng = random.Random(seed)
    inner, start = gears(game).in_gear("native"), gears(game).cast(game.initial())
    legal, ends = np.zeros(1 << 17, np.int64), np.zeros(2000, np.int64)
    plies = 0
    for _ in range(games):
        state, actions, listed = other.new_initial_state(), [], []
        while not state.is_terminal():
            moves = state.legal_actions()
            listed.append(moves)
            actions.append(rng.choice(moves))
            state.apply_action(actions[-1])
        ours = np.array([translate[a] for a in actions], np.int64)
        over, value = replay(inner, start, ours, legal, ends)
        begin = 0
        for ply, moves in enumerate(listed):
            found = sorted(legal[begin : ends[ply]].tolist())
            assert found == sorted(translate[a] for a in moves), (actions[:ply], found, moves)
            begin = ends[ply]
        plies += len(actions)
        returns = state.returns()
        if over or returns[0]:
            assert over and np.sign(value) == np.sign(returns[0]), actions
    return plies


def go(size):
    game = gambito.load(f"go:size={size}")
    longest = f"max_game_length={game.longest}"
    return game, pyspiel.load_game(f"go(board_size={size},komi=7.5,{longest})")


def hexes(size):
    return gambito.load(f"hex:size={size}"), pyspiel.load_game(f"hex(board_size={size})")


def lines(size, line):
    game = gambito.load(f"gomoku:size={size},line={line}")
    return game, pyspiel.load_game(f"mnk(m={size},n={size},k={line})")


def pawns():
    return gambito.load("breakthrough"), pyspiel.load_game("breakthrough")


def translation(game, other):
    return (breakthrough_numbers if game.name == "breakthrough" else numbers)(game, other)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "pair", [lambda: go(9), lambda: go(5), lambda: hexes(11), lambda: lines(9, 5), pawns]
)
def test_legal_actions_and_outcomes(pair):
    game, other = pair()
    assert compare(game, other, 60, translation(game, other)) > 60


@pytest.mark.slow
@pytest.mark.parametrize("pair", [lambda: go(9), lambda: hexes(11), pawns])
def test_ten_thousand_games(pair):
    game, other = pair()
    assert compare(game, other, 10_000, translation(game, other), seed=2) > 100_000
