"""Records made by hand of searches without windows: Monte Carlo on a small tree, A* on a grid with a wall."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise

from gambito.boards.picture import Board, Cell, grid
from gambito.search.trace.record import ALONE, Node, Record, Step
from gambito.words.sentence import Sentence

WALL = (4, 5)  # cells of the grid that nobody enters


def monte_carlo(simulations: int = 6) -> Record:
    """The four phases on a root with two moves; the first one wins every simulation, the second none."""
    record = Record("nim", "3", "mcts", 0, action="a", line=["a"], visited=simulations)
    record.nodes = [Node(0, None, "", 0, children=[1, 2]), Node(1, 0, "a", 1), Node(2, 0, "b", 1)]
    record.titles = {"rollout": "Roll-out"}
    visits, wins = [0, 0, 0], [0, 0, 0]

    def tell(kind: str, node: int, text: str, **facts: float) -> None:
        record.steps.append(Step(kind, node, text, facts=facts))

    for turn in range(simulations):
        child = 1 + turn % 2 if turn < 2 else 1
        tell("select", 0, Sentence("select {0}", "ab"[child - 1]))
        if turn < 2:
            tell("expand", child, "a new node")
        tell("rollout" if turn % 2 else "simulate", child, Sentence("play on: {0}", str(2 - child)))
        for node in (child, 0):
            visits[node] += 1
            wins[node] += child == 1
            tell("backup", node, "one visit more", visits=visits[node], mean=wins[node] / visits[node])
    return record


def a_star(width: int = 4, height: int = 3) -> Record:
    """From the upper left to the lower right corner, around a wall; the board is the grid itself."""
    picture = grid(width, height)
    cells = [
        Cell(c.name, c.x, c.y, c.shape, "frame" if k in WALL else c.tone) for k, c in enumerate(picture.cells)
    ]
    board = Board(width, height, tuple(cells))
    goal = width * height - 1
    record = Record("grid", "a1", "a-star", 0, board=board.as_dict())

    def far(cell: int) -> int:
        return abs(goal % width - cell % width) + abs(goal // width - cell // width)

    def tell(kind: str, node: Node, g: int) -> None:
        h = far(node.cell or 0)
        record.steps.append(Step(kind, node.id, f"{kind} {node.label}", facts={"f": g + h, "g": g, "h": h}))

    def reach(cell: int, parent: int | None, g: int) -> None:
        node = Node(len(record.nodes), parent, cells[cell].name, ALONE, label=cells[cell].name, cell=cell)
        record.nodes.append(node)
        if parent is not None:
            record.nodes[parent].children.append(node.id)
        tell("open", node, g)
        heappush(front, (g + far(cell), node.id, g))
        seen.add(cell)

    front: list[tuple[int, int, int]] = []
    seen: set[int] = set(WALL)
    reach(0, None, 0)
    while front:
        _, number, g = heappop(front)
        node = record.nodes[number]
        tell("close", node, g)
        record.visited += 1
        if node.cell == goal:
            _walk_back(record, node, tell)
            break
        row, column = divmod(node.cell or 0, width)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= r < height and 0 <= c < width and r * width + c not in seen:
                reach(r * width + c, number, g + 1)
    return record


def _walk_back(record: Record, node: Node, tell) -> None:
    path = [node]
    while path[-1].parent is not None:
        path.append(record.nodes[path[-1].parent])
    record.line = [after.action for _, after in pairwise(reversed(path))]
    for g, one in enumerate(reversed(path)):
        tell("path", one, g)
