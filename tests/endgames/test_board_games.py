"""Tables of checkers, draughts and nine men's morris against published values and counts."""

import functools
import random

import pytest

import gambito
from gambito.endgames.builder import Builder
from gambito.endgames.places import list_states
from gambito.game.gears import gears
from tests.support import rows


@functools.cache
def tables(spec, limit):
    """The slices of up to so many pieces, each verified, by their signature."""
    game = gambito.load(spec)
    builder, built = Builder(game), {}
    for name in game.slice_names(limit):
        lower = [built[game.slice_code(other)] for other in game.conversions(name)]
        table = builder.build(name, lower)
        assert builder.verify(table, lower) is None
        built[table.code] = table
    return built


def value_of(spec, limit, fen):
    """As tables write it: d + 1 for a win in d plies, below 0 for a loss."""
    game = gambito.load(spec)
    state = game.parse(fen)
    return int(tables(spec, limit)[int(game.signature(state))].values[int(game.index(state))])


def totals(spec, limit, pieces):
    """Wins, losses and draws of all slices with so many pieces."""
    chosen = [t for t in tables(spec, limit).values() if len(t.name) - 1 == pieces]
    real, wins, losses = (sum(getattr(t, n) for t in chosen) for n in ("real", "wins", "losses"))
    return wins, losses, real - wins - losses


def test_checkers_of_two_and_three_pieces():
    """Every published value and distance, and the totals."""
    for row in rows("checkers/endgames_2_3_pieces.csv"):
        sign = {"win": 1, "loss": -1, "draw": 0}[row["result"]]
        assert value_of("checkers", 3, row["fen"]) == sign * (int(row["plies"] or 0) + 1), row
    for row in rows("checkers/endgame_totals_2_3_pieces.csv"):
        counts = totals("checkers", 3, int(row["pieces"]))
        assert counts == (int(row["won"]), int(row["lost"]), int(row["drawn"]))


def test_checkers_positions_are_all_there():
    """Positions of so many pieces, less those in which one side has none: Schaeffer and Lake's counts."""
    published = {int(r["pieces"]): int(r["positions"]) for r in rows("checkers/position_counts.csv")}
    alone = 2 * sum(choose(28, men) * choose(32 - men, 3 - men) for men in range(4))
    assert sum(totals("checkers", 3, 3)) == published[3] - alone


def choose(n, k):
    return 1 if k == 0 else choose(n - 1, k - 1) * n // k


@pytest.mark.slow
def test_longest_wins_of_draughts():
    for row in rows("draughts/endgame_longest_wins.csv"):
        if row["variant"] == "international":
            assert value_of("draughts", 4, row["fen"]) == int(row["win_in_plies"]) + 1, row


@pytest.mark.parametrize(
    "spec", ["checkers", "draughts", "nine-mens-morris", "nine-mens-morris:rings=2,men=6"]
)
def test_numbers(spec):
    """A number's state has that number if it is real; so have all its views; and moves are taken back."""
    game, rng = gambito.load(spec), random.Random(1)
    for name in game.slice_names(8 if "morris" in spec else 4):
        code = game.slice_code(name)
        for number in (rng.randrange(int(game.slice_size(code))) for _ in range(4)):
            state = game.unindex(code, number)
            if not game.is_real(state) or int(game.index(state)) != number:
                continue
            assert int(game.signature(state)) == code
            assert int(game.index(game.parse(game.text(state)))) == number
            assert all(int(game.index(view)) == number for view in game.symmetries(state))
            for before in game.unmoves(state):
                after = [game.result(before, action) for action in game.legal(before)]
                assert any(s[:3] == state[:3] for s in after), (game.text(state), game.text(before))
            for action in game.legal(state):
                child = game.result(state, action)
                if int(game.signature(child)) == code:
                    assert any(s[:3] == state[:3] for s in game.unmoves(child)), game.text(child)


@pytest.mark.slow
def test_morris_positions_up_to_symmetry():
    """As many as Burnside's lemma says: 3-3, 4-3 and 4-4; each table verified whole."""
    built = tables("nine-mens-morris", 8)
    assert [built[code].real for code in (0x33, 0x43, 0x44)] == [169_626, 1_520_796, 3_225_597]


@pytest.mark.slow
def test_positions_of_two_rings():
    """All positions of a small game that can be reached, flying off."""
    (row,) = (r for r in rows("morris/solved_counts.csv") if r["game"] == "two-ring 4 men")
    both = gears(gambito.load("nine-mens-morris:rings=2,men=4,flying=false,patience=0"))
    start = both.cast(both.game.initial())
    found = list_states(both.in_gear("native"), both.state, start, 1 << 24, lambda count: None)
    assert found is not None and len(found.keys) == int(row["positions"])


def test_slices_that_do_not_exist():
    for spec, names in (
        ("checkers", ("K", "KQ-K", "-K", "KKKKK-KKKK")),
        ("nine-mens-morris", ("2-3", "7-3", "x")),
    ):
        for name in names:
            with pytest.raises(gambito.PositionError, match="is no slice"):
                gambito.load(spec).slice_code(name)
