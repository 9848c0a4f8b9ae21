"""Dark chess as players meet it: its sizes, text and pictures. The rules are in fog.py.

A position is its rows from the top, `?` in the fog, then who moves, what was taken, and the number of moves.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from gambito.boards.picture import BLANK, NOBODY, Board, Piece, grid, letter
from gambito.errors import GameError, PositionError
from gambito.game.contract import quoted
from gambito.games.chess.board import KING, PAWN
from gambito.games.chess.drawing import OUTLINES
from gambito.games.dark_chess.fog import BITS, DRAWN, KINDS, MOST_TAKEN, ONGOING, WON, Fog, State
from gambito.native.random import new_random
from gambito.words.sentence import Sentence

EMPTY = "."
LETTERS = "PNBRQKpnbrqk"
STARTS = {  # by size
    4: "r.kr/pppp/PPPP/R.KR",
    5: "rnbqk/ppppp/...../PPPPP/RNBQK",
    6: "rnqknr/pppppp/....../....../PPPPPP/RNQKNR",
}


class DarkChess(Fog):
    """Take the king. A player sees its own pieces and the squares that they can move to or attack."""

    name = "dark-chess"
    title = "Dark chess"
    sides = ("White", "Black")

    def __init__(self, size: int = 5, limit: int = 100) -> None:
        if size not in STARTS:
            raise GameError("size is from 4 to 6")
        if not 2 <= limit <= 1000:
            raise GameError("limit is from 2 to 1000")
        self.size = size
        self._prepare(self._place(STARTS[size].split("/"), 0, 0), size, limit)

    # ---- text ------------------------------------------------------------------------------------
    def _squares(self) -> list[int]:
        """The squares of the board, row by row from a1."""
        return [8 * row + column for row in range(self.size) for column in range(self.size)]

    def _place(self, rows: list[str], taken: int, plies: int) -> State:
        """The position with these rows of marks, the top one first."""
        marks = dict(zip(self._squares(), "".join(reversed(rows)), strict=True))
        sets = [sum(1 << square for square, mark in marks.items() if mark == one) for one in LETTERS]
        sides = [sum(sets[:KINDS]), sum(sets[KINDS:])]
        kinds = [sets[kind] | sets[KINDS + kind] for kind in range(KINDS)]
        seen = sum(1 << square for square, mark in marks.items() if mark != BLANK)
        return State._make((*map(np.uint64, (*sides, *kinds, seen, taken)), plies, ONGOING))

    def _marks(self, state: State) -> str:
        """The mark of every square, row by row from a1."""
        marks = dict.fromkeys(self._squares(), BLANK)
        for square in marks:
            if int(state.seen) >> square & 1:
                side = KINDS * (int(state.black) >> square & 1)
                kinds = [kind for kind in range(KINDS) if int(state[2 + kind]) >> square & 1]
                marks[square] = LETTERS[side + kinds[0]] if kinds else EMPTY
        return "".join(marks.values())

    def _rows(self, state: State) -> list[str]:
        """The rows of marks, the top one first."""
        marks, size = self._marks(state), self.size
        return [marks[row * size : (row + 1) * size] for row in reversed(range(size))]

    def show(self, state: State) -> str:
        rows = [f"{self.size - place}  {' '.join(row)}" for place, row in enumerate(self._rows(state))]
        files = " ".join(letter(column) for column in range(self.size))
        is_over = state.ending != ONGOING
        turn = "the game is over" if is_over else f"{self.sides[state.plies & 1]} to move"
        return "\n".join([*rows, f"   {files}", turn])

    def reason(self, state: State) -> str:
        if state.ending == WON:
            return Sentence("the king was taken")
        if state.plies >= self.limit:
            return Sentence("{} moves were played", self.limit)
        return Sentence("stalemate")

    def text(self, state: State) -> str:
        """The rows from the top, `?` in the fog; who moves; what was taken; how many moves were played."""
        taken = "".join(
            LETTERS[KINDS * player + kind] * self.lost(state, kind, player)
            for player in (0, 1)
            for kind in range(KINDS)
        )
        return f"{'/'.join(self._rows(state))} {'wb'[state.plies & 1]} {taken or '-'} {state.plies}"

    def parse(self, text: str) -> State:
        """What `text` gives, with ? for squares in the fog; or the moves played (`b2xa3 d3xc2`)."""
        if "/" not in text:
            return super().parse(text)
        said = re.fullmatch(r"\s*([A-Za-z.?/]+)\s+([wb])\s+([A-Za-z]+|-)\s+([0-9]{1,4})\s*", text)
        rows = said[1].split("/") if said else []
        is_board = len(rows) == self.size and {len(row) for row in rows} == {self.size}
        marks = "".join(rows) + (said[3].replace("-", "") if said else "")
        if said is None or not is_board or set(marks) - set(LETTERS + EMPTY + BLANK):
            raise PositionError(
                "{} is no position; accepted: the rows with ? in the fog, who moves, what was taken and the "
                "number of moves, as '{}'",
                quoted(text),
                self.text(self.initial()),
            )
        plies, counts = int(said[4]), [said[3].count(mark) for mark in LETTERS]
        if plies > self.limit or "wb"[plies & 1] != said[2]:
            raise PositionError("{} moves do not fit who moves in {}", plies, quoted(text))
        taken = sum(min(count, MOST_TAKEN) << BITS * place for place, count in enumerate(counts))
        state = self._place(rows, taken, plies)
        viewers = [viewer for viewer in self._viewers(state) if self._is_possible(state, viewer)]
        if max(counts) > MOST_TAKEN or not viewers:
            raise PositionError("the pieces of {} and those taken are not those of a game", quoted(text))
        return state._replace(ending=self._ending(text, state, viewers[0]))

    def _viewers(self, state: State) -> list[int]:
        """Who may see the position like this; NOBODY: a spectator, or all is open."""
        if state.seen in (0, self.board):
            return [NOBODY]
        return [player for player in (0, 1) if self.sight(state, player) == state.seen]

    def _is_possible(self, state: State, viewer: int) -> bool:
        """Are there as many pieces as a game can have, and is there room in the fog for those not seen?"""
        room = int(self.board & ~state.seen).bit_count()
        is_wrong = bool(state.pawns & ~self.middle)
        for player in (0, 1):
            taken = sum(self.lost(state, kind, player) for kind in range(KINDS))
            pawns, king = self.missing_pawns(state, player), self.missing(state, KING, player)
            is_wrong |= pawns < 0 or king < 0 or taken > (state.plies + player) // 2
            left = pawns + sum(max(0, self.missing(state, kind, player)) for kind in range(PAWN + 1, KINDS))
            room -= left
            is_wrong |= player == viewer and left > 0
        return not is_wrong and room >= 0

    def _ending(self, text: str, state: State, viewer: int) -> int:
        """Whether the position is the end of a game: then nothing of it is hidden."""
        lost = [player for player in (0, 1) if self.lost(state, KING, player)]
        if lost and lost != [state.plies & 1]:
            raise PositionError("in {} a king was taken, but not by the last move", quoted(text))
        world = self.imagine(state, viewer, new_random(1))
        is_stuck = state.seen != 0 and not self.can_move(world, state.plies & 1)
        ending = WON if lost else DRAWN if is_stuck or state.plies >= self.limit else ONGOING
        if ending != ONGOING and state.seen != self.board:
            raise PositionError("in {} the game is over, and everything is seen", quoted(text))
        return ending

    def _square(self, square: int) -> str:
        return f"{letter(square % 8)}{square // 8 + 1}"

    def write(self, state: State, action: int) -> str:
        """The squares that a piece leaves and enters, `a1b1`; `b2xa3` takes; `a3a4q` becomes a queen."""
        source, target, becomes = action & 63, action >> 6 & 63, action >> 12
        taking = "x" if int(self.own(state, 1 - (state.plies & 1))) >> target & 1 else ""
        return f"{self._square(source)}{taking}{self._square(target)}{'pnbrq'[becomes] if becomes else ''}"

    def read(self, state: State, text: str) -> int:
        word = re.sub("[-x=]", "", text.strip().lower())
        named = {self.write(state, action).replace("x", ""): action for action in self.legal(state)}
        return named[word] if word in named else super().read(state, text)

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self) -> Board:
        return replace(grid(self.size, self.size, checkered=True, upward=True), symbols=OUTLINES)

    def pieces(self, state: State) -> list[Piece]:
        names, found = list(OUTLINES), []
        for cell, mark in enumerate(self._marks(state)):
            if mark == BLANK:
                found.append(Piece(cell, "text", NOBODY, BLANK))
            elif mark != EMPTY:
                place = LETTERS.index(mark)
                found.append(Piece(cell, names[place % KINDS], place // KINDS))
        return found

    def touch(self, state: State, action: int) -> tuple[int, int]:
        source, target = action & 63, action >> 6 & 63
        return source // 8 * self.size + source % 8, target // 8 * self.size + target % 8
