"""The limits of a server."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

SEARCHING = "searching"  # the phase of a question whose time counts: everything is compiled


@dataclass(frozen=True)
class ServerLimits:
    """Limits for each question or for the server as a whole."""

    own: tuple[str, ...] = ()  # games named on the command line: `rules.py:MyGame`
    algorithms: tuple[str, ...] = ()  # algorithms named on the command line: `search.py:my_search`
    books: tuple[str, ...] = ()  # files with opening books, whose moves Analyse shows
    networks: tuple[str, ...] = ()  # files or folders of trained networks, which guide mcts
    workers: int = field(default_factory=lambda: max(1, min(8, os.cpu_count() or 1)))  # simultaneous searches
    sessions: int = 64  # open connections
    idle: float = 30.0  # seconds without a question after which a page may have to make room for another one
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)  # of one search
    memory: int = 256  # MiB, for the table of one search
    seconds: float = 60.0  # of one search
    depth: int = 200  # plies
    nodes: int = 10_000_000_000
    share: float = 3.0  # seconds that a search may run while another client waits
    patience: float = 180.0  # seconds that a question may take in total, with compilation; then it is ended
    haste: float = 10.0  # seconds that a question about the rules may take
    effort: float = 4.0  # seconds of the processor that it may take, without compilation
    renewed: int = 1000  # questions after which a worker is replaced by a new process
    request: float = 10.0  # seconds in which a request must arrive
    asked: int = 8  # simultaneous questions of one client
    message: int = 1 << 18  # bytes
    waiting: int = 1 << 26  # bytes that may wait for a client that does not read
    unread: float = 20.0  # seconds that a message may wait until the client reads it
    tables: int = 1000  # games with something hidden that the server keeps
    address_tables: int = 200  # of them, those that were begun from one address
    own_tables: int = 20  # and those that one connection began
    table_hours: float = 24.0  # that a game is kept after its last question
