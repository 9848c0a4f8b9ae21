"""Symmetries that the rules of a game have and do not state, found by trial.

A board can be turned and mirrored, and the kinds of pieces can change places, with the players or without
them. Each candidate is a permutation of the network's inputs. It is a symmetry if the rules agree: in
positions of random games, the turned position must lead to the turned positions, end where they end, and with
the same results. That also says which action becomes which. A position is then learned in any of its views.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from gambito.evaluate.policy.encoding import FRACTION, VALUES, GameSample, StateEncoding
from gambito.evaluate.policy.places import Grid, viewed
from gambito.game.contract import Game
from gambito.learn.zero.search_trees import spans

PAIR = 2  # players that can change places
MOST_PLANES = 5  # kinds of pieces that are tried in all ways
MOST_CHILDREN = 4000  # positions after an action that are compared
FEWEST = 32  # positions of a trial
MOST_VIEWS = 64
MOST_CONTEXTS = 16
UNKNOWN = -1  # what an action becomes that was not met


@dataclass(frozen=True)
class Symmetry:
    """Where the inputs, the contexts and the outputs of a network go; do the players change places?

    slots[contexts][slots]: what an action becomes may depend on the context.
    """

    inputs: Any
    contexts: Any
    slots: Any
    swaps: bool

    def after(self, other: Symmetry) -> Symmetry:
        """This symmetry after another one."""
        slots = np.where(other.slots == UNKNOWN, UNKNOWN, self.slots[other.contexts[:, None], other.slots])
        inputs, contexts = self.inputs[other.inputs], self.contexts[other.contexts]
        return Symmetry(inputs, contexts, slots, self.swaps != other.swaps)


class Contexts:
    """What the inputs that are not on the board say, if that is little: who moves, and which part of a turn.

    The number of an action may mean one thing here and another there.
    """

    def __init__(self, seen: GameSample, grid: Grid) -> None:
        rows = seen.sight.rows(seen.packed, seen.movers)
        exact = np.concatenate(
            [np.arange(seen.sight.players)] + [at for view, at in viewed(seen.sight) if view.way != FRACTION]
        )
        self.inputs = np.intersect1d(grid.off, exact)
        self.patterns = np.unique(rows[:, self.inputs], axis=0)
        if len(self.patterns) > MOST_CONTEXTS:
            self.inputs = np.arange(seen.sight.players)
            self.patterns = np.unique(rows[:, self.inputs], axis=0)

    def __len__(self) -> int:
        return len(self.patterns)

    def of(self, rows: Any) -> Any:
        """The contexts of positions, UNKNOWN for new ones."""
        is_one = (rows[:, None, self.inputs] == self.patterns).all(axis=2)
        return np.where(is_one.any(axis=1), is_one.argmax(axis=1), UNKNOWN)

    def images(self, inputs: Any) -> Any:
        """What becomes of each context under a permutation of the inputs."""
        rows = np.zeros((len(self), len(inputs)), np.float32)
        rows[:, inputs[self.inputs]] = self.patterns
        return self.of(rows)


class Symmetries:
    """All symmetries of a game; the first one changes nothing."""

    def __init__(self, found: list[Symmetry], contexts: Contexts | None) -> None:
        self.found, self.contexts = found, contexts
        self._from = np.array([np.argsort(one.inputs) for one in found])
        self._slots = np.array([one.slots for one in found])

    def __len__(self) -> int:
        return len(self.found)

    def turn(self, seen: Any, rows: Any, slots: Any, rng: Any) -> tuple[Any, Any]:
        """The inputs of positions in random views, and their outputs; `rows` has the position of each output.

        A position with an action of which is not known what it becomes stays as it is.
        """
        if self.contexts is None:
            return seen, slots
        contexts = self.contexts.of(seen)
        views = rng.integers(0, len(self), len(seen))
        views[contexts == UNKNOWN] = 0
        turned = self._slots[views[rows], contexts[rows], slots]
        views[rows[turned == UNKNOWN]] = 0
        turned = np.where(views[rows] == 0, slots, turned)
        return np.take_along_axis(seen, self._from[views], axis=1), turned

    def turn_part(self, part: dict[str, Any], sight: StateEncoding, rng: Any) -> dict[str, Any]:
        """The positions of a round in random views."""
        if self.contexts is None:
            return part
        rows, _ = spans(part["counts"])
        seen = sight.rows(part["states"], part["movers"])
        turned, slots = self.turn(seen, rows, part["slot"], rng)
        movers = turned[:, : sight.players].argmax(axis=1).astype(part["movers"].dtype)
        states = sight.states(turned, part["states"])
        return {**part, "states": states, "movers": movers, "slot": slots.astype(part["slot"].dtype)}


def find_symmetries(game: Game, seen: GameSample, places: Any) -> Symmetries:
    """Try all candidates on positions of random games."""
    inputs, slots = np.arange(seen.sight.inputs), np.arange(seen.slots)
    grid = None
    if places is not None and seen.outputs.numbers and not game.chance and game.players <= PAIR:
        grid = find_grid(places)
    if grid is None:
        return Symmetries([Symmetry(inputs, np.zeros(1, np.int64), slots[None], False)], None)
    contexts = Contexts(seen, grid)
    group = [Symmetry(inputs, np.arange(len(contexts)), np.tile(slots, (len(contexts), 1)), False)]
    trial = Trial(game, seen, contexts)
    for inputs, swaps in candidates(game, seen, grid):
        if any(one.swaps == swaps and np.array_equal(one.inputs, inputs) for one in group):
            continue
        images, found = contexts.images(inputs), trial.slots(inputs, swaps)
        if found is not None and UNKNOWN not in images:
            group = closed([*group, Symmetry(inputs, images, found, swaps)])
    return Symmetries(group[:MOST_VIEWS], contexts if len(group) > 1 else None)


def find_grid(places: Any) -> Grid | None:
    """The board as rows and columns; None if it is none, or has too many kinds of pieces to try them all."""
    try:
        grid = Grid(places)
    except ValueError:
        return None
    return grid if grid.planes <= MOST_PLANES else None


def closed(group: list[Symmetry]) -> list[Symmetry]:
    """All products of symmetries. What one way does not know about an action, another way may know."""
    known = {(one.swaps, one.inputs.tobytes()): one for one in group}
    before = 0
    while before < len(known) <= MOST_VIEWS:
        before = len(known)
        for one, other in list(product(known.values(), repeat=2)):
            both = one.after(other)
            held = known.setdefault((both.swaps, both.inputs.tobytes()), both)
            np.copyto(held.slots, both.slots, where=held.slots == UNKNOWN)
    return list(known.values())


# ---- candidates ------------------------------------------------------------------------------------------


def candidates(game: Game, seen: GameSample, grid: Grid) -> Iterator[tuple[Any, bool]]:
    """Permutations of the inputs, and whether the players change places."""
    rows, columns = np.divmod(grid.cell, grid.width)
    there = {spot: int(number) for spot, number in zip(zip(grid.plane, rows, columns), grid.on, strict=True)}
    turned = list(zip(*_turned(grid, rows, columns), strict=True))
    for swaps in (False, True)[: game.players]:
        others = _other_inputs(seen, swaps)
        for planes in _involutions(tuple(range(grid.planes))):
            kinds = np.array(planes)[grid.plane]
            for across, down in turned:
                images = [there.get(spot) for spot in zip(kinds, down, across, strict=True)]
                if None not in images:
                    inputs = others.copy()
                    inputs[grid.on] = images
                    yield inputs, swaps


def _turned(grid: Grid, rows: Any, columns: Any) -> tuple[list[Any], list[Any]]:
    """The columns and the rows of all cells after each turn and reflection of the board."""
    across, down = [], []
    for is_turned in (False, True)[: 1 + (grid.height == grid.width)]:
        one, other = (rows, columns) if is_turned else (columns, rows)
        for left, up in product((False, True), repeat=2):
            across.append(grid.width - 1 - one if left else one)
            down.append(grid.height - 1 - other if up else other)
    return across, down


def _involutions(numbers: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """All ways in which some of the numbers change places by twos, from none on."""
    for swapped in sorted(
        product(numbers, repeat=len(numbers)), key=lambda way: sum(map(int.__ne__, way, numbers))
    ):
        if all(swapped[swapped[number]] == number for number in numbers):
            yield swapped


def _other_inputs(seen: GameSample, swaps: bool) -> Any:
    """The inputs that are not on the board stay, except those that say who moves, if the players change."""
    inputs = np.arange(seen.sight.inputs)
    if swaps:
        inputs[:PAIR] = 1, 0
        for view, numbers in viewed(seen.sight):
            if view.way == VALUES and len(view.marks) == PAIR:
                column = seen.sight.layout.column(seen.packed, view.spot)
                if np.array_equal(column, np.array(view.marks, column.dtype)[seen.movers]):
                    inputs[numbers] = numbers[::-1]
    return inputs


# ---- the trial -------------------------------------------------------------------------------------------


class Trial:
    """Positions of random games and what follows them, by the rules in Python."""

    def __init__(self, game: Game, seen: GameSample, contexts: Contexts) -> None:
        self.game, self.seen = game, seen
        self.layout, self.outputs = seen.sight.layout, seen.outputs
        self.mask = seen.sight.mask()  # the last position of a game may have bits that no other has
        slots = np.array([self.outputs.slot(int(action)) for action in seen.chosen])
        all_contexts = contexts.of(seen.sight.rows(seen.packed, seen.movers))
        first = np.unique(len(contexts) * slots + all_contexts, return_index=True)[1]
        is_met = np.zeros((len(contexts), seen.slots), bool)
        self.begin, chosen = [0], []  # type: list[int], list[int]
        self.actions: list[int] = []
        children: list[Any] = []
        for number in np.random.default_rng(0).permutation(first).tolist():
            if len(chosen) >= FEWEST and is_met[all_contexts[number], slots[number]]:
                continue
            actions, found = self._children(self.layout.unpack(seen.packed[number]))
            is_met[all_contexts[number], [self.outputs.slot(action) for action in actions]] = True
            self.actions += actions
            children += found
            chosen.append(number)
            self.begin.append(len(children))
            if len(children) > MOST_CHILDREN:
                break
        self.packed, self.movers = seen.packed[chosen], seen.movers[chosen]
        self.contexts, self.count = all_contexts[chosen], len(contexts)
        self.children = self.layout.pack(children)
        facts = [self._facts(child) for child in children]
        self.child_movers = np.array([mover for mover, _ in facts])
        self.results = [result for _, result in facts]

    def _children(self, state: Any) -> tuple[list[int], list[Any]]:
        actions = self.game.legal(state)
        return [int(action) for action in actions], [self.game.result(state, action) for action in actions]

    def _facts(self, state: Any) -> tuple[int, tuple[Any, ...]]:
        """Who moves, and the result for each player; none before the end."""
        game = self.game
        if game.is_terminal(state):
            return 0, tuple(game.utility(state, player) for player in range(game.players))
        return int(game.player(state)), ()

    def slots(self, inputs: Any, swaps: bool) -> Any:
        """What becomes of each output under a permutation of the inputs; None if it is no symmetry."""
        found = np.full((self.count, self.seen.slots), UNKNOWN)
        try:
            for number, state in enumerate(self._turned(self.packed, self.movers, inputs)):
                if not self._agrees(
                    number, self.layout.unpack(state), inputs, swaps, found[self.contexts[number]]
                ):
                    return None
        except Exception:  # a position that cannot be: the rules of a game may stumble over it in any way
            return None
        is_unique = all(len(np.unique(line[line != UNKNOWN])) == (line != UNKNOWN).sum() for line in found)
        return found if is_unique else None

    def _turned(self, packed: Any, movers: Any, inputs: Any) -> Any:
        rows = self.seen.sight.rows(packed, movers)
        turned = np.empty_like(rows)
        turned[:, inputs] = rows
        return self.seen.sight.states(turned, packed)

    def _agrees(self, number: int, state: Any, inputs: Any, swaps: bool, found: Any) -> bool:
        """Does a turned position lead to the turned positions? Note which actions lead there."""
        mover = int(self.movers[number])
        if self.game.is_terminal(state) or self.game.player(state) != (1 - mover if swaps else mover):
            return False
        span = slice(self.begin[number], self.begin[number + 1])
        expected = self._turned(self.children[span], self.child_movers[span], inputs)
        actions, children = self._children(state)
        if len(actions) != len(expected):
            return False
        reached: dict[bytes, list[int]] = {}  # the numbers of the children with the same bytes
        for place, packed in enumerate(self.layout.pack(children) & self.mask):
            reached.setdefault(packed.tobytes(), []).append(place)
        for place, packed in enumerate(expected & self.mask, span.start):
            same = reached.get(packed.tobytes())
            if same is None:
                return False
            mover, result = self._facts(children[same[0]])
            if result != (self.results[place][::-1] if swaps else self.results[place]):
                return False
            if not result and (mover != self.child_movers[place]) != swaps:
                return False
            action, image = self.actions[place], actions[same[0]]
            if len(same) == 1 and self.outputs.has_own(action) and self.outputs.has_own(image):
                slot, image = self.outputs.slot(action), self.outputs.slot(image)
                if found[slot] not in (UNKNOWN, image):
                    return False
                found[slot] = image
        return True
