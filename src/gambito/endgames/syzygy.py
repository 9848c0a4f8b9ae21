"""Syzygy tables of chess: is a position won, drawn or lost, and how far is the next capture or pawn move?

The files leave out what a capture decides, so captures are looked at too; and none counts a capture en
passant. The rules of chess are those of the game that is given.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gambito.endgames.syzygy_file import LETTERS, SUFFIX, SyzygyFile
from gambito.errors import EndgameError
from gambito.game.contract import Game

CHESS = "chess"
MOST_MEN = 7  # of the largest tables that exist
QUIET = 100  # plies without a capture or pawn move that make a draw
FIRST = {-2: -1, -1: -101, 0: 0, 1: 101, 2: 1}  # DTZ, if the next move captures or moves a pawn


@dataclass(frozen=True)
class Probed:
    """What the tables say about a position, for the player to move."""

    wdl: int  # 2: won, 1: won but for the rule of 50 moves, 0: drawn, -1, -2: lost
    dtz: int | None  # plies to the next capture or pawn move on the way; None without such a table


@dataclass(frozen=True)
class _Move:
    action: int
    state: Any  # after it
    is_capture: bool
    is_passing: bool  # it captures en passant
    is_pawns: bool


class Syzygy:
    """The tables of one or more folders, separated as in PATH."""

    def __init__(self, folders: str) -> None:
        self.paths: dict[str, Path] = {}
        for folder in filter(None, folders.split(os.pathsep)):
            if not os.path.isdir(folder):
                raise EndgameError("there is no folder {} of Syzygy tables", folder)
            for path in sorted(Path(folder).iterdir()):
                if path.suffix in SUFFIX and _is_name(path.stem):
                    self.paths.setdefault(path.name, path)
        self.men = max((len(Path(name).stem) - 1 for name in self.paths), default=0)
        self._files: dict[str, SyzygyFile | None] = {}

    def __len__(self) -> int:
        return len(self.paths)

    def probe(self, game: Game, state: Any) -> Probed | None:
        """What is known about a position; None if the tables do not hold it."""
        if game.name != CHESS:
            raise EndgameError("Syzygy tables are of chess, not of {}", game.label())
        if int(state.castling) or (int(state.own) | int(state.opp)).bit_count() > max(self.men, 2):
            return None
        try:
            wdl, _ = self._wdl(game, state)
        except _Missing:
            return None
        try:
            return Probed(wdl, self._dtz(game, state))
        except _Missing:
            return Probed(wdl, None)

    def best(self, game: Game, state: Any) -> dict[int, Probed]:
        """The actions that keep the outcome and come nearer to the next capture or pawn move, with what is
        known after each; {} if the tables do not hold the position. A capture or pawn move counts anew."""
        known: dict[int, tuple[tuple[int, int], Probed]] = {}
        for move in _moves(game, state):
            after = self.probe(game, move.state)
            is_zeroing = move.is_capture or move.is_pawns
            if after is None or (after.dtz is None and not is_zeroing):
                return {}
            known[move.action] = (
                _rank(-after.wdl, after, is_zeroing, game, move.state, int(state.rest)),
                after,
            )
        top = max((rank for rank, _ in known.values()), default=None)
        return {action: after for action, (rank, after) in known.items() if rank == top}

    # ---- the files -------------------------------------------------------------------------------
    def _file(self, state: Any, suffix: str) -> SyzygyFile:
        white, black = _sides(state)
        names = ["".join(LETTERS[n] * white[n].bit_count() for n in range(5, -1, -1)),
                 "".join(LETTERS[n] * black[n].bit_count() for n in range(5, -1, -1))]  # fmt: skip
        for first, second in (names, names[::-1]):
            name = f"{first}v{second}{suffix}"
            if name in self.paths:
                if name not in self._files:
                    self._files[name] = SyzygyFile(self.paths[name])
                found = self._files[name]
                assert found is not None
                return found
        raise _Missing

    def _stored(self, state: Any) -> int:
        white, black = _sides(state)
        if (int(state.own) | int(state.opp)).bit_count() == 2:
            return 0
        return self._file(state, ".rtbw").wdl(white, black, int(state.side))

    # ---- outcomes --------------------------------------------------------------------------------
    def _wdl(self, game: Game, state: Any) -> tuple[int, bool]:
        """The outcome, and whether a capture or a move that ends the game gives it."""
        moves = list(_moves(game, state))
        best, passing = -3, -3
        for move in moves:
            if move.is_capture:
                value = -self._wdl(game, move.state)[0]
                if move.is_passing:
                    passing = max(passing, value)
                else:
                    best = max(best, value)
                if value == 2:
                    return 2, True
        stored = self._stored(state)
        if passing > -3 and all(move.is_passing for move in moves):
            return max(best, passing), True  # without en passant there would be no move at all
        if max(best, passing) >= stored:
            return max(best, passing), max(best, passing) > 0 or all(move.is_capture for move in moves)
        return stored, False

    def _dtz(self, game: Game, state: Any) -> int:
        """The plies to the next capture or pawn move, above 0 for the player who wins."""
        wdl, is_by_capture = self._wdl(game, state)
        moves = list(_moves(game, state))
        if wdl == 0 or not moves:
            return 0 if moves or wdl == 0 else -1
        if is_by_capture:
            return FIRST[wdl]
        if wdl > 0:
            for move in moves:
                if move.is_pawns and not move.is_capture and -self._wdl(game, move.state)[0] == wdl:
                    return FIRST[wdl]
        white, black = _sides(state)
        stored = self._file(state, ".rtbz").dtz(white, black, int(state.side), wdl)
        if stored is not None:
            return FIRST[wdl] + (stored if wdl > 0 else -stored)
        return self._dtz_ahead(game, wdl, moves)

    def _dtz_ahead(self, game: Game, wdl: int, moves: list[_Move]) -> int:
        """The same from one ply later, if the file is of the other player."""
        if wdl > 0:
            found = []
            for move in moves:
                if not move.is_capture and not move.is_pawns:
                    is_mate = _has_no_move(game, move.state)
                    value = -self._dtz(game, move.state)
                    if value > 0:
                        found.append(1 if is_mate else value + 1)
            return min(found)
        found = []
        for move in moves:
            if move.is_capture or move.is_pawns:
                after = self._wdl(game, move.state)[0]
                found.append(0 if -after > wdl else FIRST[wdl])
            else:
                found.append(-self._dtz(game, move.state) - 1)
        return min(found)


class _Missing(Exception):
    """There is no table for a position."""


def _rank(wdl: int, after: Probed, is_zeroing: bool, game: Game, state: Any, rest: int) -> tuple[int, int]:
    """How good a move is: its outcome with the quiet plies so far, and how soon the count begins anew."""
    if wdl > 0 and _has_no_move(game, state):
        return 3, 0
    plies = 1 if is_zeroing else abs(after.dtz or 0) + 1
    if abs(wdl) == 2 and not is_zeroing and rest + plies > QUIET:
        wdl = 1 if wdl > 0 else -1
    return wdl, -plies if wdl > 0 else plies if wdl < 0 else 0


def _has_no_move(game: Game, state: Any) -> bool:
    return not any(True for _ in game.actions(state))


def _moves(game: Game, state: Any) -> Iterator[_Move]:
    """The legal moves, also where the count of quiet plies has ended the game."""
    men = (int(state.own) | int(state.opp)).bit_count()
    occupied = int(state.own) | int(state.opp)
    for action in game.actions(state):
        after = game.result(state, int(action))
        left = int(after.own) | int(after.opp)
        is_capture = left.bit_count() < men
        entered = int(after.opp) & ~int(state.own)
        is_pawns = int(after.rest) == 0 and not _is_same(state.pawns, after.pawns, entered, int(state.own))
        yield _Move(int(action), after, is_capture, is_capture and not entered & occupied, is_pawns)


def _is_same(before: Any, after: Any, entered: int, own: int) -> bool:
    """Did the mover's pawns stay where they were?"""
    return int(before) & own == int(after) & (own | entered) & int(before) and not int(after) & entered


def _sides(state: Any) -> tuple[list[int], list[int]]:
    kinds = (state.pawns, state.knights, state.bishops, state.rooks, state.queens, state.kings)
    own, other = ([int(kind) & int(side) for kind in kinds] for side in (state.own, state.opp))
    return (own, other) if int(state.side) == 0 else (other, own)


def _is_name(stem: str) -> bool:
    """Is this the name of a table: `KRvKP`?"""
    white, v, black = stem.partition("v")
    return v == "v" and all(
        side[:1] == "K" and set(side[1:]) <= set("QRBNP") for side in (white, black)
    ) and 3 <= len(white + black) <= MOST_MEN  # fmt: skip
