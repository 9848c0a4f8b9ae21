"""What only a program that owns its process may do, and how a process ended.

A library call changes nothing process-wide. Our own programs (the terminal, the web's workers, the protocols)
say once, when they start, that they own their process.
"""

from __future__ import annotations

import gc
import signal
import sys

from gambito.words.sentence import Sentence

_owned = [False]
_FAULTS = (-signal.SIGSEGV, -getattr(signal, "SIGBUS", signal.SIGSEGV), 0xC0000005)  # the last: on Windows
_KILLS = (-getattr(signal, "SIGKILL", signal.SIGTERM), -signal.SIGABRT)


def own() -> None:
    """This process is a program of ours."""
    _owned[0] = True


def settle() -> None:
    """Called after a compilation: what the compiler made stays, and is taken out of the garbage collector's
    sight. To walk through it takes longer than a short search."""
    if _owned[0]:
        if "numba" in sys.modules:  # nothing else leaves much behind
            gc.collect()
        gc.freeze()


def collect() -> None:
    """Collect what was taken out of the collector's sight too, as games that were dropped since."""
    if _owned[0]:
        gc.unfreeze()
        gc.collect()
        gc.freeze()


def ending(status: int | None) -> Sentence:
    """A sentence about a process that ended before it answered, by its exit status."""
    if status in _FAULTS:
        return Sentence(
            "the process ended with a segmentation fault; perhaps a rule reads or writes beyond an array: "
            "`gambito check` finds that, and GAMBITO_BOUNDS=1 names the rule"
        )
    if status in _KILLS:
        return Sentence("the process ended; perhaps there was no memory left")
    return Sentence("the process ended without an answer")
