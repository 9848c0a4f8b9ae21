"""The same games with states of other shapes: several fields, Enum, sets, bools, nested tuples, arrays.

The fields of a state have few values each, so that states with the same values in other places are common,
and a key that confuses them leads to a wrong answer soon.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Any, NamedTuple

import numpy as np

from gambito.native import Memory
from tests.fuzz.drawing import NODES, draw
from tests.fuzz.games import fuzz_drawn
from tests.fuzz.rules import Circles, Dice, Fractions, Plain, WinOrLoss, traits_of, write
from tests.fuzz.tally import Tally

VALUES = 5  # of a field


class Colour(Enum):
    """As an author's state may have it; its values are those of other fields."""

    RED = 0
    GREEN = 1
    BLUE = 2
    WHITE = 3
    BLACK = 4


class Suit(IntEnum):
    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3
    TRUMPS = 4


class Side(Enum):
    """An Enum whose values are texts."""

    NORTH = "n"
    EAST = "e"
    SOUTH = "s"
    WEST = "w"
    CENTRE = "c"


@dataclass(frozen=True)
class Record:
    """A state that is an object."""

    parts: tuple[Any, ...]


# ---- states that only the Python gear knows --------------------------------------------------------
def draw_field(kind: str, rng: random.Random) -> Any:
    number = rng.randrange(VALUES)
    if kind == "pair":
        return (number, rng.choice(list(Colour)))
    if kind == "set":
        return frozenset(rng.sample(range(VALUES), rng.randrange(VALUES)))
    if kind == "enums":
        return frozenset(rng.sample(list(Colour), rng.randrange(VALUES)))
    if kind == "array":
        return np.array([rng.randrange(2) for _ in range(3)], np.int8)
    plain = {
        "int": number, "bool": number % 2 == 0, "enum": list(Colour)[number], "suit": Suit(number),
        "side": list(Side)[number], "text": "abcde"[number], "maybe": number or None, "half": number / 2,
    }  # fmt: skip
    return plain[kind]


FIELDS = (
    "int",
    "int",
    "bool",
    "enum",
    "enum",
    "suit",
    "side",
    "text",
    "maybe",
    "half",
    "pair",
    "set",
    "enums",
    "array",
)


def written(value: Any) -> str:
    """A text that equal states have, and no others."""
    if isinstance(value, Record):
        return f"record {written(value.parts)}"
    if isinstance(value, tuple):
        return f"({', '.join(map(written, value))})"
    if isinstance(value, frozenset):
        return f"set {sorted(map(written, value))}"
    return f"{type(value).__name__} {value.tolist() if isinstance(value, np.ndarray) else value!r}"


class Shaped:
    """For rules in Python: each state is one of those drawn, and found again by its text."""

    compiles = False

    def give(self, states: list[Any]) -> None:
        self.states = states
        self.places = {written(state): node for node, state in enumerate(states)}

    def state_of(self, node):
        return self.states[node]

    def node_of(self, state):
        return self.places[written(state)]


class ShapedScore(Shaped, Plain):
    pass


class ShapedWin(Shaped, WinOrLoss):
    pass


class ShapedCircles(Shaped, Circles):
    pass


class ShapedFractions(Shaped, Fractions):
    pass


class ShapedDice(Shaped, Dice):
    pass


SHAPED: tuple[Any, ...] = (ShapedScore, ShapedWin, ShapedCircles, ShapedFractions, ShapedDice)


def draw_states(count: int, rng: random.Random) -> list[Any]:
    """So many different states of one shape that was drawn."""
    while True:
        fields = rng.choices(FIELDS, k=rng.choice([2, 2, 3, 4]))
        wrap = rng.choice([tuple, tuple, lambda parts: Record(tuple(parts)), lambda parts: (0, tuple(parts))])
        found: dict[str, Any] = {}
        for _ in range(20 * count):
            state = wrap([draw_field(kind, rng) for kind in fields])
            found.setdefault(written(state), state)
            if len(found) == count:
                return list(found.values())


# ---- states that both gears know -------------------------------------------------------------------
class Fields(NamedTuple):
    """Fields of several widths."""

    first: np.int8
    second: int
    third: bool


class Nest(NamedTuple):
    """A tuple in a tuple."""

    first: int
    rest: tuple[int, bool]


class Cells(NamedTuple):
    """A board that is an array."""

    cells: np.ndarray


class Packed(WinOrLoss):
    """A state's number in memory, by the three numbers that it is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.codes = Memory(np.zeros(NODES, np.int64))
        self.nodes = Memory(np.zeros(2 * VALUES * VALUES, np.int64))

    def give(self, rng: random.Random) -> None:
        codes = rng.sample(range(2 * VALUES * VALUES), NODES)
        self.codes.array[:] = codes
        self.nodes.array[codes] = range(NODES)

    def packed(self, first, second, third):
        return self.nodes[(first * VALUES + second) * 2 + third]


class PackedFields(Packed):
    def state_of(self, node):
        code = self.codes[node]
        return Fields(np.int8(code // (2 * VALUES)), code // 2 % VALUES, code % 2 == 1)

    def node_of(self, state):
        return self.packed(int(state.first), state.second, int(state.third))


class PackedNest(Packed):
    def state_of(self, node):
        code = self.codes[node]
        return Nest(code // (2 * VALUES), (code // 2 % VALUES, code % 2 == 1))

    def node_of(self, state):
        return self.packed(state.first, state.rest[0], int(state.rest[1]))


class PackedCells(Packed):
    def state_of(self, node):
        code = self.codes[node]
        cells = np.zeros(3, np.int8)
        cells[0], cells[1], cells[2] = code // (2 * VALUES), code // 2 % VALUES, code % 2
        return Cells(cells)

    def node_of(self, state):
        return self.packed(int(state.cells[0]), int(state.cells[1]), int(state.cells[2]))


PACKED = (PackedFields, PackedNest, PackedCells)
_MADE: dict[Any, Any] = {}


def fuzz(seed: int, gear: str, tally: Tally) -> None:
    """Draw a game and the shape of its states."""
    rng = random.Random(seed)
    kinds: tuple[Any, ...] = PACKED if gear == "native" else (*SHAPED, *PACKED)
    kind = rng.choice(kinds)
    drawn = draw(traits_of(kind), rng)
    if issubclass(kind, Packed):
        game = _MADE.setdefault(kind, kind())
        game.give(rng)
    else:
        game = kind()
        game.give(draw_states(len(drawn.players), rng))
    write(game, drawn, rng)
    fuzz_drawn(game, drawn, rng, gear, tally)
