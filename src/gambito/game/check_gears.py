"""Do both gears say the same? The part of the conformance check that replays games in compiled code.

The code is compiled with bounds checks, so an index out of range is told with the rule it is in.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gambito.errors import CompileError
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.game.line import write_line
from gambito.native import int64, mix, native

SHORT = 8  # the most plies that `solve_ending` plays in the Python gear
MOST_MOVES = 400  # the most moves that describe a position in a message
NATIVE = "the native gear: "  # how a problem begins that makes the comparison useless

# What the rules say about a state, each with the rule that says it: `actions` gives a number and a sum.
FACTS = (
    "key",
    "player",
    "is_terminal",
    "utility",
    "evaluate",
    "actions",
    "actions",
    "noisy",
    "solve_ending",
)
RULES = (*FACTS, "count", "is_nearly_over", "plies_left", "result")  # the rules that are asked
(KEY, PLAYER, IS_TERMINAL, UTILITY, EVALUATE, ACTIONS, SUM, NOISY, SOLVE_ENDING) = range(len(FACTS))
(COUNT, IS_NEARLY_OVER, PLIES_LEFT, RESULT) = range(len(FACTS), len(RULES))


@native
def replay(game, state, actions, count, facts, asked):
    """Play the actions and write what the rules say about every state on the way.

    `asked` holds the ply and the rule that is asked at the moment, for the case that it raises.
    """
    for ply in range(count + 1):
        asked[0], asked[1] = ply, IS_TERMINAL
        is_over = game.is_terminal(state)
        asked[1] = PLAYER
        player = game.player(state)
        asked[1] = KEY
        facts[ply, KEY] = int64(mix(game.key(state)))
        facts[ply, PLAYER] = player
        facts[ply, IS_TERMINAL] = is_over
        viewer = max(player, 0)
        asked[1] = UTILITY if is_over else EVALUATE
        facts[ply, UTILITY] = int64(1024.0 * game.utility(state, viewer)) if is_over else 0
        facts[ply, EVALUATE] = 0 if is_over else int64(1024.0 * game.evaluate(state, viewer))
        if not is_over:
            asked[1] = ACTIONS
            for action in game.actions(state):
                facts[ply, ACTIONS] += 1
                facts[ply, SUM] = facts[ply, SUM] * 31 + action
            asked[1] = NOISY
            for action in game.noisy(state):
                facts[ply, NOISY] = facts[ply, NOISY] * 31 + action + 1
            asked[1] = COUNT
            facts[ply, ACTIONS] += 1000 * game.count(state)
        asked[1] = IS_NEARLY_OVER
        is_nearly_over = game.is_nearly_over(state)
        asked[1] = PLIES_LEFT
        if is_nearly_over and game.plies_left(state) <= SHORT:
            asked[1] = SOLVE_ENDING
            value, visited = game.solve_ending(state, game.lowest, game.highest)
            facts[ply, SOLVE_ENDING] = int64(1024.0 * value) * 1000 + visited
        asked[1] = RESULT
        if ply < count:
            state = game.result(state, actions[ply])
    return state


def gear_problems(game: Game, played: list[list[int]]) -> Iterator[str]:
    """The problems that replaying games in both gears shows, as sentences."""
    turning = gears(game)
    start = turning.enter(game.initial())
    for actions in played:
        moves, asked = np.array([*actions, 0], np.int64), np.zeros(2, np.int64)
        try:
            native_state, native_facts = _replayed(turning.shift("native", True), start, moves, asked)
        except CompileError as problem:
            yield f"{NATIVE}{problem}"
            return
        except Exception as problem:
            place = after(write_line(game, start, actions[: asked[0]]))
            yield f"{NATIVE}{RULES[asked[1]]} raises {type(problem).__name__}: {problem}, {place}"
            return
        plain_state, plain_facts = _replayed(game, start, moves, asked)
        for ply, fact in zip(*np.nonzero(plain_facts != native_facts), strict=True):
            place = after(write_line(game, start, actions[:ply]))
            yield f"{FACTS[fact]} differs between the gears, {place}"
        if plain(turning.enter(native_state)) != plain(turning.enter(plain_state)):
            yield f"the states differ between the gears, {after(write_line(game, start, actions))}"


def _replayed(game: Any, start: Any, moves: Any, asked: Any) -> tuple[Any, Any]:
    facts = np.zeros((len(moves), len(FACTS)), np.int64)
    with np.errstate(over="ignore"):
        return replay(game, start, moves, len(moves) - 1, facts, asked), facts


def after(path: list[str]) -> str:
    """The moves that lead to a position, for a message."""
    if not path:
        return "in the initial state"
    told = " ".join(path) if len(path) <= MOST_MOVES else "… " + " ".join(path[-MOST_MOVES:])
    return f"after {told}"


def plain(state: Any) -> Any:
    """A state that can be compared: arrays as lists, objects as their attributes."""
    if isinstance(state, tuple | list):
        return [plain(part) for part in state]
    if isinstance(state, np.ndarray):
        return state.tolist()
    shown: Any = type(state).__repr__
    return vars(state) if shown is object.__repr__ and hasattr(state, "__dict__") else state
