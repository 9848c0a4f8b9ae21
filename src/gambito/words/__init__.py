"""Sentences in another language: catalogues of templates, each with its translation.

A sentence is looked up by its template, which is the English text in the source; a template that is not
listed stays English. Each layer with messages has a folder of catalogues, one `LANGUAGE.json` each. This
module does not depend on games, search or screens.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gambito.words.sentence import Sentence

LANGUAGES = ("en", "es")


class Words:
    """The catalogues of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: dict[str, dict[str, str]] = {"en": {}}

    def catalogue(self, language: str) -> dict[str, str]:
        """Every template and its translation."""
        if language not in self._read:
            text = (self.folder / f"{language}.json").read_text(encoding="utf-8")
            self._read[language] = json.loads(text)
        return self._read[language]

    def translate(self, text: str, language: str) -> str:
        """The text in that language: a sentence by its template, with any parts that are sentences."""
        if language == "en":
            return text
        sentence = text if isinstance(text, Sentence) else Sentence(text)
        parts = [
            self.translate(part, language) if isinstance(part, Sentence) else part for part in sentence.parts
        ]
        return str(Sentence(self.catalogue(language).get(sentence.template, sentence.template), *parts))

    def translate_in(self, data: Any, language: str, names: frozenset[str], is_text: bool = False) -> Any:
        """A data structure in which all texts under these names are translated, at any depth."""
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
