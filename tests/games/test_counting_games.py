"""Kalah and dots and boxes: exact values, OpenSpiel's rules, and points that the table leaves out."""

from __future__ import annotations

import csv
import random

import pytest

import gambito
from tests.support import data

EITHER = (True, False)


def rows(name: str) -> list[dict[str, str]]:
    lines = data(name).read_text().splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def solved(game, state=None, gear="python") -> int:
    """The value, the same with and without the points in the table."""
    values = set()
    for banked in EITHER:
        found = gambito.solve(game, state, gear=gear, banked=banked, memory=1 if gear == "python" else 64)
        assert found.exact
        values.add(found.value)
    assert len(values) == 1
    return values.pop()


# ---- kalah -------------------------------------------------------------------------------------------
def kalah(row):
    empty = row["capture_into_empty_opposite"] == "yes"
    return gambito.load(f"kalah:houses={row['houses']},seeds={row['seeds']},empty={str(empty).lower()}")


def check_kalah(row, gear: str) -> None:
    game = kalah(row)
    assert solved(game, gear=gear) == int(row["margin"]), game.label()
    for house, margin in enumerate(map(int, row["first_move_margins"].split())):
        child = game.result(game.initial(), house)
        sign = 1 if game.player(child) == 0 else -1
        value = game.utility(child, 0) if game.is_terminal(child) else sign * solved(game, child, gear)
        assert value == margin, (game.label(), house)


def test_small_kalah():
    small = [row for row in rows("kalah/kalah_values.csv") if int(row["houses"]) * int(row["seeds"]) <= 3]
    assert len(small) >= 8
    for row in small:
        check_kalah(row, "python")


@pytest.mark.slow
@pytest.mark.parametrize("empty", ["yes", "no"])
def test_whole_kalah(empty):
    """Every value of the collection that is known, also those of each first move."""
    for row in rows("kalah/kalah_values.csv"):
        if row["margin"] and row["capture_into_empty_opposite"] == empty:
            if int(row["houses"]) * int(row["seeds"]) > 3:
                check_kalah(row, "native")


def test_kalah_beside_open_spiel():
    """Mancala there is Kalah with six houses of four seeds, and captures only a house with seeds."""
    pyspiel = pytest.importorskip("pyspiel")
    game, other, rng = gambito.load("kalah"), pyspiel.load_game("mancala"), random.Random(1)
    for _ in range(60):
        mine, theirs = game.initial(), other.new_initial_state()
        while not theirs.is_terminal():
            legal = theirs.legal_actions()
            turned = [a - 1 if theirs.current_player() == 0 else a - 8 for a in legal]
            assert game.player(mine) == theirs.current_player()
            assert sorted(game.legal(mine)) == sorted(turned)
            place = rng.randrange(len(legal))
            mine, theirs = game.result(mine, turned[place]), theirs.child(legal[place])
        assert game.is_terminal(mine)
        lead = game.utility(mine, 0)
        assert (lead > 0) - (lead < 0) == theirs.returns()[0]


def test_sowing_all_around():
    """Thirteen seeds reach the house that they left, which is empty, and capture the house opposite."""
    game = gambito.load("kalah")
    state = game.parse("13 0 0 0 0 1 [0] 5 4 4 4 4 4 [9] first")
    after = game.result(state, 0)
    assert game.text(after) == "0 1 1 1 1 2 [7] 6 5 5 5 5 0 [9] second"


def test_a_side_without_seeds_ends_the_game():
    game = gambito.load("kalah:houses=3,seeds=2")
    state = game.parse("0 0 1 [2] 2 3 1 [3] first")
    after = game.result(state, 2)
    assert game.is_terminal(after) and game.utility(after, 0) == 3 - 9
    assert game.text(after) == "0 0 0 [3] 0 0 0 [9] first"


@pytest.mark.parametrize(
    "text",
    ["", "first", "4 4", "4 4 4 4 4 4 0 4 4 4 4 4 4 0 first", "4 4 4 4 4 4 [0] 4 4 4 4 4 4 [1] first",
     "0 0 0 0 0 0 [24] 4 4 4 4 4 4 [0] first", "[4] 4 4 4 4 4 0 4 4 4 4 4 4 [0] first"],
)  # fmt: skip
def test_bad_positions_of_kalah(text):
    with pytest.raises(gambito.PositionError):
        gambito.load("kalah").parse(text)


