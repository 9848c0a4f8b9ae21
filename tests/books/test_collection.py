"""Books of games: every line legal, and the counts of a plain recount."""

from __future__ import annotations

import re
import struct
from collections import Counter

import chess
import chess.pgn
import chess.polyglot
import pytest

import gambito
from gambito.books.book import Book, merge
from gambito.books.choice import word_of
from gambito.books.collection import PLIES, Collection
from tests.books.conftest import FILES
from tests.support import data


@pytest.mark.parametrize("name", [pytest.param("chess", marks=pytest.mark.slow), "checkers", "othello"])
def test_every_line_is_legal(shared, name):
    game, collection, book = shared(name)
    walked = 0
    for state, entries in book.walk(game):
        assert set(entries["action"].tolist()) <= set(game.legal(state))
        assert (entries["wins"] + entries["draws"] + entries["losses"] == entries["count"]).all()
        walked += len(entries)
    assert walked == len(book) > 2000
    assert len(collection.skipped) == (1 if name == "checkers" else 0)


def tally(book):
    return {
        (int(e["key"]), int(e["action"])): tuple(map(int, (e["count"], e["wins"], e["draws"], e["losses"])))
        for e in book.entries()
    }


@pytest.mark.slow
def test_chess_has_the_counts_of_python_chess(shared):
    game, _, book = shared("chess")
    counted: dict[tuple[int, str], Counter] = {}
    with open(data(FILES["chess"])) as file:
        while (played := chess.pgn.read_game(file)) is not None:
            board, result = played.board(), played.headers["Result"]
            for move in list(played.mainline_moves())[:PLIES]:
                won = {"1-0": chess.WHITE, "0-1": chess.BLACK}.get(result)
                outcome = "draw" if won is None else "win" if won == board.turn else "loss"
                place = chess.polyglot.zobrist_hash(board), move.uci()
                counted.setdefault(place, Counter()).update([outcome])
                board.push(move)
    found = {}
    for state, entries in book.walk(game):
        for e in entries:
            place = word_of(game, state), game.token(state, int(e["action"]))
            found[place] = tuple(int(e[name]) for name in ("wins", "draws", "losses"))
    assert found == {place: (c["win"], c["draw"], c["loss"]) for place, c in counted.items()}


def recount(game, games):
    """By walking the states: (key, action) to count, wins, draws, losses."""
    counted: dict[tuple[int, int], list[int]] = {}
    for words, points in games:
        state = game.initial()
        for ply, word in enumerate(words):
            legal = game.legal(state)
            if [game.write(state, a) for a in legal] == ["pass"]:
                words.insert(ply, "pass")
                word = "pass"
            action = game.read(state, word)
            own = points if game.player(state) == 0 else 1 - points
            if ply < PLIES:
                entry = counted.setdefault((word_of(game, state), action), [0, 0, 0, 0])
                entry[0] += 1
                entry[1 + [1, 0.5, 0].index(own)] += 1
            state = game.result(state, action)
    return {place: tuple(entry) for place, entry in counted.items()}


