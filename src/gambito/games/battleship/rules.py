"""Battleship: two fleets that only their owners see, and shots that find them.

Places are numbered row by row, with one spare place at the end of each row. On 4×3:

     0  1  2  3        a ship of length 3 at place 6 lies on 6 7 8 if it lies across,
     5  6  7  8        and would lie on 6 11 16 if it lay down
    10 11 12 13

The players place their ships in turn, one at a time, in the order of the fleet. Then they shoot in turn, or
in salvos of as many shots as they have ships afloat. A shot is told to be a hit or a miss. `announce` says
what is told of a ship that is sunk: `ship` (which one it was), `sunk` (that the shot sank one) or `hit`
(nothing). The first to sink the whole fleet wins; with a number of `shots` for each player, the score is the
difference of the ships that were sunk. Texts are in `notation`, fleets that fit what was seen in `fleets`,
and players who shoot in `shooting`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gambito.boards import NO_CELL, Board, Equipment, Kind, Tally, grid, letter
from gambito.errors import GameError
from gambito.game.numerals import read_whole
from gambito.games.battleship.fleets import Fleets, State
from gambito.games.battleship.notation import BLANK, Notation
from gambito.native import int64, uint64
from gambito.native.wide import (
    count_places,
    first_place,
    has_place,
    is_empty,
    nth_place,
    only,
    union_of,
    wide_set,
    without,
)
from gambito.words.sentence import Sentence

ANNOUNCED = ("ship", "sunk", "hit")
MOST_SHIPS, MOST_SIDE = 8, 10
REMEMBERED = 256  # the most bits for the order of the shots; on larger boards it is forgotten
GAP = 1  # cells between the two boards of the picture


class Battleship(Notation, Fleets):
    """Two hidden fleets; the first to sink the other's wins."""

    name = "battleship"
    hidden = True
    sides = ("Red", "Blue")

    def __init__(
        self,
        width: int = 10,
        height: int = 10,
        fleet: str = "5-4-3-3-2",
        announce: str = "ship",
        salvo: bool = False,
        shots: int = 0,
    ) -> None:
        if not (2 <= width <= MOST_SIDE and 2 <= height <= MOST_SIDE):
            raise GameError("width and height are from 2 to {}", MOST_SIDE)
        if announce not in ANNOUNCED:
            raise GameError("announce is {}", " or ".join(ANNOUNCED))
        if salvo and announce == "hit":
            raise GameError("in a salvo the number of shots tells what is sunk, so announce is ship or sunk")
        if not 0 <= shots <= width * height or (salvo and shots):
            raise GameError("shots is from 0 to the number of cells, and 0 with salvo")
        self.width, self.height, self.fleet = width, height, fleet
        self.announce, self.salvo, self.shots = announce, salvo, shots
        self.tells_ship, self.tells_sunk = announce == "ship", announce == "sunk"
        self._lay_out(width, height, self._read_fleet(fleet, max(width, height)))
        cells = width * height
        self.limit = 2 * shots
        shot = cells.bit_length()
        self.recalls = not salvo and 2 * (shots or cells) * shot <= REMEMBERED
        self.bits = shot if self.recalls else 0
        self.no_past = wide_set((), -(-2 * (shots or cells) * shot // 64) if self.recalls else 1)
        self.longest = 2 * self.ships + 2 * (shots or cells)
        self.most_actions = 2 * cells
        self.lowest, self.highest = (-self.ships, self.ships) if shots else (-1, 1)
        if not self._always_fits():
            raise GameError("the fleet {} does not always fit on {}×{} cells", fleet, width, height)

    def _read_fleet(self, fleet: str, longest: int) -> list[int]:
        parts = fleet.split("-")
        if any(read_whole(part, longest, least=1) is None for part in parts):
            raise GameError("a fleet is the lengths of its ships, as 5-4-3-3-2, each at most {}", longest)
        if len(parts) > MOST_SHIPS:
            raise GameError("a fleet has at most {} ships", MOST_SHIPS)
        return [int(part) for part in parts]

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        none = self.none
        return State(uint64(0), uint64(0), none, none, none, none, none, none, self.no_past, 0, 0, 0)

    def player(self, state):
        return state.placed & 1 if state.placed < 2 * self.ships else state.turn

    def targets(self, state):
        """The cells at which the player to move has not shot."""
        return without(self.board, state.shots_0 if state.turn == 0 else state.shots_1)

    def actions(self, state):
        if state.placed < 2 * self.ships:
            ship = state.placed >> 1
            ships = state.ships_0 if state.placed & 1 == 0 else state.ships_1
            free = without(self.board, self.cells_of_fleet(ships))
            for way in range(2):
                starts = self.starts(free, ship, way)
                while not is_empty(starts):
                    place = first_place(starts)
                    starts = without(starts, only(place, starts))
                    yield 2 * place + way
        else:
            left = self.targets(state)
            while not is_empty(left):
                place = first_place(left)
                left = without(left, only(place, left))
                yield place

    def result(self, state, action):
        ships_0, ships_1, shots_0, shots_1, hits_0, hits_1, sank_0, sank_1, past, placed, turn, left = state
        if placed < 2 * self.ships:
            code = uint64(action + 1) << uint64(8 * (placed >> 1))
            if placed & 1 == 0:
                ships_0 |= code
            else:
                ships_1 |= code
            if self.salvo and placed + 1 == 2 * self.ships:
                left = int64(self.ships)
            return State(
                ships_0,
                ships_1,
                shots_0,
                shots_1,
                hits_0,
                hits_1,
                sank_0,
                sank_1,
                past,
                placed + 1,
                turn,
                left,
            )
        if self.recalls:
            past = self.remember(past, self.number_of(action))
        shot = only(action, shots_0)
        if turn == 0:
            shots_0 = union_of(shots_0, shot)
            if has_place(self.cells_of_fleet(ships_1), action):
                hits_0 = union_of(hits_0, shot)
                if self.tells_sunk and self.sinks(ships_1, hits_0, action):
                    sank_0 = union_of(sank_0, shot)
        else:
            shots_1 = union_of(shots_1, shot)
            if has_place(self.cells_of_fleet(ships_0), action):
                hits_1 = union_of(hits_1, shot)
                if self.tells_sunk and self.sinks(ships_0, hits_1, action):
                    sank_1 = union_of(sank_1, shot)
        left -= 1
        if not self.salvo:
            turn, left = 1 - turn, int64(0)
        elif left <= 0:
            turn = 1 - turn
            lost = self.sunk(ships_0, hits_1) if turn == 0 else self.sunk(ships_1, hits_0)
            left = int64(self.ships - lost)
        return State(
            ships_0, ships_1, shots_0, shots_1, hits_0, hits_1, sank_0, sank_1, past, placed, turn, left
        )

    def passed(self, state):
        """The state in which the same player shoots again, for those who shoot alone."""
        return State(
            state.ships_0,
            state.ships_1,
            state.shots_0,
            state.shots_1,
            state.hits_0,
            state.hits_1,
            state.sank_0,
            state.sank_1,
            state.past,
            state.placed,
            int64(0),
            int64(self.ships),
        )

    def is_terminal(self, state):
        if self.size_of_fleet in (count_places(state.hits_0), count_places(state.hits_1)):
            return True
        if self.limit == 0:
            return False
        return count_places(state.shots_0) + count_places(state.shots_1) == self.limit

    def utility(self, state, player):
        if self.limit > 0:
            value = self.sunk(state.ships_1, state.hits_0) - self.sunk(state.ships_0, state.hits_1)
        else:
            value = 1 if count_places(state.hits_0) == self.size_of_fleet else -1
        return value if player == 0 else -value

    # ---- what a player sees ----------------------------------------------------------------------
    def observe(self, state, player):
        """Its own fleet, all shots with what was told of them, and in the end everything."""
        if self.is_terminal(state):
            return state
        ships_0, ships_1, shots_0, shots_1, hits_0, hits_1, sank_0, sank_1, past, placed, turn, left = state
        if player != 0:
            ships_0 = self.told(ships_0, hits_1)
        if player != 1:
            ships_1 = self.told(ships_1, hits_0)
        return State(
            ships_0, ships_1, shots_0, shots_1, hits_0, hits_1, sank_0, sank_1, past, placed, turn, left
        )

    def imagine(self, seen, player, rng):
        """Every fleet of the other that fits is as likely."""
        if player < 0 or self.is_terminal(seen):
            return seen
        ships_0, ships_1, shots_0, shots_1, hits_0, hits_1, sank_0, sank_1, past, placed, turn, left = seen
        if player == 0:
            count = placed // 2
            ships_1 = self.draw_fleet(ships_1, count, shots_0, hits_0, sank_0, past, 0, True, rng)
        else:
            count = (placed + 1) // 2
            ships_0 = self.draw_fleet(ships_0, count, shots_1, hits_1, sank_1, past, 1, True, rng)
        return State(
            ships_0, ships_1, shots_0, shots_1, hits_0, hits_1, sank_0, sank_1, past, placed, turn, left
        )

    # ---- what it adds ----------------------------------------------------------------------------
    def random_action(self, state, rng):
        if state.placed >= 2 * self.ships:
            left = self.targets(state)
            return nth_place(left, rng.below(count_places(left)))
        ships = state.ships_0 if state.placed & 1 == 0 else state.ships_1
        free = without(self.board, self.cells_of_fleet(ships))
        return self.draw_placement(free, self.none, state.placed >> 1, rng) - 1

    def reason(self, state: State) -> str:
        sunk = max(count_places(state.hits_0), count_places(state.hits_1)) == self.size_of_fleet
        return Sentence("the fleet is sunk") if sunk else Sentence("all shots are fired")

    # ---- picture ---------------------------------------------------------------------------------
    def equipment(self) -> Equipment:
        """The waters of the first player, on their right those of the second; ships, then shots."""
        cells, labels = [], []
        for side in (0, 1):
            waters, shift = grid(self.width, self.height, "sea"), side * (self.width + GAP)
            cells += [
                replace(cell, name=f"{'AB'[side]}{cell.name}", x=cell.x + shift) for cell in waters.cells
            ]
            labels += [
                replace(label, x=label.x + shift) for label in waters.labels if label.x > 0 or not side
            ]
        board = Board(2 * self.width + GAP, self.height, tuple(cells), labels=tuple(labels), turns=False)
        names = [letter(ship).upper() for ship in range(self.ships)]
        ships = [Kind(name, "square", side) for side in (0, 1) for name in names]
        shots = [
            Kind(mark, shape, side) for mark, shape in (("X", "cross"), ("o", "ring")) for side in (0, 1)
        ]
        return Equipment(board, [*ships, Kind(BLANK, "text", text=BLANK)], over=shots, stacked=False)

    def stands(self, state, cell):
        waters = self.width * self.height
        side, number = cell // waters % 2, cell % waters
        place = number // self.width * self.stride + number % self.width
        ships = state.ships_0 if side == 0 else state.ships_1
        shots = state.shots_1 if side == 0 else state.shots_0
        hits = state.hits_1 if side == 0 else state.hits_0
        if cell >= 2 * waters:
            return 2 - side if has_place(hits, place) else 4 - side if has_place(shots, place) else 0
        for ship in range(self.ships):
            if has_place(self.cells_of(ship, self.code(ships, ship)), place):
                return 1 + side * self.ships + ship
        return 1 + 2 * self.ships if self.hides(state, side) and not has_place(shots, place) else 0

    def remarks(self, state: State) -> str:
        return ""  # the tallies say it

    def tallies(self, state: State, start: State, actions: Sequence[int]) -> list[Tally]:
        if state.placed < 2 * self.ships or self.hides(state, 0) or self.hides(state, 1):
            return []
        fleets = ((state.ships_0, state.hits_1), (state.ships_1, state.hits_0))
        return [Tally(Sentence("ships afloat: {}", self.ships - int(self.sunk(*fleet)))) for fleet in fleets]

    def touched(self, state, action, step):
        """A shot touches the other's waters; a ship is placed by its first and its second cell."""
        waters = self.width * self.height
        if state.placed == 2 * self.ships:
            return (1 - state.turn) * waters + self.number_of(action) if step == 0 else NO_CELL
        if step >= min(self.lengths[state.placed >> 1], 2):
            return NO_CELL
        way = self.width if action & 1 else 1
        return (state.placed & 1) * waters + self.number_of(action >> 1) + step * way
