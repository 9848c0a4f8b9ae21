"""A job on its way to a worker, and how the worker does it.

An order names a function of Gambito and holds the job that it is called with. The worker answers with the
result, or says in one sentence why there is none.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import os
import platform
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gambito import errors
from gambito.errors import GambitoError, JobError
from gambito.jobs.files import Missing, Places, receive
from gambito.native.digest import LOADED, compiler_version
from gambito.words.sentence import Sentence, sentence_of

Work = Callable[[Any], Any]  # a function of a module, of one job
machine = [""]  # in a worker: what its pool calls the machine


@functools.cache
def sources() -> str:
    """The digest of all of Gambito's sources, and of what a result may depend on besides.

    A process that has loaded sources that were changed since has a digest that no other process has.
    """
    package = Path(__file__).resolve().parent.parent
    python = ".".join(platform.python_version_tuple()[:2])
    known = hashlib.sha256(repr((python, np.__version__, compiler_version())).encode())
    now = time.time()
    for path in sorted(package.rglob("*.py")):
        known.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
        if LOADED < path.stat().st_mtime <= now:
            known.update(os.urandom(16))
    return known.hexdigest()


def new_order(work: Work, job: Any) -> dict[str, Any]:
    """The order to do a job."""
    return {"work": f"{work.__module__}:{work.__qualname__}", "job": job, "sources": sources()}


def perform(order: dict[str, Any]) -> dict[str, Any]:
    """Do a job; return its `result`, the `problem` that a worker met, or the files that are `missing`."""
    if order["sources"] != sources():
        host = platform.node() or "?"
        return _problem(
            JobError(
                "{} has another version of Gambito, Python or NumPy; install the same one, and start the "
                "workers again",
                host,
            )
        )
    module, _, name = order["work"].partition(":")
    places: Places | None = None
    try:
        job = order["job"]
        if "files" in order:
            places = receive(order["files"], order.get("contents", {}), order.get("patience", 0.0))
            job = places.local(job)
        answer = {"result": getattr(importlib.import_module(module), name)(job)}
    except Missing as lack:
        return {"missing": lack.args[0], "machine": machine[0]}
    except Exception as problem:
        answer = _problem(problem)
    return answer if places is None else places.back(answer)


def result_of(outcome: dict[str, Any]) -> Any:
    """The result of a job; raise its problem if it has one."""
    if "problem" not in outcome:
        return outcome["result"]
    kind = getattr(errors, outcome["kind"], None)
    problem = (kind or JobError)(Sentence.from_list(outcome["problem"]))
    problem.add_note(outcome["trace"])
    raise problem


def _problem(problem: Exception) -> dict[str, Any]:
    said = problem.sentence if isinstance(problem, GambitoError) else Sentence(
        "a job failed: {}: {}", type(problem).__name__, sentence_of(problem)
    )  # fmt: skip
    trace = "".join(traceback.format_exception(problem))
    return {"kind": type(problem).__name__, "problem": said.as_list(), "trace": trace}
