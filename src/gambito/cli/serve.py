"""`gambito serve`: serve the web page."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator

import click

from gambito.words import language, say, speak, translate
from gambito.words.sentence import Sentence

NICE = 15  # how much others come first, of 19


@click.command(short_help="Serve the web page: play, analyse, watch a search.")
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; with 127.0.0.1, only this machine can connect; 0.0.0.0 needs --name.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Port to listen on.  [default: the first free port from 8700]",
)
@click.option("--open/--no-open", "open_page", default=False, help="Open the page in the browser.")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    help="Number of simultaneous searches.  [default: one per core, at most 8]",
)
@click.option(
    "--threads",
    type=click.IntRange(1, 256),
    help="Maximum number of threads of one search.  [default: one per core]",
)
@click.option(
    "--memory",
    type=click.IntRange(1, 65536),
    help="Maximum size of the table of one search, in MiB.  [default: 256]",
)
@click.option(
    "--seconds", type=click.FloatRange(0.1, 3600), help="Maximum time of one search.  [default: 60]"
)
@click.option(
    "--sessions", type=click.IntRange(1, 10000), help="Maximum number of open pages.  [default: 64]"
)
@click.option(
    "--name",
    "names",
    multiple=True,
    help="Host name under which the page may be opened; needed with --host 0.0.0.0. May be repeated.",
)
@click.option(
    "--algorithm",
    "algorithms",
    multiple=True,
    metavar="FILE.py:FUNCTION",
    help="Algorithm of your own to offer beside the built-in ones. May be repeated.",
)
@click.option(
    "--book",
    "books",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    help="Opening book whose moves Analyse shows. May be repeated.",
)
@click.option(
    "--network",
    "networks",
    multiple=True,
    type=click.Path(exists=True),
    help="Network for mcts, or the folder of a training with its networks. May be repeated.",
)
@click.option("--warm", is_flag=True, help="Also compile the built-in games, in a separate process.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with the address.")
def serve(
    games: tuple[str, ...],
    host: str,
    port: int | None,
    open_page: bool,
    names: tuple[str, ...],
    algorithms: tuple[str, ...],
    books: tuple[str, ...],
    networks: tuple[str, ...],
    warm: bool,
    as_json: bool,
    **limits: float | None,
) -> None:
    """Serve the web page, where you can play any game, analyse positions and watch a search.

    Give your own GAMEs and algorithms to offer them beside the built-in ones:

    \b
    gambito serve
    gambito serve rules.py:MyGame --open
    gambito serve --algorithm search.py:my_search
    """
    import gambito
    from gambito.books.shelf import open_book
    from gambito.errors import BookError, ServeError
    from gambito.search.custom import offer

    try:
        from gambito.web.serve import serve as run
    except ModuleNotFoundError as problem:
        raise click.ClickException(
            say(
                "the page needs starlette, uvicorn and websockets, and there is no {}; "
                "install them, or Gambito with its extra: pip install 'gambito[web]'",
                problem.name,
            )
        ) from None
    from gambito.web.server_limits import ServerLimits

    for game in games:
        gambito.load(game)  # raises an error before the server starts
    for algorithm in algorithms:
        offer(algorithm)
    try:
        for book in books:
            open_book(book)
    except BookError as problem:
        raise click.ClickException(say(problem.sentence)) from None
    given = {name: limit for name, limit in limits.items() if limit is not None}
    named = {"own": games, "algorithms": algorithms, "books": books, "networks": networks}
    server = ServerLimits(**named, **given)  # type: ignore[arg-type]

    spoken = language()
    speak("en")  # each page is answered in its own language

    def tell_address(address: str) -> None:
        at = translate(Sentence("Gambito is at {} (Ctrl-C stops it)", address), spoken)
        click.echo(json.dumps({"address": address}) if as_json else at)

    with warming() if warm else contextlib.nullcontext():
        try:
            run(server, host, port, open_page, tell_address, names)
        except ServeError as problem:
            raise click.ClickException(say(problem.sentence)) from None


@contextlib.contextmanager
def warming() -> Iterator[None]:
    """A process that compiles the built-in games, with what the others leave of the processors."""
    nowhere = subprocess.DEVNULL
    command = [sys.executable, "-m", "gambito", "warm"]
    process = subprocess.Popen(command, stdin=nowhere, stdout=nowhere, stderr=nowhere)
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
    try:
        yield
    finally:
        process.terminate()
        process.wait()
