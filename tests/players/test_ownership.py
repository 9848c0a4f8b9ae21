"""Who will own the board: finished regions belong to whoever surrounds them, and playouts agree."""

from __future__ import annotations

import pytest

import gambito
from gambito.errors import SearchError
from gambito.game.contract import NOBODY
from gambito.players.ownership import ownership

WALLS = ".X.O./.X.O./.X.O./.X.O./.X.O. X"  # Black owns the left, White the right, nobody the middle


def test_regions_belong_to_the_only_colour_they_touch():
    go = gambito.load("go:size=5")
    assert go.owners(go.parse(WALLS)) == 5 * [0, 0, NOBODY, 1, 1]
    assert go.owners(go.initial()) == 25 * [NOBODY]


def test_area_is_what_the_rules_count():
    go = gambito.load("go:size=5,komi=0")
    for text in (WALLS, "XXXXX/XXXXX/..X../OOOOO/OOOOO O", "..X../..X../XXX../..OOO/..O.. X"):
        state = go.parse(text)
        owners = go.owners(state)
        assert 2 * (owners.count(0) - owners.count(1)) == go.halves_ahead(state)


@pytest.mark.thorough
def test_playouts_agree_with_what_is_settled():
    go = gambito.load("go:size=5")
    told = []
    found = ownership(go, go.parse(WALLS), 0.2, progress=told.append)
    assert [each.playouts for each in told] == list(range(1, found.playouts + 1))
    for row in range(5):
        assert found.cells[5 * row + 1] > 0.3 and found.cells[5 * row + 3] < -0.3
    assert abs(found.lead) < 12


def test_games_without_owners_say_so():
    game = gambito.load("tic-tac-toe")
    with pytest.raises(SearchError, match="nobody owns cells of the board in tic-tac-toe"):
        ownership(game, game.initial(), 1)
