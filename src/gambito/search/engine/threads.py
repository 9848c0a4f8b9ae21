"""The threads of the engine."""

from __future__ import annotations

import dataclasses
import threading
from typing import Any

from gambito.memory.ordering import new_ordering
from gambito.search.algorithm import Task
from gambito.search.engine.root import RootSearch
from gambito.search.engine.search import EXTRA
from gambito.search.watch import EVALUATIONS, LIMIT, NODES, STOP, Watch, new_watch


class HelperThreads:
    """Lazy parallel search: the other threads search the same root, and all they find goes through the shared
    table. Who finds another one busy with an action takes it up later (Kerrigan's simplified ABDADA)."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.threads: list[threading.Thread] = []
        self.watches = [
            new_watch(Watch, "native", task.depth + EXTRA, past=task.past, among=task.among)
            for _ in range(task.threads - 1)
        ]

    def __enter__(self) -> None:
        for number, watch in enumerate(self.watches):
            thread = threading.Thread(target=self._work, args=(watch, number), daemon=True)
            thread.start()
            self.threads.append(thread)

    def __exit__(self, *_: Any) -> None:
        for watch in self.watches:
            watch.data[LIMIT] = STOP
        for thread in self.threads:
            thread.join()
        counted = self.task.memory
        for name, place in (("nodes", NODES), ("evaluations", EVALUATIONS)):
            counted[name] = counted.get(name, 0) + sum(int(w.data[place]) for w in self.watches)

    def _work(self, watch: Watch, number: int) -> None:
        shared = self.task.memory
        memory = {n: shared[n] for n in ("table", "settings", "asked")}
        memory["ordering"] = shared.setdefault(f"ordering {number}", new_ordering(number + 1))
        mate = dataclasses.replace(self.task, watch=watch, memory=memory)
        watch.start(self.task.depth + EXTRA, [])
        RootSearch(mate).search()
