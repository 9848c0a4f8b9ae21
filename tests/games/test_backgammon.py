"""Backgammon: the rules beside OpenSpiel's, the notation, the bear-off tables, the estimate, the searches."""

import itertools
import random

import numpy as np
import pytest

import gambito
from gambito.game.gears import gears
from gambito.games.backgammon import bearoff, notation
from tests.support import rows

START = "4HPwATDgc/ABMA"
BOOK = {  # the plays that books give for an opening roll
    "2-1": ("13/11 6/5", "24/23 13/11"),
    "3-1": ("8/5 6/5",),
    "4-1": ("24/23 13/9", "13/9 6/5"),
    "5-1": ("24/23 13/8", "13/8 6/5"),
    "6-1": ("13/7 8/7",),
    "3-2": ("24/21 13/11", "13/11 13/10"),
    "4-2": ("8/4 6/4",),
    "5-2": ("13/11 13/8", "24/22 13/8"),
    "6-2": ("24/18 13/11", "24/16", "13/5"),
    "4-3": ("24/20 13/10", "13/10 13/9", "24/21 13/9"),
    "5-3": ("8/3 6/3",),
    "6-3": ("24/18 13/10", "24/15"),
    "5-4": ("24/20 13/8", "13/9 13/8"),
    "6-4": ("24/14", "8/2 6/2", "24/18 13/9"),
    "6-5": ("24/13",),
}


@pytest.fixture(scope="module")
def game():
    return gambito.load("backgammon")


def at(game, text: str):
    return gears(game).cast(game.parse(text))


def plays(game, text: str) -> set[str]:
    state = at(game, text)
    return {game.write(state, a) for a in game.legal(state)}


def position(mover: dict[int, int], other: dict[int, int]) -> str:
    """The position ID of checkers by point."""
    sides = [[side.get(p, 0) for p in range(1, 26)] for side in (mover, other)]
    return notation.encode(*sides)


# ---- rules -----------------------------------------------------------------------------------------
def test_the_larger_die_where_only_one_can_be_used(game):
    blocked = position({13: 1}, {25 - 2: 2})  # 13/2 is closed, so after either die the other cannot be used
    assert plays(game, f"{blocked} 6-5") == {"13/7"}


def test_entering_comes_first(game):
    text = position({25: 1, 6: 2}, {6: 2, 5: 2, 4: 2, 3: 2, 1: 2})
    assert all(p.startswith("bar/") for p in plays(game, f"{text} 2-1"))
    shut = position({25: 1, 6: 2}, dict.fromkeys(range(1, 7), 2))
    assert plays(game, f"{shut} 6-1") == {"pass"}


def test_bearing_off(game):
    assert plays(game, f"{position({6: 1, 2: 1}, {1: 1})} 5-2") == {"6/1 2/off", "6/off"}
    assert "2/off 1/off" in plays(game, f"{position({2: 1, 1: 1}, {1: 1})} 6-5")
    assert plays(game, f"{position({4: 1, 3: 1}, {1: 1})} 6-5") == {"4/off 3/off"}


def test_gammons(game):
    won = notation.encode([0] * 25, [15, *[0] * 24])
    assert game.utility(at(game, f"{won} white"), 0) == 2.0
    back = [0] * 25
    back[24], back[0] = 1, 14
    assert game.utility(at(game, f"{notation.encode([0] * 25, back)} white"), 0) == 3.0
    assert game.utility(at(game, f"{notation.encode([0] * 25, [14, *[0] * 24])} white"), 1) == -1.0


@pytest.mark.thorough
def test_beside_openspiel():
    pytest.importorskip("pyspiel")
    from tests.games.openspiel_backgammon import compare

    assert compare(150, seed=5) == []


@pytest.mark.slow
def test_a_hundred_thousand_positions_beside_openspiel():
    pytest.importorskip("pyspiel")
    from tests.games.openspiel_backgammon import compare

    assert compare(100_000, seed=1) == []


# ---- notation --------------------------------------------------------------------------------------
def test_shared_positions(game):
    for row in rows("backgammon/positions_gnubg.csv"):
        state = at(game, f"{row['position_id']} {row['dice']}")
        assert game.text(state).split()[0] == row["position_id"]
        points = row["on_roll_points_1_to_24_and_bar"]
        assert " ".join(map(str, notation.unpack(state.near, state.far)[:25])) == points
        game.read(state, row["best_move_2ply"] or "pass")


def test_shared_opening_rolls(game):
    for row in rows("backgammon/opening_rolls.csv"):
        state = at(game, f"{START} {row['dice']}")
        after = game.result(state, game.read(state, row["best_2ply"]))
        assert game.text(after).split()[0] == row["position_id_after"]


def test_a_play_may_be_written_in_many_ways(game):
    state = at(game, f"{START} 3-1")
    named = {game.read(state, text) for text in ("8/5 6/5", "6/5 8/5")}
    assert len(named) == 1
    double = at(game, f"{START} 1-1")
    assert game.read(double, "8/7(2) 6/5(2)") == game.read(double, "6/5 8/7 6/5 8/7")
    with pytest.raises(gambito.PositionError, match="is not a move here"):
        game.read(state, "24/10")


