"""The engine: everything that makes alpha-beta strong, as parts that can be switched.

Principal variation search inside iterative deepening, with a transposition table, ordering by the table's
move, the game's hint, killers, counter-moves and history, quiescence, null move, late-move reductions,
futility, extensions, and the game's own bounds. Each technique is a question: may I stop here, with what
value? What a game does not offer (noisy actions, a pass, bounds) costs it nothing.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from typing import Any

from gambito.game.contract import NO_ACTION, Game
from gambito.memory.ordering import FIRST, PRIORITY, new_ordering
from gambito.memory.table import (
    AGE,
    EXACT,
    LARGEST,
    LOWER,
    UPPER,
    action_of,
    bound_of,
    depth_of,
    new_table,
    value_of,
)
from gambito.native import Constant, int64, native, uint64
from gambito.search.algorithm import Algorithm, Option, Task
from gambito.search.settings import (
    BOUNDS,
    ETC,
    EXTEND,
    FINISH,
    FUTILITY,
    NULL_MOVE,
    ORDER,
    QUIESCENCE,
    REDUCTIONS,
    SCALE,
    SORT,
    TABLE,
    new_settings,
)
from gambito.search.watch import EVALUATIONS, LIMIT, NODES, STOP, Watch, new_watch

EXTRA = 64  # plies that extensions and quiescence may go beyond the depth
HURRY = 1024  # one unit of value in plies, where a sooner win counts for more
TABLES = ("off", "same-depth", "as-deep")  # which entries of the table may end a search
AS_DEEP = TABLES.index("as-deep")
NULL_DEPTH, NULL_REDUCTION = 3, 2
REDUCE_DEPTH, REDUCE_AFTER = 3, 3
FUTILE_DEPTH = 1
TABLE_DEPTH = 1  # the table: only above this depth, and at the root; below, a look costs more than it saves
SORT_DEPTH, SORT_EVERY, SORT_WEIGHT = 26, 3, 8


@native
def end_value(game, state, player, ply, scale):
    """The value of a finished game: among equal ones a sooner win and a later loss are better."""
    value = game.utility(state, player) * scale
    if scale == 1 or value == 0:
        return value
    return value - ply if value > 0 else value + ply


@native
def relative(value, ply, scale):
    """A value as the table keeps it: the plies to the end counted from the node."""
    if scale == 1 or value % scale == 0:
        return value
    return value + ply if value > 0 else value - ply


@native
def settle(game, state, alpha, beta, row, base, settings, ordering, watch):
    """Quiescence: the value of a state at the horizon, when only noisy actions are followed.

    result <= alpha:  true value <= result
    result >= beta:   true value >= result
    otherwise:        true value == result
    """
    watch.enter(game, state, row, alpha, beta)
    player = game.player(state)
    scale = settings.values[SCALE]
    if watch.is_stopped():
        watch.halt()
        return watch.leave(row, alpha)
    if game.is_terminal(state):
        value = end_value(game, state, player, watch.root() - row, scale)
        return watch.leave(row, watch.leaf(row, value, False))
    if game.cycles and watch.repeats(row):
        return watch.leave(row, watch.leaf(row, game.repetition(state, player) * scale, False))
    best = watch.leaf(row, game.evaluate(state, player) * scale, True)  # stand pat
    if best >= beta or row == 0 or settings.values[QUIESCENCE] == 0:
        return watch.leave(row, best)
    end = base
    for action in game.noisy(state):
        ordering.actions[end] = action
        ordering.scores[end] = game.priority(state, action)
        end += 1
    for place in range(base, end):
        action = watch.choose(row, ordering.next_move(place, end), NO_ACTION)
        child = game.result(state, action)
        lower = max(alpha, best)
        if game.player(child) == player:
            value = settle(game, child, lower, beta, row - 1, end, settings, ordering, watch)
        else:
            value = -settle(game, child, -beta, -lower, row - 1, end, settings, ordering, watch)
        if value > best:
            best = value
            if best >= beta:
                watch.cut(row, action, best)
                break
            if best > alpha:
                watch.best(row, action, best)
    return watch.leave(row, best)


@native
def engine(game, state, depth, alpha, beta, row, base, last, settings, table, ordering, watch):
    """The value of the state for the player to move, as far as it lies between alpha and beta.

    result <= alpha:  true value <= result
    result >= beta:   true value >= result
    otherwise:        true value == result
    (of the tree that the settings span: with null move, reductions and futility off, minimax's)
    `row` counts the plies down, `base` is where this ply's actions begin, `last` is the action before.
    """
    # Step 1. The horizon, the end of the game, a circle, a stop.
    if depth <= 0 or row == 0:
        return settle(game, state, alpha, beta, row, base, settings, ordering, watch)
    depth = min(depth, game.plies_left(state))  # to the end of the game is one depth, however it is reached
    hint = watch.enter(game, state, row, alpha, beta)
    ply = watch.root() - row
    player = game.player(state)
    scale = settings.values[SCALE]
    if watch.is_stopped():
        watch.halt()
        return watch.leave(row, alpha)
    if settings.values[FINISH] and scale == 1 and ply > 0 and game.is_nearly_over(state):
        if depth >= game.plies_left(state):
            value, visited = game.finish(state, alpha, beta)
            watch.visit(visited - 1)
            return watch.leave(row, watch.leaf(row, value, False))
    if game.is_terminal(state):
        return watch.leave(row, watch.leaf(row, end_value(game, state, player, ply, scale), False))
    if game.cycles and watch.repeats(row):
        return watch.leave(row, watch.leaf(row, game.repetition(state, player) * scale, False))

    # Step 2. What the game itself knows of the value.
    is_null = beta - alpha == 1
    if settings.values[BOUNDS] and ply > 0:
        low, high = game.bounds(state)
        alpha, beta = max(alpha, low * scale), min(beta, high * scale)
        if alpha >= beta:
            return watch.leave(row, watch.known(row, low * scale if alpha == low * scale else high * scale))

    # Step 3. What the table knows of it.
    key = uint64(game.key(state))
    first = hint
    is_kept = settings.values[TABLE] and (depth > TABLE_DEPTH or ply == 0)
    if is_kept:
        entry = table.probe(key)
        if entry != 0:
            first = action_of(entry) if first == NO_ACTION else first
            kept = depth_of(entry)
            if (kept == depth or (kept > depth and settings.values[TABLE] == AS_DEEP)) and ply > 0:
                value = relative(value_of(entry), -ply, scale)
                kind = bound_of(entry)
                if (value >= beta and kind & LOWER) or (value <= alpha and kind & UPPER):
                    return watch.leave(row, watch.known(row, value))

    # Step 4. Null move: who is well off even without moving need not look further.
    if settings.values[NULL_MOVE] and is_null and depth >= NULL_DEPTH and last != NO_ACTION:
        passed = game.pass_turn(state)
        if uint64(game.key(passed)) != key and game.evaluate(state, player) * scale >= beta:
            less = depth - 1 - NULL_REDUCTION
            none = int64(NO_ACTION)
            value = -engine(
                game, passed, less, -beta, 1 - beta, row - 1, base, none, settings, table, ordering, watch
            )
            if value >= beta and not watch.is_stopped():
                return watch.leave(row, watch.known(row, value))

    # Step 5. The actions, and how promising they are.
    if settings.values[BOUNDS]:
        end = game.worthwhile(state, ordering.actions, base)
    else:
        end = game.collect(state, ordering.actions, base)
    if end == base:
        low, _ = game.bounds(state)
        return watch.leave(row, watch.known(row, low * scale))
    is_far = settings.values[SORT] and depth >= SORT_DEPTH and end - base > 1
    look = (depth - SORT_DEPTH) // SORT_EVERY
    horizon = watch.horizon()
    for place in range(base, end):
        action = ordering.actions[place]
        score = game.priority(state, action) * PRIORITY
        if settings.values[ETC] and depth > TABLE_DEPTH + 1:
            table.expect(uint64(game.key(game.result(state, action))))
        if is_far:  # a shallow search tells more
            child = game.result(state, action)
            same = game.player(child) == player
            value = engine(
                game, child, look, -LARGEST, LARGEST, row - 1, end, action, settings, table, ordering, watch
            )
            score += (value if same else -value) // scale * SORT_WEIGHT * PRIORITY
        if settings.values[ORDER]:
            score += ordering.quiet_score(ply, player, action, last)
        ordering.scores[place] = score if action != first else FIRST
    watch.forget(horizon)

    # Step 6. Does the table know a child that is enough?
    if settings.values[ETC] and depth > TABLE_DEPTH + 1 and ply > 0:
        for place in range(base, end):
            child = game.result(state, ordering.actions[place])
            entry = table.probe(uint64(game.key(child)))
            if entry != 0 and depth_of(entry) >= depth - 1 and game.player(child) != player:
                value = -relative(value_of(entry), -ply - 1, scale)
                if (
                    value >= beta
                    and bound_of(entry) & UPPER
                    and (depth_of(entry) == depth - 1 or settings.values[TABLE] == AS_DEEP)
                ):
                    return watch.leave(row, watch.known(row, value))

    # Step 7. The loop: the first action with the whole window, the others must show that they are better.
    deeper = 1 if settings.values[EXTEND] and end == base + 1 else 0  # a forced action costs no depth
    is_futile = False
    if settings.values[FUTILITY] and depth <= FUTILE_DEPTH and is_null:
        is_futile = (game.evaluate(state, player) + settings.values[FUTILITY]) * scale <= alpha
    best, best_action, raised = -LARGEST, NO_ACTION, alpha
    for place in range(base, end):
        action = watch.choose(row, ordering.next_move(place, end), NO_ACTION)
        is_plain = place > base and ordering.scores[place] < PRIORITY
        if is_futile and is_plain:
            break
        child = game.result(state, action)
        same = game.player(child) == player
        whole = depth - 1 + deeper
        left = whole
        is_late = is_plain and depth >= REDUCE_DEPTH and place - base >= REDUCE_AFTER
        if settings.values[REDUCTIONS] and is_late:
            left -= 1
        top = beta if place == base else raised + 1
        while True:
            low, high = (raised, top) if same else (-top, -raised)
            value = engine(
                game, child, left, low, high, row - 1, end, action, settings, table, ordering, watch
            )
            value = value if same else -value
            if value > raised and left < whole:
                left = whole  # better after all: again, to the whole depth
            elif raised < value < beta and top < beta:
                top = beta  # again, for its value
            else:
                break
        if value > best:
            best, best_action = value, action
            if best >= beta:
                watch.cut(row, action, best)
                if settings.values[ORDER]:
                    ordering.reward(ply, player, action, last, depth)
                break
            if best > raised:
                raised = best
                watch.best(row, action, best)

    # Step 8. The table learns.
    if is_kept and not watch.is_stopped():
        bound = LOWER if best >= beta else EXACT if best > alpha else UPPER
        table.store(key, depth, relative(best, ply, scale), bound, best_action)
    return watch.leave(row, best)


# ---- drivers -----------------------------------------------------------------------------------------


class Desk:
    """What one thread of a search works with; the table is shared by all of them."""

    def __init__(self, task: Task) -> None:
        self.task = task
        options, rules = task.options, task.rules
        self.scale = HURRY if rules.hurries else 1
        gear = "native" if isinstance(task.game, Constant) else "python"
        values = setting_values(options, self.scale, options["order"] and not rules.orders_itself)
        self.settings = new_settings(values, gear, options["live"])
        if "table" not in task.memory:
            task.memory["table"] = new_table(options["memory"])
        if "ordering" not in task.memory:
            task.memory["ordering"] = new_ordering(task.depth + EXTRA + 1)
        self.table, self.ordering = task.memory["table"], task.memory["ordering"]
        self.action: int | None = None

    def ask(self, alpha: int, beta: int) -> int:
        """One search of the root with a window, in the engine's own units."""
        task = self.task
        row = task.depth + EXTRA
        memory = (self.settings, self.table, self.ordering, task.watch)
        value = engine(task.game, task.state, task.depth, alpha, beta, row, 0, ROOT, *memory)
        if value > alpha and not task.watch.is_stopped():
            entry = self.table.probe(uint64(task.rules.key(task.state)))
            if entry != 0 and action_of(entry) != NO_ACTION:
                self.action = int(action_of(entry))
        return int(value)

    def foresee(self) -> bool:
        """Before a search to the end of the game: what a shallow one says, where the game has an evaluation.

        Its value is the guess of the task, and the table keeps its best actions.
        """
        task, whole = self.task, self.task.depth
        left = int(task.rules.plies_left(task.state))
        if left > whole or type(task.rules).evaluate is Game.evaluate or task.watch.is_stopped():
            return False
        for depth in range(1, min(FORESEE, left // FORESEE_PART) + 1):
            task.depth = depth
            task.watch.start(depth + EXTRA, [])
            task.guess = aspire(self, int(task.guess) * self.scale) // self.scale
        task.depth = whole
        task.watch.start(whole + EXTRA, [])
        return left > FORESEE_PART

    def line(self) -> list[int]:
        """The principal variation: what the search kept, and what the table knows exactly below it."""
        task, rules = self.task, self.task.rules
        line = task.watch.line(task.depth + EXTRA) or ([] if self.action is None else [self.action])
        state, seen = task.state, set()
        for action in line:
            state = rules.result(state, action)
        while len(line) < task.depth and not rules.is_terminal(state):
            key = int(rules.key(state))
            entry = self.table.probe(uint64(key))
            is_known = entry != 0 and bound_of(entry) == EXACT and depth_of(entry) == task.depth - len(line)
            if not is_known or key in seen or action_of(entry) not in rules.legal(state):
                break
            seen.add(key)
            line.append(int(action_of(entry)))
            state = rules.result(state, line[-1])
        return line


ROOT = -2  # the action before the root: none, but a null move may follow


def setting_values(options: dict[str, Any], scale: int, order: bool) -> tuple[int, ...]:
    """The options as the numbers that the search reads, in the order of `settings`."""
    kept = TABLES.index(options["table"])
    names = ("etc", "bounds", "null_move", "reductions", "futility", "extend", "quiescence")
    return (
        scale,
        kept,
        *(int(options[n]) for n in names),
        int(order),
        int(options["finish"]),
        int(options["sort"]),
    )


def aspire(desk: Desk, guess: int) -> int:
    """Aspiration: a window around the value of the last iteration, opened where the value falls out of it."""
    width = desk.task.options["aspiration"] * desk.scale
    if not width or desk.task.depth < ASPIRE_DEPTH:
        return desk.ask(-LARGEST, LARGEST)
    low, high = guess - width, guess + width
    while True:
        value = desk.ask(low, high)
        if desk.task.watch.is_stopped() or low < value < high:
            return value
        width *= 4
        if value <= low:
            low = value - width if width < MOST_WIDTH * desk.scale else -LARGEST
        else:
            high = value + width if width < MOST_WIDTH * desk.scale else LARGEST


def close_in(desk: Desk, guess: int) -> int:
    """MTD(f): null windows from a guess."""
    low, high, gamma = -LARGEST, LARGEST, guess
    while low < high:
        value = desk.ask(gamma - 1, gamma)
        if desk.task.watch.is_stopped():
            return value
        low, high = (value, high) if value >= gamma else (low, value)
        gamma = value + 1 if value == low else value
    return low


def bisect(desk: Desk, guess: int) -> int:
    """Null windows that halve what is left, the question nearest to a draw first."""
    rules, state = desk.task.rules, desk.task.state
    low, high = (v * desk.scale for v in rules.bounds(state))
    while low < high:
        middle = low + (high - low) // 2
        if middle <= 0 and low // 2 < middle:
            middle = -(-low // 2)
        elif middle >= 0 and high // 2 > middle:
            middle = high // 2
        value = desk.ask(middle, middle + 1)
        if desk.task.watch.is_stopped():
            return value
        low, high = (value, high) if value > middle else (low, value)
    return low


class Crew:
    """Lazy parallel search: the other threads search the same root, half of them a ply deeper, and all they
    find goes through the shared table."""

    def __init__(self, task: Task, drive: Callable[[Desk, int], int]) -> None:
        self.task, self.drive = task, drive
        self.threads: list[threading.Thread] = []
        self.watches = [new_watch(Watch, "native", task.depth + 1 + EXTRA) for _ in range(task.threads - 1)]

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
        memory = {"table": self.task.memory["table"], "ordering": new_ordering(self.task.depth + 2 + EXTRA)}
        depth = self.task.depth + (number + 1) % 2 * (self.drive is aspire)
        mate = dataclasses.replace(self.task, watch=watch, memory=memory, depth=depth)
        watch.start(depth + EXTRA, [])
        self.drive(Desk(mate), int(self.task.guess) * Desk(mate).scale)


DRIVERS = {"aspiration": aspire, "mtd-f": close_in, "bisection": bisect}
ASPIRE_DEPTH = 3
FORESEE, FORESEE_PART = 12, 4  # plies to look ahead before a search to the end: at most, and of those left
MOST_WIDTH = 1 << 14


def run(task: Task) -> int:
    desk = Desk(task)
    desk.table.head[AGE] += 1
    drive = DRIVERS[task.options["driver"]]
    if drive is bisect and desk.foresee():
        drive = aspire  # around what was foreseen
    with Crew(task, drive):
        value = drive(desk, int(task.guess) * desk.scale)
    if task.watch.is_stopped():
        return 0
    if desk.action is None and not task.watch.line(task.depth + EXTRA):
        desk.ask(value - 1, value)  # the value was known before any action was: which one has it?
    task.line = desk.line()
    return (value + desk.scale // 2) // desk.scale


def refuses(game: Game) -> str:
    if game.value is float:
        return f"the engine counts in whole numbers, and the values of {game.label()} are fractions"
    if max(abs(game.lowest), abs(game.highest)) * HURRY >= LARGEST:
        return f"the engine holds values up to {LARGEST // HURRY}, and {game.label()} has larger ones"
    return ""


ALGORITHM = Algorithm(
    name="engine",
    summary="everything that makes alpha-beta strong, as parts that can be switched",
    source="Marsland 1986; Breuker 1998; Schaeffer 1989; Campbell, Hoane & Hsu 2002",
    run=run,
    options=(
        Option("memory", 64, "size of the table in MiB", low=1, high=16384),
        Option("driver", "aspiration", "how the value is closed in", choices=tuple(DRIVERS)),
        Option("aspiration", 2, "half of the first window; 0: the whole window", low=0, high=1 << 20),
        Option("table", "as-deep", "which entries of the table end a search", choices=TABLES),
        Option("etc", True, "enhanced transposition cut-offs: a child in the table may be enough"),
        Option("bounds", True, "use what the game knows of its value, and which actions are worthwhile"),
        Option("finish", True, "leave the last plies to the game, where it knows how"),
        Option("sort", True, "far from the end, order by a shallow search of each action"),
        Option("order", True, "order by killers, counter-moves and history"),
        Option("quiescence", True, "follow noisy actions beyond the horizon"),
        Option("extend", False, "a forced action costs no depth"),
        Option("null_move", False, "cut off where even a pass is good enough"),
        Option("reductions", False, "late actions are searched less deep first"),
        Option("futility", 0, "at the horizon, what a quiet action may gain; 0: off", low=0, high=1 << 20),
        Option("live", False, "read the settings from memory: slower, and compiled once for all of them"),
    ),
    extra_plies=EXTRA,
    shares=True,
    reads_out=False,
    refuses=refuses,
)
