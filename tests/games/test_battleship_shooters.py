"""The shooters of Battleship: their mean shots on 10×10 beside the study's, and a placement learned."""

import time

import numpy as np
import pytest

import gambito
from gambito.errors import SearchError
from gambito.games.battleship.shooting import SHOOTERS, choose_shot, count_shots, train_berths
from tests.hidden.small import load

MEANS = {"random": 95.389, "hunt": 66.06, "parity": 61.14, "density": 44.84}
ERRORS = {"random": 0.0, "hunt": 0.06, "parity": 0.04, "density": 0.07}  # of these figures themselves


def is_near(shooter, games, seed):
    shots = count_shots(shooter=shooter, games=games, seed=seed)
    error = float(np.hypot(shots.std() / games**0.5, ERRORS[shooter]))
    return abs(shots.mean() - MEANS[shooter]) < 3 * error, (shots.mean(), error)


@pytest.mark.thorough
@pytest.mark.parametrize("shooter", MEANS)
def test_mean_shots(shooter):
    good, told = is_near(shooter, 3000, 1)
    assert good, told


@pytest.mark.slow
@pytest.mark.parametrize("shooter", MEANS)
def test_mean_shots_of_many_games(shooter):
    good, told = is_near(shooter, 40_000, 2)
    assert good, told


@pytest.mark.slow
def test_nine_thousand_density_games_a_second():
    count_shots(games=10)
    rates = []
    for seed in range(5):
        begin = time.process_time()
        count_shots(games=4000, seed=seed)
        rates.append(4000 / (time.process_time() - begin))
    assert max(rates) > 9000, rates


def test_small_boards_in_both_ways():
    """On 3×3 with one ship of two cells: the middle is the likeliest, and after a hit its neighbour."""
    game = load("battleship:width=3,height=3,fleet=2")
    start = game.parse("a1> / ? / - / -")
    likely = ("density", "worlds")
    assert {game.write(start, choose_shot(game, start, name, gear="python")) for name in likely} == {"b2"}
    for name in SHOOTERS[1:]:
        hit = game.parse("a1> / ? / b2+ / c3")
        shot = choose_shot(game, hit, name, gear="python")
        assert game.write(hit, shot) in ("a2", "b1", "c2", "b3")


def test_shots_are_chosen_from_what_is_seen():
    game = load("battleship:width=4,height=4,fleet=3-2")
    state = game.parse("a1> a3> / b1v d2v / b2+ a4 / c1+ d4")
    seen = game.observe(state, 0)
    for name in SHOOTERS:
        shots = [choose_shot(game, one, name, worlds=20, gear="python") for one in (state, seen)]
        assert shots[0] == shots[1]


@pytest.mark.slow
def test_worlds_need_fewer_shots_than_density():
    worlds, density = count_shots(shooter="worlds", games=4000), count_shots(games=40_000)
    assert worlds.mean() < density.mean(), (worlds.mean(), density.mean())


@pytest.mark.slow
def test_a_placement_is_learned():
    berths = train_berths(games=20_000)
    usual, learned = (count_shots(games=5000, seed=3, berths=one) for one in (None, berths))
    error = float(np.hypot(usual.std(), learned.std())) / 5000**0.5
    assert learned.mean() > usual.mean() + 5 * error, (usual.mean(), learned.mean(), error)


@pytest.mark.parametrize("shooter", ["cannon", ""])
def test_unknown_shooters(shooter):
    with pytest.raises(SearchError, match="accepted: random, hunt"):
        count_shots(shooter=shooter, games=1)


def test_nobody_shoots_while_ships_are_placed():
    with pytest.raises(SearchError, match="nobody shoots"):
        choose_shot("battleship", gambito.load("battleship").initial())
