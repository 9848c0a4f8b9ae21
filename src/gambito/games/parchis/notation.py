"""The texts and the picture of parchís: places as squares, and a board in the shape of a cross.

It knows where places lie. What a roll allows is in the rules.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from gambito.boards import NO_CELL, Board, Cell, Equipment, Kind, Label, Piece, PlacedPieces
from gambito.boards.picture import NOBODY
from gambito.errors import PositionError
from gambito.game.contract import Game, quoted
from gambito.game.numerals import read_whole
from gambito.words import say, tell
from gambito.words.sentence import Sentence

SQUARES, LAST, HOME = 68, 64, 72  # on the board; the last place before the corridor; the place of home
EACH, PLACE = 4, 7  # pieces of a player, bits of a place
MORE = 5  # words of a position behind the places
NEST, OUT = 0, 1
SAFE = (5, 12, 17, 22, 29, 34, 39, 46, 51, 56, 63, 68)
SIX, SEVEN = 6, 7
CAPTURE, ARRIVAL = 20, 10  # squares that they earn
SIXES = 3
PASS = 127
CORRIDOR, AT_HOME, IN_NEST, NO_PLACE = "c", "h", "n", "-"
COLOURS = ("Yellow", "Blue", "Red", "Green")  # of the exits


class State(NamedTuple):
    """The places of each player's pieces, and the turn."""

    pieces_0: int
    pieces_1: int
    pieces_2: int
    pieces_3: int
    mover: int
    die: int  # 0: to be rolled
    bonus: int  # squares to be moved before the die is rolled again
    sixes: int  # rolled in a row, with this one
    last: int  # the place of the piece that the mover has moved last; 0: none


def place_of(pieces, number):
    """The place of a player's piece, counted from the one furthest back."""
    return pieces >> PLACE * number & 127


