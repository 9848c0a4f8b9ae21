"""The engine as an algorithm: its options, how a value is closed in, and its threads.

A driver asks the search of `engine` about windows until the value is known: aspiration windows, the null
windows of MTD(f), or null windows that halve what is left.
"""

from __future__ import annotations

import dataclasses
import json
import threading
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import SearchError
from gambito.game.contract import NO_ACTION, Game
from gambito.memory.ordering import ACTIONS, new_ordering
from gambito.memory.table import (
    AGE,
    EXACT,
    LARGEST,
    POLICIES,
    SHARED,
    TABLES_AT,
    action_of,
    bound_of,
    depth_of,
    new_table,
)
from gambito.native import Constant, int64, native, uint64
from gambito.search.algorithm import Algorithm, Option, Task
from gambito.search.engine import EXTRA, TABLES, engine, key_and_view
from gambito.search.settings import CUT, DEPTHS, NAMES, NEAR, PAIRS, REPLACE, SHALLOW, new_settings
from gambito.search.watch import DECISION, EVALUATIONS, LIMIT, NODES, STOP, Watch, new_watch
from gambito.words.sentence import Sentence

HURRY = 1024  # one unit of value in plies, where a sooner win counts for more
ROOT = -2  # the action before the root: none, but a null move may follow
DRIVERS = ("aspiration", "mtd-f", "bisection")
ASPIRATION, MTD_F, BISECTION = range(len(DRIVERS))
ASPIRE_DEPTH = 3
LEAST_SHARED, PART = 3, 2  # threads look what the others do from this depth on, and this part of the root's
MOST_WIDTH = 1 << 24
FORESEEN, FORESEEN_PART = 12, 4  # plies to look ahead before a search to the end: at most, and of those left
CUTS = ("off", "one", "multi")


