"""The file of an evaluation: what it says, and what is refused."""

import json
import random

import numpy as np
import pytest

import gambito
from gambito.errors import EvaluationError, GameError
from gambito.evaluate import arrays_of, read_evaluation, shipped, write_evaluation
from gambito.game.registry import game_classes
from tests.learn.small import SPEC, Lines

TRAINED = {"method": "fit"}


@pytest.fixture
def written(tmp_path):
    game = gambito.load(f"{SPEC}:evaluation=blank")
    game.form.install(game, np.random.default_rng(2).normal(0, 5, game.form.size))
    path = tmp_path / "lines.eval"
    write_evaluation(path, game, game.form.description, {"weights": game.weights.array}, TRAINED, 7)
    return path, game


def test_what_was_written_is_read(written):
    path, game = written
    found = read_evaluation(path, game, game.form.description)
    assert found.arrays["weights"].tolist() == game.weights.array.tolist()
    assert (found.game, found.seed, found.trained) == ("lines", 7, TRAINED)
    other = gambito.load(f"{SPEC}:evaluation={path}")
    state = other.parse("1 5")
    assert other.evaluate(state, 0) == game.evaluate(state, 0) != 0
    header = json.loads(path.read_bytes().partition(b"\n")[0])
    assert {"gambito", "game", "form", "digest", "seed", "trained"} <= set(header)


def test_the_same_weights_give_the_same_bytes(written, tmp_path):
    path, game = written
    again = tmp_path / "again.eval"
    write_evaluation(again, game, game.form.description, {"weights": game.weights.array}, TRAINED, 7)
    assert again.read_bytes() == path.read_bytes()


def test_another_game_is_refused(written):
    path, _ = written
    for name in ("othello", "chess", "connect-four"):
        with pytest.raises(GameError, match="is for lines, not for"):
            gambito.load(f"{name}:evaluation={path}")


def test_other_features_are_refused(written, monkeypatch):
    path, _ = written
    monkeypatch.setattr(Lines, "evaluate", lambda self, state, player: 1)
    with pytest.raises(EvaluationError, match="made for other rules or features"):
        Lines(str(path))


def test_shared_weights_are_written_once(written, tmp_path):
    path, game = written
    folded = arrays_of(game)["folded"]
    assert len(folded) < game.form.size and game.form.unfold(folded).tolist() == game.weights.array.tolist()
    write_evaluation(path, game, game.form.description, {"folded": folded}, TRAINED, 7)
    assert gambito.load(f"{SPEC}:evaluation={path}").weights.array.tolist() == game.weights.array.tolist()
    write_evaluation(path, game, game.form.description, {"folded": folded[1:]}, TRAINED, 7)
    with pytest.raises(GameError, match="damaged: its weights are not for patterns"):
        gambito.load(f"{SPEC}:evaluation={path}")
    game.weights.array[1] += 1
    assert list(arrays_of(game)) == ["weights"], "these share nothing"


def test_another_form_is_refused(written):
    path, game = written
    with pytest.raises(EvaluationError, match="made for other features: patterns of 2 sets"):
        read_evaluation(path, game, "patterns of another kind")


def test_damage_is_found(written, tmp_path):
    """No mutated file is accepted, unless only blanks were changed."""
    path, game = written
    whole, rng = path.read_bytes(), random.Random(1)
    for number in range(400):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            way, place = rng.randrange(3), rng.randrange(len(data))
            if way == 0:
                data[place] ^= 1 << rng.randrange(8)
            elif way == 1:
                del data[place : place + rng.randint(1, 40)]
            else:
                data[place:place] = rng.randbytes(rng.randint(1, 20))
        broken = tmp_path / f"broken-{number % 2}.eval"
        broken.write_bytes(bytes(data))
        try:
            found = read_evaluation(broken, game, game.form.description)
        except EvaluationError:
            continue
        assert found.arrays["weights"].tolist() == game.weights.array.tolist()


def test_files_that_are_not_there_are_told(tmp_path):
    with pytest.raises(GameError, match="cannot be read: No such file"):
        gambito.load(f"othello:evaluation={tmp_path / 'none'}")
    with pytest.raises(GameError, match="has no learned evaluation"):
        gambito.load("othello:size=6,evaluation=learned")


def test_what_is_shipped_is_for_its_game():
    """Every file in the package is read, proved, and values the first position."""
    seen = 0
    for name, kind in game_classes().items():
        for is_network in (False, True):
            if not name.startswith("lines") and shipped(kind(), is_network).exists():
                game = kind(evaluation="network" if is_network else "learned")
                assert len(game.weights.array) == game.form.size
                seen += 1
    assert seen == len(list(shipped(Lines()).parent.glob("*.eval")))
