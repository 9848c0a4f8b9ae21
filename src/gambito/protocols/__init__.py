"""Words to a search and back: engines for other programs, and other programs as players.

It knows no search from inside, and no game by name.
"""
