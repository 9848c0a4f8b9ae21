"""The result of a search in words: the same on a terminal and in a notebook."""

from __future__ import annotations

from typing import Any

from gambito.game.puzzle import Puzzle
from gambito.search.found import Found


def facts(found: Found) -> list[tuple[str, str]]:
    """The result as pairs of a name and a text; an empty text means that there is nothing to show."""
    is_puzzle = isinstance(found.game, Puzzle)
    search = f"{found.algorithm} · {effort(found)} · {count(found.evaluations, 'evaluation')}"
    if is_puzzle:
        expanded = f"{count(found.expanded or 0, 'state')} expanded"
        search = f"{found.algorithm} · {expanded} · {count(found.nodes, 'node')} · {duration(found.seconds)}"
    return [
        ("action", _action(found, is_puzzle)),
        ("cost", cost(found))
        if is_puzzle
        else ("value", f"{value(found)} (for the player to move){_end(found)}"),
        ("line", " ".join(found.words())),
        ("search", search),
        ("compiled", f"in {duration(found.compile_seconds)}" if found.compile_seconds >= 0.1 else ""),
    ]


def _action(found: Found, is_puzzle: bool) -> str:
    if found.action is not None:
        return found.game.write(found.state, found.action)
    if found.game.is_terminal(found.state):
        return "none, the goal is reached" if is_puzzle else "none, the game is over"
    return "none"


def _end(found: Found) -> str:
    """The number of plies to a forced end, in words."""
    return "" if found.ends_in is None else f", the end in {count(found.ends_in, 'ply', 'plies')}"


def signed(value: Any) -> str:
    """A value with its sign: +3, 0, -0.25."""
    if value is None:
        return "unknown"
    shown = f"{value:+.4g}" if isinstance(value, float) else f"{value:+d}"
    return "0" if value == 0 else shown


def value(found: Found) -> str:
    """The value or its bounds, and whether it is proven."""
    low, high = found.low, found.high
    if low is not None and high is not None and low != high:
        return f"between {signed(low)} and {signed(high)}"
    return signed(found.value) + (", proven" if found.exact else "")


def cost(found: Found) -> str:
    """The cost of the way to the goal, and whether it is proven to be the least."""
    if found.cost is None:
        return "no goal can be reached" if found.exact else "no way to a goal was found"
    shown = f"{found.cost:.6g}" if isinstance(found.cost, float) else str(found.cost)
    return shown + (", proven least" if found.exact else ", perhaps not the least")


def effort(found: Found) -> str:
    """The depth, nodes and time of the search."""
    return " · ".join((f"depth {found.depth}", count(found.nodes, "node"), duration(found.seconds)))


def count(number: int, noun: str, nouns: str = "") -> str:
    """1 node, 2,000 nodes."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def duration(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{1000 * seconds:.1f} ms"
