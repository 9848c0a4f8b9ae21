"""Self-play of the engine: positions with the values found and the results of their games.

Games begin with a few random moves, and sometimes a later move is random too, so that positions differ. After
such a move, only later positions are used. The moves of a game depend only on its number and the seed, and a
chunk of games begins with empty tables, so every worker gets the same positions. A chunk is a job: workers
return its positions, and the process that asked stores them.
"""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from gambito.errors import EvaluationError, SearchError
from gambito.game.contract import MOST_ACTIONS, Game
from gambito.game.gears import gears
from gambito.game.registry import load
from gambito.game.remote_files import files_of_job
from gambito.jobs import JobProgress, choose_executor, done
from gambito.learn.checkpoints import read_arrays, save_arrays
from gambito.memory.ordering import ACTIONS
from gambito.memory.table import LARGEST_VALUE
from gambito.native import Handle, int64, mix, native, uint64
from gambito.native.random import Random, new_random
from gambito.native.store import put, width
from gambito.search.algorithm import find
from gambito.search.engine.aspiration import ASPIRATION, search_windows
from gambito.search.engine.search import EXTRA
from gambito.search.engine.session import EngineSession
from gambito.search.monitor import DECISION, NODES, Monitor, new_monitor

MAX_PLIES = 1024  # plies after which a game counts as a draw
TABLE_MEBIBYTES = 2  # MiB of each table
FACTS = 4  # facts of a position: value, outcome, ply, number of its game
VALUE, OUTCOME, PLY, GAME = range(FACTS)


@dataclass(frozen=True)
class SelfPlayPlan:
    """The settings of the games."""

    games: int = 1000
    depth: int = 4
    loose: int = 8  # maximum number of random moves at the start of a game
    stray: float = 0.02  # share of random moves later
    chunk: int = 100  # games that are stored together
    sure: int = 0  # plies before the end from which searches are exact, if games are short
    longest: int = MAX_PLIES  # maximum length of a game; a longer one counts as a draw
    decided: int = 0  # a value at which a game counts as won; 0: games are played to the end


class PositionBuffer(Handle):
    """The positions written so far: their states and facts; and the keys of the current game."""

    arrays: ClassVar[dict[str, type]] = {"kept": np.uint8, "facts": np.int64, "seen": np.uint64}


@native
def deepen(game, state, depth, last, aspiration, context):
    """Return the engine's value of a state, found depth by depth then, if it is deeper, at the last.

    The monitor holds the action and the line.
    """
    value, monitor = int64(0), context.monitor
    for step in range(1, depth + 1 + (last > depth)):
        plies = step if step <= depth else last
        monitor.data[NODES] = 0
        monitor.restart(plies + EXTRA)
        value = search_windows(
            game, state, int64(plies), int64(ASPIRATION), value, aspiration, -LARGEST_VALUE, LARGEST_VALUE,
            int64(plies + EXTRA), context,
        )  # fmt: skip
        if monitor.is_stopped():
            raise SearchError("a state has more than {} actions, too many for a search", MOST_ACTIONS)
    return value


@native
def play_games(game, context, rng, first, seeds, plan, sheet, room):
    """Play a game for each seed, write its positions if there is room, and return their number."""
    depth, loose, stray, scale, aspiration, sure = plan[0], plan[1], plan[2], plan[3], plan[4], plan[5]
    longest, decided, count = plan[6], plan[7], int64(0)
    for number in range(len(seeds)):
        rng.words[0] = seeds[number]
        state, ply, begin, is_drawn, winner = first, int64(0), count, False, int64(-1)
        free = rng.below(loose + 1)
        while not is_drawn and winner < 0 and ply < longest and not game.is_terminal(state):
            if ply < free or rng.below(1000) < stray:
                action = game.random_action(state, rng)
            else:
                left = game.plies_left(state)
                value = deepen(game, state, depth, left if left <= sure else depth, aspiration, context)
                action = context.monitor.data[DECISION]
                if decided and abs(value) >= decided * scale:
                    winner = game.player(state) if value > 0 else 1 - game.player(state)
                if count < room and is_told(game, state, action, value, scale, context.ordering.data):
                    put(sheet.kept, count, state)
                    sheet.facts[FACTS * count + VALUE] = value // scale
                    sheet.facts[FACTS * count + PLY] = ply
                    sheet.facts[FACTS * count + GAME] = number
                    sheet.facts[FACTS * count + OUTCOME] = game.player(state)
                    count += 1
            if game.cycles:
                sheet.seen[ply] = uint64(game.key(state))
            state = game.result(state, action)
            ply += 1
            if game.cycles:
                is_drawn = came_back(sheet, ply, uint64(game.key(state)), game.reversible(state))
        for place in range(begin, count):
            player = sheet.facts[FACTS * place + OUTCOME]
            outcome = game.utility(state, player) if game.is_terminal(state) else 0
            if winner >= 0:
                outcome = game.highest if player == winner else game.lowest
            sheet.facts[FACTS * place + OUTCOME] = outcome
    return count


