"""One search of a session, in a separate thread: its intermediate results and its move."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import gambito
from gambito.players.error_sentences import sentence
from gambito.players.player import FARTHEST, GreedyPlayer
from gambito.protocols.options import ENGINE
from gambito.search.algorithm import AnytimeSearch, DepthSearch, find
from gambito.search.chooser import strongest
from gambito.search.limits import Limits, Progress, Stop
from gambito.search.monitor import NO_LIMIT
from gambito.search.search_result import RankedLine, SearchResult

if TYPE_CHECKING:
    from gambito.protocols.session import ProtocolSession

LEAST_SECONDS = 1e-3  # the minimum time for computing a speed
QUIET = 1.0  # seconds between two lines that report only progress
FEW_SIMULATIONS = 100  # of a search that must give a move at once
BEYOND = 4  # plies of a search after a move that is made although the game is over


@dataclass(frozen=True)
class GoCommand:
    """The task of a search."""

    state: Any
    past_states: Sequence[Any]
    limits: Limits
    root_actions: Sequence[int] = ()  # the actions to choose from; empty: all
    is_endless: bool = False  # the move is reported only after `stop`
    is_pondering: bool = False  # no clock runs yet
    mate: int | None = None  # stop at a mate in this number of moves
    is_thorough: bool = False  # search exhaustively if no such mate is found


@dataclass(frozen=True)
class Report:
    """One line of a search's result."""

    found: SearchResult
    number: int  # from 1
    ranked: RankedLine
    nodes: int
    seconds: float

    @property
    def pace(self) -> int:
        """Nodes in a second."""
        return int(self.nodes / max(self.seconds, LEAST_SECONDS))


