"""Battleship: its rules, the fleets that fit what was seen, its texts, and players who shoot."""

from gambito.games.battleship.rules import Battleship

__all__ = ["Battleship"]
