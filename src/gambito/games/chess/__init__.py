"""Chess and Chess960 on bitboards.

The board is drawn in board.py, and moves are made in moves.py. The evaluation is in knowledge.py and
exchange.py, and a network may take its place; text is handled in fen.py, san.py and pgn.py. White is player
0. A game ends by checkmate, by stalemate, after fifty moves of each side without a capture or a pawn move,
and when no mate is possible any more. Repeated positions are handled by the search.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from gambito.boards import picture as drawn
from gambito.boards.equipment import NO_CELL, Equipment
from gambito.errors import GameError, PositionError
from gambito.evaluate import USUAL, prepare
from gambito.evaluate.accumulator import carried_value
from gambito.evaluate.files import LEARNED
from gambito.evaluate.historical import as_quotient
from gambito.evaluate.wide import Wide, wide_value
from gambito.game.contract import Game
from gambito.game.gears import Burst, gears
from gambito.game.records import decode
from gambito.game.score import (
    read_one,
    read_scored,
    read_tags,
    read_tree,
    split_scores,
    write_one,
    write_tree,
)
from gambito.game.variations import Score
from gambito.games.blocks import BUFFER_SIZE, InBlocks
from gambito.native import int64, native
from gambito.native.bits import spread
from gambito.native.scratch import BLOCK, block, scratch
from gambito.words import say, tell
from gambito.words.sentence import Sentence

from . import endings, letters
from .board import KING, ONE, ZERO, State, is_check, square_of
from .drawing import EQUIPMENT, material
from .exchange import exchange, gives_check, is_losing, order, taken_value
from .fen import piece_on, read_fen, start_fen, write_fields
from .fewer import tempered
from .knowledge import FORM, estimate, list_inputs, phase_of
from .lecture import lecture_order, sort_moves
from .moves import (
    CASTLING,
    COUNT,
    EVERY,
    MAX_MOVES,
    NOISY,
    QUIET,
    generate,
    has_moves,
    kind_of,
    passed,
    play,
    source_of,
    target_of,
)  # fmt: skip
from .pgn import PGN, plies_before
from .san import read_move, write_coordinates, write_san
from .schools import SCHOOLS, explain_school, shannon, turing

USUAL_START = 518  # the number of the standard position among those of Chess960
PATIENCE = np.uint64(100)  # plies without progress
LIGHT = np.uint64(0x55AA55AA55AA55AA)  # squares
MATE = 10_000
ORDERINGS = ("exchange", "lecture")
ASKED = Burst(calls=5000, seconds=10.0)  # of `legal_moves`, before the rules are compiled for it


@native
def write_legal(game, state, buffer):
    """Write the legal moves; return how many there are."""
    return generate(state, buffer, int64(0), int64(EVERY))


def other_wing(square):
    """The square on the other side of the board's middle line, between the files d and e."""
    return square ^ 7


