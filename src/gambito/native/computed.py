"""Arrays that take long to compute: from the installed package, from the cache, or computed now and kept."""

from __future__ import annotations

import contextlib
import io
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gambito.native import shipped
from gambito.native.cache import folder
from gambito.native.files import put_file

DAMAGED = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error)  # or missing


def computed(name: str, mark: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Arrays by their names. The mark is a digest of all that they depend on."""
    path = place_of(name, mark)
    for place in filter(None, (shipped.numbers(name), path)):
        with contextlib.suppress(*DAMAGED), np.load(place) as kept:
            return {array: kept[array] for array in kept.files}
    made = make()
    text = io.BytesIO()
    np.savez_compressed(text, **made)
    with contextlib.suppress(OSError):  # then they are computed again next time
        put_file(path, [text.getvalue()], lasting=False)
    return made


def place_of(name: str, mark: str) -> Path:
    """The file of such arrays in the cache."""
    return folder() / "tables" / f"{name}-{mark}.npz"
