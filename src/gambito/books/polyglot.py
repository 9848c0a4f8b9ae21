"""Books in the Polyglot format, read and written.

A book is a list of entries of 16 bytes, sorted by key; numbers are big-endian:

    key 8 bytes | move 2 | weight 2 | learn 4
    move:  to file 3 bits | to rank 3 | from file 3 | from rank 3 | promotion 3 (none, n, b, r, q)

Castling is written as the king capturing its rook. A game can use a book if its keys are those of the format.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gambito.books.choice import OpeningBook, word_of
from gambito.errors import BookError, PositionError
from gambito.game.contract import Game, quoted
from gambito.native.files import put_file
from gambito.words.sentence import reason_of

ENTRY = struct.Struct(">QHHI")
FILES, PROMOTIONS = "abcdefgh", " nbrq"
MOST_WEIGHT = (1 << 16) - 1
START = 0x463B96181691FC9C  # the key of the first position of chess


@dataclass(frozen=True, order=True)
class Entry:
    """A move of a position."""

    key: int
    move: str  # in coordinates: e2e4, e7e8q
    weight: int = 1
    learn: int = 0


class PolyglotBook(OpeningBook):
    """The entries of a book, by position."""

    def __init__(self, entries: Iterable[Entry], name: str = "") -> None:
        self.name = name
        self.entries = sorted(entries, key=lambda entry: (entry.key, -entry.weight))
        self.keys = [entry.key for entry in self.entries]

    def __len__(self) -> int:
        return len(self.entries)

    def find(self, key: int) -> list[Entry]:
        """The moves of a position, in decreasing order of weight."""
        place = bisect_left(self.keys, key)
        found = []
        while place < len(self.keys) and self.keys[place] == key:
            found.append(self.entries[place])
            place += 1
        return found

    def check(self, game: Game) -> None:
        check_chess(game)

    def moves(self, game: Game, state: Any, margin: float | None = None) -> dict[int, float]:
        """Illegal moves are left out; the format has no values."""
        found: dict[int, float] = {}
        for entry in self.find(int(game.key(state))):
            try:
                action = game.read(state, entry.move)
            except PositionError:
                continue
            found[action] = found.get(action, 0) + entry.weight
        return found


def check_chess(game: Game) -> None:
    """Raise BookError if the game's keys are not those of the format."""
    if word_of(game, game.initial()) != START:
        raise BookError("a Polyglot book is of chess, not of {}", game.label())


def read_book(path: str | Path) -> PolyglotBook:
    """Read the book in a file."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as problem:  # ValueError: no file can have such a name
        raise BookError("{} cannot be read: {}", path, reason_of(problem)) from None
    return PolyglotBook(parse_book(data, str(path)), str(path))


def parse_book(data: bytes, name: str = "the book") -> Iterator[Entry]:
    """The entries in a book's bytes, in their order."""
    if len(data) % ENTRY.size:
        raise BookError("{} is no Polyglot book: {} bytes are not entries of {}", name, len(data), ENTRY.size)
    before = 0
    for number, (key, move, weight, learn) in enumerate(ENTRY.iter_unpack(data), 1):
        if key < before:
            raise BookError("{} is no Polyglot book: entry {} is not sorted by its key", name, number)
        before = key
        yield Entry(key, _decoded(move, number, name), weight, learn)


def format_book(entries: Iterable[Entry]) -> bytes:
    """The bytes of a book."""
    ordered = sorted(entries, key=lambda entry: (entry.key, -entry.weight))
    return b"".join(ENTRY.pack(e.key, _encoded(e.move), min(e.weight, MOST_WEIGHT), e.learn) for e in ordered)


def write_book(path: str | Path, entries: Iterable[Entry]) -> None:
    put_file(Path(path), [format_book(entries)])


def make_book(game: Game, positions: Iterable[tuple[Any, dict[int, float]]]) -> list[Entry]:
    """Make a book from positions and the weights of their moves."""
    entries = []
    for state, moves in positions:
        factor = min(1.0, MOST_WEIGHT / max(1.0, *moves.values()))
        for action, weight in moves.items():
            if weight > 0:
                amount = max(1, round(factor * weight))
                entries.append(Entry(int(game.key(state)), _written(game, state, action), amount))
    return entries


def _written(game: Game, state: Any, action: int) -> str:
    """A move in the coordinates of the format."""
    text = game.token(state, action)
    corner = {"g": "h", "c": "a"}.get(text[2:3])
    if corner is not None:
        other = text[:2] + corner + text[3:]
        try:
            if game.read(state, other) == action:
                return other
        except PositionError:
            pass
    return text


def _decoded(move: int, number: int, name: str) -> str:
    promotion = move >> 12 & 7
    if promotion >= len(PROMOTIONS):
        raise BookError("{} is no Polyglot book: entry {} has the move {:#06x}", name, number, move)
    text = FILES[move >> 6 & 7] + str((move >> 9 & 7) + 1) + FILES[move & 7] + str((move >> 3 & 7) + 1)
    return (text + PROMOTIONS[promotion]).strip()


def _encoded(text: str) -> int:
    try:
        source = FILES.index(text[0]) | (int(text[1]) - 1) << 3
        target = FILES.index(text[2]) | (int(text[3]) - 1) << 3
        promotion = PROMOTIONS.index(text[4]) if len(text) > 4 else 0
    except (ValueError, IndexError):
        raise BookError("{} is no move of a Polyglot book; accepted: e2e4, e7e8q", quoted(text)) from None
    if not (0 <= source < 64 and 0 <= target < 64):
        raise BookError("{} is no move of a Polyglot book; accepted: e2e4, e7e8q", quoted(text))
    return promotion << 12 | source << 6 | target
