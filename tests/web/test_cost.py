"""Games whose parameters are too large are refused before they cost anything, whatever the parameter is."""

import time

import pytest

import gambito
from gambito.search.limits import Stop
from gambito.web import cost
from gambito.web.answers import Answers
from gambito.web.server_limits import ServerLimits


class Hungry(gambito.Game):
    """One parameter makes it slow, large or wide."""

    def __init__(self, loops: int = 0, moves: int = 2, later: int = 2, cells: int = 1, bytes: int = 0):
        self.loops, self.moves, self.later, self.cells = loops, moves, later, cells
        self.held = bytearray(bytes)
        for _ in range(loops):
            pass

    def initial(self):
        return 0

    def player(self, state):
        return state % 2

    def actions(self, state):
        return range(self.later if state else self.moves)

    def result(self, state, action):
        return state + 1

    def is_terminal(self, state):
        return state == 4

    def utility(self, state, player):
        return 0

    def picture(self):
        return gambito.picture.grid(self.cells, 1)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"loops": 10**12}, "more than 0.3 seconds for its first moves"),
        ({"moves": 10**9}, "more than 4000 moves in a position"),
        ({"later": 10**9}, "more than 4000 moves in a position"),
        ({"cells": 6000}, "more than 5000 cells"),
        ({"bytes": 1 << 60}, "more memory than there is"),
    ],
)
def test_what_costs_too_much_is_refused_in_one_sentence(monkeypatch, given, said):
    monkeypatch.setattr(cost, "SECONDS", 0.3)
    began = time.monotonic()
    with pytest.raises(gambito.GameError) as caught:
        cost.make_within_limits("hungry:…", lambda: Hungry(**given))
    assert str(caught.value) == f"hungry:… is too large for this server, with {said}"
    assert time.monotonic() - began < 3
    assert cost.make_within_limits("hungry", Hungry).moves == 2


def test_a_client_cannot_ask_for_a_tree_of_a_million_branches():
    answers = Answers(ServerLimits())
    for game in ("uniform-tree:branching=1000000", "uniform-tree:branching=300000,depth=1"):
        for question in ({"do": "view"}, {"do": "go", "player": {"algorithm": "engine", "depth": 1}}):
            with pytest.raises(gambito.GameError, match="more than 4000 moves in a position"):
                answers.answer({**question, "game": game}, lambda *news: None, Stop())
    seen, _ = answers.answer({"do": "view", "game": "uniform-tree:branching=9"}, lambda *news: None, Stop())
    assert len(seen["actions"]) == 9
