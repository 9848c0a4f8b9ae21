"""UCI, the Universal Chess Interface, and UGI, its version for any game: a session on two text streams."""

from __future__ import annotations

import sys
from typing import TextIO

from gambito.game.contract import Game
from gambito.protocols.session import UCI, Dialect, Session


def talk(game: Game, dialect: Dialect = UCI, heard: TextIO | None = None, said: TextIO | None = None) -> None:
    """Answer line by line until `quit` or the end of the input."""
    source, target = heard or sys.stdin, said or sys.stdout

    def say(line: str) -> None:
        target.write(line + "\n")
        target.flush()

    session = Session(game, say, dialect)
    try:
        for line in source:
            if not session.hear(line):
                return
    except KeyboardInterrupt:
        pass
    finally:
        session.close()
