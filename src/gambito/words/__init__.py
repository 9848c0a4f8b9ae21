"""Sentences in another language: catalogues of templates, each with its translation.

A sentence is looked up by its template, which is the English text in the source; a template that is not
listed stays English. Each room of the package has a catalogue, `LANGUAGE/ROOM.json`, and all rooms are merged
when the first sentence is looked up. The page has its own beside its scripts; what it says as well as the
terminal stands there only. A process speaks one language (`say`); the server answers each page in its own
language (`translate`). This module does not depend on games, search or screens.

A template and its translation may have forms: `{0:wins|win}` is the first form if part 0 is 1 or names one,
the second if it is or names several; and in a translation `{0:the}` is part 0 with its article. The page's
`words.js` does the same.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gambito.words.sentence import Sentence
from gambito.words.writer import Writer, swapped

LANGUAGES = ("en", "es")  # another language is one more name here, and its folders of catalogues
ENVIRONMENT = ("GAMBITO_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides
_HERE = Path(__file__).parent
_PAGE = _HERE.parent / "web" / "page"

_spoken: str | None = None  # the language of this process, once it is known


# ---- the language of the process -------------------------------------------------------------------
def usual_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language of the environment if there is a catalogue for it, else English."""
    named = next((environment[name] for name in ENVIRONMENT if environment.get(name)), "")
    return named[:2].lower() if named[:2].lower() in LANGUAGES else "en"


def language() -> str:
    """The language that this process speaks."""
    global _spoken
    if _spoken is None:
        _spoken = usual_language()
    return _spoken


def speak(name: str) -> None:
    """From now on, this process speaks that language."""
    global _spoken
    _spoken = name


@contextlib.contextmanager
def speaking(name: str) -> Iterator[None]:
    """The process speaks that language here: English for what programs read, or the language of a page."""
    before = language()
    speak(name)
    try:
        yield
    finally:
        speak(before)


def say(template: str, *parts: Any) -> str:
    """The text in the language of the process; parts that are sentences are translated, too."""
    return translate(Sentence(template, *parts), language())


def tell(text: str) -> str:
    """A sentence or a name that was made elsewhere, in the language of the process."""
    return translate(text, language())


def count(number: int, noun: str, nouns: str = "") -> str:
    """A number of things: 1 node, 2,000 nodes."""
    return say(f"{{0:,}} {{0:{noun}|{nouns or noun + 's'}}}", number)


def digits(text: str) -> str:
    """The text of a number with the decimal sign of the language of the process."""
    return text if language() == "en" else swapped(text)


# ---- catalogues ------------------------------------------------------------------------------------
@functools.cache
def catalogue(name: str) -> dict[str, str]:
    """Every template and its translation, of all rooms."""
    if name == "en":
        return {}
    files = [_PAGE / "words" / f"{name}.json", *sorted((_HERE / name).glob("*.json"))]
    return {template: told for file in files for template, told in room(file).items()}


def room(file: Path) -> dict[str, str]:
    """The catalogue of one room."""
    held: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return held


@functools.cache
def _names(name: str) -> dict[str, str]:
    return {} if name == "en" else room(_PAGE / "names" / f"{name}.json")


def name_of(name: str) -> str:
    """The name of a move or a cell in the language of the process, if it consists of words: `pass`, `die 1 of
    first`. The page's `words.js` does the same.
    """
    known = _names(language())
    if not known:
        return name
    numbers = re.findall(r"\d+", name)
    count = itertools.count()
    whole = known.get(re.sub(r"\d+", lambda _: f"{{{next(count)}}}", name))
    if whole is not None:
        return whole.format(*numbers)
    return re.sub(r"[^\W\d_]{3,}( of)?", lambda found: known.get(found[0], found[0]), name)


def translate(text: str, language: str) -> str:
    """The text in that language: a sentence by its template, with any parts that are sentences."""
    if language == "en":
        return text
    sentence = text if isinstance(text, Sentence) else Sentence(text)
    parts = [translate(part, language) if isinstance(part, Sentence) else part for part in sentence.parts]
    template = catalogue(language).get(sentence.template, sentence.template)
    return Writer(swapped).vformat(template, parts, {}) if parts else template


def translate_in(data: Any, language: str, names: frozenset[str], is_text: bool = False) -> Any:
    """A data structure in which all texts under these names are translated, at any depth."""
    if language == "en":
        return data
    if isinstance(data, dict):
        return {
            name: translate_in(held, language, names, is_text or name in names) for name, held in data.items()
        }
    if isinstance(data, list):
        return [translate_in(held, language, names, is_text) for held in data]
    return translate(data, language) if is_text and isinstance(data, str) else data
