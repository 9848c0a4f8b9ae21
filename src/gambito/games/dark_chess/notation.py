"""Dark chess as players meet it: its sizes, text and pictures. The rules are in fog.py.

A position is its rows from the top, `?` in the fog, then who moves, what was taken, and the number of moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gambito.boards.equipment import NO_CELL, Equipment, Kind
from gambito.boards.picture import BLANK, NOBODY, grid
from gambito.errors import GameError, PositionError
from gambito.game.contract import quoted
from gambito.game.numerals import read_whole
from gambito.games.chess.board import KING, PAWN
from gambito.games.chess.drawing import OUTLINES, PIECES
from gambito.games.dark_chess.fog import BITS, DRAWN, KINDS, MOST_TAKEN, ONGOING, WON, Fog, State
from gambito.native import uint64
from gambito.native.random import new_random
from gambito.words.sentence import Sentence

MOST_TOLD = 9999  # moves in the text of a position
FOG = 13  # the code of a cell that is not seen
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
        self._prepare(self._place(self.kept_equipment().read(f"{STARTS[size]} w").cells, 0, 0), size, limit)

    # ---- board and text --------------------------------------------------------------------------
    def equipment(self) -> Equipment:
        board = replace(grid(self.size, self.size, checkered=True, upward=True), symbols=OUTLINES)
        return Equipment(board, (*PIECES, Kind(BLANK, "text", text=BLANK)), sides="wb", margin="{}  ")

    def square(self, cell):
        """The square of the full board on which a cell lies."""
        return cell // self.size * 8 + cell % self.size

    def cell_of(self, square):
        return square // 8 * self.size + square % 8

    def stands(self, state, cell):
        bit = uint64(1) << uint64(self.square(cell))
        if not state.seen & bit:
            return FOG
        if not (state.white | state.black) & bit:
            return 0
        kind = 2 if state.knights & bit else 3 if state.bishops & bit else 4 if state.rooks & bit else 1
        kind = 5 if state.queens & bit else 6 if state.kings & bit else kind
        return kind + (KINDS if state.black & bit else 0)

    def touched(self, state, action, step):
        square = action & 63 if step == 0 else action >> 6 & 63
        return NO_CELL if step > 1 else self.cell_of(square)

    def _place(self, codes: Sequence[int], taken: int, plies: int) -> State:
        """The position with these codes on the cells."""
        sets = [
            sum(1 << self.square(cell) for cell, code in enumerate(codes) if code == one) for one in range(14)
        ]
        sides = [sum(sets[1 : 1 + KINDS]), sum(sets[1 + KINDS : FOG])]
        kinds = [sets[kind] | sets[KINDS + kind] for kind in range(1, 1 + KINDS)]
        seen = sum(1 << self.square(cell) for cell in range(len(codes))) & ~sets[FOG]
        return State._make((*map(np.uint64, (*sides, *kinds, seen, taken)), plies, ONGOING))

    def reason(self, state: State) -> str:
        if state.ending == WON:
            return Sentence("the king was taken")
        if state.plies >= self.limit:
            return Sentence("{} moves were played", self.limit)
        return Sentence("stalemate")

    def extras(self, state: State) -> list[str]:
        """What was taken, and how many moves were played."""
        taken = "".join(
            LETTERS[KINDS * player + kind] * self.lost(state, kind, player)
            for player in (0, 1)
            for kind in range(KINDS)
        )
        return [taken or "-", str(state.plies)]

    def set_up(self, cells: Sequence[int], mover: int, extras: Sequence[str], text: str) -> State:
        """What `text` gives, with ? for squares in the fog; or the moves played (`b2xa3 d3xc2`)."""
        taken = extras[0].replace("-", "") if extras else ""
        plies = read_whole(extras[1], MOST_TOLD) if len(extras) == 2 else None
        if plies is None or set(taken) - set(LETTERS):
            raise PositionError(
                "{} is no position; accepted: the rows with ? in the fog, who moves, what was taken and the "
                "number of moves, as '{}'",
                quoted(text),
                self.text(self.initial()),
            )
        if plies > self.limit or plies & 1 != mover:
            raise PositionError("{} moves do not fit who moves in {}", plies, quoted(text))
        counts = [taken.count(mark) for mark in LETTERS]
        packed = sum(min(count, MOST_TAKEN) << BITS * place for place, count in enumerate(counts))
        state = self._place(cells, packed, plies)
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

    def write(self, state: State, action: int) -> str:
        """The squares that a piece leaves and enters, `a1b1`; `b2xa3` takes; `a3a4q` becomes a queen."""
        kit, (source, target) = self.kept_equipment(), self.touch(state, action)
        taking = "x" if int(self.own(state, 1 - (state.plies & 1))) >> (action >> 6 & 63) & 1 else ""
        becomes = "pnbrq"[action >> 12] if action >> 12 else ""
        return f"{kit.board.cells[source].name}{taking}{kit.board.cells[target].name}{becomes}"
