"""The engine's values count the plies to the end of the game: a sooner win and a later loss are better.

A unit of the game's value is `scale` in the engine's values. A win worth v after n plies is v · scale - n, a
loss -v · scale + n. The plies stay below half a unit, so that they never change the value itself: an end
further away than `most_plies` counts as that far, and its distance is not told.
"""

from __future__ import annotations

from gambito.native import inlined

HURRY = 1024  # the scale of games in which a sooner win counts more; 1 in all others


@inlined
def most_plies(scale):
    """The most plies that a value counts."""
    return scale // 2 - 1


@inlined
def hurried(value, plies, scale):
    """A value in the engine's units, for an end that is this many plies from the root."""
    if scale == 1 or value == 0:
        return value
    far = min(plies, most_plies(scale))
    return value - far if value > 0 else value + far


@inlined
def hurried_bounds(low, high, ply, left, scale):
    """The bounds of a game's value in the engine's units, at a node at this ply with at most `left` plies to
    go: the worst loss and the best win come at the next ply, the worst win and the best loss at the end."""
    soonest, latest = ply + 1, ply + left
    low = hurried(low * scale, soonest if low < 0 else latest, scale)
    return low, hurried(high * scale, soonest if high > 0 else latest, scale)


@inlined
def relative(value, ply, scale):
    """A value as the table stores it, with the plies to the end counted from a node at this ply.

    With minus the ply, the way back: a value of the table, with the plies counted from the root.
    """
    if scale == 1 or value & (scale - 1) == 0:  # the scale is a power of two: the value counts no plies
        return value
    plies, most = -abs(value) & (scale - 1), most_plies(scale)
    after = most if plies >= most else min(max(plies - ply, 0), most)
    return value + plies - after if value > 0 else value - plies + after


def unhurried(value: int, scale: int) -> tuple[int, int | None]:
    """The game's value of a value of the engine, and the plies to the end; None if they are not known."""
    rounded = (value + scale // 2) // scale
    plies = abs(value - rounded * scale)
    return rounded, plies if 0 < plies < most_plies(scale) else None
