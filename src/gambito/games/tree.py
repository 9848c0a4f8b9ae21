"""An explicit game tree, written as nested lists: `[[3,12,8],[2,4,6],[14,5,2]]`.

A number is a leaf: its utility for MAX, who is player 0. A list is a node, and its items are the moves, which
are named `a`, `b`, `c` … MAX moves at the root, unless the text begins with `min`; then the players take
turns. The other forms are written in JSON:

    {"left": 3, "right": [2, 4]}                        moves with names
    null                                                a leaf of unknown value: the search must not need it
    {"value": 4, "moves": [3, 5]}                       a static value, for a search that stops here
    {"bounds": [2, 9], "moves": …}                      a pessimistic and an optimistic bound, for MAX
    {"player": "min", "moves": …}                       who moves here, if the players do not take turns
    {"chance": [[0.5, 3], ["1/2", [2, 4]]]}             outcomes with their probabilities, which add up to 1
    {"chance": {"heads": [0.5, 3], …}}                  outcomes with names
    {"name": "B", …}                                    the name of the node in pictures

States are the nodes themselves, so a tree runs in the Python gear.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from gambito.boards.picture import Board, Cell, Label, Piece, letter
from gambito.errors import PositionError, UnknownValue
from gambito.game.contract import CHANCE, Game, quoted
from gambito.words.sentence import Sentence

EXAMPLE = "[[3,12,8],[2,4,6],[14,5,2]]"
_WORDS = frozenset({"value", "bounds", "player", "moves", "name", "chance"})
CLOSE = 1e-9  # how close to 1 the sum of probabilities must be
_DEEPEST = 500
MOST_DRAWN = 400  # nodes in a picture


class TreeNode:
    """A node of the tree and its place in it. It never changes once the tree is read."""

    __slots__ = (
        "bounds", "chances", "height", "moves", "name", "names",
        "number", "parent", "player", "turn", "value",
    )  # fmt: skip

    def __init__(self, parent: TreeNode | None, name: str, turn: int) -> None:
        self.parent, self.name = parent, name
        self.turn = self.player = turn  # whose turn it is; at a chance node CHANCE is the player
        self.chances: list[float] = []  # probabilities of the outcomes
        self.number = 0  # in the order of the text; the root is 0
        self.moves: list[TreeNode] = []
        self.names: list[str] = []
        self.value: float | None = None  # a leaf's utility, or an inner node's static value, for MAX
        self.bounds: tuple[float, float] | None = None  # for MAX
        self.height = 0  # plies to the deepest leaf

    def below(self) -> Iterator[TreeNode]:
        """This node and all nodes below it."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.moves))


