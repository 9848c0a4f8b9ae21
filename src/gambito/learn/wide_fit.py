"""Fit a wide network to positions of self-play: packed sets of squares, and batches of Adam.

The goal of a position is a mixture of its game's result and of the value of a search, both as shares of a
win by a logistic curve. The steps become smaller from batch to batch along a cosine. One game in ten is held
back. The batches run on this processor (here), or on a GPU (`learn/wide_gpu`); both compute the same steps.

    values[inputs][units]      the rows of the inputs, in the layout of `Wide.parts`
          [units]              where the sums begin
          [outputs][2][units]  the weights of the totals, in units of the logistic curve
          [outputs]            what the totals begin with
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np

from gambito.errors import EvaluationError
from gambito.evaluate.wide import LARGEST_WEIGHT, MOST_SUMS, ONE, SQUARES, Wide, put_sets, view_of
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.learn.base import Stepwise
from gambito.learn.fit import FIRST, SECOND, TINY, FitProgress, is_held_back
from gambito.learn.self_play import OUTCOME, VALUE, Chunk
from gambito.native import Handle, first_bit, inlined, int64, native, popcount, uint64
from gambito.native.scratch import scratch
from gambito.native.store import get

DEVICES = ("auto", "cpu", "cuda")
MOST_PIECES = 256
LIMIT = 1.98  # of a weight, so that whole numbers hold it
ROW, BEGIN = 0.1, 0.25  # the first rows lie between -ROW and ROW, the sums begin there
float32 = np.float32
F0, F1, F2 = float32(0), float32(1), float32(2)


@dataclass(frozen=True)
class WideFitting:
    """The settings of a fit of a wide network."""

    results: float = 0.1  # the weight of the game's result in the goal; the rest is the search's value
    logit: float = 250.0  # the game's value that is one unit of the logistic curve
    rate: float = 0.001  # of the first steps
    batch: int = 16384
    epochs: int = 20
    device: str = "cpu"  # or cuda
    continues: bool = False  # begin with the network that played the games, if one did


class States(Handle):
    """States as self-play stores them."""

    arrays: ClassVar[dict[str, type]] = {"kept": np.uint8}


class Packed(Handle):
    """Positions: their sets, who moves, and the goals."""

    arrays: ClassVar[dict[str, type]] = {"sets": np.uint64, "movers": np.int8, "goals": np.float32}

    def __len__(self) -> int:
        return len(self.goals)


class Net(Handle):
    """What is learned, Adam's moments, and the slopes of a batch."""

    arrays: ClassVar[dict[str, type]] = {
        "values": np.float32,
        "first": np.float32,
        "second": np.float32,
        "slopes": np.float32,
    }


@native
def pack(game, states, like, count, packed):
    """Write the sets and the movers of stored states."""
    words = scratch(MOST_PIECES)
    for place in range(count):
        state = get(states.kept, place, like)
        put_sets(game, state, words)
        for content in range(game.wide_sets):
            packed.sets[place * game.wide_sets + content] = words[content]
        packed.movers[place] = game.player(state)
    return count


@inlined
def list_rows(game, packed, place, side, rows):
    """Write where the rows of a position begin, as a side sees it; return how many there are."""
    first, count = place * game.wide_sets, int64(0)
    words = scratch(MOST_PIECES)
    for content in range(game.wide_sets):
        words[content] = packed.sets[first + content]
    view = view_of(game, words, side) * game.wide_sets * SQUARES
    for content in range(game.wide_sets):
        left = words[content]
        while left:
            rows[count] = int64(game.wide_rows[view + content * SQUARES + first_bit(left)])
            left &= left - uint64(1)
            count += 1
    return count


@inlined
def sum_rows(game, net, rows, count, sums, at):
    """Add up the rows of one side."""
    begin, units = game.wide_zeros, game.wide_units
    for unit in range(units):
        sums[at + unit] = net.values[begin + unit]
    for number in range(count):
        row = rows[number]
        for unit in range(units):
            sums[at + unit] += net.values[row + unit]


