"""The small trees of the course: what the engine's techniques find in them, and what they miss."""

from pathlib import Path

import pytest

import gambito

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
PLAIN = {"aspiration": 0, "bounds": False, "table": "off", "order": False}


def found(name, depth, **options):
    game = gambito.load(f"{EXAMPLES}/{name}.py:{name.capitalize()}")
    return gambito.trace(game, None, algorithm="engine", depth=depth, **{**PLAIN, **options})


@pytest.mark.parametrize(
    ("options", "value", "word"),
    [({}, 3, "q"), ({"check_extension": True}, 7, "t+"), ({"one_reply_extension": True}, 8, "f")],
)
def test_an_extension_follows_what_leaves_no_choice(options, value, word):
    answer = found("threats", 2, **options)
    assert (answer.value, answer.action) == (value, word)
    assert found("threats", 3).value == 8


def test_a_null_move_is_wrong_in_zugzwang_and_verification_is_not():
    assert found("passes", 4).value == 6
    assert found("passes", 4, null_move=2, null_move_verification=False).value == 3
    assert found("passes", 4, null_move=2, null_move_verification=True).value == 6


def test_forward_pruning_with_too_small_a_margin_misses_the_best_move():
    whole = found("guesses", 3)
    assert whole.value == 5
    assert found("guesses", 3, futility=1).value == 4
    assert found("guesses", 3, futility=2).value == 5
    assert found("guesses", 3, probcut="one", certainty=1.0).value == 4
    few = found("guesses", 3, n_best=2)
    assert few.value == 5
    assert few.visited < whole.visited


def test_a_table_spares_positions_that_come_back():
    without = found("joined", 3)
    with_it = found("joined", 3, table="same-depth", etc=0)
    before = found("joined", 3, table="same-depth", etc=1)
    assert without.value == with_it.value == before.value == 6
    assert before.visited < with_it.visited < without.visited


def test_each_try_of_probcut_has_its_threshold():
    """The model's own t acts unless `certainty` says otherwise: one sigma cuts off here, two do not."""
    game = gambito.load(f"{EXAMPLES}/guesses.py:Guesses")
    for threshold, value in ((1.0, 4), (2.0, 5)):
        game.probcut_model = ((0, 2, 1, 1.0, 0.0, 1.0, threshold),)
        options = {**PLAIN, "probcut": "one"}
        assert gambito.trace(game, None, algorithm="engine", depth=3, **options).value == value
        other = gambito.trace(game, None, algorithm="engine", depth=3, **options, certainty=3 - threshold)
        assert other.value == 9 - value


def test_an_answer_moves_the_piece_that_is_threatened_or_takes_the_one_that_threatens():
    game = gambito.load("chess")
    state = game.parse("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 1")
    threat = game.read(game.pass_turn(state), "Qxf7#")
    answers = [game.write(state, a) for a in game.legal(state) if game.is_answer(state, a, threat)]
    assert answers == ["Nxh5"]
    threat = game.read(game.pass_turn(state), "Qxe5+")
    assert [game.write(state, a) for a in game.legal(state) if game.is_answer(state, a, threat)] == ["Nxh5"]


@pytest.mark.thorough
def test_threats_change_the_order_of_the_engine():
    position = "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 0 8"
    nodes = {
        threats: gambito.search("chess", position, "engine", depth=8, memory=1, threat_ordering=threats).nodes
        for threats in (False, True)
    }
    assert nodes[True] != nodes[False]