class Chess(InBlocks, Game):
    """Checkmate the opponent's king."""

    name = "chess"
    record_ending = "pgn"
    cycles = True
    sides = ("White", "Black")
    scale = 150.0  # hundredths of a pawn
    rated_nodes = ((1320, 113), (1660, 208), (2000, 8_000), (2450, 80_000))  # by Stockfish's UCI_Elo
    measure = ("pawns", 100.0)
    lowest, highest = -MATE, MATE
    preferences = {  # noqa: RUF012
        "engine": {
            "aspiration": 12,
            "etc": 0,
            "check_extension": True,
            "null_move": 3,
            "null_move_growth": 4,
            "late_move_reductions": True,
            "reduction_scale": 64,
            "futility": 130,
            "futility_depth": 3,
            "reverse_futility": 80,
            "late_move_pruning": 3,
            "losing_pruning": True,
            "history_malus": True,
            "quiescence_evasions": True,
            "delta_pruning": 150,
            "iir": 4,
            "staged_generation": True,
            "quiescence_table": True,
            "continuation_history": True,
            "capture_history": True,
            "improving": True,
            "correction_history": 40,
            "see_pruning": 60,
            "null_move_by_value": 200,
            "table_as_static": True,
            "singular_extension": 8,
            "multi_cut": True,
            "quiescence_checks": True,
            "razoring": 120,
            "noisy_probcut": 120,
        }
    }

    recipe = {  # noqa: RUF012
        "plans": (
            {
                "games": 5000,
                "depth": 4,
                "loose": 10,
                "stray": 0.01,
                "chunk": 50,
                "longest": 240,
                "decided": 900,
            },
        ),
        "fitting": {"results": 0.3, "rate": 1.0, "batch": 4096, "epochs": 60, "pull": 1e-7},
    }
    network_recipe = {  # noqa: RUF012
        "begin": LEARNED,
        "plans": tuple(
            {
                "games": games,
                "depth": depth,
                "loose": 10,
                "stray": 0.01,
                "chunk": 200,
                "longest": 240,
                "decided": 1500,
            }
            for games, depth in ((220_400, 4), (194_400, 5), (269_600, 5))
        ),
        "fitting": {
            "results": 0.1,
            "logit": 250.0,
            "rate": 0.001,
            "batch": 16384,
            "epochs": 12,
            "continues": True,
        },
        "gate": 400,
        "nodes": 10_000,
    }
    form, one_evaluation, schools = FORM, True, SCHOOLS
    network = Wide(sets=12, units=128, outputs=8, pieces=32, king=KING, mirror=other_wing)

    def __init__(
        self,
        chess960: bool = False,
        start: int = USUAL_START,
        ordering: str = ORDERINGS[0],
        evaluation: str = USUAL,
    ) -> None:
        if not 0 <= start < 960:
            raise GameError("start is a number from 0 to 959, not {}", start)
        if start != USUAL_START and not chess960:
            raise GameError("another start than the usual one is for chess960=true")
        if ordering not in ORDERINGS:
            raise GameError("ordering is {}, not {}", " or ".join(ORDERINGS), ordering)
        self.chess960, self.start, self.ordering = chess960, start, ordering
        self.lectures = ordering == ORDERINGS[1]
        self.evaluation = evaluation
        self.school = 1 + SCHOOLS.index(evaluation) if evaluation in SCHOOLS else 0
        prepare(self, np.int64)

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        return read_fen(start_fen(self.start), True)

    def player(self, state):
        return int64(state.side)

    def result(self, state, action):
        return play(state, action)

    def is_terminal(self, state):
        return state.rest >= PATIENCE or is_dead(state) or not has_moves(state, scratch(1))

    def utility(self, state, player):
        if not is_check(state) or has_moves(state, scratch(1)):
            return 0
        return -MATE if player == int64(state.side) else MATE

    def is_stuck(self, state):
        """Never: a position without moves gives none anyway, so perft need not look at draws."""
        return False

    def count(self, state):
        return generate(state, scratch(1), int64(0), int64(COUNT))

    def collect(self, state, buffer, place):
        end = generate(state, buffer, place, int64(EVERY))
        if self.lectures:
            sort_moves(state, buffer, place, end)
        return end

    # ---- what it adds ----------------------------------------------------------------------------
    def random_action(self, state, rng):
        moves = scratch(MAX_MOVES)
        return int64(moves[rng.below(self.collect(state, moves, int64(0)))])

    def playout(self, state, rng, plies):
        """Moves are generated once: a position without moves is checkmate or stalemate."""
        moves, played = scratch(MAX_MOVES), 0
        while played < plies and state.rest < PATIENCE and not is_dead(state):
            count = self.collect(state, moves, int64(0))
            if count == 0:
                break
            state = self.result(state, int64(moves[rng.below(count)]))
            played += 1
        return state, played

    def key(self, state):
        return state.key

    def reversible(self, state):
        return int64(state.rest)

    def collect_noisy(self, state, buffer, place):
        return generate(state, buffer, place, int64(NOISY))

    def collect_quiet(self, state, buffer, place):
        return generate(state, buffer, place, int64(QUIET))

    def is_losing(self, state, action):
        return not self.lectures and is_losing(state, action)

    def exchange_value(self, state, action):
        return exchange(state, action)

    def action_kind(self, action):
        """The piece and its target."""
        return action >> 6

    def structure_key(self, state):
        """The pawns of both sides."""
        return pawn_structure(state)

    def gain(self, state, action):
        return taken_value(state, action)

    def noisy(self, state):
        begin, end = int64(0), int64(1)
        while begin < end:
            end, some = self.listed_noisy(state, begin)
            place = begin
            while place < min(end, begin + BLOCK):
                yield some[place - begin]
                place += 1
            begin += BLOCK

    def listed_noisy(self, state, begin):
        """The number of noisy actions, and a block of them."""
        buffer = scratch(BUFFER_SIZE)
        end = generate(state, buffer, int64(0), int64(NOISY))
        return end, block(buffer, begin)

    def evaluate(self, state, player):
        if self.is_wide:
            return self.as_player(state, wide_value(self, state, int64(state.side)), player)
        if self.school == 1:
            value = turing(state)
        elif self.school == 2:
            value = shannon(state)
        else:
            value = estimate(self, state)
        value = min(max(value, 1 - MATE), MATE - 1)
        return value if player == int64(state.side) else -value

    def carried(self, state, player, row, slots):
        if self.is_wide:
            mover = int64(state.side)
            return self.as_player(state, carried_value(self, state, mover, row, slots), player)
        return self.evaluate(state, player)

    def as_player(self, state, value, player):
        """A value of the network for the player to move, as far as the ending can be won, for a player."""
        value = min(max(tempered(state, value), 1 - MATE), MATE - 1)
        return value if player == int64(state.side) else -value

    def sets(self, state):
        """Pawns, knights, bishops, rooks, queens and kings, White's and then Black's."""
        white, black = state.own, state.opp
        if state.side:
            white, black = state.opp, state.own
        return (
            white & state.pawns, white & state.knights, white & state.bishops,
            white & state.rooks, white & state.queens, white & state.kings,
            black & state.pawns, black & state.knights, black & state.bishops,
            black & state.rooks, black & state.queens, black & state.kings,
        )  # fmt: skip

    def explain(self, state: State) -> list[tuple[str, float, float | None]]:
        return explain_school(self.school, state) if self.school else []

    def worded(self, value: float, player: int) -> str:
        """Turing's quotient as a quotient."""
        if self.school != 1:
            return super().worded(value, player)
        return f"{as_quotient(-value if player else value):.3f}"

    def across(self, square):
        return square ^ 56

    def inputs(self, state, buffer, place):
        return place if self.is_wide else list_inputs(self, state, buffer, place)

    def priority(self, state, action):
        if self.lectures:
            return lecture_order(state, action)
        return order(state, action)

    def lecture_priority(self, state, action):
        return lecture_order(state, action)

    def is_zugzwang_likely(self, state):
        """The player has at most one piece besides the king and pawns."""
        pieces = state.own & ~state.pawns & ~state.kings
        return pieces & (pieces - ONE) == ZERO

    def stage(self, state):
        """0 in the opening to 3 in the endgame."""
        return 3 - phase_of(state) // 8

    def pass_turn(self, state):
        return state if is_check(state) else passed(state)

    def is_answer(self, state, action, threat):
        """The piece that would be taken moves away, or the one that would take is taken."""
        return source_of(action) == target_of(threat) or target_of(action) == source_of(threat)

    def is_urgent(self, state):
        return is_check(state)

    def is_forcing(self, state, action):
        return gives_check(state, action)

    # ---- endgame tables --------------------------------------------------------------------------
    def signature(self, state):
        return endings.signature(state)

    def slice_size(self, signature):
        return endings.slice_size(signature)

    def index(self, state):
        return endings.index(state)

    def unindex(self, signature, number):
        return endings.unindex(signature, number)

    def is_real(self, state):
        return endings.is_real(state)

    def unmoves(self, state):
        pieces = state.opp
        while pieces:
            to = square_of(pieces)
            kind = endings.kind_on(state, ONE << to)
            sources = endings.origins(state, to, kind)
            while sources:
                yield endings.before(state, square_of(sources), to, kind)
                sources &= sources - ONE
            pieces &= pieces - ONE

    def slice_names(self, limit: int) -> list[str]:
        return endings.names_up_to(limit)

    def slice_code(self, name: str) -> int:
        return endings.read_name(name)

    def conversions(self, name: str) -> list[str]:
        return endings.conversions(name)

    # ---- text ------------------------------------------------------------------------------------
    def legal_moves(self, state: Any) -> list[int]:
        """All legal moves. In a burst of calls, as when reading many games, the rules are compiled.

        A game on a clock has no such bursts, and could not wait for the compiler.
        """
        buffer = np.empty(MAX_MOVES, np.int64)
        if ASKED.goes_on():
            both = gears(self)
            count = write_legal(both.in_gear("native"), both.cast(state), buffer)
        else:
            count = generate(state, buffer, int64(0), int64(EVERY))
        return [int(action) for action in buffer[:count]]

    def legal(self, state: Any) -> list[int]:
        return [] if self.is_terminal(state) else self.legal_moves(state)

    def show(self, state: State) -> str:
        return letters.drawn(super().show(state))

    def spoken(self, name: str) -> str:
        return letters.spoken(name)

    def heard(self, state: State, text: str) -> int:
        with contextlib.suppress(PositionError):
            return self.read(state, letters.heard(text))
        return self.read(state, text)

    def turn_words(self, state: State) -> str:
        name = tell(self.sides[int(state.side)])
        if not self.is_terminal(state):
            return say("{0} to move", name) + (say(", in check") if is_check(state) else "")
        if self.utility(state, 0):
            return say("{0} is mated", name)
        if not self.legal_moves(state):
            return say("{0} is stalemated", name)
        return say("drawn: {}", self.reason(state))

    def reason(self, state: State) -> str:
        if self.utility(state, 0):
            return Sentence("checkmate")
        if not self.legal_moves(state):
            return Sentence("stalemate")
        return Sentence("no mate is possible") if is_dead(state) else Sentence("fifty moves without progress")

    def parse(self, text: str) -> State:
        """A FEN, or the moves from the start position in either notation."""
        return read_fen(text, self.chess960) if "/" in text else super().parse(text)

    def write(self, state: State, action: int) -> str:
        return write_san(self, state, action)

    def read(self, state: State, text: str) -> int:
        return read_move(self, state, text)

    def write_game(self, start: State, actions: Iterable[int]) -> str:
        """Write a game as PGN."""
        return write_one(self, start, actions, PGN, plies_before(start))

    def write_headed(self, start: State, actions: Iterable[int], headers: Mapping[str, str]) -> str:
        return write_one(self, start, actions, PGN, plies_before(start), headers)

    def headers(self, text: str) -> dict[str, str]:
        """The tags of a PGN."""
        return read_tags(text, PGN)

    def read_game(self, text: str) -> tuple[State, list[int]]:
        """Read a PGN with a single game; a list of moves alone is accepted too."""
        return read_one(self, text, PGN)

    def read_tree(self, text: str) -> Score:
        return read_tree(self, text, PGN)

    def write_tree(self, score: Score) -> str:
        return write_tree(self, score, PGN, plies_before(score.start))

    def split_games(self, data: bytes) -> Iterable[str]:
        """Split a PGN into its games."""
        return split_scores(decode(data), PGN)

    def read_record(self, text: str) -> tuple[State, list[int], float | None]:
        return read_scored(self, text, PGN)

    def token(self, state: State, action: int) -> str:
        """Coordinate notation: e2e4, e7e8q."""
        return write_coordinates(action, self.chess960)

    # ---- board -----------------------------------------------------------------------------------
    def equipment(self) -> Equipment:
        return EQUIPMENT

    def stands(self, state, cell):
        return piece_on(state, cell)

    def touched(self, state, action, step):
        """From and to; to castle, the square where the king goes."""
        source, to = int64(source_of(action)), int64(target_of(action))
        if step == 0:
            return source
        if kind_of(action) == CASTLING and not self.chess960:
            to = source // 8 * 8 + (6 if to > source else 2)
        return to if step == 1 else NO_CELL

    def extras(self, state: State) -> list[str]:
        return write_fields(state)

    def remarks(self, state: State) -> str:
        return Sentence("check") if is_check(state) and not self.is_terminal(state) else ""

    def marks(self, state: State) -> list[drawn.Mark]:
        if not is_check(state):
            return []
        return [drawn.Mark("check", (int(square_of(state.kings & state.own)),), int(state.side))]

    def tallies(self, state: State, start: State, actions: Sequence[int]) -> list[drawn.Tally]:
        return material(EQUIPMENT.marks(self.cell_codes(state)))

    def touch(self, state: State, action: int) -> tuple[int | tuple[int, ...], ...]:
        """From and to. To castle, touch the square where the king goes, or the rook."""
        source, to = (int(self.touched(state, action, step)) for step in (0, 1))
        if kind_of(action) != CASTLING:
            return source, to
        return source, (to,) if self.chess960 else (to, int(target_of(action)))


def pawn_structure(state):
    """A hash of the pawns of both sides, without regard to who is to move."""
    white = state.opp if state.side else state.own
    return int64(spread(spread(state.pawns & white) ^ (state.pawns & ~white)) >> np.uint64(40))


def is_dead(state):
    """Can neither side mate? A single minor piece is not enough, nor are bishops all on one colour."""
    if state.pawns | state.rooks | state.queens:
        return False
    minor = state.knights | state.bishops
    if minor == ZERO or minor & (minor - ONE) == ZERO:
        return True
    return state.knights == ZERO and (minor & LIGHT == ZERO or minor & ~LIGHT == ZERO)