@inlined
def output_of(game, packed, place):
    """The number of the output for the pieces of a position."""
    count = int64(0)
    for content in range(game.wide_sets):
        count += popcount(packed.sets[place * game.wide_sets + content])
    return min(count * game.wide_outputs // (game.wide_pieces + 1), game.wide_outputs - 1)


@inlined
def foretell(game, packed, net, place, mine, theirs, sums):
    """The share of a win that the network sees in a position; it leaves rows, their numbers and sums."""
    units, mover = game.wide_units, int64(packed.movers[place])
    my_rows = list_rows(game, packed, place, mover, mine)
    their_rows = list_rows(game, packed, place, 1 - mover, theirs)
    sum_rows(game, net, mine, my_rows, sums, int64(0))
    sum_rows(game, net, theirs, their_rows, sums, int64(units))
    output = output_of(game, packed, place)
    weights = game.wide_zeros + units + output * 2 * units
    total = net.values[game.wide_zeros + units + game.wide_outputs * 2 * units + output]
    for unit in range(2 * units):
        cut = min(max(sums[unit], F0), F1)
        total += cut * cut * net.values[weights + unit]
    return F1 / (F1 + float32(math.exp(-total))), output, my_rows, their_rows


@native
def add_slopes(game, packed, net, order, begin, end):
    """Add up the slopes of a batch, and return the sum of its squared errors."""
    mine, theirs = scratch(MOST_PIECES, np.int64), scratch(MOST_PIECES, np.int64)
    sums, units, loss = scratch(MOST_SUMS, np.float32), game.wide_units, 0.0
    offsets = game.wide_zeros + units + game.wide_outputs * 2 * units
    for index in range(begin, end):
        place = order[index]
        share, output, my_rows, their_rows = foretell(game, packed, net, place, mine, theirs, sums)
        error = share - packed.goals[place]
        loss += float(error) * float(error)
        slope = F2 * error * share * (F1 - share)
        weights = game.wide_zeros + units + output * 2 * units
        net.slopes[offsets + output] += slope
        for unit in range(2 * units):
            cut = min(max(sums[unit], F0), F1)
            inside = F1 if F0 < sums[unit] < F1 else F0
            net.slopes[weights + unit] += slope * cut * cut
            sums[unit] = slope * net.values[weights + unit] * F2 * cut * inside
        for unit in range(units):
            net.slopes[game.wide_zeros + unit] += sums[unit] + sums[units + unit]
        for number in range(my_rows):
            for unit in range(units):
                net.slopes[mine[number] + unit] += sums[unit]
        for number in range(their_rows):
            for unit in range(units):
                net.slopes[theirs[number] + unit] += sums[units + unit]
    return loss


@native
def step_down(game, net, count, free, number, rate, size, limit):
    """One step of Adam, the `number`-th: all weights, of which those before `free` keep their limit."""
    near, far = F1 - float32(FIRST**number), F1 - float32(SECOND**number)
    for place in range(count):
        slope = net.slopes[place] / size
        net.slopes[place] = F0
        net.first[place] = float32(FIRST) * net.first[place] + float32(1 - FIRST) * slope
        net.second[place] = float32(SECOND) * net.second[place] + float32(1 - SECOND) * slope * slope
        step = rate * (net.first[place] / near) / (math.sqrt(net.second[place] / far) + float32(TINY))
        value = float32(net.values[place] - step)
        net.values[place] = min(max(value, -limit), limit) if place < free else value
    return count


@native
def error_of(game, packed, net, order):
    """The sum of squared errors of some positions."""
    mine, theirs = scratch(MOST_PIECES, np.int64), scratch(MOST_PIECES, np.int64)
    sums, loss = scratch(MOST_SUMS, np.float32), 0.0
    for index in range(len(order)):
        share, _, _, _ = foretell(game, packed, net, order[index], mine, theirs, sums)
        error = share - packed.goals[order[index]]
        loss += float(error) * float(error)
    return loss


class Machine(Protocol):
    """Who computes the batches. `net` holds what is learned whenever `bring` was called last."""

    def descend(self, order: Any, number: int, rate: float) -> Any:
        """Do the `number`-th step over some positions; return the sum of their squared errors."""

    def error(self, order: Any) -> float:
        """Return the sum of squared errors of some positions."""

    def bring(self) -> None:
        """Write what was learned into `net`."""

    def take(self) -> None:
        """Read what was learned from `net`."""


class Processor:
    """The machine that runs here, in one thread: the same seed gives the same bytes."""

    def __init__(self, game: Game, packed: Packed, net: Net) -> None:
        self.game, self.packed, self.net, self.form = gears(game).in_gear("native"), packed, net, game.form

    def descend(self, order: Any, number: int, rate: float) -> float:
        form = self.form
        loss = add_slopes(self.game, self.packed, self.net, order, 0, len(order))
        free, size = form.count - form.outputs, float32(len(order))
        limit = float32(largest_weight(form))
        step_down(self.game, self.net, form.count, free, number, float32(rate), size, limit)
        return float(loss)

    def error(self, order: Any) -> float:
        return float(error_of(self.game, self.packed, self.net, order))

    def bring(self) -> None:
        """Everything is in `net` already."""

    def take(self) -> None:
        """Everything is in `net` already."""


def largest_weight(form: Wide) -> float:
    """The limit of weights: the sums of all pieces stay whole numbers of 16 bits."""
    return min(LIMIT, (LARGEST_WEIGHT / ONE - LIMIT) / form.pieces)


def first_values(form: Wide, seed: int) -> Any:
    """The values with which a fit begins."""
    rng = np.random.default_rng((seed, form.units))
    rows = rng.uniform(-ROW, ROW, form.zeros)
    totals = rng.uniform(-1, 1, 2 * form.units * form.outputs) / math.sqrt(2 * form.units)
    values = [rows, np.full(form.units, BEGIN), totals, np.zeros(form.outputs)]
    return np.concatenate(values).astype(np.float32)


def pack_chunks(game: Any, chunks: Iterable[Chunk], fitting: WideFitting) -> tuple[Packed, Any]:
    """The positions of chunks, and which of them are held back."""
    both = gears(game)
    inner, like, sets = both.in_gear("native"), both.cast(game.initial()), game.form.sets
    parts: dict[str, list[Any]] = {"sets": [], "movers": [], "goals": []}
    held = []
    for number, chunk in enumerate(chunks):
        count = len(chunk)
        results, values = chunk.facts[:, OUTCOME], chunk.facts[:, VALUE]
        goals = fitting.results * _share(results, fitting) + (1 - fitting.results) * _share(values, fitting)
        part = Packed(
            sets=np.zeros(count * sets, np.uint64),
            movers=np.zeros(count, np.int8),
            goals=goals.astype(np.float32),
        )
        pack(inner, States(kept=chunk.kept), like, count, part)
        for name, found in parts.items():
            found.append(getattr(part, name))
        held.append(is_held_back(number, chunk))
    if not held:
        raise EvaluationError("there are no positions to learn from")
    return Packed(**{name: np.concatenate(found) for name, found in parts.items()}), np.concatenate(held)


def _share(values: Any, fitting: WideFitting) -> Any:
    """Values as shares of a win."""
    return 1 / (1 + np.exp(-np.clip(values / fitting.logit, -40, 40)))


class WideFit(Stepwise):
    """A fit of a wide network, epoch by epoch; it begins with random weights unless some are given."""

    def __init__(
        self, game: Any, chunks: Iterable[Chunk], fitting: WideFitting, seed: int, begin: Any = None
    ) -> None:
        self.form, self.fitting, self.seed = game.form, fitting, seed
        self.packed, held = pack_chunks(game, chunks, fitting)
        self.fitted_on, self.held_back = np.flatnonzero(~held), np.flatnonzero(held)
        values, zeros = first_values(self.form, seed), np.zeros
        if begin is not None:
            rows, sums, totals, offsets = self.form.parts(begin)
            parts = [rows, sums, totals / fitting.logit, offsets / fitting.logit]
            values = np.concatenate(parts).astype(np.float32)
        more = {name: zeros(len(values), np.float32) for name in ("first", "second", "slopes")}
        self.net, self.kept, self.course = Net(values=values, **more), values.copy(), FitProgress()
        self.machine = _machine(game, self.packed, self.net, fitting.device)

    def __len__(self) -> int:
        return len(self.packed)

    @property
    def advance(self) -> tuple[int, int]:
        """Return the number of steps done, and of all: a step is an epoch."""
        return len(self.course.held), self.fitting.epochs

    @property
    def is_over(self) -> bool:
        return len(self.course.held) >= self.fitting.epochs

    def step(self) -> None:
        """Do one epoch: all positions in a new order."""
        fitting, epoch, batch = self.fitting, len(self.course.held), self.fitting.batch
        order = np.random.default_rng((self.seed, epoch)).permutation(self.fitted_on)
        batches, loss = -(-len(order) // batch), 0.0  # on a GPU, loss is a number there
        for number in range(batches):
            done = (epoch * batches + number) / (fitting.epochs * batches)
            rate = fitting.rate * 0.5 * (1 + math.cos(math.pi * done))
            part = order[number * batch : (number + 1) * batch]
            loss += self.machine.descend(part, epoch * batches + number + 1, rate)
        held = self.machine.error(self.held_back) / max(len(self.held_back), 1)
        self.machine.bring()
        if not held > self.course.best:
            self.kept = self.net.values.copy()
        self.course.fitted.append(float(loss) / max(len(order), 1))
        self.course.held.append(held)

    def held(self) -> dict[str, Any]:
        arrays = {name: getattr(self.net, name) for name in ("values", "first", "second")}
        return {"kept": self.kept, "fitted": self.course.fitted, "held": self.course.held, **arrays}

    def take_up(self, held: Mapping[str, Any]) -> None:
        for name in ("values", "first", "second"):
            getattr(self.net, name)[:] = held[name]
        self.kept = held["kept"]
        self.course = FitProgress(held["fitted"].tolist(), held["held"].tolist())
        self.machine.take()

    def run(self, path: Path | None = None, progress: Callable[[FitProgress], None] | None = None) -> Any:
        """Run the fit, and return the weights that predict the held-back positions best."""
        self.go_on(path, (lambda: progress(self.course)) if progress else None)
        rows, begin, totals, offsets = self.form.parts(self.kept.astype(float))
        return np.concatenate([rows, begin, totals * self.fitting.logit, offsets * self.fitting.logit])


def _machine(game: Game, packed: Packed, net: Net, device: str) -> Machine:
    if device == "cpu":
        return Processor(game, packed, net)
    from gambito.learn.wide_gpu import Gpu

    return Gpu(game, packed, net, device)


def choose_device(device: str) -> str:
    """The device that a word names: auto is a GPU if there is one and PyTorch too."""
    if device not in DEVICES:
        raise EvaluationError("device must be one of {}, not {}", ", ".join(DEVICES), device)
    if device == "cpu":
        return device
    from gambito.learn.wide_gpu import has_gpu

    return "cuda" if has_gpu(device == "cuda") else "cpu"
