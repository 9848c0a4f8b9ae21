"""The options of a session, as UCI and UGI announce and set them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from gambito.errors import SearchError
from gambito.players.clock import OVERHEAD
from gambito.search.algorithm import Option, find
from gambito.search.chooser import strongest

ENGINE = "engine"  # the algorithm for mates, for restricted moves, and for several lines
HIDDEN = ("memory", "live", "deepen")  # the first is called Hash here; the others are not for users
ELO = (800, 2200)  # of the weakest and the strongest player below the full engine, if a game has no ratings
MOST_LINES = 256
OWN = (
    Option("Hash", 64, "size of the table in MiB", low=1, high=16384),
    Option("Threads", 1, "threads", low=1, high=256),
    Option("MultiPV", 1, "number of lines", low=1, high=MOST_LINES),
    Option(
        "Move Overhead",
        int(1000 * OVERHEAD),
        "milliseconds reserved for delays of the connection",
        low=0,
        high=5000,
    ),
    Option("Ponder", False, "use the time of the other side"),
    Option("UCI_LimitStrength", False, "play weaker, at the strength of UCI_Elo"),
    Option("UCI_Elo", ELO[1], "playing strength", low=ELO[0], high=ELO[1]),
    Option("UCI_Chess960", False, "write castling as the king taking its rook"),
    Option("UCI_AnalyseMode", False, "analysis: neither the book nor a weaker strength is used"),
    Option("UCI_ShowWDL", False, "tell the chances of a win, a draw and a loss"),
    Option("Book File", "", "an opening book of Gambito or Polyglot"),
    Option("Book Depth", 16, "plies to play from the book", low=0, high=1000),
    Option("Table Path", "", "folder of endgame tables of Gambito"),
    Option("SyzygyPath", "", "folders of Syzygy tables"),
)
OF_CHESS = ("UCI_Chess960", "SyzygyPath")  # options that only chess has
PATHS = ("Book File", "Table Path", "SyzygyPath")
COSTLY = ("Hash", "Threads")  # options of the session that a machine may not have enough for
CLEAR = "Clear Hash"


@dataclass
class Choices:
    """The options of one session and their values."""

    options: dict[str, Option]
    values: dict[str, Any]

    def __post_init__(self) -> None:
        self._proven = dict(self.values)  # the values with which a search has worked, at first the defaults

    def announce(self) -> list[str]:
        """Return one line for each option."""
        lines = [_announced(option, self.values[name]) for name, option in self.options.items()]
        return [*lines, f"option name {CLEAR} type button"]

    def find(self, name: str) -> Option:
        """Return the option with this name, ignoring case."""
        for known, option in self.options.items():
            if known.lower() == name.lower():
                return option
        raise SearchError("there is no option '{}'; accepted: {}", name, ", ".join(self.options))

    def set(self, name: str, value: str) -> Option:
        option = self.find(name)
        if option.name in PATHS and value == "<empty>":
            value = ""
        self.values[option.name] = option.read(value)
        return option

    def prove(self) -> None:
        """Remember the current values: a search has worked with them."""
        self._proven = dict(self.values)

    def give_up(self) -> list[str]:
        """Go back to values of the search that have worked; return the names of the options that changed."""
        own = {option.name for option in OWN} - set(COSTLY)
        changed = [n for n, value in self.values.items() if n not in own and value != self._proven[n]]
        self.values |= {name: self._proven[name] for name in changed}
        return changed

    def search_options(self) -> dict[str, Any]:
        """Return the options of the search."""
        own = {option.name for option in OWN}
        given = {name: value for name, value in self.values.items() if name not in own}
        return {**given, "memory": self.values["Hash"]}


def new_choices(game: Any, has_variant: bool) -> Choices:
    """Return the options of the session and of the algorithm, and those of chess if the game is chess."""
    algorithm = find(strongest(game))
    preferred = algorithm.read_options({}, game)
    known = {option.name: option for option in OWN if has_variant or option.name not in OF_CHESS}
    known |= {option.name: option for option in algorithm.options if option.name not in HIDDEN}
    if game.rated_nodes:
        top = game.rated_nodes[-1][0]
        known["UCI_Elo"] = replace(known["UCI_Elo"], default=top, high=top)
    values = {name: preferred.get(name, option.default) for name, option in known.items()}
    return Choices(known, values)


def _announced(option: Option, value: Any) -> str:
    begin = f"option name {option.name} type"
    if isinstance(option.default, bool):
        return f"{begin} check default {str(value).lower()}"
    if option.choices:
        return f"{begin} combo default {value} " + " ".join(f"var {choice}" for choice in option.choices)
    if isinstance(option.default, int) and option.low is not None:
        return f"{begin} spin default {value} min {option.low} max {option.high}"
    return f"{begin} string default {value if value != '' else '<empty>'}"
