"""A page that waits until its seat has something new to see, without asking again and again.

The question is answered when the seat sees more plies than it said, or when the game is over. What a seat
sees is told by a worker, so that nobody learns from an answer that something happened which the seat does not
see.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gambito.errors import QuestionError
from gambito.web.game_store import GameStore
from gambito.web.pool import Job

Answer = Callable[[str, dict[str, Any], bytes | None], None]


class Waiting:
    """One question that waits for a game to go on."""

    def __init__(
        self,
        question: dict[str, Any],
        tables: GameStore,
        ask: Callable[[dict[str, Any], Answer], Job],
        done: Answer,
    ) -> None:
        self.question, self.tables, self.ask, self.done = question, tables, ask, done
        self.table, _ = tables.find(question["key"])
        self.job: Job | None = None
        self.is_late = False  # the game went on while a worker looked at it
        self.is_ended = False
        self.table.waiting.add(self.look)
        self.look()

    def look(self) -> None:
        """Let a worker look at the game as the seat sees it now."""
        if self.job is not None:
            self.is_late = True
            return
        try:
            described = self.tables.describe(self.question["key"])
        except QuestionError as problem:
            self.end("error", {"text": problem.sentence})
            return
        asked = {"do": "seat_view", "key": self.question["key"], **described}
        self.job = self.ask(asked, self._hear)

    def _hear(self, kind: str, content: dict[str, Any], body: bytes | None) -> None:
        if kind == "info" or self.is_ended:
            return
        self.job = None
        if kind == "error":
            self.end(kind, content)
        elif content.get("finished") or content["ply"] != self.question["ply"]:
            self.end("done", {})
        elif self.is_late:
            self.is_late = False
            self.look()

    def end(self, kind: str = "done", content: dict[str, Any] | None = None) -> None:
        """Answer, and wait no longer."""
        if not self.is_ended:
            self.is_ended = True
            self.table.waiting.discard(self.look)
            self.done(kind, content or {}, None)

    def forget(self) -> None:
        """The page is gone."""
        self.is_ended = True
        self.table.waiting.discard(self.look)