@native
def drive(game, state, depth, way, guess, width, low, high, row, settings, table, ordering, watch):
    """The value of the root, between low and high, by one search after another.

    aspiration  a window around the guess, opened where the value falls out of it
    mtd-f       null windows from the guess on
    bisection   null windows that halve what is left, the question nearest to a draw first
    """
    base, last = int64(ACTIONS), int64(ROOT)
    alpha, beta = low, high
    if way == ASPIRATION and width > 0 and depth >= ASPIRE_DEPTH:
        alpha, beta = max(guess - width, low), min(guess + width, high)
    while low < high:
        if way == MTD_F:
            beta = min(max(guess, low + 1), high)
            alpha = beta - 1
        elif way == BISECTION:
            alpha = low + (high - low) // 2
            if alpha <= 0 and -(-low // 2) < alpha:
                alpha = -(-low // 2)
            elif alpha >= 0 and high // 2 > alpha:
                alpha = high // 2
            beta = alpha + 1
        value = engine(game, state, depth, alpha, beta, row, base, last, settings, table, ordering, watch)
        if watch.is_stopped():
            return value
        if way == ASPIRATION:
            width *= 4
            if alpha < value < beta or (value <= low and alpha == low) or (value >= high and beta == high):
                low = high = value
            elif value <= alpha:
                high, beta = value, min(beta, value + 1)
                alpha = value - width if width < MOST_WIDTH else low
            else:
                low, alpha = value, max(alpha, value - 1)
                beta = value + width if width < MOST_WIDTH else high
            alpha, beta = max(alpha, low - 1), min(beta, high + 1)
        elif value >= beta:
            low, guess = value, value + 1
        else:
            high, guess = value, value
        watch.close_in(low, high)
    return low


# ---- one search --------------------------------------------------------------------------------------


class Desk:
    """What one thread of a search works with; the table is shared by all of them."""

    def __init__(self, task: Task) -> None:
        self.task = task
        options, rules = task.options, task.rules
        self.scale = HURRY if rules.hurries else 1
        self.way = DRIVERS.index(options["driver"])
        gear = "native" if isinstance(task.game, Constant) else "python"
        asked = (rules.label(), gear, options, task.endings is not None)
        if task.memory.get("asked") != asked:  # kept memory may be that of another question
            forecast, stages = forecast_table(read_forecasts(options["forecast"]) or rules.forecasts)
            given = {**options, "endings": task.endings is not None}
            values = setting_values(given, self.scale, stages, rules.orders_itself)
            task.memory["settings"] = new_settings(values, forecast, gear, options["live"])
            task.memory["asked"] = asked
        if "table" not in task.memory:
            task.memory["table"] = new_table(options["memory"])
        if "ordering" not in task.memory:
            task.memory["ordering"] = new_ordering()
        memory = task.memory
        self.settings, self.table, self.ordering = memory["settings"], memory["table"], memory["ordering"]
        self.table.words[TABLES_AT] = task.endings.address if task.endings is not None else 0

    def search(self) -> int:
        """The value of the root, in the engine's own units."""
        task = self.task
        if self.way != BISECTION:
            return self._drive(self.way, task.depth, -LARGEST, LARGEST)
        if self._foresees():
            return self._drive(ASPIRATION, task.depth, -LARGEST, LARGEST)
        low, high = (int(v) * self.scale for v in task.rules.bounds(task.state))
        return self._drive(BISECTION, task.depth, low - 1, high)  # the action is not known where the value is

    def _drive(self, way: int, depth: int, low: int, high: int) -> int:
        task, row = self.task, depth + EXTRA
        guess, width = int(task.guess) * self.scale, task.options["aspiration"] * self.scale
        memory = (self.settings, self.table, self.ordering, task.watch)
        return int(drive(task.game, task.state, depth, way, guess, width, low, high, row, *memory))

    def _foresees(self) -> bool:
        """Before a search to the end of a game that has an evaluation: what do shallow searches say?

        Their value is a better guess than a draw, and the table keeps their actions.
        """
        task, whole = self.task, self.task.depth
        most = min(FORESEEN, whole // FORESEEN_PART)
        if type(task.rules).evaluate is Game.evaluate or most < 1 or task.watch.is_stopped():
            return False
        for depth in range(1, most + 1):
            task.watch.start(depth + EXTRA, [])
            task.guess = self._drive(ASPIRATION, depth, -LARGEST, LARGEST) // self.scale
            if task.watch.is_stopped():
                break
        task.watch.start(whole + EXTRA, [])
        return True

    def line(self) -> list[int]:
        """The principal variation: what the search kept, and what the table knows exactly below it."""
        task, rules = self.task, self.task.rules
        line = task.watch.line(task.depth + EXTRA)
        decision = int(task.watch.data[DECISION])
        if line[:1] != [decision] and decision != NO_ACTION:
            line = [decision]
        line = line or list(task.among or rules.legal(task.state))[:1]
        state, seen = task.state, set()
        for action in line:
            state = rules.result(state, action)
        python = self.settings if not isinstance(self.settings, Constant) else self.settings.subject
        while len(line) < task.depth and not rules.is_terminal(state):
            left = task.depth - len(line)
            key, view = key_and_view.plain(rules, state, left, python)
            entry = self.table.probe(uint64(key), left < python.values[NEAR], python.values[REPLACE])
            is_known = entry != 0 and bound_of(entry) == EXACT and depth_of(entry) == left
            action = int(action_of(entry))
            action = action if view == 0 or action < 0 else int(rules.turn(action, view, True))
            if not is_known or int(key) in seen or action not in rules.legal(state):
                break
            seen.add(int(key))
            line.append(action)
            state = rules.result(state, action)
        return line


def setting_values(options: dict[str, Any], scale: int, stages: int, orders_itself: bool) -> tuple[int, ...]:
    """The options as the numbers that the search reads."""
    given = {
        **options,
        "scale": scale,
        "stages": stages,
        "table": TABLES.index(options["table"]),
        "replace": POLICIES.index(options["replace"]),
        "probcut": CUTS.index(options["probcut"]),
        "certainty": round(100 * options["certainty"]),
        "order": options["order"] and not orders_itself,
    }
    return tuple(int(given[name]) for name in NAMES)


def read_forecasts(path: str) -> list[tuple[float, ...]]:
    """The forecasts of a file that `gambito fit probcut` wrote; none of no file."""
    if not path:
        return []
    try:
        rows = json.loads(Path(path).read_text(encoding="utf-8"))["forecasts"]
        return [(int(stage), int(depth), *map(float, numbers)) for stage, depth, *numbers in rows]
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise SearchError("{} holds no forecasts of `gambito fit probcut`: {}", path, problem) from None


def forecast_table(rows: Any) -> tuple[Any, int]:
    """Forecasts (stage, depth, shallow, a, b, sigma) as the array that `settings` describes; its stages.

    Beyond the deepest forecast that of a depth as odd or even is taken, with the pair as far apart.
    """
    stages = 1 + max((int(row[0]) for row in rows), default=0)
    table = np.zeros((stages, DEPTHS, PAIRS, CUT))
    table[..., SHALLOW] = -1
    for stage, depth, *numbers in sorted(rows):
        if 0 < depth < DEPTHS and 0 <= numbers[0] < depth:
            pair = int((table[int(stage), int(depth), :, SHALLOW] >= 0).sum())
            if pair < PAIRS:
                table[int(stage), int(depth), pair] = numbers
    deepest = int(max((row[1] for row in rows), default=DEPTHS))
    for depth in range(deepest + 1, DEPTHS):
        table[:, depth] = table[:, depth - 2]
        table[:, depth, :, SHALLOW] += 2 * (table[:, depth, :, SHALLOW] >= 0)
    return table.ravel(), stages


class Crew:
    """Lazy parallel search: the other threads search the same root, and all they find goes through the shared
    table. Who finds another one busy with an action takes it up later (Kerrigan's simplified ABDADA)."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.threads: list[threading.Thread] = []
        self.watches = [
            new_watch(Watch, "native", task.depth + EXTRA, past=task.past, among=task.among)
            for _ in range(task.threads - 1)
        ]

    def __enter__(self) -> None:
        for number, watch in enumerate(self.watches):
            thread = threading.Thread(target=self._work, args=(watch, number), daemon=True)
            thread.start()
            self.threads.append(thread)

    def __exit__(self, *_: Any) -> None:
        for watch in self.watches:
            watch.data[LIMIT] = STOP
        for thread in self.threads:
            thread.join()
        counted = self.task.memory
        for name, place in (("nodes", NODES), ("evaluations", EVALUATIONS)):
            counted[name] = counted.get(name, 0) + sum(int(w.data[place]) for w in self.watches)

    def _work(self, watch: Watch, number: int) -> None:
        shared = self.task.memory
        memory = {n: shared[n] for n in ("table", "settings", "asked")}
        memory["ordering"] = shared.setdefault(f"ordering {number}", new_ordering(number + 1))
        mate = dataclasses.replace(self.task, watch=watch, memory=memory)
        watch.start(self.task.depth + EXTRA, [])
        Desk(mate).search()


def run(task: Task) -> int:
    desk = Desk(task)
    task.unit = desk.scale
    desk.table.words[AGE] += np.uint64(1)
    desk.table.words[SHARED] = max(LEAST_SHARED, task.depth // PART) if task.threads > 1 else 0
    with Crew(task):
        value = desk.search()
    if task.watch.is_stopped():
        return 0
    task.line = desk.line()
    rounded = (value + desk.scale // 2) // desk.scale
    task.ends_in = abs(value - rounded * desk.scale) or None
    if task.endings is not None and not task.endings.counts_ends:
        task.ends_in = None
    return rounded


def refuses(game: Game) -> str:
    if game.value is float:
        return Sentence(
            "the engine counts in whole numbers, and the values of {} are fractions", game.label()
        )
    if max(abs(game.lowest), abs(game.highest)) * HURRY >= LARGEST:
        return Sentence(
            "the engine holds values up to {}, and {} has larger ones", LARGEST // HURRY, game.label()
        )
    return ""


ALGORITHM = Algorithm(
    name="engine",
    summary="everything that makes alpha-beta strong, as parts that can be switched",
    source="Marsland 1986; Breuker 1998; Schaeffer 1989; Campbell, Hoane & Hsu 2002",
    run=run,
    options=(
        Option("memory", 64, "size of the table in MiB", low=1, high=16384, technique=False),
        Option("driver", "aspiration", "how the value is closed in", choices=DRIVERS),
        Option("aspiration", 2, "half of the first window; 0: the whole window", low=0, high=1 << 20),
        Option("table", "as-deep", "which entries of the table end a search", choices=TABLES),
        Option("table_from", 1, "the depth from which on the table is used", low=1, high=1000),
        Option(
            "near",
            0,
            "below this depth entries are kept near by, in little memory; 0: off",
            low=0,
            high=1000,
            on=12,
        ),
        Option(
            "replace",
            "depth",
            "which entry of the table goes: the less deep, the less used",
            choices=POLICIES,
        ),
        Option("etc", 2, "from this depth on a child in the table may be enough; 0: off", low=0, high=1000),
        Option("bounds", True, "use what the game knows of its value, and which actions are worthwhile"),
        Option("finish", True, "leave the last plies to the game, where it knows how"),
        Option("endings", True, "look into endgame tables, where there are any", technique=False),
        Option(
            "symmetry", 0, "from this depth on symmetric positions are one; 0: off", low=0, high=1000, on=8
        ),
        Option("order", True, "order by killers, counter-moves and history"),
        Option("presort", 0, "from this depth on order by shallow searches; 0: off", low=0, high=1000, on=8),
        Option(
            "internal",
            0,
            "from this depth on find the first action by a shallower search; 0: off",
            low=0,
            high=1000,
            on=5,
        ),
        Option("quiescence", True, "follow noisy actions beyond the horizon"),
        Option("forced", False, "an action without alternative costs no depth"),
        Option("urgent", False, "an action that must be answered at once costs no depth"),
        Option(
            "singular",
            0,
            "an action better than all others by this much costs no depth; 0: off",
            low=0,
            high=1 << 20,
            on=4,
        ),
        Option(
            "null_move",
            0,
            "cut off where even a pass is good enough, searched so much less deep; 0: off",
            low=0,
            high=8,
            on=2,
            sound=False,
        ),
        Option("verify", True, "look again where a null move cuts off and zugzwang is likely"),
        Option("threat", False, "try early what meets the threat that a null move shows"),
        Option(
            "probcut",
            "off",
            "cut off where a shallow search falls far out of the window",
            choices=CUTS,
            on="multi",
            sound=False,
        ),
        Option(
            "certainty",
            1.5,
            "how far out, in standard deviations of the forecast",
            low=0.1,
            high=10.0,
            technique=False,
        ),
        Option("forecast", "", "a file of `gambito fit probcut`; else the game's own", technique=False),
        Option(
            "n_best",
            0,
            "look only at so many actions, those that look best; 0: all",
            low=0,
            high=1000,
            on=6,
            sound=False,
        ),
        Option("reductions", False, "late actions are searched less deep first", sound=False),
        Option(
            "futility",
            0,
            "at the horizon, what a quiet action may gain; 0: off",
            low=0,
            high=1 << 20,
            on=8,
            sound=False,
        ),
        Option("futile_depth", 1, "the depth up to which that is asked", low=1, high=8, technique=False),
        Option(
            "static",
            0,
            "cut off what looks better than needed by this much for each ply; 0: off",
            low=0,
            high=1 << 20,
            on=80,
            sound=False,
        ),
        Option(
            "null_growth",
            0,
            "one ply less for a null move for each so many plies of depth; 0: none",
            low=0,
            high=100,
            on=4,
        ),
        Option(
            "late",
            0,
            "near the horizon look only at so many quiet actions and depth² more; 0: all",
            low=0,
            high=1000,
            on=4,
            sound=False,
        ),
        Option(
            "losing",
            False,
            "leave out what seems to lose something, near the horizon and beyond",
            sound=False,
        ),
        Option(
            "steepness",
            0,
            "late actions are searched less deep by ln depth · ln number · this / 100; 0: by one ply",
            low=0,
            high=200,
            on=45,
        ),
        Option("malus", False, "history forgets quiet actions that did not cut off; captures are not in it"),
        Option("evasions", False, "beyond the horizon, who must answer a threat may try everything"),
        Option(
            "delta",
            0,
            "beyond the horizon, leave out what cannot gain enough with this margin; 0: off",
            low=0,
            high=1 << 20,
            on=100,
            sound=False,
        ),
        Option("staged", False, "make the quiet actions only where the table's and the noisy ones do not do"),
        Option("remember", False, "the table keeps what is found beyond the horizon"),
        Option(
            "blind",
            0,
            "from this depth on, where no action is known as the first, one ply less; 0: off",
            low=0,
            high=1000,
            on=4,
            sound=False,
        ),
        Option(
            "live",
            False,
            "read the settings from memory: slower, and compiled once for all of them",
            technique=False,
        ),
    ),
    extra_plies=EXTRA,
    shares=True,
    chooses=True,
    always_deepens=True,
    reads_out=False,
    refuses=refuses,
)
