"""A book's file: it goes both ways, damage is found, and threads may read at once."""

from __future__ import annotations

import json
import random
import struct
import threading
import zlib

import numpy as np
import pytest

import gambito
from gambito.books.book import Book, new_pages, open_own
from gambito.books.choice import word_of
from gambito.books.entries import ENTRY, EXACT, combined, entries_of
from gambito.books.files import BLOCK, MAGIC, Facts, Pages, changing, write_pages
from gambito.books.shelf import open_book
from gambito.errors import BookError
from tests.support import data

NAN = float("nan")
TOE = gambito.load("tic-tac-toe")


@pytest.fixture
def written(shared, tmp_path):
    """A file, its game, and the book that was written."""
    game, _, book = shared("othello")
    path = tmp_path / "othello.book"
    write_pages(path, book.pages())
    return path, game, book


def test_a_book_goes_both_ways(written, tmp_path):
    path, game, book = written
    again = open_own(path)
    assert again.facts == book.facts and again.facts.games == 160
    assert again.entries().tobytes() == book.entries().tobytes()
    write_pages(tmp_path / "copy.book", again.pages())
    assert (tmp_path / "copy.book").read_bytes() == path.read_bytes()
    for state, entries in book.walk(game):
        assert again.find(game, state).tobytes() == entries.tobytes()
    assert len(again.find(game, game.parse("f5f6e6f4e3c5c4e7c6e2"))) == 0


def test_moves_that_lie_in_two_blocks(tmp_path):
    """The same position in the last entries of a block and the first of the next."""
    game = gambito.load("othello")
    key, legal = word_of(game, game.initial()), sorted(game.legal(game.initial()))
    before = [(n, 0, NAN, 1, 0, 0, 0, 0, 0) for n in range(BLOCK - 2)]
    entries = combined(entries_of([*before, *((key, a, NAN, 1, 0, 0, 0, 0, 0) for a in legal)]))
    write_pages(tmp_path / "b.book", Pages(Facts("othello", "", [""]), entries))
    assert open_own(tmp_path / "b.book").find(game, game.initial())["action"].tolist() == legal


def test_an_empty_book(tmp_path):
    write_pages(tmp_path / "empty.book", Pages(Facts("tic-tac-toe", "", [""])))
    book = open_own(tmp_path / "empty.book")
    assert len(book) == 0 and book.moves(TOE, TOE.initial()) == {} and book.choose(TOE, TOE.initial()) is None


def test_entries_are_combined():
    rows = [
        (5, 1, NAN, 2, 1, 1, 0, 0, 0),
        (5, 1, 3.0, 0, 0, 0, 0, 8, 0),
        (5, 1, 4.0, 1, 0, 0, 1, 6, 0),
        (5, 0, 1.0, 0, 0, 0, 0, 2, EXACT),
        (5, 0, 2.0, 0, 0, 0, 0, 9, 0),
        (2, 7, NAN, 0xFFFFFFFF, 0, 0, 0, 0, 0),
        (2, 7, NAN, 5, 0, 0, 0, 0, 0),
    ]
    for seed in range(5):
        random.Random(seed).shuffle(rows)
        found = combined(entries_of(rows))
        assert [tuple(e)[:2] for e in found.tolist()] == [(2, 7), (5, 0), (5, 1)]
        assert found["count"].tolist() == [0xFFFFFFFF, 0, 3] and np.isnan(found["value"][0])
        assert found["value"][1:].tolist() == [1.0, 3.0] and found["depth"].tolist() == [0, 2, 8]
    assert len(combined(np.empty(0, ENTRY))) == 0


def test_a_book_of_another_game(written):
    path, game, _ = written
    book = open_own(path)
    book.check(game)
    with pytest.raises(gambito.BookError, match="is a book of othello, not of chess"):
        book.check(gambito.load("chess"))
    with pytest.raises(gambito.BookError, match="is a book of othello, not of othello:size=6"):
        book.check(gambito.load("othello:size=6"))
    book.facts.keys = "0" * 16
    with pytest.raises(gambito.BookError, match="another version of othello, whose keys are different"):
        book.check(game)


