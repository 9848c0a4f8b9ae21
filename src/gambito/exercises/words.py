"""The texts of exercises in other languages."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from gambito.words import LANGUAGES, Words

_WORDS = Words(Path(__file__).with_name("words"))
catalogue, translate = _WORDS.catalogue, _WORDS.translate


def usual_language(environment: Mapping[str, str] = os.environ) -> str:
    """The language of the environment if there is a catalogue for it, else English."""
    named = next(
        (environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), ""
    )
    return named[:2].lower() if named[:2].lower() in LANGUAGES else "en"
