"""A game to play in a notebook: the exported page in a frame, which can reach nothing around it."""

from __future__ import annotations

from html import escape
from typing import Any

from gambito.exports.files import page_of
from gambito.game.registry import load

HEIGHT = 720  # pixels


class Playing:
    """A game with its opponent, for display; the page plays on when Python has ended."""

    def __init__(self, game: Any) -> None:
        self.game = load(game)

    def __repr__(self) -> str:
        return f"{self.game.label()}, to be played"

    def _repr_html_(self) -> str:
        page = escape(page_of(self.game))
        return (
            f'<iframe sandbox="allow-scripts" srcdoc="{page}" '
            f'style="width:100%;height:{HEIGHT}px;border:0"></iframe>'
        )
