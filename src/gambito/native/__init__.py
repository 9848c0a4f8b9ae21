"""The compiler gear: Python objects as compile-time constants, functions in two gears, code kept on disk.

It does not depend on games or search.
"""

from typing import TYPE_CHECKING

from gambito.errors import CompileError
from gambito.native.bits import first_bit, last_bit, mix, nth_bit, popcount
from gambito.native.functions import native
from gambito.native.neighbours import above, below
from gambito.native.objects import Constant, Handle, Memory, inlined

if TYPE_CHECKING:  # to the type checker they are Any, because rules mix them with plain ints
    from numba import int64, uint64
else:
    from numpy import int64, uint64

__all__ = [
    "CompileError",
    "Constant",
    "Handle",
    "Memory",
    "above",
    "below",
    "first_bit",
    "inlined",
    "int64",
    "last_bit",
    "mix",
    "native",
    "nth_bit",
    "popcount",
    "uint64",
]
