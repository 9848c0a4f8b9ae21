"""Games as environments of PettingZoo and Gymnasium: their own tests pass, and the games are the same."""

import random
import warnings

import numpy as np
import pytest

import gambito
from gambito.adapters.numbering import Numbering, numbering_of
from gambito.adapters.vectors import vector_of
from gambito.game.puzzle import Puzzle
from gambito.game.registry import game_classes

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

from gambito.adapters import gymnasium as alone  # noqa: E402
from gambito.adapters import pettingzoo as together  # noqa: E402

QUICK = ("tic-tac-toe", "kuhn-poker", "connect-four", "pig", "hearts")
WITHOUT = {"tree", "world-tree"}  # their states are no fixed number of numbers
FITTING = [name for name in game_classes() if name not in WITHOUT]
TOGETHER = [name for name in FITTING if not issubclass(game_classes()[name], Puzzle)]


def passes_api_test(name, cycles):
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # about dictionaries with masks, which PettingZoo's own games have too
        api_test(together.env(name), num_cycles=cycles)


def passes_check(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(alone.env(name), skip_render_check=True)


@pytest.mark.parametrize("name", QUICK)
def test_api_test(name, capsys):
    passes_api_test(name, 30)


@pytest.mark.parametrize("name", (*QUICK, "pancakes"))
def test_check_env(name):
    passes_check(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", TOGETHER)
def test_api_test_of_every_game(name, capsys):
    passes_api_test(name, 100)


@pytest.mark.slow
@pytest.mark.parametrize("name", FITTING)
def test_check_env_of_every_game(name):
    passes_check(name)


def test_the_same_seed_gives_the_same_game():
    seed_test(lambda: together.env("pig"), num_cycles=10)


def test_a_game_in_turn():
    env = together.env("tic-tac-toe", render_mode="ansi")
    env.reset(seed=1)
    for action in (0, 3, 1, 4, 2):
        seen, reward, is_over, is_cut, _ = env.last()
        assert not is_over and not is_cut and reward == 0 and seen["action_mask"][action] == 1
        env.step(action)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0} and all(env.terminations.values())
    assert "X | X | X" in env.render()


def test_an_action_outside_the_mask_loses():
    env = together.env("tic-tac-toe")
    env.reset()
    env.step(4)
    env.step(4)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0} and env.infos["player_1"] == {"illegal": 4}
    one = alone.env("tic-tac-toe", opponent="greedy")
    one.reset(seed=2)
    one.step(4)
    _, reward, is_over, _, info = one.step(4)
    assert reward == -1.0 and is_over and info == {"illegal": 4}
    with pytest.raises(gambito.GameError, match="the game is over; call reset"):
        one.step(0)


def test_an_endless_game_is_cut():
    env = together.env("nine-mens-morris", most_plies=4)
    env.reset(seed=1)
    while env.agents and not any(env.truncations.values()):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    assert all(env.truncations.values()) and set(env.rewards.values()) == {0.0}


def test_the_second_seat_and_a_puzzle():
    env = alone.env("connect-four", seat=1, opponent="random")
    seen, _ = env.reset(seed=5)
    assert seen["observation"].sum() > 0  # the other one has moved
    puzzle = alone.env("sliding-tiles")
    seen, _ = puzzle.reset()
    _, reward, *_ = puzzle.step(int(np.flatnonzero(seen["action_mask"])[0]))
    assert reward == -1.0


def test_hidden_things_stay_hidden():
    """Two deals that look alike to a player give the same observation."""
    game = gambito.load("kuhn-poker")
    first, second = game.parse("JQ"), game.parse("JK")
    assert (vector_of(game).of(first, 0) == vector_of(game).of(second, 0)).all()
    assert not (vector_of(game).of(first, 1) == vector_of(game).of(second, 1)).all()


def test_numbers_of_actions():
    assert numbering_of(gambito.load("connect-four")).count == 7
    chess = gambito.load("chess")
    rng, state, numbering = random.Random(1), chess.initial(), numbering_of(chess)
    for _ in range(40):
        if chess.is_terminal(state):
            break
        legal = numbering.legal(state)
        assert list(legal.values()) == chess.legal(state) and max(legal) < numbering.count
        state = chess.result(state, rng.choice(list(legal.values())))
    few = Numbering(gambito.load("othello"))
    few.codes, few.count = 0, 2
    with pytest.raises(gambito.GameError, match="othello has more actions in a state than the 2 numbers"):
        few.legal(few.game.initial())


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: together.env("pancakes"), "pancakes is a puzzle; use gambito.adapters.gymnasium"),
        (lambda: alone.env("tree"), "the states of tree are not of a fixed count of numbers"),
        (lambda: alone.env("tic-tac-toe", seat=2), "tic-tac-toe has seats from 0 to 1, not 2"),
    ],
)
def test_what_is_wrong_is_told(make, told):
    with pytest.raises(gambito.GameError, match=told):
        make()
