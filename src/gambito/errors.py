"""Every exception of the package. Each is one sentence: what is wrong, and what is accepted."""

from __future__ import annotations

from typing import Any

from gambito.words.sentence import Sentence

LONGEST = 60  # characters of a quotation


def quoted(text: str) -> str:
    """The text that a user gave, short and printable, for one line of a message."""
    plain = "".join(c if c.isprintable() else "�" for c in text)
    return f"'{plain}'" if len(plain) <= LONGEST else f"'{plain[: LONGEST - 3]}…'"


class GambitoError(Exception):
    """Any error that Gambito raises on purpose; `sentence` has its template and the parts that fill it."""

    def __init__(self, template: str = "", *parts: Any) -> None:
        super().__init__(Sentence(template, *parts))

    @property
    def sentence(self) -> Sentence:
        """The text with its template and parts, for another language."""
        said = self.args[0]
        return said if isinstance(said, Sentence) else Sentence(str(said))


class GameError(GambitoError, ValueError):
    """A game that cannot be had."""


class PositionError(GambitoError, ValueError):
    """A position or a move that cannot be read."""


class CompileError(GambitoError):
    """Rules or a search that cannot be compiled."""


class UnknownValue(GambitoError):
    """A search needed a value that the game does not know."""


class SearchError(GambitoError, ValueError):
    """A search that cannot be done."""


class EvaluationError(GambitoError, ValueError):
    """An evaluation that cannot be had."""


class EndgameError(GambitoError, ValueError):
    """A table that cannot be built or read."""


class BookError(GambitoError, ValueError):
    """A book that cannot be had."""


class PlayerError(GambitoError, ValueError):
    """A player, a clock or a match that cannot be had."""


class Interrupted(GambitoError):
    """A game was ended from outside."""


class ExerciseError(GambitoError, ValueError):
    """An exercise or a file of one that cannot be had."""


class GtpError(GambitoError):
    """A command of GTP that is answered with a question mark."""


class QuestionError(GambitoError, ValueError):
    """A message to the server that is no question."""


class ServeError(GambitoError, ValueError):
    """A server that cannot be had."""
