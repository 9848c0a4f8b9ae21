"""Networks that learn by TD: two small games in seconds, and the same file if it was resumed."""

from __future__ import annotations

from dataclasses import replace

import pytest

import gambito
from gambito.errors import EvaluationError
from gambito.game.gears import gears
from gambito.games.nannon import Nannon
from gambito.learn.network import AHEAD, NetworkRecipe, NetworkTraining, Phase, read_network_recipe
from gambito.learn.trainings import new_training
from tests.learn.networks import LEARNING, SQUARES, Learning, Squares

QUICK = NetworkRecipe((Phase(6, 20),), averaged=3)


def test_nannon_is_learned_in_seconds(tmp_path):
    """After a few thousand games the network beats the hand-made evaluation."""
    recipe = NetworkRecipe((Phase(40, 100), Phase(10, 20, AHEAD)), averaged=10, contest=4000)
    trained = NetworkTraining(LEARNING, tmp_path / "work", recipe, seed=3, jobs=1).run(tmp_path / "it.eval")
    points = [share for _, share in trained["curve"]]
    assert points[-1] > 0.1
    assert trained["games"] == 2 * (40 * 100 + 10 * 20)
    assert (tmp_path / "work" / "curve.svg").read_text().startswith("<svg")


def test_a_game_without_dice(tmp_path):
    recipe = NetworkRecipe((Phase(60, 100, explore=0.1, rates=(0.1, 0.01)),), averaged=10, contest=200)
    trained = NetworkTraining(SQUARES, tmp_path / "work", recipe, seed=1, jobs=1).run(tmp_path / "it.eval")
    assert trained["curve"][-1][1] >= 0.5
    learned = Squares(str(tmp_path / "it.eval"))
    corner, edge = (learned.evaluate(learned.parse(text), 0) for text in ("5 2", "5 1"))
    assert corner > edge, "an edge is the worse answer to the centre"


def train(folder, recipe: NetworkRecipe, jobs: int = 1, seed: int = 5, progress=None) -> bytes:
    NetworkTraining(LEARNING, folder, recipe, seed, jobs).run(folder / "it.eval", progress)
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
    state = gears(game).cast(game.initial())
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
