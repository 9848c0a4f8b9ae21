"""A process that does jobs: it is asked through its standard input and answers through its standard output.

It ends when its standard input is closed, also in the middle of a job: then its parent has ended.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from typing import Any

from gambito.jobs.processes import end_group, receive, send
from gambito.native import process
from gambito.words import speak


def main() -> None:
    """Do jobs until the parent ends."""
    process.own()
    speak("en")  # what a job says is translated where it is read
    source, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # what a job reads or prints does not disturb the messages
    os.dup2(2, 1)
    try:
        sys.path[:] = receive(source)
    except EOFError:  # the parent has ended already
        return
    asked: queue.SimpleQueue[tuple[Any, tuple[Any, ...]]] = queue.SimpleQueue()

    def listen() -> None:
        try:
            while True:
                asked.put(receive(source))
        finally:
            end_group(os.getpid())
            os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    while True:
        function, args = asked.get()
        send(out, function(*args))


if __name__ == "__main__":
    main()
