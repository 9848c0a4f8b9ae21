"""A check in its own process: what it tries and what it finds, one JSON object per line.

What the student's code prints is kept separately, standard input is empty, and a thread watches the clock.
The module `apart` starts it.
"""

from __future__ import annotations

import dataclasses
import io
import json
import os
import sys
import threading
import time
from typing import Any

from gambito.exercises import student
from gambito.exercises.exercise import Exercise, Wrong, plain
from gambito.exercises.trial import attempt, raised, trying
from gambito.words.sentence import Sentence

PRINTED = 4000  # characters that are kept
TICK = 0.05


class Kept(io.TextIOBase):
    """What is printed while the file is read, and at the position that is reported."""

    def __init__(self) -> None:
        self.before, self.now, self.is_final = "", "", False

    def write(self, text: str) -> int:
        if not self.is_final:
            self.now = (self.now + text)[:PRINTED]
        return len(text)

    def read_in(self) -> None:
        """The file has been read."""
        self.before, self.now = self.now, ""

    def next(self) -> None:
        """Another position begins."""
        if not self.is_final:
            self.now = ""

    def finish(self) -> None:
        """Ignore everything from now on."""
        self.is_final = True

    def text(self) -> str:
        return (self.before + self.now)[:PRINTED]


def examine(exercise: Exercise, path: str, function: str, kept: Kept) -> Wrong | None:
    """What is wrong with the function in the file."""
    module, wrong = student.read(student.existing(path))
    kept.read_in()
    if wrong is not None:
        return wrong
    found, wrong = student.function_of(module, function)
    if wrong is not None:
        return wrong
    trying.begin()
    return attempt(found, lambda: exercise.check(found))


def main(spec: str, path: str, function: str, seconds: float) -> None:
    """Run the check and write its messages."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    kept = Kept()
    sys.stdout = sys.stderr = kept
    exercise = student.find(spec)
    lock = threading.Lock()

    def tell(**data: Any) -> None:
        with lock:
            out.write(json.dumps(data) + "\n")
            out.flush()

    def end(wrong: Wrong | None) -> None:
        printed = kept.text() if wrong is not None else kept.before
        elsewhere = _as_dict(trying.elsewhere) if wrong is None else None
        tell(wrong=_as_dict(wrong), positions=trying.count, printed=printed, elsewhere=elsewhere)
        os._exit(0)

    trying.begin()

    def begin(text: str, given: str) -> None:
        kept.next()
        tell(at=[text, given])

    trying.tell, trying.last = begin, kept.finish
    trying.hear = lambda wrong: tell(found=_as_dict(wrong))
    tell(at=["", ""])
    file = os.path.abspath(path)
    sys.path.insert(0, os.path.dirname(file))
    watched = (seconds, file, threading.get_ident(), end)
    threading.Thread(target=_watch, args=watched, daemon=True).start()
    try:
        wrong = examine(exercise, path, function, kept)
    except Exception as problem:
        wrong = Wrong(Sentence("the check itself fails: {}", raised(problem)), "check")
    end(wrong)


def _as_dict(wrong: Wrong | None) -> dict[str, Any] | None:
    if wrong is None:
        return None
    told = {
        "reason": Sentence(wrong.reason).as_list(),
        "gave": plain(wrong.gave),
        "right": plain(wrong.right),
    }
    return {**dataclasses.asdict(wrong), **told}


def _watch(seconds: float, file: str, thread: int, end: Any) -> None:
    """End the check when one position takes too long, with what is known to be wrong, or with the line."""
    while time.monotonic() - trying.since <= seconds:
        time.sleep(TICK)
    if trying.found is not None:
        end(trying.found)
    frame, line = sys._current_frames().get(thread), 0
    while frame is not None and not line:
        line = frame.f_lineno if frame.f_code.co_filename == file else 0
        frame = frame.f_back
    reason = Sentence("it gives no answer within {:g} seconds", seconds)
    end(Wrong(reason, "endless", trying.text, trying.given, line=line))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4]))
