"""The file of a match: a header that says which match it is, then one line of JSON for each game. A tuning
keeps its pairs in the same way.

A line is on the disk before the next game begins (`lines`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gambito.errors import PlayerError
from gambito.players.lines import LinedFile

VERSION = 1


# What a game is kept with; files of older matches have no utility.
FIELDS = frozenset(
    {"number", "points", "utility", "utilities", "reason", "loser", "problem", "seconds", "moves"}
)


def is_game(game: Any, more: frozenset[str] = frozenset(), players: int = 2) -> bool:
    """Is this the result of a game of so many, as a file keeps it, with no fields but these and `more`?"""
    numbers = (game.get("utility", 0), *game.get("utilities", ()), *game["seconds"])
    is_whole = isinstance(game["number"], int) and game["number"] >= 0 and game["points"] in (0, 0.5, 1)
    is_whole = is_whole and len(game["seconds"]) == players and len(game.get("utilities", numbers)) >= players
    is_told = isinstance(game["reason"], str) and all(isinstance(each, int | float) for each in numbers)
    return is_whole and is_told and FIELDS | more >= set(game)


class Journal:
    """Results that are kept in a file. Without a path nothing is kept."""

    def __init__(
        self,
        path: str | Path | None,
        header: dict[str, Any],
        kind: str = "match",
        is_result: Callable[[Any], bool] = is_game,
    ) -> None:
        self.path = None if path is None else Path(path)
        self.games: list[dict[str, Any]] = []
        self._file: LinedFile | None = None
        self._is_result = is_result
        if self.path is not None:
            self._file = LinedFile(
                self.path, PlayerError("{} is being written by another process", self.path)
            )
            try:
                self._resume(self._file, _line({"gambito": kind, "version": VERSION, **header}))
            except BaseException:
                self.close()
                raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def append(self, game: dict[str, Any]) -> None:
        """Append a game; when this returns, it is on the disk. `games` holds none that the file does not."""
        if self._file is not None:
            self._file.write(_line(game))
        self.games.append(game)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _resume(self, file: LinedFile, header: bytes) -> None:
        """Read the games in the file, and go on after them."""
        foreign = PlayerError(
            "{} belongs to another match; "
            "accepted: a new file, or one with the same players, game, clock and openings",
            self.path,
        )
        whole = file.read(header, foreign)
        self.games = [self._read(line) for line in whole.splitlines()[1:]]
        file.go_on(whole, header)

    def _read(self, line: bytes) -> dict[str, Any]:
        try:
            game = json.loads(line)
            assert self._is_result(game)
        except (ValueError, LookupError, TypeError, AttributeError, AssertionError, RecursionError):
            raise PlayerError(
                "{} has a line that is not a game of a match: {}", self.path, repr(line[:40])
            ) from None
        return game


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
