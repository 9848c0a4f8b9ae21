"""Values in words: the digits that mean something, and what an interval is."""

from dataclasses import replace

import gambito
from gambito.search.summary import facts, signed, value


def test_values_have_the_digits_that_mean_something():
    assert [signed(v) for v in (-8.674e-19, -0.0, 0, 3, -0.25, 1 / 3, None)] == [
        "0", "0", "0", "+3", "-0.25", "+0.3333", "unknown",
    ]  # fmt: skip


def test_an_interval_is_named():
    found = gambito.search("tic-tac-toe", None, "mcts", nodes=50, gear="python")
    assert found.confidence == 0.95 and found.low < found.value < found.high
    assert "with 95 % confidence between" in value(found)
    found = replace(found, value=-1.2345, low=-7.81, high=5.2)
    assert value(found) == "-1, with 95 % confidence between -8 and +5"
    found = replace(found, value=-0.004, low=-0.31, high=0.3)
    assert value(found) == "0, with 95 % confidence between -0.31 and +0.30"
    assert found.as_dict()["confidence"] == 0.95


def test_proven_bounds_are_not_an_interval_of_confidence():
    found = gambito.search("tree", None, "df-pn", memory=1)
    assert found.confidence is None and value(found) == "between +1 and +14, proven"


def test_zero_has_no_sign():
    found = gambito.search("tree", "[0.0, [0.0, 1.5]]", "alpha-beta")
    assert str(found.value) == "0.0" and str(found.as_dict()["low"]) == "0.0"


def test_a_value_says_whose_it_is():
    told = [
        dict(facts(gambito.search("tree", text, "expectiminimax")))["value"]
        for text in ('{"chance": [[0.5, 3], [0.5, [2, 4]]]}', 'min [5, {"chance": [[0.5, 3], [0.5, 4]]}]')
    ]
    assert told == ["+3.5, proven (for MAX)", "-3.5, proven (for the player to move)"]
