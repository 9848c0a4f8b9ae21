"""Gambito in a notebook: `show` for positions, and `_repr_svg_` and `_repr_html_` for what it answers.

The records know nothing of drawing: they are told here how to show themselves. What draws is imported when
something is to be drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gambito.search.search_result import SearchResult
from gambito.search.trace.record import Record

if TYPE_CHECKING:
    from gambito.draw.notebook import ShownPosition
    from gambito.exports.notebook import Playing

DRAWN: tuple[tuple[type, str, str], ...] = (  # a record, a form, and the function of `draw.notebook`
    (SearchResult, "html", "found_html"),
    (Record, "svg", "record_svg"),
    (Record, "html", "record_html"),
)


def show(
    game: Any, state: Any = None, line: Any = (), *, turned: bool = False, play: bool = False
) -> ShownPosition | Playing:
    """A position as a notebook shows it: its board, and the moves of `line` marked on it.

    state    a state or a position as text; the initial one if it is left out
    line     an action or several, as numbers or in the game's notation: the first is strong, others faint
    turned   seen from the other side
    play     a board to play on, from the first position, against an opponent that needs no Python
    """
    if play:
        from gambito.exports.notebook import Playing

        return Playing(game)
    from gambito.draw.notebook import ShownPosition

    return ShownPosition(game, state, line, turned)


def _by(name: str) -> Callable[[Any], str]:
    def shown(record: Any) -> str:
        from gambito.draw import notebook

        drawn: str = getattr(notebook, name)(record)
        return drawn

    return shown


def _pretty(record: Record, printer: Any, cycle: bool) -> None:
    """The text of a watched search, where a notebook shows text."""
    from gambito.draw import draw_text

    printer.text(draw_text(record))


def adorn(kind: type, form: str, name: str) -> None:
    """Tell a record how a notebook shows it: by a function of `draw.notebook`."""
    setattr(kind, f"_repr_{form}_", _by(name))


def adorn_records() -> None:
    """Tell the records of searches how a notebook shows them."""
    for drawn in DRAWN:
        adorn(*drawn)
    setattr(Record, "_repr_pretty_", _pretty)  # noqa: B010  # a type checker knows no such method
