"""The records: an exercise, what is wrong with an answer, and the result of a check."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from gambito.words import translate

SECONDS = 3.0  # for one position


@dataclass(frozen=True)
class Wrong:
    """The first error in a student's function."""

    reason: str  # one sentence, without a full stop
    kind: str = "value"  # value, bound, leaves, rules, type, raises, endless, missing, unreadable, check
    position: str = ""
    given: str = ""  # the other arguments of the function: its depth, its window
    gave: Any = None
    right: Any = None
    mistake: str = ""  # a common mistake with the same answers
    line: int = 0  # of the student's file
    drawing: str = ""
    command: str = ""  # a command that shows the position


def plain(value: Any) -> Any:
    """A value that JSON can hold."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, list | tuple):
        return [plain(held) for held in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int | float):
        return value
    number = getattr(value, "item", None)
    return plain(number()) if callable(number) else str(value)


@dataclass(frozen=True)
class Exercise:
    """A task, and how it is checked."""

    name: str
    title: str  # one sentence
    task: str  # paragraphs, separated by empty lines
    start: str  # the file to begin with
    check: Callable[[Any], Wrong | None]
    function: str = ""  # what the student's file must define; by default the name, with underscores
    checked: str = ""
    hint: str = ""
    lesson: str = ""  # a page of the documentation
    seconds: float = SECONDS

    @property
    def wanted(self) -> str:
        return self.function or self.name.replace("-", "_")

    def beginning(self, language: str = "en") -> str:
        """The file to begin with, with its sentences translated line by line."""
        return re.sub(
            r'^(\s*(?:"""|# )?)(.+?)("""|)$',
            lambda found: found[1] + translate(found[2], language) + found[3],
            self.start,
            flags=re.MULTILINE,
        )

    def as_dict(self, language: str = "en") -> dict[str, Any]:
        """All texts for a student."""
        told = {"title": self.title, "checked": self.checked, "hint": self.hint}
        return {
            "name": self.name,
            "function": self.wanted,
            **{name: translate(text, language) for name, text in told.items()},
            "task": "\n\n".join(translate(part, language) for part in self.task.split("\n\n")),
            "lesson": self.lesson,
            "start": self.beginning(language),
        }


@dataclass(frozen=True)
class Verdict:
    """The result of a check."""

    exercise: str
    file: str
    function: str
    wrong: Wrong | None
    positions: int  # the number of positions tried
    seconds: float
    printed: str = ""  # by the student's code
    elsewhere: Wrong | None = None  # where a right function is wrong about what it need not know

    @property
    def right(self) -> bool:
        return self.wrong is None

    def as_dict(self, language: str = "en") -> dict[str, Any]:
        told = {"wrong": _told(self.wrong, language), "elsewhere": _told(self.elsewhere, language)}
        return {**asdict(self), "right": self.right, **told}


def _told(wrong: Wrong | None, language: str) -> dict[str, Any] | None:
    if wrong is None:
        return None
    said = {name: translate(getattr(wrong, name), language) for name in ("reason", "mistake")}
    return {**asdict(wrong), **said, "gave": plain(wrong.gave), "right": plain(wrong.right)}
