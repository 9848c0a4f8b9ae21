"""Do both gears say the same? The part of the conformance check that replays games in compiled code.

`replay` asks all rules. It is compiled with bounds checks, so an index out of range is told with the rule it
is in. `look` asks only what every search asks, of some states of a game, and `look_at_keys` their keys: that
is compiled soon, and serves the check before the first search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from gambito.errors import CompileError
from gambito.game.check_asking import after, plain
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.game.line import write_line
from gambito.native import Handle, int64, mix, native
from gambito.words.sentence import Sentence

SHORT = 8  # the most plies that `solve_ending` plays in the Python gear
NATIVE = "the native gear: "  # how a problem begins that makes the comparison useless
PRIME = 1_000_003  # what is added up of a list is told modulo this
CLOSE = 1e-9  # the part by which values may differ: compiled code may add in another order

# What the rules say about a state, each with the rule that says it: `actions` gives a number and a sum.
FACTS = (
    "player",
    "is_terminal",
    "actions",
    "actions",
    "key",
    "count",
    "noisy",
    "solve_ending",
)
VALUES = ("utility", "evaluate", "solve_ending")
RULES = (*FACTS, *VALUES, "is_nearly_over", "plies_left", "result")  # the rules that are asked
(PLAYER, IS_TERMINAL, ACTIONS, SUM, KEY, COUNT, NOISY, VISITED) = range(len(FACTS))
(UTILITY, EVALUATE, SOLVE_ENDING) = range(len(VALUES))
(IS_NEARLY_OVER, PLIES_LEFT, RESULT) = range(len(FACTS) + len(VALUES), len(RULES))


class Seen(Handle):
    """The actions of a game, and what the rules say about its states."""

    arrays: ClassVar[dict[str, type]] = {
        "actions": np.int64,
        "facts": np.int64,  # FACTS of each ply
        "values": np.float64,  # VALUES of each ply
        "asked": np.int64,  # the ply and the rule that is asked at the moment, for the case that it raises
    }


def new_seen(actions: list[int]) -> Seen:
    plies = len(actions) + 1
    return Seen(
        actions=np.array([*actions, 0], np.int64),
        facts=np.zeros(plies * len(FACTS), np.int64),
        values=np.zeros(plies * len(VALUES), np.float64),
        asked=np.zeros(2, np.int64),
    )


def _ask_first(game, state, seen, ply):
    """Write what every search asks about a state."""
    fact, value = ply * len(FACTS), ply * len(VALUES)
    seen.asked[0], seen.asked[1] = ply, IS_TERMINAL
    is_over = game.is_terminal(state)
    seen.asked[1] = PLAYER
    player = game.player(state)
    seen.facts[fact + PLAYER] = player
    seen.facts[fact + IS_TERMINAL] = is_over
    viewer = max(player, 0)
    if is_over:
        seen.asked[1] = len(FACTS) + UTILITY
        seen.values[value + UTILITY] = game.utility(state, viewer)
    else:
        seen.asked[1] = len(FACTS) + EVALUATE
        seen.values[value + EVALUATE] = game.evaluate(state, viewer)
        seen.asked[1] = ACTIONS
        number, total = int64(0), int64(0)
        for action in game.actions(state):
            number += 1
            total = (total * 31 + action) % PRIME
        seen.facts[fact + ACTIONS] = number
        seen.facts[fact + SUM] = total
    return is_over


def _ask_key(game, state, seen, ply):
    seen.asked[0], seen.asked[1] = ply, KEY
    seen.facts[ply * len(FACTS) + KEY] = int64(mix(game.key(state)))


def _ask_more(game, state, seen, ply, is_over):
    """Write what only some searches ask."""
    fact, value = ply * len(FACTS), ply * len(VALUES)
    if not is_over:
        seen.asked[1] = NOISY
        total = int64(0)
        for action in game.noisy(state):
            total = (total * 31 + action + 1) % PRIME
        seen.facts[fact + NOISY] = total
        seen.asked[1] = COUNT
        seen.facts[fact + COUNT] = game.count(state)
    seen.asked[1] = IS_NEARLY_OVER
    is_nearly_over = game.is_nearly_over(state)
    seen.asked[1] = PLIES_LEFT
    if is_nearly_over and game.plies_left(state) <= SHORT:
        seen.asked[1] = len(FACTS) + SOLVE_ENDING
        found, visited = game.solve_ending(state, game.lowest, game.highest)
        seen.values[value + SOLVE_ENDING] = found
        seen.facts[fact + VISITED] = visited


@native
def replay(game, state, seen, count):
    """Play the actions and write what the rules say about every state on the way."""
    for ply in range(count + 1):
        is_over = _ask_first(game, state, seen, ply)
        _ask_key(game, state, seen, ply)
        _ask_more(game, state, seen, ply, is_over)
        if ply < count:
            seen.asked[1] = RESULT
            state = game.result(state, seen.actions[ply])
    return state


@native
def look(game, state, seen, count, step):
    """Play the actions and write what every search asks, about every `step`-th state and the last one."""
    for ply in range(count + 1):
        if ply % step == 0 or ply == count:
            _ask_first(game, state, seen, ply)
        if ply < count:
            seen.asked[1] = RESULT
            state = game.result(state, seen.actions[ply])
    return count


@native
def look_at_keys(game, state, seen, count, step):
    """The same, with the keys of these states."""
    for ply in range(count + 1):
        if ply % step == 0 or ply == count:
            _ask_key(game, state, seen, ply)
        if ply < count:
            seen.asked[1] = RESULT
            state = game.result(state, seen.actions[ply])
    return count


def gear_problems(game: Game, played: list[list[int]]) -> Iterator[Sentence]:
    """The problems that replaying games in both gears shows, as sentences."""
    both = gears(game)
    start = both.cast(game.initial())
    for actions in played:
        differing = _Comparison(game, both.in_gear("native", True), start, actions)
        yield from differing.problems(replay, len(actions))
        if differing.is_broken:
            return
        native_state, plain_state = differing.answers
        if plain(both.cast(native_state)) != plain(both.cast(plain_state)):
            yield Sentence("the states differ between the gears, {}", after(write_line(game, start, actions)))


def first_gear_problems(game: Game, actions: list[int], step: int) -> Iterator[Sentence]:
    """The same for one game, and only for what every search asks, about every `step`-th state."""
    both = gears(game)
    comparison = _Comparison(game, both.in_gear("native"), both.cast(game.initial()), actions)
    yield from comparison.problems(look, len(actions), step)
    if not comparison.is_broken and type(game).key is not Game.key:
        yield from comparison.problems(look_at_keys, len(actions), step)


class _Comparison:
    """One game, replayed in both gears."""

    def __init__(self, game: Game, inner: Any, start: Any, actions: list[int]) -> None:
        self.game, self.inner, self.start, self.actions = game, inner, start, actions
        self.answers: tuple[Any, Any] = (None, None)
        self.is_broken = False  # compiled code cannot be had, or a rule raises an error in it

    def problems(self, function: Callable[..., Any], *given: int) -> Iterator[Sentence]:
        native_seen, plain_seen = new_seen(self.actions), new_seen(self.actions)
        try:
            found = function(self.inner, self.start, native_seen, *given)
        except CompileError as problem:
            self.is_broken = True
            yield Sentence("the native gear: {}", problem)
            return
        except Exception as problem:
            self.is_broken = True
            ply, rule = native_seen.asked.tolist()
            kind = type(problem).__name__
            yield Sentence(
                "the native gear: {} raises {}: {}, {}", RULES[rule], kind, problem, self._after(ply)
            )
            return
        overflows: list[str] = []
        with np.errstate(over="call", call=lambda kind, _: overflows.append(kind)):
            self.answers = found, function(self.game, self.start, plain_seen, *given)
        other = native_seen.facts != plain_seen.facts
        apart = ~np.isclose(native_seen.values, plain_seen.values, rtol=CLOSE, atol=CLOSE, equal_nan=True)
        for names, different in ((FACTS, other), (VALUES, apart)):
            for ply, fact in zip(*np.nonzero(different.reshape(-1, len(names))), strict=True):
                yield self._difference(names[fact], ply, bool(overflows))

    def _difference(self, fact: str, ply: int, has_overflow: bool) -> Sentence:
        if not has_overflow:
            return Sentence("{} differs between the gears, {}", fact, self._after(ply))
        return Sentence(
            "{} differs between the gears, {}; a NumPy number overflows there in the Python gear: "
            "write int(…) around it before you add or multiply",
            fact, self._after(ply),
        )  # fmt: skip

    def _after(self, ply: int) -> Sentence:
        return after(write_line(self.game, self.start, self.actions[:ply]))
