"""The board of a game that declares none: the arrays of its states, drawn as a grid with their values.

A field with two dimensions is a grid; several of one shape are layers, and so is the first dimension of a
field with three. What other fields hold is told beside it, as a table that is never wide.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np

from gambito.boards.equipment import Equipment, Kind, Values
from gambito.boards.picture import grid
from gambito.errors import PositionError, quoted
from gambito.words.sentence import Sentence

MOST_CELLS = 1600  # of a board that is drawn
WIDE = 60  # characters of a line of the table
FEW = 16  # items of an array that are all told beside a board
EMPTIES = (0, -1)  # what an empty cell holds: that of which the first state has more


def fields_of(state: Any) -> dict[str, Any]:
    """The fields of a state by name; {} if it has no names."""
    return {name: getattr(state, name) for name in getattr(type(state), "_fields", ())}


def grids_of(state: Any) -> dict[str, Any]:
    """The arrays of a state that are a grid, all of the same shape: those like the first."""
    held = {name: value for name, value in fields_of(state).items() if _is_grid(value)}
    shapes = [value.shape[-2:] for value in held.values()]
    return {name: value for name, value in held.items() if value.shape[-2:] == shapes[0]}


def _is_grid(value: Any) -> bool:
    is_array = isinstance(value, np.ndarray) and value.dtype.kind in "biu" and value.ndim in (2, 3)
    return is_array and 0 < value.size <= MOST_CELLS


def codes_of(state: Any) -> list[int]:
    """The values of all cells, layer by layer."""
    return [int(value) for held in grids_of(state).values() for value in held.ravel()]


def plain_board(state: Any) -> Equipment | None:
    """The board of states like this one; None if they have no grid."""
    grids = grids_of(state)
    if not grids:
        return None
    codes = codes_of(state)
    height, width = next(iter(grids.values())).shape[-2:]
    empty = max(EMPTIES, key=codes.count)
    if all(held.dtype.kind == "b" for held in grids.values()) and len(codes) == width * height:
        return Equipment(grid(width, height), (Kind("#", "square"),), margin="{:>2} ")
    return Values(
        grid(width, height), empty=empty, blank=".", apart=",", layered=len(codes) // (width * height)
    )


# ---- texts -------------------------------------------------------------------------------------------


def rest_of(state: Any) -> list[str]:
    """The fields beside the grids as words, `mover=1`; PositionError if one has no such word."""
    drawn = grids_of(state)
    return [f"{name}={_word(value)}" for name, value in fields_of(state).items() if name not in drawn]


def _word(value: Any) -> str:
    if isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "biuf":
        return ",".join(str(item.item()) for item in value)
    if isinstance(value, bool | int | float | np.integer | np.floating | np.bool_):
        return str(value.item() if isinstance(value, np.generic) else value)
    raise PositionError("a position with {} is known by its moves only", type(value).__name__)


def with_fields(state: Any, codes: Sequence[int], words: Sequence[str], text: str) -> Any:
    """The state with these values in its grids, and the other fields that the words give."""
    changed: dict[str, Any] = {}
    first = 0
    for name, held in grids_of(state).items():
        limits = (0, 1) if held.dtype.kind == "b" else (np.iinfo(held.dtype).min, np.iinfo(held.dtype).max)
        values = codes[first : first + held.size]
        if not all(limits[0] <= value <= limits[1] for value in values):
            raise PositionError("{} has a number that '{}' cannot hold", quoted(text), name)
        changed[name] = np.array(values, held.dtype).reshape(held.shape)
        first += held.size
    rest = {name: value for name, value in fields_of(state).items() if name not in changed}
    if [word.partition("=")[0] for word in words] != [*rest]:
        accepted = " ".join(f"{name}={_word(value)}" for name, value in rest.items()) or Sentence("nothing")
        raise PositionError("{}: accepted behind the board: {}", quoted(text), accepted)
    for (name, value), word in zip(rest.items(), words, strict=True):
        changed[name] = _read(value, word.partition("=")[2], text)
    return state._replace(**changed)


def _read(value: Any, word: str, text: str) -> Any:
    """What a word says for a field that holds a value of this kind."""
    try:
        if isinstance(value, np.ndarray):
            items = [_number(value.dtype.type(0), item) for item in word.split(",")]
            if len(items) != len(value):
                raise ValueError(word)
            return np.array(items, value.dtype)
        return _number(value, word)
    except (ValueError, OverflowError):
        raise PositionError("{} in {} is no value of that field", quoted(word), quoted(text)) from None


def _number(value: Any, word: str) -> Any:
    if isinstance(value, bool | np.bool_):
        return type(value)({"True": True, "False": False}[word] if word in ("True", "False") else _no(word))
    if len(word) > 40 or not word.isascii() or "_" in word:
        raise ValueError(word)
    return type(value)(float(word) if isinstance(value, float | np.floating) else int(word))


def _no(word: str) -> bool:
    raise ValueError(word)


def table(state: Any, without: Sequence[str] = ()) -> str:
    """The fields of a state, one below the other; what is long goes on in the next line.

    `without` the fields of a board, the others are told beside it, and of a long array only both ends.
    """
    fields = {name: value for name, value in fields_of(state).items() if name not in without}
    if not fields and not without:
        return "\n".join(textwrap.wrap(str(state), WIDE))
    lines: list[str] = []
    for name, value in fields.items():
        inset = " " * (len(name) + 2)
        wide = max(WIDE - len(inset), WIDE // 2)
        told = (
            np.array2string(value, max_line_width=wide, threshold=FEW if without else value.size, edgeitems=4)
            if isinstance(value, np.ndarray)
            else str(value)
        )
        parts = [
            part for line in told.splitlines() for part in textwrap.wrap(line, wide, drop_whitespace=False)
        ]
        lines += [
            f"{name}: {part}" if not number else f"{inset}{part}" for number, part in enumerate(parts or [""])
        ]
    return "\n".join(lines)
