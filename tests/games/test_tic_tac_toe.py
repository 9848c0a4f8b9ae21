"""Tic-tac-toe with a static value: the lines that are still open, as Nilsson counts them."""

import pytest

import gambito
from gambito.errors import GambitoError

LINES = gambito.load("tic-tac-toe:evaluation=lines")


@pytest.mark.parametrize(("position", "value"), [("5", 4), ("1", 3), ("2", 2), ("51", 1), ("52", 2)])
def test_open_lines(position, value):
    """For X: a stone in the middle leaves O four of eight lines, one in a corner five, one on an edge six."""
    assert LINES.evaluate(LINES.parse(position), 0) == value
    assert LINES.evaluate(LINES.parse(position), 1) == -value


def test_two_plies_of_nilssons_search_begin_in_the_middle():
    values = {
        square: -gambito.search(LINES, square, "minimax", depth=1, gear="python").value for square in "125"
    }
    assert values == {"1": -1, "2": -2, "5": 1}
    assert gambito.search(LINES, depth=2, algorithm="alpha-beta", gear="python").words()[0] == "5"


def test_a_win_is_worth_more_than_any_lines():
    won = LINES.parse("14253")
    assert LINES.utility(won, 0) == LINES.evaluate(won, 0) == 10
    assert gambito.search(LINES, algorithm="alpha-beta", depth=9).value == 0
    plain = gambito.load("tic-tac-toe")
    assert plain.utility(plain.parse("14253"), 0) == 1 and plain.evaluate(plain.parse("5"), 0) == 0


def test_another_evaluation_is_refused():
    with pytest.raises(GambitoError, match="no learned evaluation"):
        gambito.load("tic-tac-toe:evaluation=learned")
