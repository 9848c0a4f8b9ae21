"""Run the server until Ctrl-C."""

from __future__ import annotations

import socket
import webbrowser
from collections.abc import Callable, Sequence

import uvicorn

from gambito.errors import ServeError
from gambito.web.app import LOCAL, make_app
from gambito.web.connection import TimedConnection, hide_bad_texts
from gambito.web.server_limits import ServerLimits
from gambito.words.sentence import Sentence, reason_of

PORT = 8700
EVERY = ("0.0.0.0", "::")  # addresses that stand for all of a machine's
PING_SECONDS = 20.0  # between two pings, and the time limit of a reply
LAST_SECONDS = 2  # for pending messages when the server ends
TRIED = 20  # ports to try after the first, if no port is given


def serve(
    limits: ServerLimits,
    host: str = "127.0.0.1",
    port: int | None = None,
    open_page: bool = False,
    say: Callable[[str], None] = print,
    names: Sequence[str] = (),
) -> None:
    """Serve until Ctrl-C. Call `say` with the address once the server is ready.

    names   the host names under which pages may be opened, in addition to `host` and those of this machine
    """
    if host in EVERY and not names:
        raise ServeError(
            "{} is every address of this machine; give the host names under which the page is opened with "
            "--name, such as --name 192.168.1.20",
            host,
        )
    listening = _listen(host, port)
    address = f"http://{host if ':' not in host else f'[{host}]'}:{listening.getsockname()[1]}/"
    own = [] if host in (*EVERY, *LOCAL, "::1") else [f"[{host}]" if ":" in host else host]
    app = make_app(limits, (*LOCAL, *own, *names))
    config = uvicorn.Config(
        app,
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=limits.message,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        timeout_graceful_shutdown=LAST_SECONDS,
        server_header=False,
        http=type("Connection", (TimedConnection,), {"seconds": limits.request}),
    )
    hide_bad_texts()
    server = _Server(config, lambda: _ready(address, open_page, say))
    server.run(sockets=[listening])


class _Server(uvicorn.Server):
    """A server with a callback for when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self.ready()


def _ready(address: str, open_page: bool, say: Callable[[str], None]) -> None:
    say(address)
    if open_page:
        webbrowser.open(address)


def _listen(host: str, port: int | None) -> socket.socket:
    """Return a socket on the given port, or on the first free port from the default."""
    tried = range(PORT, PORT + TRIED) if port is None else (port,)
    problem: OSError | None = None
    for number in tried:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, number))
        except OSError as refused:
            listening.close()
            problem = refused
            continue
        return listening
    reason = reason_of(problem) if problem is not None else Sentence("no port was tried")
    raise ServeError("{}:{} cannot be opened: {}", host, port or PORT, reason)
