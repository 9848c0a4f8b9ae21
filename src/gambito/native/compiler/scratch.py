"""Numbers on the stack (`native/scratch.py`) for the compiler."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import RequireLiteralValue
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global

from gambito.native.compiler.bounds import make_pointer, pointer_type
from gambito.native.scratch import scratch

_KINDS = (types.uint64, types.int64, types.int32, types.int16, types.float32)


# Not an overload, which would be a function of its own: its memory would end before it is used.
@infer_global(scratch)
class _Scratch(AbstractTemplate):
    prefer_literal = True

    def generic(self, args: Any, kws: Any) -> Any:
        count, kind = args[0], getattr(args[1], "instance_type", None) if len(args) > 1 else types.uint64
        if kws or kind not in _KINDS:
            return None
        if not isinstance(count, types.IntegerLiteral):
            raise RequireLiteralValue("scratch takes a constant")
        return pointer_type(kind)(*args)


@lower_builtin(scratch, types.IntegerLiteral)
@lower_builtin(scratch, types.IntegerLiteral, types.NumberClass)
def _lower_scratch(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    pointer, number = sig.return_type, sig.args[0].literal_value
    data = cgutils.alloca_once(builder, context.get_value_type(pointer.dtype), size=number)
    return make_pointer(context, builder, pointer, data, ir.Constant(ir.IntType(64), number))
