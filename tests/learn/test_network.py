"""Networks that learn by TD: two small games in seconds, the same file however it was made, and resumed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gambito
from gambito.errors import EvaluationError
from gambito.evaluate import USUAL, prepare
from gambito.evaluate.network import WHOLE, NetworkForm, network_value
from gambito.game.gears import gears
from gambito.games.nannon import CHECKERS, SPOTS, Nannon, safe
from gambito.games.tic_tac_toe import TicTacToe
from gambito.learn.network import AHEAD, NetworkRecipe, NetworkTraining, Phase, read_network_recipe
from gambito.learn.trainings import new_training
from gambito.native import int64

PLACES = SPOTS + 2 * (CHECKERS + 1)
FORM = NetworkForm(2 * PLACES, 2 * (CHECKERS + 2), 16, (-2.0, -1.0, 1.0, 2.0))
BOARD = NetworkForm(18, 9, 24, (-1.0, 0.0, 1.0))


class Learning(Nannon):
    """Nannon with a network."""

    form, shape, scores = FORM, FORM.shape, np.array(FORM.scores)

    def __init__(self, evaluation: str = USUAL) -> None:
        self.evaluation = evaluation
        prepare(self)

    def inputs(self, state, buffer, place):
        is_second = state.turn == 1
        for side in range(2):
            is_first = (side == 0) != is_second
            spots, home = (state.spots, state.home) if is_first else (state.other_spots, state.other_home)
            base = side * PLACES
            for spot in range(SPOTS):
                if spots >> spot & 1:
                    buffer[place] = base + spot
                    buffer[place + 1] = WHOLE
                    place += 2
            buffer[place] = base + SPOTS + home
            buffer[place + 2] = base + SPOTS + CHECKERS + 1 + safe(spots, home)
            buffer[place + 1] = buffer[place + 3] = WHOLE
            place += 4
        return place

    def evaluate(self, state, player):
        if self.is_learned:
            worth = network_value(self, state, -2.0, 2.0)
            return worth if player == self.mover(state) else -worth
        return super_evaluate(self, state, player)


def super_evaluate(game, state, player):
    """The hand-made one of Nannon."""
    lead = game.way(state.other_spots, state.other_home) - game.way(state.spots, state.home)
    worth = 0.11 * lead + (0.23 if state.turn == 0 else -0.23 if state.turn == 1 else 0.0)
    return worth if player == 0 else -worth


class Squares(TicTacToe):
    """Tic-tac-toe with a network; by hand nothing is known of a position."""

    value, lowest, highest = float, -1.0, 1.0
    form, shape, scores = BOARD, BOARD.shape, np.array(BOARD.scores)

    def __init__(self, evaluation: str = USUAL) -> None:
        self.evaluation = evaluation
        prepare(self)

    def inputs(self, state, buffer, place):
        for square in range(9):
            if (state.mine | state.theirs) >> square & 1:
                buffer[place] = int64(square if state.mine >> square & 1 else 9 + square)
                buffer[place + 1] = WHOLE
                place += 2
        return place

    def evaluate(self, state, player):
        worth = network_value(self, state, -1.0, 1.0) if self.is_learned else 0.0
        return worth if player == self.mover(state) else -worth


QUICK = NetworkRecipe((Phase(6, 20),), averaged=3)


def test_nannon_is_learned_in_seconds(tmp_path):
    """After a few thousand games the network beats the hand-made evaluation."""
    recipe = NetworkRecipe((Phase(40, 100), Phase(10, 20, AHEAD)), averaged=10, contest=4000)
    trained = NetworkTraining(Learning(), tmp_path / "work", recipe, seed=3).run(tmp_path / "it.eval")
    points = [share for _, share in trained["curve"]]
    assert points[-1] > 0.1
    assert trained["games"] == 2 * (40 * 100 + 10 * 20)
    assert (tmp_path / "work" / "curve.svg").read_text().startswith("<svg")


def test_a_game_without_dice(tmp_path):
    recipe = NetworkRecipe((Phase(60, 100, explore=0.1, rates=(0.1, 0.01)),), averaged=10, contest=200)
    trained = NetworkTraining(Squares(), tmp_path / "work", recipe, seed=1).run(tmp_path / "it.eval")
    assert trained["curve"][-1][1] >= 0.5
    learned = Squares(str(tmp_path / "it.eval"))
    corner, edge = (learned.evaluate(learned.parse(text), 0) for text in ("5 2", "5 1"))
    assert corner > edge, "an edge is the worse answer to the centre"


def test_streams_may_run_one_after_the_other(tmp_path):
    made = [train(tmp_path / f"{jobs}", QUICK, jobs) for jobs in (1, 2)]
    assert made[0] == made[1]


def train(folder, recipe: NetworkRecipe, jobs: int = 2, seed: int = 5, progress=None) -> bytes:
    NetworkTraining(Learning(), folder, recipe, seed, jobs).run(folder / "it.eval", progress)
    return (folder / "it.eval").read_bytes()


@pytest.mark.parametrize("last", [1, 4])
def test_a_training_that_was_stopped_goes_on(tmp_path, last):
    def stop(what, done, total, news):
        if done == last:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "stopped", QUICK, progress=stop)
    seen = []
    made = train(tmp_path / "stopped", QUICK, progress=lambda what, done, total, news: seen.append(done))
    assert seen == list(range(last + 1, 7))
    assert made == train(tmp_path / "whole", QUICK)


def test_another_training_is_refused(tmp_path):
    train(tmp_path, QUICK)
    with pytest.raises(EvaluationError, match="another training"):
        train(tmp_path, replace(QUICK, averaged=2))
    assert train(tmp_path / "other", QUICK, seed=6) != train(tmp_path, QUICK)


def test_a_recipe_needs_a_network():
    with pytest.raises(EvaluationError, match="no network"):
        read_network_recipe(Nannon())
    assert read_network_recipe(Learning(), rounds=7).phases[0].rounds == 7


def test_what_was_written_is_read(tmp_path):
    train(tmp_path, QUICK)
    game = Learning(str(tmp_path / "it.eval"))
    state = gears(game).enter(game.initial())
    assert -2.0 <= game.evaluate(state, 0) <= 2.0


@pytest.mark.slow
def test_the_recipe_of_backgammon(tmp_path):
    """Its phases one after the other, in the shortest of all trainings."""
    training = new_training("backgammon", tmp_path / "work", rounds=1, games=1)
    trained = training.run(tmp_path / "it.eval")
    assert trained["games"] == 2 * len(trained["phases"])
    game = gambito.load(f"backgammon:evaluation={tmp_path / 'it.eval'}")
    assert game.is_learned
    assert f"{trained['games']} games" in training.told(trained)
    with pytest.raises(EvaluationError, match="depth is not an option"):
        new_training("backgammon", tmp_path / "other", depth=3)
