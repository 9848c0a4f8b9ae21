"""The file of a network with a policy and a value: one line of JSON, then the compressed weights.

    {"gambito": "network 1", "game": …, "rules": …, "sight": …, "actions": …, "shape": …, "trained": …, …}

`sight` says how states are seen, `actions` which have an output of their own, `places` where the inputs lie
on a board, `shape` has the sizes (those of a residual network if it has blocks), and `rules` is a digest of
the positions and actions of a fixed walk through the game. A file is refused for a game with other rules.
A matrix is stored in bytes, with a scale for each of its columns: NAME.scale. Other weights, and all of
older files, have 16 bits. All are used in 32.
"""

from __future__ import annotations

import functools
import hashlib
import operator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import EvaluationError
from gambito.evaluate.files import LEARNED, read_weights, shipped, subject, write_weights
from gambito.evaluate.policy.dense import Dense, Shape
from gambito.evaluate.policy.encoding import StateEncoding, read_encoding, values_of
from gambito.evaluate.policy.places import Grid
from gambito.evaluate.policy.policy_outputs import Outputs
from gambito.evaluate.policy.residual import Residual, ResNetShape
from gambito.evaluate.policy.shared_weights import Ties
from gambito.game.contract import Game
from gambito.words.sentence import reason_of

FORMAT = "network 1"
SUFFIX = ".net"
FACTS = ("rules", "sight", "actions", "places", "shape", "seed", "trained")
SCALE = ".scale"
LARGEST_BYTE = 127  # the largest number in a byte
WALK_PLIES = 24  # plies that the digest of the rules covers


class Network:
    """A network that plays a game: how it sees states, where its inputs lie on a board, and its layers."""

    def __init__(
        self,
        sight: StateEncoding,
        actions: Outputs,
        places: Any,
        shape: Shape | ResNetShape,
        layers: Dense | Residual,
        trained: dict[str, Any],
    ) -> None:
        self.sight, self.actions, self.places = sight, actions, places
        self.shape, self.layers = shape, layers
        self.trained, self.slots, self.values = trained, shape.slots, shape.values

    def outputs(self, packed: Any, movers: Any) -> Any:
        """The logits and values for states in bytes: [states][slots + values]."""
        return self.layers.forward(self.sight.rows(packed, movers))


def write_network(path: Path, game: Game, network: Network, seed: int) -> None:
    """Write a network; equal weights always give the same bytes."""
    facts = {
        "game": subject(game),
        "rules": walk_digest(game),
        "sight": network.sight.description(),
        "actions": network.actions.numbers,
        "places": None if network.places is None else network.places.tolist(),
        "shape": asdict(network.shape),
        "seed": seed,
        "trained": network.trained,
    }
    held: dict[str, Any] = {}
    for name, array in network.layers.weights.items():
        if array.ndim == 1:
            held[name] = rounded(array).astype(np.float16)
            continue
        scale = np.abs(array).max(axis=0, initial=0.0).astype(np.float32) / LARGEST_BYTE
        scale[scale == 0.0] = 1.0
        held[name] = np.round(array / scale).astype(np.int8).ravel()
        held[name + SCALE] = scale
    write_weights(path, FORMAT, facts, held)


def rounded(array: Any) -> Any:
    """Weights as 16 bits hold them."""
    most = float(np.finfo(np.float16).max)
    return np.clip(array, -most, most).astype(np.float16).astype(np.float32)


def _whole(arrays: dict[str, Any], name: str, size: tuple[int, ...]) -> Any:
    """The weights of a name, in 32 bits."""
    found = arrays[name].astype(np.float32).reshape(size)
    return found * arrays[name + SCALE].astype(np.float32) if name + SCALE in arrays else found


def read_network(path: str | Path, game: Game) -> Network:
    """Read the network in a file for a game; files that have not changed are read once.

    The file `learned` is the one that comes with Gambito.
    """
    if str(path) == LEARNED:
        path = shipped(game).with_suffix(SUFFIX)
        if not path.exists():
            raise EvaluationError("no network for {} comes with Gambito: name a file", game.label())
    try:
        changed = Path(path).stat().st_mtime_ns
    except (OSError, ValueError) as problem:
        raise EvaluationError("{} cannot be read: {}", path, reason_of(problem)) from None
    mark = (id(type(game)), *game.parameters().items())
    return _read(str(path), changed, mark, _Same(game))


class _Same:
    """A game that does not count in the key of what is kept."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same)

    def __hash__(self) -> int:
        return 0


@functools.lru_cache(8)
def _read(path: str, changed: int, mark: tuple[Any, ...], same: _Same) -> Network:
    game = same.game
    facts, arrays = read_weights(Path(path), game, FORMAT, FACTS)
    if facts["rules"] != walk_digest(game):
        raise EvaluationError("{} was made for other rules of {}: train it again", path, facts["game"])
    try:
        sight = read_encoding(game, facts["sight"])
        places = None if facts["places"] is None else np.array(facts["places"], np.int64)
        if places is not None and places.shape != (sight.inputs, 3):
            raise ValueError
        shape, layers = _read_layers(facts["shape"], places, arrays)
        actions = Outputs([operator.index(number) for number in facts["actions"]], shape.slots)
        if shape.inputs != sight.inputs or shape.values != values_of(game):
            raise ValueError
    except (ValueError, TypeError, KeyError, IndexError, OverflowError):
        raise EvaluationError("{} is damaged: its layers do not fit together", path) from None
    return Network(sight, actions, places, shape, layers, facts["trained"])


def _read_layers(
    said: dict[str, Any], places: Any, arrays: dict[str, Any]
) -> tuple[Shape | ResNetShape, Dense | Residual]:
    """The sizes and the layers that a file describes; ValueError if they do not fit together."""
    kind = ResNetShape if "blocks" in said else Shape
    shape: Any = kind(**{name: operator.index(size) for name, size in said.items()})
    if min(asdict(shape).values()) < 0 or (kind is ResNetShape and places is None):
        raise ValueError
    if max(getattr(shape, "layers", 0), getattr(shape, "blocks", 0)) > len(arrays):
        raise ValueError
    board: Any = None if places is None else Grid(places) if kind is ResNetShape else Ties(places)
    sizes = shape.sizes(board)
    scales = {name + SCALE for name, size in sizes.items() if name + SCALE in arrays and len(size) > 1}
    if arrays.keys() != sizes.keys() | scales:
        raise ValueError
    if any(len(arrays[name]) != sizes[name.removesuffix(SCALE)][-1] for name in scales):
        raise ValueError
    weights = {name: _whole(arrays, name, size) for name, size in sizes.items()}
    return shape, Residual(weights, shape, board) if kind is ResNetShape else Dense(
        weights, shape.slots, board
    )


def walk_digest(game: Game) -> str:
    """A digest of the positions of a fixed walk through the game, and of their actions and results."""
    known, state = hashlib.sha256(), game.initial()
    for ply in range(WALK_PLIES):
        known.update(f"{game.text(state) or state} {game.player(state)}\n".encode())
        if game.is_terminal(state):
            known.update(f"{game.utility(state, 0)}\n".encode())
            break
        actions = game.legal(state)
        known.update(f"{[int(action) for action in actions]}\n".encode())
        state = game.result(state, actions[(7 * ply + 3) % len(actions)])
    return known.hexdigest()[:32]
