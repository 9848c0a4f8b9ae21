"""Hidden information: strategies over information sets, and searches that imagine what they cannot see.

It does not depend on the cards, dice or boards of a given game.
"""
