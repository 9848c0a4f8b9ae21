"""Checkers against published counts, ballots and games; and its text."""

import random
import re

import pytest

import gambito
from gambito import PositionError
from gambito.games.draughts.notation import route_of, routes_from
from gambito.games.draughts.rules import read_pdn
from tests.support import data, rows

GAME = gambito.load("checkers")
GAMES = """[Event "A"]
[GameType "21"]
[FEN "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29."]

1. 22-17 {a comment} (1. 25-21 15-11) 15-11!? 2. 25-30 *

[Event "B"]
[Result "1-0"]
1. 11-15 23-19 2. 8-11 22-17 1-0
"""


def test_perft():
    for row in rows("checkers/perft_english.csv"):
        if int(row["depth"]) <= 10:
            counted = gambito.perft(GAME, depth=int(row["depth"]))
            assert counted == int(row["nodes_without_duplicate_captures"])


@pytest.mark.slow
def test_deep_perft():
    """From twelve plies on kings have several routes."""
    row = rows("checkers/perft_english.csv")[6]
    assert gambito.perft("checkers", depth=12) == int(row["nodes_without_duplicate_captures"])
    assert gambito.perft("checkers:routes=true", depth=12) == int(row["nodes"])


def test_ballots_are_legal():
    for row in rows("checkers/ballots_acf.csv"):
        GAME.parse(row["moves"])


def test_games_of_tinsley():
    """All but one are legal to the end, which plays a king twice from one square; what is written is read."""
    parts = re.split(r"\n(?=\[Event)", data("checkers/tinsley_sample.pdn").read_text())[1:]
    wrong = []
    for part in parts:
        try:
            (score,) = read_pdn(GAME, part)
        except PositionError as problem:
            wrong.append(str(problem))
            continue
        assert GAME.read_game(GAME.write_game(score.start, score.actions)) == (score.start, score.actions)
    assert len(parts) == 73
    assert len(wrong) == 1 and "32-28" in wrong[0]


def test_pdn():
    first, second = read_pdn(GAME, GAMES)
    assert first.start == GAME.parse("B:WK10,K15,18,24,27,28:B12,16,20,K22,K25,K29")
    assert first.line.moves[0].comment == "a comment"
    assert len(first.line.moves[0].others[0].moves) == 2
    assert (first.line.moves[1].glyphs, first.result, second.result) == ([5], "*", "1-0")


def test_captures_of_several_pieces_are_one_action():
    """A king may go round four men either way; the ways are told apart only if asked."""
    state = GAME.parse("B:W6,7,14,15:BK2")
    assert [GAME.write(state, a) for a in GAME.legal(state)] == ["2x2"]
    apart = gambito.load("checkers:routes=true")
    names = [apart.write(state, a) for a in apart.legal(state)]
    assert sorted(names) == ["2x11x18x9x2", "2x9x18x11x2"]
    assert [apart.write(state, apart.read(state, name)) for name in names] == names
    assert GAME.touch(state, GAME.legal(state)[0]) == ((1,), (8, 10), (17,), (10, 8), (1,))
    with pytest.raises(PositionError, match="several"):
        apart.read(state, "2x2")


@pytest.mark.parametrize("spec", ["checkers", "checkers:routes=true", "draughts", "draughts:routes=true"])
def test_captures_are_those_of_plain_python(spec):
    """The routes of all captures, found once more, on random positions full of kings."""
    game, rng = gambito.load(spec), random.Random(3)
    for _ in range(150):
        squares = rng.sample(range(1, game.squares + 1), rng.randint(6, game.squares // 2))
        pieces = [f"K{s}" if rng.random() < 0.5 else str(s) for s in squares]
        mine, theirs = ",".join(pieces[: len(pieces) // 3]), ",".join(pieces[len(pieces) // 3 :])
        state = game.parse(f"W:W{mine}:B{theirs}")
        captures = [a for a in game.legal(state) if a >> 12]
        for start in {a & 63 for a in captures}:
            routes = routes_from(game, state, start)
            numbers = [(a >> 12, a >> 6 & 63) for a in captures if a & 63 == start]
            assert numbers == [(n, ways[0][-1]) for n, ways in enumerate(routes, 1)]
        for action in captures:
            after = game.result(state, action)
            taken = int(state.theirs).bit_count() - int(after.mine).bit_count()
            assert taken >= len(route_of(game, state, action)) - 1 > 0


def test_draws_and_ends():
    assert GAME.is_terminal(GAME.parse("W:W:B1"))
    lost = GAME.parse("W:W28:B24,19")
    assert GAME.is_terminal(lost) and GAME.utility(lost, 0) > 0
    drawn = GAME.parse("W:WK1:BK32:H80")
    assert GAME.is_terminal(drawn) and GAME.utility(drawn, 0) == 0
    assert not gambito.load("checkers:patience=0").is_terminal(drawn)


def test_positions_that_cannot_be_read():
    for text in (
        "B:W33:B1", "B:W1:B1", "X:W1:B2", "B:W1:W2", "B:", "B:Z1", "B:Wx:B1", "B:W5-3:B1", "B:W1:B2:Hx", "1",
    ):  # fmt: skip
        with pytest.raises(PositionError):
            GAME.parse(text)


def test_mutated_texts():
    """A mutated text is either read or refused with one sentence."""
    rng = random.Random(1)
    fens = [GAME.text(GAME.initial()), "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29:H3"]
    letters = 'BWKHF:,-x0123456789 .{}()[]";$*/\n\t×é'
    for number in range(10_000):
        is_game = number % 10 == 0
        text = list(GAMES if is_game else rng.choice(fens))
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(text))
            text[place : place + rng.randint(0, 2)] = rng.choice(letters) * rng.randint(0, 2)
        try:
            read_pdn(GAME, "".join(text)) if is_game else GAME.parse("".join(text))
        except PositionError as told:
            assert len(str(told).splitlines()) == 1


def test_it_knows_what_is_good():
    """A man ahead is better, and a king more so; the board turned round is worth the same to the other."""
    even = GAME.parse("B:W21,22,30:B1,2,9")
    for text, sign in (("B:W21,22:B1,2,9", 1), ("B:W21,22,30:B1,9", -1), ("B:WK18,22,30:B1,2,9", -1)):
        value = GAME.evaluate(GAME.parse(text), 0) - GAME.evaluate(even, 0)
        assert value * sign > 20
    turned = GAME.parse("W:W32,31,24:B12,11,3")
    assert GAME.evaluate(turned, 1) == GAME.evaluate(even, 0)


def test_the_engine_finds_wins():
    """End games of three pieces, as soon as the tables say."""
    count = 0
    for row in rows("checkers/endgames_2_3_pieces.csv"):
        if row["result"] == "win" and int(row["plies"]) <= 9:
            found = gambito.search(GAME, row["fen"], algorithm="engine", depth=int(row["plies"]) + 2)
            assert found.ends_in == int(row["plies"]), row
            count += 1
    assert count > 20
