"""Who plays, and the game they play: players that choose actions, and the match they sit at.

It knows no screen and no protocol.
"""
