"""Setting up a position piece by piece, whatever the game: what its notation says about each cell.

No game is known here. How a notation says what stands on the cells is worked out from positions of random
games, and each of these ways is tried:

    rows    one character for each cell, in rows: `X.O/.../...`; digits may count empty cells, as in chess
    words   one word for each cell: `0 6 5 1 3 2 4 7 8`, `4 4 4 [0] 4 4 4 [0]`
    lists   the numbers of the cells of each side: `B:W21,K22:B1,2`, kings with a K

The words after it are fields; one of them may be the player to move. The game's own parser has the last word
about a position that was set up.
"""

from __future__ import annotations

import random
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from gambito.errors import PositionError
from gambito.game.contract import CHANCE, NOBODY, Game
from gambito.game.picture import Board, Piece

GAMES, PLIES = 12, 120  # of the positions that a notation is worked out from
MOST_SYMBOLS = 60  # in a palette
SPARE = 2  # cells of a board that the rows may leave out: what stands beside the board
EMPTY = "."
KEPT = 16  # notations

Look = tuple[Piece, ...]  # the pieces on a cell, as if it were cell 0


class Sample(NamedTuple):
    """A position of a random game."""

    text: str
    looks: dict[int, Look]  # by cell
    player: int


@dataclass
class Arrangement:
    """A position as a person sets it up."""

    cells: list[str]  # the symbol of each cell
    fields: list[str]  # the words after the board


class Notation:
    """How the texts of a game say what stands on the cells; `learn` finds out from samples."""

    has_sides = True  # a symbol says to whom a piece belongs

    def __init__(self, board: Board) -> None:
        self.board = board
        self.looks: dict[str, Look] = {}  # of each symbol
        self.empty = EMPTY  # the symbol of an empty cell
        self.turn: int | None = None  # the field of the player to move
        self.turns: dict[int, str] = {}  # what it says for each player

    def read(self, text: str) -> Arrangement | None:
        """What a text says; None if it is not in this notation."""
        raise NotImplementedError

    def write(self, arranged: Arrangement) -> str:
        raise NotImplementedError

    def learn(self, samples: Sequence[Sample]) -> bool:
        """Learn the symbols from samples; False if they do not fit."""
        said: list[tuple[int, list[str]]] = []
        for sample in samples:
            arranged = self.read(sample.text)
            if arranged is None:
                return False
            for cell, symbol in enumerate(arranged.cells):
                look = self._seen(sample.looks.get(cell, ()))
                if self._seen(self.looks.setdefault(symbol, sample.looks.get(cell, ()))) != look:
                    return False
            said.append((sample.player, arranged.fields))
        self.empty = next((symbol for symbol, look in self.looks.items() if not look), "")
        self._learn_turn(said)
        return 1 < len(self.looks) <= MOST_SYMBOLS

    @property
    def is_of_numbers(self) -> bool:
        """Are the symbols whole numbers, as of what lies in a pit?"""
        return not self.has_sides

    def rank(self, symbol: str) -> tuple[bool, int, str]:
        """The place of a symbol in the palette: the empty cell first, then the pieces of each side."""
        look = self.looks[symbol]
        return symbol != self.empty, look[0].side if look else NOBODY, symbol

    def accepts(self, symbol: str) -> bool:
        """Can a cell have this symbol?"""
        return symbol in self.looks or (self.is_of_numbers and re.fullmatch("[0-9]{1,3}", symbol) is not None)

    def _seen(self, look: Look) -> Look:
        return look if self.has_sides else tuple(replace(piece, side=NOBODY) for piece in look)

    def _learn_turn(self, said: Sequence[tuple[int, list[str]]]) -> None:
        """Find the field that says who is to move: it differs between players, and is the same for each."""
        for place in range(min(len(fields) for _, fields in said)):
            words: dict[int, set[str]] = {}
            for player, fields in said:
                if player != CHANCE:
                    words.setdefault(player, set()).add(fields[place])
            single = {player: next(iter(held)) for player, held in words.items() if len(held) == 1}
            if len(single) == len(words) > 1 and len(set(single.values())) == len(single):
                self.turn, self.turns = place, dict(sorted(single.items()))
                return


class Rows(Notation):
    """One character for each cell. The rows may begin at the bottom, and digits may count empty cells."""

    def __init__(self, board: Board, is_turned: bool, is_counted: bool) -> None:
        super().__init__(board)
        self.is_turned, self.is_counted = is_turned, is_counted
        self.lengths: list[list[int]] = []  # of the rows of each word

    def read(self, text: str) -> Arrangement | None:
        cells: list[str] = []
        count, words = len(self.board.cells), text.split()
        self.lengths = []
        while words and len(cells) + len(words[0]) <= 2 * count and len(cells) < count - SPARE:
            rows = [self._expanded(row) for row in words.pop(0).split("/")]
            self.lengths.append([len(row) for row in rows])
            cells += "".join(reversed(rows) if self.is_turned else rows)
        return Arrangement(cells, words) if count - SPARE <= len(cells) <= count else None

    def _expanded(self, row: str) -> str:
        return re.sub("[0-9]+", lambda found: EMPTY * min(int(found[0]), 99), row) if self.is_counted else row

    def write(self, arranged: Arrangement) -> str:
        left, words = "".join(cell[:1] or EMPTY for cell in arranged.cells), []
        for lengths in self.lengths:
            rows = []
            for length in reversed(lengths) if self.is_turned else lengths:
                rows.append(self._counted(left[:length]))
                left = left[length:]
            words.append("/".join(reversed(rows) if self.is_turned else rows))
        return " ".join([*words, *arranged.fields])

    def _counted(self, row: str) -> str:
        counted = re.compile(f"{re.escape(EMPTY)}+")
        return counted.sub(lambda found: str(len(found[0])), row) if self.is_counted else row


