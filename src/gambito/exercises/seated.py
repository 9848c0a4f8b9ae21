"""Positions of games for three as cases: trees with a value for each player, and tic-tac-toe for three."""

from __future__ import annotations

import dataclasses
import functools
import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gambito.exercises.counted import CountedGame
from gambito.exercises.trial import Function, StudentAnswer
from gambito.game.contract import Game
from gambito.game.registry import load

PLAYERS, HIGHEST = 3, 6  # of the trees
BOARD = "tic-tac-toe-3:size=3"


class VectorTree(Game):
    """A tree whose leaves are worth a value for each of three players.

    A state is a leaf, which is the tuple of its values, or a pair of a player and the states below.
    """

    name = "vectors"
    players = PLAYERS
    zero_sum = False
    compiles = False
    lowest, highest = 0, HIGHEST

    def initial(self) -> Any:
        return (0, 0, 0)

    def is_terminal(self, state: Any) -> bool:
        return not isinstance(state[1], tuple)

    def player(self, state: Any) -> int:
        return 0 if self.is_terminal(state) else int(state[0])

    def actions(self, state: Any) -> Iterator[int]:
        yield from range(len(state[1]))

    def result(self, state: Any, action: int) -> Any:
        return state[1][action]

    def utility(self, state: Any, player: int) -> Any:
        return state[player]

    def evaluate(self, state: Any, player: int) -> Any:
        return 0

    def text(self, state: Any) -> str:
        return json.dumps(_named(state), separators=(",", ":"))

    def parse(self, text: str) -> Any:
        """A leaf is a list of three values; other nodes say whose move it is."""
        return _tuples(json.loads(text))


def _named(state: Any) -> Any:
    if not isinstance(state[1], tuple):
        return list(state)
    return {"player": state[0], "moves": [_named(child) for child in state[1]]}


def _tuples(held: Any) -> Any:
    return tuple(held) if isinstance(held, list) else (held["player"], tuple(map(_tuples, held["moves"])))


def _random_tree(rng: random.Random, depth: int) -> Any:
    if depth == 0:
        return tuple(rng.randint(0, HIGHEST) for _ in range(PLAYERS))
    below = (_random_tree(rng, depth - 1 if rng.random() < 0.8 else 0) for _ in range(rng.randint(1, 3)))
    return rng.randrange(PLAYERS), tuple(below)


def _smallervector_trees(state: Any) -> Iterator[Any]:
    """Trees with something left out, larger steps first."""
    if not isinstance(state[1], tuple):
        return
    player, children = state
    yield from children
    for place in range(len(children)):
        if len(children) > 1:
            yield player, (*children[:place], *children[place + 1 :])
    for place, child in enumerate(children):
        for other in _smallervector_trees(child):
            yield player, (*children[:place], other, *children[place + 1 :])


@functools.cache
def _game(name: str) -> Game:
    return VectorTree() if name == VectorTree.name else load(name)


@dataclasses.dataclass(frozen=True)
class Seated:
    """A state of a game for three, and the other arguments of the function, by name and in order."""

    name: str
    place: str
    more: tuple[tuple[str, Any], ...] = ()

    @property
    def text(self) -> str:
        return self.place if self.name == VectorTree.name else f"{self.name} {self.place}"

    @property
    def given(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.more)

    def ask(self, function: Function) -> StudentAnswer:
        game = CountedGame(_game(self.name))
        value = function(game, _game(self.name).parse(self.place), *(held for _, held in self.more))
        return StudentAnswer(value, game.leaves, game.results, len(game.seen))

    def smaller(self) -> Iterator[Seated]:
        game = _game(self.name)
        state = game.parse(self.place)
        others = _smallervector_trees(state) if self.name == VectorTree.name else ()
        for other in others:
            yield dataclasses.replace(self, place=game.text(other))
        more = dict(self.more)
        if more.get("depth", 0) > 1:
            yield dataclasses.replace(self, more=tuple({**more, "depth": more["depth"] - 1}.items()))

    def shown(self) -> tuple[str, str]:
        game = _game(self.name)
        return ("" if self.name == VectorTree.name else game.show(game.parse(self.place))), ""


Arguments = Callable[[random.Random], tuple[tuple[str, Any], ...]]


def vector_trees(arguments: Arguments, count: int = 120, seed: int = 5) -> list[Seated]:
    rng, game = random.Random(seed), _game(VectorTree.name)
    found = {game.text(_random_tree(rng, rng.randint(0, 3))) for _ in range(count)}
    return [
        Seated(VectorTree.name, text, arguments(rng)) for text in sorted(found, key=lambda t: (len(t), t))
    ]


def boards(arguments: Arguments, empty: Sequence[int], count: int = 30, seed: int = 6) -> list[Seated]:
    """Boards of tic-tac-toe for three with so many empty squares, fewest first."""
    rng, game, found = random.Random(seed), _game(BOARD), list[Seated]()
    for left in empty:
        kept = 0
        while kept < count // len(empty):
            state = game.initial()
            while not game.is_terminal(state) and len(game.legal(state)) > left:
                state = game.result(state, rng.choice(game.legal(state)))
            if len(game.legal(state)) == left:
                kept += 1
                found.append(Seated(BOARD, game.text(state), arguments(rng)))
    return found
