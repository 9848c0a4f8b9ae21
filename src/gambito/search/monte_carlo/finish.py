"""One random playout to the end of a game, and the state there."""

from __future__ import annotations

from gambito.native import native
from gambito.search.monte_carlo.playouts import MOST_PLIES


@native
def finish(game, state, rng):
    """The state in which a random game from this one ends, or where it has become too long."""
    final, _ = game.playout(state, rng, MOST_PLIES)
    return final
