"""Another program as a player: an engine that uses UCI or UGI, started as a process.

uci:stockfish                                       a program, given by its name or its path
uci:stockfish:UCI_LimitStrength=true,UCI_Elo=2000   with options of the program
uci:stockfish:depth=8                               with depth, nodes or seconds, as for any player
ugi:gambito ugi othello                             a command with its arguments
"""

from __future__ import annotations

import contextlib
import queue
import shlex
import shutil
import subprocess
import threading
import time
from collections.abc import Sequence
from typing import Any

from gambito.errors import PlayerError
from gambito.game.contract import Game
from gambito.native.values import as_key
from gambito.players.clock import Clock
from gambito.players.player import Choice
from gambito.protocols.dialect import UCI, UGI, Dialect
from gambito.search.limits import Limits

PATIENCE = 120.0  # seconds for the start, and for an answer beyond `seconds`
LATE = 1.0  # seconds that an answer is waited for after the clock has run out
MAX_SECONDS = 600.0  # seconds for a move that only depth or nodes limit
QUIT = 1.0  # seconds for ending after `quit`
LIMITS = {"depth": int, "nodes": int, "seconds": float}


class ExternalPlayer:
    """An engine in a separate process. A problem with it is a `PlayerError`, which loses the game.

    A process that has ended, or does not answer in time, is ended and started again for the next game.
    """

    def __init__(
        self, command: Sequence[str], options: dict[str, str], limits: Limits, dialect: Dialect, label: str
    ) -> None:
        self.command, self.options, self.limits = list(command), options, limits
        self.dialect, self.label = dialect, label
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._told: list[Any] = []  # the states of this game so far, and the moves between them
        self._moves: list[str] = []

    @property
    def name(self) -> str:
        return self.label

    def prepare(self, game: Game, state: Any) -> None:
        self._start()

    def begin(self, game: Game, number: int = 0, clock: Clock | None = None) -> None:
        self._start()
        self._told, self._moves = [], []
        self._write(f"{self.dialect.name}newgame")
        self._ready()

    def choose(
        self, game: Game, state: Any, clock: Clock | None = None, past_states: Sequence[Any] = ()
    ) -> Choice:
        self._start()
        self._follow(game, [*past_states, state])
        place = f"{self.dialect.position} {game.text(self._told[0])}"
        moves = f" moves {' '.join(self._moves)}" if self._moves else ""
        self._write(f"position {place}{moves}")
        self._write(f"go {self._limit_words(game, state, clock)}")
        answer = self._read("bestmove", self._patience(clock)).split()
        if len(answer) < 2:
            raise PlayerError("{} answers '{}', which is not a move", self.name, " ".join(answer))
        return Choice(game.read(state, answer[1]))

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError, ValueError):
            assert process.stdin is not None
            process.stdin.write("quit\n")
            process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(QUIT)
        process.kill()
        process.wait()

    def __del__(self) -> None:
        self.close()

    # ---- the talk --------------------------------------------------------------------------------
    def _limit_words(self, game: Game, state: Any, clock: Clock | None) -> str:
        words = [f"{name} {limit}" for name, limit in self.limits.given().items() if name != "seconds"]
        if clock is not None:
            left, increment = max(1, round(clock.left * 1000)), round(clock.increment * 1000)
            for player in range(game.players):
                who = self.dialect.who(player)
                words.append(f"{who}time {left} {who}inc {increment}")
            if clock.to_go:
                words.append(f"movestogo {clock.to_go}")
        elif self.limits.seconds is not None or not words:
            words.append(f"movetime {round((self.limits.seconds or 1.0) * 1000)}")
        return " ".join(words)

    def _patience(self, clock: Clock | None) -> float:
        """The seconds within which a move must come."""
        if clock is not None:
            return clock.left + LATE
        if self.limits.seconds is None and self.limits.given():
            return MAX_SECONDS
        return (self.limits.seconds or 1.0) + PATIENCE

    def _follow(self, game: Game, states: list[Any]) -> None:
        """Update the list of moves. Positions that do not continue the known game begin a new one.

        If the game hides something, the program is told the position alone, as its player sees it.
        """
        known = len(self._told)
        if game.hidden:
            self._told, self._moves = states[-1:], []
        elif not known or as_key(tuple(states[:known])) != as_key(tuple(self._told)):
            self._told, self._moves = states[:1], []
        for state in states[len(self._told) :]:
            before = self._told[-1]
            legal, name = game.legal(before), as_key(state)
            action = next((a for a in legal if as_key(game.result(before, a)) == name), None)
            if action is None:
                self._told, self._moves = states[-1:], []
                return
            self._moves.append(game.token(before, action))
            self._told.append(state)

    def _start(self) -> None:
        """Start the process and set its options, if it is not running."""
        if self._process is not None and self._process.poll() is None:
            return
        program = shutil.which(self.command[0]) or shutil.which(self.command[0], path="/usr/games")
        if program is None:
            raise PlayerError(
                "there is no program '{}'; accepted: a name in the path, or a path", self.command[0]
            )
        self._lines = queue.Queue()
        self._process = subprocess.Popen(
            [program, *self.command[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            errors="replace",
            bufsize=1,
        )
        wanted = ("option name ", f"{self.dialect.name}ok", "readyok", "bestmove")
        threading.Thread(target=_listen, args=(self._process, self._lines, wanted), daemon=True).start()
        self._write(self.dialect.name)
        known = []
        line, end = "", time.monotonic() + PATIENCE
        while line != f"{self.dialect.name}ok":
            line = self._read("", end - time.monotonic())
            if line.startswith("option name "):
                known.append(line[len("option name ") :].partition(" type ")[0])
        for name, value in self.options.items():
            match = next((option for option in known if option.lower() == name.lower()), None)
            if match is None:
                raise PlayerError("{} has no option '{}'; accepted: {}", self.name, name, ", ".join(known))
            self._write(f"setoption name {match} value {value}")
        self._ready()

    def _ready(self) -> None:
        self._write("isready")
        self._read("readyok", PATIENCE)

    def _write(self, line: str) -> None:
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError:
            self.close()
            raise PlayerError("{} has ended", self.name) from None

    def _read(self, begin: str, seconds: float) -> str:
        """Return the next line that begins with `begin`; it must come within these seconds."""
        end = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                self.close()
                raise PlayerError("{} has not answered for {:.0f} s", self.name, seconds) from None
            if line is None:
                self.close()
                raise PlayerError("{} has ended", self.name)
            if line.startswith(begin):
                return line


def _listen(process: subprocess.Popen[str], lines: queue.Queue[str | None], wanted: tuple[str, ...]) -> None:
    """Pass on the lines that answer something. A program may print any number of others."""
    assert process.stdout is not None
    with contextlib.suppress(ValueError):  # the stream is closed with the process
        for line in process.stdout:
            if line.strip().startswith(wanted):
                lines.put(line.strip())
    lines.put(None)


def read_external(text: str) -> ExternalPlayer:
    """`uci:PROGRAM:OPTION=VALUE,…`"""
    kind, _, rest = text.partition(":")
    program, _, given = rest.partition(":")
    command = shlex.split(program)
    if not command:
        raise PlayerError(
            "'{}' names no program; accepted: {}:PROGRAM or {}:PROGRAM:OPTION=VALUE", text, kind, kind
        )
    options: dict[str, str] = {}
    limits: dict[str, Any] = {}
    for part in filter(None, given.split(",")):
        name, equals, value = part.partition("=")
        if not equals:
            raise PlayerError("'{}' is not an option of {}; accepted: OPTION=VALUE", part, program)
        if name in LIMITS:
            try:
                limits[name] = LIMITS[name](value)
            except ValueError:
                raise PlayerError("{} of {} must be a number, not '{}'", name, program, value) from None
        else:
            options[name] = value
    found = Limits(**limits)
    found.check()
    return ExternalPlayer(command, options, found, UCI if kind == "uci" else UGI, text)
