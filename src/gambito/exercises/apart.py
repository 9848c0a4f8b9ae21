"""Check a student's file in another process, since it may hang, crash or print."""

from __future__ import annotations

import dataclasses
import json
import os
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import gambito
from gambito.exercises.exercise import Exercise, Verdict, Wrong
from gambito.exercises.student import existing, find, split
from gambito.native.process import ending
from gambito.words import LANGUAGES, language
from gambito.words.sentence import Sentence

START_SECONDS = 60.0  # to start a process
UNCHANGED = "nothing has been written yet: the file is unchanged"
GRACE = 2.0  # for a process that watches its own clock
POSITIONS = 20  # positions that may take the full time


def check_file(spec: str, file: str, seconds: float | None = None) -> Verdict:
    """Run the check of an exercise on `FILE.py` or `FILE.py:FUNCTION`; `seconds` limits one position."""
    exercise = find(spec)
    path, named = split(file)
    existing(path)
    function, limit = named or exercise.wanted, seconds or exercise.seconds
    begun = time.monotonic()
    heard = _run([spec, path, function, str(limit)], limit)
    wrong = _as_wrong(heard["wrong"]) if heard.get("wrong") is not None else None
    if wrong is not None and _is_beginning(exercise, path):
        wrong = dataclasses.replace(wrong, mistake=UNCHANGED)
    return Verdict(
        exercise.name,
        path,
        function,
        wrong,
        heard.get("positions", 0),
        time.monotonic() - begun,
        heard.get("printed", ""),
        _as_wrong(heard["elsewhere"]) if heard.get("elsewhere") else None,
    )


def _is_beginning(exercise: Exercise, path: str) -> bool:
    """Is the file still as it was at the beginning?"""
    text = Path(path).read_text(encoding="utf-8", errors="replace").strip()
    return any(text == exercise.beginning(one).strip() for one in LANGUAGES)


def _run(args: list[str], limit: float) -> dict[str, Any]:
    """The last message of the process; or a replacement if it is silent for too long."""
    home = str(Path(gambito.__file__).parent.parent)
    paths = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH", ""))))
    process = subprocess.Popen(
        [sys.executable, "-m", "gambito.exercises.runner", *args],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": paths, "GAMBITO_LANGUAGE": language()},
    )
    lines: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_listen, args=(process.stdout, lines), daemon=True).start()
    at, count, wait = ["", ""], 0, START_SECONDS
    found: dict[str, Any] | None = None  # what is known to be wrong so far
    until = time.monotonic() + START_SECONDS + POSITIONS * limit
    try:
        while True:
            try:
                line = lines.get(timeout=max(0.0, min(wait, until - time.monotonic())))
            except queue.Empty:
                reason = Sentence("it gives no answer within {:g} seconds", limit)
                if time.monotonic() >= until:
                    reason = Sentence("the whole check takes more than {:g} seconds", POSITIONS * limit)
                return {"wrong": found or _silent(reason, "endless", at), "positions": count}
            if not line:
                wrong = found or _silent(ending(process.wait()), "raises", at)
                return {"wrong": wrong, "positions": count}
            said: dict[str, Any] = json.loads(line)
            if "wrong" in said:
                return said
            if "found" in said:
                found = said["found"]
                continue
            at, wait = said["at"], limit + GRACE
            count += bool(at[0] or at[1])
            if not count:
                until = time.monotonic() + POSITIONS * limit
    finally:
        process.kill()
        process.wait()


def _as_wrong(told: dict[str, Any]) -> Wrong:
    """The record, as the process wrote it."""
    return Wrong(**{**told, "reason": Sentence.from_list(told["reason"])})


def _silent(reason: str, kind: str, at: list[str]) -> dict[str, Any]:
    return {"reason": Sentence(reason).as_list(), "kind": kind, "position": at[0], "given": at[1]}


def _listen(stream: Any, lines: queue.Queue[bytes]) -> None:
    for line in stream:
        lines.put(line)
    lines.put(b"")
