"""Numbers and results of searches as text, for the lines that commands print."""

from __future__ import annotations

from gambito.search.summary import cost as cost
from gambito.search.summary import duration as duration
from gambito.search.summary import effort as effort
from gambito.search.summary import signed as signed
from gambito.search.summary import value as value
from gambito.words import count as count
from gambito.words import digits


def size(count: int) -> str:
    """Return a number of bytes with a suitable unit: 1.5 MiB."""
    amount = float(count)
    for unit in ("bytes", "KiB", "MiB"):
        if amount < 1024:
            return digits(f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}")
        amount /= 1024
    return digits(f"{amount:.1f} GiB")


def rows(facts: list[tuple[str, str]], indent: int = 0) -> str:
    """Return names and their texts in two columns. A name with an empty text is left out."""
    told = [(name, text) for name, text in facts if text]
    width = max((len(name) for name, _ in told), default=0)
    return "\n".join(f"{' ' * indent}{name:<{width}}  {text}" for name, text in told)
