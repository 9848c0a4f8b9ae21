"""Tuning: options go towards the side that wins, within their ranges, and a file continues a tuning."""

import pytest

import gambito
from gambito.errors import PlayerError
from gambito.players.tuning import TunedOption, Tuning, read_tuned_option

GAME = gambito.load("tic-tac-toe")
KNOBS = (TunedOption("aspiration", 10.0, 0, 20), TunedOption("etc", 4.0, 1, 9))


def test_a_range_is_read_or_taken_around_the_usual_value():
    assert read_tuned_option("aspiration=1..9", GAME) == TunedOption("aspiration", 2.0, 1, 9)
    assert read_tuned_option("aspiration", GAME) == TunedOption("aspiration", 2.0, 1, 4)
    assert read_tuned_option("aspiration", GAME, {"aspiration": "8"}) == TunedOption("aspiration", 8.0, 4, 16)


@pytest.mark.parametrize(
    "text",
    [
        "driver=1..2",
        "live=0..1",
        "late_move_pruning=5",
        "late_move_pruning=5..2",
        "late_move_pruning=-1..3",
        "late_move_pruning=1..²",
        "late_move_pruning=0..9999",
    ],
)
def test_what_is_no_range_is_refused_in_one_sentence(text):
    with pytest.raises(PlayerError, match="accepted"):
        read_tuned_option(text, GAME)


def test_options_go_towards_the_side_that_wins():
    """Pairs are won by the side with the higher aspiration and the lower etc; other moves cancel out."""
    tuning = Tuning(GAME, KNOBS, pairs=400)
    for number in range(400):
        up, down = tuning.signs(number)
        tuning.add({"number": number, "points": (2 + up - down) / 4})
    assert tuning.values["aspiration"] == 20 and tuning.values["etc"] == 1
    assert tuning.options() == {"aspiration": 20, "etc": 1}


def test_drawn_pairs_change_nothing_and_steps_become_smaller():
    tuning = Tuning(GAME, KNOBS, pairs=1000)
    tuning.add({"number": 3, "points": 0.5})
    assert tuning.values == {"aspiration": 10.0, "etc": 4.0}
    assert tuning.shift(KNOBS[0], 0) > tuning.shift(KNOBS[0], 999) == pytest.approx(2.0)
    assert tuning.rate(0) > tuning.rate(500) > tuning.rate(999)


@pytest.mark.thorough
def test_a_tuning_goes_on_where_its_file_ends(tmp_path):
    path = tmp_path / "tuning.jsonl"
    whole = Tuning("tic-tac-toe", KNOBS, pairs=2, nodes=20, path=path).run()
    assert whole.played == {0, 1}
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:2]))
    again = Tuning("tic-tac-toe", KNOBS, pairs=2, nodes=20, path=path).run()
    assert again.values == whole.values and path.read_text().splitlines(keepends=True) == lines
    with pytest.raises(PlayerError, match="belongs to another"):
        Tuning("tic-tac-toe", KNOBS, pairs=3, nodes=20, path=path).run()
