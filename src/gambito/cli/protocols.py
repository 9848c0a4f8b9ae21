"""`gambito uci` and `gambito ugi`: the engine for other programs."""

from __future__ import annotations

import click

from gambito.cli import options
from gambito.game.registry import load
from gambito.protocols.session import UCI, UGI
from gambito.protocols.uci import talk

CHESS = "chess"


@click.command(short_help="A chess engine for other programs (UCI).")
def uci() -> None:
    """Be a chess engine: speak UCI, the universal chess interface, on standard input and output.

    Chess programs start it as `gambito uci`. It ends with `quit`, or when nobody writes any more.
    """
    talk(load(CHESS), UCI)


@click.command(short_help="An engine of any game for other programs (UGI).")
@options.game
def ugi(game: str) -> None:
    """Be an engine of GAME: speak UGI, which is UCI for any game, on standard input and output.

    \b
    gambito ugi connect-four
    """
    talk(load(game), UGI)
