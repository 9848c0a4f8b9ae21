"""`gambito serve`: the web page."""

from __future__ import annotations

import json

import click


@click.command(short_help="The web page: play, analyse, watch.")
@click.argument("games", metavar="[GAME]...", nargs=-1)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen at; 127.0.0.1 is this machine alone.",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), help="The port.  [default: the first free one from 8700 on]"
)
@click.option("--open/--no-open", "open_page", default=False, help="Open the page in the browser.")
@click.option(
    "--workers", type=click.IntRange(1, 64), help="Searches at a time.  [default: one a core, 8 at most]"
)
@click.option(
    "--threads", type=click.IntRange(1, 256), help="Threads of one search at most.  [default: one a core]"
)
@click.option(
    "--memory", type=click.IntRange(1, 65536), help="MiB of one search's table at most.  [default: 256]"
)
@click.option("--seconds", type=click.FloatRange(0.1, 3600), help="Of one search at most.  [default: 60]")
@click.option("--sessions", type=click.IntRange(1, 10000), help="Pages open at a time.  [default: 64]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object with the address.")
def serve(
    games: tuple[str, ...],
    host: str,
    port: int | None,
    open_page: bool,
    as_json: bool,
    **limits: float | None,
) -> None:
    """Serve the web page on this machine: play any game, analyse positions, watch a search think.

    GAMEs of your own are offered beside the built-in ones:

    \b
    gambito serve
    gambito serve rules.py:MyGame --open
    """
    import gambito
    from gambito.errors import ServeError
    from gambito.web.serve import serve as run
    from gambito.web.server_limits import ServerLimits

    for game in games:
        gambito.load(game)  # complains before anything is opened
    server = ServerLimits(own=games, **{name: limit for name, limit in limits.items() if limit is not None})  # type: ignore[arg-type]

    def say(address: str) -> None:
        told = json.dumps({"address": address}) if as_json else f"Gambito is at {address} (Ctrl-C ends it)"
        click.echo(told)

    try:
        run(server, host, port, open_page, say)
    except ServeError as problem:
        raise click.ClickException(str(problem)) from None