def test_every_play_has_its_own_name(game):
    rng = random.Random(4)
    state = gears(game).cast(game.initial())
    for _ in range(60):
        names = [game.write(state, a) for a in game.legal(state)]
        assert len(names) == len(set(names)), game.text(state)
        state = gears(game).cast(game.result(state, rng.choice(game.legal(state))))
        if game.is_terminal(state):
            break


# ---- bear-off --------------------------------------------------------------------------------------
def number(points: str) -> int:
    word = sum(int(count) << (4 * place) for place, count in enumerate(points.split()))
    return int(bearoff.number_of(np.uint64(word)))


@pytest.mark.parametrize(("grains", "far"), [(65535, 0.000501), (0, 0.0035)])
def test_one_sided_table(grains, far):
    """As GNU Backgammon's to the last printed digit, computed in 16 bits as those are; nearly so, exactly."""
    rolls, means = bearoff.one_sided(grains)
    spread = bearoff.deviations(rolls, means)
    for row in rows("backgammon/bearoff_one_sided.csv"):
        here = number(row["home_points_1_to_6"])
        assert means[here] == pytest.approx(float(row["mean_rolls"]), abs=min(far, 0.0006))
        assert spread[here] == pytest.approx(float(row["sd_rolls"]), abs=min(far, 0.0006))
        for part in row["percent_per_roll_count"].split():
            count, percent = part.split(":")
            assert 100 * rolls[here, int(count)] == pytest.approx(float(percent), abs=far)


@pytest.mark.thorough
@pytest.mark.parametrize(("grains", "far"), [(65535, 0.501e-6), (0, 3.6e-5)])
def test_two_sided_table(game, grains, far):
    chances = bearoff.two_sided(grains)
    for row in rows("backgammon/bearoff_two_sided.csv"):
        pair = number(row["on_roll_home_points_1_to_6"]), number(row["opponent_home_points_1_to_6"])
        truth = float(row["win_probability"])
        assert chances[pair] == pytest.approx(truth, abs=far)
        estimate = game.evaluate(at(game, row["position_id"]), 0)
        assert (estimate + 1) / 2 == pytest.approx(truth, abs=5e-5)


def test_the_rules_answer_before_any_search():
    """The tables of the race are loaded when a rule first reads them."""
    fresh = gambito.load("backgammon")
    state = fresh.parse(f"{position({1: 2}, {1: 3})} white")
    assert "chances_of_two" not in vars(fresh)
    assert fresh.evaluate(state, 0) == -fresh.evaluate(state, 1) == 1.0
    by_hand = gambito.load("backgammon:evaluation=hand")
    assert by_hand.evaluate(by_hand.initial(), 0) == pytest.approx(0, abs=0.5)


# ---- search ----------------------------------------------------------------------------------------
def test_the_estimate_is_fair_and_within_bounds(game):
    rng, state = random.Random(8), gears(game).cast(game.initial())
    for _ in range(150):
        if game.is_terminal(state):
            break
        low, high = game.bounds(state)
        player = max(game.player(state), 0)
        assert low <= game.evaluate(state, player) <= high
        state = gears(game).cast(game.result(state, rng.choice(game.legal(state))))


def test_opening_rolls(game):
    """The estimate, looking at the own play and every answer, chooses a book play for at least 9 of 15."""
    chosen = 0
    for roll, book in BOOK.items():
        state = at(game, f"{START} {roll}")
        found = gambito.search(game, state, "star2", depth=3)
        chosen += found.action in [game.read(state, play) for play in book]
    assert chosen >= 9


def sample(game, count: int, seed: int) -> list:
    """Decisions of random games."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        state = gears(game).cast(game.initial())
        for _ in range(2 * rng.randint(1, 40) + 1):
            pairs = list(game.chances(state)) if game.player(state) == gambito.CHANCE else None
            few = [] if pairs else list(itertools.islice(game.actions(state), 12))
            action = rng.choices(*zip(*pairs, strict=True))[0] if pairs else rng.choice(few)
            following = gears(game).cast(game.result(state, action))
            if game.is_terminal(following):
                break
            state = following
        if game.player(state) >= 0:
            found.append(state)
    return found


def check_values(game, count: int) -> None:
    for state in sample(game, count, seed=3):
        plain = gambito.search(game, state, "expectiminimax", depth=2)
        for name in ("star1", "star2"):
            assert gambito.search(game, state, name, depth=2).value == pytest.approx(plain.value, abs=1e-9)


def test_stars_at_depth_two(game):
    check_values(game, 30)


@pytest.mark.slow
def test_five_hundred_positions_at_depth_two(game):
    check_values(game, 500)


def test_star2_needs_a_quarter_of_the_leaves(game):
    counts = {"expectiminimax": 0, "star2": 0}
    for state in sample(game, 8, seed=6):
        values = []
        for name in counts:
            found = gambito.search(game, state, name, depth=3)
            counts[name] += found.evaluations
            values.append(found.value)
        assert values[0] == pytest.approx(values[1], abs=1e-9)
    assert counts["star2"] <= counts["expectiminimax"] / 4
