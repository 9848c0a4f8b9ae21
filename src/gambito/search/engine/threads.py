"""The engine's helper threads."""

from __future__ import annotations

import dataclasses
import threading
from typing import Any

from gambito.search.engine.root import RootSearch
from gambito.search.engine.search import EXTRA
from gambito.search.engine.session import engine_session
from gambito.search.question import Question
from gambito.search.watch import LIMIT, STOP, Watch, new_watch


class HelperThreads:
    """Lazy parallel search: the other threads search the same root, and share what they find through the
    table. A thread postpones actions that another one is searching (Kerrigan's simplified ABDADA)."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.threads: list[threading.Thread] = []
        self.problems: list[BaseException] = []  # that the rules raised in a helper
        self.watches = [
            new_watch(Watch, "native", question.depth + EXTRA, past=question.past, among=question.among)
            for _ in range(question.threads - 1)
        ]

    def __enter__(self) -> HelperThreads:
        for number, watch in enumerate(self.watches, 1):
            thread = threading.Thread(target=self._work, args=(watch, number), daemon=True)
            thread.start()
            self.threads.append(thread)
        return self

    def __exit__(self, kind: Any, problem: BaseException | None, trace: Any) -> None:
        for watch in self.watches:
            watch.data[LIMIT] = STOP
        for thread in self.threads:
            thread.join()
        if self.problems and problem is None:
            raise self.problems[0]

    def count(self, place: int) -> int:
        """The sum of one counter over the watches of all helpers."""
        return sum(int(watch.data[place]) for watch in self.watches)

    def _work(self, watch: Watch, number: int) -> None:
        question = dataclasses.replace(self.question, watch=watch)
        watch.start(question.depth + EXTRA, [])
        try:
            RootSearch(question, engine_session(question, number)).search()
        except BaseException as problem:
            self.problems.append(problem)
