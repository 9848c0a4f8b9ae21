"""Searching ahead of the compiler: the Python gear searches while a child process compiles.

The child leaves the machine code on disk, where this process finds it. It ends when it is done, or with this
process. A search that was not done by then goes on in the native gear (`running.Runner`).
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import Future

    from gambito.jobs.processes import Processes

BOTH = "both"  # the gear of such searches

_usual = [False]
_children: dict[Hashable, Future[Any]] = {}  # by what they compile
_lock = threading.Lock()


def enable() -> None:
    """From now on, a search without a named gear goes ahead: called by programs that people wait for."""
    _usual[0] = True


def is_enabled() -> bool:
    return _usual[0]


def child(mark: Hashable, compile: Callable[..., Any], *args: Any) -> Future[Any] | None:
    """The child process that compiles what the mark stands for, started if there is none yet; None if one has
    ended already, so that nothing is gained by another.

    `compile` is a function of a module, which the child calls with the arguments.
    """
    from gambito.jobs.processes import Processes  # most searches need none

    with _lock:
        running = _children.get(mark)
        if running is None:
            pool = Processes(1)
            running = _children[mark] = pool.submit(compile, *args)
            running.add_done_callback(functools.partial(_close, pool))
            return running
    return None if running.done() else running


def _close(pool: Processes, done: Future[Any]) -> None:
    pool.shutdown(wait=False)
