"""Learn weights during play: TD(λ), TD-leaf and Samuel's method, for sums of weights.

After each move, the value of a position is compared with a target, and its weights are moved so that the
value comes closer to it.

    td        the position itself; the target is made of the later values and the result
    td-leaf   the end of the principal line of a search, where the value comes from; the same target
    samuel    the position itself; the target is the value that a search backs up; the result does not count

Values are compared as shares of a win. The engine plays the games at a fixed depth, with some random moves.
The weights are those of `patterns` and of `linear`.

    Samuel 1959; Sutton 1988; Baxter, Tridgell & Weaver, Learning to play chess using temporal differences,
    2000
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.game.registry import load
from gambito.game.remote_files import files_of_job
from gambito.jobs import JobProgress, Rounds, choose_executor
from gambito.learn.base import Stepwise
from gambito.learn.self_play import MAX_PLIES, TABLE_MEBIBYTES, came_back, deepen, new_position_buffer
from gambito.native import Handle, int64, mix, native, uint64
from gambito.native.random import new_random
from gambito.search.algorithm import find
from gambito.search.engine.search import EXTRA
from gambito.search.engine.session import EngineSession
from gambito.search.monitor import DECISION, HEAD, LENGTH, ROW, ROWS, Monitor, new_monitor

METHODS = ("td", "td-leaf", "samuel")
TD, LEAF, SAMUEL = range(3)
PAIRS = 1 << 9  # maximum size of one position's inputs, in numbers
LARGEST_WEIGHT = (1 << 15) - 1  # largest weight, in units


@dataclass(frozen=True)
class Play:
    """The settings of learning from play."""

    games: int = 2000
    depth: int = 3
    rate: float = 0.1  # in the unit of the game's values
    trace: float = 0.7  # λ
    loose: int = 8
    stray: float = 0.02
    block: int = 100  # games between two checkpoints


class TDLeafState(Handle):
    """The weights as fractions, and the game so far: its inputs, values and signs."""

    arrays: ClassVar[dict[str, type]] = {
        "values": np.float64,
        "pairs": np.int64,
        "ends": np.int64,
        "others": np.float64,
        "shares": np.float64,
        "signs": np.float64,
    }


@native
def share_of(game, pupil, ply, scale):
    """Return the share of a win that the inputs of a ply predict for their player.

    What the game adds to the sum of the inputs is not among the weights.
    """
    total = pupil.others[ply]
    for place in range(ply * PAIRS, pupil.ends[ply], 2):
        total += pupil.pairs[place + 1] * pupil.values[pupil.pairs[place]]
    return 1.0 / (1.0 + math.exp(-total / scale))


@native
def look(game, state, pupil, ply, unit):
    """Write the inputs of a state, and the other part of its value."""
    pupil.ends[ply] = game.inputs(state, pupil.pairs, ply * PAIRS)
    total = 0.0
    for place in range(ply * PAIRS, pupil.ends[ply], 2):
        total += pupil.pairs[place + 1] * int64(game.weights[pupil.pairs[place]])
    other = game.evaluate(state, game.player(state)) - total / unit
    pupil.others[ply] = other if abs(other) > 1.0 else 0.0
    return other


@native
def move_weights(game, pupil, ply, step, unit):
    """Move the weights in the value of a ply, and write them into the game."""
    for place in range(ply * PAIRS, pupil.ends[ply], 2):
        number = pupil.pairs[place]
        pupil.values[number] += step * pupil.pairs[place + 1]
        whole = int64(math.floor(pupil.values[number] * unit + 0.5))
        game.weights[number] = min(max(whole, -LARGEST_WEIGHT), LARGEST_WEIGHT)
    return step


@native
def end_of_line(game, state, row, monitor):
    """Return the state at the end of the principal line of the search."""
    rows = monitor.data[ROWS]
    begin = HEAD + 4 * rows + row * rows
    for place in range(monitor.data[LENGTH + ROW * row]):
        if not game.is_terminal(state):
            state = game.result(state, monitor.data[begin + place])
    return state


@native
def play_and_learn(game, context, rng, first, seeds, plan, knobs, sheet, pupil):
    """Play a game for each seed and learn from it; return the number of plies."""
    method, depth, loose, stray, scale, aspiration = plan[0], plan[1], plan[2], plan[3], plan[4], plan[5]
    rate, trace, curve, unit = knobs[0], knobs[1], knobs[2], knobs[3]
    played = int64(0)
    for number in range(len(seeds)):
        rng.words[0] = seeds[number]
        state, ply, told, is_drawn = first, int64(0), int64(0), False
        free = rng.below(loose + 1)
        while not is_drawn and ply < MAX_PLIES and not game.is_terminal(state):
            if ply < free or rng.below(1000) < stray:
                action = game.random_action(state, rng)
            else:
                value = deepen(game, state, depth, depth, aspiration, context)
                action = context.monitor.data[DECISION]
                seen = state
                if method == LEAF:
                    seen = end_of_line(game, state, int64(depth + EXTRA), context.monitor)
                if not game.is_terminal(seen):
                    look(game, seen, pupil, told, unit)
                    sign = 1.0 if game.player(seen) == 0 else -1.0
                    pupil.signs[told] = sign
                    promised = share_of(game, pupil, told, curve)
                    pupil.shares[told] = promised if sign > 0 else 1.0 - promised
                    if method == SAMUEL:
                        backed = 1.0 / (1.0 + math.exp(-(value / scale) / curve))
                        slope = 4.0 * promised * (1.0 - promised)
                        move_weights(game, pupil, told, rate * (backed - promised) * slope, unit)
                    else:
                        told += 1
            if game.cycles:
                sheet.seen[ply] = uint64(game.key(state))
            state = game.result(state, action)
            ply += 1
            if game.cycles:
                is_drawn = came_back(sheet, ply, uint64(game.key(state)), game.reversible(state))
        played += ply
        result = 0.5
        if game.is_terminal(state):
            score = game.utility(state, 0)
            result = 1.0 if score > 0 else 0.0 if score < 0 else 0.5
        ahead, later = 0.0, result
        for back in range(told):
            place = told - 1 - back
            ahead = later - pupil.shares[place] + trace * ahead
            later = pupil.shares[place]
            slope = 4.0 * later * (1.0 - later) * pupil.signs[place]
            move_weights(game, pupil, place, rate * ahead * slope, unit)
    return played


class LearningPlay:
    """The player of one process, compiled once for all its blocks. The weights of its game change."""

    def __init__(self, label: str, method: str, play: Play) -> None:
        self.game, self.method, self.play = load(label), METHODS.index(method), play
        both = gears(self.game)
        self.inner, self.first = both.in_gear("native"), both.cast(self.game.initial())
        self.monitor = new_monitor(Monitor, "native", play.depth + EXTRA)
        self.options = find("engine").read_options({"memory": TABLE_MEBIBYTES, "endings": False}, self.game)
        rows = {name: np.zeros(MAX_PLIES + 1) for name in ("others", "shares", "signs")}
        self.pupil = TDLeafState(
            values=self.game.weights.array / self.game.form.unit,
            pairs=np.zeros(PAIRS * (MAX_PLIES + 1), np.int64), ends=np.zeros(MAX_PLIES + 1, np.int64), **rows,
        )  # fmt: skip

    def learn(self, job: dict[str, Any]) -> Any:
        """Play a block of games, with empty tables; return the weights that are learned."""
        play, rules = self.play, self.game
        self.pupil.values[:] = job["values"]
        install(rules, self.pupil.values)
        session = EngineSession(rules, self.options)
        seeds = [mix((job["seed"], game)) | np.uint64(1) for game in range(job["begin"], job["end"])]
        plan = [self.method, play.depth, play.loose, round(1000 * play.stray), session.scale]
        plan.append(self.options["aspiration"] * session.scale)
        knobs = np.array([play.rate, play.trace, rules.unit() / math.log(3), float(rules.form.unit)])
        memory = (session.context(self.monitor), new_random(0))
        how = (np.array(seeds, np.uint64), np.array(plan, np.int64), knobs)
        play_and_learn(self.inner, *memory, self.first, *how, new_position_buffer(1, 1), self.pupil)
        return self.pupil.values.copy()


def install(game: Game, values: Any) -> None:
    """Write each weight into the game, as the games do."""
    whole = np.floor(values * game.form.unit + 0.5)
    game.weights.array[:] = np.clip(whole, -LARGEST_WEIGHT, LARGEST_WEIGHT).astype(game.weights.array.dtype)


def _games(job: dict[str, Any]) -> float:
    return float(job["end"] - job["begin"])


def learn_block(job: dict[str, Any]) -> Any:
    """Do a job of `TDLeafTrainer`, in a worker."""
    return _playing(job["game"], job["method"], json.dumps(job["play"])).learn(job)


@functools.lru_cache(1)
def _playing(label: str, method: str, play: str) -> LearningPlay:
    return LearningPlay(label, method, Play(**json.loads(play)))


class TDLeafTrainer(Stepwise):
    """Learning from play, in blocks of games. A block begins with the weights of the block before it, so
    that one worker does them all, one after the other."""

    def __init__(
        self, label: str, method: str, play: Play, seed: int = 0, jobs: int | None = None,
        cluster: str | None = None,
    ) -> None:  # fmt: skip
        self.executor = choose_executor(jobs, cluster).at_most(1)
        self.playing = LearningPlay(label, method, play)
        self.job = {"game": label, "method": method, "play": asdict(play), "seed": seed}
        self.play, self.values, self.done = play, self.playing.pupil.values.copy(), 0
        self.blocks: Rounds | None = None  # while it runs

    @property
    def game(self) -> Game:
        """The game, with the weights learned by `run`."""
        return self.playing.game

    @property
    def is_over(self) -> bool:
        return self.done >= self.play.games

    def step(self) -> None:
        """Play a block of games."""
        assert self.blocks is not None
        end = min(self.done + self.play.block, self.play.games)
        block = {**self.job, "begin": self.done, "end": end, "values": self.values}
        (self.values,) = self.blocks.do([block])
        self.done = end

    def held(self) -> dict[str, Any]:
        return {"values": self.values, "done": self.done}

    def take_up(self, held: Mapping[str, Any]) -> None:
        self.values, self.done = held["values"], int(held["done"])

    def run(
        self, path: Path | None = None, progress: Callable[[int], None] | None = None,
        tell: Callable[[JobProgress], Any] | None = None,
    ) -> None:  # fmt: skip
        """Play all games. Then the game has the learned weights."""
        self.playing.learn({**self.job, "begin": 0, "end": 0, "values": self.values})  # compiles
        work = self.playing.learn if self.executor.is_here else learn_block
        with Rounds(self.executor, work, tell, _games, files_of_job) as self.blocks:
            self.go_on(path, (lambda: progress(self.done)) if progress else None)
        install(self.game, self.values)
