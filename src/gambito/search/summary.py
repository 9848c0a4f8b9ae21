"""The result of a search in words: the same on a terminal and in a notebook."""

from __future__ import annotations

import math
from typing import Any

from gambito.game.contract import CHANCE, Game
from gambito.game.puzzle import Puzzle
from gambito.search.search_result import SearchResult
from gambito.words import count, digits, say, tell

ROUNDING = 1e-9  # smaller values are errors of rounding
MOST_DIGITS = 9  # decimals of a value


def facts(found: SearchResult) -> list[tuple[str, str]]:
    """The result as pairs of a name and a text; an empty text means that there is nothing to show."""
    is_puzzle = isinstance(found.game, Puzzle)
    search = f"{found.algorithm} · {effort(found)} · {count(found.evaluations, 'evaluation')}"
    if is_puzzle:
        expanded = say("{0:,} {0:state|states} expanded", found.expanded or 0)
        search = f"{found.algorithm} · {expanded} · {count(found.nodes, 'node')} · {duration(found.seconds)}"
    if found.iterations is not None:
        done = count(found.iterations, "iteration")
        search = f"{found.algorithm} · {done} · {duration(found.seconds)}"
    worth = "" if is_puzzle else f"{value(found)} ({whose(found)}){_end(found)}"
    compiled = say("in {}", duration(found.compile_seconds)) if found.compile_seconds >= 0.1 else ""
    return [
        (say("action"), _action(found, is_puzzle)),
        (say("cost"), cost(found)) if is_puzzle else (say("value"), worth),
        (say("values"), values(found)),
        (say("policy"), policy(found)),
        (say("exploitability"), _exploitability(found)),
        (say("line"), " ".join(map(found.game.spoken, found.words())) if not found.policy else ""),
        (say("search"), search),
        (say("compiled"), compiled),
    ]


def _exploitability(found: SearchResult) -> str:
    return "" if found.exploitability is None else digits(f"{found.exploitability:.6g}")


def _action(found: SearchResult, is_puzzle: bool) -> str:
    if found.action is not None:
        return found.game.spoken(found.game.write(found.state, found.action))
    if found.game.is_terminal(found.state):
        return say("none, the goal is reached") if is_puzzle else say("none, the game is over")
    return say("none")


def whose(found: SearchResult) -> str:
    """The player whose value it is: the one to move, or the first if chance decides."""
    if found.game.player(found.state) != CHANCE:
        return say("for the player to move")
    return say("for {}", side(found.game, 0))


def side(game: Game, player: int) -> str:
    """The name of a player."""
    return tell(game.sides[player]) if player < len(game.sides) else say("player {}", player + 1)


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
        f"{found.game.write(found.state, action)} {digits(f'{100 * share:.3g}')} %"
        for action, share in shares
    )


def _end(found: SearchResult) -> str:
    """The number of plies to a forced end, in words."""
    return "" if found.ends_in is None else say(", the end in {0:,} {0:ply|plies}", found.ends_in)


def signed(value: Any) -> str:
    """A value with its sign: +3, 0, -0.25; what is smaller than the rounding of sums is 0."""
    if value is None:
        return say("unknown")
    if abs(value) < ROUNDING:
        return "0"
    return digits(f"{value:+.4g}" if isinstance(value, float) else f"{value:+d}")


def value(found: SearchResult) -> str:
    """The value or its bounds, and whether it is proven."""
    if found.confidence is None and found.low is None and found.high is not None:
        return say("at most {}", signed(found.high))
    if found.confidence is None and found.high is None and found.low is not None:
        return say("at least {}", signed(found.low))
    if has_proven_bounds(found):
        return say("between {} and {}, proven", signed(found.low), signed(found.high))
    if found.confidence is None:
        return signed(found.value) + (say(", proven") if found.exact else "")
    places = _digits(found.high - found.low)
    low, high = (digits(f"{round(bound, places) + 0.0:+.{places}f}") for bound in (found.low, found.high))
    mean = round(found.value, places) + 0.0
    shown = digits(f"{mean:+.{places}f}") if mean else "0"
    return say("{}, with {:g} % confidence between {} and {}", shown, 100 * found.confidence, low, high)


def has_proven_bounds(found: SearchResult) -> bool:
    """Are different bounds of the value proven?"""
    return None not in (found.low, found.high) and found.low != found.high and found.confidence is None


def _digits(width: float) -> int:
    """The decimals of a value that lies in an interval of that width: two digits of the width count."""
    return min(max(1 - math.floor(math.log10(width)), 0), MOST_DIGITS) if width > 0 else MOST_DIGITS


def cost(found: SearchResult) -> str:
    """The cost of the way to the goal, and whether it is proven to be the least."""
    if found.cost is None:
        return say("no goal can be reached") if found.exact else say("no way to a goal was found")
    shown = digits(f"{found.cost:.6g}") if isinstance(found.cost, float) else str(found.cost)
    return shown + (say(", proven least") if found.exact else say(", perhaps not the least"))


def effort(found: SearchResult) -> str:
    """The depth, nodes and time of the search."""
    return " · ".join((say("depth {}", found.depth), count(found.nodes, "node"), duration(found.seconds)))


def duration(seconds: float) -> str:
    return digits(f"{seconds:.2f} s" if seconds >= 0.1 else f"{1000 * seconds:.1f} ms")