class Tree(Game):
    """A game tree written by hand."""

    name = "tree"
    compiles = False
    sides = ("MAX", "MIN")
    measure = ("points", 1.0)
    editable = True
    prefers_fast_win = False  # only its numbers count
    played_by = "alpha-beta"  # a tree is a lesson
    preferences = {"mcts": {"reward": "score"}}  # noqa: RUF012  # only its numbers count
    probcut_model = tuple((0, depth, depth // 2, 1.0, 0.0, 1.0) for depth in range(2, 24))  # an example: ± 1

    def __init__(self, root: TreeNode | None = None) -> None:
        self.root = root if root is not None else self.parse(EXAMPLE)
        values = sorted({v for n in self.root.below() for v in _numbers(n)})
        self.lowest, self.highest = self.range = (values[0], values[-1]) if values else (0, 0)
        self.lowest, self.highest = min(self.lowest, -self.highest), max(self.highest, -self.lowest)
        if any(isinstance(v, float) for v in values):
            gaps = [b - a for a, b in zip(values, values[1:], strict=False)]
            self.value, self.step, self.infinity = float, min(gaps, default=1.0) / 2, float("inf")
        self.longest = self.usual_depth = self.root.height
        self.most_actions = max(len(n.moves) for n in self.root.below())
        self.chance = any(n.chances for n in self.root.below())
        if self.chance:
            self.value, self.infinity, self.most_outcomes = float, float("inf"), self.most_actions
            self.step = float(self.step)

    def at(self, state: TreeNode) -> Tree:
        return self if state is self.root else Tree(state)

    def parameters(self) -> dict[str, Any]:
        return {}

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> TreeNode:
        return self.root

    def player(self, state: TreeNode) -> int:
        return state.player

    def actions(self, state: TreeNode) -> Iterable[int]:
        return range(len(state.moves))

    def result(self, state: TreeNode, action: int) -> TreeNode:
        return state.moves[action]

    def is_terminal(self, state: TreeNode) -> bool:
        return not state.moves

    def utility(self, state: TreeNode, player: int) -> float:
        if state.value is None:
            raise UnknownValue("the search needs the leaf {}, whose value is unknown (null)", path(state))
        return state.value if player == 0 else -state.value

    def evaluate(self, state: TreeNode, player: int) -> float:
        value = state.value or 0
        return value if player == 0 else -value

    def chances(self, state: TreeNode) -> Iterable[tuple[int, float]]:
        return enumerate(state.chances)

    def key(self, state: TreeNode) -> int:
        return state.number

    def bounds(self, state: TreeNode) -> tuple[float, float]:
        low, high = state.bounds or self.range
        return (-high, -low) if state.player == 1 else (low, high)

    # ---- text ------------------------------------------------------------------------------------
    def show(self, state: TreeNode) -> str:
        return self.text(state)

    def reason(self, state: TreeNode) -> str:
        return Sentence("a leaf is reached")

    def text(self, state: TreeNode) -> str:
        text = json.dumps(_written(state), separators=(",", ":"))
        return "min " + text if state.turn == 1 else text

    def caption(self, state: TreeNode) -> str:
        if state.moves or state.name:
            return state.name
        return "?" if state.value is None else str(state.value)

    def parse(self, text: str) -> TreeNode:
        """Nested lists, with `min` before them if MIN moves at the root."""
        body = text.strip()
        player = 0
        for word, number in (("min", 1), ("max", 0)):
            if body.lower().startswith(word):
                body, player = body[3:], number
        try:
            written = json.loads(body, parse_constant=_refuse)
        except PositionError:
            raise
        except (ValueError, RecursionError) as problem:
            what = (
                problem.msg if isinstance(problem, json.JSONDecodeError) else Sentence("too deep or too long")
            )
            raise PositionError(
                "{} is no tree ({}); accepted: nested lists such as {}", quoted(text), what, EXAMPLE
            ) from None
        root = _build(written, player)
        for number, node in enumerate(root.below()):
            node.number = number
        for node in reversed(list(root.below())):
            node.height = max((m.height + 1 for m in node.moves), default=0)
        return root

    def write(self, state: TreeNode, action: int) -> str:
        return state.names[action]

    def edit(self, state: TreeNode, moves: Iterable[str], value: float | None) -> TreeNode:
        """A tree like this one, with another value at the leaf that these moves lead to."""
        root = leaf = self.parse(self.text(state))
        for name in moves:
            if name not in leaf.names:
                accepted = ", ".join(leaf.names) or Sentence("none, this is a leaf")
                raise PositionError("{} is not a move here; accepted: {}", quoted(name), accepted)
            leaf = leaf.moves[leaf.names.index(name)]
        if leaf.moves:
            raise PositionError("only the value of a leaf can be edited")
        leaf.value = None if value is None else _number(value)
        return self.parse(self.text(root))

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self) -> Board | None:
        """The tree itself, with its leaves side by side; a large tree is shown as text."""
        nodes = list(self.root.below())
        if len(nodes) > MOST_DRAWN:
            return None
        places: dict[TreeNode, float] = {}
        leaves = 0
        for node in reversed(nodes):  # children come before their parents
            if not node.moves:
                leaves += 1
            across = [places[move] for move in node.moves]
            places[node] = (across[0] + across[-1]) / 2 if across else -float(leaves)
        ply = {self.root: 0}
        for node in nodes[1:]:
            ply[node] = ply[node.parent] + 1  # type: ignore[index]
        cells = [Cell(path(n), places[n] + leaves + 0.5, 1.5 * ply[n] + 0.5, "circle") for n in nodes]
        number = {node: place for place, node in enumerate(nodes)}
        lines, labels = [], []
        for node in nodes[1:]:
            a, b = cells[number[node.parent]], cells[number[node]]  # type: ignore[index]
            lines.append((a.x, a.y, b.x, b.y))
            labels.append(Label(0.45 * a.x + 0.55 * b.x, 0.45 * a.y + 0.55 * b.y, _name(node)))
        height = 1.5 * self.root.height + 1
        return Board(leaves, height, tuple(cells), tuple(lines), labels=tuple(labels), turns=False)

    def pieces(self, state: TreeNode) -> list[Piece]:
        """The values of the leaves, and the current node."""
        found = []
        for cell, node in enumerate(self.root.below()):
            if node is state:
                found.append(Piece(cell, "disc", node.turn))
            if self.caption(node):
                found.append(Piece(cell, "text", text=self.caption(node)))
        return found

    def remarks(self, state: TreeNode) -> str:
        return ""  # the picture shows it all

    def touch(self, state: TreeNode, action: int) -> tuple[int]:
        return (state.moves[action].number - self.root.number,)  # both are numbered in the order of the text

    def arrows(self, state: TreeNode, action: int) -> tuple[tuple[int, ...], ...]:
        return ((state.number, *self.touch(state, action)),)


def path(node: TreeNode) -> str:
    """The moves that lead from the root of its tree to a node."""
    names: list[str] = []
    while node.parent is not None:
        names.append(_name(node))
        node = node.parent
    return " ".join(reversed(names)) or "at the root"


def _name(node: TreeNode) -> str:
    """The move that leads to a node other than the root."""
    assert node.parent is not None
    return node.parent.names[node.parent.moves.index(node)]


def _numbers(node: TreeNode) -> list[float]:
    """The values that a search may see at a node; an inner node without a static value counts as 0."""
    value = 0 if node.value is None and node.moves else node.value
    return [v for v in (value, *(node.bounds or ())) if v is not None]


def _refuse(word: str) -> float:
    raise PositionError("{} is no number that a leaf can have", quoted(word))


def _build(written: Any, player: int) -> TreeNode:
    """The node that JSON describes, with all nodes below it; without recursion, so deep trees are safe."""
    root = TreeNode(None, "", player)
    waiting = [(root, written, 0)]
    while waiting:
        node, text, depth = waiting.pop()
        if depth > _DEEPEST:
            raise PositionError("the tree is deeper than {} plies", _DEEPEST)
        moves = _fill(node, text)
        for name, below in moves:
            child = TreeNode(node, "", node.turn if node.chances else 1 - node.turn)
            node.moves.append(child)
            node.names.append(name)
            waiting.append((child, below, depth + 1))
    return root


def _fill(node: TreeNode, text: Any) -> list[tuple[str, Any]]:
    """Set what the text says about a node; return its moves."""
    moves = text
    if isinstance(text, dict) and text and set(text) <= _WORDS:
        moves = text.get("moves")
        node.name = str(text.get("name", ""))
        node.value = _number(text["value"]) if text.get("value") is not None else None
        node.bounds = _read_bounds(text["bounds"]) if "bounds" in text else None
        if "player" in text:
            if text["player"] not in ("max", "min"):
                raise PositionError("a player is max or min, not {}", quoted(str(text["player"])))
            node.turn = node.player = int(text["player"] == "min")
        if "chance" in text:
            return _fill_chance(node, text)
        if moves is None:
            return []
        if not isinstance(moves, list | dict):
            raise PositionError("moves are a list or an object, not {}", quoted(json.dumps(moves)))
    if isinstance(moves, dict):
        named = list(moves.items())
    elif isinstance(moves, list):
        named = [(letter(place), below) for place, below in enumerate(moves)]
    else:
        node.value = _number(moves) if moves is not None else None
        return []
    if not named:
        raise PositionError("a node has at least one move; a leaf is a number")
    if any(not name or name != name.strip() or not name.isprintable() for name, _ in named):
        raise PositionError("the name of a move is not empty and does not begin or end with a space")
    return named


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise PositionError("a leaf is a number or null, not {}", quoted(json.dumps(value)))
    if abs(value) >= Game.infinity:
        raise PositionError("{} is too large for a leaf", value)
    return value


def _read_bounds(given: Any) -> tuple[float, float]:
    if not isinstance(given, list) or len(given) != 2 or _number(given[0]) > _number(given[1]):
        raise PositionError("bounds are [pessimistic, optimistic], not {}", quoted(json.dumps(given)))
    return _number(given[0]), _number(given[1])


def _written(node: TreeNode) -> Any:
    """The JSON that `_build` reads as this node."""
    plain = node.names == [letter(i) for i in range(len(node.moves))]
    moves: Any = (
        [_written(m) for m in node.moves]
        if plain
        else dict(zip(node.names, map(_written, node.moves), strict=True))
    )
    if node.chances:
        return {**_words(node), "chance": _written_chance(node)}
    words = _words(node)
    if not node.moves and set(words) <= {"value"}:
        return node.value
    if not words:
        return moves
    return {**words, "moves": moves} if node.moves else words


def _words(node: TreeNode) -> dict[str, Any]:
    """The properties of a node other than its moves."""
    above = node.parent
    expected = node.turn if above is None else above.turn if above.chances else 1 - above.turn
    words: dict[str, Any] = {}
    if node.name:
        words["name"] = node.name
    if node.turn != expected:
        words["player"] = "min" if node.turn else "max"
    if node.value is not None:
        words["value"] = node.value
    if node.bounds is not None:
        words["bounds"] = list(node.bounds)
    return words


# ---- chance ----------------------------------------------------------------------------------------
def _fill_chance(node: TreeNode, text: dict[str, Any]) -> list[tuple[str, Any]]:
    """Make a node a chance node; return its outcomes."""
    given = text["chance"]
    if "moves" in text or not isinstance(given, list | dict) or not given:
        raise PositionError('chance is {"chance": [[0.5, …], [0.5, …]]}: each outcome with its probability')
    pairs = list(given.values()) if isinstance(given, dict) else given
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise PositionError("an outcome is [probability, what follows], not {}", quoted(json.dumps(pairs[0])))
    node.player, node.chances = CHANCE, [_probability(pair[0]) for pair in pairs]
    total = sum(node.chances)
    if abs(total - 1) > CLOSE:
        raise PositionError("the probabilities of a chance node add up to 1, not to {:g}", total)
    usual = _outcome_names(node)
    names = list(given) if isinstance(given, dict) else usual
    if any(not name or name != name.strip() or not name.isprintable() for name in names):
        raise PositionError("the name of a move is not empty and does not begin or end with a space")
    return [(name, pair[1]) for name, pair in zip(names, pairs, strict=True)]


def _probability(given: Any) -> float:
    try:
        value = float(Fraction(given)) if isinstance(given, str) else float(_number(given))
    except (ValueError, ZeroDivisionError):
        value = 0.0
    if not 0 < value <= 1:
        raise PositionError("a probability is above 0 and at most 1, not {}", quoted(json.dumps(given)))
    return value


def _outcome_names(node: TreeNode) -> list[str]:
    """Outcomes without a name are named by a letter and their probability: `a(0.5)`."""
    return [f"{letter(place)}({chance:.4g})" for place, chance in enumerate(node.chances)]


def _written_chance(node: TreeNode) -> Any:
    pairs = [[chance, _written(move)] for chance, move in zip(node.chances, node.moves, strict=True)]
    return pairs if node.names == _outcome_names(node) else dict(zip(node.names, pairs, strict=True))
