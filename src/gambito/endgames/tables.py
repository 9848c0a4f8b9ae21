"""The tables of games on disk: building them in order, verifying them, and probing them."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gambito.endgames.builder import METRICS, Builder, Progress, Slice, Stage, is_numbered, slice_of
from gambito.endgames.files import TableFile, read_stage, write_stage, write_table
from gambito.endgames.folders import place_of
from gambito.endgames.places import LISTED
from gambito.errors import EndgameError, GambitoError, StaleTable
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.memory.endgame_tables import NONE, Endings, probe
from gambito.native import int64
from gambito.native.files import NEW
from gambito.search.engine.endgame_tables import line_to_the_end
from gambito.words import tell

SUFFIX, PART = ".table", ".part"
BETWEEN = 20.0  # seconds between two checkpoints
CACHE = 64  # MiB of uncompressed blocks
OUTCOMES = ("draw", "win", "loss")


def open_table(game: Game, name: str, path: Path) -> TableFile:
    """The file of a slice's table; StaleTable if it is not of these rules."""
    file = TableFile(path)
    try:
        code, size = slice_of(game, name)
    except GambitoError as problem:
        raise StaleTable("{} is not used: {}", path, problem) from None
    file.check(game.label(), gears(game).rules_digest, name, code, size)
    return file


def paths_of(game: Game, where: Path | None = None) -> dict[str, Path]:
    """The files of a game's tables, by slice."""
    return {path.stem: path for path in sorted(place_of(game, where).glob(f"*{SUFFIX}"))}


@dataclass(frozen=True)
class Known:
    """What the tables know about a position."""

    outcome: str  # for the player to move: win, draw or loss
    distance: int | None  # plies to the end, or to the conversion; None in a draw
    metric: str = METRICS[0]

    @classmethod
    def of(cls, value: int, metric: str) -> Known:
        sign = (value > 0) - (value < 0)
        return cls(OUTCOMES[sign], abs(value) - 1 if sign else None, metric)


# ---- building ----------------------------------------------------------------------------------------


class TableSet:
    """The tables of one game in a folder."""

    def __init__(self, game: Game, where: Path | None = None) -> None:
        self.game, self.place = game, place_of(game, where)

    def path(self, name: str) -> Path:
        return self.place / f"{name}{SUFFIX}"

    def order(self, names: list[str]) -> list[str]:
        """The slices that these depend on and the slices themselves, each after those that it converts to."""
        found: list[str] = []

        def visit(name: str) -> None:
            if name not in found:
                for other in self.lower(name):
                    visit(other)
                found.append(name)

        for name in names:
            visit(self.full_name(name))
        return found

    def full_name(self, name: str) -> str:
        """The name of a slice as the game writes it."""
        if not is_numbered(self.game) or self.game.players == 1:
            return name
        code = int(self.game.slice_code(name))
        known = self.game.slice_names(len(name))
        return next((other for other in known if int(self.game.slice_code(other)) == code), name)

    def lower(self, name: str) -> list[str]:
        return [] if name == LISTED else self.game.conversions(name)

    def open(self, name: str) -> TableFile:
        return open_table(self.game, name, self.path(name))

    def load(self, name: str) -> Slice:
        return self.open(name).read()

    def is_there(self, name: str, metric: str) -> bool:
        """Has the table been built for these rules, with this metric?"""
        try:
            return bool(self.open(name).facts["metric"] == metric)
        except EndgameError:
            return False

    def build(
        self,
        name: str,
        metric: str = METRICS[0],
        threads: int = 1,
        report: Callable[[Progress], None] | None = None,
        between: float = BETWEEN,
        builder: Builder | None = None,
        lower: list[Slice] | None = None,
    ) -> Slice:
        """Build one table from those below it and write it; an interrupted build continues."""
        builder = builder or Builder(self.game, metric, threads)
        builder.report = report or builder.report
        lower = [self.load(other) for other in self.lower(name)] if lower is None else lower
        part = self.path(name).with_suffix(PART)
        rules = gears(self.game).rules_digest
        mark = {
            "game": self.game.label(),
            "rules": rules,
            "name": name,
            "metric": metric,
            "lower": [[t.name, len(t.values), t.wins, t.losses, t.longest] for t in lower],
        }
        last = time.monotonic()

        def keep(stage: Stage) -> None:
            nonlocal last
            if time.monotonic() - last >= between:
                write_stage(part, mark, stage)
                last = time.monotonic()

        table = builder.build(name, lower, read_stage(part, mark), keep)
        write_table(self.path(name), self.game.label(), rules, table, threads)
        self.tidy(name)
        return table

    def tidy(self, name: str) -> None:
        """Remove what interrupted builds of a table have left, when the table is there."""
        for left in (self.path(name).with_suffix(PART), *self.place.glob(f"{name}.*{NEW}")):
            left.unlink(missing_ok=True)


# ---- looking into them -------------------------------------------------------------------------------


