"""The pairs whose machine code is made beforehand: what they are, and that asking prepares all of it."""

from __future__ import annotations

import gambito
from gambito.players import pairs
from gambito.players.pairs import Pair
from gambito.search.chooser import strongest


def test_the_strongest_comes_first_and_all_of_them_fit():
    names = ["connect-four", "hex", "pig", "pancakes", "tree"]
    found = pairs.pairs(names)
    for name in names[:-1]:
        mine = [pair.algorithm for pair in found if pair.game == name]
        assert mine[0] == strongest(gambito.load(name)) and len(mine) == len(set(mine))
    assert {pair.algorithm for pair in found if pair.game == "connect-four"} == {
        "engine", "alpha-beta", "mcts", "perft",
    }  # fmt: skip
    assert {"a-star", "ida-star"} <= {pair.algorithm for pair in found if pair.game == "pancakes"}
    assert not [pair for pair in found if pair.game == "tree"]  # it is never compiled


def test_what_was_asked_for_is_ready():
    for algorithm in ("alpha-beta", "perft"):
        pairs.ask(Pair("tic-tac-toe", algorithm))
    found = gambito.search("tic-tac-toe", algorithm="alpha-beta", depth=5)
    assert found.compile_seconds < 1 and gambito.perft("tic-tac-toe", depth=2) == 72


def test_what_cannot_be_asked_says_why():
    assert pairs.try_to_ask(Pair("tic-tac-toe", "alpha-beta")) is None
    assert "star2" in str(pairs.try_to_ask(Pair("tic-tac-toe", "star2")))
