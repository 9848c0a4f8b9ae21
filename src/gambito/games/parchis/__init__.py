"""Parchís: its rules, and its texts and picture."""

from gambito.games.parchis.rules import Parchis

__all__ = ["Parchis"]
