"""The options of a session, as both protocols announce and set them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gambito.errors import SearchError
from gambito.players.clock import OVERHEAD
from gambito.search.algorithm import Option, find
from gambito.search.chooser import strongest

ENGINE = "engine"  # what is asked for a mate, for some moves alone, or for several lines
HIDDEN = ("memory", "live", "deepen")  # the first has a name of its own here, the others are no choices
ELO = (800, 2200)  # of the weakest and the strongest player that is not the whole engine
MOST_LINES = 256
OWN = (
    Option("Hash", 64, "size of the table in MiB", low=1, high=16384),
    Option("Threads", 1, "threads", low=1, high=256),
    Option("MultiPV", 1, "how many lines are told", low=1, high=MOST_LINES),
    Option(
        "Move Overhead", int(1000 * OVERHEAD), "milliseconds that an answer may be late", low=0, high=5000
    ),
    Option("Ponder", False, "the other side's time may be used"),
    Option("UCI_LimitStrength", False, "play weaker, as UCI_Elo says"),
    Option("UCI_Elo", ELO[1], "how strong", low=ELO[0], high=ELO[1]),
    Option("UCI_Chess960", False, "castling is written as the king that takes its rook"),
    Option("Book File", "", "a book, Gambito's own or Polyglot's"),
    Option("Book Depth", 16, "plies that are played from the book", low=0, high=1000),
)
CLEAR = "Clear Hash"


@dataclass
class Choices:
    """The options of one session and their values."""

    options: dict[str, Option]
    values: dict[str, Any]

    def announce(self) -> list[str]:
        """One line for each option."""
        lines = [_announced(option, self.values[name]) for name, option in self.options.items()]
        return [*lines, f"option name {CLEAR} type button"]

    def find(self, name: str) -> Option:
        """By its name, in whatever case."""
        for known, option in self.options.items():
            if known.lower() == name.lower():
                return option
        raise SearchError("there is no option '{}'; accepted: {}", name, ", ".join(self.options))

    def set(self, name: str, value: str) -> Option:
        option = self.find(name)
        if option.name in ("Book File",) and value == "<empty>":
            value = ""
        self.values[option.name] = option.read(value)
        return option

    def search_options(self) -> dict[str, Any]:
        """The options of the search."""
        own = {option.name for option in OWN}
        given = {name: value for name, value in self.values.items() if name not in own}
        return {**given, "memory": self.values["Hash"]}


def new_choices(game: Any, has_variant: bool) -> Choices:
    """The session's own options and those of the algorithm; those of chess only where the game is chess."""
    algorithm = find(strongest(game))
    preferred = algorithm.read_options({}, game)
    known = {option.name: option for option in OWN if has_variant or option.name != "UCI_Chess960"}
    known |= {option.name: option for option in algorithm.options if option.name not in HIDDEN}
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
