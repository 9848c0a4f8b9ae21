"""What a session tells while it searches, and its move, in the words of UCI. Other protocols have theirs."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import gambito
from gambito.game.contract import Game
from gambito.game.line import write_line
from gambito.players.running_game import REPEATS
from gambito.protocols.background_search import LEAST_SECONDS, Report, Thinking
from gambito.protocols.dialect import chances, score_words
from gambito.protocols.options import Choices
from gambito.search.limits import Progress

NONE = "(none)"  # the move of a game that is over


class Telling:
    """The part of a session that speaks, line by line, also from the thread that searches."""

    choices: Choices
    kept: gambito.Session  # what is kept between searches
    thinking: Thinking | None

    def __init__(self, game: Game, say: Callable[[str], None]) -> None:
        self.game = game
        self.is_debugging = False
        self._say, self._lock = say, threading.Lock()

    def say(self, line: str) -> None:
        with self._lock:
            self._say(line)

    def note(self, text: str) -> None:
        """Tell something that is not an answer."""
        self.say(f"info string {text}")

    def remark(self, text: str) -> None:
        """Tell something that a program needs only to find mistakes: after `debug on`."""
        if self.is_debugging:
            self.note(text)

    def tell_progress(self, now: Progress) -> None:
        pace = int(now.nodes / max(now.seconds, LEAST_SECONDS))
        self.say(f"info depth {now.depth} nodes {now.nodes} nps {pace} time {int(now.seconds * 1000)}")

    def tell_end(self, state: Any) -> None:
        """Tell what a game that is over is worth."""
        is_lost = self.game.utility(state, self.game.player(state)) == self.game.lowest
        self.say(f"info depth 0 score {'mate 0' if is_lost else 'cp 0'}")

    def report(self, told: Report) -> None:
        """Tell one line of a result."""
        found, ranked, game = told.found, told.ranked, self.game
        moves = write_line(game, found.state, self._until_drawn(ranked.line), game.token)
        odds = ""
        if self.choices.values["UCI_ShowWDL"] and ranked.value is not None:
            odds = "wdl {} {} {}".format(*chances(game, ranked.value, ranked.exact))
        facts = [
            f"info depth {found.depth} seldepth {max(found.reach, found.depth)} multipv {told.number}",
            f"score {score_words(game, ranked.value, ranked.ends_in)}",
            odds,
            f"nodes {told.nodes} nps {told.pace}",
            f"hashfull {self.kept.fullness()} time {int(told.seconds * 1000)}",
            f"pv {' '.join(moves)}" if moves else "",
        ]
        self.say(" ".join(filter(None, facts)))

    def _until_drawn(self, line: Sequence[int]) -> Sequence[int]:
        """Return a line up to the move with which a position occurs for the third time."""
        if not self.game.cycles or self.thinking is None:
            return line
        question = self.thinking.question
        state, seen = question.state, Counter(map(self._key, (*question.past_states, question.state)))
        for place, action in enumerate(line, 1):
            state = self.game.result(state, action)
            seen[self._key(state)] += 1
            if seen[self._key(state)] >= REPEATS:
                return line[:place]
        return line

    def _key(self, state: Any) -> int:
        return int(self.game.key(state))

    def answer(self, state: Any, action: int | None, reply: int | None) -> None:
        """Tell the move of a finished search, and the expected reply."""
        text = NONE if action is None else self.game.token(state, action)
        if action is not None and reply is not None:
            text += f" ponder {self.game.token(self.game.result(state, action), reply)}"
        self.say(f"bestmove {text}")
