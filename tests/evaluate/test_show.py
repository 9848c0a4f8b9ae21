"""The coefficients of evaluations, and what they contribute to a value."""

import random
from pathlib import Path

import pytest

import gambito
from gambito.errors import GambitoError
from gambito.evaluate.files import write_evaluation
from gambito.evaluate.show import show

SAMUEL = f"{Path(__file__).resolve().parents[2]}/docs/examples/samuel.py"


def positions(game, count, seed=1):
    rng, state, found = random.Random(seed), game.initial(), []
    while len(found) < count:
        found.append(state)
        state = game.result(state, rng.choice(game.legal(state)))
        if game.is_terminal(state):
            state = game.initial()
    return found


@pytest.mark.parametrize(
    ("spec", "names"),
    [
        ("checkers:evaluation=shannon", ["pieces", "advance", "double threats"]),
        ("draughts:evaluation=shannon", ["pieces", "advance", "double threats"]),
        ("chess:evaluation=shannon", ["pieces", "weak pawns", "moves"]),
        ("tic-tac-toe:evaluation=lines", ["open lines", "open lines of the opponent"]),
    ],
)
def test_the_value_is_the_sum_of_what_is_shown(spec, names):
    game = gambito.load(spec)
    for state in positions(game, 30):
        (shown,) = show(game, state, [])
        assert [one.name for one in shown.coefficients] == names
        total = sum(one.amount * one.weights[0] for one in shown.coefficients)
        assert abs(total - game.evaluate(state, game.player(state))) < 1


def test_a_double_threat_is_counted_once_for_each_piece_that_makes_it():
    """A black man on 10 could jump over 14 and over 15; white men beside it could take nothing twice."""
    game = gambito.load("checkers:evaluation=shannon")
    state = game.parse("B:B10:W14,15,32")
    (shown,) = show(game, state, [])
    assert [one.amount for one in shown.coefficients] == [-2, 2 - 4 - 4 - 0, 1]
    assert shown.value == -200 + 4 * -6 + 20


def test_terms_of_chess_are_named_and_have_two_weights():
    game = gambito.load("chess:evaluation=hand")
    state = game.parse("4k3/8/8/8/8/8/P7/4K3 w - - 0 1")
    (shown,) = show(game, state, [])
    assert shown.form == "terms" and all(len(one.weights) == 2 for one in shown.coefficients)
    assert any(one.amount for one in shown.coefficients)


def test_learned_coefficients_are_read_from_their_files(tmp_path):
    """The rounds of a training are files of weights; each is shown with the names of its features."""
    game = gambito.load(SAMUEL)
    paths = []
    for number, king in enumerate((6400, 8000)):
        game.weights.array[:] = [king, 64, 0, 0, 0, 0, -32, 0]
        paths.append(tmp_path / f"round-{number}.eval")
        write_evaluation(paths[-1], game, game.form.description, {"weights": game.weights.array}, {}, 0)
    found = show(gambito.load(SAMUEL), game.parse("B:BK10:W20"), [str(path) for path in paths])
    assert [one.coefficients[0].weights for one in found] == [(100.0,), (125.0,)]
    assert [one.coefficients[0].name for one in found] == ["king", "king"]
    assert found[0].coefficients[6].name == "mobility" and found[0].coefficients[6].weights == (-0.5,)
    assert [one.coefficients[0].amount for one in found] == [1, 1]


def test_tables_of_weights_are_told_by_their_size():
    (shown,) = show(gambito.load("othello"), gambito.load("othello").initial(), [])
    assert shown.form == "patterns" and not shown.coefficients and "weights" in shown.size


def test_what_has_no_evaluation():
    game = gambito.load("nim")
    with pytest.raises(GambitoError, match="nim has no evaluation"):
        show(game, game.initial(), [])
    game = gambito.load("tic-tac-toe")
    with pytest.raises(GambitoError, match="a player is to move"):
        show(game, game.parse("XXX/OO./..."), [])
