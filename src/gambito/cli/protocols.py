"""`gambito uci`, `ugi`, `gtp`, `hub` and `nboard`: the engine as a back end of other programs."""

from __future__ import annotations

import json
from functools import partial

import click

from gambito.cli import options
from gambito.game.registry import load
from gambito.protocols.dialect import UCI, UGI, Dialect
from gambito.protocols.gtp import GtpSession
from gambito.protocols.gtp import talk as talk_gtp
from gambito.protocols.hub import HubSession
from gambito.protocols.nboard import NBoardSession
from gambito.protocols.options import new_choices
from gambito.protocols.session import VARIANT
from gambito.protocols.uci import converse, talk
from gambito.search.algorithm import find
from gambito.search.limits import Limits
from gambito.words import speak

CHESS = "chess"
as_json = click.option("--json", "as_json", is_flag=True, help="Print the options as JSON and exit.")


@click.command(short_help="Run as a chess engine for other programs (UCI).")
@as_json
def uci(as_json: bool) -> None:
    """Run as a chess engine that uses UCI, the Universal Chess Interface, on standard input and output.

    Chess programs start it as `gambito uci`. It ends with `quit`, or at the end of the input.
    """
    _speak(CHESS, UCI, as_json)


@click.command(short_help="Run as an engine for any game, for other programs (UGI).")
@options.game
@as_json
def ugi(game: str, as_json: bool) -> None:
    """Run as an engine for GAME that uses UGI, a version of UCI for any game, on standard input and output.

    \b
    gambito ugi connect-four
    """
    _speak(game, UGI, as_json)


@click.command(short_help="Run as a Go engine for other programs (GTP).")
@click.option("--size", type=int, default=9, show_default=True, metavar="N", help="Size of the board.")
@click.option(
    "--komi",
    type=float,
    default=7.5,
    show_default=True,
    metavar="K",
    help="Points that White receives as compensation.",
)
@options.seconds
@options.nodes
@options.threads
@options.option
@as_json
def gtp(
    size: int, komi: float, seconds: float | None, nodes: int | None, threads: int, settings: dict[str, str],
    as_json: bool,
) -> None:  # fmt: skip
    """Run as a Go engine that uses GTP, the Go Text Protocol, on standard input and output.

    \b
    gambito gtp --size 9 --seconds 2 --option rave=500
    """
    speak("en")  # what a protocol says is for a program
    game = load(f"go:size={size},komi={komi}")
    limits = Limits(seconds=seconds, nodes=nodes)
    limits.check()
    given = find("mcts").read_options(settings, game)
    if as_json:
        click.echo(json.dumps({"game": game.label(), "protocol": "gtp", "options": given}))
        return
    session = GtpSession(game, limits if limits.given() else None, settings, threads)
    talk_gtp(session)


@click.command(short_help="Run as a draughts engine for other programs (Hub).")
@click.argument("game", metavar="[GAME]", default="draughts")
@as_json
def hub(game: str, as_json: bool) -> None:
    """Run as a draughts engine that uses Hub, version 2, on standard input and output.

    GAME is a game of the family; by default, international draughts.
    """
    speak("en")
    rules = load(game)
    session = HubSession(rules, lambda line: None)
    if as_json:
        values = session.choices.values
        click.echo(json.dumps({"game": rules.label(), "protocol": "hub", "options": values}))
    else:
        converse(partial(HubSession, rules))


@click.command(short_help="Run as an Othello engine for other programs (NBoard).")
@as_json
def nboard(as_json: bool) -> None:
    """Run as an Othello engine that uses NBoard's protocol, version 2, on standard input and output."""
    speak("en")
    rules = load("othello")
    if as_json:
        values = new_choices(rules, False).values
        click.echo(json.dumps({"game": rules.label(), "protocol": "nboard", "options": values}))
    else:
        converse(partial(NBoardSession, rules))


def _speak(name: str, dialect: Dialect, as_json: bool) -> None:
    speak("en")
    game = load(name)
    if as_json:
        values = new_choices(game, hasattr(game, VARIANT)).values
        click.echo(json.dumps({"game": game.label(), "protocol": dialect.name, "options": values}))
    else:
        talk(game, dialect)
