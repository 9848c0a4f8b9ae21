"""Dark chess on small boards: take the king, in a fog that hides what your pieces cannot reach.

    4  r . k r
    3  p p p p      the start on 4×4
    2  P P P P
    1  R . K R
       a b c d

The rules and the bits of a position are in fog.py, text and pictures in notation.py.
"""

from gambito.games.dark_chess.notation import DarkChess

__all__ = ["DarkChess"]
