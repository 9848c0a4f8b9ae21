"""Libraries that are part of an installed package: the built-in games, for several kinds of processors.

`shipped/index-3.11.json`, one for each version of Python, gives each key its file and the SHA-256 of that
file for each kind of processor; the files are in folders named after these. The index names the sources that
it belongs to. What does not agree is not loaded: there is one warning, and what is needed is compiled. A
checkout has no such folder.
"""

from __future__ import annotations

import functools
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from gambito.native.cache import warn
from gambito.native.digest import compiled_sources
from gambito.native.entries import Entry
from gambito.native.kinds import Kind
from gambito.native.libraries import open_library
from gambito.native.processor import LEVELS, levels, settings
from gambito.words import say

FOLDER = Path(__file__).resolve().parent / "shipped"
_USUAL = ["bounds=False"]  # the settings that the libraries were compiled with


def index_name() -> str:
    """The name of the index for this version of Python."""
    return f"index-{sys.version_info.major}.{sys.version_info.minor}.json"


def find(key: str, given: tuple[Kind, ...]) -> Entry | None:
    """The entry of a shipped library for this processor; None if there is none that can be used."""
    known = _index()
    facts = known.get(key)
    if facts is None or settings() != _USUAL:
        return None
    path = FOLDER / _level() / facts["file"]
    try:
        body = path.read_bytes()
        if hashlib.sha256(body).hexdigest() != facts[_level()]:
            raise ValueError("it is not the one that was installed")
        return open_library(path, body, given)
    except (OSError, ValueError, TypeError, AttributeError, KeyError) as problem:
        _tell(say("{} cannot be used ({}); compiling instead", path, problem))
        return None


def numbers(name: str) -> Path | None:
    """The file of arrays that were computed when the package was made; None if there is none to be used."""
    path = FOLDER / "numbers" / f"{name}.npz"
    is_there = path.exists() and (FOLDER / index_name()).exists()
    return path if is_there and _index() else None


def _level() -> str:
    return levels()[0]


@functools.cache
def _index() -> dict[str, Any]:
    """The files by key; empty if nothing is shipped, or not for this processor, Python or sources."""
    if not FOLDER.is_dir():
        return {}
    path = FOLDER / index_name()
    if not levels():
        _tell(say("no shipped machine code is for this processor, which lacks {}", next(reversed(LEVELS))))
        return {}
    try:
        facts = json.loads(path.read_bytes())
        if facts["sources"] != compiled_sources():
            raise ValueError("the sources of Gambito have changed since")
        return dict(facts["entries"])
    except (OSError, ValueError, TypeError, KeyError) as problem:
        _tell(say("{} cannot be used ({}); what is needed is compiled", path, problem))
        return {}


_told: list[str] = []


def _tell(text: str) -> None:
    """Warn, once in a process."""
    if not _told:
        warn(text)
    _told.append(text)
