"""Built-in games against published numbers, and their parsers against invalid texts."""

import functools
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gambito
from gambito import PositionError
from gambito.game.registry import game_classes
from tests.support import data, random_tree, rows

NAMES = sorted(game_classes())
load_once = functools.cache(gambito.load)


@pytest.mark.parametrize("spec", NAMES)
def test_traits_are_not_shadowed(spec):
    """The attributes of a game must not have the name of a trait."""
    game = gambito.load(spec)
    for name, usual in vars(gambito.Game).items():
        if not name.startswith("_"):
            assert callable(getattr(game, name)) == callable(usual), name


def test_tic_tac_toe_counts():
    """255,168 games and 5,478 positions."""
    game = gambito.load("tic-tac-toe")
    positions, games, waiting = set(), 0, [game.initial()]
    while waiting:
        state = waiting.pop()
        positions.add(state)
        if game.is_terminal(state):
            games += 1
            continue
        waiting += [game.result(state, a) for a in game.actions(state)]
    assert (games, len(positions)) == (255_168, 5_478)


def test_tic_tac_toe_perft():
    for row in rows("tic_tac_toe/perft.csv"):
        assert gambito.perft("tic-tac-toe", depth=int(row["ply"])) == int(row["sequences"])


def test_perft_is_alike_in_both_gears():
    for spec in ("connect-four", "nim:heaps=1-2-2", "tic-tac-toe"):
        native, python = (gambito.perft(spec, depth=4, gear=g) for g in ("native", "python"))
        assert native == python


def test_openspiel_games():
    """Random games that OpenSpiel played: the same moves are legal, and they end alike."""
    count = 0
    for line in data("openspiel/random_games.jsonl").read_text().splitlines():
        row = json.loads(line) if line.startswith("{") else {}
        spec = {"connect_four": "connect-four", "tic_tac_toe": "tic-tac-toe"}.get(row.get("game", ""))
        if spec is None:
            continue
        game = gambito.load(spec)
        state = game.initial()
        for number, name in zip(row["legal_counts"], row["moves"], strict=True):
            actions = game.legal(state)
            assert len(actions) == number
            state = game.result(state, openspiel_action(spec, name))
        assert game.is_terminal(state)
        score = game.utility(state, 0)
        assert (score > 0) - (score < 0) == row["returns"][0]
        count += 1
    assert count


def openspiel_action(spec: str, name: str) -> int:
    if spec == "connect-four":
        return int(name[1:])
    row, column = name[2:-1].split(",")
    return 3 * int(row) + int(column)


@pytest.mark.parametrize("most", [4000, pytest.param(40_000, marks=pytest.mark.slow)])
def test_connect_four_positions_are_counted_right(most):
    """How many positions small boards have."""
    for row in rows("connect4/position_counts_by_board.csv"):
        width, height, count = int(row["width"]), int(row["height"]), int(row["positions"])
        if count > most:
            continue
        game = gambito.load(f"connect-four:width={width},height={height}")
        seen, waiting = set(), [game.initial()]
        while waiting:
            state = waiting.pop()
            if tuple(map(int, state)) in seen:
                continue
            seen.add(tuple(map(int, state)))
            if not game.is_terminal(state):
                waiting += [game.result(state, a) for a in game.actions(state)]
        assert len(seen) == count, row


@pytest.mark.parametrize("count", [40, pytest.param(150, marks=pytest.mark.slow)])
def test_connect_four_end_games(count):
    """Pascal Pons' easiest set: every score, and every column that keeps it."""
    for row in rows("connect4/Test_L3_R1.csv")[:count]:
        found = gambito.solve("connect-four", row["moves"])
        assert found.value == int(row["score"]), row
        assert found.exact
        assert found.words()[0] in row["best_columns"].split(), row


def test_connect_four_other_layouts_agree():
    """A board that does not fit with a spare row has the same rules: 9×7 beside a naive count."""
    game = gambito.load("connect-four:width=9,height=7,line=4")
    rng = random.Random(5)
    for _ in range(60):
        state, board = game.initial(), [[] for _ in range(9)]
        while not game.is_terminal(state):
            column = rng.choice(game.legal(state))
            board[column].append(int(state.stones) % 2)
            state = game.result(state, column)
        assert (game.utility(state, 0) != 0) == naive_line(board, 7, 4)


