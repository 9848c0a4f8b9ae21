"""Translations of the texts that the server sends."""

from __future__ import annotations

from pathlib import Path

from gambito.words import Words

_WORDS = Words(Path(__file__).with_name("words"))
catalogue, translate, translate_in = _WORDS.catalogue, _WORDS.translate, _WORDS.translate_in
