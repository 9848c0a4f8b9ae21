"""Games as a person may write them: with dice, with pieces that walk and are promoted, without a picture."""

from typing import NamedTuple

from gambito import CHANCE, Game
from gambito.boards.picture import Board, Cell, Piece, grid


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
        if state.die == 0:
            yield from (1, 2, 3)
            return
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


LOWEST = 7741  # card: nothing else in a page is such a number


class Deal(NamedTuple):
    """Both cards (0: unknown or not dealt yet), what was said, and the bits of cells tried in vain."""

    first: int
    second: int
    said: int  # 0: nothing; 1: the first player passed; 2: it showed; then the same for the second, times 4
    tries: int  # of the first player, which the second does not notice
    mover: int  # CHANCE while cards are dealt; 2: the game is over


class HighCard(Game):
    """Two of nine cards are dealt; each player stays or raises; the higher card wins the stakes.

    The first player may also knock, which the second player does not notice.
    """

    name = "high-card"
    compiles = False
    chance = True
    hidden = True
    zero_sum = True
    longest = 12
    sides = ("Ann", "Bob")
    lowest, highest = -6, 6

    def initial(self):
        return Deal(0, 0, 0, 0, CHANCE)

    def player(self, state):
        return state.mover if state.mover < 2 else 0

    def actions(self, state):
        if state.mover == CHANCE:
            for card, _ in self.chances(state):
                yield card
            return
        yield 0
        yield 1
        if state.mover == 0 and state.tries < 3:
            yield 2

    def chances(self, state):
        for card in range(LOWEST, LOWEST + 9):
            if card != state.first:
                yield card, 1 / (9 if state.first == 0 else 8)

    def result(self, state, action):
        if state.mover == CHANCE:
            if state.first == 0:
                return Deal(action, 0, 0, 0, CHANCE)
            return Deal(state.first, action, 0, 0, 0)
        if action == 2:
            return state._replace(tries=state.tries + 1)
        if state.mover == 0:
            return state._replace(said=1 + action, mover=1)
        return state._replace(said=state.said + 4 * (1 + action), mover=2)

    def is_terminal(self, state):
        return state.mover == 2

    def utility(self, state, player):
        stakes = (1 + (state.said & 3)) * (1 if state.said < 8 else 2) if state.said else 1
        return stakes if (state.first > state.second) == (player == 0) else -stakes

    def observe(self, state, player):
        if state.mover == 2:
            return state
        first = state.first if player == 0 else 0
        second = state.second if player == 1 else 0
        if state.mover == CHANCE and player != 0:
            return state._replace(first=first, second=second, tries=0)
        return state._replace(first=first, second=second, tries=state.tries if player == 0 else 0)

    def imagine(self, seen, player, rng):
        first, second = seen.first, seen.second
        if seen.mover == CHANCE:
            return seen
        while first == 0 or first == second:
            first = LOWEST + rng.below(9) if seen.first == 0 else first
            second = LOWEST + rng.below(9) if seen.second == 0 else second
        while second == 0 or first == second:
            second = LOWEST + rng.below(9)
        return seen._replace(first=first, second=second)

    def write(self, state, action):
        return str(action) if state.mover == CHANCE else ("stay", "raise", "knock")[action]

    def text(self, state):
        return f"{state.first or '?'} {state.second or '?'} {state.said} {state.tries} {state.mover}"

    def parse(self, text):
        first, second, *rest = text.split()
        return Deal(*(0 if card == "?" else int(card) for card in (first, second)), *map(int, rest))

    def show(self, state):
        return f"Ann {state.first or '?'}, Bob {state.second or '?'}"

    def picture(self):
        return Board(3, 1, (Cell("Ann", 0.5, 0.5, "none"), Cell("Bob", 2.5, 0.5, "none")))

    def pieces(self, state):
        return [
            Piece(seat, "card", seat, str(card or "?"))
            for seat, card in enumerate((state.first, state.second))
        ]


class LooseLips(HighCard):
    """Rules that fail with a message that holds the hidden card."""

    name = "loose-lips"

    def observe(self, state, player):
        if state.first:
            raise ValueError(f"the card is {state.first}")
        return state
