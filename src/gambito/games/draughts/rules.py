"""The rules that the games of this family share; a few constants distinguish the games.

Men step forward diagonally and become kings on the last row. Capturing is compulsory, and a capture of
several pieces is one action. A player who cannot move has lost. A state is described from the side of the
player to move. Repeated positions are handled by the search.

    size        the size of the board
    flying      kings move and capture over any distance
    both_ways   men also capture backwards
    majority    the capture that takes the most pieces must be made
    routes      captures of the same pieces by different routes are different actions
    patience    moves of each side without progress until the game is drawn; 0: never
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gambito.boards import picture as drawn
from gambito.boards.equipment import NO_CELL, Equipment, Kind
from gambito.errors import GameError
from gambito.evaluate.accumulator import carried_value
from gambito.evaluate.patterns import pattern_inputs
from gambito.evaluate.wide import wide_value
from gambito.game.contract import Game
from gambito.game.records import decode
from gambito.game.score import (
    read_one,
    read_scored,
    read_scores,
    read_tags,
    read_tree,
    split_scores,
    write_one,
    write_tree,
)
from gambito.game.variations import Score
from gambito.games.blocks import InBlocks
from gambito.native import first_bit, int64, mix, popcount, uint64
from gambito.native.scratch import scratch
from gambito.words import say, tell
from gambito.words.sentence import Sentence

from . import numbers
from .board import DOWN, ROUND, UP, SquareGeometry
from .captures import BUFFER_SIZE, HEAD, KIND, jumpers, list_captures, taken_by
from .drawing import draw_board
from .knowledge import estimate, four_sets, judge, pattern_stage, promise
from .notation import (
    Lists,
    draw,
    pdn_style,
    read_move,
    routes_of,
    write_move,
)
from .schools import SHANNON, explain_shannon, shannon

WIN = 10_000
QUIETS = 512  # more than the quiet moves of any position


class State(NamedTuple):
    """A position."""

    mine: np.uint64  # pieces of the player to move
    theirs: np.uint64
    kings: np.uint64  # of both sides
    side: np.uint64  # 0: Black is to move, 1: White
    rest: np.uint64  # plies without progress


class _Rules(SquareGeometry, InBlocks, Game):
    """The rules of all games of the family."""

    record_ending = "pdn"
    cycles = True
    lowest, highest = -WIN, WIN
    flying = both_ways = majority = False
    beginner = 0  # the side that begins
    game_type = 0  # the game's number in PDN
    scale = 100.0  # hundredths of a man
    measure = ("men", 100.0)
    # Sets of squares as Black sees them, and the bonus of a man and of a king there.
    lie: tuple[tuple[tuple[int, ...], int, int], ...] = ()
    schools = (SHANNON,)

    def __init__(self, size: int, deep: int, patience: int, routes: bool, evaluation: str) -> None:
        super().__init__(size)
        self.evaluation, self.is_shannon = evaluation, evaluation == SHANNON
        if not 0 <= patience <= 1000:
            raise GameError("patience is from 0 to 1000, not {}", patience)
        self.patience, self.routes = patience, routes
        self.black = self._choose(lambda x, y: y < deep)
        self.white = self._choose(lambda x, y: y >= size - deep)
        rows = [range(r * self.half + 1, (r + 1) * self.half + 1) for r in range(size)]
        self.rows = np.array([[self._picked(*rows[-1 - r]), self._picked(*rows[r])] for r in range(size)])
        grounds = [squares for squares, _, _ in self.lie]
        turned = [[self.squares + 1 - square for square in squares] for squares in grounds]
        self.grounds = np.array([[self._picked(*g), self._picked(*t)] for g, t in zip(grounds, turned)])
        self.men = np.array([men for _, men, _ in self.lie])
        self.crowns = np.array([crowns for _, _, crowns in self.lie])

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        mine, theirs = (self.white, self.black) if self.beginner else (self.black, self.white)
        return State(mine, theirs, np.uint64(0), np.uint64(self.beginner), np.uint64(0))

    def player(self, state):
        return int64(state.side) ^ self.beginner

    def ahead(self, state):
        """The directions in which the men of the player to move step."""
        return int64(UP) if state.side else int64(DOWN)

    def jumps(self, state):
        """The directions in which the men of the player to move jump."""
        return int64(ROUND) if self.both_ways else self.ahead(state)

    def collect(self, state, buffer, place):
        found = scratch(BUFFER_SIZE)
        count = list_captures(self, found, state.mine, state.theirs, state.kings, self.jumps(state))
        number = 0
        while number < count:
            buffer[place] = int64(found[HEAD + 2 * number])
            place += 1
            number += 1
        return place if count else self.step_all(state, buffer, place)

    def step_all(self, state, buffer, place):
        """Write all moves that are not captures."""
        empty = self.full & ~(state.mine | state.theirs)
        ahead, way = self.ahead(state), 0
        while way < 4:
            walkers = state.mine & state.kings
            if (ahead >> way) & 1:
                walkers = state.mine
            left = walkers & self.shifted(empty, way ^ 2)
            while left:
                start = first_bit(left)
                left &= left - uint64(1)
                square = self.shifted(uint64(1) << uint64(start), way)
                buffer[place] = start | (first_bit(square) << 6)
                place += 1
                if self.flying and (state.kings >> uint64(start)) & uint64(1):
                    square = self.shifted(square, way) & empty
                    while square:
                        buffer[place] = start | (first_bit(square) << 6)
                        place += 1
                        square = self.shifted(square, way) & empty
            way += 1
        return place

    def count(self, state):
        if self.flying or self.can_take(state):
            return self.collect(state, scratch(QUIETS), int64(0))
        empty = self.full & ~(state.mine | state.theirs)
        ahead, way, number = self.ahead(state), 0, 0
        while way < 4:
            walkers = state.mine & state.kings
            if (ahead >> way) & 1:
                walkers = state.mine
            number += popcount(walkers & self.shifted(empty, way ^ 2))
            way += 1
        return number

    def can_take(self, state):
        """Must the player to move capture?"""
        empty = self.full & ~(state.mine | state.theirs)
        if jumpers(self, state.mine & ~state.kings, state.theirs, empty, self.jumps(state)):
            return True
        kings = state.mine & state.kings
        if not self.flying:
            return jumpers(self, kings, state.theirs, empty, int64(ROUND)) != uint64(0)
        while kings:
            square = kings & (~kings + uint64(1))
            kings ^= square
            way = 0
            while way < 4:
                over = self.shifted(square, way)
                while over & empty:
                    over = self.shifted(over, way)
                if self.shifted(over & state.theirs, way) & empty:
                    return True
                way += 1
        return False

    def result(self, state, action):
        leaves = uint64(1) << uint64(action & 63)
        comes = uint64(1) << uint64((action >> 6) & 63)
        mine, kings, taken = (state.mine ^ leaves) | comes, state.kings, uint64(0)
        if action >> KIND:
            taken = taken_by(
                self, scratch(BUFFER_SIZE), action, state.mine, state.theirs, kings, self.jumps(state)
            )
        rest = state.rest + uint64(1)
        if kings & leaves:
            kings = ((kings ^ leaves) | comes) & ~taken
            if taken:
                rest = uint64(0)
        else:
            last = self.top if state.side else self.bottom
            kings = (kings | (comes & last)) & ~taken
            few = self.few_pieces(state.mine, state.theirs, state.kings)
            if taken or few == 0 or few != self.few_pieces(mine, state.theirs, kings):
                rest = uint64(0)
        return State(state.theirs & ~taken, mine, kings, state.side ^ uint64(1), rest)

    def few_pieces(self, mine, theirs, kings):
        """How many moves of each side lead to a draw with so few pieces; 0: there is no such rule."""
        return 0

    def is_drawn(self, state):
        """Has there been no progress for too long?"""
        if self.patience == 0:
            return False
        few = self.few_pieces(state.mine, state.theirs, state.kings)
        return state.rest >= uint64(2 * self.patience) or (few > 0 and state.rest >= uint64(2 * few))

    def can_move(self, state):
        """A king that can move or capture at all can do so next to it."""
        empty = self.full & ~(state.mine | state.theirs)
        ahead, jumps, way = self.ahead(state), self.jumps(state), 0
        while way < 4:
            kings = state.mine & state.kings
            beside = self.shifted(empty, way ^ 2)
            if beside & (state.mine if (ahead >> way) & 1 else kings):
                return True
            behind = self.shifted(beside & state.theirs, way ^ 2)
            if behind & (state.mine if (jumps >> way) & 1 else kings):
                return True
            way += 1
        return False

    def is_terminal(self, state):
        return self.is_drawn(state) or not self.can_move(state)

    def utility(self, state, player):
        if self.can_move(state):
            return 0
        return -WIN if player == self.player(state) else WIN

    def is_stuck(self, state):
        """Never: a position without moves gives none anyway, so perft need not look at draws."""
        return False

    # ---- what it adds ----------------------------------------------------------------------------
    def evaluate(self, state, player):
        if self.is_wide:
            return wide_value(self, state, player)
        if self.is_learned:
            value = judge(self, state)
        elif self.is_shannon:
            value = shannon(self, state)
        else:
            value = estimate(self, state)
        value = min(max(value, 1 - WIN), WIN - 1)
        return value if player == self.player(state) else -value

    def carried(self, state, player, row, slots):
        if self.is_wide:
            return carried_value(self, state, player, row, slots)
        return self.evaluate(state, player)

    def explain(self, state: State) -> list[tuple[str, float, float | None]]:
        return explain_shannon(self, state) if self.is_shannon else []

    def sets(self, state):
        """Men and kings, those of player 0 and then those of player 1."""
        first, second = state.mine, state.theirs
        if self.player(state):
            first, second = state.theirs, state.mine
        return (
            first & ~state.kings, first & state.kings,
            second & ~state.kings, second & state.kings,
        )  # fmt: skip

    def across(self, square):
        """The place on the board as the other player sees it; a place between the rows stays."""
        if not (int(self.full) >> square) & 1:
            return square
        return self.place_of(self.squares + 1 - self.square_at(square))

    def inputs(self, state, buffer, place):
        if self.is_wide:
            return place
        return pattern_inputs(self, four_sets(state), pattern_stage(state), int64(state.side), buffer, place)

    def priority(self, state, action):
        return promise(self, state, action, action >> KIND)

    def key(self, state):
        """The same pieces with the other side to move have the complement as their key."""
        seen = mix((state.mine, state.theirs, state.kings))
        return ~seen if state.side else seen

    def reversible(self, state):
        return int64(state.rest)

    def noisy(self, state):
        """Captures."""
        if self.can_take(state):
            for action in self.actions(state):
                yield action

    def collect_noisy(self, state, buffer, place):
        return self.collect(state, buffer, place) if self.can_take(state) else place

    def collect_quiet(self, state, buffer, place):
        return place if self.can_take(state) else self.step_all(state, buffer, place)

    def is_urgent(self, state):
        """A player who can capture must capture."""
        return self.can_take(state)

    def random_action(self, state, rng):
        moves = scratch(QUIETS)
        return int64(moves[rng.below(self.collect(state, moves, int64(0)))])

    def playout(self, state, rng, plies):
        """Moves are generated once: a position without moves ends the game."""
        moves, played = scratch(QUIETS), 0
        while played < plies and not self.is_drawn(state):
            count = self.collect(state, moves, int64(0))
            if count == 0:
                break
            state = self.result(state, int64(moves[rng.below(count)]))
            played += 1
        return state, played

    # ---- numbers, for endgame tables -------------------------------------------------------------
    def signature(self, state):
        if not state.mine or not state.theirs or popcount(state.mine | state.theirs) > numbers.MAX_PIECES:
            return -1
        mine = numbers.material_of(state.mine & ~state.kings, state.mine & state.kings)
        theirs = numbers.material_of(state.theirs & ~state.kings, state.theirs & state.kings)
        return numbers.pair_of(mine, theirs)

    def slice_size(self, signature):
        return numbers.slice_size(self, signature)

    def index(self, state):
        mine, theirs, kings = state.mine, state.theirs, state.kings
        if state.side:
            mine, theirs, kings = self.turned(mine), self.turned(theirs), self.turned(kings)
        return numbers.number_of(self, mine, theirs, kings)

    def unindex(self, signature, number):
        mine, theirs, kings = numbers.position_of(self, signature, number)
        return State(mine, theirs, kings, uint64(0), uint64(0))

    def is_real(self, state):
        return not state.mine & state.theirs

    def unmoves(self, state):
        """Steps taken back; a player who could have captured there could not have stepped."""
        empty = self.full & ~(state.mine | state.theirs)
        back, way = self.ahead(state), 0  # the opponent's men came from the direction in which mine go
        while way < 4:
            walkers = state.theirs & state.kings
            if (back >> way) & 1:
                walkers = state.theirs
            left = walkers & self.shifted(empty, way ^ 2)
            while left:
                square = left & (~left + uint64(1))
                left ^= square
                source = self.shifted(square, way)
                while source:
                    kings = state.kings
                    if kings & square:
                        kings = (kings ^ square) | source
                    before = State(
                        (state.theirs ^ square) | source, state.mine, kings, state.side ^ uint64(1), uint64(0)
                    )
                    if not self.can_take(before):
                        yield before
                    source = self.shifted(source, way) & empty
                    if not self.flying or not state.kings & square:
                        source = uint64(0)
            way += 1

    def slice_names(self, limit: int) -> list[str]:
        return numbers.slice_names(limit)

    def slice_code(self, name: str) -> int:
        return numbers.read_slice(self, name)

    def conversions(self, name: str) -> list[str]:
        return numbers.conversions(self.slice_code(name))

    # ---- text ------------------------------------------------------------------------------------
    def legal_moves(self, state: Any) -> list[int]:
        """All moves, even if the game is drawn."""
        buffer = [0] * QUIETS
        return [int(action) for action in buffer[: self.collect(state, buffer, 0)]]

    def legal(self, state: Any) -> list[int]:
        return [] if self.is_terminal(state) else self.legal_moves(state)

    def show(self, state: State) -> str:
        name = tell(self.sides[self.player(state)])
        turn = say("{0} to move", name)
        if self.is_terminal(state):
            turn = say("drawn: {}", Sentence("no progress for too long"))
            if self.utility(state, 0):
                turn = say("{0} cannot move", name)
        marks = self.kept_equipment().marks(self.cell_codes(state))
        return f"{draw(self, marks)}\n{turn}"

    def reason(self, state: State) -> str:
        if self.can_move(state):
            return Sentence("no progress for too long")
        return Sentence("no move is possible") if state.mine else Sentence("no pieces are left")

    def equipment(self) -> Equipment:
        """The side that begins sits at the bottom."""
        first, second = "WB" if self.beginner else "BW"
        marks = (first.lower(), second.lower(), first, second)
        kinds = [Kind(mark, "king" if mark.isupper() else "disc", n % 2) for n, mark in enumerate(marks)]
        return Lists(draw_board(self, is_turned=self.beginner == 0), kinds, sides=first + second)

    def stands(self, state, cell):
        bit = uint64(1) << uint64(self.place_at(cell))
        if not (state.mine | state.theirs) & bit:
            return 0
        player = self.player(state)
        side = player if state.mine & bit else 1 - player
        return 1 + side + (2 if state.kings & bit else 0)

    def place_at(self, cell):
        return cell + cell // self.size

    def extras(self, state: State) -> list[str]:
        return [f"H{int(state.rest)}"] if state.rest else []

    def set_up(self, cells: Sequence[int], mover: int, extras: Sequence[str], text: str) -> State:
        """A FEN as in PDN, or the moves from the start."""
        sets = [
            sum(1 << self.place_at(cell) for cell, code in enumerate(cells) if code in codes)
            for codes in ((1, 3), (2, 4), (3, 4))
        ]
        lasts = (self.top, self.bottom) if self.beginner else (self.bottom, self.top)
        kings = sets[2] | sum(men & int(last) for men, last in zip(sets, lasts, strict=False))
        mine, theirs = (sets[1], sets[0]) if mover else (sets[0], sets[1])
        rest = int(extras[0][1:]) if extras else 0
        return State(*map(np.uint64, (mine, theirs, kings, mover ^ self.beginner, rest)))

    def write(self, state: State, action: int) -> str:
        return write_move(self, state, action)

    def read(self, state: State, text: str) -> int:
        action = read_move(self, state, text)
        return super().read(state, text) if action is None else action

    def write_game(self, start: State, actions: Iterable[int]) -> str:
        """Write a game as PDN."""
        return write_one(self, start, actions, pdn_style(self.game_type), int(self.player(start)))

    def write_headed(self, start: State, actions: Iterable[int], headers: Mapping[str, str]) -> str:
        return write_one(self, start, actions, pdn_style(self.game_type), int(self.player(start)), headers)

    def headers(self, text: str) -> dict[str, str]:
        """The tags of a PDN."""
        return read_tags(text, pdn_style(self.game_type))

    def read_game(self, text: str) -> tuple[State, list[int]]:
        """Read a PDN with a single game; a list of moves alone is accepted too."""
        return read_one(self, text, pdn_style(self.game_type))

    def read_tree(self, text: str) -> Score:
        return read_tree(self, text, pdn_style(self.game_type))

    def write_tree(self, score: Score) -> str:
        return write_tree(self, score, pdn_style(self.game_type), int(self.player(score.start)))

    def split_games(self, data: bytes) -> Iterable[str]:
        """Split a PDN into its games."""
        return split_scores(decode(data), pdn_style(self.game_type))

    def read_record(self, text: str) -> tuple[State, list[int], float | None]:
        return read_scored(self, text, pdn_style(self.game_type))

    # ---- picture ---------------------------------------------------------------------------------
    def tallies(self, state: State, start: State, actions: Sequence[int]) -> list[drawn.Tally]:
        """The men that each side has captured since the start."""

        def counts(position: State) -> list[int]:
            sides = [piece.side for piece in self.pieces(position)]
            return [sides.count(side) for side in range(2)]

        before, now = counts(start), counts(state)
        taken = [before[1 - side] - now[1 - side] for side in range(2)]
        return [drawn.Tally(Sentence("captured: {}", count) if count else "") for count in taken]

    def remarks(self, state: State) -> str:
        return ""

    def marks(self, state: State) -> list[drawn.Mark]:
        """The pieces that must capture."""
        if self.is_terminal(state) or not self.can_take(state):
            return []
        starts = sorted({self.touch(state, action)[0][0] for action in self.legal(state)})
        return [drawn.Mark("must", (cell,), int(self.player(state))) for cell in starts]

    def touched(self, state, action, step):
        """Where the piece stands, and where it ends."""
        if step > 1:
            return NO_CELL
        place = int64(action) >> 6 * step & 63
        return place - place // (self.size + 1)

    def touch(self, state: State, action: int) -> tuple[tuple[int, ...], ...]:
        """Every square that the piece visits, on any of the routes."""
        steps = zip(*routes_of(self, state, action), strict=True)
        return tuple(tuple(self.square_at(place) - 1 for place in dict.fromkeys(step)) for step in steps)


def read_pdn(game: _Rules, text: str) -> list[Score]:
    """Read all games of a text."""
    return read_scores(game, text, pdn_style(game.game_type))