class Words(Notation):
    """One word for each cell, as the number of what lies in it. Cells in brackets, as stores, come last."""

    has_sides = False

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self.order: list[tuple[bool, int]] = []  # of each cell: is it in brackets, and the place of its word

    def read(self, text: str) -> Arrangement | None:
        words, count = text.split(), len(self.board.cells)
        if len(words) < count or count < 2:
            return None
        self.order = sorted((word.startswith("["), place) for place, word in enumerate(words[:count]))
        return Arrangement([words[place].strip("[]") for _, place in self.order], words[count:])

    def write(self, arranged: Arrangement) -> str:
        words = [""] * len(self.order)
        for (is_framed, place), symbol in zip(self.order, arranged.cells, strict=False):
            words[place] = f"[{symbol}]" if is_framed else symbol
        return " ".join([*words, *arranged.fields])


class Lists(Notation):
    """The numbers of the cells of each side, kings with a K: `B:W21,K22:B1,2`; more may follow."""

    _text = re.compile("([WB]):W([K0-9,]*):B([K0-9,]*)(:.*)?")

    def read(self, text: str) -> Arrangement | None:
        found, names = self._text.fullmatch(text), {c.name: n for n, c in enumerate(self.board.cells)}
        if found is None:
            return None
        cells = [EMPTY] * len(names)
        for side, listed in zip("WB", found.group(2, 3), strict=True):
            for name in filter(None, listed.split(",")):
                if name.removeprefix("K") not in names:
                    return None
                cells[names[name.removeprefix("K")]] = side + name[: len(name) - len(name.removeprefix("K"))]
        return Arrangement(cells, [found[1], *filter(None, [found[4]])])

    def write(self, arranged: Arrangement) -> str:
        def listed(side: str) -> str:
            named = zip(self.board.cells, arranged.cells, strict=False)
            return ",".join(symbol[1:] + cell.name for cell, symbol in named if symbol[:1] == side)

        return f"{''.join(arranged.fields[:1])}:W{listed('W')}:B{listed('B')}{''.join(arranged.fields[1:])}"


class Arranging:
    """Answers what a person asks who sets up positions. The notations that were learned last are kept."""

    def __init__(self) -> None:
        self.known: OrderedDict[str, Notation | None] = OrderedDict()  # by the label of a game

    def begin(self, game: Game, state: Any) -> dict[str, Any]:
        """A position as it can be set up; without a palette if it can only be written."""
        notation = self._notation(game)
        arranged = None if notation is None else notation.read(game.text(state))
        if notation is None or arranged is None:
            return {"palette": []}
        return {
            "cells": arranged.cells,
            "fields": arranged.fields,
            "palette": [
                {"symbol": symbol, "pieces": [piece.as_dict() for piece in notation.looks[symbol]]}
                for symbol in sorted(notation.looks, key=notation.rank)
            ],
            "numbers": notation.is_of_numbers,
            "empty": notation.empty,
            "turn": notation.turn,
            "turns": notation.turns,
        }

    def finish(self, game: Game, cells: list[str], fields: list[str]) -> dict[str, Any]:
        """The position that was set up, as the game reads it."""
        notation = self._notation(game)
        whole = None if notation is None else notation.read(game.text(game.initial()))
        if notation is None or whole is None:
            raise PositionError("positions of {} are written, not set up", game.label())
        if len(cells) != len(whole.cells) or not all(map(notation.accepts, cells)):
            raise PositionError("the cells must be {} symbols of the palette", len(whole.cells))
        state = game.parse(notation.write(Arrangement(cells, fields)))
        return {"start": game.text(state), "pieces": [piece.as_dict() for piece in game.pieces(state)]}

    def _notation(self, game: Game) -> Notation | None:
        name = game.label()
        if name not in self.known:
            self.known[name] = notation_of(game)
            if len(self.known) > KEPT:
                self.known.popitem(last=False)
        return self.known[name]


def notation_of(game: Game) -> Notation | None:
    """How positions of a game are written; None if they are not boards of pieces, or hide something."""
    board = game.picture()
    if board is None or game.hidden:
        return None
    samples = list(_samples(game))
    rows = [Rows(board, is_turned, is_counted) for is_counted in (False, True) for is_turned in (False, True)]
    return next((each for each in (Words(board), *rows, Lists(board)) if each.learn(samples)), None)


def _samples(game: Game) -> Iterator[Sample]:
    lots = random.Random(1)
    for _ in range(GAMES):
        state = game.initial()
        for _ in range(PLIES):
            looks: dict[int, list[Piece]] = {}
            for piece in game.pieces(state):
                look = Piece(0, piece.shape, int(piece.side), piece.text, int(piece.count))
                looks.setdefault(int(piece.cell), []).append(look)
            yield Sample(
                game.text(state), {cell: tuple(held) for cell, held in looks.items()}, int(game.player(state))
            )
            if game.is_terminal(state):
                break
            state = game.result(state, _choice(game, state, lots))


def _choice(game: Game, state: Any, lots: random.Random) -> int:
    if game.player(state) != CHANCE:
        return lots.choice(game.legal(state))
    outcomes, weights = zip(*game.chances(state), strict=True)
    return int(lots.choices(outcomes, weights)[0])
