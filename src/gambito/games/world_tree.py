"""A tree whose leaves have a value in each of several worlds; MIN knows the world, MAX does not.

    {"max": {"gold": [1, 1], "fork": {"max": {"left": [9, -9], "right": [-9, 9]}}}}

A leaf is a list with the value for MAX in every world. A node says who moves and names its moves; without
names, as in `{"min": [[1, 0], [0, 1]]}`, they are a, b, c. Chance deals the world, each as likely. After the
tree a position may have the moves that were played and the number of the world, or ? where it is not known:
`… / fork / ?`. The worked trees of strategy fusion and non-locality are written so (Frank & Basin 1998).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from gambito.boards.picture import letter
from gambito.errors import PositionError
from gambito.game.contract import CHANCE, Game, quoted
from gambito.game.numerals import read_whole
from gambito.words.sentence import Sentence

FORK = '{"max": {"gold": [1, 1], "fork": {"max": {"left": [9, -9], "right": [-9, 9]}}}}'  # Russell & Norvig
BLANK, NOT_DEALT = -1, -2
MOST_WORLDS, DEEPEST, HIGHEST = 64, 32, 1000
PLAYERS = ("max", "min")


class WorldNode(NamedTuple):
    """A node: its player and named moves, or, at a leaf, the values in all worlds."""

    player: int
    moves: tuple[tuple[str, Any], ...]
    values: tuple[float, ...]


class State(NamedTuple):
    """The tree, the moves played in it, and the world."""

    root: WorldNode
    path: tuple[int, ...]
    world: int  # BLANK: not known; NOT_DEALT: chance is to deal it


class WorldTree(Game):
    """A tree with a value in each world at every leaf; only MIN knows the world."""

    name = "world-tree"
    compiles = False
    chance = True
    hidden = True
    value = float
    lowest, highest = -float(HIGHEST), float(HIGHEST)
    step = 1e-6
    sides = ("MAX", "MIN")
    measure = ("points", 1.0)
    longest = DEEPEST
    most_outcomes = MOST_WORLDS

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        return State(_read(json.loads(FORK)), (), NOT_DEALT)

    def node(self, state: State) -> WorldNode:
        node = state.root
        for move in state.path:
            node = node.moves[move][1]
        return node

    def worlds(self, state: State) -> int:
        node = state.root
        while node.moves:
            node = node.moves[0][1]
        return len(node.values)

    def player(self, state: State) -> int:
        return CHANCE if state.world == NOT_DEALT else self.node(state).player

    def actions(self, state: State) -> Iterable[int]:
        is_dealt = state.world != NOT_DEALT
        yield from range(len(self.node(state).moves) if is_dealt else self.worlds(state))

    def chances(self, state: State) -> Iterable[tuple[int, float]]:
        count = self.worlds(state)
        for world in range(count):
            yield world, 1.0 / count

    def result(self, state: State, action: int) -> State:
        if state.world == NOT_DEALT:
            return State(state.root, state.path, int(action))
        return State(state.root, (*state.path, int(action)), state.world)

    def is_terminal(self, state: State) -> bool:
        return state.world != NOT_DEALT and not self.node(state).moves

    def utility(self, state: State, player: int) -> float:
        value = self.node(state).values[state.world]
        return value if player == 0 else -value

    def observe(self, state: State, player: int) -> State:
        """MIN sees everything; in the end everybody does."""
        if player == 1 or state.world == NOT_DEALT or self.is_terminal(state):
            return state
        return State(state.root, state.path, BLANK)

    def imagine(self, seen: State, player: int, rng: Any) -> State:
        if seen.world != BLANK:
            return seen
        return State(seen.root, seen.path, int(rng.below(self.worlds(seen))))

    # ---- text ------------------------------------------------------------------------------------
    def reason(self, state: State) -> str:
        return Sentence("a leaf is reached")

    def show(self, state: State) -> str:
        return self.text(state)

    def text(self, state: State) -> str:
        tree = json.dumps(_written(state.root), ensure_ascii=False)
        if state.world == NOT_DEALT:
            return tree
        node, names = state.root, []
        for move in state.path:
            names.append(node.moves[move][0])
            node = node.moves[move][1]
        return f"{tree} / {' '.join(names) or '-'} / {'?' if state.world == BLANK else state.world + 1}"

    def parse(self, text: str) -> State:
        """A tree of nodes and leaves in JSON; after it / and the moves played, / and the world or ?."""
        tree, *said = text.rsplit(" / ", 2) if text.count(" / ") >= 2 else (text,)
        try:
            root = _read(json.loads(tree))
        except (ValueError, RecursionError):
            raise PositionError("{} is no tree; accepted: as {}", quoted(text), FORK) from None
        state = State(root, (), NOT_DEALT)
        if not said:
            return state
        count = self.worlds(state)
        world = BLANK + 1 if said[1].strip() == "?" else read_whole(said[1].strip(), count, least=1)
        if world is None:
            raise PositionError("the world is ? or a number from 1 to {}, not {}", count, quoted(said[1]))
        state = State(root, (), world - 1)
        for word in [] if said[0].strip() == "-" else said[0].split():
            state = self.result(state, self.read(state, word))
        if self.is_terminal(state) and state.world == BLANK:
            raise PositionError("in {} the game is over, and the world is known", quoted(text))
        return state

    def write(self, state: State, action: int) -> str:
        return str(action + 1) if state.world == NOT_DEALT else self.node(state).moves[action][0]


def _read(written: Any) -> WorldNode:
    """The node that JSON describes."""
    root = _build(written, 0)
    counts: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting += [below for _, below in node.moves]
        counts |= set() if node.moves else {len(node.values)}
    if len(counts) != 1 or not 1 <= max(counts) <= MOST_WORLDS:
        raise PositionError("every leaf has a value in each of the same 1 to {} worlds", MOST_WORLDS)
    return root


def _build(written: Any, depth: int) -> WorldNode:
    if isinstance(written, list):
        if not all(isinstance(v, int | float) and not isinstance(v, bool) for v in written):
            raise PositionError("a leaf is a list of numbers, not {}", quoted(json.dumps(written)))
        if not all(abs(v) <= HIGHEST for v in written):
            raise PositionError("a value is from {} to {}", -HIGHEST, HIGHEST)
        return WorldNode(0, (), tuple(map(float, written)))
    if not isinstance(written, dict) or len(written) != 1 or next(iter(written)) not in PLAYERS:
        raise PositionError('a node is {"max": moves} or {"min": moves}')
    if depth >= DEEPEST:
        raise PositionError("the tree is deeper than {} plies", DEEPEST)
    ((who, moves),) = written.items()
    named = moves.items() if isinstance(moves, dict) else ((letter(n), m) for n, m in enumerate(moves or ()))
    listed = tuple((str(name), _build(below, depth + 1)) for name, below in named)
    if not listed or any(not name.isalnum() for name, _ in listed):
        raise PositionError("a node has at least one move, and moves are words of letters and digits")
    return WorldNode(PLAYERS.index(who), listed, ())


def _written(node: WorldNode) -> Any:
    """The JSON that `_read` reads as this node."""
    if not node.moves:
        return [int(v) if v == int(v) else v for v in node.values]
    return {PLAYERS[node.player]: {name: _written(below) for name, below in node.moves}}
