"""The engine's helper threads."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Any

from gambito.search.engine.root import RootSearch
from gambito.search.engine.search import EXTRA
from gambito.search.engine.session import engine_session
from gambito.search.question import Question
from gambito.search.thread import HelpingThread
from gambito.search.watch import LIMIT, STOP, Watch, new_watch


class HelperThreads:
    """Lazy parallel search: the other threads search the same root, and share what they find through the
    table. A thread postpones actions that another one is searching (Kerrigan's simplified ABDADA)."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.threads: list[HelpingThread] = []
        self.watches = [
            new_watch(Watch, "native", question.depth + EXTRA, past=question.past, among=question.among)
            for _ in range(question.threads - 1)
        ]

    def __enter__(self) -> HelperThreads:
        for number, watch in enumerate(self.watches, 1):
            self.threads.append(HelpingThread(partial(self._work, watch, number), self._give_up))
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        for watch in self.watches:
            watch.data[LIMIT] = STOP
        for thread in self.threads:
            thread.join()
        if kind is None:
            for thread in self.threads:
                thread.finish()

    def _give_up(self) -> None:
        """Stop all threads, because the rules raised in one of them."""
        for watch in (*self.watches, self.question.watch):
            watch.data[LIMIT] = STOP

    def count(self, place: int) -> int:
        """The sum of one counter over the watches of all helpers."""
        return sum(int(watch.data[place]) for watch in self.watches)

    def _work(self, watch: Watch, number: int) -> None:
        question = dataclasses.replace(self.question, watch=watch)
        watch.start(question.depth + EXTRA, [])
        RootSearch(question, engine_session(question, number)).search()