class Tables:
    """All tables of one game in a folder; `stale` says why some of them are not used."""

    def __init__(
        self, game: Game, where: Path | None = None, mebibytes: int = CACHE, gear: str | None = None
    ) -> None:
        self.game, self.both = game, gears(game)
        self.inner = self.both.in_gear(gear or self.both.default())
        self.files: dict[str, TableFile] = {}
        self.stale: dict[str, StaleTable] = {}
        for name, path in paths_of(game, where).items():
            try:
                self.files[name] = open_table(game, name, path)
            except StaleTable as problem:
                self.stale[name] = problem
        self.endings: Endings | None = None
        if self.files:
            self.endings = Endings([file.packed() for file in self.files.values()], mebibytes)
        self.metrics = {file.facts["code"]: file.facts["metric"] for file in self.files.values()}

    def value(self, state: Any) -> int | None:
        """The stored value of a position; None if the tables do not have it."""
        state = self.both.cast(state)
        if self.game.is_terminal(state):
            if self.game.players == 1:
                return 1
            score = self.game.utility(state, self.game.player(state))
            return (score > 0) - (score < 0)
        found = self._probe(state)
        return found if found is not None else self._derived(state)

    def _probe(self, state: Any) -> int | None:
        if self.endings is None:
            return None
        found = int(probe(self.inner, self.endings.address, state))
        if self.endings.damaged:
            raise EndgameError("{} is damaged: the checksum of a block is wrong", self.endings.damaged)
        return None if found == NONE else found

    def _derived(self, state: Any) -> int | None:
        """The value of a position that no slice holds, from its successors, if they all have one."""
        if self.endings is None or self._code(state) >= 0:
            return None
        values = []
        for child in self._children(state):
            value = self.value(child) if self._code(child) >= 0 else None
            if value is None:
                return None
            values.append(value if self.game.player(child) == self.game.player(state) else -value)
        wins = [value for value in values if value > 0]
        return min(wins) + 1 if wins else 0 if 0 in values else min(values) - 1

    def _children(self, state: Any) -> Iterator[Any]:
        for action in self.game.actions(state):
            yield self.both.cast(self.game.result(state, action))

    def known(self, state: Any) -> Known | None:
        """What the tables know about a position; None if they do not have it."""
        value = self.value(state)
        if value is None:
            return None
        return Known.of(value, self.metrics.get(self._code(state), METRICS[0]))

    def _code(self, state: Any) -> int:
        return int(self.game.signature(state))

    def moves(self, state: Any) -> list[tuple[int, Known | None]]:
        """What the tables know about each action, for the player to move, best first; None if nothing."""
        state, found = self.both.cast(state), []
        code = self._code(state)
        for action in self.game.legal(state):
            child = self.both.cast(self.game.result(state, action))
            value = self.value(child)
            if value is not None:
                if self.endings is not None and self.endings.converts(code) and self._code(child) != code:
                    value = (value > 0) - (value < 0)
                value = value if self.game.player(child) == self.game.player(state) else -value
                value += (value > 0) - (value < 0)
            found.append((rank(value), action, value))
        found.sort(key=lambda each: each[0], reverse=True)
        metric = self.metrics.get(code, METRICS[0])
        return [(action, None if value is None else Known.of(value, metric)) for _, action, value in found]

    def longest(self, name: str) -> tuple[Any, Known, int]:
        """A won position of a slice that is farthest from its end, what is known about it, and how many
        positions are as far."""
        if name not in self.files:
            raise self.stale.get(name) or EndgameError(
                "there is no table {} of {}; the tables that are there: {}",
                name,
                self.game.label(),
                ", ".join(self.files) or "none",
            )
        table = self.files[name].read()
        farthest = int(table.values.max(initial=0))
        if table.keys is not None or farthest <= 0:
            raise EndgameError("the table {} has no numbered position that is won", name)
        places = np.flatnonzero(table.values == farthest)
        state = self.game.unindex(int64(table.code), int64(places[0]))
        return self.both.cast(state), Known.of(farthest, table.metric), len(places)

    def line(self, state: Any) -> list[int]:
        """Best play of both sides from a decided position to the end; empty for a draw."""
        if self.endings is None:
            return []
        return line_to_the_end(self.inner, self.game, state, [], self.endings)


def rank(value: int | None) -> tuple[int, int]:
    """The order of values: near win, far win, draw, unknown, far loss, near loss."""
    if value is None:
        return 0, 0
    return (2, -value) if value > 0 else (1, 0) if value == 0 else (-1, -value)


_OPEN: dict[tuple[str, str, Path], tuple[Any, Tables]] = {}


class StaleTableWarning(UserWarning):
    """A search does not use a table, because it is of other rules."""


def tables_of(game: Game) -> Tables | None:
    """The tables of a game in their usual folder, opened once; None if there are none that fit its rules."""
    place = place_of(game)
    try:
        mark = place.stat().st_mtime_ns
    except OSError:
        return None
    key = (game.label(), gears(game).rules_digest, place)
    if key not in _OPEN or _OPEN[key][0] != mark:
        _OPEN[key] = (mark, Tables(game))
        for problem in list(_OPEN[key][1].stale.values())[:1]:  # one sentence is enough for all
            warnings.warn(tell(problem.sentence), StaleTableWarning, stacklevel=2)
    return _OPEN[key][1] if _OPEN[key][1].endings is not None else None
