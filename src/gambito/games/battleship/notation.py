"""The texts of Battleship: positions, ships and shots, also of what only one player sees.

    a1> c3v / ? a2> / b2 c3+ / a1

The ships of the first player in the order of the fleet, `>` across and `v` down; those of the second, `?`
where a ship is not known; the shots of the first, `+` a hit, `*` a hit that is told to have sunk a ship; the
shots of the second. `-` is none. In a game of salvos the shots left and who shoots follow: `/ 2 first`.
"""

from __future__ import annotations

import re

from gambito.boards.picture import letter
from gambito.errors import PositionError
from gambito.game.contract import quoted
from gambito.games.battleship.fleets import Fleets, State
from gambito.native import uint64
from gambito.native.random import new_random
from gambito.native.wide import (
    Words,
    common,
    count_places,
    has_place,
    is_empty,
    union_of,
    wide_places,
    wide_set,
    without,
)
from gambito.words import say

BLANK, NONE = "?", "-"
PLAYERS = ("first", "second")


class Notation(Fleets):
    """How positions and actions are written."""

    def cell_name(self, place: int) -> str:
        return f"{letter(place % self.stride)}{place // self.stride + 1}"

    def _places(self) -> dict[str, int]:
        return {self.cell_name(place): place for place in wide_places(self.board)}

    def hides(self, state, player):
        """Is a ship of that player not known?"""
        ships = state.ships_0 if player == 0 else state.ships_1
        for ship in range((state.placed + 1 - player) // 2):
            if self.code(ships, ship) == 0:
                return True
        return False

    # ---- actions ---------------------------------------------------------------------------------
    def _write_ship(self, ship: int, code: int) -> str:
        way = "" if self.lengths[ship] == 1 else ">v"[(code - 1) & 1]
        return self.cell_name((code - 1) >> 1) + way

    def write(self, state: State, action: int) -> str:
        if state.placed < 2 * self.ships:
            return self._write_ship(state.placed >> 1, action + 1)
        return self.cell_name(action)

    def read(self, state: State, text: str) -> int:
        return super().read(state, text.strip().lower())

    # ---- positions -------------------------------------------------------------------------------
    def show(self, state: State) -> str:
        """Both boards side by side: letters are ships, X hits, o misses, ? where a ship may be hidden."""
        kit, codes = self.kept_equipment(), self.cell_codes(state)
        layers = zip(kit.marks(codes), kit.marks(codes, 1), strict=True)
        marks = [ship if shot == kit.blank else shot for ship, shot in layers]
        rows = [" ".join(marks[first : first + self.width]) for first in range(0, len(marks), self.width)]
        heads = "   " + " ".join(map(letter, range(self.width)))
        lines = [f"{heads}   {heads}"]
        for number, sides in enumerate(zip(rows[: self.height], rows[self.height :], strict=True), 1):
            lines.append("   ".join(f"{number:>2} {row}" for row in sides))
        afloat = [
            self.ships - int(self.sunk(*pair))
            for pair in ((state.ships_0, state.hits_1), (state.ships_1, state.hits_0))
        ]
        if state.placed == 2 * self.ships and not any(self.hides(state, player) for player in (0, 1)):
            lines.append(say("afloat: {} and {}", afloat[0], afloat[1]))
        return "\n".join(lines)

    def text(self, state: State) -> str:
        parts = []
        for player, ships in enumerate((state.ships_0, state.ships_1)):
            codes = [int(self.code(ships, ship)) for ship in range((state.placed + 1 - player) // 2)]
            names = [self._write_ship(ship, code) if code else BLANK for ship, code in enumerate(codes)]
            parts.append(" ".join(names) or NONE)
        fired = ((state.shots_0, state.hits_0, state.sank_0), (state.shots_1, state.hits_1, state.sank_1))
        for player, (shots, hits, sank) in enumerate(fired):
            names = [
                self.cell_name(place)
                + ("*" if has_place(sank, place) else "+" if has_place(hits, place) else "")
                for place in self._in_order(state, player, shots)
            ]
            parts.append(" ".join(names) or NONE)
        if self.salvo and state.placed == 2 * self.ships:
            parts.append(f"{state.left} {PLAYERS[state.turn]}")
        return " / ".join(parts)

    def _in_order(self, state: State, player: int, shots: Words) -> list[int]:
        """The shots of a player: in the order they were fired, if that is remembered."""
        if not self.recalls:
            return wide_places(shots)
        numbers: list[int] = []
        while (number := int(self.remembered(state.past, len(numbers)))) >= 0:
            numbers.append(number)
        return [n // self.width * self.stride + n % self.width for n in numbers[::-1][player::2]]

    def parse(self, text: str) -> State:
        """What `text` gives: the ships of both, ? where one is not known, and the shots of both; or the
        placements and shots played."""
        if "/" not in text:
            return super().parse(text)
        parts = [part.strip().lower() for part in text.split("/")]
        if len(parts) != 4 + int(self.salvo) and not (self.salvo and len(parts) == 4):
            raise PositionError(
                "{} is no position; accepted: ships / ships / shots / shots, as '{}'",
                quoted(text),
                "a1> ? / b2v ? / c1 c2+ / -",
            )
        fleets = [self._read_ships(part) for part in parts[:2]]
        fired = [self._read_shots(part) for part in parts[2:4]]
        counts = [0 if part == NONE else len(part.split()) for part in parts[:2]]
        placed = sum(counts)
        numbers = [len(order) for order, _, _ in fired]
        is_wrong = counts[0] - counts[1] not in (0, 1) or placed > 2 * self.ships
        is_wrong |= placed < 2 * self.ships and any(numbers)
        turn, left = numbers[0] - numbers[1] if not self.salvo else 0, 0
        if self.salvo and placed == 2 * self.ships:
            turn, left = self._read_salvo(parts[4] if len(parts) == 5 else "")
        elif len(parts) == 5 or turn not in (0, 1):
            is_wrong = True
        if is_wrong or (self.shots and max(numbers) > self.shots):
            raise PositionError("in {} the numbers of ships and shots do not fit", quoted(text))
        words = len(self.board)
        sets = [[wide_set(each, words) for each in player] for player in fired]
        past = self.no_past
        if self.recalls:
            for number in range(sum(numbers)):
                past = self.remember(past, self.number_of(fired[number % 2][0][number // 2]))
        (shots_0, hits_0, sank_0), (shots_1, hits_1, sank_1) = sets
        board = (shots_0, shots_1, hits_0, hits_1, sank_0, sank_1, past)
        state = State(fleets[0], fleets[1], *board, placed, turn, left)
        self._check(text, state)
        return state

    def _read_ships(self, text: str) -> uint64:
        """The fleet that a list of ships gives."""
        ships, taken, places = uint64(0), self.none, self._places()
        for ship, word in enumerate([] if text == NONE else text.split()):
            if word == BLANK:
                continue
            said = re.fullmatch(r"([a-z][0-9]{1,2})([>v]?)", word)
            if ship >= self.ships or said is None or said[1] not in places:
                raise PositionError("{} is no ship of this fleet", quoted(word))
            way, is_short = int(said[2] == "v"), self.lengths[ship] == 1
            place, free = places[said[1]], without(self.board, taken)
            if is_short == bool(said[2]) or not has_place(self.starts(free, ship, way), place):
                raise PositionError("the ship {} does not fit there", quoted(word))
            code = 2 * place + way + 1
            taken = union_of(taken, self.cells_of(ship, code))
            ships |= uint64(code) << uint64(8 * ship)
        return ships

    def _read_shots(self, text: str) -> tuple[list[int], list[int], list[int]]:
        """The places of a list of shots, those that hit, and those that sank a ship."""
        places, order, hits, sank = self._places(), [], [], []
        for word in [] if text == NONE else text.split():
            name = word.rstrip("+*")
            if name not in places or word[len(name) :] not in ("", "+", *("*" if self.tells_sunk else "")):
                raise PositionError("{} is no shot at this board", quoted(word))
            if places[name] in order:
                raise PositionError("{} has a cell twice", quoted(text))
            order.append(places[name])
            hits += [places[name]] if word != name else []
            sank += [places[name]] if word.endswith("*") else []
        return order, hits, sank

    def _read_salvo(self, text: str) -> tuple[int, int]:
        said = re.fullmatch(r"([0-9])\s+(first|second)", text)
        if said is None or int(said[1]) > self.ships:
            raise PositionError("{} does not say how many shots are left, and to whom", quoted(text))
        return PLAYERS.index(said[2]), int(said[1])

    def _check(self, text: str, state: State) -> None:
        """Refuse hits where no ship is, and shots that no fleet fits."""
        fleets = (
            (state.ships_0, state.shots_1, state.hits_1, state.sank_1, 1),
            (state.ships_1, state.shots_0, state.hits_0, state.sank_0, 0),
        )
        is_over = max(count_places(hits) for _, _, hits, _, _ in fleets) >= self.size_of_fleet
        is_over |= bool(self.limit) and bool(self.is_terminal(state))
        if self.salvo and state.placed == 2 * self.ships and not is_over and state.left == 0:
            raise PositionError("{} does not say how many shots are left, and to whom", quoted(text))
        for player, (ships, shots, hits, sank, shooter) in enumerate(fleets):
            placed = (state.placed + 1 - player) // 2
            cells = self.cells_of_fleet(ships)
            is_whole = not self.hides(state, player)
            if not is_empty(without(common(cells, shots), hits)) or (
                is_whole and not is_empty(without(hits, cells))
            ):
                raise PositionError("the shots of {} do not fit the ships", quoted(text))
            if is_over and not is_whole:
                raise PositionError("in {} the game is over, and all ships are known", quoted(text))
            if not is_whole and ships not in (uint64(0), self.told(ships, hits)):
                raise PositionError("in {} a ship is known that is not sunk", quoted(text))
            whole = ships
            if not is_whole:
                seen = (shots, hits, sank, state.past, shooter)
                whole = self.draw_fleet(ships, placed, *seen, False, new_random(1))
            is_laid = all(self.code(whole, ship) for ship in range(placed))
            every = self.cells_of_fleet(whole)
            fits = is_laid and common(every, shots) == hits
            if not fits or not self.fits(whole, placed, hits, sank, state.past, shooter):
                raise PositionError("no fleet fits the shots of {}", quoted(text))
            if not is_whole and self.told(whole, hits) != ships:
                raise PositionError("no fleet fits the shots of {}", quoted(text))