@native
def is_told(game, state, action, value, scale, buffer):
    """Return whether a position is useful for learning: quiet and undecided."""
    if abs(value) >= (game.highest - 1) * scale and game.prefers_fast_win:
        return False
    if game.is_urgent(state):
        return False
    end = game.collect_noisy(state, buffer, int64(ACTIONS))
    for place in range(int64(ACTIONS), end):
        if buffer[place] == action:
            return False
    return True


@native
def came_back(sheet, ply, key, plies):
    """Return whether this position occurred twice before."""
    times, place = 0, ply - 1
    while place >= 0 and ply - place <= plies:
        if sheet.seen[place] == key:
            times += 1
        place -= 1
    return times >= 2


def new_position_buffer(size: int, room: int) -> PositionBuffer:
    """Return a sheet for a number of positions, with `room` bytes in total."""
    return PositionBuffer(
        kept=np.zeros(size, np.uint8),
        facts=np.zeros(room * FACTS, np.int64),
        seen=np.zeros(MAX_PLIES + 1, np.uint64),
    )


class Chunk:
    """The positions of a number of games."""

    def __init__(self, kept: Any, facts: Any) -> None:
        self.kept, self.facts = kept, facts

    def __len__(self) -> int:
        return len(self.facts)


class SelfPlay:
    """The player of one process, compiled once for all its chunks. Several threads may play at once."""

    def __init__(self, game: Game, plan: SelfPlayPlan) -> None:
        self.game, self.plan = game, plan
        both = gears(game)
        self.inner, self.first = both.in_gear("native"), both.cast(game.initial())
        assert both.state is not None
        self.width = width(both.state)
        self.options = find("engine").read_options({"memory": TABLE_MEBIBYTES, "endings": False}, game)

    def compile(self) -> None:
        """Compile, or load what is compiled, by playing no games."""
        self.play(np.zeros(0, np.uint64))

    def play(self, seeds: Any) -> Chunk:
        """Return the positions of one game for each seed."""
        plan, rules = self.plan, self.game
        session = EngineSession(rules, self.options)
        monitor = new_monitor(Monitor, "native", max(plan.depth, plan.sure) + EXTRA)
        wanted = [plan.depth, plan.loose, round(1000 * plan.stray), session.scale]
        wanted += [self.options["aspiration"] * session.scale, plan.sure, plan.longest, plan.decided]
        room = len(seeds) * min(rules.longest or MAX_PLIES, MAX_PLIES)
        sheet = new_position_buffer(room * self.width, room)
        rng: Random = new_random(0)
        count = play_games(
            self.inner, session.context(monitor), rng, self.first, seeds, np.array(wanted, np.int64), sheet,
            room,
        )  # fmt: skip
        return Chunk(sheet.kept[: count * self.width], sheet.facts[: count * FACTS].reshape(-1, FACTS))

    def play_chunk(self, job: dict[str, Any]) -> dict[str, Any]:
        """Return the positions of a chunk as they are stored."""
        chunk = self.play(seeds_of(self.plan, job["seed"], job["chunk"]))
        return {"kept": chunk.kept, "facts": chunk.facts}


def seeds_of(plan: SelfPlayPlan, seed: int, number: int) -> Any:
    """Return the seeds of the games of a chunk."""
    first = number * plan.chunk
    games = range(first, min(first + plan.chunk, plan.games))
    return np.array([mix((seed, game)) | np.uint64(1) for game in games], np.uint64)


def generate(
    label: str, plan: SelfPlayPlan, folder: Path, seed: int, jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None, mark: str = "", cluster: str | None = None,
    tell: Callable[[JobProgress], Any] | None = None,
) -> list[Path]:  # fmt: skip
    """Play all games of a plan and store them in a folder. Whole chunks with this mark stay."""
    total = -(-plan.games // plan.chunk)
    paths = [folder / f"games-{number:05}.npz" for number in range(total)]
    missing = [
        {"game": label, "plan": asdict(plan), "seed": seed, "chunk": number, "mark": mark}
        for number, path in enumerate(paths)
        if read_arrays(path, mark) is None
    ]
    stored = total - len(missing)
    if progress:
        progress(stored, total)
    if not missing:
        return paths
    executor, playing = choose_executor(jobs, cluster).at_most(len(missing)), SelfPlay(load(label), plan)
    playing.compile()  # before any worker needs the code
    work = playing.play_chunk if executor.is_here else play_chunk
    with contextlib.closing(done(executor, work, missing, tell, files=files_of_job)) as results:
        for job, arrays in results:
            save_arrays(paths[job["chunk"]], arrays, mark)
            stored += 1
            if progress:
                progress(stored, total)
    return paths


def play_chunk(job: dict[str, Any]) -> dict[str, Any]:
    """Do a job of `generate`, in a worker."""
    return _playing(job["game"], json.dumps(job["plan"]), job["mark"]).play_chunk(job)


@functools.lru_cache(1)
def _playing(label: str, plan: str, mark: str) -> SelfPlay:
    """Return the player of this process. The weights in a file of that name depend on the training's mark."""
    return SelfPlay(load(label), SelfPlayPlan(**json.loads(plan)))


def read_chunk(path: Path) -> Chunk:
    """Return the positions that `generate` stored."""
    held = read_arrays(path)
    if held is None:
        raise EvaluationError("{} is missing or damaged", path)
    return Chunk(held["kept"], held["facts"])
