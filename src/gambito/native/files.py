"""Files that are put in place in one step: whoever looks finds all of one or nothing."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

NEW = ".new"  # a file that is being written, or was when its writer was killed

READABLE = 0o644  # by all


def put_file(path: Path, pieces: Iterable[Any], lasting: bool = True) -> None:
    """Write pieces of bytes into a file; if lasting, it outlives a loss of power too."""
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
