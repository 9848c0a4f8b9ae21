"""What several tests share: child processes, random trees and positions, small games, and the test data."""

from __future__ import annotations

import contextlib
import csv
import functools
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from gambito import CHANCE, Game, load
from gambito.native import int64, mix, uint64
from gambito.search.algorithm import WITHOUT, DepthSearch, algorithms

PLAYING = [
    n
    for n, a in algorithms().items()
    if isinstance(a, DepthSearch) and a.fits.chance == WITHOUT and 2 in a.fits.players
    if not a.misfit(load("tic-tac-toe"))  # it needs no rules beyond the six
    if n != "test"  # one question about a bound, which may have no action for an answer
]  # minimax's family
EXACT = [n for n in PLAYING if algorithms()[n].gives_value]
AIMA = "[[3,12,8],[2,4,6],[14,5,2]]"
LECTURE = "[[[8,7,3],[9,1,6],[2,4,1]],[[1,3,5],[3,9,2],[6,5,2]],[[1,2,3],[9,7,2],[16,6,4]]]"
COMMAND = (sys.executable, "-m", "gambito")


@contextlib.contextmanager
def child(*command: str, ready: Callable[[], Any] | None = None, **given: Any) -> Iterator[subprocess.Popen]:
    """A process that ends with the block; Ctrl-C reaches it also where the tests ignore it (`nohup`).

    `ready` is called in the child before the command begins; the rest is given to `subprocess.Popen`.
    """

    def begin() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if ready is not None:
            ready()

    process = subprocess.Popen(command, preexec_fn=begin, **given)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def run(*command: str, seconds: float = 300, **given: Any) -> subprocess.CompletedProcess[str]:
    """What a command that ends by itself has printed, and its exit status."""
    given = {"stdin": subprocess.DEVNULL, "text": True, **given}
    with child(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **given) as process:
        out, err = process.communicate(timeout=seconds)
        return subprocess.CompletedProcess(command, process.returncode, out, err)


def wait_until(condition: Callable[[], Any], seconds: float = 60) -> None:
    """Wait for a condition; the test fails where it does not come true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not so after {seconds:g} s"
        time.sleep(0.005)


def workers_of(pid: int) -> list[int]:
    """The processes that do jobs for a process."""
    found: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += map(int, path.read_text().split())
    return [one for one in found if b"gambito.jobs.worker" in _command_of(one)]


def _command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def is_running(pid: int) -> bool:
    """Does the process run? One that has ended may wait for somebody to ask."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def small(name: str, cycles: bool = False) -> dict[str, object]:
    """Options for a small tree: a table of one MiB, which is quicker to make; the engine exact."""
    options: dict[str, object] = {}
    if any(o.name == "memory" for o in algorithms()[name].options):
        options["memory"] = 1
    options |= algorithms()[name].sound_options()
    if name.endswith("engine"):
        options["table"] = "off" if cycles else "same-depth"
        options["bounds"] = False  # what a game knows may reach beyond the horizon
    return options


def data(name: str) -> Path:
    """A file of the shared test data; the test says that it skipped where they are missing."""
    default = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
    path = Path(os.environ.get("GAMBITO_DATA") or default) / name
    if not path.exists():
        pytest.skip(f"no test data: {name} (GAMBITO_DATA names their folder)")
    return path


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a CSV file whose comments begin with #."""
    lines = [line for line in data(name).read_text().splitlines() if line and not line.startswith("#")]
    return list(csv.DictReader(lines))


def json_lines(name: str) -> list[dict]:
    return [json.loads(line) for line in data(name).read_text().splitlines() if line and line[0] == "{"]


def random_tree(
    rng: random.Random, depth: int, branching: int, spread: int, turns: bool = True, chance: float = 0.0
) -> object:
    """A tree of unequal depth with common ties; with `turns` off a player may move twice."""
    if depth == 0 or rng.random() < 0.15:
        return rng.randint(-spread, spread)
    below = (depth - 1, branching, spread, turns, chance)
    moves = [random_tree(rng, *below) for _ in range(rng.randint(1, branching))]
    if rng.random() < chance:
        weights = [rng.randint(1, 6) for _ in moves]
        return {"chance": [[f"{w}/{sum(weights)}", m] for w, m in zip(weights, moves, strict=True)]}
    words: dict[str, object] = {}
    if rng.random() < 0.3:
        words["value"] = rng.randint(-spread, spread)
    if not turns and rng.random() < 0.4:
        words["player"] = rng.choice(["max", "min"])
    return {**words, "moves": moves} if words else moves


