"""A part of the conformance check: do two positions with the same key differ?"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from gambito.game.contract import Game
from gambito.game.gears import gears

WALKS, PLIES = 4, 40  # walks from both positions, and the plies of a walk


def differing_rule(game: Game, one: Any, other: Any, ask: Callable[..., Any]) -> str:
    """The rule that tells two states apart, now or after the same actions; "" if none does.

    A key may leave out what hardly ever matters, as the count of quiet moves in a game with cycles. So in
    such a game only the player and the actions of the two states are compared. `ask` calls a rule.
    """
    rng = random.Random(0)
    for _ in range(WALKS):
        pair = (one, other)
        for _ in range(1 if game.cycles else PLIES):
            if ask("player", pair[0]) != ask("player", pair[1]):
                return "player"
            ends = [bool(ask("is_terminal", state)) for state in pair]
            if any(ends):
                if not game.cycles and not all(ends):
                    return "is_terminal"
                if all(ends) and ask("utility", pair[0], 0) != ask("utility", pair[1], 0):
                    return "utility"
                break
            actions = sorted(ask("actions", pair[0]))
            if actions != sorted(ask("actions", pair[1])):
                return "actions"
            if not actions:
                break
            action = rng.choice(actions)
            first, second = (gears(game).cast(ask("result", state, action)) for state in pair)
            pair = (first, second)
    return ""
