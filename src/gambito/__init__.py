"""Gambito finds the best move in any game, from rules written once, in plain Python.

    import gambito
    game = gambito.load("connect-four")
    found = gambito.search(game, game.parse("4455"), algorithm="pvs", depth=12)
    found.action, found.value, found.line

The names below are the public interface; everything else may change.
"""

from typing import TYPE_CHECKING

from gambito import picture
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
from gambito.game.contract import CHANCE, NOBODY, Game
from gambito.game.puzzle import Puzzle, heuristic
from gambito.game.registry import load
from gambito.game.zobrist import zobrist_change, zobrist_key, zobrist_numbers
from gambito.lazy_imports import lazy_imports
from gambito.native import first_bit, int64, last_bit, mix, popcount, uint64
from gambito.registrations import register_rooms
from gambito.search.api import perft, search, solve, trace
from gambito.search.classic.leaf import leaf_kind, leaf_value
from gambito.search.custom import algorithm
from gambito.search.limits import Progress, Stop
from gambito.search.search_result import SearchResult
from gambito.search.session import Session
from gambito.shown import show
from gambito.version import __version__ as __version__

if TYPE_CHECKING:
    from gambito.endgames.tables import tables_of
    from gambito.exports.files import export
    from gambito.hidden.exploit import exploit
    from gambito.players.experiments import experiment
    from gambito.players.opponent import Player
    from gambito.reports import check, check_heuristic

__all__ = [
    "CHANCE",
    "NOBODY",
    "BookError",
    "CompileError",
    "EndgameError",
    "EvaluationError",
    "ExerciseError",
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
    "SearchResult",
    "ServeError",
    "Session",
    "StaleTable",
    "Stop",
    "UnknownValue",
    "algorithm",
    "check",
    "check_heuristic",
    "experiment",
    "exploit",
    "export",
    "first_bit",
    "heuristic",
    "int64",
    "last_bit",
    "leaf_kind",
    "leaf_value",
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

# What a search does not need is imported when it is asked for: that halves the time of `import gambito`.
__getattr__ = lazy_imports(
    __name__,
    {
        "Player": "gambito.players.opponent",
        "check": "gambito.reports",
        "check_heuristic": "gambito.reports",
        "experiment": "gambito.players.experiments",
        "exploit": "gambito.hidden.exploit",
        "export": "gambito.exports.files",
        "tables_of": "gambito.endgames.tables",
    },
)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register_rooms()