def random_state(game: Game, rng: random.Random, plies: int) -> object:
    """A state some random plies into the game, not over if that can be had."""
    state = game.initial()
    for _ in range(plies):
        following = game.result(state, rng.choice(game.legal(state)))
        if game.is_terminal(following):
            break
        state = following
    return state


class Ring(NamedTuple):
    """Two tokens on a ring of cells, and whose turn it is."""

    first: int
    second: int
    mover: int


class Circle(Game):
    """A game that can go round for ever: step forward or back; who lands on the other's token wins."""

    name = "circle"
    cycles = True

    def __init__(self, cells: int = 7, ways: int = 3) -> None:
        self.cells, self.ways = cells, ways

    def initial(self):
        return Ring(0, self.cells // 2, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for way in range(self.ways):
            yield way

    def result(self, state, action):
        if state.mover == 0:
            return Ring((state.first + action + self.cells - 1) % self.cells, state.second, 1)
        return Ring(state.first, (state.second + action * 2 + self.cells - 2) % self.cells, 0)

    def is_terminal(self, state):
        return state.first == state.second

    def utility(self, state, player):
        return -1 if player == state.mover else 1

    def evaluate(self, state, player):
        lead = (state.first - state.second) % 2
        return lead if player == 0 else -lead


class Race(NamedTuple):
    """Points of both players, the pot, and whose turn it is."""

    first: int
    second: int
    turn: int
    mover: int


class TwiceRunner(Game):
    """A game where a player may move twice: take 1 (the turn passes) or 2 (move again, once in a row)."""

    name = "twice-runner"
    lowest = -20
    highest = 20
    longest = 20

    def initial(self):
        return Race(0, 0, 0, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for taken in range(1, 4):
            yield taken

    def result(self, state, action):
        gain = (action * 7 + state.turn * 5 + state.first * 3 + state.second) % 6
        mover = state.mover if (action + state.turn) % 3 == 0 else 1 - state.mover
        if state.mover == 0:
            return Race(state.first + gain, state.second, state.turn + 1, mover)
        return Race(state.first, state.second + gain, state.turn + 1, mover)

    def is_terminal(self, state):
        return state.turn == 9 or abs(state.first - state.second) > 15

    def utility(self, state, player):
        lead = state.first - state.second
        return lead if player == 0 else -lead

    def evaluate(self, state, player):
        lead = state.first - state.second
        return lead if player == 0 else -lead


class Coins(NamedTuple):
    """What is left on the table, both purses, and whose turn it is."""

    left: int
    purse: float
    mover: int


class Fractions(Game):
    """Values that are fractions: take one or two coins, the later the smaller."""

    name = "fractions"
    value = float
    lowest = -20.0
    highest = 20.0
    step = 0.125
    longest = 8

    def initial(self):
        return Coins(8, 0.0, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for taken in range(1, min(2, state.left) + 1):
            yield taken

    def result(self, state, action):
        gain = 0.25 * action * state.left - 0.5 * (action == 2) * (state.left % 3)
        purse = state.purse + gain if state.mover == 0 else state.purse - gain
        return Coins(state.left - action, purse, 1 - state.mover)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state, player):
        return state.purse if player == 0 else -state.purse

    def evaluate(self, state, player):
        return state.purse if player == 0 else -state.purse


class Branch(NamedTuple):
    """A node of a random tree: what all of it is drawn from, the plies left, and whose turn it is."""

    seed: int
    left: int
    turn: int


class ChanceTree(Game):
    """A random tree with chance nodes that compiles; each first state is another tree."""

    name = "chance-tree"
    chance = True
    value = float
    lowest = -8.0
    highest = 8.0
    most_outcomes = 4

    def initial(self):
        return Branch(1, 6, 0)

    def drawn(self, state, number):
        """A number from 0 to 63, the same for the same node."""
        return int64(mix((state.seed, number)) >> uint64(58))

    def player(self, state):
        if state.left > 0 and self.drawn(state, 1) < 24:
            return CHANCE
        return state.turn

    def count(self, state):
        return 1 + self.drawn(state, 2) % 4

    def actions(self, state):
        for action in range(1 + self.drawn(state, 2) % 4):
            yield action

    def chances(self, state):
        number = 1 + self.drawn(state, 2) % 4
        total = 0
        for outcome in range(number):
            total += 1 + self.drawn(state, 8 + outcome) % 6
        for outcome in range(number):
            yield outcome, (1 + self.drawn(state, 8 + outcome) % 6) / total

    def result(self, state, action):
        seed = int64(mix((state.seed, 100 + action)) >> uint64(1))
        turn = state.turn if self.player(state) == CHANCE else 1 - state.turn
        return Branch(seed, state.left - 1, turn)

    def is_terminal(self, state):
        return state.left == 0 or self.drawn(state, 3) < 8

    def utility(self, state, player):
        value = float(self.drawn(state, 4) % 17 - 8)
        return value if player == 0 else -value

    def evaluate(self, state, player):
        value = (self.drawn(state, 5) - 32) / 4.0
        return value if player == 0 else -value

    def priority(self, state, action):
        return self.drawn(state, 20 + action) % 3


class Boards(NamedTuple):
    """Ultimate tic-tac-toe: nine small boards side by side, bit 9 * board + cell."""

    first: np.uint64  # the low 63 bits: boards 0 to 6
    second: np.uint64
    first_rest: np.uint64  # boards 7 and 8
    second_rest: np.uint64
    board: np.int64  # the board to play on; -1: any
    mover: np.int64


THREES = np.array([0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124], np.int64)


def small_board(low, rest, board):
    """The nine bits of a small board."""
    if board < 7:
        return int64((low >> uint64(9 * board)) & uint64(511))
    return int64((rest >> uint64(9 * (board - 7))) & uint64(511))


def has_three(bits):
    for three in THREES:
        if bits & three == three:
            return True
    return False


class UltimateTicTacToe(Game):
    """A cell names the board of the next move; three small boards in a row win. It has no evaluation."""

    name = "ultimate-tic-tac-toe"
    longest = 81
    most_actions = 81

    def initial(self):
        return Boards(uint64(0), uint64(0), uint64(0), uint64(0), int64(-1), int64(0))

    def player(self, state):
        return state.mover

    def won(self, low, rest):
        """The small boards with three in a row, as bits."""
        bits = 0
        for board in range(9):
            if has_three(small_board(low, rest, board)):
                bits |= 1 << board
        return bits

    def is_closed(self, state, board):
        one = small_board(state.first, state.first_rest, board)
        other = small_board(state.second, state.second_rest, board)
        return has_three(one) or has_three(other) or (one | other) == 511

    def actions(self, state):
        for board in range(9):
            if (state.board == -1 or state.board == board) and not self.is_closed(state, board):
                taken = small_board(state.first, state.first_rest, board)
                taken |= small_board(state.second, state.second_rest, board)
                for cell in range(9):
                    if not taken >> cell & 1:
                        yield 9 * board + cell

    def result(self, state, action):
        low, rest = uint64(0), uint64(0)
        if action < 63:
            low = uint64(1) << uint64(action)
        else:
            rest = uint64(1) << uint64(action - 63)
        if state.mover == 0:
            after = Boards(state.first | low, state.second, state.first_rest | rest, state.second_rest,
                           int64(action % 9), int64(1))  # fmt: skip
        else:
            after = Boards(state.first, state.second | low, state.first_rest, state.second_rest | rest,
                           int64(action % 9), int64(0))  # fmt: skip
        if self.is_closed(after, action % 9):
            return Boards(after.first, after.second, after.first_rest, after.second_rest,
                          int64(-1), after.mover)  # fmt: skip
        return after

    def is_terminal(self, state):
        if has_three(self.won(state.first, state.first_rest)):
            return True
        if has_three(self.won(state.second, state.second_rest)):
            return True
        for board in range(9):
            if not self.is_closed(state, board):
                return False
        return True

    def utility(self, state, player):
        value = 0
        if has_three(self.won(state.first, state.first_rest)):
            value = 1
        elif has_three(self.won(state.second, state.second_rest)):
            value = -1
        return value if player == 0 else -value


def minimax_truth(game: Game, state: object, depth: int, path: tuple[int, ...] = ()) -> float:
    """The slow truth: the value for player 0, written independently of the package."""
    if game.is_terminal(state):
        return game.utility(state, 0)
    if game.cycles and int(game.key(state)) in path:
        return game.repetition(state, 0) if game.player(state) == 0 else -game.repetition(state, 1)
    if depth == 0:
        return game.evaluate(state, 0)
    if game.player(state) == CHANCE:
        outcomes = list(game.chances(state))
        return sum(p * minimax_truth(game, game.result(state, o), depth - 1, path) for o, p in outcomes)
    below = (*path, int(game.key(state))) if game.cycles else path
    values = [minimax_truth(game, game.result(state, a), depth - 1, below) for a in game.actions(state)]
    return max(values) if game.player(state) == 0 else min(values)


def on_the_clock(test):
    """Run a test that measures time up to three times: any machine may stand still for a moment."""

    @functools.wraps(test)
    def tried(*args, **given):
        for _ in range(2):
            with contextlib.suppress(AssertionError):
                return test(*args, **given)
        return test(*args, **given)

    return tried
