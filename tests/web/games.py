"""Games as a person may write them: with dice, with pieces that walk and are promoted, without a picture."""

from typing import NamedTuple

from gambito import CHANCE, Game
from gambito.game.picture import Board, Cell, Piece, grid


class Throw(NamedTuple):
    """How far both have come, whose turn it is, and what the die shows (0: it is to be thrown)."""

    first: int
    second: int
    mover: int
    die: int


class DiceRace(Game):
    """Throw a die, then go that far or stay; who passes the goal first wins."""

    name = "dice-race"
    chance = True
    compiles = False

    def __init__(self, goal: int = 6) -> None:
        self.goal = goal

    def initial(self):
        return Throw(0, 0, 0, 0)

    def player(self, state):
        return CHANCE if state.die == 0 and not self.is_terminal(state) else state.mover

    def actions(self, state):
        yield 0  # stay
        yield 1  # go

    def chances(self, state):
        for spots in (1, 2, 3):
            yield spots, 1 / 3

    def result(self, state, action):
        if state.die == 0:
            return state._replace(die=action)
        step = state.die if action == 1 else 0
        first, second = (
            (state.first + step, state.second) if state.mover == 0 else (state.first, state.second + step)
        )
        return Throw(first, second, 1 - state.mover, 0)

    def is_terminal(self, state):
        return max(state.first, state.second) >= self.goal

    def utility(self, state, player):
        winner = 0 if state.first >= self.goal else 1
        return 1 if player == winner else -1

    def show(self, state):
        return f"goal {self.goal}: first {state.first}, second {state.second}\n{'XO'[state.mover]} to move"

    def write(self, state, action):
        return str(action) if state.die == 0 else ("stay", "go")[action]

    def picture(self):
        track = [
            Cell(f"{row + 1}.{x}", x + 0.5, row + 0.5, "circle")
            for row in (0, 1)
            for x in range(self.goal + 3)
        ]
        return Board(self.goal + 3, 3, (*track, Cell("die", self.goal + 2.5, 2.5, "none")))

    def pieces(self, state):
        far = self.goal + 3
        shown = [Piece(state.first, "disc", 0), Piece(far + state.second, "disc", 1)]
        return [*shown, Piece(2 * far, "die", count=state.die)] if state.die else shown

    def touch(self, state, action):
        if action == 0:
            return ()
        at = state.first if state.mover == 0 else self.goal + 3 + state.second
        return (at, at + state.die)


class Walk(NamedTuple):
    """The square of each pawn, what it has become (0: a pawn), and whose turn it is."""

    white: int
    black: int
    rank: int
    mover: int


class PawnWalk(Game):
    """One pawn each on a board of 3 by 4; who reaches the other side chooses a crown or a tower and wins."""

    name = "pawn-walk"
    sides = ("White", "Black")

    def initial(self):
        return Walk(0, 11, 0, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        at, ahead = (state.white, 3) if state.mover == 0 else (state.black, -3)
        for side in range(-1, 2):
            if 0 <= at % 3 + side < 3 and at + ahead + side != (
                state.black if state.mover == 0 else state.white
            ):
                to = at + ahead + side
                if to // 3 == (3 if state.mover == 0 else 0):
                    yield to * 4 + 1
                    yield to * 4 + 2
                else:
                    yield to * 4

    def result(self, state, action):
        to, rank = action // 4, action % 4
        if state.mover == 0:
            return Walk(to, state.black, rank, 1)
        return Walk(state.white, to, rank, 0)

    def is_terminal(self, state):
        return state.rank != 0

    def utility(self, state, player):
        return -1 if player == state.mover else 1

    def write(self, state, action):
        names = [f"{'abc'[square % 3]}{square // 3 + 1}" for square in range(12)]
        at = state.white if state.mover == 0 else state.black
        return f"{names[at]}-{names[action // 4]}{('', '=C', '=T')[action % 4]}"

    def picture(self):
        return grid(3, 4, checkered=True, upward=True)

    def pieces(self, state):
        return [Piece(state.white, "disc", 0), Piece(state.black, "disc", 1)]

    def touch(self, state, action):
        return (state.white if state.mover == 0 else state.black, action // 4)


class TakeAway(Game):
    """One heap; take one to three; the last object wins."""

    name = "take-away"

    def __init__(self, heap: int = 7) -> None:
        self.heap = heap
        self.longest = heap

    def initial(self):
        return (self.heap, 0)

    def player(self, state):
        return state[1]

    def actions(self, state):
        for taken in range(1, min(3, state[0]) + 1):
            yield taken

    def result(self, state, action):
        return (state[0] - action, 1 - state[1])

    def is_terminal(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return -1 if player == state[1] else 1


class Stuck(TakeAway):
    """Rules that never return once the first object was taken."""

    name = "stuck"
    compiles = False

    def is_terminal(self, state):
        while state[0] < self.heap:
            pass
        return False
