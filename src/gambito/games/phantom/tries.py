"""What phantom games share: stones that only their owner sees, and tries that find the other's.

A player tries a cell. If the other has a stone there, the player learns that and tries again; otherwise it
puts its own stone, and the other is to move. Nobody is told what the other tries; if tries are `counted`,
both are told how many there were. What a line or a chain is, and how the board looks, is in the file of each
game.

A player tries a cell once at most. Its tries are kept in order, the last in the lowest bits, each as the
number of its cell plus one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from gambito.errors import PositionError
from gambito.game.contract import Game, quoted
from gambito.native import Memory, int64, uint64
from gambito.native.wide import (
    Words,
    count_places,
    first_place,
    has_place,
    is_empty,
    nth_place,
    only,
    shift_down,
    shift_up,
    union_of,
    wide_places,
    wide_set,
    without,
    words_for,
)
from gambito.words.sentence import Sentence

ONGOING, WON, DRAWN = range(3)  # endings; WON: by the player who moved last
MOST_DRAWS = 1000  # worlds that are tried until one fits what was seen
BLANK = "?"


class State(NamedTuple):
    """A position. In an observation the other's tries and unknown stones are blank."""

    first: Words  # the stones of player 0
    second: Words
    found_by_first: Words  # stones of player 1 that player 0 has found
    found_by_second: Words
    tries_of_first: Words  # in order
    tries_of_second: Words
    stones: int  # on the board, which everybody knows
    told: int  # the tries of both players together, if they are counted aloud
    ending: int


