"""Exercise: a shooter for Battleship, on a board of 5×5 with two ships. It does not use the rules of the game
`battleship`."""

from __future__ import annotations

import dataclasses
import itertools
import random
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.trial import StudentAnswer, Trial, trying, with_mistakes, wrong_type
from gambito.words.sentence import Sentence

SIZE = 5
FLEET = (3, 2)
GAMES = 120
UNKNOWN, MISS, HIT, SUNK = "?oX#"
SHARE = 0.87  # of the shots that hunting needs

Cell = tuple[int, int]
Ship = tuple[Cell, ...]

NOT_FOLLOWED = "after a hit, the cells beside it are not tried first"
SUNK_FOLLOWED = "the cells beside a sunk ship are tried as if it were afloat"
NO_ROOM = "shots go to cells where no ship afloat has room"
HUNTING = "the ways in which the ships can lie are not counted"
FORGOTTEN = "misses are not remembered"


@cache
def _ways(length: int) -> tuple[Ship, ...]:
    """All ways to lay a ship."""
    across = [
        tuple((row, column + step) for step in range(length))
        for row, column in itertools.product(range(SIZE), range(SIZE - length + 1))
    ]
    return (*across, *(tuple((column, row) for row, column in ship) for ship in across))


def _beside(cell: Cell) -> list[Cell]:
    row, column = cell
    near = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [one for one in near if min(one) >= 0 and max(one) < SIZE]


def _cells(board: list[str], marks: str) -> list[Cell]:
    return [(row, column) for row in range(SIZE) for column in range(SIZE) if board[row][column] in marks]


def _weights(board: list[str], ships: list[int]) -> dict[Cell, int]:
    """For each cell not shot at, in how many ways a ship afloat can lie on it; more with hits."""
    hits, free = set(_cells(board, HIT)), set(_cells(board, UNKNOWN + HIT))
    weights = dict.fromkeys(_cells(board, UNKNOWN), 0)
    for ship in (ship for length in ships for ship in _ways(length) if free.issuperset(ship)):
        covered = len(hits.intersection(ship))
        if covered or not hits:
            for cell in weights.keys() & set(ship):
                weights[cell] += 20**covered
    return weights


def _shoot(board: list[str], ships: list[int], mistake: str = "") -> Cell:
    """A shooter with a mistake; what is left to chance depends on the board alone."""
    rng = random.Random(" ".join(board))
    if mistake == FORGOTTEN:
        return _cells(board, UNKNOWN + MISS)[0]
    left, weights = _cells(board, UNKNOWN), _weights(board, ships)
    if mistake == NO_ROOM:
        return rng.choice(_near(board, HIT) or left)
    if mistake == SUNK_FOLLOWED:
        return rng.choice(_near(board, HIT) or _near(board, SUNK) or left)
    if mistake == HUNTING:
        return rng.choice(_near(board, HIT) or [cell for cell in left if weights[cell]])
    if mistake == NOT_FOLLOWED:
        return rng.choice(left)
    return max(left, key=lambda cell: weights[cell])


def _near(board: list[str], mark: str) -> list[Cell]:
    """The cells not shot at beside a mark."""
    return [cell for cell in _cells(board, UNKNOWN) if any(board[r][c] == mark for r, c in _beside(cell))]


@dataclasses.dataclass(frozen=True)
class Fleet:
    """A game against ships that the function does not see."""

    ships: tuple[Ship, ...]

    @property
    def text(self) -> str:
        return " / ".join(" ".join(map(str, ship)) for ship in self.ships)

    @property
    def given(self) -> str:
        return f"ships={list(FLEET)}"

    def board(self, shots: Iterable[Any]) -> list[str]:
        """What is seen after some shots."""
        shot = set(shots)
        marks = dict.fromkeys(shot, MISS)
        for ship in self.ships:
            for cell in shot.intersection(ship):
                marks[cell] = SUNK if shot.issuperset(ship) else HIT
        return ["".join(marks.get((row, column), UNKNOWN) for column in range(SIZE)) for row in range(SIZE)]

    def afloat(self, shots: Iterable[Any]) -> list[int]:
        """The lengths of the ships that are not sunk."""
        shot = set(shots)
        return [len(ship) for ship in self.ships if not shot.issuperset(ship)]

    def ask(self, function: Callable[..., Any]) -> StudentAnswer:
        """All shots in order, up to the last hit or the first shot that is not allowed."""
        shots: list[Any] = []
        while ships := self.afloat(shots):
            shot = function(self.board(shots), ships)
            cell = _as_cell(shot)
            if cell is None or not _is_on_board(cell) or cell in shots:
                return StudentAnswer([*shots, shot if cell is None else cell])
            shots.append(cell)
        return StudentAnswer(shots)

    def smaller(self) -> Iterable[Fleet]:
        return ()

    def shown(self) -> tuple[str, str]:
        letters = {cell: letter for letter, ship in zip("AB", self.ships, strict=True) for cell in ship}
        rows = (" ".join(letters.get((row, column), ".") for column in range(SIZE)) for row in range(SIZE))
        return "\n".join(rows), ""


