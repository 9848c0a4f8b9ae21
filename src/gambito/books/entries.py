"""The entries of a book: what it knows about moves, in a NumPy array sorted by key and action."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

ENTRY = np.dtype(
    [
        ("key", "<u8"),  # of the position
        ("action", "<i8"),
        ("value", "<f8"),  # for the player to move; NaN without analysis
        ("count", "<u4"),  # games with this move
        ("wins", "<u4"),  # of the player to move
        ("draws", "<u4"),
        ("losses", "<u4"),
        ("depth", "<u4"),  # depth of the analysis in plies, including the move itself
        ("flags", "<u4"),
    ]
)
EXACT = 1  # a flag: the value is that of the whole game
BACK = 2  # a flag: the move leads to an earlier position of the book, so its value is that of a repetition
COUNTS = ("count", "wins", "draws", "losses")
LARGEST_COUNT = (1 << 32) - 1


def no_entries() -> Any:
    return np.empty(0, ENTRY)


def entries_of(rows: Iterable[tuple[Any, ...]]) -> Any:
    """Entries from tuples, in the order of their fields."""
    return np.array(list(rows), ENTRY)


def combined(entries: Any) -> Any:
    """One entry for each move: games are added up, and the most reliable and deepest analysis is used."""
    if not len(entries):
        return no_entries()
    is_analysed = ~np.isnan(entries["value"])
    rank = np.where(is_analysed, 1 + entries["depth"].astype(np.int64), 0)
    rank += np.where(is_analysed & (entries["flags"] & EXACT > 0), 1 << 33, 0)
    ordered = entries[np.lexsort((-rank, entries["action"], entries["key"]))]
    is_first = np.ones(len(ordered), bool)
    is_first[1:] = (np.diff(ordered["key"]) != 0) | (np.diff(ordered["action"]) != 0)
    first = np.flatnonzero(is_first)
    result = ordered[first].copy()
    for name in COUNTS:
        result[name] = np.minimum(np.add.reduceat(ordered[name].astype(np.uint64), first), LARGEST_COUNT)
    return result


def count_positions(entries: Any) -> int:
    return len(np.unique(entries["key"]))
