"""All exceptions of the package. The message of each is one sentence: what is wrong, and what is accepted."""

from __future__ import annotations

from typing import Any

from gambito.words.sentence import Sentence

LONGEST = 60  # the most characters of a quotation


def quoted(text: str) -> str:
    """A user's text in quotation marks, short and printable, for one line of a message."""
    plain = "".join(c if c.isprintable() else "�" for c in text)
    return f"'{plain}'" if len(plain) <= LONGEST else f"'{plain[: LONGEST - 3]}…'"


class GambitoError(Exception):
    """Any error that Gambito raises on purpose; `sentence` has its template and the parts that fill it."""

    def __init__(self, template: str = "", *parts: Any) -> None:
        super().__init__(Sentence(template, *parts))

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


class ExerciseError(GambitoError, ValueError):
    """An exercise, or the file of one, cannot be found or read."""


class GtpError(GambitoError):
    """A GTP command that is answered with a question mark."""


class QuestionError(GambitoError, ValueError):
    """A message to the server is not a valid question."""


class ServeError(GambitoError, ValueError):
    """The server cannot be started."""