def _as_cell(shot: Any) -> Cell | None:
    """A pair of whole numbers, or None if it is something else."""
    if not isinstance(shot, tuple | list) or len(shot) != 2:
        return None
    if any(isinstance(part, bool) or not hasattr(part, "__index__") for part in shot):
        return None
    return int(shot[0]), int(shot[1])


def _is_on_board(cell: Cell) -> bool:
    return min(cell) >= 0 and max(cell) < SIZE


def _judge(case: Fleet, answer: StudentAnswer) -> Wrong | None:
    *before, shot = answer.value
    cell = _as_cell(shot)
    if cell is None:
        return wrong_type(shot, "a pair (row, column)")
    if not _is_on_board(cell):
        return Wrong(Sentence("the cell {} is not on the board", cell), gave=cell)
    if cell in before:
        return Wrong(Sentence("the cell {} is shot at twice", cell), gave=cell)
    return None


@cache
def _fleets() -> tuple[Fleet, ...]:
    laid = itertools.product(*map(_ways, FLEET))
    apart = [Fleet(ships) for ships in laid if len({*itertools.chain(*ships)}) == sum(FLEET)]
    return tuple(random.Random(5).sample(apart, GAMES))


@cache
def _hunted() -> int:
    """The shots of hunting: any cell, and after a hit one beside it."""

    def hunt(board: list[str], ships: list[int]) -> Cell:
        return _shoot(board, ships, NO_ROOM)

    return sum(len(case.ask(hunt).value) for case in _fleets())


def _few_shots(function: Callable[..., Any]) -> Wrong | None:
    """Over all games, fewer shots than by hunting; if not, what the shots have in common."""
    taken, games = 0, []
    for case in _fleets():
        trying(case.text, case.given)
        shots = case.ask(function).value
        wrong = _judge(case, StudentAnswer(shots))  # a function may answer otherwise the second time
        if wrong is not None:
            return dataclasses.replace(wrong, position=case.text)
        taken += len(shots)
        games.append((case, shots))
    enough = int(SHARE * _hunted())
    if taken <= enough:
        return None
    reason = Sentence("shots in {} games: {}; necessary: at most {}", GAMES, taken, enough)
    return Wrong(reason, "leaves", gave=taken, right=enough, mistake=_habit(games))


def _habit(games: list[tuple[Fleet, list[Cell]]]) -> str:
    """The first mistake that a shooter makes more often than one by chance would."""
    chances = dict.fromkeys((NOT_FOLLOWED, SUNK_FOLLOWED, NO_ROOM), 0)
    made = dict(chances)
    for case, shots in games:
        for count, shot in enumerate(shots):
            board = case.board(shots[:count])
            weights = _weights(board, case.afloat(shots[:count]))
            near_hit, near_sunk = _near(board, HIT), _near(board, SUNK)
            roomless = [cell for cell, weight in weights.items() if not weight]
            if near_hit:
                chances[NOT_FOLLOWED] += 1
                made[NOT_FOLLOWED] += shot not in near_hit
            elif near_sunk:
                chances[SUNK_FOLLOWED] += 1
                made[SUNK_FOLLOWED] += shot in near_sunk
            if roomless and not near_hit:
                chances[NO_ROOM] += 1
                made[NO_ROOM] += shot in roomless
    shares = {name: made[name] / max(chances[name], 1) for name in chances}
    limits = {NOT_FOLLOWED: 0.4, SUNK_FOLLOWED: 0.8, NO_ROOM: 0.1}
    return next((name for name, limit in limits.items() if shares[name] > limit), HUNTING)


BATTLESHIP_SHOOTER = Exercise(
    name="battleship-shooter",
    title="A shooter for Battleship: choose the next cell from what was hit and missed.",
    task="""Write shoot(board, ships). Two ships of three and two cells lie on a board of five rows and five \
columns, across or down. They may touch, but not overlap. It returns the next cell to shoot at, (row, \
column), both counted from 0.

board is a list of five strings. ? is a cell that was not shot at, o is a miss, X is a hit on a ship that is \
afloat, and # is a cell of a sunk ship. ships is a list of the lengths of the ships that are afloat.

No cell may be shot at twice. Over all games, the shots must be clearly fewer than by hunting: any cell, and \
after a hit one beside it.""",
    checked="That no cell is shot at twice; and the number of shots in 120 games: at most 87 % of what \
hunting needs.",
    hint="For each cell, count the ways to lay the ships afloat that go through it and through no miss. If \
there are open hits, count only the ways through hits; the more hits, the better.",
    lesson="games/battleship.md",
    function="shoot",
    start='''"""A shooter for Battleship: choose the next cell from what was hit and missed."""


def shoot(board, ships):
    """The next cell to shoot at: its row and its column."""
    for row in range(5):
        for column in range(5):
            if board[row][column] == "?":
                return row, column


if __name__ == "__main__":
    print(shoot(["?????", "?????", "??XX?", "??o??", "?????"], [3, 2]))  # (2, 1) or (2, 4)
''',
    check=Trial(
        _fleets,
        _judge,
        with_mistakes(_shoot, (FORGOTTEN, NOT_FOLLOWED, SUNK_FOLLOWED, NO_ROOM, HUNTING)),
        _few_shots,
    ),
)
