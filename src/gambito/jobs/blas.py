"""One thread for NumPy's matrix products, so that processes side by side do not fight for cores.

NumPy's own library for them, OpenBLAS, is asked if it is there. Other libraries are left as they are.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

NAMES = ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "openblas_{}_num_threads")


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """A context in which matrix products use one thread."""
    found = _controls()
    if found is None:
        yield
        return
    get, put = found
    before = int(get())
    put(1)
    try:
        yield
    finally:
        put(before)


@functools.cache
def _controls() -> tuple[Any, Any] | None:
    """The functions of OpenBLAS that tell and set its number of threads; None if they are not found."""
    beside = Path(np.__file__).resolve().parent.parent / "numpy.libs"
    for path in sorted(beside.glob("*openblas*")):
        try:
            library = ctypes.CDLL(str(path))
        except OSError:
            continue
        for name in NAMES:
            with contextlib.suppress(AttributeError):
                return getattr(library, name.format("get")), getattr(library, name.format("set"))
    return None
