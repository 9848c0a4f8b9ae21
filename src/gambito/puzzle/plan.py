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
from gambito.search.question import Answer, Question

MEMORY = Option("memory", 1024, "the most MiB for states", low=1, high=1 << 20, technique=False)
HEURISTIC = Option(
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
    return kind is not None and (MEMORY.name not in options or bool(width(kind)))


class Plan:
    """A search for one agent, ready to run: the puzzle in its gear, its heuristic, its limits."""

    def __init__(self, question: Question, heuristic: str, keeps: bool = True) -> None:
        puzzle = question.rules
        assert isinstance(puzzle, Puzzle)
        self.question, self.guide = question, guided(puzzle, heuristic)
        turning = gears(self.guide.puzzle)
        self.gear = question.gear
        self.game = turning.shift(self.gear)
        self.state = turning.enter(question.state)
        self.kind = turning.state if self.gear == "native" else None
        if keeps and self.kind is not None and not width(self.kind):
            raise SearchError(
                "the states of {} hold records, which only the python gear can store", puzzle.label()
            )
        with question.ongoing.preparing() as check:
            self.tables = self.guide.memory(self.gear, check)
        if self.tables.watch is not None:
            question.ongoing.inner.append(self.tables.watch)
            question.ongoing.check()
        self.deepest = question.depth or UNENDING

    def new_nodes(self, bits: int = FIRST_BITS) -> Nodes:
        nodes = new_nodes(self.kind, self.gear, bits)
        if self.gear == "native":
            rehash.prepare(self.game, nodes, self.state)
        return nodes

    def grow(self, nodes: Nodes) -> Nodes:
        """Double the room; raise an error that names the limit if that is too much."""
        self.check_room(len(nodes.heap_node))
        return grown(nodes, self.kind, self.gear, self.game, rehash, self.state)

    def answer(self, nodes: Nodes, is_found: bool, exact: bool) -> Answer:
        """The way to the goal in `nodes`, if one was found."""
        goal, expanded = int(nodes.head[GOAL]), int(nodes.head[EXPANDED])
        if not is_found:
            return Answer(exact=exact, expanded=expanded)
        cost = self.question.rules.value(nodes.g[goal])
        return Answer(line=nodes.path(goal), exact=exact, cost=cost, expanded=expanded)

    def check_room(self, states: int) -> None:
        """Check that there may be room for twice as many states."""
        most = self.question.options["memory"]
        if 2 * states * node_bytes(self.kind) > most << 20:
            raise SearchError(
                "out of memory: {:,} states were reached, and memory={} MiB holds no more; "
                "give the option memory a larger number, take a better heuristic, or ida-star",
                states,
                most,
            )
