"""A text that remembers its template and its parts."""

from __future__ import annotations

from typing import Any

from gambito.words.writer import Writer


class Sentence(str):
    """A finished text, and how it was put together, so that another language can say the same.

    The parts fill the holes of the template as in `str.format`: `{}`, `{0}`, `{:,}`; and `{0:wins|win}` is a
    form that agrees with part 0. A part is a text, a number or another sentence. A template without parts is
    taken as it stands, braces included.
    """

    __slots__ = ("parts", "template")
    parts: tuple[str | int | float, ...]
    template: str

    def __new__(cls, template: str, *parts: Any) -> Sentence:
        if isinstance(template, Sentence) and not parts:
            return template
        held = tuple(_plain(part) for part in parts)
        self = super().__new__(cls, _filled(template, held) if held else template)
        self.template, self.parts = template, held
        return self

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.template, *self.parts)

    def as_list(self) -> list[Any]:
        """Template and parts as JSON holds them; a part that is a sentence is such a list too."""
        return [
            self.template,
            *(part.as_list() if isinstance(part, Sentence) else part for part in self.parts),
        ]

    @classmethod
    def from_list(cls, listed: list[Any]) -> Sentence:
        """The sentence that `as_list` gave."""
        template, *parts = listed
        return cls(template, *(cls.from_list(part) if isinstance(part, list) else part for part in parts))


def sentence_of(problem: BaseException) -> str:
    """What an exception says: its sentence where it was raised with one, else its text."""
    held = problem.args[0] if len(problem.args) == 1 else None
    return held if isinstance(held, Sentence) else str(problem)


def reason_of(problem: BaseException) -> str:
    """What the system says about a file or an address, else what the exception says itself."""
    said = getattr(problem, "strerror", None)
    return Sentence(said) if said else sentence_of(problem)


def _filled(template: str, parts: tuple[Any, ...]) -> str:
    return Writer().vformat(template, parts, {}) if "|" in template else template.format(*parts)


def _plain(part: Any) -> str | int | float:
    """A part that can be sent to another process: a number or a text, where an exception is its sentence."""
    if isinstance(part, BaseException):
        return sentence_of(part)
    if isinstance(part, str | int | float):
        return part
    item = getattr(part, "item", None)  # NumPy's numbers
    return item() if callable(item) else str(part)
