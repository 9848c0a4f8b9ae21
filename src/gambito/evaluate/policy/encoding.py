"""What a network sees of a state: the numbers in it, each by its bits, by the values that it takes, or whole.

A game that gives nothing but its rules is seen this way. Random games show which values each number takes:
sets of squares become one input for each bit that changes, small numbers one input for each value, and wide
ranges a fraction. The player to move is an input too. States are bytes here, as compiled code stores them
(`native/store.py`); the Python gear packs them in the same way. Nothing here knows layers or weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from gambito.errors import EvaluationError
from gambito.evaluate.policy.policy_outputs import LARGEST_ACTION, Outputs, outputs_for
from gambito.game.contract import CHANCE, Game
from gambito.game.gears import gears
from gambito.native import Handle, int64, kinds, native
from gambito.native.entries import held
from gambito.native.random import new_random
from gambito.native.store import new_memory, put, width
from gambito.native.values import conform

GAMES, ROOM = 400, 60_000  # random games that are looked at, and the most positions of them
MAX_PLIES = 2000  # plies after which a game is cut off
MOST_VALUES = 64  # a number that takes more values is seen by its bits
NO_NUMBERS = "a network sees states of a fixed number of numbers, and those of {} are not"
FACTS = 5  # numbers that are noted about each position
BITS, VALUES, FRACTION = "bits", "values", "fraction"


@dataclass(frozen=True)
class StateNumber:
    """A number in the bytes of a state."""

    offset: int
    dtype: Any

    @property
    def is_set(self) -> bool:
        """Is it a set of squares?"""
        return bool(self.dtype == np.uint64)


@dataclass(frozen=True)
class InputView:
    """How one number is seen: by bits (`marks` are their numbers), by values, or as a fraction of a range."""

    spot: int
    way: str
    marks: tuple[float, ...]

    @property
    def inputs(self) -> int:
        return 1 if self.way == FRACTION else len(self.marks)


class Layout:
    """Where the numbers of a game's states lie in their bytes."""

    def __init__(self, game: Game) -> None:
        both = gears(game)
        start = both.cast(game.initial())
        self.spots: list[StateNumber] = []
        self.name = game.label()
        self.kind = both.state
        self.is_stored = self.kind is not None and width(self.kind) > 0  # compiled code can store states
        if self.is_stored:
            assert self.kind is not None
            self.width = width(self.kind)
            self._place(self.kind, held(self.kind), 0)
        else:
            self.width = 0
            for number in _numbers(start):
                dtype = np.asarray(number).dtype
                if dtype.kind not in "biuf":
                    raise EvaluationError(NO_NUMBERS, game.label())
                self.spots.append(StateNumber(self.width, dtype))
                self.width += dtype.itemsize

    def _place(self, kind: kinds.Kind, shape: Any, offset: int) -> None:
        if isinstance(kind, kinds.Tuple):
            for number, part in enumerate(kind.parts):
                name = f"part{number}"
                self._place(part, dict(shape._fields_)[name], offset + getattr(shape, name).offset)
        elif isinstance(kind, kinds.Fixed):
            dtype = kind.item.dtype
            self.spots += [StateNumber(offset + dtype.itemsize * place, dtype) for place in range(kind.count)]
        else:
            assert isinstance(kind, kinds.Number)
            self.spots.append(StateNumber(offset, kind.dtype))

    def pack(self, states: Sequence[Any]) -> Any:
        """The bytes of states: [states][width]."""
        packed = np.zeros((len(states), self.width), np.uint8)
        for row, state in enumerate(states):
            numbers = list(_numbers(state))
            if len(numbers) != len(self.spots):
                raise EvaluationError(NO_NUMBERS, self.name)
            for spot, number in zip(self.spots, numbers, strict=True):
                size = spot.dtype.itemsize
                packed[row, spot.offset : spot.offset + size] = np.frombuffer(
                    np.asarray(number).astype(spot.dtype).tobytes(), np.uint8
                )
        return packed

    def unpack(self, packed: Any) -> Any:
        """The state of one row of bytes, which compiled code has stored."""
        assert self.kind is not None
        numbers = iter(self.column(packed[None], number)[0] for number in range(len(self.spots)))
        return conform(_joined(self.kind, numbers), self.kind)

    def read(self, memory: Any, count: int) -> Any:
        """The bytes of the first states in memory: of compiled code, or the Python gear's list of states."""
        if isinstance(memory, list):
            return self.pack(memory[:count])
        return memory[: count * self.width].reshape(count, self.width)

    def column(self, packed: Any, number: int) -> Any:
        """One number of each state."""
        spot = self.spots[number]
        end = spot.offset + spot.dtype.itemsize
        return np.ascontiguousarray(packed[:, spot.offset : end]).view(spot.dtype)[:, 0]

    def new_memory(self, count: int, gear: str) -> Any:
        """Memory for states, as `put` and `get` use it in a gear."""
        return new_memory(self.kind if gear == "native" else None, count)


