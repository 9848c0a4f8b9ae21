"""Terms: both weights in one word, how often each counts, and the first evaluations by name."""

import numpy as np
import pytest

import gambito
from gambito.evaluate.historical import as_quotient, shannon_sum, turing_quotient
from gambito.evaluate.linear import Linear
from gambito.evaluate.terms import Term, Terms, unpacked
from gambito.game.gears import gears
from gambito.games.chess.knowledge import scale_of
from gambito.native import native
from tests.games.test_chess import random_boards

CHESS = gambito.load("chess:evaluation=learned")


@native
def list_inputs(game, state, buffer):
    return game.inputs(state, buffer, 0)


def test_two_weights_travel_in_one_word():
    form = Terms([Term("a", (3, -4), (-5, 0)), Term("b", (-(1 << 20),), (1 << 20,))], 24)
    assert unpacked(form.hand).tolist() == [3, -5, -4, 0, -(1 << 20), 1 << 20]
    assert form.read(form.hand) == list(form.terms)
    assert form.read(form.hand + form.hand)[0] == Term("a", (6, -8), (-10, 0))


def test_the_value_of_chess_is_the_sum_of_what_counts():
    """Read off the score, in compiled code; and afterwards the weights are what they were."""
    inner, form = gears(CHESS).in_gear("native"), CHESS.form
    before = CHESS.weights.array.copy()
    weights = unpacked(CHESS.weights.array)
    for board in random_boards(150, 5):
        if board.is_game_over():
            continue
        state = gears(CHESS).cast(CHESS.parse(board.fen()))
        buffer = np.zeros(1 << 14, np.int64)
        end = list_inputs(inner, state, buffer)
        total = float(weights[buffer[:end:2]] @ buffer[1:end:2]) / form.divisor
        if scale_of(state, state.own) == scale_of(state, state.opp):  # else it depends on who is ahead
            assert abs(total - CHESS.evaluate(state, CHESS.player(state))) <= 1.01
    assert (CHESS.weights.array == before).all()


def test_hand_set_weights_are_the_list():
    hand = gambito.load("chess:evaluation=hand")
    assert hand.form.read(hand.weights.array) == list(hand.form.terms)


@pytest.mark.parametrize(
    ("fen", "turing", "shannon"),
    [
        ("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", True, 900),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", False, 0),
        ("4k3/pp6/8/8/8/8/P1P5/4K3 w - - 0 1", False, -100 + 10),
    ],
)
def test_turing_and_shannon(fen, turing, shannon):
    for name in ("turing", "shannon"):
        game = gambito.load(f"chess:evaluation={name}")
        state = game.parse(fen)
        assert game.evaluate(state, 0) == -game.evaluate(state, 1)
    value = gambito.load("chess:evaluation=turing")
    assert (value.evaluate(value.parse(fen), 0) > 0) == turing
    sums = gambito.load("chess:evaluation=shannon")
    assert abs(sums.evaluate(sums.parse(fen), 0) - shannon) <= 250


def test_shannons_sum_by_hand():
    """Two isolated pawns against two beside each other: a pawn less; a move of mobility is a tenth."""
    game = gambito.load("chess:evaluation=shannon")
    state = game.parse("4k3/pp6/8/8/8/8/P1P5/4K3 w - - 0 1")
    mine = len(game.legal(state))
    theirs = len(game.legal(game.parse("4k3/pp6/8/8/8/8/P1P5/4K3 b - - 0 1")))
    assert game.evaluate(state, 0) == -100 + 10 * (mine - theirs)


def test_the_formulas():
    assert turing_quotient(40, 40) == turing_quotient(0, 0) == 0
    assert as_quotient(turing_quotient(30, 20)) == 1.5
    assert as_quotient(turing_quotient(20, 30)) == 0.667
    assert as_quotient(turing_quotient(40, 41)) == 0.976
    assert as_quotient(turing_quotient(0, 9)) == 0 and as_quotient(turing_quotient(9, 0)) == 10
    assert shannon_sum((100, 50, 10), 1, -1, 3) == 80


def test_turings_value_is_a_quotient_of_white_by_black():
    """For either player, and in both gears, positions are ordered as White's pieces over Black's."""
    game = gambito.load("chess:evaluation=turing")
    state = game.parse("4k3/pp6/8/8/8/8/P1P3R1/4K3 b - - 0 1")  # a rook and two pawns against two pawns
    assert [game.evaluate(state, player) for player in (0, 1)] == [2500, -2500]
    assert [game.worded(game.evaluate(state, player), player) for player in (0, 1)] == ["3.500", "3.500"]
    assert game.explain(state) == [
        ("White's pieces", 7.0, None),
        ("Black's pieces", 2.0, None),
        ("quotient", 3.5, None),
    ]


def test_linear_forms_name_their_weights():
    form = Linear(("men", "kings"), stages=2, unit=4)
    assert form.size == 4
    assert form.read([4, 6, 8, -2]) == [{"men": 1.0, "kings": 1.5}, {"men": 2.0, "kings": -0.5}]
    with pytest.raises(ValueError, match="from 1 to 128"):
        Linear(())
