"""The table of an experiment: a CSV file with a row for each search, which is resumed where it ended.

A row is on the disk before the next one is written (`lines`). Columns have one type each, so the table can be
read as a data frame or turned into Parquet as it is; an empty field is a missing number.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from gambito.errors import PlayerError
from gambito.native.files import put_file
from gambito.players.experiments.experiment_plan import Cell
from gambito.players.lines import LinedFile

WHOLE = "-?[0-9]{1,18}"


def _truth(text: str) -> bool:
    return {"true": True, "false": False}[text]


def _number(text: str) -> int | float:
    return int(text) if re.fullmatch(WHOLE, text) else float(text)


ASKED = tuple(each.name for each in fields(Cell))
LIMITS = {"depth": "depth_limit", "nodes": "node_limit", "seconds": "second_limit"}  # fields that are limits
KEY = tuple(LIMITS.get(name, name) for name in ASKED)
COLUMNS: dict[str, Any] = {
    "game": str, "position": str, "algorithm": str, "options": str, "seed": int, "repeat": int,
    "depth_limit": int, "node_limit": int, "second_limit": float,
    "gear": str, "action": str, "value": _number, "exact": _truth, "depth": int,
    "nodes": int, "leaves": int, "seconds": float, "compile_seconds": float, "version": str,
}  # fmt: skip


def key_of(cell: Cell) -> dict[str, Any]:
    """What identifies a search, under the names of its columns."""
    return {LIMITS.get(name, name): value for name, value in asdict(cell).items()}


class ResultTable:
    """The rows of an experiment. Without a path nothing is kept."""

    def __init__(self, path: str | Path | None) -> None:
        self.path = None if path is None else Path(path)
        self.rows: dict[tuple[Any, ...], dict[str, Any]] = {}
        self._file: LinedFile | None = None
        if self.path is not None:
            busy = PlayerError("{} is being written by another process", self.path)
            self._file = LinedFile(self.path, busy)
            try:
                self._resume(self._file)
            except BaseException:
                self.close()
                raise

    def __enter__(self) -> ResultTable:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def row(self, cell: Cell) -> dict[str, Any] | None:
        """The result of a search, if the table has it."""
        return self.rows.get(tuple(key_of(cell).values()))

    def add(self, row: dict[str, Any]) -> None:
        """Add a row; when this returns, it is on the disk."""
        self.rows[tuple(row[name] for name in KEY)] = row
        if self._file is not None:
            self._file.write(_line(_cells(row)))

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def sort(self, cells: Iterable[Cell]) -> None:
        """Put the rows of these searches first, in this order, and end: nothing can be added any more."""
        keys = [tuple(key_of(cell).values()) for cell in cells]
        order = {key: place for place, key in enumerate(keys)}
        rows = sorted(self.rows.items(), key=lambda held: order.get(held[0], len(order)))
        self.rows = dict(rows)
        if self.path is not None:
            lines = [_line(list(COLUMNS)), *(_line(_cells(row)) for row in self.rows.values())]
            put_file(self.path, lines)
        self.close()

    def _resume(self, file: LinedFile) -> None:
        """Read the rows in the file, and go on after them."""
        head = _line(list(COLUMNS))
        foreign = PlayerError(
            "{} is no table of an experiment; accepted: a new file, or such a table", self.path
        )
        whole = file.read(head, foreign)
        try:
            read = list(csv.reader(io.StringIO(whole.decode(), newline="")))[1:]
        except (UnicodeDecodeError, csv.Error):
            raise PlayerError("{} has a row that is not of an experiment", self.path) from None
        for place, cells in enumerate(read, 2):
            row = self._read(cells, place)
            self.rows[tuple(row[name] for name in KEY)] = row
        file.go_on(whole, head)

    def _read(self, cells: list[str], place: int) -> dict[str, Any]:
        try:
            return {
                name: None if text == "" and kind is not str else kind(text)
                for (name, kind), text in zip(COLUMNS.items(), cells, strict=True)
            }
        except (ValueError, KeyError):
            raise PlayerError("{}, row {} is not of an experiment", self.path, place) from None


def _cells(row: dict[str, Any]) -> list[str]:
    """A row as texts; floats keep all their digits."""
    texts = []
    for name in COLUMNS:
        value = row[name]
        texts.append("" if value is None else str(value).lower() if isinstance(value, bool) else str(value))
    return texts


def _line(cells: list[str]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue().encode()
