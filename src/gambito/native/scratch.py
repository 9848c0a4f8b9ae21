"""A few words of memory that last as long as the call of the function that asks for them.

Compiled code has them on its stack, so they cost nothing and nothing is counted: a recursive function may
hold a list of its own. In the Python gear they are a list.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import RequireLiteralValue
from numba.extending import intrinsic, overload

_WORD = ir.IntType(64)


def scratch(count: int) -> Any:
    """So many `uint64`, not set to anything; `count` is a constant."""
    return [0] * count


@intrinsic(prefer_literal=True)
def _scratch(context: Any, count: Any) -> Any:
    if not isinstance(count, types.IntegerLiteral):
        raise RequireLiteralValue("scratch takes a constant")
    number = count.literal_value

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return cgutils.alloca_once(builder, _WORD, size=number)

    return types.CPointer(types.uint64)(count), lower


@overload(scratch, prefer_literal=True)
def _native_scratch(count):
    return lambda count: _scratch(count)
