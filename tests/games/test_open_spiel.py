"""The rules beside OpenSpiel's: the same legal actions and the same outcome at every step of random games."""

import random

import numpy as np
import pytest

import gambito
from gambito.game.gears import gears
from gambito.native import int64, native

pyspiel = pytest.importorskip("pyspiel")
PASS = -1


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
    """For each of our actions OpenSpiel's, by name."""
    name = other.get_type().short_name
    if name == "go":
        size = game.size
        ours = {y * game.stride + x: (size - 1 - y) * size + x for y in range(size) for x in range(size)}
        return ours | {game.pass_action: size * size}
    stride = game.stride
    return {y * stride + x: y * game.size + x for y in range(game.size) for x in range(game.size)}


def compare(game, other, games, translate, seed=1):
    rng = random.Random(seed)
    inner, start = gears(game).shift("native"), gears(game).enter(game.initial())
    legal, ends = np.zeros(1 << 17, np.int64), np.zeros(2000, np.int64)
    plies = 0
    for _ in range(games):
        state, actions, listed = other.new_initial_state(), [], []
        while not state.is_terminal():
            moves = state.legal_actions()
            listed.append(moves)
            actions.append(rng.choice(moves))
            state.apply_action(actions[-1])
        yield_back = {theirs: ours for ours, theirs in translate.items()}
        ours = np.array([yield_back[a] for a in actions], np.int64)
        over, value = replay(inner, start, ours, legal, ends)
        begin = 0
        for ply, moves in enumerate(listed):
            found = sorted(translate[int(a)] for a in legal[begin : ends[ply]])
            assert found == sorted(moves), (actions[:ply], found, moves)
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


@pytest.mark.parametrize("pair", [lambda: go(9), lambda: go(5), lambda: hexes(11), lambda: lines(9, 5)])
def test_legal_actions_and_outcomes(pair):
    game, other = pair()
    assert compare(game, other, 60, numbers(game, other)) > 60


def breakthrough_numbers(game, other):
    """Squares are counted from the other end there: row 0 is the row of who moves second."""
    found = {}
    state = other.new_initial_state()
    del state
    return found


def test_breakthrough():
    compare_by_name(gambito.load("breakthrough"), pyspiel.load_game("breakthrough"), 40)


def compare_by_name(game, other, games, seed=1):
    """Breakthrough's actions are named alike: OpenSpiel's first player sits on top."""
    rng = random.Random(seed)
    for _ in range(games):
        theirs, ours = other.new_initial_state(), game.initial()
        while not theirs.is_terminal():
            assert not game.is_terminal(ours)
            named = {mirrored(theirs.action_to_string(a)): a for a in theirs.legal_actions()}
            mine = {game.write(ours, a).replace("x", ""): a for a in game.legal(ours)}
            assert set(named) == set(mine)
            word = rng.choice(sorted(named))
            theirs.apply_action(named[word])
            ours = game.result(ours, mine[word])
        assert game.is_terminal(ours) and game.utility(ours, 0) // 1000 == theirs.returns()[0]


def mirrored(text):
    """`a7b6*` as seen from the other side: `a2b3`."""
    word = text.replace("*", "")
    return "".join(c if c.isalpha() else str(9 - int(c)) for c in word)


@pytest.mark.slow
@pytest.mark.parametrize("pair", [lambda: go(9), lambda: hexes(11)])
def test_ten_thousand_games(pair):
    game, other = pair()
    compare(game, other, 10_000, numbers(game, other), seed=2)


@pytest.mark.slow
def test_ten_thousand_games_of_breakthrough():
    compare_by_name(gambito.load("breakthrough"), pyspiel.load_game("breakthrough"), 10_000, seed=2)
