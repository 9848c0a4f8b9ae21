"""Searches of games where dice or cards decide: expectiminimax, Star1, Star2, rollouts.

The value of a chance node is player 0's expectation over its outcomes. No code here is specific to one game.
"""
