"""Heuristics by name: the estimate that a search uses, alone or as the maximum or the sum of several.

    manhattan                            a heuristic of the puzzle
    max(manhattan, misplaced)            the largest of up to four
    sum(gap, relaxed)                    the sum, which may exceed the true cost
    relaxed, pattern-database            the sum of the exact costs in the puzzle's relaxed versions
    zero                                 always 0

A search runs on a version of the puzzle with two additional methods, `guess(tables, state)` and
`guess_after(tables, state, action, child, value)`. Tables of costs are memory that both gears read.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gambito.errors import SearchError
from gambito.game.gears import gears
from gambito.game.puzzle import ESTIMATE, Puzzle, heuristic_names
from gambito.native import Handle
from gambito.puzzle.tables import CostTables, exact_cost
from gambito.search.monitor import Monitor, new_monitor
from gambito.search.patience import Check, never

MAX_HEURISTICS = 4  # heuristics that can be combined
RELAXED = ("relaxed", "pattern-database")
ZERO = "zero"


class Tables(Handle):
    """The costs of all relaxed versions, one after the other."""

    arrays: ClassVar[dict[str, type]] = {"costs": np.uint8}
    monitor: Monitor | None = None  # of the searches for single costs, in the Python gear


@dataclass(frozen=True)
class Guided:
    """A puzzle with a chosen heuristic."""

    puzzle: Puzzle
    tables: CostTables
    admissible: bool | None  # None: not known
    consistent: bool | None

    def memory(self, gear: str, check: Check = never) -> Tables:
        """The tables of costs, which are made now if there are none yet; `check` may end that by an error."""
        costs = self.tables.array(check)
        tables = Tables(costs=costs if gear == "native" else costs.tolist())
        if gear != "native":
            tables.monitor = new_monitor(Monitor, gear, 0)
        return tables


def guided(puzzle: Puzzle, text: str = ESTIMATE) -> Guided:
    """The puzzle with the heuristic that the text names."""
    known: dict[str, Guided] = vars(puzzle).setdefault("_guided", {})
    if text not in known:
        known[text] = _guided(puzzle, text)
    return known[text]


def accepted(puzzle: Puzzle) -> list[str]:
    """The names of heuristics that this puzzle accepts."""
    tables = list(RELAXED) if puzzle.relaxed() else []
    return [*heuristic_names(puzzle), *tables, ZERO]


def _guided(puzzle: Puzzle, text: str) -> Guided:
    how, names = _read(puzzle, text)
    kind = type(puzzle)
    own: dict[str, Any] = {"__module__": kind.__module__, "__qualname__": kind.__qualname__}
    own["name"] = vars(kind).get("name", "")
    if puzzle.compiles:
        gears(puzzle)  # which furnishes it
        own["prepare"] = _furnished
    tables, versions = CostTables(), 0
    compiles = puzzle.compiles
    for place, name in enumerate(names):
        if name == ZERO:
            continue
        if name in RELAXED:
            relaxed = puzzle.relaxed()
            is_numbered = all(version.size for version in relaxed)
            own[f"part_{place}"] = _from_table if is_numbered else _from_search
            compiles = compiles and is_numbered
            if is_numbered:
                tables = CostTables(relaxed)
                versions = len(relaxed)
        else:
            method = name.replace("-", "_")
            takes_tables = "tables" in inspect.signature(getattr(kind, method)).parameters
            own[f"own_{place}"] = inspect.getattr_static(kind, method)
            own[f"part_{place}"] = inspect.getattr_static(kind, method) if takes_tables else _OWN[place]
    own["guess"] = {"max": _largest, "sum": _sum}.get(how, _first)
    own["guess_after"] = _again
    if how == "" and names[0].replace("-", "_") + "_after" in dir(kind):
        own["own_after"] = inspect.getattr_static(kind, names[0].replace("-", "_") + "_after")
        own["guess_after"] = _after
    version: Puzzle = object.__new__(type(kind.__name__, (_Parts, kind), own))
    vars(version).update({n: v for n, v in vars(puzzle).items() if n != "_guided"})
    offsets = tables.offsets or (0,)
    vars(version).update(versions=versions, offsets=offsets, compiles=compiles, _solved={})
    return Guided(version, tables, *_claims(puzzle, how, names))


def _read(puzzle: Puzzle, text: str) -> tuple[str, list[str]]:
    """How heuristics are combined, and which."""
    found = re.fullmatch(r"\s*(max|sum)\s*\((.*)\)\s*", text)
    how, names = ("", [text.strip()])
    if found:
        how, names = found[1], [name.strip() for name in found[2].split(",")]
    known = accepted(puzzle)
    for name in names:
        if name not in known:
            told = f"{', '.join(known)}; max(…) and sum(…) of up to {MAX_HEURISTICS} of them"
            raise SearchError("{} has no heuristic '{}'; accepted: {}", puzzle.label(), name[:60], told)
    if len(names) > MAX_HEURISTICS:
        raise SearchError("at most {} heuristics can be combined, not {}", MAX_HEURISTICS, len(names))
    return how, names


def _claims(puzzle: Puzzle, how: str, names: list[str]) -> tuple[bool | None, bool | None]:
    """What is known about the combined heuristics; nothing is known about a sum of several."""
    claims = [_claim(puzzle, name) for name in names]
    if how == "sum" and len([name for name in names if name != ZERO]) > 1:
        return None, None
    both = [[claim[side] for claim in claims] for side in (0, 1)]
    admissible, consistent = (
        True if all(side) else False if any(s is False for s in side) else None for side in both
    )
    if len(names) > 1:  # the largest of several may be admissible even if one is not
        admissible, consistent = admissible or None, consistent or None
    return admissible, consistent


def _claim(puzzle: Puzzle, name: str) -> tuple[bool | None, bool | None]:
    if name in RELAXED:  # an index of the table that several states share may make it inconsistent
        return True, None
    return (True, True) if name == ZERO else puzzle.claims(name)


# ---- the methods of a guided puzzle --------------------------------------------------------------------


class _Parts:
    """Placeholders for unused heuristics."""

    def part_0(self, tables, state):
        return 0

    def part_1(self, tables, state):
        return 0

    def part_2(self, tables, state):
        return 0

    def part_3(self, tables, state):
        return 0


def _furnished(self):
    """The puzzle itself is furnished, and shares what it has."""


def _own_0(self, tables, state):
    return self.own_0(state)


def _own_1(self, tables, state):
    return self.own_1(state)


def _own_2(self, tables, state):
    return self.own_2(state)


def _own_3(self, tables, state):
    return self.own_3(state)


_OWN = (_own_0, _own_1, _own_2, _own_3)


def _from_table(self, tables, state):
    """The sum of the costs in the relaxed versions."""
    total = 0
    for version in range(self.versions):
        total += tables.costs[self.offsets[version] + self.relax(state, version)]
    return total


def _from_search(self, tables, state):
    """The same if the states of a relaxed version are not numbered: it is solved, once for each state."""
    return sum(
        exact_cost(version, self.relax(state, number), self._solved, number, tables.monitor)
        for number, version in enumerate(self.relaxed())
    )


def _first(self, tables, state):
    return self.part_0(tables, state)


def _largest(self, tables, state):
    return max(
        max(self.part_0(tables, state), self.part_1(tables, state)),
        max(self.part_2(tables, state), self.part_3(tables, state)),
    )


def _sum(self, tables, state):
    return (
        self.part_0(tables, state)
        + self.part_1(tables, state)
        + self.part_2(tables, state)
        + self.part_3(tables, state)
    )


def _again(self, tables, state, action, child, value):
    return self.guess(tables, child)


def _after(self, tables, state, action, child, value):
    return self.own_after(state, action, child, value)
