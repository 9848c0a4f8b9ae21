"""Gambito finds the best move in any game, from rules written once, in plain Python.

    import gambito
    game = gambito.load("connect-four")
    found = gambito.search(game, game.parse("4455"), algorithm="pvs", depth=12)
    found.action, found.value, found.line

The names below are the public interface; everything else may change.
"""

from gambito import picture
from gambito.endgames import listing as listing
from gambito.endgames.tables import tables_of
from gambito.errors import (
    BookError,
    CompileError,
    EndgameError,
    EvaluationError,
    ExerciseError,
    GambitoError,
    GameError,
    GtpError,
    Interrupted,
    JobError,
    PlayerError,
    PositionError,
    QuestionError,
    SearchError,
    ServeError,
    StaleTable,
    UnknownValue,
)
from gambito.game.check import check
from gambito.game.contract import CHANCE, NOBODY, Game
from gambito.game.puzzle import Puzzle, heuristic
from gambito.game.registry import load
from gambito.game.zobrist import zobrist_change, zobrist_key, zobrist_numbers
from gambito.hidden.exploit import exploit
from gambito.native import first_bit, int64, last_bit, mix, popcount, uint64
from gambito.players.opponent import Player
from gambito.puzzle.check import check_heuristic
from gambito.search.api import perft, search, solve, trace
from gambito.search.found import Found
from gambito.search.limits import Progress, Stop
from gambito.search.session import Session
from gambito.shown import show

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "NOBODY",
    "BookError",
    "CompileError",
    "EndgameError",
    "EvaluationError",
    "ExerciseError",
    "Found",
    "GambitoError",
    "Game",
    "GameError",
    "GtpError",
    "Interrupted",
    "JobError",
    "Player",
    "PlayerError",
    "PositionError",
    "Progress",
    "Puzzle",
    "QuestionError",
    "SearchError",
    "ServeError",
    "Session",
    "StaleTable",
    "Stop",
    "UnknownValue",
    "check",
    "check_heuristic",
    "exploit",
    "first_bit",
    "heuristic",
    "int64",
    "last_bit",
    "load",
    "mix",
    "perft",
    "picture",
    "popcount",
    "search",
    "show",
    "solve",
    "tables_of",
    "trace",
    "uint64",
    "zobrist_change",
    "zobrist_key",
    "zobrist_numbers",
]
