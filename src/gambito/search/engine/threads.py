"""The engine's helper threads."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from gambito.search.engine.root import RootSearch
from gambito.search.engine.search import EXTRA
from gambito.search.engine.session import engine_session
from gambito.search.monitor import EVALUATIONS, LIMIT, NODES, ROWS, STOP, Monitor, new_monitor
from gambito.search.task import SearchTask, TaskResult
from gambito.search.thread import HelpingThread


class HelperThreads:
    """Lazy parallel search: the other threads deepen the same root on their own, from the depth of the first
    question to the end of the search, and share what they find through the table. In games without reductions
    a thread postpones actions that another one is searching (Kerrigan's simplified ABDADA)."""

    def __init__(self, task: SearchTask) -> None:
        self.task, self.depth = task, task.depth
        self.deepest = int(task.monitor.data[ROWS]) - 2 - EXTRA  # the deepest search that its rows allow
        self.counted = {NODES: 0, EVALUATIONS: 0}
        self.watches = [
            new_monitor(
                Monitor,
                "native",
                self.deepest + EXTRA,
                past_states=task.past_states,
                root_actions=task.root_actions,
            )
            for _ in range(task.threads - 1)
        ]
        self.threads = [
            HelpingThread(partial(self._work, monitor, number), self._give_up)
            for number, monitor in enumerate(self.watches, 1)
        ]

    def __enter__(self) -> HelperThreads:
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        for monitor in self.watches:
            monitor.data[LIMIT] = STOP
        for thread in self.threads:
            thread.join()
        if kind is None:
            for thread in self.threads:
                thread.finish()

    def fits(self, task: SearchTask) -> bool:
        """Does a question have the root that the threads search?"""
        return task.state is self.task.state and task.root_actions == self.task.root_actions

    def news(self) -> TaskResult:
        """What the threads have counted since the last call."""
        before = self.counted
        self.counted = {place: sum(int(w.data[place]) for w in self.watches) for place in before}
        nodes, evaluations = (self.counted[place] - before[place] for place in (NODES, EVALUATIONS))
        return TaskResult(nodes=nodes, evaluations=evaluations)

    def _give_up(self) -> None:
        """Stop all threads, because the rules raised in one of them."""
        for monitor in (*self.watches, self.task.monitor):
            monitor.data[LIMIT] = STOP

    def _work(self, monitor: Monitor, number: int) -> None:
        """Search one depth after another; every second thread begins one ply ahead of the caller."""
        task = replace(self.task, monitor=monitor)
        session, depth = engine_session(task, number), 0
        while depth < self.deepest and not monitor.is_stopped():
            depth = min(max(depth + 1, self.depth + number % 2), self.deepest)
            monitor.start(depth + EXTRA, [])
            value = RootSearch(replace(task, depth=depth), session).search()
            task = replace(task, guess=value // session.scale)


def helper_threads(task: SearchTask) -> HelperThreads:
    """The helper threads of a search, which go on from one iteration to the next."""
    ongoing = task.ongoing
    if ongoing.helpers is None or not ongoing.helpers.fits(task):
        ongoing.until_end.close()
        ongoing.helpers = ongoing.until_end.enter_context(HelperThreads(task))
        ongoing.inner[:] = ongoing.helpers.watches
    ongoing.helpers.depth = task.depth
    return ongoing.helpers
