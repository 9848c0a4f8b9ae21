"""A file of lines that one process at a time writes, and that goes on where it ended.

A line is on the disk when `write` returns. If the process dies while it writes, the last line is incomplete;
it is dropped when the file goes on. What the lines mean is the business of whoever reads them.
"""

from __future__ import annotations

import os
from pathlib import Path

from gambito.native.files import READABLE, naming, try_lock


class LinedFile:
    """An open file of lines; the first one is its head."""

    def __init__(self, path: Path, busy: Exception) -> None:
        """Open a file, or make it; raise `busy` if another process writes it."""
        self.path = path
        with naming(path):
            self._file: int | None = os.open(path, os.O_RDWR | os.O_CREAT, READABLE)
        if not try_lock(self._handle):
            self.close()
            raise busy

    @property
    def _handle(self) -> int:
        assert self._file is not None
        return self._file

    def read(self, head: bytes, foreign: Exception) -> bytes:
        """The whole lines; nothing if the file is new. Raise `foreign` if it begins with another head."""
        held = self.path.read_bytes()
        whole = held[: held.rfind(b"\n") + 1]
        if not whole.startswith(head) and not head.startswith(held):
            raise foreign
        return whole

    def go_on(self, whole: bytes, head: bytes) -> None:
        """Write after the whole lines from now on. An incomplete end is dropped; a new file gets its head."""
        if len(whole) < os.fstat(self._handle).st_size:
            os.ftruncate(self._handle, len(whole))
        os.lseek(self._handle, len(whole), os.SEEK_SET)
        if not whole:
            self.write(head)

    def write(self, line: bytes) -> None:
        with naming(self.path):
            while line:
                line = line[os.write(self._handle, line) :]
            os.fsync(self._handle)

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