def _numbers(state: Any) -> Iterable[Any]:
    if isinstance(state, tuple | list):
        for part in state:
            yield from _numbers(part)
    elif isinstance(state, np.ndarray):
        yield from state.ravel()
    else:
        yield state


def _joined(kind: kinds.Kind, numbers: Iterator[Any]) -> Any:
    if isinstance(kind, kinds.Tuple):
        return tuple(_joined(part, numbers) for part in kind.parts)
    if isinstance(kind, kinds.Fixed):
        return np.array([next(numbers) for _ in range(kind.count)], kind.item.dtype).reshape(kind.shape)
    return next(numbers)


class StateEncoding:
    """How a game's states become the inputs of a network."""

    def __init__(self, layout: Layout, players: int, views: Sequence[InputView]) -> None:
        self.layout, self.players, self.views = layout, players, list(views)
        places = [8 * layout.spots[v.spot].offset + b for v in self.views if v.way == BITS for b in v.marks]
        self._bits = np.array(places, np.int64)
        self.inputs = players + sum(view.inputs for view in self.views)

    def rows(self, packed: Any, movers: Any) -> Any:
        """The inputs of states: [states][inputs], between 0 and 1."""
        count = len(packed)
        seen = np.zeros((count, self.inputs), np.float32)
        seen[np.arange(count), np.clip(movers, 0, self.players - 1)] = 1.0
        place = self.players + len(self._bits)
        bits = np.unpackbits(packed, axis=1, bitorder="little")
        seen[:, self.players : place] = bits[:, self._bits]
        for view in self.views:
            if view.way == BITS:
                continue
            column = self.layout.column(packed, view.spot)
            if view.way == VALUES:
                seen[:, place : place + view.inputs] = column[:, None] == np.array(view.marks)
            else:
                low, high = view.marks
                seen[:, place] = np.clip((column - low) / (high - low), 0.0, 1.0)
            place += view.inputs
        return seen

    def states(self, rows: Any, packed: Any) -> Any:
        """The bytes of states with these inputs; what is not seen of a state is as in `packed`."""
        bits = np.unpackbits(packed, axis=1, bitorder="little")
        place = self.players + len(self._bits)
        bits[:, self._bits] = rows[:, self.players : place] != 0.0
        made = np.packbits(bits, axis=1, bitorder="little")
        for view in self.views:
            if view.way == VALUES:
                spot, inputs = self.layout.spots[view.spot], rows[:, place : place + view.inputs]
                is_seen = inputs.any(axis=1)
                values = np.array(view.marks, spot.dtype)[inputs.argmax(axis=1)]
                numbers = values[:, None].view(np.uint8)
                made[is_seen, spot.offset : spot.offset + spot.dtype.itemsize] = numbers[is_seen]
            if view.way != BITS:
                place += view.inputs
        return made

    def mask(self) -> Any:
        """Which bits of the bytes of a state are seen."""
        bits = np.zeros(8 * self.layout.width, np.uint8)
        bits[self._bits] = 1
        for view in self.views:
            if view.way != BITS:
                spot = self.layout.spots[view.spot]
                bits[8 * spot.offset : 8 * (spot.offset + spot.dtype.itemsize)] = 1
        return np.packbits(bits, bitorder="little")

    def description(self) -> list[Any]:
        """What a file says about it."""
        return [[view.spot, view.way, list(view.marks)] for view in self.views]


