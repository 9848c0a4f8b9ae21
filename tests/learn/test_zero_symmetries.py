"""Symmetries found by trial: as many as the game has, and the rules agree with every turned position."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gambito
from gambito.evaluate.policy.encoding import sample_games
from gambito.evaluate.policy.places import find_places
from gambito.games.tic_tac_toe import TicTacToe
from gambito.learn.zero.search_trees import spans
from gambito.learn.zero.symmetries import closed, find_symmetries

OWN = Path(__file__).with_name("own_games.py")


class Lame(TicTacToe):
    """Tic-tac-toe in which nobody may begin in the first cell: it has one reflection left."""

    name = "lame-tic-tac-toe"

    def actions(self, state):
        is_first = not (state[0] or state[1])
        for action in super().actions(state):
            if action or not is_first:
                yield action


def found_in(game):
    seen = sample_games(game, "python", games=150, room=3000)
    places = find_places(game, seen.sight, seen.packed, seen.movers)
    return seen, find_symmetries(game, seen, places)


@pytest.mark.parametrize(
    ("name", "count", "swaps"),
    [
        ("tic-tac-toe", 8, 0),
        ("connect-four", 2, 0),
        ("hex:size=4", 4, 2),
        ("pig", 1, 0),
        ("tic-tac-toe-3", 1, 0),
        pytest.param("breakthrough", 4, 2, marks=pytest.mark.thorough),
        pytest.param("othello", 16, 8, marks=pytest.mark.thorough),
        pytest.param(f"{OWN}:Domineering", 8, 4, marks=pytest.mark.thorough),
        pytest.param(f"{OWN}:Amazons", 16, 8, marks=pytest.mark.slow),
    ],
)
def test_symmetries_are_found_and_the_rules_agree(name, count, swaps):
    """In turned positions the turned actions are legal, and no others."""
    game = gambito.load(name)
    seen, symmetries = found_in(game)
    assert len(symmetries) == count and sum(one.swaps for one in symmetries.found) == swaps
    layout, rng = seen.sight.layout, np.random.default_rng(1)
    chosen = rng.integers(0, len(seen.packed), 60)
    legal = [game.legal(layout.unpack(packed)) for packed in seen.packed[chosen]]
    part = {
        "states": seen.packed[chosen],
        "movers": seen.movers[chosen].astype(np.int8),
        "counts": np.array([len(actions) for actions in legal], np.int16),
        "slot": np.array([seen.outputs.slot(a) for actions in legal for a in actions], np.int16),
    }
    turned = symmetries.turn_part(part, seen.sight, rng)
    rows, _ = spans(turned["counts"])
    for number, packed in enumerate(turned["states"]):
        state = layout.unpack(packed)
        assert game.player(state) == turned["movers"][number]
        expected = {seen.outputs.slot(action) for action in game.legal(state)}
        assert set(turned["slot"][rows == number].tolist()) == expected
    is_moved = (turned["states"] != part["states"]).any()
    assert is_moved == (count > 1)


def test_one_exception_in_the_rules_breaks_a_symmetry():
    _, symmetries = found_in(Lame())
    assert len(symmetries) == 2


def test_the_products_of_symmetries_are_symmetries():
    _, symmetries = found_in(gambito.load("tic-tac-toe"))
    known = {one.inputs.tobytes(): one for one in symmetries.found}
    for one in symmetries.found:
        for other in symmetries.found:
            both = one.after(other)
            same = known[both.inputs.tobytes()]
            assert np.array_equal(same.slots, both.slots) and np.array_equal(same.contexts, both.contexts)
    turn = next(
        one for one in symmetries.found if (one.after(one).inputs != np.arange(len(one.inputs))).any()
    )
    assert len(closed([symmetries.found[0], turn])) == 4  # a quarter turn, made again and again
