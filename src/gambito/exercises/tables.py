"""Exercises: the transposition table and the Zobrist key."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import math
import random
from collections.abc import Callable, Iterable
from typing import Any

from gambito.exercises.counted import CountedGame, TooManySteps
from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.minimax import EVERY_PLY
from gambito.exercises.positions import Position, boards, depths, judge_value, positions, value_of
from gambito.exercises.trees import trees
from gambito.exercises.trial import (
    StudentAnswer,
    Trial,
    is_number,
    shortened,
    trying,
    with_mistakes,
    wrong_type,
)
from gambito.search.classic.alpha_beta import alpha_beta
from gambito.search.monitor import Monitor, new_monitor
from gambito.words.sentence import Sentence

NO_DEPTH_KEPT = "an entry does not say how deep it was searched"
BOUND_AS_VALUE = "a bound that a cut left is taken for the value"
OUTLIVES = "the table is kept after its search, and another game has the same keys"
NO_TABLE = "nothing is found in the table"
_LEFT_OVER: dict[Any, Any] = {}
MOST_STEPS = 30_000


# ---- the transposition table ---------------------------------------------------------------------
def _search(game: Any, state: Any, depth: int, mistake: str = "") -> Any:
    """Alpha-beta with a table and a mistake."""
    table: dict[Any, Any] = _LEFT_OVER if mistake == OUTLIVES else {}

    def search(state: Any, depth: int, alpha: Any, beta: Any) -> Any:
        player = game.player(state)
        if game.is_terminal(state):
            return game.utility(state, player)
        if depth == 0:
            return game.evaluate(state, player)
        key = game.key(state) if mistake == NO_DEPTH_KEPT else (game.key(state), depth)
        if key in table and mistake != NO_TABLE:
            return table[key]
        best = -math.inf
        for action in game.actions(state):
            child = game.result(state, action)
            if game.player(child) == player and mistake != EVERY_PLY:
                value = search(child, depth - 1, alpha, beta)
            else:
                value = -search(child, depth - 1, -beta, -alpha)
            best = max(best, value)
            if mistake == BOUND_AS_VALUE:
                alpha = max(alpha, best)
                if best >= beta:
                    break
        table[key] = best
        return best

    return search(state, depth, -math.inf, math.inf)


def _forgets(function: Callable[..., Any]) -> Wrong | None:
    """Two trees whose nodes have the same keys, one after the other."""
    answers = []
    for text in ("[1,[2,3]]", "[5,[7,6]]"):
        case = Position("tree", text, (("depth", 2),), "negamax")
        trying(case.text, case.given)
        answers.append((case, case.ask(function).value))
    (first, one), (case, other) = answers
    if not is_number(one) or not is_number(other) or one != value_of(first) or other == value_of(case):
        return None
    drawing, command = case.shown()
    reason = Sentence("it is right about {} but wrong about this one", first.text)
    return Wrong(reason, "value", case.text, case.given, other, value_of(case), OUTLIVES, 0, drawing, command)


class _Scored:
    """Nim with higher stakes and a static value that differs between states."""

    lowest, highest = -9, 9

    def __init__(self, game: Any) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def utility(self, state: Any, player: int) -> int:
        return 9 * self._game.utility(state, player)

    def evaluate(self, state: Any, player: int) -> int:
        value = random.Random(int(state.heaps)).randint(-8, 8)
        return value if player == 0 else -value


def _fewer_states(function: Callable[..., Any]) -> Wrong | None:
    """On Nim, where many paths lead to the same state, fewer states than alpha-beta without a table."""
    case = Position("nim", "4 3 3", (("depth", 10),))
    monitor = new_monitor(Monitor, "python", 12)
    alpha_beta(case.game, case.state, 10, -math.inf, math.inf, monitor)
    enough = monitor.count() // 2
    trying(case.text, case.given)
    game = CountedGame(case.game, MOST_STEPS)
    with contextlib.suppress(TooManySteps):  # reported below
        function(game, case.state, 10)
    if game.results <= enough:
        return None
    reason = Sentence(
        "states made: {}; alpha-beta without a table makes {}, and half of that is enough",
        game.results,
        monitor.count(),
    )
    return Wrong(reason, "leaves", case.text, case.given, game.results, enough)


def _cut_off_nim() -> list[Position]:
    """Nim cut off before its end: the same state is reached with different depths left."""
    texts = ("1 1", "2 1", "2 2", "3 1", "1 2 1", "3 2", "2 2 1", "3 2 1", "3 3 1")
    return [
        Position("nim", text, (("depth", depth),), "", _Scored) for text in texts for depth in (2, 3, 4, 5)
    ]


TABLE = Exercise(
    name="transposition-table",
    title="The transposition table: a state that was searched once is not searched again.",
    task="""Write transposition_table(game, state, depth). It returns the value of the state for the \