def test_othello_has_the_counts_of_its_file(shared):
    """The counts equal those of an independent reading of the file."""
    game, collection, book = shared("othello")
    raw = data(FILES["othello"]).read_bytes()
    games = []
    for place in range(16, len(raw), 68):
        black, moves = raw[place + 6], raw[place + 8 : place + 68]
        words = ["abcdefgh"[move % 10 - 1] + str(move // 10) for move in moves if move]
        games.append((words, 1 if black > 32 else 0 if black < 32 else 0.5))
    assert len(games) == collection.pages().facts.games == struct.unpack_from("<I", raw, 4)[0]
    assert recount(game, games) == tally(book)


@pytest.mark.slow
def test_checkers_has_the_counts_of_its_file(shared):
    game, collection, book = shared("checkers")
    games = []
    for text in data(FILES["checkers"]).read_text().split("[Event")[1:]:
        moves = text.rsplit("]", 1)[1]
        result = re.search(r'Result "([^"]*)"', text)[1]
        words = re.findall(r"\d+(?:[-x]\d+)+", moves.strip().removesuffix(result))
        games.append((words, {"1-0": 1, "0-1": 0}.get(result, 0.5)))
    bad = {skipped.number - 1 for skipped in collection.skipped}
    assert recount(game, [g for n, g in enumerate(games) if n not in bad]) == tally(book)


def test_a_list_of_othello_games_is_the_same_book(shared, tmp_path):
    """As text, with or without the result: the games were played to the end, so the rules give the result."""
    game, _, book = shared("othello")
    texts = list(game.split_games(data(FILES["othello"]).read_bytes()))
    path = tmp_path / "games.txt"
    path.write_text("# a list\n\n" + "\n".join(texts[:80] + [text.split()[0] for text in texts[80:]]))
    collection = Collection(game)
    list(collection.read(path))
    assert tally(Book(collection.pages())) == tally(book)


def test_merged_books_are_a_book_of_both(shared):
    game, _, book = shared("othello")
    texts = list(game.split_games(data(FILES["othello"]).read_bytes()))
    halves = []
    for some in (texts[:60], texts[60:]):
        collection = Collection(game)
        for text in some:
            collection.add(*game.read_record(text))
        halves.append(Book(collection.pages()))
    pages = merge(halves)
    assert (pages.entries.tobytes(), pages.facts.games) == (book.entries().tobytes(), 160)
    with pytest.raises(gambito.BookError, match="one of othello"):
        merge([halves[0], shared("checkers")[2]])


def test_bad_games_are_told_and_skipped(tmp_path):
    game = gambito.load("chess")
    path = tmp_path / "games.pgn"
    path.write_text(
        '[Event "a"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n[Event "b"]\n\n1. e4 Ke7 *\n\n'
        '1. d4 {no [Event "x"]} d5 (1... Nf6) 1/2-1/2 1. c4 *\n[Event "c"]\n[Result "0-1"]\n\n1. e5 0-1\n'
        '[Event "d"]\n[Result "0-1"]\n1. f3 e5 2. g4 Qh4# 0-1'
    )
    collection = Collection(game)
    assert list(collection.read(path)) == [1, 2, 3, 4, 5, 6]
    assert [(s.number, s.reason.split(":")[0]) for s in collection.skipped] == [(2, "line 3"), (5, "line 4")]
    book = Book(collection.pages())
    assert {game.write(game.initial(), a): w for a, w in book.moves(game, game.initial()).items()} == {
        "e4": 2, "d4": 1, "c4": 1, "f3": 0,
    }  # fmt: skip


def test_go_records(tmp_path):
    game = gambito.load("go:size=5")
    path = tmp_path / "games.sgf"
    path.write_text(
        "(;SZ[5]RE[B+R];B[cc];W[cd](;B[bb])(;B[dd]))\n(;SZ[5]RE[W+2.5]C[a \\] ( b];B[cc];W[bb])(;SZ[9];B[cc])"
        "(;SZ[5]AB[cc];W[bb])(;SZ[5];B[cc];W[dc])(;SZ[5];B[cc"
    )
    collection = Collection(game)
    assert list(collection.read(path)) == [1, 2, 3, 4, 5, 6]
    assert [s.number for s in collection.skipped] == [3, 4, 6]
    (entry,) = Book(collection.pages()).find(game, game.initial())
    assert [int(entry[n]) for n in ("count", "wins", "draws", "losses")] == [3, 1, 0, 1]


def test_any_game_from_lines(tmp_path):
    game = gambito.load("tic-tac-toe")
    path = tmp_path / "games.txt"
    path.write_text("5 1 9 1-0\n5 1 3 7 6 4\n5 5\n5 2 0-1\n5 2 1/2-1/2\n5 2 *\n")
    collection = Collection(game, plies=1)
    list(collection.read(path))
    assert [(s.number, s.reason[:6]) for s in collection.skipped] == [(3, "move 2")]
    (entry,) = Book(collection.pages()).find(game, game.initial())
    assert [int(entry[n]) for n in ("count", "wins", "draws", "losses")] == [5, 1, 1, 2]


def test_what_cannot_be_counted(tmp_path):
    with pytest.raises(gambito.BookError, match="books are of games for two"):
        Collection(gambito.load("sliding-tiles"))
    with pytest.raises(gambito.BookError, match="at least one ply"):
        Collection(gambito.load("nim"), plies=0)
    othello = Collection(gambito.load("othello"))
    with pytest.raises(gambito.BookError, match="cannot be read"):
        list(othello.read(tmp_path / "none"))
    raw = data(FILES["othello"]).read_bytes()
    for spoiled, reason in (
        (raw[:-1], "holds 10879 bytes"),
        (raw[:12] + b"\x0a" + raw[13:], "boards of size 10"),
        (raw[:10], "its head alone has 16"),
    ):
        (tmp_path / "bad.wtb").write_bytes(spoiled)
        with pytest.raises(gambito.BookError, match=reason):
            list(othello.read(tmp_path / "bad.wtb"))


def test_positions_that_dice_lead_to():
    game = gambito.load("nannon")
    collection = Collection(game)
    state, actions = game.initial(), []
    while len(actions) < 6:
        actions.append(game.legal(state)[0])
        state = game.result(state, actions[-1])
    collection.add(game.initial(), actions)
    book = Book(collection.pages())
    assert sum(len(entries) for _, entries in book.walk(game)) == len(book) > 0