def read_encoding(game: Game, described: Any) -> StateEncoding:
    """The sight that a file describes; ValueError if it does not suit the game's states."""
    layout = Layout(game)
    views = []
    for spot, way, marks in described:
        if way not in (BITS, VALUES, FRACTION) or not 0 <= spot < len(layout.spots):
            raise ValueError("no view of a number in these states")
        bits = 8 * layout.spots[spot].dtype.itemsize
        if way == BITS and not all(0 <= mark < bits for mark in marks):
            raise ValueError("no bits of this number")
        if way == FRACTION and not (len(marks) == 2 and marks[0] < marks[1]):
            raise ValueError("no range")
        views.append(InputView(spot, way, tuple(marks)))
    return StateEncoding(layout, game.players, views)


def values_of(game: Game) -> int:
    """How many values a position has: one if a player's gain is the other's loss, else one a player."""
    return 1 if game.players == 1 or (game.players == 2 and game.zero_sum) else game.players


@dataclass(frozen=True)
class GameSample:
    """What random games of a game show: its sight, and its sizes."""

    sight: StateEncoding
    outputs: Outputs  # of a policy
    actions: int  # the most actions of a position
    branching: float  # the mean number of actions
    length: float  # the mean number of decisions in a game
    is_endless: bool  # no random game came to its end
    packed: Any = field(repr=False)  # the positions, and who moves in them
    movers: Any = field(repr=False)
    chosen: Any = field(repr=False)  # the actions that were played there, and the plies before
    plies: Any = field(repr=False)

    @property
    def slots(self) -> int:
        return self.outputs.slots


class Walks(Handle):
    """Positions of random games; for each its facts: its largest action, the number of its actions, who
    moves, what is played, and the ply.

    `is_seen` says which actions were legal somewhere.
    """

    arrays: ClassVar[dict[str, type]] = {"states": np.uint8, "facts": np.int64, "is_seen": np.uint8}


@native
def wander(game, start, walks, rng, games, room, longest):
    """Play random games and write their positions.

    Return the positions, the games that ended and those that were begun.
    """
    count, ended, begun = int64(0), int64(0), int64(0)
    while begun < games and count < room:
        state, ply = start, int64(0)
        while ply < longest and count < room and not game.is_terminal(state):
            if game.chance and game.player(state) == CHANCE:
                state = game.result(state, game.random_outcome(state, rng))
                ply += 1
                continue
            number, largest, chosen = int64(0), int64(0), int64(0)
            for action in game.actions(state):
                largest = max(largest, int64(action))
                if action < LARGEST_ACTION:
                    walks.is_seen[action] = 1
                number += 1
                if rng.below(number) == 0:
                    chosen = int64(action)
            put(walks.states, count, state)
            walks.facts[FACTS * count], walks.facts[FACTS * count + 1] = largest, number
            walks.facts[FACTS * count + 2] = game.player(state)
            walks.facts[FACTS * count + 3], walks.facts[FACTS * count + 4] = chosen, ply
            count += 1
            ply += 1
            state = game.result(state, chosen)
        if game.is_terminal(state):
            ended += 1
        begun += 1
    return count, ended, begun


