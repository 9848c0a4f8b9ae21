"""A search for one agent, ready to run: the puzzle in its gear with a heuristic, memory and limits."""

from __future__ import annotations

from typing import Any

from gambito.errors import SearchError
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.game.puzzle import ESTIMATE, Puzzle
from gambito.native.store import width
from gambito.puzzle.best_first import rehash
from gambito.puzzle.heuristics import ZERO, guided
from gambito.puzzle.nodes import EXPANDED, FIRST_BITS, GOAL, Nodes, grown, new_nodes, node_bytes
from gambito.search.algorithm import Option
from gambito.search.task import SearchTask, TaskResult

MEMORY_OPTION = Option("memory", 1024, "the most MiB for states", low=1, high=1 << 20, technique=False)
HEURISTIC_OPTION = Option(
    "heuristic",
    ESTIMATE,
    "the estimate: a heuristic of the puzzle, max(…) or sum(…) of several",
    technique=False,
)
UNENDING = 1 << 30  # actions, if no depth is given


def can_compile(puzzle: Game, options: dict[str, Any]) -> bool:
    """No if a relaxed puzzle is searched for each estimate, or if states with records are stored."""
    assert isinstance(puzzle, Puzzle)
    guide = guided(puzzle, options.get("heuristic", ZERO)).puzzle
    kind = gears(guide).state
    return kind is not None and (MEMORY_OPTION.name not in options or bool(width(kind)))


class PuzzleRun:
    """A search for one agent, ready to run: the puzzle in its gear, its heuristic, its limits."""

    def __init__(self, task: SearchTask, heuristic: str, keeps: bool = True) -> None:
        puzzle = task.rules
        assert isinstance(puzzle, Puzzle)
        self.task, self.guide = task, guided(puzzle, heuristic)
        both = gears(self.guide.puzzle)
        self.gear = task.gear
        self.game = both.in_gear(self.gear)
        self.state = both.cast(task.state)
        self.kind = both.state if self.gear == "native" else None
        if keeps and self.kind is not None and not width(self.kind):
            raise SearchError(
                "the states of {} hold records, which only the python gear can store", puzzle.label()
            )
        with task.ongoing.preparing() as check:
            self.tables = self.guide.memory(self.gear, check)
        if self.tables.monitor is not None:
            task.ongoing.inner.append(self.tables.monitor)
            task.ongoing.check()
        self.deepest = task.depth or UNENDING

    def new_nodes(self, bits: int = FIRST_BITS) -> Nodes:
        nodes = new_nodes(self.kind, self.gear, bits)
        if self.gear == "native":
            rehash.prepare(self.game, nodes, self.state)
        return nodes

    def grow(self, nodes: Nodes) -> Nodes:
        """Double the room; raise an error that names the limit if that is too much."""
        self.check_room(len(nodes.heap_node))
        return grown(nodes, self.kind, self.gear, self.game, rehash, self.state)

    def answer(self, nodes: Nodes, is_found: bool, exact: bool) -> TaskResult:
        """The way to the goal in `nodes`, if one was found."""
        goal, expanded = int(nodes.head[GOAL]), int(nodes.head[EXPANDED])
        if not is_found:
            return TaskResult(exact=exact, expanded=expanded)
        cost = self.task.rules.value(nodes.g[goal])
        return TaskResult(line=nodes.path(goal), exact=exact, cost=cost, expanded=expanded)

    def check_room(self, states: int) -> None:
        """Check that there may be room for twice as many states."""
        most = self.task.options["memory"]
        if 2 * states * node_bytes(self.kind) > most << 20:
            raise SearchError(
                "out of memory: {:,} states were reached, and memory={} MiB holds no more; "
                "give the option memory a larger number, take a better heuristic, or ida-star",
                states,
                most,
            )
