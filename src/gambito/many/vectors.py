"""The values of all players: a row for each ply of a search, and the vector of a leaf."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from gambito.native import Handle, inlined, native
from gambito.search.classic.leaf import HORIZON, OVER, REPEATED

PRUNES, BOUNDS = range(2)


class Vectors(Handle):
    """A row of values for each number of plies left: `values[depth * players + player]`.

    `prunes`: may branches be cut off? `bounds`: may the bounds of the game be asked?
    """

    arrays: ClassVar[dict[str, type]] = {"values": np.float64, "flags": np.int64}
    fields: ClassVar[dict[str, tuple[str, int]]] = {"prunes": ("flags", PRUNES), "bounds": ("flags", BOUNDS)}


def new_vectors(gear: str, depth: int, players: int, prunes: bool, bounds: bool) -> Vectors:
    values = np.zeros((depth + 1) * players)
    flags = np.array([prunes, bounds], np.int64)
    given: Any = (values, flags) if gear == "native" else (values.tolist(), flags.tolist())
    return Vectors(values=given[0], flags=given[1])


@inlined
def copy_row(vectors, source, place, players):
    for each in range(players):
        vectors.values[place + each] = vectors.values[source + each]


@native
def write_leaf(game, state, depth, kind, vectors, monitor):
    """Write the values of a leaf of this kind into its row; return that of its player, or of player 0 if
    chance decides there."""
    here, player = depth * game.players, max(game.player(state), 0)
    for each in range(game.players):
        value = game.lowest
        if kind == OVER:
            value = monitor.final(game, game.utility(state, each), 1)
        elif kind == HORIZON:
            value = game.evaluate(state, each)
        elif kind == REPEATED:
            value = game.repetition(state, each)
        vectors.values[here + each] = value
    if kind in (OVER, HORIZON, REPEATED):
        monitor.leaf(depth, vectors.values[here + player], kind == HORIZON)
        monitor.share(depth, vectors.values, here, game.players)
    else:
        monitor.halt()
    return vectors.values[here + player]