class ParchisText(Game):
    """How parchís is written and drawn."""

    exits: tuple[int, ...]  # the exit of each player

    def pieces_of(self, state, player):
        if player == 0:
            return state.pieces_0
        if player == 1:
            return state.pieces_1
        return state.pieces_2 if player == 2 else state.pieces_3

    def square(self, player, place):
        """The square of a place around the board, from 1 to 68."""
        return (self.exits[player] + place - 2) % SQUARES + 1

    def steps(self, state):
        """How far a piece must move."""
        if state.bonus:
            return state.bonus
        is_out = place_of(self.pieces_of(state, state.mover), 0) > NEST
        return SEVEN if state.die == SIX and is_out else state.die

    # ---- text ------------------------------------------------------------------------------------
    def place_name(self, player: int, place: int) -> str:
        if place == NEST:
            return IN_NEST
        if place == HOME:
            return AT_HOME
        return f"{CORRIDOR}{place - LAST}" if place > LAST else str(self.square(player, place))

    def read_place(self, player: int, name: str) -> int | None:
        if name in (IN_NEST, AT_HOME):
            return NEST if name == IN_NEST else HOME
        if name.startswith(CORRIDOR):
            number = read_whole(name[1:], HOME - LAST - 1)
            return LAST + number if number else None
        square = read_whole(name, SQUARES)
        place = (square - self.exits[player]) % SQUARES + 1 if square else LAST + 1
        return place if place <= LAST else None

    def show(self, state: State) -> str:
        kit, codes = self.kept_equipment(), self.cell_codes(state)
        lines = [
            f"{tell(side)}: "
            + ", ".join(self.place_name(player, place) for place in kit.places(codes, player))
            for player, side in enumerate(self.sides)
        ]
        moves = say("bonus: {}", state.bonus) if state.bonus else say("die: {}", state.die or NO_PLACE)
        return "\n".join([*lines, f"{moves}, {say('{0} to move', tell(self.sides[state.mover]))}"])

    def extras(self, state: State) -> list[str]:
        last = self.place_name(state.mover, state.last) if state.last else NO_PLACE
        return [str(int(word)) for word in (state.mover + 1, state.die, state.bonus, state.sixes)] + [last]

    def set_up(self, cells: Sequence[int], mover: int, extras: Sequence[str], text: str) -> State:
        """For each player four places: n (nest), squares 1 to 68, c1 to c7, h (home); the player to move;
        the die; the bonus; sixes in a row; the piece moved last."""
        kit = self.kept_equipment()
        wrong = kit.wrong(text)
        places = [kit.places(cells, player) for player in range(self.players)]
        if len(extras) != MORE or any(len(some) != EACH for some in places):
            raise wrong
        turn = read_whole(extras[0], self.players)
        die, bonus, sixes = (read_whole(word, CAPTURE) for word in extras[1:4])
        if not turn or die is None or die > SIX or bonus not in (0, ARRIVAL, CAPTURE) or sixes is None:
            raise wrong
        last = 0 if extras[4] == NO_PLACE else self.read_place(turn - 1, extras[4])
        if last is None:
            raise wrong
        packed = [sum(place << PLACE * n for n, place in enumerate(some)) for some in places]
        padded = [*packed, *[0] * (4 - self.players)]
        state = State(padded[0], padded[1], padded[2], padded[3], turn - 1, die, bonus, sixes, last)
        self._check_position(state, places, text)
        return state

    def cell_codes(self, state: State) -> list[int]:
        kit = self.kept_equipment()
        codes = [0] * kit.size
        for player, cells in enumerate(kit.ways):
            for number in range(EACH):
                cell = cells[place_of(self.pieces_of(state, player), number)]
                codes[player * len(kit.board.cells) + cell] += 1
        return codes

    def _check_position(self, state: State, places: list[list[int]], text: str) -> None:
        """Refuse a position that cannot be."""
        squares = [
            self.square(p, place) for p, some in enumerate(places) for place in some if 0 < place <= LAST
        ]
        corridors = [(p, place) for p, some in enumerate(places) for place in some if LAST < place < HOME]
        mixed = {
            self.square(p, place)
            for p, some in enumerate(places)
            for place in some
            if 0 < place <= LAST and some.count(place) < squares.count(self.square(p, place))
        }
        if any(squares.count(square) > 2 for square in squares) or any(
            corridors.count(place) > 2 for place in corridors
        ):
            raise PositionError("{} is impossible: a square holds two pieces", quoted(text))
        if any(square not in SAFE for square in mixed):
            raise PositionError("{} is impossible: two players share only a safe square", quoted(text))
        if sum(some == [HOME] * EACH for some in places) > 1:
            raise PositionError("{} is impossible: both would have won", quoted(text))
        has_moved = state.last == 0 or state.last in places[state.mover]
        is_turn = state.die > 0 or state.bonus == 0
        is_row = state.sixes < SIXES and (state.sixes > 0) == (
            state.die == SIX or (state.die == 0 and state.sixes > 0)
        )
        if not has_moved or not is_turn or not is_row:
            raise PositionError("{} is impossible: the turn is not one that can be", quoted(text))

    def write(self, state: State, action: int) -> str:
        if state.die == 0:
            return str(action)
        if action == PASS:
            return "pass"
        mover = int(state.mover)
        to = OUT if action == NEST else action + int(self.steps(state))
        return f"{self.place_name(mover, action)}-{self.place_name(mover, to)}"

    def reason(self, state: State) -> str:
        return Sentence("all pieces are home")

    # ---- picture ---------------------------------------------------------------------------------
    def equipment(self) -> Equipment:
        """The 68 squares; then for each player the corridor, home and nest; then the die."""
        cells = []
        for square in range(1, SQUARES + 1):
            x, y = _spot(square)
            cells.append(Cell(str(square), x + 0.5, y + 0.5, "square", "dark" if square in SAFE else "light"))
        for exit, side in zip(self.exits, self.sides, strict=True):
            arm = (exit - 5) // 17
            for step in range(1, 8):
                x, y = _turned(9, 18 - step, arm)
                cells.append(Cell(f"{side} {CORRIDOR}{step}", x + 0.5, y + 0.5, "square", side.lower()))
            x, y = _turned(9, 10, arm)
            cells.append(Cell(f"{side} home", x + 0.5, y + 0.5, "circle", "plain"))
            x, y = _turned(14, 14, arm)
            cells.append(Cell(f"{side} nest", x + 0.5, y + 0.5, "circle", "plain", 3.0))
        cells.append(Cell("die", 9.5, 9.5, "none"))
        nests = [cell for cell in cells if cell.name.endswith("nest")]
        labels = [Label(cell.x, cell.y + 2.1, side) for cell, side in zip(nests, self.sides, strict=True)]
        board = Board(19, 19, tuple(cells), labels=tuple(labels), turns=False)
        return Places(board, stacked=False, game=self)

    def cell_of(self, player, place):
        first = SQUARES + player * (HOME - LAST + 1)
        if place == NEST:
            return first + HOME - LAST
        return first + place - LAST - 1 if place > LAST else self.square(player, place) - 1

    def stands(self, state, cell):
        """How many pieces of a player stand there."""
        cells = SQUARES + self.players * (HOME - LAST + 1) + 1
        player, count = cell // cells, 0
        for number in range(EACH):
            place = place_of(self.pieces_of(state, player), number)
            count += self.cell_of(player, place) == cell % cells
        return count

    def touched(self, state, action, step):
        if state.die == 0 or action == PASS or step > 1:
            return NO_CELL
        if step == 0:
            return self.cell_of(state.mover, action)
        return self.cell_of(state.mover, OUT if action == NEST else action + self.steps(state))

    def pieces(self, state: State) -> list[Piece]:
        die = Piece(len(self.kept_equipment().board.cells) - 1, "die", int(state.mover), count=int(state.die))
        return super().pieces(state) + ([die] if state.die else [])

    def remarks(self, state: State) -> str:
        return f"bonus: {state.bonus}" if state.bonus else ""


