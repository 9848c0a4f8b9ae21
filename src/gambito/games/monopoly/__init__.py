"""Monopoly: its board, money, rules and texts, and how often players visit each square."""

from gambito.games.monopoly.rules import Monopoly

__all__ = ["Monopoly"]
