"""Texas hold'em: rules, texts and picture, and the buckets of hands that a strategy is learned for."""

from gambito.games.holdem.rules import Holdem

__all__ = ["Holdem"]
