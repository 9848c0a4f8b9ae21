"""A session: the lines that a program writes, and the answers. It does no input or output itself.

`hear` takes a line and returns at once, except for a compilation. Answers go line by line to `say`, also from
the thread that searches. UCI and UGI are two dialects of the same protocol: in UCI the game is chess and the
players are White and Black; in UGI it is any game and the players are p1 and p2.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gambito
from gambito.books.choice import OpeningBook
from gambito.books.shelf import open_book
from gambito.game.contract import Game
from gambito.players.clock import Clock
from gambito.players.complaint import sentence
from gambito.players.levels import LEVELS, LevelPlayer
from gambito.protocols.options import CLEAR, ELO, Choices, new_choices
from gambito.protocols.thinking import Question, Thinking
from gambito.search.limits import Limits

VARIANT = "chess960"  # the parameter of a game that UCI_Chess960 sets
LIMITS = ("depth", "nodes", "mate", "movetime", "movestogo")
GO_ON = ("infinite", "ponder")
LEAST_SECONDS = 0.001  # for each move, even if no time is left
UNKNOWN_PLIES = 1 << 20  # assumed before a position that was set up: more than any book contains
MATE_NODES = 2_000_000  # of the usual search for a mate, before an exhaustive one


@dataclass(frozen=True)
class Dialect:
    """The words of a protocol."""

    name: str  # the first command of a session; the answer is this name and "ok"
    position: str  # the word before the text of a position
    players: tuple[str, str]  # the letters of the players in time, inc

    def greeting(self) -> list[str]:
        return [f"id name Gambito {gambito.__version__}", "id author the Gambito authors"]


UCI = Dialect("uci", "fen", ("w", "b"))
UGI = Dialect("ugi", "fen", ("p1", "p2"))


class Session:
    """A session with a program."""

    def __init__(self, game: Game, say: Callable[[str], None], dialect: Dialect = UCI) -> None:
        self.game, self.dialect = game, dialect
        self._say, self._lock = say, threading.Lock()
        self.choices: Choices = new_choices(game, hasattr(game, VARIANT))
        self.states: list[Any] = [game.initial()]
        self._asked: tuple[tuple[str, ...], list[str]] = ((), [])  # the words of the last `position` command
        self.plies = 0  # from the start of the game
        self.kept = gambito.Session()  # kept between searches
        self.book: OpeningBook | None = None
        self.thinking: Thinking | None = None
        self.is_ready = False
        self.rng = random.Random()

    def say(self, line: str) -> None:
        with self._lock:
            self._say(line)

    def hear(self, line: str) -> bool:
        """Answer a line; return False at the end of the session. Errors are reported in an `info string`."""
        words = line.split()
        while words and words[0] not in self._commands():
            words = words[1:]  # the protocol requires that unknown words are skipped
        if not words:
            if line.strip():
                self.say(f"info string unknown: {line.strip()[:80]!r}")
            return True
        if words[0] == "quit":
            self.close()
            return False
        try:
            self._commands()[words[0]](words[1:])
        except Exception as problem:  # a session continues after any line
            self.say(f"info string {sentence(problem)}")
        return True

    def close(self) -> None:
        """End the running search."""
        if self.thinking is not None:
            self.thinking.end(is_silent=True)

    def wait(self) -> None:
        """Wait until the running search ends. An infinite search ends only with `stop`."""
        if self.thinking is not None:
            self.thinking.join()

    def _commands(self) -> dict[str, Callable[[list[str]], None]]:
        return {
            self.dialect.name: self._greet,
            f"{self.dialect.name}newgame": self._begin,
            "isready": self._ready,
            "setoption": self._set,
            "position": self._place,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._hit,
            "query": self._query,
            "d": self._show,
            "debug": lambda words: None,
            "register": lambda words: None,
            "quit": lambda words: None,
        }

    # ---- what is said ----------------------------------------------------------------------------
    def _greet(self, words: list[str]) -> None:
        for line in (*self.dialect.greeting(), *self.choices.announce(), f"{self.dialect.name}ok"):
            self.say(line)

    def _begin(self, words: list[str]) -> None:
        self._rest()
        self.kept.clear()
        self.states, self.plies, self._asked = [self.game.initial()], 0, ((), [])

    def _ready(self, words: list[str]) -> None:
        if not self._is_thinking():
            self.prepare()
        self.say("readyok")

    def _set(self, words: list[str]) -> None:
        text = " ".join(words)
        name, _, value = text.removeprefix("name ").partition(" value ")
        self._rest()
        if name.strip().lower() == CLEAR.lower():
            self.kept.clear()
            return
        option = self.choices.set(name.strip(), value.strip())
        if option.name == "UCI_Chess960":
            self._vary(self.choices.values[option.name])
        elif option.name == "Book File":
            self._open_book(self.choices.values[option.name])
        elif option.name == "Hash":
            self.kept.clear()
        elif option.name in self.choices.search_options():
            self.is_ready = False

    def _open_book(self, path: str) -> None:
        self.book = None
        book = open_book(path) if path else None
        if book is not None:
            book.check(self.game)
        self.book = book

    def _vary(self, value: bool) -> None:
        """Switch to another variant of the same game."""
        if getattr(self.game, VARIANT) != value:
            self.game = type(self.game)(**{VARIANT: value})
            self.states, self.is_ready, self._asked = [self.game.initial()], False, ((), [])
            self.kept.clear()
            self._open_book(self.choices.values["Book File"])

    def _place(self, words: list[str]) -> None:
        """position startpos | fen TEXT [moves …]"""
        at = words.index("moves") if "moves" in words else len(words)
        text, moves = words[:at], words[at + 1 :]
        if not text or text[0] not in ("startpos", self.dialect.position):
            raise gambito.PositionError(
                "position is followed by startpos or {}, not '{}'", self.dialect.position, " ".join(text)[:40]
            )
        asked = (self.game.label(), *text), moves
        if asked[0] == self._asked[0] and moves[: len(self._asked[1])] == self._asked[1]:
            states = self.states.copy()  # the same game with more moves
        else:
            states = [self.game.initial() if text[0] == "startpos" else self.game.parse(" ".join(text[1:]))]
        for number, word in enumerate(moves[len(states) - 1 :], len(states)):
            try:
                states.append(self.game.result(states[-1], self.game.read(states[-1], word)))
            except gambito.PositionError as problem:
                raise gambito.PositionError(
                    "move {}: {}; the position is unchanged", number, problem
                ) from None
        self.states, self._asked = states, asked
        self.plies = len(moves) if text[0] == "startpos" else UNKNOWN_PLIES

    def _go(self, words: list[str]) -> None:
        if self._is_thinking():
            raise gambito.SearchError("a search is running; send stop first")
        question = self._question(words)
        self.thinking = Thinking(self, question)
        self.thinking.start()

    def _stop(self, words: list[str]) -> None:
        if self.thinking is not None:
            self.thinking.end()

    def _hit(self, words: list[str]) -> None:
        if self.thinking is not None:
            self.thinking.hit()

    def _query(self, words: list[str]) -> None:
        """Answer `query` of UGI: whose turn it is, whether the game is over, and who has won."""
        state = self.states[-1]
        is_over = bool(self.game.is_terminal(state))
        asked = words[0] if words else ""
        if asked == "gameover":
            self.say(f"response {str(is_over).lower()}")
        elif asked == "p1turn":
            self.say(f"response {str(self.game.player(state) == 0).lower()}")
        elif asked == "result":
            score = self.game.utility(state, 0) if is_over else None
            self.say(
                "response "
                + ("none" if score is None else "draw" if score == 0 else "p1win" if score > 0 else "p2win")
            )
        else:
            raise gambito.SearchError("query is followed by gameover, p1turn or result, not '{}'", asked)

    def _show(self, words: list[str]) -> None:
        for line in self.game.show(self.states[-1]).splitlines():
            self.say(f"info string {line}")
        self.say(f"info string {self.game.text(self.states[-1])}")

    # ---- a question ------------------------------------------------------------------------------
    def _question(self, words: list[str]) -> Question:
        """Read the arguments of `go`. Unknown words are skipped; a limit without a number is an error."""
        numbers: dict[str, int] = {}
        among: list[int] = []
        flags = set()
        state = self.states[-1]
        clocks = [f"{who}{what}" for who in self.dialect.players for what in ("time", "inc")]
        place = 0
        while place < len(words):
            word = words[place]
            place += 1
            if word in GO_ON:
                flags.add(word)
            elif word in (*LIMITS, *clocks):
                try:
                    numbers[word] = int(words[place])
                except (IndexError, ValueError):
                    raise gambito.SearchError("{} is followed by a whole number", word) from None
                place += 1
            elif word == "searchmoves":
                while place < len(words) and words[place] not in (*GO_ON, *LIMITS, *clocks):
                    among.append(self.game.read(state, words[place]))
                    place += 1
        return Question(
            state,
            self.states[:-1],
            self._limits(numbers),
            tuple(dict.fromkeys(among)),
            is_endless=bool(flags),
            is_pondering="ponder" in flags,
            mate=numbers.get("mate"),
            is_thorough="mate" in numbers and set(numbers) <= {"mate"} and not flags,
        )

    def _limits(self, numbers: dict[str, int]) -> Limits:
        overhead = self.choices.values["Move Overhead"] / 1000
        given: dict[str, Any] = {}
        for name in ("depth", "nodes"):
            if name in numbers:
                given[name] = max(1, numbers[name])
        if set(numbers) == {"mate"}:
            given["nodes"] = MATE_NODES
        who = self.dialect.players[int(self.game.player(self.states[-1])) % 2]
        if "movetime" in numbers:
            given["seconds"] = max(
                numbers["movetime"] / 1000 - overhead, numbers["movetime"] / 2000, LEAST_SECONDS
            )
        elif f"{who}time" in numbers:
            left, increment = numbers[f"{who}time"] / 1000, numbers.get(f"{who}inc", 0) / 1000
            clock = Clock(
                max(left, LEAST_SECONDS), max(increment, 0.0), numbers.get("movestogo") or None, overhead
            )
            given |= clock.limits().given()
        return Limits(**given)

    def prepare(self) -> None:
        """Compile the rules and the search. If this takes time, announce it."""
        if self.is_ready:
            return
        self.say("info string compiling the rules and the search; the first time takes up to a minute")
        options = self.choices.search_options()
        found = gambito.search(self.game, nodes=1, session=self.kept, **options)
        self.is_ready = True
        self.say(f"info string ready after {found.compile_seconds:.1f} s")

    def weaker(self) -> LevelPlayer | None:
        """Return the player of UCI_Elo, if UCI_LimitStrength is on."""
        if not self.choices.values["UCI_LimitStrength"]:
            return None
        part = (self.choices.values["UCI_Elo"] - ELO[0]) / (ELO[1] - ELO[0])
        return LevelPlayer(1 + round(part * (len(LEVELS) - 2)))

    def book_move(self) -> int | None:
        """Return the move of the book, if there is a book and it is in use."""
        if self.book is None or self.plies >= self.choices.values["Book Depth"]:
            return None
        return self.book.choose(self.game, self.states[-1], self.rng)

    def _is_thinking(self) -> bool:
        return self.thinking is not None and self.thinking.is_running()

    def _rest(self) -> None:
        if self._is_thinking():
            raise gambito.SearchError("a search is running; send stop first")