def naive_line(board: list[list[int]], height: int, line: int) -> bool:
    cells = {(x, y): who for x, column in enumerate(board) for y, who in enumerate(column)}
    for x, y in cells:
        for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if len({cells.get((x + dx * k, y + dy * k), (x, k)) for k in range(line)}) == 1:
                return True
    return False


def nim_rows(most: int) -> list[dict[str, str]]:
    """The rows with at most that many objects in all heaps."""
    return [row for row in rows("nim/nim.csv") if sum(map(int, row["heaps"].split())) <= most]


@pytest.mark.parametrize(
    ("most", "gear"), [(8, "python"), pytest.param(14, "native", marks=pytest.mark.slow)]
)
def test_misere_nim_follows_the_theorem(most, gear):
    for row in nim_rows(most):
        won = row["misere_winner"] == "first"
        assert gambito.solve("nim:misere=true", row["heaps"], gear=gear).value == (1 if won else -1), row


def test_nim_follows_the_theorem():
    game = gambito.load("nim")
    for row in nim_rows(14):
        won = row["normal_winner"] == "first"
        assert gambito.solve(game, row["heaps"]).value == (1 if won else -1), row
        state = game.parse(row["heaps"])
        winning = {
            game.write(state, a).partition("#")[0]
            for a in game.legal(state)
            if gambito.solve(game, game.result(state, a)).value == -1
        }
        assert winning == set(row["normal_winning_moves"].split()), row


@pytest.mark.parametrize("spec", NAMES)
@settings(max_examples=150, deadline=None)
@given(text=st.one_of(st.text(max_size=30), st.text('XO./-0123456789[],nulmi{}": ', max_size=40)))
def test_parsers_stand_nonsense(spec, text):
    """A parser gives a state whose text it reads again, or says in one sentence what is wrong."""
    game = load_once(spec)
    try:
        state = game.parse(text)
    except PositionError as told:
        assert len(str(told).splitlines()) == 1
        return
    if game.text(state):
        assert game.text(game.parse(game.text(state))) == game.text(state)


@pytest.mark.parametrize("spec", [n for n in NAMES if n != "tree"])
@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=8))
def test_moves_stand_nonsense(spec, text):
    game = load_once(spec)
    state = game.initial()
    try:
        assert game.read(state, text) in game.legal(state)
    except PositionError as told:
        assert "accepted" in str(told)


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 10**9), turns=st.booleans())
def test_trees_are_read_back(seed, turns):
    tree = gambito.load("tree")
    root = tree.parse(json.dumps(random_tree(random.Random(seed), 4, 3, 9, turns)))
    again = tree.parse(tree.text(root))
    told = [(n.player, n.value, n.bounds, n.names, n.height) for n in root.below()]
    assert told == [(n.player, n.value, n.bounds, n.names, n.height) for n in again.below()]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no tree"),
        ("[[3,12,8],[2", "is no tree"),
        ("[]", "at least one move"),
        ("[1,[]]", "at least one move"),
        ('["a"]', "a leaf is a number or null"),
        ("[true]", "a leaf is a number or null"),
        ("[NaN]", "no number"),
        ("[1e400]", "too large"),
        ('{"bounds":[5,1],"moves":[1]}', "pessimistic, optimistic"),
        ('{"player":"mid","moves":[1]}', "max or min"),
        ('{"moves":3}', "a list or an object"),
        ("[" * 600 + "1" + "]" * 600, "deeper than 500"),
        ("[" * 100_000, "is no tree"),
    ],
)
def test_trees_that_cannot_be_read(text, said):
    with pytest.raises(PositionError, match=said):
        gambito.load("tree").parse(text)


def test_positions_that_cannot_be_read():
    for spec, text in (
        ("connect-four", "8"),
        ("connect-four", "1111111"),
        ("connect-four", "11223344"),
        ("connect-four", "......./......./......./......./......./X.X.X.."),
        ("connect-four", "......./......./......./......./...X.../......."),
        ("tic-tac-toe", "XXXXXXXXX"),
        ("tic-tac-toe", "XX"),
        ("tic-tac-toe", "XXX/OO./O.."),
        ("nim", "1 2 three"),
        ("nim", "999"),
        ("nim", "1 1 1 1 1 1 1 1 1"),
    ):
        with pytest.raises(PositionError):
            gambito.load(spec).parse(text)
