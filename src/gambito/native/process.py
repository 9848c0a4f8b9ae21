"""What only a program that owns its process may do: a library call changes nothing process-wide.

Our own programs (the terminal, the web's workers, the protocols) say so once, when they start.
"""

from __future__ import annotations

import gc

_owned = [False]


def own() -> None:
    """This process is a program of ours."""
    _owned[0] = True


def settle() -> None:
    """Called after a compilation: what the compiler made stays, and is taken out of the garbage collector's
    sight. To walk through it takes longer than a short search."""
    if _owned[0]:
        gc.collect()
        gc.freeze()


def collect() -> None:
    """Collect what was taken out of the collector's sight too, as games that were dropped since."""
    if _owned[0]:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
