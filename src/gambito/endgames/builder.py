"""Building the table of one slice: the passes one after the other, on several threads.

The memory that a build needs is known before it starts, and a build that does not fit is refused. An
interrupted build continues from its last checkpoint: after a pass the values and counts are its whole state.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gambito.endgames import passes
from gambito.endgames.places import LISTED, list_states, new_numbered
from gambito.errors import EndgameError
from gambito.game.contract import Game
from gambito.game.first_check import first_check
from gambito.game.gears import gears
from gambito.memory.positions import KNOWN
from gambito.native import Constant
from gambito.native.functions import compile_seconds
from gambito.native.store import width
from gambito.words.sentence import Sentence

METRICS = ("end", "conversion")  # what a distance is counted to
SHARE = 0.8  # the largest share of free memory used
POLL_SECONDS = 0.02  # seconds between two checks of the threads
PER_NUMBER = 2 + 1  # bytes: value and count
PER_LOWER = 2 + 2  # for a slice that is converted to: as read, and beside the others
PER_LISTED = 8 + 4 * 8 + PER_NUMBER  # key, slots, and value and count


@dataclass
class Slice:
    """The values of a slice, for the player to move: d + 1 wins in d plies, -(d + 1) loses, 0 is a draw."""

    name: str
    code: int
    metric: str
    values: Any  # int16, by number
    real: int = 0  # states; the other numbers are holes
    wins: int = 0
    losses: int = 0
    longest: int = 0  # plies of the longest win or loss
    seconds: float = 0.0
    keys: Any = None  # of a listed game, in order


@dataclass
class Progress:
    """The progress of a build."""

    name: str
    level: int  # plies from the end that are done
    done: int  # numbers done in this pass
    size: int
    decided: int  # states with a value


@dataclass
class Stage:
    """The whole state of a build between two passes, as a checkpoint holds it."""

    level: int  # the last pass
    farthest: int  # the last pass that has something to do
    decided: int
    real: int
    fresh: int  # states that the last pass decided
    values: Any
    counts: Any
    special: Any = field(default_factory=lambda: np.zeros(0, np.int64))


@dataclass
class Loaded:
    """A table in memory with all that its values are compared with."""

    name: str
    code: int
    places: Any
    work: passes.Work


Report = Callable[[Progress], None]


def slice_of(game: Game, name: str) -> tuple[int, int | None]:
    """The signature of a slice, and how many numbers it has; None where the states are listed."""
    if not is_numbered(game):
        code, size = 0, None
    else:
        code = int(game.slice_code(name)) if game.players > 1 else 0
        size = int(game.slice_size(code))
    if name != LISTED and (size is None or game.players == 1):
        raise EndgameError("'{}' is no slice of {}; accepted: {}", name, game.label(), LISTED)
    return code, size


def is_numbered(game: Game) -> bool:
    """Does the game number its states?"""
    return type(game).index is not Game.index and (game.players > 1 or int(game.slice_size(0)) > 0)


def free_memory() -> int:
    """The available memory in bytes; a large number if the system does not report it."""
    try:
        with open("/proc/meminfo") as file:
            facts = dict(line.split(":", 1) for line in file)
        return int(facts["MemAvailable"].split()[0]) << 10
    except (OSError, KeyError, ValueError):
        return 1 << 62


def memory_of(size: int, lower: int) -> int:
    """The bytes that a build needs, for a slice with so many numbers and for those that it converts to."""
    return size * PER_NUMBER + lower * PER_LOWER


def room() -> int:
    """The bytes that builds may use now."""
    return int(free_memory() * SHARE)


def check_fits(game: Game) -> None:
    """Refuse a game in which the position alone does not determine the value."""
    problem = (
        Sentence("has more than two players")
        if game.players > 2
        else Sentence("is not zero-sum")
        if game.players == 2 and not game.zero_sum
        else Sentence("has chance")
        if game.chance
        else Sentence("has hidden information")
        if game.hidden
        else Sentence("counts a repeated position as something else than a draw")
        if type(game).repetition is not Game.repetition
        else None
    )
    if problem is not None:
        raise EndgameError(
            "{} {}; endgame tables are for games of perfect information", game.label(), problem
        )


class Builder:
    """Builds slices of one game."""

    def __init__(
        self,
        game: Game,
        metric: str = METRICS[0],
        threads: int = 1,
        gear: str | None = None,
        start: Any = None,
        most: int | None = None,
    ) -> None:
        """`start` is the state from which a listed game is listed, `most` the most states of the list; by
        default the initial state, and as many as fit into memory."""
        if metric not in METRICS:
            raise EndgameError("the metric is {}, not {}", " or ".join(METRICS), metric)
        if threads < 1:
            raise EndgameError("threads must be at least 1, not {}", threads)
        check_fits(game)
        checking = first_check(game)
        checking.rules()
        self.rules, self.metric = game, metric
        self.both = gears(game)
        gear = gear or self.both.default()
        self.game = self.both.in_gear(gear)
        self.is_native = isinstance(self.game, Constant)
        if self.is_native:
            checking.gears()
        self.threads = threads if self.is_native else 1
        self.like = self.both.cast(game.initial() if start is None else start)
        self.most = most
        self.marks = [passes.new_marks() for _ in range(self.threads)]
        self.report: Report = lambda progress: None
        self.is_numbered = is_numbered(game)
        self.is_backward = self.is_numbered and (
            game.symmetric if game.players == 1 else type(game).unmoves is not Game.unmoves
        )

    # ---- a slice -------------------------------------------------------------------------------------
    def build(
        self,
        name: str,
        lower: Iterable[Slice] = (),
        stage: Stage | None = None,
        keep: Callable[[Stage], None] | None = None,
    ) -> Slice:
        """Build the table of a slice, from `stage` on if given; `keep` receives every further stage."""
        before, began = compile_seconds(), time.perf_counter()
        (code, numbers), lower = slice_of(self.rules, name), list(lower)
        places = self.places()
        size = int(places.head[KNOWN]) if numbers is None else numbers
        self.check_memory(name, size, sum(len(other.values) for other in lower))
        work = self._work(size, lower, stage)
        found = self._build(name, code, places, work, stage, keep)
        found.seconds = time.perf_counter() - began - (compile_seconds() - before)
        found.keys = None if self.is_numbered else places.keys
        return found

    def places(self) -> Any:
        """The numbering of the states; those of a game without numbers are listed."""
        if self.is_numbered:
            return new_numbered()
        kind = self.both.state if self.is_native else None
        each = PER_LISTED + (width(kind) if kind is not None else 200)
        most = room() // each
        most = most if self.most is None else min(most, self.most)

        def monitor(count: int) -> None:
            self.report(Progress(LISTED, 0, count, 0, 0))

        found = list_states(self.game, kind, self.like, most, monitor)
        if found is None:
            raise EndgameError(
                "{} has more than {:,} positions, all that memory holds, and it does not number them "
                "slice by slice",
                self.rules.label(),
                most,
            )
        return found

    def check_memory(self, name: str, size: int, lower: int) -> int:
        """The bytes that the build needs; an error if they are not free."""
        wanted, free = memory_of(size, lower), room()
        if wanted > free:
            raise EndgameError(
                "the table {} of {} takes {:,} bytes of memory to build, and {:,} are free for it",
                name,
                self.rules.label(),
                wanted,
                free,
            )
        return wanted

    def _work(
        self, size: int, lower: list[Slice], stage: Stage | None = None, values: Any = None
    ) -> passes.Work:
        head = np.zeros(16, np.int64)
        head[passes.SIZE], head[passes.LOWER] = size, len(lower)
        head[passes.CONVERTS] = self.metric == METRICS[1]
        head[passes.CHUNK] = (
            passes.NUMBERS_PER_CHUNK if self.is_native else passes.NUMBERS_PER_CHUNK_IN_PYTHON
        )
        counted = size if self.rules.players > 1 else 1
        special = np.zeros(counted, np.int64)  # memory is allocated when it is written
        if values is None:
            values = np.zeros(size, np.int16) if stage is None else stage.values
        if stage is not None:
            special[: len(stage.special)] = stage.special
            head[passes.SPECIALS] = len(stage.special)
        starts = np.cumsum([0, *(len(other.values) for other in lower)], dtype=np.int64)
        return passes.Work(
            values=values,
            counts=np.zeros(counted, np.uint8) if stage is None else stage.counts,
            special=special,
            codes=np.array([*(other.code for other in lower), -1], np.int64),
            starts=starts,
            lower=np.concatenate([*(other.values for other in lower), np.zeros(1, np.int16)]),
            head=head,
        )

    def _build(
        self,
        name: str,
        code: int,
        places: Any,
        work: passes.Work,
        stage: Stage | None,
        keep: Callable[[Stage], None] | None,
    ) -> Slice:
        now = stage or Stage(0, 1, 0, 0, 0, work.values, work.counts)
        args = (code, self.like)

        def run(function: Any, *more: Any) -> Any:
            progress = Progress(name, now.level, 0, len(work.values), now.decided)
            return self._run(function, (places, work), (*args, *more), work, progress)

        if stage is None:
            tally = run(passes.begin, self.is_backward)
            self._check(name, work)
            now.real, now.farthest = int(tally[passes.REAL]), max(1, int(tally[passes.FARTHEST]))
            if not self.is_backward or work.head[passes.SPECIALS]:
                now.farthest = max(now.farthest, 2 + max(int(work.lower.max()), -int(work.lower.min())))
            now.special = work.special[: int(work.head[passes.SPECIALS])]
        while now.level < now.farthest:
            now.level += 1
            if now.level >= passes.FURTHEST:
                raise EndgameError("the table {} has wins of more than {:,} plies", name, now.level)
            if self.is_backward and not self._is_late(now):
                tally = run(passes.backward, now.level, self.threads > 1)
                if len(now.special):
                    tally[passes.NEW] += run(passes.ask_again, now.level)[passes.NEW]
            else:
                tally = run(passes.forward, now.level)
            now.decided += int(tally[passes.SEEN])
            now.fresh = int(tally[passes.NEW])
            now.farthest = max(now.farthest, int(tally[passes.FARTHEST]), now.level + (now.fresh > 0))
            self._check(name, work)
            if keep is not None:
                keep(now)
        tally = self.marks[0].tally
        tally[: passes.SERIAL] = 0
        passes.close(self.game, work, self.marks[0])
        longest = max(int(tally[passes.FARTHEST]) - 1, 0)
        wins, losses = int(tally[passes.WINS]), int(tally[passes.LOSSES])
        return Slice(name, code, self.metric, work.values, now.real, wins, losses, longest)

    def _is_late(self, now: Stage) -> bool:
        """Are fewer states undecided than the last pass decided, in a game where one win is enough?"""
        return self.rules.players == 1 and now.real - now.decided - now.fresh < now.fresh

    def _check(self, name: str, work: passes.Work) -> None:
        if work.head[passes.SCORED]:
            raise EndgameError(
                "{} has other results than a win, a draw and a loss; an endgame table holds no scores",
                self.rules.label(),
            )
        if work.head[passes.MISSING]:
            raise EndgameError(
                "the table {} of {} needs one that was not given to it, of the signature {}",
                name,
                self.rules.label(),
                int(work.head[passes.MISSING]) - 1,
            )

    def _run(
        self,
        function: Any,
        given: tuple[Any, ...],
        args: tuple[Any, ...],
        work: passes.Work,
        progress: Progress,
        first: int = 0,
    ) -> Any:
        """Run one pass from a number on, on all threads; return the sum of their counters."""
        work.head[passes.TICKET] = first
        for marks in self.marks:
            marks.tally[: passes.SERIAL] = 0
        if self.is_native:
            function.prepare(self.game, *given, self.marks[0], *args)
        problems: list[BaseException] = []

        def go(marks: passes.Marks) -> None:
            try:
                function(self.game, *given, marks, *args)
            except BaseException as problem:
                problems.append(problem)

        mates = [threading.Thread(target=go, args=(marks,), daemon=True) for marks in self.marks]
        try:
            for thread in mates:
                thread.start()
            for thread in mates:
                thread.join(POLL_SECONDS)
                while thread.is_alive():
                    progress.done = min(int(work.head[passes.TICKET]), progress.size)
                    self.report(progress)
                    thread.join(POLL_SECONDS)
        except BaseException:
            work.head[passes.TICKET] = 1 << 60  # no numbers are left for the threads
            for thread in mates:
                thread.join()
            raise
        if problems:
            raise problems[0]
        tallies = [marks.tally for marks in self.marks]
        total = np.sum(tallies, axis=0)
        total[passes.FARTHEST] = max(tally[passes.FARTHEST] for tally in tallies)
        return total

    # ---- verifying -----------------------------------------------------------------------------------
    def load(self, table: Slice, lower: Iterable[Slice] = ()) -> Loaded:
        """A table and those that it converts to, ready to be compared."""
        work = self._work(len(table.values), list(lower), values=table.values)
        return Loaded(table.name, table.code, self.places(), work)

    def compare(self, loaded: Loaded, first: int, last: int) -> tuple[int, int | None]:
        """Derive the values of the numbers from `first` to before `last` from their successors; return how
        many of them are states, and the first wrong number. Several builders may share what is loaded."""
        head = loaded.work.head.copy()
        head[passes.SIZE] = last
        work = passes.Work(
            **{n: getattr(loaded.work, n) for n in passes.Work.arrays if n != "head"}, head=head
        )
        progress = Progress(loaded.name, 0, first, last, 0)
        given = (loaded.places, work)
        tally = self._run(passes.compare, given, (loaded.code, self.like), work, progress, first)
        self._check(loaded.name, work)
        behind = int(tally[passes.FARTHEST])
        return int(tally[passes.REAL]), last - behind if behind else None

    def verify(self, table: Slice, lower: Iterable[Slice] = ()) -> int | None:
        """Derive every value of a table from its successors; return the first wrong number, or None."""
        table.real, wrong = self.compare(self.load(table, lower), 0, len(table.values))
        return wrong

    # ---- other processes -----------------------------------------------------------------------------
    def prepare(self, is_comparing: bool = False) -> None:
        """Compile what builds or comparisons of a numbered game run, so that other processes find it."""
        if not self.is_native or not self.is_numbered:
            return
        work, code = self._work(1, []), 0
        given = (self.game, self.places(), work, self.marks[0], code, self.like)
        if is_comparing:
            passes.compare.prepare(*given)
            return
        passes.begin.prepare(*given, self.is_backward)
        if self.is_backward:
            passes.backward.prepare(*given, 1, self.threads > 1)
            passes.ask_again.prepare(*given, 1)
        if not self.is_backward or self.rules.players == 1:
            passes.forward.prepare(*given, 1)
        passes.close.prepare(self.game, work, self.marks[0])