class Phantom(Game):
    """A game of stones on cells, each player blind to the other's."""

    hidden = True
    wins_by = Sentence("a line")

    def _prepare(self, cells: Words, counted: bool) -> None:
        """Set what the rules read, for a board of these cells."""
        self.cells, self.counted = cells, counted
        self.size_of_board = count_places(cells)
        self.none = wide_set((), len(cells))
        self.bits = int(max(wide_places(cells)) + 1).bit_length()
        self.mask = (1 << self.bits) - 1
        self.no_tries = wide_set((), words_for(self.size_of_board * self.bits))
        # The number of all tries does not tell in which turn they were made, but on four cells it does.
        self.recalls = not counted or self.size_of_board <= 4
        self.longest = 2 * self.size_of_board - 1
        self.most_actions = self.size_of_board
        self.most_stones = (self.size_of_board + 1) // 2

    def prepare(self) -> None:
        self.chances_of_never = Memory(self._chances_of_never())

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        none, tries = self.none, self.no_tries
        return State(none, none, none, none, tries, tries, 0, 0, ONGOING)

    def player(self, state):
        return state.stones & 1

    def untried(self, state):
        """The cells where the player to move has no stone and has found none."""
        if state.stones & 1 == 0:
            return without(self.cells, union_of(state.first, state.found_by_first))
        return without(self.cells, union_of(state.second, state.found_by_second))

    def actions(self, state):
        left = self.untried(state)
        while not is_empty(left):
            cell = first_place(left)
            left = without(left, only(cell, left))
            yield cell

    def count(self, state):
        return count_places(self.untried(state))

    def put(self, tries, place, cell):
        """The tries with one more in front of the last `place` of them."""
        above = shift_up(shift_down(tries, place * self.bits), place * self.bits)
        return self.write_at(union_of(shift_up(above, self.bits), without(tries, above)), place, cell)

    def write_at(self, tries, place, cell):
        """The tries with a cell at a place that was blank."""
        for bit in range(self.bits):
            if (cell + 1) >> bit & 1:
                tries = union_of(tries, only(place * self.bits + bit, tries))
        return tries

    def tried(self, tries, place):
        """The cell of a try, counted from 0 at the last; -1 where there is none."""
        return int64(shift_down(tries, place * self.bits)[0] & uint64(self.mask)) - 1

    def result(self, state, action):
        first, second, by_first, by_second, of_first, of_second, stones, told, ending = state
        cell, is_won = only(action, first), False
        if self.counted:
            told += 1
        if stones & 1 == 0:
            of_first = self.put(of_first, 0, action)
            is_found = has_place(second, action)
            if is_found:
                by_first = union_of(by_first, cell)
            else:
                first = union_of(first, cell)
                is_won = self.wins(first, 0)
        else:
            of_second = self.put(of_second, 0, action)
            is_found = has_place(first, action)
            if is_found:
                by_second = union_of(by_second, cell)
            else:
                second = union_of(second, cell)
                is_won = self.wins(second, 1)
        if not is_found:
            stones += 1
        if is_won:
            ending = int64(WON)
        elif stones == self.size_of_board:
            ending = int64(DRAWN)
        return State(first, second, by_first, by_second, of_first, of_second, stones, told, ending)

    def is_terminal(self, state):
        return state.ending != ONGOING

    def utility(self, state, player):
        """The player who moved last has won, or nobody has."""
        if state.ending == DRAWN:
            return 0
        return self.lowest if player == state.stones & 1 else self.highest

    def wins(self, stones, player):
        """Do these stones win the game for that player?"""
        raise NotImplementedError

    # ---- what a player sees ----------------------------------------------------------------------
    def observe(self, state, player):
        """Its own stones, those that it has found, and its tries; in the end everything."""
        if state.ending != ONGOING:
            return state
        none, no_tries = self.none, self.no_tries
        first, second, by_first, by_second, of_first, of_second, stones, told, ending = state
        if player == 0:
            return State(first, by_first, by_first, none, of_first, no_tries, stones, told, ending)
        if player == 1:
            return State(by_second, second, none, by_second, no_tries, of_second, stones, told, ending)
        return State(none, none, none, none, no_tries, no_tries, stones, told, ending)

    def imagine(self, seen, player, rng):
        """Every game of the other that fits is as likely: where it put its stones, and what it found."""
        if player < 0 or seen.ending != ONGOING:
            return seen
        other = 1 - player
        mine, found, tries = seen.first, seen.found_by_first, seen.tries_of_first
        if player == 1:
            mine, found, tries = seen.second, seen.found_by_second, seen.tries_of_second
        turns = (seen.stones + 1 - other) // 2  # in which the other has put a stone
        theirs, order = found, self.no_tries
        for _ in range(MOST_DRAWS):
            theirs, order = self.draw_stones(mine, found, tries, turns, player, rng)
            if not self.wins(theirs, other):
                break
        left = seen.told - seen.stones - count_places(found) if self.counted else int64(0)
        order, lost = self.draw_tries(tries, theirs, order, seen, player, left, rng)
        if player == 0:
            return State(mine, theirs, found, lost, tries, order, seen.stones, seen.told, seen.ending)
        return State(theirs, mine, lost, found, order, tries, seen.stones, seen.told, seen.ending)

    def draw_stones(self, mine, found, tries, turns, player, rng):
        """The other's stones, and the order in which they were put: a found one before it was found."""
        theirs, order, free = found, self.no_tries, without(self.cells, union_of(mine, found))
        number, own, known = int64(0), int64(0), int64(0)
        while self.tried(tries, number) >= 0:
            number += 1
        for place in range(number - 1, -1, -1):
            cell = self.tried(tries, place)
            if not has_place(found, cell):
                own += 1
                continue
            nth = rng.below(own + player - known)  # of the other's turns before this try that are left
            turn = turns - 1
            while nth > 0 or self.tried(order, turn) >= 0:
                nth -= int64(self.tried(order, turn) < 0)
                turn -= 1
            order = self.write_at(order, turn, cell)
            known += 1
        for turn in range(turns):
            if self.tried(order, turn) < 0:
                cell = nth_place(free, rng.below(count_places(free)))
                free, theirs = without(free, only(cell, free)), union_of(theirs, only(cell, theirs))
                order = self.write_at(order, turn, cell)
        return theirs, order

    def draw_tries(self, tries, theirs, order, seen, player, left, rng):
        """The other's tries with those that found my stones, and these stones; all ways are as likely.

        If tries are counted, `left` stones were found.
        """
        other = 1 - player
        is_open = int64(seen.stones & 1 == other)  # the other's turn has begun
        turns, mine = (seen.stones + 1 - other) // 2, (seen.stones + 1 - player) // 2
        found, count, stone, place = self.none, int64(0), mine - 1, int64(0)
        while stone >= 0:  # from the newest: what is put in lies behind the older ones as well
            cell = self.tried(tries, place)
            place += 1
            if has_place(theirs, cell):
                continue
            ways = turns - (stone + 1 - other) + count + is_open  # the places in its order
            row = self.row(seen.stones, other, is_open, stone, count)
            if rng.fraction() >= self.chances_of_never[row + left]:
                order = self.put(order, 1 - is_open + rng.below(ways), cell)
                found = union_of(found, only(cell, found))
                count += 1
                if self.counted:
                    left -= 1
            stone -= 1
        return order, found

    def row(self, stones, other, is_open, stone, count):
        """The place of a row of `chances_of_never`."""
        size = self.most_stones + 1
        place = (((stones * 2 + other) * 2 + is_open) * size + stone) * size + count
        return place * size if self.counted else place

    def _chances_of_never(self) -> np.ndarray:
        """The share of the other's games in which it never finds a stone: by the number of stones, who the
        other is, whether it is to move, the number of my stone, how many newer ones it has found, and, if
        tries are counted, how many are left to be found."""
        size = self.most_stones + 1
        width = size if self.counted else 1
        table = np.zeros((self.size_of_board + 1) * 4 * size * size * width)
        for stones in range(self.size_of_board + 1):
            for other, is_open in ((0, 0), (0, 1), (1, 0), (1, 1)):
                turns, mine = (stones + 1 - other) // 2, (stones + other) // 2
                ways = np.zeros((size + 1, width))  # of the older stones, by those found and those left
                ways[:, 0] = 1.0
                for stone in range(mine):
                    before = ways.copy()
                    for found in range(mine - stone):
                        slots = max(turns - (stone + 1 - other) + found + is_open, 0)
                        more = before[found + 1]
                        ways[found] += slots * (np.append(0.0, more[:-1]) if self.counted else more)
                        row = self.row(stones, other, is_open, stone, found)
                        table[row : row + width] = before[found] / np.maximum(ways[found], 1.0)
        return table

    # ---- what it adds ----------------------------------------------------------------------------
    def random_action(self, state, rng):
        left = self.untried(state)
        return nth_place(left, rng.below(count_places(left)))

    # ---- text ------------------------------------------------------------------------------------
    def _is_blank(self, state: State) -> list[bool]:
        """For each player: are its tries blank?"""
        counts = ((state.stones + 1) // 2, state.stones // 2)
        known = [len(self._tries(state, player)) for player in (0, 1)]
        return [
            known[player] == 0 and (counts[player] > 0 or state.told > known[1 - player]) for player in (0, 1)
        ]

    def _tries(self, state: State, player: int) -> list[int]:
        tries = (state.tries_of_first, state.tries_of_second)[player]
        listed: list[int] = []
        while self.tried(tries, len(listed)) >= 0:
            listed.append(int(self.tried(tries, len(listed))))
        return listed[::-1]

    def place_of(self, cell):
        """The place of a cell of the board."""
        raise NotImplementedError

    def stands(self, state, cell):
        """The stone that is known to stand there; 3 where one may be hidden."""
        place = self.place_of(cell)
        if has_place(state.first, place):
            return 1
        known = count_places(state.first) + count_places(state.second)
        return 2 if has_place(state.second, place) else 3 if known < state.stones else 0

    def reason(self, state: State) -> str:
        return Sentence("the board is full") if state.ending == DRAWN else self.wins_by

    def text(self, state: State) -> str:
        """The tries of each player, `!` behind those that found a stone; the stones on the board, and of
        how many tries if they are counted; the end."""
        found = (state.found_by_first, state.found_by_second)
        parts = []
        for player, is_blank in enumerate(self._is_blank(state)):
            names = [
                self.cell_name(c) + ("!" if has_place(found[player], c) else "")
                for c in self._tries(state, player)
            ]
            parts.append(BLANK if is_blank else " ".join(names) or "-")
        of = f" of {state.told}" if self.counted else ""
        end = ("", " won", " drawn")[state.ending]
        return f"{' / '.join(parts)} / {state.stones}{of}{end}"

    def parse(self, text: str) -> State:
        """What `text` gives, with ? for tries that are not known; or all tries of both players in order."""
        if "/" not in text:
            return super().parse(text)
        tries = r"([0-9]{1,4})(?:\s+of\s+([0-9]{1,4}))?"
        said = re.fullmatch(rf"([^/]*)/([^/]*)/\s*{tries}\s*(won|drawn)?\s*", text)
        if said is None or (said[4] is None) == self.counted:
            raise PositionError(
                "{} is no position; accepted: the tries of both players, each known or ?, and the number of "
                "stones, as '{}'",
                quoted(text),
                self.example,
            )
        stones, told, ending = int(said[3]), int(said[4] or 0), (None, "won", "drawn").index(said[5])
        given = [part.strip() for part in said.groups()[:2]]
        if BLANK not in given:
            state = self._replay([self._read_tries(part) for part in given])
        elif ending != ONGOING:
            raise PositionError("in {} the game is over, and all tries are known", quoted(text))
        elif given == [BLANK, BLANK]:
            state = self.initial()._replace(stones=stones, told=told)
            self._check_counts(text, state, 0)
        else:
            player = given.index(BLANK) ^ 1
            state = self._seen(text, player, self._read_tries(given[player]), stones, told)
        if (state.stones, state.told, state.ending) != (stones, told, ending):
            raise PositionError(
                "the tries of {} give {} stones, and the game is {}",
                quoted(text),
                state.stones,
                (Sentence("not over"), Sentence("won"), Sentence("drawn"))[state.ending],
            )
        return state

    def _read_tries(self, text: str) -> list[tuple[int, bool]]:
        """The cells of a list of tries, and whether each found a stone."""
        named = {self.cell_name(cell): cell for cell in wide_places(self.cells)}
        found = []
        for word in [] if text == "-" else text.lower().split():
            if word.rstrip("!") not in named or word.count("!") > 1:
                raise PositionError("{} is no cell of this board", quoted(word))
            found.append((named[word.rstrip("!")], word.endswith("!")))
        if len({cell for cell, _ in found}) < len(found):
            raise PositionError("{} has a cell twice", quoted(text))
        return found

    def _replay(self, tries: list[list[tuple[int, bool]]]) -> State:
        """The state after all tries: whose turn it is follows from what they found."""
        state, left = self.initial(), [list(each) for each in tries]
        while any(left):
            player = state.stones & 1
            if state.ending != ONGOING or not left[player]:
                raise PositionError("the tries of the two players do not fit each other")
            cell, finds = left[player].pop(0)
            before = state.stones
            state = self.result(state, cell)
            if finds != (state.stones == before):
                what = Sentence("finds a stone") if not finds else Sentence("finds no stone")
                raise PositionError("{} {} in this game", self.cell_name(cell), what)
        return state

    def _seen(self, text: str, player: int, tries: list[tuple[int, bool]], stones: int, told: int) -> State:
        """The observation of a player with these tries."""
        own = [cell for cell, finds in tries if not finds]
        found = [cell for cell, finds in tries if finds]
        turns = (stones + 1 - player) // 2
        theirs = stones - turns
        open_tries = tries[::-1].index((own[-1], False)) if own else len(tries)
        is_wrong = len(own) != turns or len(found) > theirs or len(own) + theirs > self.size_of_board
        is_wrong |= bool(open_tries) and stones & 1 != player
        seen = 0
        for cell, finds in tries:
            seen += finds
            before = sum(not f for _, f in tries[: tries.index((cell, finds))]) + player
            is_wrong |= finds and seen > before
        stones_of = [wide_set(own, len(self.cells)), wide_set(found, len(self.cells))]
        is_wrong |= bool(self.wins(stones_of[0], player))
        if is_wrong:
            raise PositionError("the tries of {} do not fit the number of stones", quoted(text))
        order = self.no_tries
        for cell, _ in tries:
            order = self.put(order, 0, cell)
        first, second = stones_of[player], stones_of[1 - player]
        by_both = stones_of[1]  # the observation leaves what is the player's own
        full = State(first, second, by_both, by_both, order, order, stones, told, ONGOING)
        self._check_counts(text, full, len(found))
        seen_state: State = self.observe(full, player)
        return seen_state

    def _check_counts(self, text: str, state: State, found: int) -> None:
        """Can there be so many stones and tries in a game that is not over?"""
        is_wrong = state.stones >= self.size_of_board
        is_wrong |= self.counted and not state.stones + found <= state.told <= 2 * state.stones
        if is_wrong:
            raise PositionError("the tries of {} do not fit the number of stones", quoted(text))

    def write(self, state: State, action: int) -> str:
        return self.cell_name(action)

    def cell_name(self, cell: int) -> str:
        """A cell as players write it."""
        raise NotImplementedError

    example = ""  # a position
