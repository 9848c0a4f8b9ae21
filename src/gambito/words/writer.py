"""Filling the holes of a template: numbers as the language writes them, forms that agree with a part."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from typing import Any

_COMMAS = str.maketrans(".,", ",.")


def swapped(number: str) -> str:
    """A number with a decimal comma, and points between its thousands."""
    return number.translate(_COMMAS)


class Writer(string.Formatter):
    """Fills the holes of a template; numbers as Python writes them, or changed by a function."""

    def __init__(self, number: Callable[[str], str] = str) -> None:
        self.number = number

    def format_field(self, value: Any, form: str) -> str:
        if "|" in form:
            one, many = form.split("|")
            return many if is_many(value) else one
        if form == "the":
            return with_article(str(value))
        written = format(value, form)
        return self.number(written) if isinstance(value, int | float) else written


def is_many(part: Any) -> bool:
    """Is a part a number other than 1, or the name of several, as `Blancas`?"""
    if isinstance(part, int | float):
        return part != 1
    return bool(re.fullmatch(r"(l[ao]s )?\w+s", str(part)))


def with_article(name: str) -> str:
    """The name of several with its article: las blancas. Other names need none."""
    if not re.fullmatch(r"[A-ZÁÉÍÓÚ]\w+s", name):
        return name
    return f"{'los' if name.endswith('os') else 'las'} {name.lower()}"
