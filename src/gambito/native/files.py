"""Files that are put in place in one step, and the facts at the head of a file.

A reader finds either the whole file or none.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

NEW = ".new"  # suffix of a file that is being written, or whose writer was killed

READABLE = 0o644  # by everyone


def put_file(path: Path, pieces: Iterable[Any], lasting: bool = True) -> None:
    """Write pieces of bytes to a file; if `lasting`, it also survives a loss of power."""
    path.parent.mkdir(parents=True, exist_ok=True)
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
