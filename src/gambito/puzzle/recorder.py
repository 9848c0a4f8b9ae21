"""The recording monitor of searches for one agent: the states opened and closed, and the path found.

It receives the calls of best-first searches and of IDA*, stores them, and makes a `Record` when the search is
done. A state that is reached again by a better path has a second node in the tree. States searched from the
goal form a branch of the root.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gambito.game.puzzle import Puzzle
from gambito.puzzle.nodes import NOBODY, SIDE
from gambito.search.algorithm import Algorithm
from gambito.search.monitor import Monitor
from gambito.search.search_result import SearchResult
from gambito.search.trace.record import ALONE, Node, Record, Step
from gambito.words.sentence import Sentence

MOST_EVENTS = 100_000
MOST_BOARDS = 2_000
TITLES = {"bound": "Bound", "beyond": "Beyond the bound"}
SENTENCES = {
    "open": "opened: f = {0}, g = {1}, h = {2}",
    "again": "reached by a better way: f = {0}, g = {1}, h = {2}",
    "close": "closed: nothing open came before f = {0}",
    "enter": "entered: f = {0} is within the bound",
    "beyond": "left: f = {0} is beyond the bound",
    "bound": "the bound is {0}",
    "path": "on the way found, {0} from the start",
    "events": "only the first {0} steps of the search were kept",
    "stopped": "the search was stopped before its end",
}


class Event(NamedTuple):
    """One event of a search."""

    kind: str
    node: int  # in the tree
    g: Any
    h: Any
    f: Any
    sentence: str


class Branch(NamedTuple):
    """A node of the tree."""

    parent: int  # in the tree
    action: int
    state: Any
    is_back: bool = False  # searched from the goal


class PuzzleRecorder(Monitor):
    """A monitor that records the events of searches for one agent."""

    def __init__(self, data: Any) -> None:
        super().__init__(data=data)
        self.events: list[Event] = []
        self.branches: list[Branch] = []
        self.latest: dict[tuple[int, int], int] = {}  # the tree's node for a node or path of the search
        self.path: list[int] = []  # the path of IDA*, by depth
        self.is_full = False

    # ---- the verbs of best-first searches --------------------------------------------------------
    def put(self, nodes, node):
        side, parent = nodes.head[SIDE], nodes.parent[node]
        root = NOBODY if not self.branches else 0
        above = root if parent == NOBODY else self.latest.get((-side, parent), root)
        kind = "again" if (-side, node) in self.latest else "open"
        if self._is_kept():
            place = self.latest[-side, node] = len(self.branches)
            self.branches.append(Branch(above, nodes.action[node], nodes.states[node], side == 1))
            self._tell("open", place, nodes.g[node], nodes.h[node], nodes.f[node], kind)

    def take(self, nodes, node):
        place = self.latest.get((-nodes.head[SIDE], node))
        if place is not None and self._is_kept():
            self._tell("close", place, nodes.g[node], nodes.h[node], nodes.f[node], "close")

    # ---- the verbs of IDA* -----------------------------------------------------------------------
    def raise_bound(self, state, h, bound):
        if not self.branches:
            self.branches.append(Branch(NOBODY, NOBODY, state))
        self.path = [0]
        if self._is_kept():
            self._tell("bound", 0, 0, h, bound, "bound")

    def walk(self, state, action, depth, g, h, bound):
        del self.path[depth + 1 :]
        if len(self.path) <= depth or not self._is_kept():
            return
        way = (self.path[depth] + 1, action)
        if way not in self.latest:
            self.latest[way] = len(self.branches)
            self.branches.append(Branch(self.path[depth], action, state))
        self.path.append(self.latest[way])
        is_beyond = g + h > bound
        self._tell(
            "beyond" if is_beyond else "open",
            self.latest[way],
            g,
            h,
            g + h,
            "beyond" if is_beyond else "enter",
        )

    def _is_kept(self) -> bool:
        self.is_full = self.is_full or len(self.events) >= MOST_EVENTS
        return not self.is_full

    def _tell(self, kind: str, node: int, g: Any, h: Any, f: Any, sentence: str) -> None:
        self.events.append(Event(kind, node, g, h, f, sentence))


class recording:  # used like the class of monitors that it makes
    """Makes the recorder of one search, and the record when the search is done."""

    def __init__(self, algorithm: Algorithm) -> None:
        self.algorithm = algorithm
        self.recorder: PuzzleRecorder | None = None

    def __call__(self, data: Any) -> PuzzleRecorder:
        self.recorder = PuzzleRecorder(data)
        return self.recorder

    def finished(self, found: SearchResult, is_stopped: bool = False) -> Record:
        puzzle = found.game
        assert isinstance(puzzle, Puzzle)
        record = Record(
            puzzle.label(), found.position, self.algorithm.name, len(found.line), titles=dict(TITLES)
        )
        record.value, record.line = found.cost, found.words()
        record.action = record.line[0] if record.line else ""
        record.visited, record.evaluations = found.nodes, found.evaluations
        board = puzzle.picture()
        has_cells = board is not None and puzzle.cell_of(found.state) is not None
        record.board = board.as_dict() if board is not None and has_cells else None
        branches = self.recorder.branches if self.recorder and self.recorder.branches else []
        if record.board is not None:
            _label_ends(record, puzzle, found)
        for branch in branches or [Branch(NOBODY, NOBODY, found.state)]:
            _grow(record, puzzle, branch, has_cells, branches)
        for event in self.recorder.events if self.recorder else ():
            record.steps.append(_step(event))
        _mark_way(record, puzzle, found, branches)
        if self.recorder is not None and self.recorder.is_full:
            record.note = _say("events", f"{MOST_EVENTS:,}")
        if is_stopped and found.cost is None and not found.exact:
            record.note = _say("stopped")
        return record


def _label_ends(record: Record, puzzle: Puzzle, found: SearchResult) -> None:
    """S at the start and G at the end, on a board whose cells show no names."""
    assert record.board is not None
    ends = {"S": puzzle.cell_of(found.state)}
    state = found.state
    for action in found.line:
        state = puzzle.result(state, action)
    if found.line:
        ends["G"] = puzzle.cell_of(state)
    for letter, place in ends.items():
        cell = record.board["cells"][place]
        if cell["shape"] == "square":
            label = {"x": cell["x"], "y": cell["y"], "text": letter}
            record.board["labels"] = [*record.board["labels"], label]


def _grow(record: Record, puzzle: Puzzle, branch: Branch, has_cells: bool, branches: list[Branch]) -> None:
    """Add a node to the tree."""
    number, state = len(record.nodes), branch.state
    parent = None if branch.parent == NOBODY else branch.parent
    name = "" if parent is None or branch.is_back else puzzle.write(branches[parent].state, branch.action)
    node = Node(number, parent, name, ALONE, puzzle.caption(state))
    node.cell = puzzle.cell_of(state) if has_cells else None
    if not has_cells and number < MOST_BOARDS:
        node.board = puzzle.show(state)
    record.nodes.append(node)
    if parent is not None:
        record.nodes[parent].children.append(number)


def _step(event: Event) -> Step:
    told = {"open": (event.f, event.g, event.h), "again": (event.f, event.g, event.h)}
    words = [number(value) for value in told.get(event.sentence, (event.f,))]
    facts = {"bound": event.f} if event.kind == "bound" else {"f": event.f, "g": event.g, "h": event.h}
    return Step(
        event.kind, event.node, _say(event.sentence, *words), facts={n: float(v) for n, v in facts.items()}
    )


def _mark_way(record: Record, puzzle: Puzzle, found: SearchResult, branches: list[Branch]) -> None:
    """Mark the path found, from the start: the last node that each of its actions leads to."""
    node, g, state = record.nodes[0], 0.0, found.state
    facts = {step.node: step.facts for step in record.steps if "g" in step.facts}
    places: dict[int, list[int]] = {}  # states that were searched from the goal
    for at, branch in enumerate(branches):
        if branch.is_back:
            places.setdefault(int(puzzle.key(branch.state)), []).append(at)
    for place in range(len(found.line) + 1 if found.cost is not None and record.steps else 0):
        if place:
            action = found.line[place - 1]
            g += puzzle.cost(state, action)
            state = puzzle.result(state, action)
            ways = [child for child in node.children if record.nodes[child].action == record.line[place - 1]]
            ways = ways or places.get(int(puzzle.key(state)), [])
            if not ways:
                return
            node = record.nodes[ways[-1]]
        record.steps.append(Step("path", node.id, _say("path", number(g)), facts=facts.get(node.id, {})))


def number(value: Any) -> str:
    """Format a number for a person."""
    return f"{value:.4g}" if value != int(value) else str(int(value))


def _say(name: str, *parts: str) -> Sentence:
    return Sentence(SENTENCES[name], *parts)
