"""Phantom games: a player sees its own stones only, and finds the other's by trying their cells."""

from gambito.games.phantom.hex import DarkHex
from gambito.games.phantom.tic_tac_toe import PhantomTicTacToe

__all__ = ["DarkHex", "PhantomTicTacToe"]