player to move, looking depth plies ahead, and keeps what it finds in a table under game.key(state).

The same state can be reached with different depths left, so an entry must say how deep it was \
searched. Each call begins with an empty table.""",
    checked="The value at several depths, in Nim with special scores (a win is worth 9, and a heap has \
an estimate); and the states made in Nim: at most half of those that alpha-beta makes without a \
table.",
    hint="A dictionary with the key (game.key(state), depth) is enough. With alpha and beta, a cut \
leaves only a bound.",
    lesson="algorithms/transposition-table.md",
    start='''"""The transposition table: a state that was searched once is not searched again."""


def transposition_table(game, state, depth):
    """The value of the state for the player to move, looking depth plies ahead."""
    table = {}

    def search(state, depth):
        player = game.player(state)
        if game.is_terminal(state):
            return game.utility(state, player)
        if depth == 0:
            return game.evaluate(state, player)
        return 0

    return search(state, depth)


if __name__ == "__main__":
    import gambito

    game = gambito.load("nim:heaps=2-2")
    print(transposition_table(game, game.initial(), 4))  # -1
''',
    check=Trial(
        lambda: [*positions(trees(60, static=0.4), depths, boards(3), "negamax"), *_cut_off_nim()],
        judge_value(value_of),
        with_mistakes(_search, (NO_DEPTH_KEPT, BOUND_AS_VALUE, EVERY_PLY, OUTLIVES, NO_TABLE)),
        _fewer_states,
        _forgets,
    ),
)


# ---- the Zobrist key -----------------------------------------------------------------------------
STAYS = "the piece that was there stays in the key"
SAME_EVERYWHERE = "the number depends on the piece and not on its cell"
DRAWN_AGAIN = "the numbers are drawn anew for each key"
FEW = "the numbers are so small that keys collide"
CELLS, KINDS = 6, 3


def _zobrist(mistake: str = "") -> type:
    """A Zobrist key with a mistake."""

    class Zobrist:
        def __init__(self, cells: int, kinds: int, rng: random.Random) -> None:
            self.rng, self.bits = rng, 4 if mistake == FEW else 64
            self.numbers = [[rng.getrandbits(self.bits) for _ in range(kinds)] for _ in range(cells)]

        def number(self, cell: int, kind: int) -> int:
            if kind == 0:
                return 0
            return self.numbers[0 if mistake == SAME_EVERYWHERE else cell][kind]

        def key(self, board: Any) -> int:
            if mistake == DRAWN_AGAIN:
                self.numbers = [[self.rng.getrandbits(64) for _ in row] for row in self.numbers]
            key = 0
            for cell, kind in enumerate(board):
                key ^= self.number(cell, kind)
            return key

        def change(self, key: int, cell: int, before: int, after: int) -> int:
            gone = 0 if mistake == STAYS else self.number(cell, before)
            return key ^ gone ^ self.number(cell, after)

    return Zobrist


@dataclasses.dataclass(frozen=True)
class Placements:
    """Pieces placed on an empty board one after the other: the cell and the kind of each."""

    placed: tuple[tuple[int, int], ...]

    @property
    def text(self) -> str:
        return "; ".join(
            [f"board = {[0] * CELLS}", *(f"board[{cell}] = {kind}" for cell, kind in self.placed)]
        )

    @property
    def given(self) -> str:
        return ""

    def ask(self, function: Callable[..., Any]) -> StudentAnswer:
        """The key from scratch, twice, and the updated key."""
        keys = function(CELLS, KINDS, random.Random(7))
        board = [0] * CELLS
        key = keys.key(tuple(board))
        for cell, kind in self.placed:
            key = keys.change(key, cell, board[cell], kind)
            board[cell] = kind
        return StudentAnswer((keys.key(tuple(board)), keys.key(tuple(board)), key))

    def smaller(self) -> Iterable[Placements]:
        for place in range(len(self.placed)):
            yield Placements(self.placed[:place] + self.placed[place + 1 :])

    def shown(self) -> tuple[str, str]:
        return "", ""


def _judge_keys(case: Placements, answer: StudentAnswer) -> Wrong | None:
    scratch, again, brought = answer.value
    for key in answer.value:
        if isinstance(key, bool) or not hasattr(key, "__index__"):
            return wrong_type(key, "a whole number")
        if not 0 <= int(key) < 1 << 64:
            return Wrong("a key must be from 0 to 2^64 - 1", "type", gave=shortened(int(key)))
    if scratch != again:
        return Wrong("the same board has two keys", "value", gave=int(again), right=int(scratch))
    if brought != scratch:
        reason = "the updated key differs from the key from scratch"
        return Wrong(reason, "value", gave=int(brought), right=int(scratch))
    return None


def _all_differ(function: Callable[..., Any]) -> Wrong | None:
    """All boards of six cells and two kinds of pieces must have different keys."""
    keys = function(CELLS, KINDS, random.Random(7))
    known: dict[int, tuple[int, ...]] = {}
    for board in sorted(itertools.product(range(KINDS), repeat=CELLS), key=lambda b: (sum(map(bool, b)), b)):
        trying(str(board))
        other = known.setdefault(int(keys.key(board)), board)
        if other != board:
            reason = Sentence("the boards {} and {} have the same key", other, board)
            return Wrong(reason, "value", str(board))
    return None


def _placements() -> list[Placements]:
    rng = random.Random(4)
    cases = [Placements(()), *(Placements(((cell, 1),)) for cell in range(CELLS))]
    cases += [
        Placements(tuple((rng.randrange(CELLS), rng.randrange(KINDS)) for _ in range(rng.randint(2, 8))))
        for _ in range(60)
    ]
    return sorted(cases, key=lambda case: len(case.placed))


ZOBRIST = Exercise(
    name="zobrist",
    title="The Zobrist key: a number for each piece on each cell, and a key that each change updates.",
    task="""Write a class Zobrist, made with Zobrist(cells, kinds, rng), where rng is a random.Random. A \
