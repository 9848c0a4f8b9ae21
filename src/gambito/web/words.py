"""Sentences in another language: a catalogue of templates, each hole `{}` filled with what stood there.

English is the key, as it stands in the source; a sentence that no template fits stays as it is.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "es")
HOLE = "{}"
_FOLDER = Path(__file__).with_name("words")


@functools.cache
def catalogue(language: str) -> dict[str, str]:
    """Every template and its translation."""
    return json.loads((_FOLDER / f"{language}.json").read_text(encoding="utf-8")) if language != "en" else {}


@functools.cache
def _patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """The templates with holes, those with more letters of their own first."""
    holed = [(english, other) for english, other in catalogue(language).items() if HOLE in english]
    holed.sort(key=lambda pair: -len(pair[0].replace(HOLE, "")))
    return [
        (re.compile("(.+?)".join(map(re.escape, english.split(HOLE))), re.DOTALL), other)
        for english, other in holed
    ]


def translate(sentence: str, language: str) -> str:
    """The sentence in that language; what fills a hole is translated too where it is a sentence itself."""
    if language == "en" or not sentence:
        return sentence
    if sentence in catalogue(language):
        return catalogue(language)[sentence]
    for pattern, other in _patterns(language):
        found = pattern.fullmatch(sentence)
        if found:
            parts = [translate(part, language) for part in found.groups()]
            return "".join(
                f"{text}{part}" for text, part in zip(other.split(HOLE), [*parts, ""], strict=False)
            )
    return sentence


def translate_in(data: Any, language: str, names: frozenset[str], is_text: bool = False) -> Any:
    """A structure with all texts under these names translated, wherever they are."""
    if language == "en":
        return data
    if isinstance(data, dict):
        return {
            name: translate_in(held, language, names, is_text or name in names) for name, held in data.items()
        }
    if isinstance(data, list):
        return [translate_in(held, language, names, is_text) for held in data]
    return translate(data, language) if is_text and isinstance(data, str) else data
