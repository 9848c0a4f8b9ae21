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
    ("options", "value", "word"), [({}, 3, "q"), ({"urgent": True}, 7, "t+"), ({"forced": True}, 8, "f")]
)
def test_an_extension_follows_what_leaves_no_choice(options, value, word):
    answer = found("threats", 2, **options)
    assert (answer.value, answer.action) == (value, word)
    assert found("threats", 3).value == 8


def test_a_null_move_is_wrong_in_zugzwang_and_verification_is_not():
    assert found("passes", 4).value == 6
    assert found("passes", 4, null_move=2, verify=False).value == 3
    assert found("passes", 4, null_move=2, verify=True).value == 6


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