def test_damaged_files_are_refused(written):
    """Whatever byte is changed, wherever a file is cut off."""
    path, _, book = written
    whole, rng = path.read_bytes(), random.Random(3)

    def is_refused(raw):
        path.write_bytes(raw)
        try:
            open_own(path).entries()
        except gambito.BookError as problem:
            assert "\n" not in str(problem)
            return True
        return False

    head = len(whole) - len(book) * ENTRY.itemsize
    places = [*rng.sample(range(head), 150), *rng.sample(range(head, len(whole)), 150)]
    for place in places:
        assert is_refused(whole[:place] + bytes([whole[place] ^ 1 << rng.randrange(8)]) + whole[place + 1 :])
    for place in [0, 1, len(whole) - 1, *rng.sample(range(len(whole)), 100)]:
        assert is_refused(whole[:place])
    assert is_refused(whole + b"\0")
    assert not is_refused(whole)


def test_what_is_no_book(tmp_path):
    with pytest.raises(gambito.BookError, match="cannot be read"):
        open_own(tmp_path / "none")
    with pytest.raises(gambito.BookError, match="cannot be read"):
        open_book(tmp_path / "none")
    (tmp_path / "text").write_text("moves, moves")
    with pytest.raises(gambito.BookError, match="is no book of this version"):
        open_own(tmp_path / "text")
    with pytest.raises(gambito.BookError, match="no Polyglot book: 12 bytes"):
        open_book(tmp_path / "text")
    assert len(open_book(data("chess/gnuchess_small.bin"))) == 4687


def test_threads_read_at_once(written):
    path, game, book = written
    expected = [(state, entries.tobytes()) for state, entries in book.walk(game)][:600]
    again, wrong = open_own(path), []

    def read(seed):
        for state, entries in random.Random(seed).sample(expected, len(expected)):
            if again.find(game, state).tobytes() != entries:
                wrong.append(seed)

    threads = [threading.Thread(target=read, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def analysed(values, counts=(0,) * 9):
    """A book of the first position of tic-tac-toe."""
    key = word_of(TOE, TOE.initial())
    rows = [(key, a, v, c, c, 0, 0, 3, 0) for a, (v, c) in enumerate(zip(values, counts, strict=False))]
    return Book(Pages(Facts("tic-tac-toe", "", [""]), combined(entries_of(rows))))


def test_choices():
    state, rng = TOE.initial(), random.Random(1)
    book = analysed([0.0, 1.0, 0.9, -1.0])
    assert book.choose(TOE, state) == 1
    assert {book.choose(TOE, state, rng) for _ in range(50)} == {1}
    assert {book.choose(TOE, state, rng, 0.5) for _ in range(50)} == {1, 2}
    assert {book.choose(TOE, state, rng, 5.0) for _ in range(99)} == {0, 1, 2, 3}
    played = analysed([NAN] * 3, [0, 10, 1])
    assert played.choose(TOE, state) == 1
    chosen = [played.choose(TOE, state, rng) for _ in range(200)]
    assert chosen.count(1) > chosen.count(2) > 0 == chosen.count(0)
    both = analysed([0.5, 0.5, 0.0], [0, 3, 9])
    assert both.choose(TOE, state) == 1
    assert analysed([0.0] * 9).moves(TOE, TOE.parse("X../.../...")) == {}


def test_only_one_process_changes_a_book(tmp_path):
    path = tmp_path / "x.book"
    with changing(path):
        with pytest.raises(BookError, match="is being written by another process"), changing(path):
            pass
        with changing(tmp_path / "y.book"):
            pass
    with changing(path):
        write_pages(path, new_pages(gambito.load("nim")))
    assert [p.name for p in tmp_path.iterdir()] == ["x.book"]


HEADS = {
    "game": [3, None, ["nim"]],
    "keys": [1.5, {}],
    "starts": ["", {"a": 1}, [3], [None], 7],
    "games": ["many", -1, 1e400, True],
    "entries": ["2", 2.5, -3, 10**30, None],
}


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, values in HEADS.items() for v in values])
def test_a_head_with_right_checksums_and_wrong_facts_is_refused(tmp_path, name, value):
    path = tmp_path / "x.book"
    write_pages(path, new_pages(gambito.load("nim")))
    facts = {"game": "nim", "keys": "0", "starts": [""], "games": 0, "entries": 0, name: value}
    for text in (json.dumps(facts), json.dumps([facts]), json.dumps({name: value}), "[" * 99_999):
        head = MAGIC + struct.pack("<I", len(text)) + text.encode()
        path.write_bytes(head + struct.pack("<I", zlib.crc32(head)))
        with pytest.raises(BookError, match="is damaged"):
            open_book(path)
