"""A few numbers of memory that live as long as the call of the function that asks for them.

In compiled code they are on the stack, so they cost nothing and no references are counted: a recursive
function may have its own list. In the Python gear they are a list.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import RequireLiteralValue
from numba.extending import intrinsic, overload
from numpy import uint64

from gambito.native.bounds import make_pointer, pointer_type


def scratch(count: int, kind: Any = uint64) -> Any:
    """Return `count` numbers of a kind, uninitialised; `count` must be a constant."""
    return [0] * count


def _on_stack(kind: Any) -> Any:
    pointer = pointer_type(kind)

    @intrinsic(prefer_literal=True)
    def numbers(context: Any, count: Any) -> Any:
        if not isinstance(count, types.IntegerLiteral):
            raise RequireLiteralValue("scratch takes a constant")
        number = count.literal_value

        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            data = cgutils.alloca_once(builder, context.get_value_type(kind), size=number)
            return make_pointer(context, builder, pointer, data, ir.Constant(ir.IntType(64), number))

        return pointer(count), lower

    return numbers


_KINDS = {
    kind: _on_stack(kind) for kind in (types.uint64, types.int64, types.int32, types.int16, types.float32)
}


@overload(scratch, prefer_literal=True)
def _native_scratch(count, kind=uint64):
    numbers = _KINDS[getattr(kind, "instance_type", types.uint64)]
    return lambda count, kind=uint64: numbers(count)