board is a tuple that holds the kind of piece on each cell, from 0 to kinds - 1; 0 is an empty cell.

key(board) is the key from scratch, a whole number from 0 to 2^64 - 1. change(key, cell, before, after) is \
the key after the cell has changed from one kind to another; it must not look at the board.""",
    checked="The updated key must equal the key from scratch, in whatever order pieces come and go; \
and all 729 boards of six cells must have different keys.",
    hint="Draw rng.getrandbits(64) once for each kind on each cell. The exclusive or, ^, adds a number \
and removes it.",
    lesson="algorithms/transposition-table.md",
    function="Zobrist",
    start='''"""The Zobrist key: a number for each piece on each cell, and a key that each change updates."""


class Zobrist:
    def __init__(self, cells, kinds, rng):
        self.numbers = [[rng.getrandbits(64) for kind in range(kinds)] for cell in range(cells)]

    def key(self, board):
        return 0

    def change(self, key, cell, before, after):
        return key


if __name__ == "__main__":
    import random

    keys = Zobrist(4, 3, random.Random(1))
    print(keys.change(keys.key((0, 0, 0, 0)), 2, 0, 1) == keys.key((0, 0, 1, 0)))  # True
''',
    check=Trial(
        _placements,
        _judge_keys,
        [(name, _zobrist(name)) for name in (STAYS, SAME_EVERYWHERE, DRAWN_AGAIN, FEW)],
        _all_differ,
    ),
)