# ---- dots and boxes ----------------------------------------------------------------------------------
def at(game, drawn: str):
    """The position with these lines, and closed boxes that count for nobody: all of them the first's."""
    lines = sum(1 << place for place, mark in enumerate(drawn) if mark == "1")
    closed = [lines & int(border) == int(border) for border in game.borders]
    return game.parse(f"{drawn} {''.join('1' if c else '-' for c in closed)} first"), sum(closed)


def check_position(row, gear: str) -> None:
    game = gambito.load(f"dots-and-boxes:rows={row['rows']},columns={row['columns']}")
    state, won = at(game, row["edges_drawn"])
    assert solved(game, state, gear) - won == int(row["margin"])
    for pair in row["move_margins"].split():
        line, margin = map(int, pair.split(":"))
        child = game.result(state, line)
        if game.is_terminal(child):
            value = game.utility(child, 0)
        else:
            value = solved(game, child, gear) * (1 if game.player(child) == 0 else -1)
        assert value - won == margin, (row["edges_drawn"], line)


@pytest.mark.thorough
def test_positions_of_dots_and_boxes():
    known = rows("dots_and_boxes/positions.csv")
    few = [row for row in known if row["edges_drawn"].count("0") <= 8]
    assert len(few) > 10
    for row in few:
        check_position(row, "python")


@pytest.mark.slow
def test_all_positions_of_dots_and_boxes():
    for row in rows("dots_and_boxes/positions.csv"):
        check_position(row, "native")


@pytest.mark.parametrize("columns", [1, 3])
def test_small_boards(columns):
    known = {(row["rows"], row["columns"]): int(row["margin"]) for row in rows("dots_and_boxes/values.csv")}
    assert solved(f"dots-and-boxes:rows=1,columns={columns}") == known["1", str(columns)]


@pytest.mark.slow
@pytest.mark.parametrize(("height", "width"), [(1, 5), (1, 7), (2, 3), (3, 3)])
def test_boards(height, width):
    known = {(row["rows"], row["columns"]): int(row["margin"]) for row in rows("dots_and_boxes/values.csv")}
    assert (
        solved(f"dots-and-boxes:rows={height},columns={width}", gear="native")
        == known[str(height), str(width)]
    )


def test_dots_and_boxes_beside_open_spiel():
    pyspiel = pytest.importorskip("pyspiel")
    game, rng = gambito.load("dots-and-boxes:rows=2,columns=3"), random.Random(2)
    other = pyspiel.load_game("dots_and_boxes(num_rows=2,num_cols=3)")
    for _ in range(60):
        mine, theirs = game.initial(), other.new_initial_state()
        while not theirs.is_terminal():
            assert game.player(mine) == theirs.current_player()
            assert game.legal(mine) == sorted(theirs.legal_actions())
            action = rng.choice(theirs.legal_actions())
            mine, theirs = game.result(mine, action), theirs.child(action)
        assert game.is_terminal(mine)
        lead = game.utility(mine, 0)
        assert (lead > 0) - (lead < 0) == theirs.returns()[0]


def test_mirrors_are_alike():
    game, rng = gambito.load("dots-and-boxes:rows=2,columns=2"), random.Random(3)
    for _ in range(10):
        state = game.initial()
        for _ in range(7):
            state = game.result(state, rng.choice(game.legal(state)))
        value = gambito.solve(game, state, gear="python", memory=1).value
        for view, other in enumerate(game.symmetries(state), 1):
            assert gambito.solve(game, other, gear="python", memory=1).value == value
            turned = {game.turn(a, view, False) for a in game.legal(state)}
            assert turned == set(game.legal(other))
            assert all(game.turn(game.turn(a, view, False), view, True) == a for a in game.legal(state))


def test_the_bank_saves_nodes():
    """States that differ only in points are one entry of the table."""
    for label in ("dots-and-boxes:rows=2,columns=2", "kalah:houses=3,seeds=2"):
        nodes = [gambito.solve(label, gear="python", banked=banked, memory=1).nodes for banked in EITHER]
        assert nodes[0] <= nodes[1], label
