"""Options as techniques, and algorithms that always deepen."""

import dataclasses

import pytest

import gambito
from gambito.search import algorithm
from gambito.search.algorithm import ALWAYS, Option, find


@pytest.mark.parametrize(
    ("option", "off", "switched"),
    [
        (Option("a", True, ""), False, False),
        (Option("a", False, ""), False, True),
        (Option("a", False, "", technique=False), False, None),
        (Option("a", 2, "", low=0, high=9), 0, 0),
        (Option("a", 0, "", low=0, high=9, on=5), 0, 5),
        (Option("a", 0, "", low=0, high=9), 0, None),
        (Option("a", 64, "", low=1, high=99), None, None),
        (Option("a", "x", "", choices=("off", "x")), "off", "off"),
        (Option("a", "x", "", choices=("x", "y")), None, None),
    ],
)
def test_where_an_option_is_off_and_what_switching_it_means(option, off, switched):
    assert option.off == off and option.switched(option.default) == switched


def test_an_algorithm_that_always_deepens(monkeypatch):
    eager = dataclasses.replace(find("alpha-beta"), name="eager", deepening=ALWAYS)
    monkeypatch.setattr(algorithm, "algorithms", lambda: {"eager": eager})
    game = gambito.load("connect-four")
    deepened = gambito.search(game, None, "eager", depth=6)
    once = gambito.search(game, None, "eager", depth=6, deepen=False)
    assert deepened.value == once.value and deepened.depth == once.depth == 6
    assert deepened.nodes == gambito.search(game, None, "eager", depth=6, deepen=True).nodes != once.nodes


def test_a_network_does_without_what_a_game_prefers_for_playouts():
    game, mcts = gambito.load("go"), find("mcts")
    usual, guided = mcts.read_options({}, game), mcts.read_options({"network": "some.net"}, game)
    assert (usual["exploration"], usual["rave"], usual["bias"]) == (0.1, 1000.0, 5.0)
    assert (guided["exploration"], guided["rave"], guided["bias"]) == (0.5, 0.0, 0.0)
    assert mcts.read_options({"network": "some.net", "exploration": 2}, game)["exploration"] == 2.0
    assert mcts.read_options({"network": ""}, game) == usual
