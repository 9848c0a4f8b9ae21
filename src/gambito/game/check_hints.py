"""Do the rules that only some searches ask also answer? The part of the conformance check about hints.

Every rule of the contract that a game gives is asked, in the Python gear, with the arguments that its
parameters name. A rule whose arguments depend on more than a state and an action is left to its own check.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gambito.game.compiled import contract_of
from gambito.game.contract import MOST_ACTIONS, RULES, Game
from gambito.game.names import contract_rules
from gambito.game.puzzle import PUZZLE_RULES
from gambito.native.random import new_random
from gambito.words.sentence import Sentence

PLACE = 3  # where a rule begins to write into its buffer, which has room for MOST_ACTIONS from there on
PLIES = 4  # of a playout

# Asked in the other parts of the check, of all states or of those that the rule is for.
ELSEWHERE = frozenset(
    {
        *RULES, *PUZZLE_RULES, "key", "evaluate", "bounds", "plies_left", "count", "cost", "estimate",
        "undoes", "is_nearly_over", "solve_ending", "chances", "random_outcome", "index", "is_real",
        "unmoves", "tabled", "show", "text", "write", "read", "pieces", "touch",
    }
)  # fmt: skip

Ask = Callable[..., Any]  # calls a rule by its name, with its arguments


def hint_problems(game: Game, state: Any, actions: list[int], ask: Ask, seed: int) -> Iterator[str]:
    """Ask every rule that the game gives about a state with these actions; `ask` raises where a rule does."""
    rng = random.Random(seed)
    rules = _given(game)
    action = int(rng.choice(actions))
    known: dict[str, Any] = {"state": state, "action": action, "before": action, "last": action}
    known |= {"player": rng.randrange(game.players), "plies": PLIES, "place": PLACE}
    if "gain" in rules and action not in ask("noisy", state):
        del rules["gain"]
    if "is_losing" in rules and not ask("priority", state, action) > 0:
        del rules["is_losing"]
    for rule, names in rules.items():
        known["buffer"], known["rng"] = np.zeros(PLACE + MOST_ACTIONS, np.int64), new_random(seed)
        if not known.keys() >= set(names):
            continue
        answer = ask(rule, *(known[name] for name in names))
        if rule == "collect" and sorted(known["buffer"][PLACE:answer]) != sorted(map(int, actions)):
            yield Sentence("collect does not write what actions yields")


def _given(game: Game) -> dict[str, list[str]]:
    """The rules of the contract that a game gives about a state, with the names of their parameters."""
    kind: Any = type(game)
    contract, found = contract_of(kind), {}
    for name, names in contract_rules(contract).items():
        is_own = getattr(kind, name) is not getattr(contract, name) and name not in ELSEWHERE
        if is_own and "state" in names and (name != "inputs" or game.is_learned):
            found[name] = names[1:]
    return found
