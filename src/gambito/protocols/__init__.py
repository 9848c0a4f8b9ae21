"""Text protocols: the engine as a back end of other programs, and other programs as players.

This package uses searches only through their public interface, and names no game.
"""
