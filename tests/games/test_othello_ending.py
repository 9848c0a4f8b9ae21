"""The last squares of Othello against a plain search, and solved positions."""

import random

import numpy as np
import pytest

import gambito
from gambito.game.gears import gears
from gambito.games.othello.ending import EMPTY_SQUARES
from gambito.native import native
from tests.support import rows

SIZES = (4, 6, 8)


@native
def plain(game, state, alpha, beta):
    """Alpha-beta over the rules alone."""
    if game.is_terminal(state):
        return game.utility(state, game.player(state))
    best = -1000
    for action in game.actions(state):
        best = max(best, -plain(game, game.result(state, action), -beta, -max(alpha, best)))
        if best >= beta:
            break
    return best


@native
def finished(game, state, alpha, beta):
    return game.solve_ending(state, alpha, beta)


def played_out(game, rng, empty):
    """A position of a random game with so many empty squares, or fewer where the game ended."""
    state = game.initial()
    while not game.is_terminal(state) and int(state.mine | state.theirs).bit_count() < game.cells - empty:
        state = game.result(state, rng.choice(game.legal(state)))
    return state


def strewn(game, rng, empty):
    """Discs anywhere, so many squares empty: passes and early ends are common."""
    taken = int(game.full)
    for square in rng.sample(range(game.cells), empty):
        taken &= ~(1 << square)
    mine = taken & (rng.getrandbits(64) | (rng.getrandbits(64) if rng.random() < 0.5 else 0))
    mover = rng.randint(0, 1)
    return game.initial()._replace(mine=np.uint64(mine), theirs=np.uint64(taken & ~mine), mover=mover)


@pytest.mark.thorough
@pytest.mark.parametrize("count", [240, pytest.param(1200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("size", SIZES)
def test_finish_is_what_a_plain_search_finds(size, count):
    game, rng = gambito.load(f"othello:size={size}"), random.Random(size)
    both = gears(game)
    inner = both.in_gear("native")
    for number in range(count):
        empty = rng.randint(0, EMPTY_SQUARES) if number < 11 * count // 12 else EMPTY_SQUARES + 2
        state = both.cast((played_out if number % 3 == 0 else strewn)(game, rng, empty))
        value = plain(inner, state, game.lowest, game.highest)
        assert finished(inner, state, game.lowest, game.highest)[0] == value, game.text(state)
        for _ in range(4):
            alpha = rng.randint(game.lowest, game.highest - 1)
            beta = alpha + 1 if rng.random() < 0.7 else rng.randint(alpha + 1, game.highest)
            found, visited = finished(inner, state, alpha, beta)
            assert visited > 0
            if found <= alpha:
                assert value <= found, (game.text(state), alpha, beta)
            elif found >= beta:
                assert value >= found, (game.text(state), alpha, beta)
            else:
                assert value == found, (game.text(state), alpha, beta)


@pytest.mark.parametrize("size", SIZES)
def test_finish_is_alike_in_both_gears(size):
    game, rng = gambito.load(f"othello:size={size}"), random.Random(size)
    both = gears(game)
    for empty in (0, 1, 2, 3, 4, 5, 5, 6, 7):
        state = both.cast(strewn(game, rng, empty))
        window = (0, 1) if empty > 4 else (game.lowest, game.highest)
        assert game.solve_ending(state, *window) == finished(both.in_gear("native"), state, *window)


def test_when_it_is_nearly_over():
    game, rng = gambito.load("othello"), random.Random(1)
    for empty in range(EMPTY_SQUARES + 3):
        state = strewn(game, rng, empty)
        assert game.is_nearly_over(state) == (empty <= EMPTY_SQUARES)
        assert game.plies_left(state) == 2 * empty
    assert not game.is_nearly_over(game.initial())


def assert_solved(row):
    found = gambito.solve("othello", f"{row['board']} {row['side']}")
    assert (found.value, found.exact) == (int(row["score"]), True), row
    assert found.words()[0].upper() in row["best_moves"].split(), row


@pytest.mark.thorough
@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.slow)])
def test_endings_of_real_games(every):
    endings = rows("othello/endgames_6_to_12_empties.csv")[::every]
    for row in endings:
        assert_solved(row)
    assert endings


@pytest.mark.parametrize("empty", ["8", pytest.param("10", marks=pytest.mark.slow)])
def test_endings_without_what_the_game_knows(empty):
    """Each of the parts that solve an ending can be left out, and the value stays."""
    parts = ("solve_ending", "presort", "bounds", "etc", "order")
    ending = next(row for row in rows("othello/endgames_6_to_12_empties.csv") if row["empties"] == empty)
    for part in parts:
        options = {"gear": "python", "memory": 1, part: False}
        found = gambito.solve("othello", f"{ending['board']} {ending['side']}", **options)
        assert (found.value, found.exact) == (int(ending["score"]), True), part


def positions(least, most):
    return [row for row in rows("othello/ffo_1_79.csv") if least <= int(row["empties"]) <= most]


def test_positions_of_the_forum():
    """The FFO positions that take no time: 14 to 19 empty squares."""
    easy = positions(14, 19)
    for row in easy:
        assert_solved(row)
    assert easy


@pytest.mark.slow
def test_harder_positions_of_the_forum():
    """20 to 24 empty squares."""
    hard = positions(20, 24)
    for row in hard:
        assert_solved(row)
    assert hard
