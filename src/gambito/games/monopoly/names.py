"""The names of deeds and cards of Monopoly as single words, for moves and positions."""

from __future__ import annotations

import re

from .board import CARD_NAMES, SQUARE_OF, SQUARES

_SHORT = re.compile(r" (Avenue|Place)$")


def slug(name: str) -> str:
    """A name as one word: `st-charles`."""
    return _SHORT.sub("", name).lower().replace(". ", " ").replace(".", "").replace("'", "").replace(" ", "-")


DEED_NAMES = tuple(slug(SQUARES[square]) for square in SQUARE_OF)
CARD_WORDS = tuple(
    tuple(
        slug(name.replace(":", "")) + ("-again" if name in names[:n] else "") for n, name in enumerate(names)
    )
    for names in CARD_NAMES
)
