"""Games of tricks: cards and tricks, the table that they share, and the games."""

from gambito.games.tricks.bridge import Bridge
from gambito.games.tricks.bridge_play import BridgePlay
from gambito.games.tricks.hearts import Hearts

__all__ = ["Bridge", "BridgePlay", "Hearts"]
