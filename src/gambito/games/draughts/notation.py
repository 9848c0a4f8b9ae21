"""Draughts as text: squares by their numbers, positions as the FEN of PDN, games as PDN.

W:W21,22,K3:B1,2      the side to move, the squares of White and of Black, K before kings; ranges as 1-12
                      :H4 is added after four plies without progress
11-15 22x15x8         a move, and a capture; squares in between are written if it is ambiguous otherwise
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gambito.boards.equipment import Equipment, PlacedPieces
from gambito.errors import PositionError
from gambito.game.contract import quoted
from gambito.game.numerals import read_whole
from gambito.game.score import Style
from gambito.words.sentence import Sentence

from .board import ROUND
from .captures import KIND

if TYPE_CHECKING:
    from .rules import State, _Rules

RESULTS = ("1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*")
SIDES = "BW"
_PIECES = re.compile(r"(K?)([0-9]{1,3})(?:-([0-9]{1,3}))?")
_MOVE = re.compile(r"[0-9]{1,3}(?:\s*[-x:×]\s*[0-9]{1,3})+")
_LONGEST_REST = 1 << 20


def pdn_style(number: int) -> Style:
    """The style of PDN, in which each game of the family has a number."""
    return Style(
        roster=("Event", "Site", "Date", "Round", "Black", "White", "Result"),
        results=RESULTS,
        move=r"[0-9]+(?:[-x:×][0-9]+)+",
        own=(("GameType", str(number)),),
    )


# ---- positions ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lists(Equipment):
    """Numbered squares; a position lists those of each side: `W:W31,K32:B1,2`."""

    def is_position(self, text: str) -> bool:
        return looks_like_fen(text)

    def compose(self, codes: Sequence[int], words: Sequence[str]) -> str:
        marks = self.marks(codes)
        listed = {
            side: ",".join(
                ("K" if mark.isupper() else "") + cell.name
                for cell, mark in zip(self.board.cells, marks, strict=True)
                if mark.upper() == side
            )
            for side in "WB"
        }
        return ":".join([*words[:1], f"W{listed['W']}", f"B{listed['B']}", *words[1:]])

    def read(self, text: str) -> PlacedPieces:
        pieces, kings, side, rest = read_fen(len(self.board.cells), text)
        order = SIDES if self.sides == SIDES else SIDES[::-1]
        codes = [
            1 + order.index(pieces[cell]) + (2 if cell in kings else 0) if cell in pieces else 0
            for cell in range(len(self.board.cells))
        ]
        return PlacedPieces(codes, self.sides.index(side), [f"H{rest}"] if rest else [])


def looks_like_fen(text: str) -> bool:
    return ":" in text and text.strip()[:1].upper() in ("B", "W")


def read_fen(squares: int, text: str) -> tuple[dict[int, str], set[int], str, int]:
    """The side of each cell with a piece, the cells of kings, the side to move, plies without progress."""
    accepted = Sentence("the side to move and the squares from 1 to {}, as W:W31,K32:B1,2", squares)
    turn, *parts = text.strip().rstrip(".").replace(" ", "").upper().split(":")
    if turn not in tuple(SIDES):
        raise PositionError("{} does not say who moves; accepted: {}", quoted(text), accepted)
    pieces: dict[int, str] = {}
    kings, rest, seen = set[int](), 0, set[str]()
    for part in parts:
        colour, listed = part[:1], part[1:]
        if colour in seen or colour not in ("B", "W", "H", "F"):
            raise PositionError("{} in {} is no side; accepted: {}", quoted(part), quoted(text), accepted)
        seen.add(colour)
        if colour in ("H", "F"):
            number = read_whole(listed, _LONGEST_REST)
            if number is None:
                raise PositionError("{} in {} is no number of moves", quoted(part), quoted(text))
            rest = number if colour == "H" else rest
            continue
        for word in filter(None, listed.split(",")):
            cells, is_king = _read_piece(squares, word, text, accepted)
            if not pieces.keys().isdisjoint(cells):
                raise PositionError("{} in {}: two pieces are on one square", quoted(word), quoted(text))
            pieces |= dict.fromkeys(cells, colour)
            kings |= {*cells} if is_king else set()
    if not seen & {"B", "W"}:
        raise PositionError("{} has no pieces; accepted: {}", quoted(text), accepted)
    return pieces, kings, turn, rest


def _read_piece(squares: int, word: str, text: str, accepted: str) -> tuple[range, bool]:
    """The cells that a word names, and whether they hold kings."""
    found = _PIECES.fullmatch(word)
    first = int(found[2]) if found else 0
    last = int(found[3] or first) if found else 0
    if found is None or not 1 <= first <= last <= squares:
        raise PositionError("{} in {} is no square; accepted: {}", quoted(word), quoted(text), accepted)
    return range(first - 1, last), bool(found[1])


def draw(game: _Rules, marks: Sequence[str]) -> str:
    """The board: b and w are men, B and W kings; the first square number of each row stands beside it."""
    rows = []
    for row in range(game.size):
        first = row * game.half
        cells = marks[first : first + game.half]
        line = " ".join(f"  {c}" if row % 2 == 0 else f"{c}  " for c in cells)
        rows.append(f"{first + 1:2}  {line}".rstrip())
    return "\n".join(rows)


# ---- moves -------------------------------------------------------------------------------------------


def route_of(game: _Rules, state: State, action: int) -> list[int]:
    """The places that a piece visits, from the first to the last."""
    return routes_of(game, state, action)[0]


def routes_of(game: _Rules, state: State, action: int) -> list[list[int]]:
    """All routes of an action; they have equal length."""
    start, number = int(action) & 63, int(action) >> KIND
    if not number:
        return [[start, int(action) >> 6 & 63]]
    return routes_from(game, state, start)[number - 1]


def routes_from(game: _Rules, state: State, start: int) -> list[list[list[int]]]:
    """The captures of one piece in the order of their numbers, with the routes of each. This is a second
    implementation, in plain Python."""
    is_king = int(state.kings) >> start & 1
    empty = int(game.full) & ~(int(state.mine) | int(state.theirs)) | 1 << start
    ways = ROUND if is_king else int(game.jumps(state))
    if is_king and game.flying:
        found = list(_flights(game, start, -1, int(state.theirs), empty, [start]))
    else:
        found = list(_hops(game, start, ways, int(state.theirs), empty, [start]))
    longest = max(map(_taken_count, found), default=0)
    if game.majority:
        found = [f for f in found if _taken_count(f) == longest]
    kept: dict[tuple[int, int], list[list[int]]] = {}
    for path, left in found:
        kept.setdefault((len(kept) if game.routes else path[-1], left), []).append(path)
    return list(kept.values())


_Found = tuple[list[int], int]  # a route, and the opponent's pieces that it leaves


def _taken_count(found: _Found) -> int:
    return -found[1].bit_count()


def _next(game: _Rules, place: int, way: int) -> int:
    """The place one step further; a place beyond the board is neither free nor occupied."""
    return max(place + (game.half, game.half + 1, -game.half, -game.half - 1)[way], -1) % 64


def _hops(game: _Rules, at: int, ways: int, theirs: int, empty: int, path: list[int]) -> Iterator[_Found]:
    is_over = True
    for way in range(4):
        over = _next(game, at, way)
        landing = _next(game, over, way)
        if ways >> way & 1 and theirs >> over & 1 and empty >> landing & 1:
            is_over = False
            yield from _hops(game, landing, ways, theirs ^ 1 << over, empty, [*path, landing])
    if is_over and len(path) > 1:
        yield path, theirs


def _flights(game: _Rules, at: int, came: int, theirs: int, empty: int, path: list[int]) -> Iterator[_Found]:
    for way in range(4):
        if came >= 0 and not (way ^ came) & 1:
            continue
        over, left = _next(game, at, way), theirs
        while empty >> over & 1:
            over = _next(game, over, way)
        landing, on = _next(game, over, way), path
        while left >> over & 1 and empty >> landing & 1:
            left ^= 1 << over
            while True:
                yield [*on, landing], left
                yield from _flights(game, landing, way, left, empty, [*on, landing])
                if not empty >> _next(game, landing, way) & 1:
                    break
                landing = _next(game, landing, way)
            on = [*on, landing]
            over = _next(game, landing, way)
            landing = _next(game, over, way)


def write_move(game: _Rules, state: State, action: int) -> str:
    places = route_of(game, state, action)
    sign = "x" if int(action) >> KIND else "-"
    mask = (1 << KIND) - 1
    alike = [a for a in game.legal_moves(state) if a & mask == int(action) & mask]
    if len(alike) < 2:
        places = [places[0], places[-1]]
    return sign.join(str(game.square_at(p)) for p in places)


def read_move(game: _Rules, state: State, text: str) -> int | None:
    """The action that a text names; None if there is no such move."""
    word = text.strip().lower()
    if not _MOVE.fullmatch(word):
        return None
    numbers = [int(n) for n in re.split(r"[^0-9]+", word)]
    if not all(1 <= n <= game.squares for n in numbers):
        return None
    first, *between, last = (game.place_of(n) for n in numbers)
    fitting = [a for a in game.legal_moves(state) if a & 63 == first and a >> 6 & 63 == last]
    if between or len(fitting) > 1:
        fitting = [a for a in fitting if _passes(route_of(game, state, a)[1:-1], between)]
    if len(fitting) > 1:
        named = ", ".join(write_move(game, state, a) for a in fitting[:12])
        raise PositionError("{} is not one move here but several; accepted: {}", quoted(text), named)
    return fitting[0] if fitting else None


def _passes(route: list[int], squares: list[int]) -> bool:
    """Does a route visit these squares in this order?"""
    rest = iter(route)
    return all(square in rest for square in squares)
