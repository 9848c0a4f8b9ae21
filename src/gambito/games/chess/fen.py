"""Positions as text: FEN and its four-field form in EPD, read strictly and written back."""

from __future__ import annotations

import re

import numpy as np

from gambito.errors import PositionError
from gambito.game.contract import quoted
from gambito.native import int64
from gambito.words.sentence import Sentence

from .board import (
    NOWHERE,
    PASSING_KEYS,
    PIECE_KEYS,
    TURN_KEY,
    State,
    attackers,
    square_of,
)
from .drawing import EQUIPMENT
from .endings import kind_on
from .moves import castling_keys, may_pass

LETTERS = "pnbrqk"
FILES = "abcdefgh"
MOST_PIECES, MOST_PAWNS = 16, 8
MOST_NUMBER = 1 << 16  # of plies without progress and of moves
_SHAPE = Sentence("a FEN as 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1, or moves from the start")


def square_name(square: int) -> str:
    return FILES[square % 8] + str(square // 8 + 1)


def read_square(name: str) -> int:
    """The number of a square; raise ValueError if there is no such square."""
    if len(name) != 2 or name[1] not in "12345678":
        raise ValueError(name)
    return FILES.index(name[0]) + 8 * (int(name[1]) - 1)


# ---- reading -----------------------------------------------------------------------------------------


def read_fen(text: str, chess960: bool) -> State:
    """The position that a FEN describes; with only four fields the clock is 0 and the move number 1."""
    fields = text.split()
    if len(fields) not in (4, 6):
        raise PositionError("{} has {} fields, not 4 or 6; accepted: {}", quoted(text), len(fields), _SHAPE)
    pieces, colours = _read_board(fields[0])
    if fields[1] not in ("w", "b"):
        raise PositionError("the side to move in {} is {}; accepted: w or b", quoted(text), quoted(fields[1]))
    side = "wb".index(fields[1])
    clock, number = (_read_number(text, f) for f in fields[4:6]) if len(fields) == 6 else (0, 1)
    castling = _read_castling(fields[2], pieces, colours, chess960)
    own, opp = colours[side], colours[1 - side]
    state = State(*(np.uint64(n) for n in (own, opp, *pieces, side, castling, 64, clock, number, 0)))
    if _is_attacked(state):
        raise PositionError("in {} the player who is not to move is in check", quoted(text))
    passing = _read_passing(fields[3], state)
    state = state._replace(passing=np.uint64(passing))
    return state._replace(key=key_of(state))


def _read_board(text: str) -> tuple[list[int], list[int]]:
    """The squares of each kind of piece and of each colour."""
    pieces, colours = [0] * 6, [0, 0]
    ranks = text.split("/")
    if len(ranks) != 8:
        raise PositionError(
            "the board {} has {} ranks, not 8; accepted: {}", quoted(text), len(ranks), _SHAPE
        )
    for row, rank in zip(range(7, -1, -1), ranks):
        column = 0
        for place, mark in enumerate(rank):
            if mark in "12345678" and not rank[place - 1 : place].isdigit():
                column += int(mark)
                continue
            if mark.lower() not in LETTERS or mark.isdigit():
                raise PositionError(
                    "{} in rank {}, {}, is no piece; "
                    "accepted: {} for White, {} for Black, a number of empty squares",
                    quoted(mark),
                    row + 1,
                    quoted(rank),
                    LETTERS.upper(),
                    LETTERS,
                )
            if column > 7:
                break
            bit = 1 << (row * 8 + column)
            pieces[LETTERS.index(mark.lower())] |= bit
            colours[mark.islower()] |= bit
            column += 1
        if column != 8 or len(rank) > 8:
            raise PositionError("rank {}, {}, has not 8 squares", row + 1, quoted(rank))
    _check_pieces(text, pieces, colours)
    return pieces, colours


def _check_pieces(text: str, pieces: list[int], colours: list[int]) -> None:
    for name, colour in zip((Sentence("White"), Sentence("Black")), colours):
        kings, pawns = (pieces[5] & colour).bit_count(), (pieces[0] & colour).bit_count()
        if kings != 1:
            raise PositionError("{} has {} kings in {}, not one", name, kings, quoted(text))
        if pawns > MOST_PAWNS or colour.bit_count() > MOST_PIECES:
            many = Sentence("{} pieces", colour.bit_count())
            count = Sentence("{} pawns", pawns) if pawns > MOST_PAWNS else many
            raise PositionError("{} has {} in {}, more than there are", name, count, quoted(text))
    if pieces[0] & (0xFF | 0xFF << 56):
        raise PositionError("a pawn stands on the first or last rank in {}", quoted(text))


def _read_number(text: str, field: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", field) or int(field) >= MOST_NUMBER:
        raise PositionError("{} in {} is no number of plies or moves", quoted(field), quoted(text))
    return int(field)


def _read_castling(text: str, pieces: list[int], colours: list[int], chess960: bool) -> int:
    """The rooks that may castle: KQkq for the outermost ones, or their files, as in HAha."""
    castling = 0
    if text == "-":
        return castling
    for mark in text:
        colour = colours[mark.islower()]
        back = 56 if mark.islower() else 0
        king = (pieces[5] & colour).bit_length() - 1
        rooks = [back + f for f in range(8) if pieces[3] & colour & 1 << (back + f)]
        letter = mark.lower()
        if letter == "k":
            chosen = [r for r in rooks if r > king][-1:]
        elif letter == "q":
            chosen = [r for r in rooks if r < king][:1]
        else:
            chosen = [r for r in rooks if FILES[r - back] == letter]
        is_usual = king - back == 4 and all(r - back in (0, 7) for r in chosen)
        if not chosen or king // 8 != back // 8 or not (chess960 or is_usual):
            hint = "" if chess960 else Sentence("; Chess960 is the game chess:chess960=true")
            raise PositionError(
                "{} in the castling rights {} has no rook{}", quoted(mark), quoted(text), hint
            )
        if castling & 1 << chosen[0]:
            raise PositionError("the castling rights {} name a rook twice", quoted(text))
        castling |= 1 << chosen[0]
    for side, back in enumerate((0, 56)):
        king = (pieces[5] & colours[side]).bit_length() - 1
        rights = [back + f for f in range(8) if castling & 1 << (back + f)]
        if len([r for r in rights if r < king]) > 1 or len([r for r in rights if r > king]) > 1:
            raise PositionError("the castling rights {} name two rooks on one side of a king", quoted(text))
    return castling


def _read_passing(text: str, state: State) -> int:
    """The en passant square, kept only if a pawn can be captured there."""
    if text == "-":
        return int(NOWHERE)
    side = int(state.side)
    try:
        square = read_square(text)
    except ValueError:
        raise PositionError(
            "{} is no en passant square; accepted: one as e3, or - for none", quoted(text)
        ) from None
    pawn, origin = square ^ 8, square + (8 if side == 0 else -8)
    occupied = int(state.own | state.opp)
    is_rank = square // 8 == (5 if side == 0 else 2)
    if (
        not is_rank
        or not int(state.pawns & state.opp) >> pawn & 1
        or (occupied >> square | occupied >> origin) & 1
    ):
        raise PositionError("no pawn has just passed {}, which is given as the en passant square", text)
    return square if _passes(state, square) else int(NOWHERE)


def _passes(state: State, square: int) -> bool:
    diagonal, straight = state.bishops | state.queens, state.rooks | state.queens
    king = square_of(state.kings & state.own)
    occupied = state.own | state.opp
    place = np.uint64(square)
    return bool(
        may_pass(
            place,
            state.side,
            state.own,
            state.pawns,
            state.opp & diagonal,
            state.opp & straight,
            king,
            occupied,
        )
    )


def _is_attacked(state: State) -> bool:
    """Could the player to move capture the king?"""
    other = state._replace(own=state.opp, opp=state.own, side=state.side ^ np.uint64(1))
    return bool(attackers(other, square_of(other.kings & other.own), other.own | other.opp))


def key_of(state: State) -> np.uint64:
    """The key of a position, computed from scratch."""
    key = castling_keys(state.castling, state.kings)
    sets = state[2:8]
    for square in range(64):
        for piece, bits in enumerate(sets):
            if int(bits) >> square & 1:
                is_own = int(state.own) >> square & 1
                side = int(state.side) if is_own else 1 - int(state.side)
                key ^= PIECE_KEYS[384 * side + 64 * piece + square]
    if state.passing != NOWHERE:
        key ^= PASSING_KEYS[int(state.passing) % 8]
    return np.uint64(key if state.side else key ^ TURN_KEY)


# ---- writing -----------------------------------------------------------------------------------------


def piece_on(state, square):
    """The code of the piece on a square: 1 to 6 White's pawn to king, 7 to 12 Black's; 0 is none."""
    bit = np.uint64(1) << np.uint64(square)
    if not (state.own | state.opp) & bit:
        return int64(0)
    side = int64(state.side) if state.own & bit else int64(1) - int64(state.side)
    return 1 + 6 * side + kind_on(state, bit)


def write_fields(state: State) -> list[str]:
    """The words behind the side to move: castling, en passant, plies without progress, the move."""
    passing = "-" if state.passing == NOWHERE else square_name(int(state.passing))
    return [_write_castling(state), passing, str(state.rest), str(state.number)]


def write_epd_fields(state: State) -> str:
    """The four fields that FEN and EPD have in common."""
    codes = [int(piece_on(state, square)) for square in range(64)]
    return EQUIPMENT.write(codes, int(state.side), write_fields(state)[:2])


def _write_castling(state: State) -> str:
    """KQkq; a rook that is not the outermost is written as its file."""
    white = int(state.opp if state.side else state.own)
    text = ""
    for back, colour in ((0, white), (56, int(state.own | state.opp) ^ white)):
        king = (int(state.kings) & colour).bit_length() - 1
        rooks = [back + f for f in range(8) if int(state.rooks) & colour & 1 << (back + f)]
        for rook in sorted((r for r in rooks if int(state.castling) >> r & 1), reverse=True):
            outer = max(rooks) if rook > king else min(rooks)
            letter = ("k" if rook > king else "q") if rook == outer else FILES[rook - back]
            text += letter if back else letter.upper()
    return text or "-"


def start_fen(number: int) -> str:
    """The Chess960 starting position with Scharnagl's number; 518 is the standard one."""
    rest, white = divmod(number, 4)
    rest, black = divmod(rest, 4)
    knights, queen = divmod(rest, 6)[0], divmod(rest, 6)[1]
    row = [""] * 8
    row[2 * white + 1], row[2 * black] = "b", "b"
    free = [f for f in range(8) if not row[f]]
    row[free.pop(queen)] = "q"
    pairs = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    for place in reversed(pairs[knights]):
        row[free.pop(place)] = "n"
    for file, letter in zip(free, "rkr"):
        row[file] = letter
    back = "".join(row)
    return f"{back}/pppppppp/8/8/8/8/PPPPPPPP/{back.upper()} w KQkq - 0 1"