def sample_games(game: Game, gear: str, seed: int = 0, games: int = GAMES, room: int = ROOM) -> GameSample:
    """Look at random games."""
    layout, both = Layout(game), gears(game)
    inner, start = both.in_gear(gear), both.cast(game.initial())
    states, facts = layout.new_memory(room, gear), np.zeros(FACTS * room, np.int64)
    is_seen = np.zeros(LARGEST_ACTION, np.uint8)
    walks = Walks(states=states, facts=facts, is_seen=is_seen)
    given = (walks, new_random((seed, 77)), games, room, MAX_PLIES)
    count, ended, begun = (int(number) for number in wander(inner, start, *given))
    packed = layout.read(states, count)
    views: list[InputView] = []
    for number, spot in sorted(enumerate(layout.spots), key=lambda each: not each[1].is_set):
        values = np.unique(layout.column(packed, number))
        if len(values) > 1:
            views += _views(number, spot, values, square_numbers(layout, views))
    told = facts[: FACTS * count].reshape(-1, FACTS)
    largest, most = told[:, :2].max(axis=0)
    return GameSample(
        StateEncoding(layout, game.players, sorted(views, key=lambda view: view.way != BITS)),
        outputs_for(is_seen, int(largest)),
        int(most),
        float(told[:, 1].mean()),
        count / begun,
        ended == 0,
        packed,
        *told.T[2:],
    )


def effects_of(seen: GameSample) -> Any:
    """[slots][inputs]: how the inputs change with each action, in the mean, as a vector of length 1."""
    goes_on = np.flatnonzero(np.diff(seen.plies) == 1)
    slots = np.array([seen.outputs.slot(int(action)) for action in seen.chosen[goes_on]], np.int64)
    order = np.argsort(slots, kind="stable")
    known, begin = np.unique(slots[order], return_index=True)
    rows = seen.sight.rows(seen.packed, seen.movers)
    changes = rows[goes_on[order] + 1] - rows[goes_on[order]]
    changes[:, : seen.sight.players] = 0.0  # that the turn passes says nothing
    effects = np.zeros((seen.slots, seen.sight.inputs), np.float32)
    effects[known] = np.add.reduceat(changes, begin, axis=0)
    size = np.sqrt((effects * effects).sum(axis=1, keepdims=True))
    return effects / np.where(size > 0.0, size, 1.0)


def square_numbers(layout: Layout, views: Sequence[InputView]) -> dict[int, tuple[int, int]]:
    """The squares of the first sets in a state by their numbers: the view and the place of a bit there.

    A large board needs several sets, one after the other.
    """
    sets = [(place, view) for place, view in enumerate(views) if layout.spots[view.spot].is_set]
    if not sets:
        return {}
    first = sets[0][1].spot
    return {64 * (v.spot - first) + int(bit): (at, n) for at, v in sets for n, bit in enumerate(v.marks)}


def squares_among(marks: Any, squares: Mapping[int, Any]) -> list[int]:
    """The numbers of the squares that a number can have with these values; none if it is something else."""
    numbers = [int(mark) for mark in marks if mark >= 0]
    if len(marks) - len(numbers) != 1 or min(marks) != -1 or not numbers:
        return []
    known = [square for square in sorted(squares) if square < 64 * (max(numbers) // 64 + 1)]
    return known if set(numbers) <= set(known) and 2 * len(numbers) > len(known) else []


def _views(number: int, spot: StateNumber, values: Any, squares: Mapping[int, Any]) -> list[InputView]:
    """How a number with these values is seen; it may be the number of a square, or -1."""
    size, kind = 8 * spot.dtype.itemsize, spot.dtype.kind
    if kind == "f":
        return [InputView(number, FRACTION, (float(values[0]), float(values[-1])))]
    if kind == "i" and (known := squares_among(values, squares)):
        return [InputView(number, VALUES, (-1, *known))]
    if not spot.is_set and len(values) <= MOST_VALUES:
        return [InputView(number, VALUES, tuple(int(value) for value in values))]
    wide = values.astype(np.int64).view(np.uint64)
    some, every = int(np.bitwise_or.reduce(wide)), int(np.bitwise_and.reduce(wide))
    bits = InputView(number, BITS, tuple(b for b in range(size) if (some & ~every) >> b & 1))
    if spot.is_set or int(values[-1]) - int(values[0]) >= 1 << 12:
        return [bits]
    return [bits, InputView(number, FRACTION, (int(values[0]), int(values[-1])))]
