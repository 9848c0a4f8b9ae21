"""A strategy: the probability of every action in every information set, in memory or in a file.

    {"gambito": "strategy 1", "game": …, "digest": …, "facts": {"algorithm": …, "iterations": …, …}, …}

A file is a sealed one. The digest covers the rules, the chances and what
players see: a file for other rules is refused. Equal strategies always give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import SearchError
from gambito.game.contract import CHANCE, Game
from gambito.game.gears import gears
from gambito.hidden.game_tree import set_key
from gambito.native.checksummed import read_checksummed, write_checksummed
from gambito.words.sentence import reason_of

FORMAT = "strategy 1"


@dataclass
class Strategy:
    """A strategy of all players of a game."""

    game: Game
    keys: Any  # of the information sets
    first: Any  # the slot of the first action of each, and behind the last one the number of slots
    policy: Any  # the probability of the action of each slot
    facts: dict[str, Any]  # algorithm, iterations, seed; if known exploitability, value, low, high, curve
    state: Mapping[str, Any] = field(default_factory=dict, repr=False)  # what learning goes on from

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {int(key): number for number, key in enumerate(self.keys)}

    def at(self, state: Any) -> dict[int, float] | None:
        """The probability of each action for the player to move, who may see the state only in part.

        None if the strategy has no such information set.
        """
        player, game = self.game.player(state), self.game
        if player == CHANCE or game.is_terminal(state):
            return None
        number = self._numbers.get(int(set_key(game, gears(game).cast(state), player)))
        actions = game.legal(state)
        if number is None or self.first[number + 1] - self.first[number] != len(actions):
            return None
        shares = self.policy[self.first[number] : self.first[number + 1]]
        return {action: float(share) for action, share in zip(actions, shares, strict=True)}

    def save(self, path: str | Path) -> None:
        """Write the strategy to a file."""
        arrays = {"keys": self.keys, "first": self.first, "policy": self.policy}
        arrays |= {f"{name}_state": held for name, held in self.state.items()}
        facts = {
            "gambito": FORMAT,
            "game": self.game.label(),
            "digest": gears(self.game).strategy_digest,
            "facts": self.facts,
        }
        write_checksummed(path, facts, arrays, level=6)


def read_strategy(path: str | Path, game: Game) -> Strategy:
    """Read a strategy for this game; one for other rules is refused."""
    try:
        found = read_checksummed(path, FORMAT)
    except (OSError, ValueError) as problem:  # ValueError: no file can have such a name
        raise SearchError("{} cannot be read: {}", path, reason_of(problem)) from None
    try:
        if found is None:
            raise ValueError
        label, digest = str(found.facts["game"]), str(found.facts["digest"])
        facts = _read_facts(found.facts["facts"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise SearchError("{} is no strategy of Gambito", path) from None
    if label != game.label():
        raise SearchError("{} is a strategy for {}, not for {}", path, label, game.label())
    if digest != gears(game).strategy_digest:
        raise SearchError("{} is a strategy for other rules of {}: learn it again", path, label)
    if not found.is_whole:
        raise SearchError("{} is damaged: its checksum is wrong", path)
    arrays = found.arrays()
    if arrays is None or not {"keys", "first", "policy"} <= set(arrays):
        raise SearchError("{} is damaged: its numbers are not {:,} bytes", path, found.size)
    _check_sets(path, arrays)
    state = {name.removesuffix("_state"): array for name, array in arrays.items() if name.endswith("_state")}
    return Strategy(game, arrays["keys"], arrays["first"], arrays["policy"], facts, state)


def _read_facts(facts: Any) -> dict[str, Any]:
    """The facts of a header; an error of Python if one is missing or of another kind."""
    kept = dict(facts)
    is_right = isinstance(kept["algorithm"], str) and isinstance(kept["iterations"], int)
    if not is_right or not isinstance(kept["seed"], int) or kept["iterations"] < 0:
        raise ValueError
    kept["curve"] = [[int(number), float(value)] for number, value in kept["curve"]]
    return kept


def _check_sets(path: str | Path, arrays: Mapping[str, Any]) -> None:
    """Refuse arrays in which the slots of the information sets do not follow each other."""
    first = arrays["first"]
    is_right = len(first) == len(arrays["keys"]) + 1 and (np.diff(first) >= 1).all() and first[0] >= 0
    if not is_right or first[-1] != len(arrays["policy"]):
        raise SearchError("{} is damaged: its information sets do not fit", path)
