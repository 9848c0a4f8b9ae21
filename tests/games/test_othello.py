"""Othello against published counts, real games, solved endings, and a naive text of its rules."""

import os
import random
import re
import sys
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gambito
from gambito import PositionError
from gambito.game.gears import gears
from gambito.native import native
from tests.support import json_lines, random_state, rows, run

START = "---------------------------OX------XO--------------------------- X"
SIZES = (4, 6, 8)
WAYS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


# ---- the naive rules -----------------------------------------------------------------------------------


def squares(bits: int, size: int) -> set[tuple[int, int]]:
    return {(s % size, s // size) for s in range(size * size) if int(bits) >> s & 1}


def naive_flips(mine: set, theirs: set, square: tuple[int, int]) -> set:
    """Walk in every direction over the other's discs; they turn if one of mine lies behind."""
    turned = set()
    for right, down in WAYS:
        passed, (x, y) = set(), (square[0] + right, square[1] + down)
        while (x, y) in theirs:
            passed.add((x, y))
            x, y = x + right, y + down
        if (x, y) in mine:
            turned |= passed
    return turned


def naive_moves(mine: set, theirs: set, size: int) -> set:
    board = {(x, y) for x in range(size) for y in range(size)}
    return {s for s in board - mine - theirs if naive_flips(mine, theirs, s)}


def assert_naive(game, state):
    size = game.size
    mine, theirs = squares(state.mine, size), squares(state.theirs, size)
    moves, others = naive_moves(mine, theirs, size), naive_moves(theirs, mine, size)
    assert squares(game.moves(state.mine, state.theirs), size) == moves
    assert game.is_terminal(state) == (not moves and not others)
    if game.is_terminal(state):
        return
    passes = [] if moves else [size * size]
    assert sorted(game.legal(state)) == sorted(x + size * y for x, y in moves) + passes
    for action in game.legal(state):
        child = game.result(state, action)
        square = (action % size, action // size)
        turned = naive_flips(mine, theirs, square) if moves else set()
        added = {square} if moves else set()
        assert squares(child.theirs, size) == mine | turned | added
        assert squares(child.mine, size) == theirs - turned
        assert child.mover == 1 - state.mover


@pytest.mark.parametrize("size", SIZES)
@settings(max_examples=60, deadline=None)
@given(words=st.tuples(*[st.integers(0, 2**64 - 1)] * 3))
def test_any_discs_move_as_the_naive_rules_say(size, words):
    """Random discs, many or few, whether they can come up in a game or not."""
    game = gambito.load(f"othello:size={size}")
    taken, colour = words[0] & int(game.full), words[1]
    if words[2] & 1:
        taken |= words[2] & int(game.full)
    state = game.initial()._replace(mine=np.uint64(taken & colour), theirs=np.uint64(taken & ~colour))
    assert_naive(game, state)


@pytest.mark.parametrize("size", SIZES)
def test_random_games_follow_the_naive_rules(size):
    game, rng = gambito.load(f"othello:size={size}"), random.Random(size)
    for _ in range(4):
        state = game.initial()
        while not game.is_terminal(state):
            assert_naive(game, state)
            state = game.result(state, rng.choice(game.legal(state)))
        assert_naive(game, state)


@pytest.mark.thorough
@pytest.mark.parametrize("size", [4, 6, pytest.param(8, marks=pytest.mark.slow)])
def test_the_check_passes_without_a_warning(size):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = gambito.check(f"othello:size={size}")
    assert report.ok, report.problems
    assert report.native


# ---- published numbers ---------------------------------------------------------------------------------


def test_perft():
    published = [4, 12, 56, 244, 1396, 8200, 55092, 390216]
    assert [gambito.perft("othello", depth=d) for d in range(1, 9)] == published
    assert gambito.perft("othello", depth=4, gear="python") == 244


@pytest.mark.thorough
@pytest.mark.parametrize("size", SIZES)
def test_perft_counts_sequences_that_are_walked(size):
    game, rng = gambito.load(f"othello:size={size}"), random.Random(size)

    def walk(state, depth):
        if depth == 0:
            return 1
        return sum(walk(game.result(state, a), depth - 1) for a in game.legal(state))

    for _ in range(6):
        state = random_state(game, rng, rng.randint(0, game.cells - 6))
        for depth in range(4):
            assert gambito.perft(game, state, depth=depth) == walk(state, depth)


@native
def count_games(game, state, depth):
    """Perft as it is published for Othello: a game that ended before the last ply counts as well."""
    if depth == 0 or game.is_terminal(state):
        return 1
    count = 0
    for action in game.actions(state):
        count += count_games(game, game.result(state, action), depth - 1)
    return count


@pytest.mark.slow
def test_deep_perft():
    game = gambito.load("othello")
    inner = gears(game).in_gear("native")
    published = {int(row["depth"]): int(row["leaf_nodes"]) for row in rows("othello/perft.csv")}
    published |= {9: 3_005_288, 10: 24_571_284, 11: 212_258_800}
    for depth in sorted(d for d in published if d <= 11):
        assert count_games(inner, game.initial(), depth) == published[depth]
    assert gambito.perft(game, depth=9) == 3_005_288
    assert gambito.perft(game, depth=10) == 24_571_284 - 228  # so many games end with the ninth ply


@pytest.mark.thorough
def test_tournament_games():
    """The WTHOR base: all moves are legal, passes are not written, and the discs are as noted."""
    game, played = gambito.load("othello"), rows("othello/wthor_games.csv")
    for row in played:
        state = game.parse(row["moves"])
        assert game.is_terminal(state), row
        assert game.utility(state, 0) == 2 * int(row["black_score"]) - 64, row
    assert played


def test_openspiel_games():
    game = gambito.load("othello")
    played = [row for row in json_lines("openspiel/random_games.jsonl") if row["game"] == "othello"]
    for row in played:
        state = game.initial()
        for number, name, player in zip(row["legal_counts"], row["moves"], row["player"], strict=True):
            assert len(game.legal(state)) == number
            assert game.player(state) == int(player)
            state = game.result(state, game.read(state, name))
        assert game.is_terminal(state) == row["finished"]
        score = game.utility(state, 0)
        assert (score > 0) - (score < 0) == row["returns"][0]
        board = "".join(re.findall(r"(?m)^\d (.*) \d$", row["final_state"])).replace(" ", "")
        assert game.text(state)[:64] == board.upper()
    assert played


def test_the_small_board_is_solved():
    """4×4: the second player wins 11 to 3, with the two empty squares by 10."""
    game = gambito.load("othello:size=4")
    found = gambito.solve(game, algorithm="mtd-f")
    assert (found.value, found.exact) == (-10, True)
    state = game.initial()
    for action in found.line:
        state = game.result(state, action)
    assert game.is_terminal(state)
    assert (popcount(state.mine), popcount(state.theirs)) in ((3, 11), (11, 3))
    for action in game.legal(game.initial()):
        assert gambito.solve(game, game.result(game.initial(), action), algorithm="mtd-f").value == 10


def popcount(bits) -> int:
    return int(bits).bit_count()


@pytest.mark.thorough
def test_endings():
    """Endings of real games with known scores."""
    easy = [row for row in rows("othello/endgames_6_to_12_empties.csv") if int(row["empties"]) <= 8]
    for row in easy[:40]:
        found = gambito.solve("othello", f"{row['board']} {row['side']}", algorithm="alpha-beta")
        assert found.value == int(row["score"]), row
        assert found.words()[0].upper() in row["best_moves"].split(), row
    assert easy


# ---- what the game adds --------------------------------------------------------------------------------


def test_a_player_without_a_move_passes():
    game = gambito.load("othello:size=4")
    state = game.parse("XO-- ---- ---- ---- O")
    assert [game.write(state, a) for a in game.legal(state)] == ["pass"]
    after = game.result(state, game.read(state, "PASS"))
    assert game.text(after) == "XO-------------- X"
    assert [game.write(after, a) for a in game.legal(after)] == ["c1"]


def test_empty_squares_count_for_the_winner():
    game = gambito.load("othello")
    wiped_out = game.parse("XXX" + "-" * 61 + "O")
    assert game.is_terminal(wiped_out)
    assert [game.utility(wiped_out, p) for p in (0, 1)] == [64, -64]
    drawn = game.parse("X" + "-" * 62 + "O" + "O")
    assert game.is_terminal(drawn)
    assert [game.utility(drawn, p) for p in (0, 1)] == [0, 0]


@pytest.mark.parametrize("size", SIZES)
def test_what_is_fixed_stays_and_bounds_hold(size):
    game, rng = gambito.load(f"othello:size={size}"), random.Random(1)
    for _ in range(12):
        state, path, fixed = game.initial(), [], [0, 0]
        while not game.is_terminal(state):
            path.append(state)
            state = game.result(state, rng.choice(game.legal(state)))
            for player in (0, 1):
                mine, theirs = state[:2] if player == state.mover else state[1::-1]
                assert fixed[player] & ~int(mine) == 0
                fixed[player] |= int(game.fixed(mine, theirs))
        for earlier in path:
            lowest, highest = game.bounds(earlier)
            assert lowest <= game.utility(state, earlier.mover) <= highest


@pytest.mark.parametrize("size", SIZES)
def test_the_eight_views_are_alike(size):
    game, rng = gambito.load(f"othello:size={size}"), random.Random(2)
    for _ in range(10):
        state = random_state(game, rng, rng.randint(1, size * size - 8))
        views = list(game.symmetries(state))
        assert len({tuple(map(int, v)) for v in [*views, state]}) in (1, 2, 4, 8)
        for view in views:
            assert view.mover == state.mover
            assert len(game.legal(view)) == len(game.legal(state))
            assert game.evaluate(view, 0) == game.evaluate(state, 0)
            assert game.bounds(view) == game.bounds(state)
            priorities = [sorted(game.priority(s, a) for a in game.legal(s)) for s in (view, state)]
            assert priorities[0] == priorities[1]
    corner = game.initial()._replace(mine=np.uint64(2), theirs=np.uint64(0))  # b1 lies eight ways
    assert len({int(v.mine) for v in game.symmetries(corner)} - {2}) == 7


def test_passing_the_turn_and_keys():
    game, rng = gambito.load("othello"), random.Random(3)
    seen: dict[int, tuple] = {}
    for _ in range(300):
        state = random_state(game, rng, rng.randint(0, 55))
        other = game.pass_turn(state)
        assert (other.mine, other.theirs, other.mover) == (state.theirs, state.mine, 1 - state.mover)
        assert not game.is_terminal(other)
        for position in (state, other, state._replace(mover=1 - state.mover)):
            assert seen.setdefault(int(game.key(position)), position) == position


def test_stages_and_the_order_of_moves():
    game = gambito.load("othello")
    assert game.stage(game.initial()) == 0
    assert game.stage(game.parse("X" * 63 + "-" + "O")) == 5
    state = game.parse("-OX-----" + "-OX-----" * 6 + "--------" + "X")
    named = {game.write(state, a): game.priority(state, a) for a in game.legal(state)}
    assert max(named, key=named.__getitem__) == "a5"  # leaves the fewest replies
    assert game.write(state, game.legal(state)[0]) == "a1"


# ---- text ----------------------------------------------------------------------------------------------


def test_notation():
    game = gambito.load("othello")
    assert game.text(game.initial()) == START
    assert game.text(game.parse("")) == START
    written = "\n".join(START[r : r + 8] for r in range(0, 64, 8)).replace("-", ".").replace("X", "*")
    assert game.text(game.parse(written.lower() + "\nx")) == START
    assert [game.write(game.initial(), a) for a in range(3)] == ["a1", "b1", "c1"]
    assert game.write(game.initial(), 8) == "a2"
    assert game.read(game.initial(), " F5 ") == 37
    after = game.parse("f5d6c3")
    assert after == game.parse("F5 d6\nC3")
    assert game.show(after).splitlines() == [
        "  a b c d e f g h",
        "1 - - - - - - - -",
        "2 - - - - - - - -",
        "3 - - X - - - - -",
        "4 - - - X X - - -",
        "5 - - - O X X - -",
        "6 - - - O - - - -",
        "7 - - - - - - - -",
        "8 - - - - - - - -",
        "X 5, O 2; O to move",
    ]


@pytest.mark.parametrize("size", SIZES)
def test_positions_and_games_round_trip(size):
    game, rng = gambito.load(f"othello:size={size}"), random.Random(4)
    for _ in range(10):
        state, played = game.initial(), []
        while not game.is_terminal(state):
            action = rng.choice(game.legal(state))
            played.append(game.write(state, action))
            assert game.read(state, played[-1]) == action
            state = game.result(state, action)
            assert game.parse(game.text(state)) == state
        assert game.parse("".join(played)) == state
        assert game.parse("".join(m for m in played if m != "pass")) == state


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (START[:-1], "does not say who moves"),
        (START[:-1] + "-", "does not say who moves"),
        (START[:-2] + "- X", "is no position"),
        (START[1:], "does not say who moves"),
        (START[2:], "is no position"),
        (START.replace("O", "Q"), "is no position"),
        ("X", "is no position"),
        ("f5f6e6f5", "f5, move 4 of .* is not legal; accepted: "),
        ("f5f5", "is not legal"),
        ("a1", "accepted: .*f5"),
        ("pass", "pass, move 1 of 'pass', is not legal"),
        ("f5d", "move 2 of 'f5d' cannot be read; accepted: a1 to h8, and pass"),
        ("f9", "cannot be read"),
        ("i5", "cannot be read"),
        ("paſs", "cannot be read"),
        ("e6f4e3f6g5d6e7f5c5a1", "the game is over before move 10"),
    ],
)
def test_positions_that_cannot_be_read(text, said):
    with pytest.raises(PositionError, match=said) as told:
        gambito.load("othello").parse(text)
    assert len(str(told.value).splitlines()) == 1


def test_moves_that_cannot_be_read():
    game = gambito.load("othello")
    for text in ("", "a1", "f55", "pass", "37"):
        with pytest.raises(PositionError, match="is not a move here"):
            game.read(game.initial(), text)


def test_sizes_that_there_are_not():
    for size in (0, 2, 5, 7, 10, -8):
        with pytest.raises(ValueError, match="size is 4, 6 or 8"):
            gambito.load(f"othello:size={size}")


@pytest.mark.slow
def test_another_process_finds_the_same_code():
    """The digest of the rules is the same in every process; otherwise every start would compile them."""
    text = (
        "import gambito; from gambito.game.gears import gears; "
        "print(gears(gambito.load('othello')).in_gear('native').key)"
    )
    seen = {
        run(sys.executable, "-c", text, env={**os.environ, "PYTHONHASHSEED": seed}).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1 and "" not in seen
