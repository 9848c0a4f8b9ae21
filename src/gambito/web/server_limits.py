"""The limits of a server: what a client may ask for at most."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ServerLimits:
    """Limits of a server; all of them hold for each question, or for the server as a whole."""

    own: tuple[str, ...] = ()  # games named on the command line: `rules.py:MyGame`
    workers: int = field(default_factory=lambda: max(1, min(8, os.cpu_count() or 1)))  # searches at a time
    sessions: int = 64  # connections at a time
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)  # of one search
    memory: int = 256  # MiB of one search's table
    seconds: float = 60.0  # of one search
    depth: int = 200  # plies
    nodes: int = 10_000_000_000
    share: float = 3.0  # seconds of one search while another client waits
    patience: float = 180.0  # seconds a question may take with everything, compilation too; then it is ended
    haste: float = 10.0  # seconds that a question about the rules alone may take
    asked: int = 8  # questions of one client at a time
    message: int = 1 << 18  # bytes
    waiting: int = 1 << 26  # bytes that wait for a client who does not read
    unread: float = 20.0  # seconds that one message may wait until a client reads it
