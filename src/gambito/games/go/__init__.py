"""Go with area scoring, on any board up to 19×19.

The board is drawn in board.py; text is handled in notation.py. Black is player 0. Suicide is forbidden.
Either the simple ko rule applies, or positional superko. Two passes end the game, and so does the limit on
its plies. Area scoring counts stones and the crossings that only one colour reaches; no stones are removed as
dead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gambito.boards import picture as drawn
from gambito.boards.equipment import NO_CELL, Equipment
from gambito.errors import GameError, PositionError
from gambito.game.contract import NO_ACTION, Game, quoted
from gambito.game.records import decode
from gambito.game.variations import Line, Move, Score
from gambito.games.spare_places import SparePlaces
from gambito.native import int64, mix
from gambito.native.wide import (
    Words,
    common,
    count_places,
    first_place,
    has_place,
    is_empty,
    nth_place,
    only,
    union_of,
    wide_places,
    wide_set,
    without,
)
from gambito.words import say, tell
from gambito.words.sentence import Sentence

from .board import NOWHERE, PointGeometry
from .notation import (
    SIDES,
    owners_of,
    read_extras,
    read_properties,
    read_record,
    read_sizes,
    record_points,
    split_records,
)
from .variations import read_tree, write_record

WIN = 1000
POINT = 10  # the value of a crossing while the game is not over
NO_KO = -1


class State(NamedTuple):
    """A position."""

    mine: Words  # stones of the player to move
    theirs: Words
    ko: int  # where the player to move may not play, or NO_KO
    passes: int  # in a row
    mover: int
    plies: int  # played
    past: Any = 0  # keys of the positions so far, under positional superko


def _check_alone(text: str) -> None:
    """Refuse a text with several records."""
    count = sum(1 for _ in split_records(text))
    if count > 1:
        raise PositionError("the text holds {} games, not one", count)


class Go(SparePlaces, PointGeometry, Game):
    """Surround more area than the opponent."""

    name = "go"
    measure = ("wins", 1.0)
    record_ending = "sgf"
    sides = ("Black", "White")
    lowest, highest = -WIN, WIN
    scale = 10.0 * POINT
    played_by = "mcts"
    preferences = {  # noqa: RUF012
        "mcts": {"playout": "replies", "rave": 1000.0, "exploration": 0.1, "bias": 5.0, "temperature": 5.0}
    }

    def __init__(self, size: int = 9, komi: float = 7.5, superko: bool = False) -> None:
        super().__init__(size)
        if not -400 <= komi <= 400 or komi * 2 != int(komi * 2):
            raise GameError("komi is a whole or half number from -400 to 400")
        self.komi, self.superko = komi, superko
        self.halves = int(komi * 2)
        self.cycles = not superko
        self.longest = 3 * size * size
        self.most_actions = size * size + 1

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        return State(self.nothing, self.nothing, NO_KO, 0, 0, 0, self._no_past())

    def _no_past(self) -> Any:
        if not self.superko:
            return 0
        past = np.zeros(3 * self.size**2 + 1, np.uint64)
        past[0] = mix((self.nothing, self.nothing))
        return past

    def player(self, state):
        return state.mover

    def free(self, state):
        return without(self.board, union_of(state.mine, state.theirs))

    def is_allowed(self, state, place, free):
        """May the player to move play on this free crossing?"""
        stone = only(place, free)
        if place == state.ko or not self.is_no_suicide(stone, state.mine, state.theirs, free):
            return False
        if self.superko:
            mine, theirs, _ = self.played(state, stone)
            key = self.key_of(mine, theirs, state.mover)
            for ply in range(state.plies + 1):
                if state.past[ply] == key:
                    return False
        return True

    def actions(self, state):
        """The crossings where the player may play, then the pass."""
        free = self.free(state)
        left = free
        while not is_empty(left):
            place = first_place(left)
            left = without(left, only(place, left))
            if self.is_allowed(state, place, free):
                yield place
        yield self.pass_action

    def played(self, state, stone):
        """The stones of the player and of the opponent after a move, and the ko."""
        free = without(self.free(state), stone)
        mine, theirs, ko = union_of(state.mine, stone), state.theirs, NO_KO
        near = self.beside(stone)
        if not is_empty(common(near, theirs)):
            taken = self.taken(stone, theirs, free)
            if not is_empty(taken):
                theirs = without(theirs, taken)
                if is_empty(common(near, union_of(state.mine, free))) and count_places(taken) == 1:
                    ko = first_place(taken)
        return mine, theirs, ko

    def key_of(self, mine, theirs, mover):
        """The key of the board alone."""
        return mix((mine, theirs)) if mover == 0 else mix((theirs, mine))

    def result(self, state, action):
        if action == self.pass_action:
            past = self.remembered(state, state.mine, state.theirs)
            return State(
                state.theirs, state.mine, NO_KO, state.passes + 1, 1 - state.mover, state.plies + 1, past
            )
        mine, theirs, ko = self.played(state, only(action, state.mine))
        past = self.remembered(state, mine, theirs)
        return State(theirs, mine, ko, 0, 1 - state.mover, state.plies + 1, past)

    def remembered(self, state, mine, theirs):
        """The past with one more position, if it is needed."""
        if not self.superko:
            return state.past
        past = state.past.copy()
        past[state.plies + 1] = self.key_of(mine, theirs, state.mover)
        return past

    def is_terminal(self, state):
        return state.passes >= 2 or state.plies >= self.longest

    def utility(self, state, player):
        halves = self.halves_ahead(state)
        value = WIN if halves > 0 else -WIN if halves < 0 else 0
        return value if player == 0 else -value

    def halves_ahead(self, state):
        """Black's lead in half points, after komi."""
        if state.mover == 0:
            return 2 * self.lead(state.mine, state.theirs) - self.halves
        return 2 * self.lead(state.theirs, state.mine) - self.halves

    # ---- what it adds ----------------------------------------------------------------------------
    def key(self, state):
        """Leave out the plies: the same position may come back."""
        return mix((state.mine, state.theirs, state.ko, state.passes, state.mover))

    def random_action(self, state, rng):
        """Any legal crossing except the player's own eyes; a pass if there is none."""
        free = self.free(state)
        left = free
        eyes = self.eyes(state.mine, free)
        while True:
            count = count_places(left)
            if count == 0:
                return self.pass_action
            place = nth_place(left, rng.below(count))
            stone = only(place, left)
            is_own_eye = not is_empty(common(stone, eyes)) and self.is_eye(stone, state.theirs)
            if not is_own_eye and self.is_allowed(state, place, free):
                return place
            left = without(left, stone)

    def reply(self, state, before, rng):
        """Capture the chain of the last stone, save an own chain from it, or play a shape next to it."""
        if before == self.pass_action:
            return NO_ACTION
        free = self.free(state)
        last = only(before, free)
        place = self.only_liberty(last, state.theirs, free)
        if place != NOWHERE and self.is_allowed(state, place, free):
            return place
        place = self.rescue(state, last, free)
        if place != NOWHERE:
            return place
        around = common(union_of(self.beside(last), self.diagonals(last)), free)
        chosen, seen = int64(NO_ACTION), 0
        while not is_empty(around):
            place = first_place(around)
            around = without(around, only(place, around))
            if self.is_shape(place, state.mine, state.theirs) and self.is_allowed(state, place, free):
                seen += 1
                if rng.below(seen) == 0 and not self.is_self_atari(place, state.mine, free):
                    chosen = int64(place)
        return chosen

    def rescue(self, state, last, free):
        """Where a chain that the last stone put into atari can escape or capture; else NOWHERE."""
        near = common(self.beside(last), state.mine)
        while not is_empty(near):
            stone = only(first_place(near), near)
            place = self.only_liberty(stone, state.mine, free)
            chain = self.reach(stone, state.mine) if place != NOWHERE else stone
            near = without(near, chain)
            if place == NOWHERE:
                continue
            foes = common(self.beside(chain), state.theirs)
            while not is_empty(foes):
                foe = only(first_place(foes), foes)
                foes = without(foes, foe)
                taking = self.only_liberty(foe, state.theirs, free)
                if taking != NOWHERE and self.is_allowed(state, taking, free):
                    return taking
            if not self.is_self_atari(place, state.mine, free) and self.is_allowed(state, place, free):
                return place
        return int64(NOWHERE)

    def evaluate(self, state, player):
        """A crossing belongs to the colour whose stones are nearer."""
        mine, theirs = state.mine, state.theirs
        ahead = self.influence(mine, theirs) if state.mover == 0 else self.influence(theirs, mine)
        value = POINT * ahead - POINT * self.halves // 2
        value = max(-WIN + 1, min(WIN - 1, value))
        return value if player == 0 else -value

    def priority(self, state, action):
        """Captures and escapes first, then shapes; own eyes, self-atari and the first line last."""
        if action == self.pass_action:
            return -20
        stone, free = only(action, state.mine), self.free(state)
        near = self.beside(stone)
        gone = count_places(self.taken(stone, state.theirs, without(free, stone)))
        value = 10 * gone
        if gone == 0 and self.is_self_atari(action, state.mine, free):
            value -= 10
        elif not is_empty(common(near, state.mine)) and self.is_in_atari(near, state.mine, free):
            value += 10
        if self.is_shape(action, state.mine, state.theirs):
            value += 5
        if has_place(self.eyes(state.mine, free), action):
            value -= 30
        if has_place(self.edge, action):
            value -= 4
        return value

    # ---- board and text --------------------------------------------------------------------------
    def equipment(self) -> Equipment:
        return Equipment(
            drawn.crossings(self.size, self.size), SIDES, sides=SIDES, alike={"B": "X", "W": "O"}
        )

    def stands(self, state, cell):
        place = self.place_of(cell)
        if has_place(state.mine, place):
            return 1 + state.mover
        return 2 - state.mover if has_place(state.theirs, place) else 0

    def touched(self, state, action, step):
        return self.cell_of(action) if step == 0 and action != self.pass_action else NO_CELL

    def extras(self, state: State) -> list[str]:
        ko = self.kept_equipment().board.cells[self.cell_of(state.ko)].name if state.ko >= 0 else "-"
        return [ko, str(state.passes), str(state.plies)]

    def turn_words(self, state: State) -> str:
        lead = self.halves_ahead(state) / 2
        ahead = tell(self.sides[0 if lead > 0 else 1])
        score = say("{0} has {1:g} more", ahead, abs(lead)) if lead else say("both have as much")
        turn = say("{0} to move", tell(SIDES[state.mover]))
        if self.is_terminal(state):
            turn = say("the game is over")
        return say("by area {}; {}", score, turn)

    def reason(self, state: State) -> str:
        if state.passes < 2:
            return Sentence("the longest game is reached")
        return Sentence("both have passed; {}", self._lead_text(state))

    def parse(self, text: str) -> State:
        """Rows, side, ko, passes and plies (`.../.X./... O - 0 1`); moves (`E5 C3 pass`); or SGF."""
        if text.lstrip().startswith("("):
            start, actions = self.read_game(text)
            for action in actions:
                start = self.result(start, action)
            return start
        return super().parse(text)

    def set_up(self, cells: Sequence[int], mover: int, extras: Sequence[str], text: str) -> State:
        ko, passes, plies = read_extras(self, extras, text)
        black, white, free = (self.places_with(cells, code) for code in (1, 2, 0))
        for stones in (black, white):
            for place in wide_places(stones):
                if not self.has_liberty(wide_set([place], self.words), stones, free):
                    name = self.kept_equipment().board.cells[self.cell_of(place)].name
                    raise PositionError("in {} the stone on {} has no liberty", quoted(text), name)
        mine, theirs = (white, black) if mover else (black, white)
        past = self._no_past()
        if self.superko:
            past[plies] = self.key_of(mine, theirs, mover)
        return State(mine, theirs, ko, passes, mover, plies, past)

    def write(self, state: State, action: int) -> str:
        return "pass" if action == self.pass_action else super().write(state, action)

    def write_game(self, start: State, actions: Iterable[int]) -> str:
        """Write SGF; from a position with a past, the position in brackets and the moves."""
        return self.write_headed(start, actions, {})

    def write_headed(self, start: State, actions: Iterable[int], headers: Mapping[str, str]) -> str:
        if int(start.plies) or int(start.passes) or int(start.ko) != NO_KO:
            return super().write_game(start, actions)
        return write_record(self, Score(start, dict(headers), Line(moves=[Move(a) for a in actions])))

    def headers(self, text: str) -> dict[str, str]:
        """The properties of an SGF record, without those of the board and the moves."""
        return read_properties(text) if text.lstrip().startswith("(") else {}

    def of_record(self, text: str) -> Go:
        """A record says the size of its board, and may say its komi."""
        changed = read_sizes(text) if text.lstrip().startswith("(") else {}
        given = {**self.parameters(), **changed}
        return self if given == self.parameters() else type(self)(**given)

    def read_game(self, text: str) -> tuple[State, list[int]]:
        if not text.lstrip().startswith("("):
            return super().read_game(text)
        _check_alone(text)
        return read_record(self, text)

    def read_tree(self, text: str) -> Score:
        if not text.lstrip().startswith("("):
            return super().read_tree(text)
        _check_alone(text)
        return read_tree(self, text)

    def write_tree(self, score: Score) -> str:
        if int(score.start.plies) or int(score.start.passes) or int(score.start.ko) != NO_KO:
            return super().write_tree(score)
        return write_record(self, score)

    def split_games(self, data: bytes) -> Iterable[str]:
        """Split SGF into its games, or text into one game a line."""
        text = decode(data)
        return split_records(text) if text.lstrip().startswith("(") else super().split_games(data)

    def read_record(self, text: str) -> tuple[State, list[int], float | None]:
        if not text.startswith("("):
            return super().read_record(text)
        return (*self.read_game(text), record_points(text))

    def marks(self, state: State) -> list[drawn.Mark]:
        """At the end, the crossings that only one colour reaches."""
        if not self.is_terminal(state):
            return []
        stones, owners = self.cell_codes(state), self.owners(state)
        areas = [[n for n, code in enumerate(stones) if not code and owners[n] == side] for side in (0, 1)]
        return [drawn.Mark("own", tuple(area), side) for side, area in enumerate(areas) if area]

    def tallies(self, state: State, start: State, actions: Sequence[int]) -> list[drawn.Tally]:
        """The prisoners of each side: the stones that the other side had or put, and has no more."""
        found, begins = [], int(start.mover)
        for side in (0, 1):
            other = 1 - side
            put = sum(action != self.pass_action for action in actions[other ^ begins :: 2])
            had, has = (
                count_places((each.mine, each.theirs)[other ^ int(each.mover)]) for each in (start, state)
            )
            found.append(drawn.Tally(Sentence("prisoners: {}", int(had + put - has))))
        return found

    def owners(self, state: State) -> list[int]:
        """A stone owns its crossing, and an empty region belongs to the only colour that it touches."""
        return owners_of(self.size, self.cell_codes(state))

    def remarks(self, state: State) -> str:
        if self.is_terminal(state):
            return self._lead_text(state)
        return Sentence("komi: {:g}", self.komi)

    def _lead_text(self, state: State) -> str:
        lead = self.halves_ahead(state) / 2
        if not lead:
            return Sentence("both have as much area")
        return Sentence("{} has {:g} points more", Sentence(self.sides[0 if lead > 0 else 1]), abs(lead))
