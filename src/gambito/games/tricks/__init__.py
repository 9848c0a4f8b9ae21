"""Games of tricks: cards and tricks, the table that they share, and the games."""

from gambito.games.tricks.hearts import Hearts

__all__ = ["Hearts"]
