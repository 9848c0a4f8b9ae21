"""A strategy: the probability of every action in every information set, in memory or in a file.

    {"gambito": "strategy 1", "game": …, "digest": …, "facts": {"algorithm": …, "iterations": …, …}, …}

A file is one line of JSON and then the compressed numbers. The digest covers the rules, the chances and what
players see: a file for other rules is refused. Equal strategies always give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import SearchError
from gambito.game.contract import CHANCE, Game
from gambito.game.gears import gears
from gambito.hidden.unrolled import set_key
from gambito.native.files import put_file

FORMAT = "strategy 1"
LINE = 1 << 20  # bytes of the longest header


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
        number = self._numbers.get(int(set_key(game, gears(game).enter(state), player)))
        actions = game.legal(state)
        if number is None or self.first[number + 1] - self.first[number] != len(actions):
            return None
        shares = self.policy[self.first[number] : self.first[number + 1]]
        return {action: float(share) for action, share in zip(actions, shares, strict=True)}

    def save(self, path: str | Path) -> None:
        """Write the strategy to a file."""
        arrays = {"keys": self.keys, "first": self.first, "policy": self.policy}
        arrays |= {f"{name}_state": held for name, held in self.state.items()}
        held = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
        packed = zlib.compress(b"".join(array.astype(_kind(array)).tobytes() for array in held.values()), 6)
        header: dict[str, Any] = {
            "gambito": FORMAT,
            "game": self.game.label(),
            "digest": gears(self.game).strategy_digest,
            "facts": self.facts,
            "arrays": {name: [_kind(array), len(array)] for name, array in held.items()},
        }
        header["sum"] = _checksum(header, packed)
        put_file(Path(path), [json.dumps(header).encode() + b"\n", packed])


def read_strategy(path: str | Path, game: Game) -> Strategy:
    """Read a strategy for this game; one for other rules is refused."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as problem:  # ValueError: no file can have such a name
        raise SearchError("{} cannot be read: {}", path, getattr(problem, "strerror", problem)) from None
    line, _, packed = data.partition(b"\n")
    try:
        header = json.loads(line[:LINE])
        is_right = header["gambito"] == FORMAT
        known = header.pop("sum")
        facts = _read_facts(header["facts"])
        kinds = {str(name): _read_kind(*array) for name, array in header["arrays"].items()}
        label, digest = str(header["game"]), str(header["digest"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        is_right = False
    if not is_right:
        raise SearchError("{} is no strategy of Gambito", path)
    if label != game.label():
        raise SearchError("{} is a strategy for {}, not for {}", path, label, game.label())
    if digest != gears(game).strategy_digest:
        raise SearchError("{} is a strategy for other rules of {}: learn it again", path, label)
    if known != _checksum(header, packed):
        raise SearchError("{} is damaged: its checksum is wrong", path)
    arrays = _unpack(path, packed, kinds)
    state = {name.removesuffix("_state"): array for name, array in arrays.items() if name.endswith("_state")}
    return Strategy(game, arrays["keys"], arrays["first"], arrays["policy"], facts, state)


def _kind(array: Any) -> str:
    return str(array.dtype.newbyteorder("<").str)


def _read_facts(facts: Any) -> dict[str, Any]:
    """The facts of a header; an error of Python if one is missing or of another kind."""
    kept = dict(facts)
    is_right = isinstance(kept["algorithm"], str) and isinstance(kept["iterations"], int)
    if not is_right or not isinstance(kept["seed"], int) or kept["iterations"] < 0:
        raise ValueError
    kept["curve"] = [[int(number), float(value)] for number, value in kept["curve"]]
    return kept


def _read_kind(kind: str, count: int) -> tuple[Any, int]:
    found = np.dtype(kind)
    if found.kind not in "iuf" or type(count) is not int or count < 0:
        raise ValueError
    return found, count


def _unpack(path: str | Path, packed: bytes, kinds: Mapping[str, tuple[Any, int]]) -> dict[str, Any]:
    """The arrays of a file whose checksum is right."""
    size = sum(kind.itemsize * count for kind, count in kinds.values())
    unpacking = zlib.decompressobj()
    try:
        body = unpacking.decompress(packed, size + 1) if size < sys.maxsize else b""
    except zlib.error:
        body = b""
    if len(body) != size or not {"keys", "first", "policy"} <= set(kinds):
        raise SearchError("{} is damaged: its numbers are not {:,} bytes", path, size)
    arrays, place = {}, 0
    for name, (kind, count) in kinds.items():
        arrays[name] = np.frombuffer(body, kind, count, place).astype(kind.newbyteorder("="))
        place += kind.itemsize * count
    first = arrays["first"]
    if len(first) != len(arrays["keys"]) + 1 or (np.diff(first) < 1).any() or first[0] < 0:
        raise SearchError("{} is damaged: its information sets do not fit", path)
    if first[-1] != len(arrays["policy"]):
        raise SearchError("{} is damaged: its information sets do not fit", path)
    return arrays


def _checksum(facts: Mapping[str, Any], packed: bytes) -> str:
    """The checksum of a file's description and its numbers."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode() + packed).hexdigest()[:32]
