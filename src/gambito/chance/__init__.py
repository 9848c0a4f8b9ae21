"""Searches of games where dice or cards decide: expectiminimax, Star1, Star2, rollouts.

At a chance node a value is player 0's, the expectation over its outcomes. It knows no game's dice.
"""
