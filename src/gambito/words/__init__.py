"""Sentences in another language: a catalogue of templates, each hole `{}` filled with what stood there.

English is the key, as it stands in the source; a sentence that no template fits stays as it is. Each layer
that speaks keeps a folder of catalogues, one `LANGUAGE.json` each. It knows no game, no search and no screen.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "es")
HOLE = "{}"


class Words:
    """The catalogues of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: dict[str, dict[str, str]] = {"en": {}}
        self._holed: dict[str, list[tuple[re.Pattern[str], str]]] = {}

    def catalogue(self, language: str) -> dict[str, str]:
        """Every template and its translation."""
        if language not in self._read:
            text = (self.folder / f"{language}.json").read_text(encoding="utf-8")
            self._read[language] = json.loads(text)
        return self._read[language]

    def _patterns(self, language: str) -> list[tuple[re.Pattern[str], str]]:
        """The templates with holes, those with more letters of their own first."""
        if language not in self._holed:
            holed = [
                (english, other) for english, other in self.catalogue(language).items() if HOLE in english
            ]
            holed.sort(key=lambda pair: -len(pair[0].replace(HOLE, "")))
            self._holed[language] = [
                (re.compile("(.+?)".join(map(re.escape, english.split(HOLE))), re.DOTALL), other)
                for english, other in holed
            ]
        return self._holed[language]

    def translate(self, sentence: str, language: str) -> str:
        """The sentence in that language; what fills a hole is translated too where it is a sentence."""
        if language == "en" or not sentence:
            return sentence
        if sentence in self.catalogue(language):
            return self.catalogue(language)[sentence]
        for pattern, other in self._patterns(language):
            found = pattern.fullmatch(sentence)
            if found:
                parts = [self.translate(part, language) for part in found.groups()]
                return "".join(
                    f"{text}{part}" for text, part in zip(other.split(HOLE), [*parts, ""], strict=False)
                )
        return sentence

    def translate_in(self, data: Any, language: str, names: frozenset[str], is_text: bool = False) -> Any:
        """A structure with all texts under these names translated, wherever they are."""
        if language == "en":
            return data
        if isinstance(data, dict):
            return {
                name: self.translate_in(held, language, names, is_text or name in names)
                for name, held in data.items()
            }
        if isinstance(data, list):
            return [self.translate_in(held, language, names, is_text) for held in data]
        return self.translate(data, language) if is_text and isinstance(data, str) else data
