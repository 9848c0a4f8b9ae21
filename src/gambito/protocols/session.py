"""A session: the lines that a program writes, and the answers. It does no input or output itself.

`hear` takes a line and returns at once, except for a compilation. Answers go line by line to `say`, also from
the thread that searches. UCI and UGI are two dialects of the same protocol: in UCI the game is chess and the
players are White and Black; in UGI it is any game and the players are p1, p2, p3 …
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from typing import Any

import gambito
from gambito.books.choice import OpeningBook
from gambito.books.shelf import open_book
from gambito.endgames import folders
from gambito.endgames.syzygy import Syzygy
from gambito.game.contract import Game
from gambito.native import functions
from gambito.players.clock import Clock, Lag
from gambito.players.error_sentences import sentence
from gambito.players.levels import LEVELS, LevelPlayer
from gambito.players.rated import RatedPlayer
from gambito.protocols.background_search import GoCommand, Thinking
from gambito.protocols.dialect import UCI, Dialect
from gambito.protocols.options import CLEAR, ELO, ENGINE, Choices, new_choices
from gambito.protocols.search_info import Telling
from gambito.search.algorithm import DepthSearch, find
from gambito.search.chooser import strongest
from gambito.search.limits import Limits
from gambito.search.request import usual_limits
from gambito.search.thread import DEEPEST

VARIANT = "chess960"  # the parameter of a game that UCI_Chess960 sets
LIMITS = ("depth", "nodes", "mate", "movetime", "movestogo")
GO_ON = ("infinite", "ponder")
LEAST_SECONDS = 0.001  # for each move, even if no time is left
UNKNOWN_PLIES = 1 << 20  # assumed before a position that was set up: more than any book contains
LARGEST_NUMBER = 1 << 53  # a number of `go` beyond this is taken as this
NEEDS_PREPARING = (
    "Hash",
    "Threads",
    "MultiPV",
    "UCI_LimitStrength",
    "UCI_Elo",
    "UCI_AnalyseMode",
)  # options of the session
MATE_NODES = 2_000_000  # of the usual search for a mate, before an exhaustive one


class ProtocolSession(Telling):
    """A session with a program."""

    def __init__(self, game: Game, say: Callable[[str], None], dialect: Dialect = UCI) -> None:
        super().__init__(game, say)
        self.dialect = dialect
        self.choices: Choices = new_choices(game, hasattr(game, VARIANT))
        self.states: list[Any] = [game.initial()]
        self._asked: tuple[tuple[str, ...], list[str]] = ((), [])  # the words of the last `position` command
        self.plies = 0  # from the start of the game
        self.kept = gambito.Session()  # kept between searches
        self.book: OpeningBook | None = None
        self.tables = os.environ.get(folders.FOLDER, "")  # the usual folder of tables, if a variable names it
        self.syzygy: Syzygy | None = None
        self.thinking: Thinking | None = None
        self.is_ready = False  # everything for the next move is compiled, and its memory is there
        self.rng = random.Random()
        self.lag = Lag()

    def hear(self, line: str) -> bool:
        """Answer a line; return False at the end of the session. Errors are reported in an `info string`."""
        words = line.split()
        while words and words[0] not in self._commands():
            words = words[1:]  # the protocol requires that unknown words are skipped
        if not words:
            if line.strip():
                self.note(f"unknown: {line.strip()[:80]!r}")
            return True
        if words[0] == "quit":
            self.close()
            return False
        try:
            self._commands()[words[0]](words[1:])
        except Exception as problem:  # a session continues after any line
            self.note(sentence(problem))
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
            "debug": self._debug,
            "register": lambda words: None,
            "quit": lambda words: None,
        }

    # ---- what is said ----------------------------------------------------------------------------
    def _greet(self, words: list[str]) -> None:
        for line in (*self.dialect.greeting(), *self.choices.announce(), f"{self.dialect.name}ok"):
            self.say(line)

    def _begin(self, words: list[str]) -> None:
        self._rest()
        self._forget()
        self.lag.forget()
        self.states, self.plies, self._asked = [self.game.initial()], 0, ((), [])

    def _debug(self, words: list[str]) -> None:
        self.is_debugging = words[:1] == ["on"]

    def _ready(self, words: list[str]) -> None:
        try:
            if not self._is_thinking():
                self.prepare()
        finally:
            self.say("readyok")

    def _set(self, words: list[str]) -> None:
        text = " ".join(words)
        name, _, value = text.removeprefix("name ").partition(" value ")
        self._rest()
        if name.strip().lower() == CLEAR.lower():
            self._forget()
            return
        before = dict(self.choices.values)
        option = self.choices.set(name.strip(), value.strip())
        given = self.choices.values[option.name]
        try:
            if option.name == "UCI_Chess960":
                self._vary(given)
            elif option.name == "Book File":
                self._open_book(given)
            elif option.name == "Table Path":
                self._open_tables(given)
            elif option.name == "SyzygyPath":
                self._open_syzygy(given)
        except Exception:
            self.choices.values = before
            raise
        if option.name == "Hash":
            self._forget()
        elif option.name in self.choices.search_options():
            self.is_ready = False
        elif option.name in NEEDS_PREPARING:
            self.is_ready = False

    def _forget(self) -> None:
        """Empty the table; the next `isready` gets memory for it again."""
        self.kept.clear()
        self.is_ready = False

    def _open_book(self, path: str) -> None:
        book = open_book(path) if path else None
        if book is not None:
            book.check(self.game)
        self.book = book

    def _open_tables(self, path: str) -> None:
        """Use the endgame tables of a folder; without one, those of the usual folder."""
        if path and not os.path.isdir(path):
            raise gambito.EndgameError("there is no folder {} of endgame tables", path)
        if path or self.tables:
            os.environ[folders.FOLDER] = path or self.tables
        else:
            os.environ.pop(folders.FOLDER, None)
        self.game = type(self.game)(**self.game.parameters())  # it finds its tables anew
        self._forget()

    def _open_syzygy(self, path: str) -> None:
        self.syzygy = Syzygy(path) if path else None
        if self.syzygy is not None:
            self.remark(f"{len(self.syzygy)} files of Syzygy tables, up to {self.syzygy.men} men")

    def _vary(self, value: bool) -> None:
        """Switch to another variant of the same game."""
        if getattr(self.game, VARIANT) != value:
            self.game = type(self.game)(**{VARIANT: value})
            self.states, self._asked = [self.game.initial()], ((), [])
            self._forget()
            try:
                self._open_book(self.choices.values["Book File"])
            except gambito.BookError as problem:
                self.book, self.choices.values["Book File"] = None, ""
                self.note(sentence(problem))

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
        if question.is_endless:
            self.lag.forget()
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
        elif asked in (turns := [f"p{player + 1}turn" for player in range(self.game.players)]):
            self.say(f"response {str(self.game.player(state) == turns.index(asked)).lower()}")
        elif asked in ("result", "points"):
            everybody = range(self.game.players) if is_over else ()
            points = [self.game.utility(state, player) for player in everybody]
            told = " ".join(map(str, points)) if asked == "points" else _result(points)
            self.say(f"response {told or 'none'}")
        else:
            accepted = ", ".join(("gameover", *turns, "result", "points"))
            raise gambito.SearchError("query is followed by one of {}, not '{}'", accepted, asked)

    def _show(self, words: list[str]) -> None:
        for line in self.game.show(self.states[-1]).splitlines():
            self.note(f"{line}")
        self.note(f"{self.game.text(self.states[-1])}")

    # ---- a question ------------------------------------------------------------------------------
    def _question(self, words: list[str]) -> GoCommand:
        """Read the arguments of `go`. What cannot be used is told and skipped: a move must come anyway."""
        numbers: dict[str, int] = {}
        root_actions: list[int] = []
        flags, refused = set(), False
        state = self.states[-1]
        clocks = self.dialect.clocks(self.game.players)
        known = (*GO_ON, *LIMITS, *clocks, "searchmoves")
        place = 0
        while place < len(words):
            word = words[place]
            place += 1
            if word in GO_ON:
                flags.add(word)
            elif word in (*LIMITS, *clocks):
                text = words[place] if place < len(words) and words[place] not in known else ""
                place += text != ""
                try:
                    numbers[word] = max(-LARGEST_NUMBER, min(int(text), LARGEST_NUMBER))
                except ValueError:
                    self.note(f"{word} is followed by a whole number, not {text[:20]!r}")
                    refused = True
            elif word == "searchmoves":
                while place < len(words) and words[place] not in known:
                    try:
                        root_actions.append(self.game.read(state, words[place]))
                    except gambito.PositionError as problem:
                        self.note(f"searchmoves: {sentence(problem)}")
                    place += 1
        limits = self._limits(numbers)
        if refused and not limits.given() and not flags:
            limits = usual_limits(self.game)
        return GoCommand(
            state,
            self.states[:-1],
            limits,
            tuple(dict.fromkeys(root_actions)),
            is_endless=bool(flags),
            is_pondering="ponder" in flags,
            mate=max(1, min(numbers["mate"], DEEPEST // 2)) if "mate" in numbers else None,
            is_thorough="mate" in numbers and set(numbers) <= {"mate"} and not flags,
        )

    def _limits(self, numbers: dict[str, int]) -> Limits:
        overhead = self.choices.values["Move Overhead"] / 1000
        given: dict[str, Any] = {}
        for name in ("depth", "nodes"):
            if name in numbers:
                given[name] = max(1, numbers[name])
        if given.get("depth", 0) > DEEPEST:
            self.note(f"depth is at most {DEEPEST}")
            given["depth"] = DEEPEST
        if set(numbers) == {"mate"}:
            given["nodes"] = MATE_NODES
        who = self.dialect.who(int(self.game.player(self.states[-1])))
        if "movetime" in numbers:
            given["seconds"] = max(
                numbers["movetime"] / 1000 - overhead, numbers["movetime"] / 2000, LEAST_SECONDS
            )
        elif f"{who}time" in numbers:
            left, increment = numbers[f"{who}time"] / 1000, numbers.get(f"{who}inc", 0) / 1000
            to_go = max(numbers.get("movestogo", 0), 0) or None
            clock = Clock(max(left, LEAST_SECONDS), max(increment, 0.0), to_go, overhead)
            given |= clock.limits(self.lag.read(clock.left, clock.increment)).given()
        return Limits(**given)

    def prepare(self) -> None:
        """Make everything ready for the next move. Options with which no search works are given up."""
        if self.is_ready:
            return
        try:
            self._load_or_compile()
        except Exception as problem:
            changed = self.choices.give_up()
            if not changed:
                raise
            self.note(f"{sentence(problem)}; the values before are in use: {', '.join(changed)}")
            self.kept.clear()
            self._try_out()
        self.choices.prove()
        self.is_ready = True

    def _load_or_compile(self) -> None:
        """Try out the next move with the machine code that there is; tell it if some must be compiled."""
        try:
            with functions.finding():
                self._try_out()
        except functions.NotCompiled:
            self.note("compiling the rules and the search; the first time takes a few seconds")
            began = time.perf_counter()
            self._try_out()
            self.note(f"ready after {time.perf_counter() - began:.1f} s")

    def _try_out(self) -> None:
        """Search one node in each way in which the next move may be searched."""
        values, options = self.choices.values, self.choices.search_options()
        gambito.search(self.game, nodes=1, session=self.kept, threads=values["Threads"], **options)
        if values["MultiPV"] > 1 and not isinstance(find(strongest(self.game)), DepthSearch):
            gambito.search(self.game, algorithm=ENGINE, nodes=1, memory=options["memory"])
        player = self.weaker()
        if player is not None:
            player.prepare(self.game, self.game.initial())

    def weaker(self, seconds: float | None = None) -> LevelPlayer | RatedPlayer | None:
        """Return the player of UCI_Elo, if UCI_LimitStrength is on; a move takes it at most these seconds."""
        if not self.choices.values["UCI_LimitStrength"] or self.choices.values["UCI_AnalyseMode"]:
            return None
        if self.game.rated_nodes:
            return RatedPlayer(self.game, self.choices.values["UCI_Elo"], seconds)
        part = (self.choices.values["UCI_Elo"] - ELO[0]) / (ELO[1] - ELO[0])
        return LevelPlayer(1 + round(part * (len(LEVELS) - 2)), seconds=seconds)

    def book_move(self) -> int | None:
        """Return the move of the book, if there is a book and it is in use."""
        values = self.choices.values
        if self.book is None or values["UCI_AnalyseMode"] or self.plies >= values["Book Depth"]:
            return None
        return self.book.choose(self.game, self.states[-1], self.rng)

    def table_moves(self, state: Any) -> list[int]:
        """Return the moves that Syzygy tables call best; [] if they do not hold the position."""
        if self.syzygy is None:
            return []
        probed = self.syzygy.probe(self.game, state)
        best = self.syzygy.best(self.game, state) if probed is not None else {}
        if best and probed is not None:
            self.remark(f"Syzygy tables: WDL {probed.wdl}, DTZ {probed.dtz}")
        return list(best)

    def _is_thinking(self) -> bool:
        return self.thinking is not None and self.thinking.is_running()

    def _rest(self) -> None:
        if self._is_thinking():
            raise gambito.SearchError("a search is running; send stop first")


def _result(points: list[Any]) -> str:
    """Who has won alone, or `draw`; "" if there are no points yet."""
    winners = [player for player, won in enumerate(points) if won == max(points)]
    return f"p{winners[0] + 1}win" if len(winners) == 1 else "draw" if winners else ""
