"""Moves as text: standard algebraic notation (`Nf3`, `exd8=Q+`, `O-O`) and coordinates (`g1f3`, `e7e8q`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gambito.errors import PositionError
from gambito.game.contract import quoted
from gambito.words.sentence import Sentence

from .board import KING, PAWN, QUEEN, State, is_check
from .fen import FILES, LETTERS, square_name
from .moves import CASTLING, PASSING, PROMOTION, kind_of, source_of, target_of

if TYPE_CHECKING:
    from . import Chess

_COORDINATES = re.compile(r"([a-h][1-8])-?([a-h][1-8])=?([nbrqNBRQ])?")
_SAN = re.compile(r"([NBRQK])?([a-h])?([1-8])?[x:-]?([a-h][1-8])(?:=?([NBRQ]))?")
_MARKS = re.compile(r"(?:\s*e\.p\.)?[+#!?]*$")
_SHOWN = 12  # moves that a message names


def piece_of(action: int) -> int:
    """The kind of piece that moves."""
    kind = int(kind_of(action))
    return kind if kind <= KING else KING if kind == CASTLING else PAWN


def promoted(action: int) -> int | None:
    """The kind of piece that a pawn promotes to."""
    kind = int(kind_of(action))
    return kind - PROMOTION if PROMOTION < kind <= PROMOTION + QUEEN else None


def is_capture(state: State, action: int) -> bool:
    kind = int(kind_of(action))
    return kind == PASSING or (kind != CASTLING and bool(int(state.opp) >> int(target_of(action)) & 1))


def write_coordinates(action: int, chess960: bool) -> str:
    """Castling is written as the king's move of two squares; in Chess960, as the king capturing its rook."""
    source, to = int(source_of(action)), int(target_of(action))
    if kind_of(action) == CASTLING and not chess960:
        to = source // 8 * 8 + (6 if to > source else 2)
    piece = promoted(action)
    return square_name(source) + square_name(to) + ("" if piece is None else LETTERS[piece])


def write_san(game: Chess, state: State, action: int) -> str:
    text = _move_words(game, state, action)
    after = game.result(state, action)
    if not is_check(after):
        return text
    return text + ("+" if game.legal_moves(after) else "#")


def _move_words(game: Chess, state: State, action: int) -> str:
    source, to, piece = int(source_of(action)), int(target_of(action)), piece_of(action)
    if kind_of(action) == CASTLING:
        return "O-O" if to > source else "O-O-O"
    takes = "x" if is_capture(state, action) else ""
    if piece == PAWN:
        begin = FILES[source % 8] + takes if takes else ""
        becomes = promoted(action)
        return begin + square_name(to) + ("" if becomes is None else f"={LETTERS[becomes].upper()}")
    rivals = [
        int(source_of(a))
        for a in game.legal_moves(state)
        if kind_of(a) == piece and target_of(a) == to and source_of(a) != source
    ]
    which = ""
    if rivals:
        name = square_name(source)
        if all(r % 8 != source % 8 for r in rivals):
            which = name[0]
        elif all(r // 8 != source // 8 for r in rivals):
            which = name[1]
        else:
            which = name
    return LETTERS[piece].upper() + which + takes + square_name(to)


def read_move(game: Chess, state: State, text: str) -> int:
    """The legal move that a text names, in either notation."""
    given = text.strip()
    bare = _MARKS.sub("", given)
    legal = game.legal_moves(state)
    castling = bare.replace("0", "O").replace("o", "O")
    if castling in ("O-O", "O-O-O"):
        fits = [
            a
            for a in legal
            if kind_of(a) == CASTLING and (target_of(a) > source_of(a)) == (castling == "O-O")
        ]
    else:
        fits = _coordinate_moves(legal, bare) or _san_moves(legal, state, bare)
    if len(fits) == 1:
        return fits[0]
    if fits:
        which = ", ".join(write_san(game, state, a) for a in fits)
        raise PositionError("{} can be {}; say which", quoted(given), which)
    some = ", ".join(write_san(game, state, a) for a in legal[:_SHOWN])
    more = ", …" if len(legal) > _SHOWN else ""
    accepted = some + more or Sentence("none, the game is over")
    raise PositionError("{} is not a move here; accepted: {}", quoted(given), accepted)


def _coordinate_moves(legal: list[int], text: str) -> list[int]:
    """Castling is written as the king's move, or as the king capturing its rook."""
    match = _COORDINATES.fullmatch(text)
    if not match:
        return []
    name = match[1] + match[2] + (match[3] or "").lower()
    exact = [a for a in legal if write_coordinates(a, chess960=True) == name]
    return exact or [a for a in legal if write_coordinates(a, chess960=False) == name]


def _san_moves(legal: list[int], state: State, text: str) -> list[int]:
    match = _SAN.fullmatch(text)
    if not match:
        return []
    piece = LETTERS.index((match[1] or "p").lower())
    becomes = LETTERS.index(match[5].lower()) if match[5] else None
    return [
        a
        for a in legal
        if piece_of(a) == piece
        and kind_of(a) != CASTLING
        and square_name(int(target_of(a))) == match[4]
        and (match[2] is None or FILES[int(source_of(a)) % 8] == match[2])
        and (match[3] is None or int(source_of(a)) // 8 + 1 == int(match[3]))
        and promoted(a) == becomes
        and (piece != PAWN or match[2] is not None or not is_capture(state, a))
    ]
