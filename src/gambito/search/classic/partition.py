"""Partition search: what is found out about a state holds for every state that is equal in what mattered.

The search asks "does player 0 get at least so much?" in null windows that close in on the value. Below every
node it collects what the answer depended on: in a game of tricks, the ranks that won tricks. The table stores
the answer for all states with the same shape and the same features of that kind.

Ginsberg, Partition search (1996); the game gives the rules of `game/contract/partitions.py`.
"""

from __future__ import annotations

from typing import Any

from gambito.errors import SearchError
from gambito.game.contract import NO_ACTION, Game
from gambito.game.gears import gears
from gambito.memory.partitions import AGE, PartitionTable, new_partition_table
from gambito.native import int64, native, uint64
from gambito.native.scratch import scratch
from gambito.search.algorithm import NEVER, VALUE, DepthSearch, Fits, Option
from gambito.search.monitor import Monitor, new_monitor
from gambito.search.task import SearchTask, TaskResult
from gambito.words.sentence import Sentence

MOST_CHOICES = 64  # actions of a state that are tried
FAR = 1 << 14  # above every value


@native
def reaches(game, state, depth, need, table, monitor):
    """Does player 0 get at least `need` from here on, points already won left out? And what mattered.

    true:   true value >= need, in every state that is equal in what mattered
    false:  true value < need, in every such state
    """
    is_ours = game.player(state) == 0
    monitor.enter(game, state, depth, need - 1 if is_ours else -need, need if is_ours else 1 - need)
    if game.is_terminal(state) or monitor.is_stopped():
        answer = game.utility(state, 0) >= need
        monitor.leave(depth, monitor.leaf(depth, shown(answer, need, is_ours), False))
        return answer, uint64(0)
    shape = uint64(game.partition_key(state))
    hint, near, age = int64(NO_ACTION), int64(0), int64(0)
    first, second = uint64(0), uint64(0)
    if shape:
        known, mattered = game.is_reached(state, need)
        if known >= 0:
            monitor.leave(depth, monitor.leaf(depth, shown(known == 1, need, is_ours), False))
            return known == 1, mattered
        first, second = game.partition_details(state)
        age = table.head[AGE]
        slot = table.slot(shape)
        entry, near = table.find(slot, first, second, need)
        if entry:
            answer = table.low(entry) >= need
            monitor.leave(depth, monitor.known(depth, shown(answer, need, is_ours)))
            return answer, uint64(game.mattered_of_mask(state, *table.mask(entry)))
        if near:
            hint = table.action(near)
        else:
            hint = table.usual(slot)
    choices = scratch(MOST_CHOICES, int64)
    end = game.worthwhile(state, choices, 0)
    if hint != NO_ACTION:
        bring_forward(choices, end, hint)
    answer, chosen, mattered = not is_ours, int64(NO_ACTION), uint64(0)
    for place in range(end):
        action = monitor.choose(depth, choices[place], NO_ACTION)
        after = game.result(state, action)
        won = game.banked(after, 0) - game.banked(after, 1)
        found, below = reaches(game, game.unbanked(after), depth - 1, need - won, table, monitor)
        below = uint64(game.mattered_before(state, action, below))
        if found == is_ours:
            answer, chosen, mattered = found, action, below
            monitor.cut(depth, action, shown(answer, need, is_ours))
            break
        mattered |= below
    if shape and not monitor.is_stopped():
        mask = game.mask_of_mattered(state, mattered)
        low, high = (need, int64(FAR)) if answer else (int64(-FAR), need - 1)
        table.keep(shape, near, age, (first, second), mask, low, high, chosen)
    monitor.leave(depth, shown(answer, need, is_ours))
    return answer, mattered


def shown(answer, need, is_ours):
    """The bound that an answer gives, for the player to move."""
    bound = need if answer else need - 1
    return bound if is_ours else -bound


def bring_forward(choices, end, hint):
    """Put an action first, if it is among the choices."""
    for place in range(end):
        if choices[place] == hint:
            for other in range(place, 0, -1):
                choices[other] = choices[other - 1]
            choices[0] = hint
            return


