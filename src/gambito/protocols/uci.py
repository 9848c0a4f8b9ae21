"""A session on two text streams: UCI, the Universal Chess Interface, UGI for any game, and others."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import TextIO

from gambito.game.contract import Game
from gambito.protocols.dialect import UCI, Dialect
from gambito.protocols.session import ProtocolSession


def talk(game: Game, dialect: Dialect = UCI, heard: TextIO | None = None, said: TextIO | None = None) -> None:
    """Answer line by line until `quit` or the end of the input."""
    converse(partial(ProtocolSession, game, dialect=dialect), heard, said)


def converse(
    begin: Callable[[Callable[[str], None]], ProtocolSession],
    heard: TextIO | None = None,
    said: TextIO | None = None,
) -> None:
    """Answer line by line in a session that `begin` makes; it is given a function that says a line."""
    source, target = heard or sys.stdin, said or sys.stdout

    def say(line: str) -> None:
        target.write(line + "\n")
        target.flush()

    session = begin(say)
    try:
        for line in source:
            if not session.hear(line):
                return
    except KeyboardInterrupt:
        pass
    finally:
        session.close()
