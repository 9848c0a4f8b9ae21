"""Writing the moves of a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gambito.game.contract.text import Text


def write_line(
    game: Text, state: Any, actions: Iterable[int], write: Callable[[Any, int], str] | None = None
) -> list[str]:
    """Successive actions from a state on, in the game's notation, or as `write` gives them."""
    write = write or game.write
    words = []
    for action in actions:
        words.append(write(state, action))
        state = game.result(state, action)
    return words
