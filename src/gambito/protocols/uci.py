"""UCI, the universal chess interface, and UGI, the same for any game: a session on two streams of lines."""

from __future__ import annotations

import sys
from typing import TextIO

from gambito.game.contract import Game
from gambito.protocols.session import UCI, Dialect, Session


def talk(game: Game, dialect: Dialect = UCI, heard: TextIO | None = None, said: TextIO | None = None) -> None:
    """Answer line by line until `quit`, or until nobody writes any more."""
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
