"""Gambito among other libraries: OpenSpiel, PettingZoo, Gymnasium, python-chess.

An adapter imports its library only when it is used, and uses games, players and searches only through their
public interface. A library is an optional peer: nothing else in the package needs it.
"""