@native
def close_in(game, state, depth, low, high, guess, table, monitor):
    """The value for player 0 of a state in which no points are won yet; it lies between `low` and `high`.

    The windows go from the guess one by one, because the next question profits from the table of the last.
    """
    while low < high and not monitor.is_stopped():
        need = min(max(guess, low + 1), high)
        answer, _ = reaches(game, state, depth, need, table, monitor)
        if answer:
            low, guess = need, need + 1
        else:
            high, guess = need - 1, need - 1
    return low


def run(task: SearchTask) -> TaskResult:
    rules, state = task.rules, task.state
    if task.depth < rules.plies_left(state) and not task.monitor.is_stopped():
        raise SearchError("partition searches to the end of the game: {} plies", rules.plies_left(state))
    table = partition_table(task)
    won = rules.banked(state, 0) - rules.banked(state, 1)
    value = value_of(task, state, task.for_mover(task.guess) - won, table)
    line = [] if task.monitor.is_stopped() else best_line(task, state, value, table)
    return TaskResult(task.for_mover(value + won), line=line)


def partition_table(task: SearchTask) -> PartitionTable:
    size = task.options["memory"]
    table: PartitionTable = task.session.keep("partition table", lambda: new_partition_table(size))
    return table


def value_of(task: SearchTask, state: Any, guess: int, table: PartitionTable) -> int:
    """The value for player 0 of what is still to be won."""
    rules = task.rules
    rest = gears(rules).cast(rules.unbanked(state))
    low, high = rules.bounds(rest)
    if rules.player(state):
        low, high = -high, -low
    return int(close_in(task.game, rest, task.depth, low, high, guess, table, task.monitor))


def best_line(task: SearchTask, state: Any, value: int, table: PartitionTable) -> list[int]:
    """A line of best play from a state with this value for player 0, points already won left out."""
    rules, monitor, line, depth = task.rules, task.monitor, list[int](), task.depth
    while not rules.is_terminal(state) and not monitor.is_stopped():
        is_ours = rules.player(state) == 0
        rest = rules.unbanked(state)
        depth -= 1
        for action in rules.legal(state):
            after = rules.result(rest, action)
            left = value - rules.banked(after, 0) + rules.banked(after, 1)
            child, need = gears(rules).cast(rules.unbanked(after)), left if is_ours else left + 1
            found = close_in(task.game, child, depth, need - 1, need, need, table, monitor)
            if (found >= need) == is_ours:
                break
        line.append(action)
        state, value = after, left
    return line


class PartitionSolver:
    """Many questions about one game, in compiled code and with one table: values, and nothing else."""

    def __init__(self, rules: Game, memory: float) -> None:
        self.rules, self.both = rules, gears(rules)
        self.table, self.monitor = (
            new_partition_table(memory),
            new_monitor(Monitor, "native", rules.longest or 0),
        )

    def value(self, state: Any, guess: int | None = None) -> int:
        """The value of a state for player 0; a good guess saves time."""
        rules = self.rules
        if rules.is_terminal(state):
            return int(rules.utility(state, 0))
        won = int(rules.banked(state, 0) - rules.banked(state, 1))
        rest = self.both.cast(rules.unbanked(state))
        low, high = map(int, rules.bounds(rest))
        low, high = (low, high) if rules.player(rest) == 0 else (-high, -low)
        guess = (low + high + 1) // 2 if guess is None else guess - won
        depth, inner = int(rules.plies_left(rest)), self.both.in_gear("native")
        return won + int(close_in(inner, rest, depth, low, high, guess, self.table, self.monitor))

    @property
    def nodes(self) -> int:
        return int(self.monitor.count())


def refuses(game: Game) -> str:
    if not game.partitions:
        return Sentence(
            "partition needs rules that say what a value depends on, and {} has none", game.label()
        )
    return ""


ALGORITHM = DepthSearch(
    name="partition",
    summary="null windows with a table that holds for all states that are equal in what mattered",
    source="Ginsberg 1996",
    run=run,
    fits=Fits(refuses=refuses),
    options=(Option("memory", 256, "size of the table in MiB", low=1, high=1 << 16, technique=False),),
    deepening=NEVER,
    holds=VALUE,
)