class Thinking:
    """A search and its thread."""

    def __init__(self, session: ProtocolSession, question: GoCommand) -> None:
        self.session, self.question = session, question
        self.algorithm = strongest(session.game)
        self.stop = Stop()
        self._is_told_to = threading.Event()  # set when the move may be reported
        self._seconds = 0.0  # of the search, without what is beside it
        self.is_silent = False  # nobody wants to hear of it any more
        self._told: SearchResult | None = None
        self._next = 0.0
        self._is_done = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def is_running(self) -> bool:
        return not self._is_done

    def join(self) -> None:
        self._thread.join()

    def end(self, is_silent: bool = False) -> None:
        """End the search and report the best move so far."""
        self.is_silent = self.is_silent or is_silent
        self._is_told_to.set()
        self.stop.set()
        self._thread.join()

    def hit(self) -> None:
        """Start the clock, because the expected move has been played."""
        if not self.question.is_pondering or self._is_told_to.is_set():
            return
        self._is_told_to.set()
        seconds = self.question.limits.soft or self.question.limits.seconds
        if seconds is not None:
            timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), self.stop.set)
            timer.daemon = True
            timer.start()

    # ---- in the thread ---------------------------------------------------------------------------
    def _run(self) -> None:
        game, state = self.session.game, self.question.state
        action, reply, began = None, None, time.perf_counter()
        try:
            action, reply = self._choose()
        except Exception as problem:  # the program always needs a move
            self.session.note(sentence(problem))
            action = GreedyPlayer().choose(game, state).action
        if self.question.is_endless:
            self._is_told_to.wait()
        self.session.lag.searched = self._seconds or time.perf_counter() - began
        self._is_done = True  # set before the report, because the next command may come at once
        if not self.is_silent:
            self.session.answer(state, action, reply)

    def _choose(self) -> tuple[int | None, int | None]:
        """Return the move and the expected reply."""
        session, question = self.session, self.question
        if session.game.is_terminal(question.state):
            session.tell_end(question.state)
            return self._go_on(), None
        if not question.is_endless and not question.root_actions:
            action = session.book_move()
            if action is not None:
                session.remark("from the book")
                return action, None
            player = session.weaker(question.limits.soft or question.limits.seconds)
            if player is not None:
                player.stop = self.stop
                choice = player.choose(session.game, question.state, past_states=question.past_states)
                self._seconds = choice.found.seconds if choice.found is not None else 0.0
                return choice.action, None
        session.prepare()
        if not question.is_endless and not question.root_actions and not question.mate:
            self.question = question = replace(question, root_actions=session.table_moves(question.state))
        lines = min(session.choices.values["MultiPV"], len(session.game.legal(question.state)))
        if not isinstance(find(self.algorithm), DepthSearch) and (
            lines > 1 or question.root_actions or question.mate
        ):
            self.algorithm = ENGINE
        found = self._search(lines)
        if found.depth == 0:
            found = self._look()
        return found.action, found.line[1] if len(found.line) > 1 and found.line[0] == found.action else None

    def _look(self) -> SearchResult:
        """Search one ply, which nothing ends: the move of a search that was stopped before it had one."""
        question, is_deep = self.question, isinstance(find(self.algorithm), DepthSearch)
        limit = {"depth": 1} if is_deep else {"nodes": FEW_SIMULATIONS}
        given: dict[str, Any] = {**self._given(), **limit, "stop": None}
        return gambito.search(
            self.session.game, question.state, self.algorithm, root_actions=question.root_actions, **given
        )

    def _go_on(self) -> int | None:
        """Return a move of a game that is over although moves exist, as after the draw by 50 moves: the other
        program may play on. None if the rules stop there."""
        game, state = self.session.game, self.question.state
        if game.is_stuck(state):
            return None
        mover, values = game.player(state), {}
        for action in self.question.root_actions or [int(a) for a in game.actions(state)]:
            child = game.result(state, action)
            if game.is_terminal(child):
                values[action] = game.utility(child, mover)
                continue
            found = gambito.search(game, child, self.algorithm, depth=BEYOND, **self._given())
            values[action] = found.value if game.player(child) == mover else -found.value
        return max(values, key=lambda action: values[action]) if values else None

    def _given(self) -> dict[str, Any]:
        session, question = self.session, self.question
        return {
            "stop": self.stop,
            "session": session.kept,
            "past_states": question.past_states,
            "threads": session.choices.values["Threads"],
            **self._options(),
        }

    def _options(self) -> dict[str, Any]:
        """Return the options of the session; for another algorithm than its own, only the memory."""
        options = self.session.choices.search_options()
        return options if self.algorithm == strongest(self.session.game) else {"memory": options["memory"]}

    def _search(self, lines: int) -> SearchResult:
        question = self.question
        limits = question.limits.given()
        if question.is_endless:
            limits.pop("seconds", None)
            limits.pop("soft", None)
        limits.setdefault("depth", FARTHEST)
        if isinstance(find(self.algorithm), AnytimeSearch) and len(limits) == 1:
            limits["nodes"] = NO_LIMIT  # until it is stopped
        found = self._ask(limits, {**self._given(), "lines": max(1, lines)})
        if question.mate and question.is_thorough and not self.stop.is_set():
            self.session.remark("no such mate found yet; searching exhaustively")
            depth = max(2 * abs(question.mate) - 1, 1)
            given = {**self._given(), "session": gambito.Session(), **everything()}
            found = self._ask({"depth": depth}, given)
        return found

    def _ask(self, limits: dict[str, Any], given: dict[str, Any]) -> SearchResult:
        question = self.question
        found = gambito.search(
            self.session.game,
            question.state,
            self.algorithm,
            **limits,
            progress=self._tell,
            root_actions=question.root_actions,
            **given,
        )
        self._seconds = found.seconds + found.compile_seconds
        if found is not self._told and found.value is not None:
            self._report(found, found.nodes, found.seconds)
            self._check_mate(found)
        return found

    # ---- what is told ----------------------------------------------------------------------------
    def _tell(self, now: Progress) -> None:
        if now.found is not None and now.found is not self._told:
            self._report(now.found, now.nodes, now.seconds)
            self._check_mate(now.found)
        elif now.seconds >= self._next:
            self.session.tell_progress(now)
            self._next = now.seconds + QUIET

    def _check_mate(self, found: SearchResult) -> None:
        if self.question.mate is not None and found.ends_in is not None and found.value > 0:
            if (found.ends_in + 1) // 2 <= self.question.mate:
                self.stop.set()

    def _report(self, found: SearchResult, nodes: int, seconds: float) -> None:
        """Report a result, line by line."""
        self._told, self._next = found, seconds + QUIET
        only = RankedLine(found.action or 0, found.value, found.line, found.exact, found.ends_in)
        for number, ranked in enumerate(found.lines or [only], 1):
            self.session.report(Report(found, number, ranked, nodes, seconds))


def everything() -> dict[str, Any]:
    """Return the options of an exhaustive search. It is `live`, so nothing is compiled for it."""
    return {"live": True, **find(ENGINE).sound_options()}
