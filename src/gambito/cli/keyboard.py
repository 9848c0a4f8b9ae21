"""The user's input: lines on request, and the end of the input at any time.

While the engine thinks, the program does not read the terminal, and it would notice Ctrl-D only after the
move. So a thread watches the keyboard: lines typed ahead are kept for the next question, and Ctrl-D ends the
thinking as Ctrl-C does.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator


class Keyboard:
    """The lines that a user types at a terminal."""

    def __init__(self) -> None:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 (arrow keys and history in `input`)
        self._ahead: deque[str] = deque()
        self._ended = False

    def ask(self, prompt: str) -> str:
        """Return the next line. Raise EOFError if there is none."""
        if self._ahead:
            line = self._ahead.popleft()
            print(prompt + line)
            return line
        return input(prompt)

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Watch the keyboard while the body runs. Ctrl-D interrupts it with EOFError."""
        if os.name != "posix":
            yield
            return
        wake, waker = os.pipe()
        watcher = threading.Thread(target=self._watch, args=(wake,), daemon=True)
        try:
            try:
                watcher.start()
                yield
            finally:
                os.close(waker)
                if watcher.is_alive():
                    watcher.join()
        except KeyboardInterrupt:
            if self._ended:
                raise EOFError from None
            raise

    def _watch(self, wake: int) -> None:
        """Read lines until `wake` is closed. If the input ends, interrupt the main thread."""
        keys = sys.stdin.fileno()
        while not self._ended:
            ready, _, _ = select.select([keys, wake], [], [])
            if wake in ready:
                break
            try:
                typed = os.read(keys, 4096)
            except OSError:  # the terminal was closed
                typed = b""
            self._ahead.extend(typed.decode(errors="replace").splitlines())
            if not typed:
                self._ended = True
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        os.close(wake)
