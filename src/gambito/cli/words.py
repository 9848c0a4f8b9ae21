"""Numbers and searches in words, for the lines that commands print."""

from __future__ import annotations

from typing import Any

from gambito.game.contract import Game
from gambito.search.found import Found


def signed(value: Any) -> str:
    """A value with its sign: +3, 0, -0.25."""
    if value is None:
        return "unknown"
    shown = f"{value:+.4g}" if isinstance(value, float) else f"{value:+d}"
    return "0" if value == 0 else shown


def value(found: Found) -> str:
    """What is known of the value, and how surely."""
    low, high = found.low, found.high
    if low is not None and high is not None and low != high:
        return f"between {signed(low)} and {signed(high)}"
    return signed(found.value) + (", proven" if found.exact else "")


def cost(found: Found) -> str:
    """What the way to the goal costs, and how surely no other costs less."""
    if found.cost is None:
        return "no goal can be reached" if found.exact else "no way to a goal was found"
    shown = f"{found.cost:.6g}" if isinstance(found.cost, float) else str(found.cost)
    return shown + (", proven least" if found.exact else ", perhaps not the least")


def line(game: Game, state: Any, actions: list[int]) -> list[str]:
    """Moves in the game's notation."""
    names = []
    for action in actions:
        names.append(game.write(state, action))
        state = game.result(state, action)
    return names


def effort(found: Found) -> str:
    """What the search cost."""
    return " · ".join((f"depth {found.depth}", count(found.nodes, "node"), duration(found.seconds)))


def count(number: int, noun: str, nouns: str = "") -> str:
    """1 node, 2,000 nodes."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def duration(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{1000 * seconds:.1f} ms"


def size(count: int) -> str:
    """Bytes, as a person counts them."""
    amount = float(count)
    for unit in ("bytes", "KiB", "MiB"):
        if amount < 1024:
            return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"
        amount /= 1024
    return f"{amount:.1f} GiB"


def rows(facts: list[tuple[str, str]], indent: int = 0) -> str:
    """Names and what they are, in two columns; a fact without words is left out."""
    told = [(name, text) for name, text in facts if text]
    width = max((len(name) for name, _ in told), default=0)
    return "\n".join(f"{' ' * indent}{name:<{width}}  {text}" for name, text in told)