@dataclass(frozen=True)
class Places(Equipment):
    """A layer for each player, with the numbers of its pieces; a position lists the places of each player."""

    game: Any = None

    @functools.cached_property
    def layers(self) -> tuple[Mapping[int, Kind], ...]:
        counts = range(1, EACH + 1)
        return tuple(
            {n: Kind(str(n), "disc", player, count=n if n > 1 else 0) for n in counts}
            for player in range(self.game.players)
        )

    @functools.cached_property
    def ways(self) -> list[list[int]]:
        """The cells of each player's places."""
        return [
            [self.game.cell_of(player, p) for p in range(HOME + 1)] for player in range(self.game.players)
        ]

    def places(self, codes: Sequence[int], player: int) -> list[int]:
        """The places of a player's pieces."""
        first = player * len(self.board.cells)
        return [place for place, cell in enumerate(self.ways[player]) for _ in range(codes[first + cell])]

    def is_position(self, text: str) -> bool:
        return True  # of a game with a die, a position is never given by its moves

    def compose(self, codes: Sequence[int], words: Sequence[str]) -> str:
        told = [
            ",".join(self.game.place_name(player, place) for place in self.places(codes, player))
            for player in range(self.game.players)
        ]
        return " ".join([*told, *words])

    def read(self, text: str) -> PlacedPieces:
        words, codes = text.split(), [0] * self.size
        if len(words) != self.game.players + MORE:
            raise self.wrong(text)
        for player in range(self.game.players):
            for name in words.pop(0).split(","):
                place = self.game.read_place(player, name)
                if place is None:
                    raise self.wrong(text)
                codes[player * len(self.board.cells) + self.ways[player][place]] += 1
        return PlacedPieces(codes, NOBODY, words)

    def wrong(self, text: str) -> PositionError:
        example = self.game.text(self.game.initial())
        return PositionError("{} is no position of parchis; accepted: {}", quoted(text), example)


def _turned(x: float, y: float, quarters: int) -> tuple[float, float]:
    """A place on the board of 19 × 19, turned to the left around its middle."""
    for _ in range(quarters):
        x, y = y, 18 - x
    return x, y


def _spot(square: int) -> tuple[float, float]:
    """Where a square lies: eight up to the middle, eight away from it, and one at the end of the arm."""
    arm, step = divmod(square, 17)
    if step == 0:
        return _turned(9, 18, arm)
    return _turned(10, 19 - step, arm) if step <= 8 else _turned(2 + step, 10, arm)
