"""Whose turn it is."""


def other(player):
    return 1 - player
