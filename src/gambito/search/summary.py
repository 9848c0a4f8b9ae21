"""The result of a search in words: the same on a terminal and in a notebook."""

from __future__ import annotations

import math
from typing import Any

from gambito.game.contract import CHANCE, Game
from gambito.game.puzzle import Puzzle
from gambito.search.search_result import SearchResult

ROUNDING = 1e-9  # smaller values are errors of rounding
MOST_DIGITS = 9  # decimals of a value


def facts(found: SearchResult) -> list[tuple[str, str]]:
    """The result as pairs of a name and a text; an empty text means that there is nothing to show."""
    is_puzzle = isinstance(found.game, Puzzle)
    search = f"{found.algorithm} · {effort(found)} · {count(found.evaluations, 'evaluation')}"
    if is_puzzle:
        expanded = f"{count(found.expanded or 0, 'state')} expanded"
        search = f"{found.algorithm} · {expanded} · {count(found.nodes, 'node')} · {duration(found.seconds)}"
    if found.iterations is not None:
        done = count(found.iterations, "iteration")
        search = f"{found.algorithm} · {done} · {duration(found.seconds)}"
    return [
        ("action", _action(found, is_puzzle)),
        ("cost", cost(found)) if is_puzzle else ("value", f"{value(found)} ({whose(found)}){_end(found)}"),
        ("values", values(found)),
        ("policy", policy(found)),
        ("exploitability", "" if found.exploitability is None else f"{found.exploitability:.6g}"),
        ("line", " ".join(found.words()) if not found.policy else ""),
        ("search", search),
        ("compiled", f"in {duration(found.compile_seconds)}" if found.compile_seconds >= 0.1 else ""),
    ]


def _action(found: SearchResult, is_puzzle: bool) -> str:
    if found.action is not None:
        return found.game.write(found.state, found.action)
    if found.game.is_terminal(found.state):
        return "none, the goal is reached" if is_puzzle else "none, the game is over"
    return "none"


def whose(found: SearchResult) -> str:
    """The player whose value it is: the one to move, or the first if chance decides."""
    if found.game.player(found.state) != CHANCE:
        return "for the player to move"
    return f"for {side(found.game, 0)}"


def side(game: Game, player: int) -> str:
    """The name of a player."""
    return game.sides[player] if player < len(game.sides) else f"player {player + 1}"


def values(found: SearchResult) -> str:
    """The value for every player; "" in a game for two in which one value tells both."""
    game = found.game
    if not found.values or (game.players == 2 and game.zero_sum):
        return ""
    return ", ".join(f"{side(game, player)} {signed(worth)}" for player, worth in enumerate(found.values))


def policy(found: SearchResult) -> str:
    """The probability of each action, the largest first."""
    shares = sorted(found.policy.items(), key=lambda pair: -pair[1])
    return ", ".join(
        f"{found.game.write(found.state, action)} {100 * share:.3g} %" for action, share in shares
    )


def _end(found: SearchResult) -> str:
    """The number of plies to a forced end, in words."""
    return "" if found.ends_in is None else f", the end in {count(found.ends_in, 'ply', 'plies')}"


def signed(value: Any) -> str:
    """A value with its sign: +3, 0, -0.25; what is smaller than the rounding of sums is 0."""
    if value is None:
        return "unknown"
    if abs(value) < ROUNDING:
        return "0"
    return f"{value:+.4g}" if isinstance(value, float) else f"{value:+d}"


def value(found: SearchResult) -> str:
    """The value or its bounds, and whether it is proven."""
    if found.confidence is None and found.low is None and found.high is not None:
        return f"at most {signed(found.high)}"
    if found.confidence is None and found.high is None and found.low is not None:
        return f"at least {signed(found.low)}"
    if has_proven_bounds(found):
        return f"between {signed(found.low)} and {signed(found.high)}, proven"
    if found.confidence is None:
        return signed(found.value) + (", proven" if found.exact else "")
    digits = _digits(found.high - found.low)
    low, high = (f"{round(bound, digits) + 0.0:+.{digits}f}" for bound in (found.low, found.high))
    mean = round(found.value, digits) + 0.0
    shown = f"{mean:+.{digits}f}" if mean else "0"
    return f"{shown}, with {100 * found.confidence:g} % confidence between {low} and {high}"


def has_proven_bounds(found: SearchResult) -> bool:
    """Are different bounds of the value proven?"""
    return None not in (found.low, found.high) and found.low != found.high and found.confidence is None


def _digits(width: float) -> int:
    """The decimals of a value that lies in an interval of that width: two digits of the width count."""
    return min(max(1 - math.floor(math.log10(width)), 0), MOST_DIGITS) if width > 0 else MOST_DIGITS


def cost(found: SearchResult) -> str:
    """The cost of the way to the goal, and whether it is proven to be the least."""
    if found.cost is None:
        return "no goal can be reached" if found.exact else "no way to a goal was found"
    shown = f"{found.cost:.6g}" if isinstance(found.cost, float) else str(found.cost)
    return shown + (", proven least" if found.exact else ", perhaps not the least")


def effort(found: SearchResult) -> str:
    """The depth, nodes and time of the search."""
    return " · ".join((f"depth {found.depth}", count(found.nodes, "node"), duration(found.seconds)))


def count(number: int, noun: str, nouns: str = "") -> str:
    """1 node, 2,000 nodes."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def duration(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{1000 * seconds:.1f} ms"
