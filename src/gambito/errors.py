"""All exceptions of the package. The message of each is one sentence: what is wrong, and what is accepted."""

from __future__ import annotations

import os
from typing import Any

from gambito.words import language, translate
from gambito.words.sentence import Sentence, sentence_of

MAX_QUOTED = 60  # the most characters of a quotation


def quoted(text: str) -> str:
    """A user's text in quotation marks, short and printable, for one line of a message."""
    plain = _printable(text)
    return f"'{plain}'" if len(plain) <= MAX_QUOTED else f"'{plain[: MAX_QUOTED - 3]}…'"


def _printable(text: str) -> str:
    """A text on one line: a line break becomes a space, any other mark that cannot be printed a sign."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "�" for c in text)


def _on_one_line(part: Any) -> Any:
    """A part of a message without line breaks and other marks that a user's text may hold."""
    if isinstance(part, BaseException):
        part = sentence_of(part)
    elif isinstance(part, os.PathLike):
        part = str(part)
    return _printable(part) if isinstance(part, str) and not isinstance(part, Sentence) else part


class GambitoError(Exception):
    """Any error that Gambito raises on purpose; `sentence` has its template and the parts that fill it.

    The message is one line, whatever its parts are, and in the language of the process.
    """

    def __init__(self, template: str = "", *parts: Any) -> None:
        super().__init__(Sentence(_on_one_line(template), *map(_on_one_line, parts)))

    def __str__(self) -> str:
        return translate(self.sentence, language())

    @property
    def sentence(self) -> Sentence:
        """The message with its template and parts, for translation into another language."""
        said = self.args[0]
        return said if isinstance(said, Sentence) else Sentence(str(said))


class GameError(GambitoError, ValueError):
    """A game cannot be found, read or made."""


class PositionError(GambitoError, ValueError):
    """A position or a move cannot be read."""


class CompileError(GambitoError):
    """Rules or a search cannot be compiled."""


class UnknownValue(GambitoError):
    """A search needs a value that the game does not have."""


class SearchError(GambitoError, ValueError):
    """A search cannot be run as requested."""


class EvaluationError(GambitoError, ValueError):
    """An evaluation cannot be read or learned."""


class EndgameError(GambitoError, ValueError):
    """An endgame table cannot be built or read."""


class StaleTable(EndgameError):
    """An endgame table is of other rules, of another slice, or of another version."""


class BookError(GambitoError, ValueError):
    """An opening book cannot be built or read."""


class PlayerError(GambitoError, ValueError):
    """A player, a clock or a match cannot be made."""


class Interrupted(GambitoError):
    """A game was stopped from outside."""


class JobError(GambitoError, ValueError):
    """An executor cannot be had, or a job cannot be done."""


class ExerciseError(GambitoError, ValueError):
    """An exercise, or the file of one, cannot be found or read."""


class GtpError(GambitoError):
    """A GTP command that is answered with a question mark."""


class QuestionError(GambitoError, ValueError):
    """A message to the server is not a valid question."""


class ServeError(GambitoError, ValueError):
    """The server cannot be started."""
