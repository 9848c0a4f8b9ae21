"""GTP, the Go Text Protocol, version 2: the lines that a program writes, and the answers.

The session does no input or output itself; `talk` connects it to two streams. It plays with Monte-Carlo tree
search, keeps its tree between moves, and follows the times of `time_settings` and `time_left`. An analysis
goes on, line by line, until the next command comes (`protocols/gtp_analysis.py`).
"""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any, TextIO

import gambito
from gambito.errors import GtpError
from gambito.game.contract import Game
from gambito.game.registry import load
from gambito.players.clock import Clock
from gambito.players.error_sentences import sentence
from gambito.players.player import Engine
from gambito.protocols.gtp_analysis import KATA, LEELA, Analysis, read_wishes
from gambito.search.limits import Limits
from gambito.search.search_result import SearchResult

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
USUAL_SECONDS = 5.0  # for each move, if no time is set
SMALLEST, LARGEST = 2, 19  # boards of Go
RESIGN = 0.03  # the share of wins below which it resigns
ENOUGH_VISITS = 1000  # visits before it may resign


class GtpSession:
    """A session with a program."""

    def __init__(
        self,
        game: Game,
        limits: Limits | None = None,
        options: Mapping[str, Any] | None = None,
        threads: int = 1,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.say = say  # the lines of an analysis, which are no answer to a line
        self.analysis: Analysis | None = None
        self.limits, self.options, self.threads = limits, dict(options or {}), threads
        self.clocks: dict[int, Clock] = {}
        self.main, self.byo, self.stones = 0.0, 0.0, 0
        self._begin(game)

    def _begin(self, game: Game) -> None:
        self.game = game
        self._last: SearchResult | None = None  # the search behind the last move
        self.states: list[Any] = [game.initial()]
        limits = self.limits or Limits(seconds=USUAL_SECONDS)
        self.engine = Engine(None, limits, None, self.options, self.threads)
        self.engine.session = gambito.Session()

    def hear(self, line: str) -> tuple[str, bool]:
        """Return the answer to a line ("" if it needs none), and whether the session continues.

        A line ends the running analysis, whose last line is an empty one.
        """
        ended = self.rest()
        answer, goes_on = self._hear(line)
        return ended + answer, goes_on

    def rest(self) -> str:
        """End the running analysis; return the line that ends it, or "" if there is none."""
        analysis, self.analysis = self.analysis, None
        if analysis is None:
            return ""
        analysis.end()
        return "\n"

    def _hear(self, line: str) -> tuple[str, bool]:
        words = "".join(c for c in line.split("#")[0] if c.isprintable() or c == "\t").split()
        number = words.pop(0) if words and words[0].isdigit() else ""
        if not words:
            return "", True
        command, given = words[0], words[1:]
        if command not in self._commands():
            return f"?{number} unknown command\n\n", True
        try:
            said = self._commands()[command](given)
        except GtpError as problem:
            return f"?{number} {problem}\n\n", True
        except Exception as problem:  # a session continues after any line
            return f"?{number} {sentence(problem)}\n\n", True
        end = "\n" if self.analysis is not None else "\n\n"  # an analysis goes on behind its answer
        return f"={number} {said}".rstrip() + end, command != "quit"

    def _commands(self) -> dict[str, Callable[[list[str]], str]]:
        return {
            "protocol_version": lambda words: "2",
            "name": lambda words: "Gambito",
            "version": lambda words: gambito.__version__,
            "known_command": lambda words: "true" if words and words[0] in self._commands() else "false",
            "list_commands": lambda words: "\n".join(self._commands()),
            "quit": lambda words: "",
            "boardsize": self._size,
            "clear_board": self._clear,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": lambda words: self._answer(words, is_played=False),
            "undo": self._undo,
            "showboard": lambda words: "\n" + self.game.show(self.states[-1]),
            "final_score": self._score,
            "time_settings": self._time,
            "time_left": self._left,
            "lz-analyze": lambda words: self._analyse(words, LEELA),
            "kata-analyze": lambda words: self._analyse(words, KATA),
            "lz-genmove_analyze": lambda words: self._genmove_analysed(words, LEELA),
            "kata-genmove_analyze": lambda words: self._genmove_analysed(words, KATA),
        }

    # ---- the board -------------------------------------------------------------------------------
    def _with(self, **changed: Any) -> Game:
        given = {**self.game.parameters(), **changed}
        return load("go:" + ",".join(f"{n}={v}" for n, v in given.items()))

    def _size(self, words: list[str]) -> str:
        if len(words) != 1:
            raise GtpError("boardsize not an integer")
        size = _read(words[0], int, "boardsize not an integer")
        if not SMALLEST <= size <= LARGEST:
            raise GtpError("unacceptable size")
        self._begin(self._with(size=size))
        return ""

    def _clear(self, words: list[str]) -> str:
        self._begin(self.game)
        return ""

    def _komi(self, words: list[str]) -> str:
        if len(words) != 1:
            raise GtpError("komi not a float")
        game = self._with(komi=_read(words[0], float, "komi not a float"))
        played = self.states
        self._begin(game)
        self.states = played
        return ""

    def _play(self, words: list[str]) -> str:
        if len(words) != 2 or words[0].lower() not in COLOURS:
            raise GtpError("invalid color or coordinate")
        if words[1].lower() == "resign":
            return ""
        states = self._states_for(COLOURS[words[0].lower()])
        state = states[-1]
        named = {self.game.write(state, a).upper(): a for a in self.game.legal(state)}
        if words[1].upper() not in named:
            raise GtpError("illegal move")
        self.states = [*states, self.game.result(state, named[words[1].upper()])]
        return ""

    def _states_for(self, player: int) -> list[Any]:
        """The states so far with the move at the player that GTP names. If it is another's turn, that one
        passes. Nothing changes: a command that is refused must leave the board as it was."""
        state = self.states[-1]
        if self.game.player(state) == player:
            return self.states
        if self.game.is_terminal(state):
            raise GtpError("illegal move")
        return [*self.states, self.game.result(state, self.game.pass_action)]  # type: ignore[attr-defined]

    def _undo(self, words: list[str]) -> str:
        if len(self.states) < 2:
            raise GtpError("cannot undo")
        self.states.pop()
        return ""

    def _score(self, words: list[str]) -> str:
        lead = self.game.halves_ahead(self.states[-1]) / 2  # type: ignore[attr-defined]
        return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"

    # ---- the engine ------------------------------------------------------------------------------
    def _genmove(self, words: list[str]) -> str:
        return self._answer(words, is_played=True)

    def _answer(self, words: list[str], is_played: bool) -> str:
        if len(words) != 1 or words[0].lower() not in COLOURS:
            raise GtpError("invalid color")
        player, self._last = COLOURS[words[0].lower()], None
        states = self._states_for(player)
        state = states[-1]
        if self.game.is_terminal(state):
            return "pass"
        choice = self.engine.choose(self.game, state, self.clocks.get(player))
        self._last = choice.found
        best = choice.found.candidates[0] if choice.found and choice.found.candidates else None
        if best and best.visits >= ENOUGH_VISITS and (1.0 + best.mean) / 2 < RESIGN:
            return "resign"
        action = choice.action
        assert action is not None
        if is_played:
            self.states = [*states, self.game.result(state, action)]
        return self.game.write(state, action)

    def _analyse(self, words: list[str], style: str) -> str:
        """Think about a position until the next line, and tell its moves from time to time."""
        wishes, colour = read_wishes(words)
        states = self.states if colour is None else self._states_for(COLOURS[colour])
        if self.game.is_terminal(states[-1]):
            raise GtpError("the game is over")
        self.analysis = Analysis(self.game, states[-1], self._kept(), wishes, style, self.say)
        return ""

    def _genmove_analysed(self, words: list[str], style: str) -> str:
        """Choose a move, and tell before it what was thought of the others."""
        wishes, colour = read_wishes(words)
        if colour is None:
            raise GtpError("invalid color")
        state = self._states_for(COLOURS[colour])[-1]
        move = self._answer([colour], is_played=True)
        found = self._last
        told = "" if found is None else Analysis.line(self.game, state, found, wishes, style)
        return "\n" + "\n".join(filter(None, (told, f"play {move}")))

    def _kept(self) -> dict[str, Any]:
        """What an analysis shares with the search for a move."""
        return {"session": self.engine.session, "threads": self.threads, **self.options}

    def _time(self, words: list[str]) -> str:
        if len(words) != 3:
            raise GtpError("syntax error")
        main, byo, stones = _read(words[0], float), _read(words[1], float), _read(words[2], int)
        if min(main, byo, stones) < 0:
            raise GtpError("syntax error")
        self.main, self.byo, self.stones = main, byo, stones
        self.clocks = {}
        if self.byo > 0 and self.stones == 0:  # the protocol's notation for no limit
            return ""
        for player in (0, 1):
            self.clocks[player] = self._clock(self.main, 0)
        return ""

    def _left(self, words: list[str]) -> str:
        if len(words) != 3 or words[0].lower() not in COLOURS:
            raise GtpError("syntax error")
        left, stones = _read(words[1], float), _read(words[2], int)
        if stones < 0:
            raise GtpError("syntax error")
        self.clocks[COLOURS[words[0].lower()]] = self._clock(left, stones)
        return ""

    def _clock(self, left: float, stones: int) -> Clock:
        """Return the clock: the time left for a number of stones or for the game, then byo-yomi."""
        if left <= 0:
            left, stones = self.byo, self.stones
        return Clock(left, to_go=stones or None)


def _read(word: str, kind: Callable[[str], Any], problem: str = "syntax error") -> Any:
    """Return the number that a word is; a GtpError if it is none, or not finite."""
    try:
        number = kind(word)
        is_finite = math.isfinite(number)
    except (ValueError, OverflowError):
        is_finite = False
    if not is_finite:
        raise GtpError(problem)
    return number


def talk(session: GtpSession, heard: TextIO | None = None, said: TextIO | None = None) -> None:
    """Answer line by line until `quit` or the end of the input."""
    source, target, lock = heard or sys.stdin, said or sys.stdout, threading.Lock()

    def say(text: str) -> None:
        with lock:
            target.write(text)
            target.flush()

    session.say = say
    try:
        for line in source:
            answer, goes_on = session.hear(line)
            say(answer)
            if not goes_on:
                return
            if session.analysis is not None:
                session.analysis.start()
    finally:
        session.rest()
