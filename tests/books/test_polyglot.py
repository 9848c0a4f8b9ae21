"""Polyglot books against expected entries, both ways."""

import errno
import os
import random
import threading

import pytest

import gambito
from gambito.books.book import Book
from gambito.books.collection import Collection
from gambito.books.polyglot import Entry, format_book, make_book, parse_book, read_book, write_book
from gambito.players.error_sentences import sentence
from tests.support import data, rows

CHESS = gambito.load("chess")


def test_entries_of_a_book():
    book = read_book(data("chess/gnuchess_small.bin"))
    assert len(book) == 4687
    for row in rows("chess/polyglot_book_entries.csv"):
        state = CHESS.parse(row["fen"])
        assert int(CHESS.key(state)) == int(row["key_hex"], 16)
        expected = [tuple(word.split(":")) for word in row["entries"].split()]
        found = {CHESS.token(state, a): str(weight) for a, weight in book.moves(CHESS, state).items()}
        assert found == dict(expected)


def test_a_book_goes_both_ways(tmp_path):
    raw = data("chess/gnuchess_small.bin").read_bytes()
    assert format_book(parse_book(raw)) == raw
    write_book(tmp_path / "copy.bin", parse_book(raw))
    assert read_book(tmp_path / "copy.bin").entries == read_book(data("chess/gnuchess_small.bin")).entries


def test_a_choice_by_weight():
    book = read_book(data("chess/gnuchess_small.bin"))
    state, rng = CHESS.initial(), random.Random(1)
    chosen = [CHESS.write(state, book.choose(CHESS, state, rng)) for _ in range(300)]
    assert CHESS.write(state, book.choose(CHESS, state)) == "e4"
    assert chosen.count("e4") > chosen.count("c4") > 0
    assert book.choose(CHESS, CHESS.parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")) is None


def test_a_book_of_games():
    collection = Collection(CHESS)
    collection.add(*CHESS.read_record("1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O 1-0"))
    book = Book(collection.pages())
    entries = make_book(CHESS, ((state, book.moves(CHESS, state)) for state, _ in book.walk(CHESS)))
    assert [e.weight for e in entries] == [2] * 4
    assert "e1h1" in [e.move for e in entries]
    assert Entry(int(CHESS.key(CHESS.initial())), "e2e4", 2) in entries
    assert list(parse_book(format_book(entries))) == sorted(entries)


def test_large_weights_keep_their_proportions():
    state = CHESS.initial()
    moves = {
        CHESS.read(state, "e4"): 1_000_000.0,
        CHESS.read(state, "d4"): 500_000.0,
        CHESS.read(state, "a3"): 1.0,
    }
    weights = {e.move: e.weight for e in make_book(CHESS, [(state, moves)])}
    assert weights == {"e2e4": 65535, "d2d4": 32767, "a2a3": 1}


def test_a_book_is_of_chess():
    book = read_book(data("chess/gnuchess_small.bin"))
    book.check(CHESS)
    with pytest.raises(gambito.BookError, match="a Polyglot book is of chess, not of othello"):
        book.check(gambito.load("othello"))


def test_what_is_no_book(tmp_path):
    with pytest.raises(gambito.BookError, match="17 bytes"):
        list(parse_book(bytes(17)))
    with pytest.raises(gambito.BookError, match="entry 2 is not sorted"):
        list(parse_book(bytes([1] * 8) + bytes(8) + bytes(16)))
    with pytest.raises(gambito.BookError, match="entry 1 has the move"):
        list(parse_book(bytes(8) + b"\x7f\xff" + bytes(6)))
    with pytest.raises(gambito.BookError, match="cannot be read"):
        read_book(tmp_path / "none.bin")
    with pytest.raises(gambito.BookError, match="no move of a Polyglot book"):
        format_book([Entry(0, "castles")])


def test_mutated_books_raise_nothing_else():
    rng, raw = random.Random(2), data("chess/gnuchess_small.bin").read_bytes()[:320]
    for _ in range(10_000):
        spoiled = bytearray(raw)
        for _ in range(rng.randint(1, 5)):
            spoiled[rng.randrange(len(spoiled))] = rng.randrange(256)
        try:
            list(parse_book(bytes(spoiled[: rng.choice([320, 320, 300])])))
        except gambito.BookError as problem:
            assert "\n" not in str(problem)


def test_a_book_is_replaced_in_one_step(tmp_path, monkeypatch):
    """If the disk is full, the old book stays, and the error names the file."""
    path = tmp_path / "x.bin"
    write_book(path, [Entry(1, "e2e4")])
    whole = path.read_bytes()

    def full(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError) as raised:
        write_book(path, [Entry(2, "d2d4")] * 1000)
    assert raised.value.filename == str(path) and sentence(raised.value) == f"{path}: No space left on device"
    assert path.read_bytes() == whole and [p.name for p in tmp_path.iterdir()] == ["x.bin"]


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path):
    path, link = tmp_path / "x.bin", tmp_path / "link.bin"
    link.symlink_to(path)
    write_book(link, [Entry(1, "e2e4")])
    assert link.is_symlink() and len(read_book(path)) == 1
    os.mkfifo(tmp_path / "pipe")
    got = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write_book(tmp_path / "pipe", [Entry(1, "e2e4")])
    reader.join(20)
    assert got == [path.read_bytes()]
