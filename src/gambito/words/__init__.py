"""Sentences in another language: catalogues of templates, each with its translation.

A sentence is looked up by its template, which is the English text in the source; a template that is not
listed stays English. Each layer with messages has a folder of catalogues, one `LANGUAGE.json` each. This
module does not depend on games, search or screens.

A translation may have more holes than its template: `{0:gana|ganan}` is the first form if part 0 is 1 or
names one, the second if it is or names several, and `{0:the}` is part 0 with its article. The page's
`words.js` does the same.
"""

from __future__ import annotations

import json
import re
import string
from pathlib import Path
from typing import Any

from gambito.words.sentence import Sentence

LANGUAGES = ("en", "es")


class Writer(string.Formatter):
    """Fills the holes of a translation; numbers have decimal commas."""

    def format_field(self, value: Any, form: str) -> str:
        if "|" in form:
            one, many = form.split("|")
            return many if is_many(value) else one
        if form == "the":
            return with_article(str(value))
        written = format(value, form)
        return written.translate(_COMMAS) if isinstance(value, int | float) else written


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


_COMMAS = str.maketrans(".,", ",.")


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
        template = self.catalogue(language).get(sentence.template, sentence.template)
        return Writer().vformat(template, parts, {}) if parts else template

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
