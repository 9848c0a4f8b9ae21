"""Files that are put in place in one step, the facts at the head of a file, and locks.

A reader finds either the whole file or none.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

NEW = ".new"  # suffix of a file that is being written, or whose writer was killed

READABLE = 0o644  # by everyone


def put_file(path: Path, pieces: Iterable[Any], lasting: bool = True) -> None:
    """Write pieces of bytes to a file; if `lasting`, it also survives a loss of power."""
    with naming(path):
        place = Path(os.path.realpath(path))  # a link stays one
        if place.exists() and not place.is_file():  # a pipe or a terminal
            place.write_bytes(b"".join(pieces))
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        _put(place, pieces, lasting)


@contextlib.contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Let errors of the system name this file: a full disk gives no name, or that of a temporary file."""
    try:
        yield
    except OSError as problem:
        problem.filename, problem.filename2 = str(path), None
        raise


def _put(path: Path, pieces: Iterable[Any], lasting: bool) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.stem}.", suffix=NEW)
    try:
        with os.fdopen(handle, "wb") as file:
            for piece in pieces:
                file.write(piece)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        os.chmod(name, READABLE)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_facts(text: Any, kinds: Mapping[str, type]) -> dict[str, Any]:
    """The facts that a file begins with, in JSON; ValueError unless each is there and of its kind."""
    try:
        facts = json.loads(bytes(text))
    except RecursionError:
        raise ValueError from None
    if not isinstance(facts, dict) or any(type(facts.get(name)) is not kind for name, kind in kinds.items()):
        raise ValueError
    return {name: facts[name] for name in kinds}


def try_lock(handle: int) -> bool:
    """Lock an open file for this process, if the system can lock; False if another process has the lock."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def only_writer(path: Path, refusal: Exception) -> Iterator[None]:
    """Be the only process that changes a file; raise the refusal if another one does so now.

    The lock is a file beside it, as the file itself is replaced. It is there as long as it is held.
    """
    lock = path.with_name(f".{path.name}.lock")
    with naming(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        with naming(path):
            handle = os.open(lock, os.O_RDWR | os.O_CREAT, READABLE)
        if not try_lock(handle):
            os.close(handle)
            raise refusal
        try:
            is_ours = os.path.samestat(os.fstat(handle), os.stat(lock))
        except FileNotFoundError:
            is_ours = False
        if is_ours:
            break
        os.close(handle)  # the previous writer has removed this one meanwhile
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
        os.close(handle)
