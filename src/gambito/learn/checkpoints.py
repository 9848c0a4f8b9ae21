"""The files that a training keeps in its folder: arrays and facts, with a checksum and the training's mark.

A file that is missing, damaged or of another training counts as missing: it is made again.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gambito.native.files import put_file

MARK, SUM = "of_training", "checksum"  # beside the arrays and the facts


def save_arrays(path: Path, arrays: Mapping[str, Any], mark: str) -> None:
    """Write arrays by name; the file survives a loss of power."""
    held: dict[str, Any] = {name: np.asarray(array) for name, array in arrays.items()}
    text = io.BytesIO()
    seal: dict[str, Any] = {MARK: np.array(mark), SUM: np.array(_sum_of_arrays(held, mark))}
    np.savez(text, **held, **seal)
    put_file(path, [text.getvalue()])


def read_arrays(path: Path, mark: str | None = None) -> dict[str, Any] | None:
    """The arrays in a file; None if it counts as missing. Without a mark, any training's are read."""
    try:
        with np.load(path) as file:
            held = {name: file[name] for name in file.files}
        known, found = str(held.pop(SUM)), str(held.pop(MARK))
    except Exception:  # a damaged archive may raise anything
        return None
    if known != _sum_of_arrays(held, found) or mark not in (None, found):
        return None
    return held


def save_facts(path: Path, facts: Mapping[str, Any], mark: str) -> None:
    """Write facts as JSON; the file survives a loss of power."""
    held = {**facts, MARK: mark}
    put_file(path, [json.dumps({**held, SUM: _sum_of_facts(held)}, indent=1).encode()])


def read_facts(path: Path) -> tuple[dict[str, Any], str] | None:
    """The facts in a file and their mark; None if it is missing or damaged."""
    try:
        held = json.loads(path.read_bytes())
        known = held.pop(SUM)
        if known != _sum_of_facts(held):
            return None
        return held, str(held.pop(MARK))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def mark_of(facts: Mapping[str, Any]) -> str:
    """The mark of the training that these facts describe."""
    return _sum_of_facts(facts)[:16]


def file_sum(path: Path) -> str:
    """The checksum of a file; "" if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _sum_of_arrays(arrays: Mapping[str, Any], mark: str) -> str:
    known = hashlib.sha256(mark.encode())
    for name, array in sorted(arrays.items()):
        known.update(f"{name} {array.dtype.str} {array.shape} ".encode())
        known.update(np.ascontiguousarray(array).tobytes())
    return known.hexdigest()


def _sum_of_facts(facts: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
