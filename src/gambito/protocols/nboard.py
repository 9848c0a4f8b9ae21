"""NBoard's protocol for Othello, version 2. A session as of UCI, in other words.

    nboard 2                       set myname Gambito …
    set depth 12
    set game (;GM[Othello]…;)
    move F5/0.50/1.2
    hint 3                         search F5D6C3 0.50 0 9 …, status
    go                             === F5/0.50/1.23
    ping 7                         pong 7

Evaluations are in discs, for the player to move. A command that changes the position ends the running search.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import gambito
from gambito.errors import PositionError, SearchError, quoted
from gambito.game.contract import Game
from gambito.players.error_sentences import sentence
from gambito.protocols.background_search import Report
from gambito.protocols.dialect import UGI
from gambito.protocols.session import ProtocolSession
from gambito.search.limits import Progress

USUAL_DEPTH, DEEPEST = 10, 60
MOST_HINTS = 64
PASS = "PA"
PROPERTY = re.compile(r"([A-Za-z]+)\s*\[([^\]]*)\]")
DISCS = {"*": "X", "X": "X", "O": "O", "-": "-", ".": "-"}


class NBoardSession(ProtocolSession):
    """A session with a program that uses NBoard's protocol."""

    def __init__(self, game: Game, say: Callable[[str], None]) -> None:
        super().__init__(game, say, UGI)
        self.depth = USUAL_DEPTH
        self._value: float | None = None  # of the last report
        self._began = 0.0
        self._is_hinting = False

    def hear(self, line: str) -> bool:
        """Answer a line; return False at the end of the session. What is not understood is ignored."""
        word, _, rest = line.strip().partition(" ")
        commands: dict[str, Callable[[str], None]] = {
            "nboard": lambda text: self.say(f"set myname Gambito {gambito.__version__}"),
            "set": self._set_value,
            "move": self._move,
            "hint": self._hint,
            "go": lambda text: self._think(1, is_hinting=False),
            "ping": self._pong,
            "learn": lambda text: self.say("learned"),
        }
        if word == "quit":
            self.close()
            return False
        if word in commands:
            try:
                commands[word](rest.strip())
            except Exception as problem:  # a session continues after any line
                self.note(sentence(problem))
        return True

    # ---- what is said ----------------------------------------------------------------------------
    def note(self, text: str) -> None:
        self.say(f"status {text}")

    def tell_progress(self, now: Progress) -> None:
        self.say(f"nodestats {now.nodes} {now.seconds:.2f}")

    def tell_end(self, state: Any) -> None:
        self.note("the game is over")

    def report(self, told: Report) -> None:
        if self.thinking is None or self.thinking.is_silent or not told.found.depth:
            return
        if told.number == 1:
            self._value = float(told.ranked.value or 0)
        if self._is_hinting:
            moves, state = [], told.found.state
            for action in told.ranked.line:
                moves.append(nboard_move(self.game, state, action))
                state = self.game.result(state, action)
            value = float(told.ranked.value or 0)
            self.say(f"search {''.join(moves)} {value:.2f} 0 {told.found.depth}")

    def answer(self, state: Any, action: int | None, reply: int | None) -> None:
        if self._is_hinting:
            self.say("status")
        elif action is not None:
            value = "" if self._value is None else f"{self._value:.2f}"
            seconds = time.perf_counter() - self._began
            self.say(f"=== {nboard_move(self.game, state, action)}/{value}/{seconds:.2f}")

    # ---- commands ---------------------------------------------------------------------------------
    def _end(self) -> None:
        """End the running search; nothing more is heard of it."""
        if self.thinking is not None:
            self.thinking.end(is_silent=True)

    def _pong(self, text: str) -> None:
        self._end()
        self.say(f"pong {text}".rstrip())

    def _set_value(self, text: str) -> None:
        what, _, value = text.partition(" ")
        if what == "depth":
            if not value.isdecimal() or not 1 <= int(value[:9]) <= 1000:
                raise SearchError("depth must be a whole number from 1 to 1000, not {}", quoted(value))
            self._end()
            self.depth = min(int(value), DEEPEST)
        elif what == "game":
            self._end()
            self._forget()
            self.states = read_ggf(self.game, value)

    def _move(self, text: str) -> None:
        self._end()
        state = self.states[-1]
        self.states = [*self.states, self.game.result(state, read_move(self.game, state, text))]

    def _hint(self, text: str) -> None:
        if not text.isdecimal() or not 1 <= int(text[:9]) <= MOST_HINTS:
            raise SearchError("hint is followed by a whole number from 1 to {}", MOST_HINTS)
        self._think(int(text), is_hinting=True)

    def _think(self, lines: int, is_hinting: bool) -> None:
        self._end()
        state = self.states[-1]
        self._value, self._is_hinting, self._began = None, is_hinting, time.perf_counter()
        self.choices.values |= {"MultiPV": lines, "UCI_AnalyseMode": is_hinting}
        if self.game.is_terminal(state):
            self.note("the game is over")
            return
        self._go(["depth", str(self.depth)])


def nboard_move(game: Any, state: Any, action: int) -> str:
    """A move as NBoard writes it: `F5`, or `PA` for a pass."""
    text = game.write(state, action).upper()
    return text if re.fullmatch(r"[A-Z][0-9]+", text) else PASS


def read_move(game: Any, state: Any, text: str) -> int:
    """The action that NBoard's text names, `F5/1.5/2.0`: behind the move are a value and the seconds."""
    word = text.split("/")[0].strip().upper()
    word = PASS if word == "PASS" else word
    named = {nboard_move(game, state, action): action for action in game.legal(state)}
    if word not in named:
        accepted = ", ".join(named) or "none, the game is over"
        raise PositionError("{} is not a move here; accepted: {}", quoted(text), accepted)
    return named[word]


def read_ggf(game: Any, text: str) -> list[Any]:
    """The states of a game in GGF: `(;GM[Othello]BO[8 ---…--- *]B[F5]W[D6//1.2];)`."""
    properties = [(name.upper(), value.strip()) for name, value in PROPERTY.findall(text)]
    states: list[Any] = []
    for name, value in properties:
        if name == "BO":
            size, _, rest = value.partition(" ")
            cells = [DISCS.get(letter) for letter in rest if not letter.isspace()]
            wanted = game.size * game.size
            is_whole = size == str(game.size) and len(cells) == wanted + 1 and None not in cells
            if not is_whole or cells[-1] == "-":
                raise PositionError("{} is no board of {} cells and the side to move", quoted(value), wanted)
            states = [game.parse(f"{''.join(map(str, cells[:wanted]))} {cells[wanted]}")]
        elif name in ("B", "W") and states:
            state = states[-1]
            states.append(game.result(state, read_move(game, state, value)))
    if not states:
        raise PositionError("{} is no game in GGF with a board BO[…]", quoted(text))
    return states
