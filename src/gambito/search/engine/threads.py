"""The engine's helper threads."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from gambito.search.engine.root import RootSearch
from gambito.search.engine.search import EXTRA
from gambito.search.engine.session import engine_session
from gambito.search.question import Answer, Question
from gambito.search.thread import HelpingThread
from gambito.search.watch import EVALUATIONS, LIMIT, NODES, ROWS, STOP, Watch, new_watch


class HelperThreads:
    """Lazy parallel search: the other threads deepen the same root on their own, from the depth of the first
    question to the end of the search, and share what they find through the table. In games without reductions
    a thread postpones actions that another one is searching (Kerrigan's simplified ABDADA)."""

    def __init__(self, question: Question) -> None:
        self.question, self.depth = question, question.depth
        self.deepest = int(question.watch.data[ROWS]) - 2 - EXTRA  # the deepest search that its rows allow
        self.counted = {NODES: 0, EVALUATIONS: 0}
        self.watches = [
            new_watch(Watch, "native", self.deepest + EXTRA, past=question.past, among=question.among)
            for _ in range(question.threads - 1)
        ]
        self.threads = [
            HelpingThread(partial(self._work, watch, number), self._give_up)
            for number, watch in enumerate(self.watches, 1)
        ]

    def __enter__(self) -> HelperThreads:
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        for watch in self.watches:
            watch.data[LIMIT] = STOP
        for thread in self.threads:
            thread.join()
        if kind is None:
            for thread in self.threads:
                thread.finish()

    def fits(self, question: Question) -> bool:
        """Does a question have the root that the threads search?"""
        return question.state is self.question.state and question.among == self.question.among

    def news(self) -> Answer:
        """What the threads have counted since the last call."""
        before = self.counted
        self.counted = {place: sum(int(w.data[place]) for w in self.watches) for place in before}
        nodes, evaluations = (self.counted[place] - before[place] for place in (NODES, EVALUATIONS))
        return Answer(nodes=nodes, evaluations=evaluations)

    def _give_up(self) -> None:
        """Stop all threads, because the rules raised in one of them."""
        for watch in (*self.watches, self.question.watch):
            watch.data[LIMIT] = STOP

    def _work(self, watch: Watch, number: int) -> None:
        """Search one depth after another; every second thread begins one ply ahead of the caller."""
        question = replace(self.question, watch=watch)
        session, depth = engine_session(question, number), 0
        while depth < self.deepest and not watch.is_stopped():
            depth = min(max(depth + 1, self.depth + number % 2), self.deepest)
            watch.start(depth + EXTRA, [])
            value = RootSearch(replace(question, depth=depth), session).search()
            question = replace(question, guess=value // session.scale)


def helper_threads(question: Question) -> HelperThreads:
    """The helper threads of a search, which go on from one iteration to the next."""
    ongoing = question.ongoing
    if ongoing.helpers is None or not ongoing.helpers.fits(question):
        ongoing.until_end.close()
        ongoing.helpers = ongoing.until_end.enter_context(HelperThreads(question))
        ongoing.inner[:] = ongoing.helpers.watches
    ongoing.helpers.depth = question.depth
    return ongoing.helpers
