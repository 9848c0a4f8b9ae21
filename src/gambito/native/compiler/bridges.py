"""Bridges: how code that was compiled for all games calls the rules of one, and how Python calls that code.

A bridge is a function in Numba's calling convention that a symbol names (`contracts`). It takes a state as
the template knows it, a struct around the real one, and calls what Numba has compiled for the game. LLVM
inlines all bridges. All that templates need from Numba's private interfaces is in this file and in `linking`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.core.runtime.context import NRTContext
from numba.core.typing.templates import signature
from numba.extending import models, register_model
from numba.np.numpy_support import from_dtype

from gambito.native.compiler import blobs
from gambito.native.compiler.blobs import ALIGN
from gambito.native.compiler.contracts import EQUAL, PLAIN, Contract
from gambito.native.compiler.objects import can_cast, cast
from gambito.native.compiler.types import STATE, Boxed, Flat, HandleType, kind_of_type
from gambito.native.kinds import has_arrays
from gambito.native.store import width

_MEMORY = types.CPointer(types.uint8)
_WORD, _BYTES = ir.IntType(64), ir.IntType(8).as_pointer()
HEAD = 48  # bytes of what Numba counts references by
_COUNTING = NRTContext(cpu_target.target_context, True)


@register_model(Boxed)
class _BoxedModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Boxed) -> None:
        held, layout = fe_type.held, fe_type.layout
        inner = dmm[held].get_value_type() if layout is None else blobs.struct_of(dmm, held, layout)
        super().__init__(dmm, fe_type, ir.LiteralStructType([inner]))


@register_model(Flat)
class _FlatModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Flat) -> None:
        super().__init__(dmm, fe_type, blobs.struct_of(dmm, fe_type.held, fe_type.layout))


def boxed(kind: types.Type, box: Boxed) -> types.Type:
    """A type of a contract, with the box of the game's states in place of `STATE`."""
    if kind is STATE or kind == STATE:
        return box
    if isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple):
        return types.Tuple([boxed(part, box) for part in kind.types])
    return kind


def opened(kind: types.Type) -> types.Type:
    """The type of a value without boxes."""
    if isinstance(kind, Boxed):
        return kind.held
    if isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple):
        return types.Tuple([opened(part) for part in kind.types])
    return kind


def open_box(context: Any, builder: Any, value: Any, kind: types.Type) -> Any:
    """A value of a boxed type as one of the real type."""
    if isinstance(kind, Boxed):
        inner = builder.extract_value(value, 0)
        return inner if kind.layout is None else blobs.opened(context, builder, inner, kind.held, kind.layout)
    if opened(kind) == kind:
        return value
    parts = cgutils.unpack_tuple(builder, value)
    held = [open_box(context, builder, p, k) for p, k in zip(parts, kind.types, strict=True)]
    return context.make_tuple(builder, opened(kind), held)


def close_box(context: Any, builder: Any, value: Any, kind: types.Type) -> Any:
    """The way back."""
    if isinstance(kind, Boxed):
        if kind.layout is not None:
            value = blobs.closed(context, builder, value, kind.held, kind.layout)
        return builder.insert_value(ir.Constant(context.get_value_type(kind), ir.Undefined), value, 0)
    if opened(kind) == kind:
        return value
    parts = cgutils.unpack_tuple(builder, value)
    held = [close_box(context, builder, p, k) for p, k in zip(parts, kind.types, strict=True)]
    return context.make_tuple(builder, kind, held)


def returned_to_python(kind: types.Type) -> types.Type:
    """The type in which an entry gives a result of a boxed type."""
    given = kind_of_type(kind)
    return Flat(opened(kind), given) if given is not None and has_arrays(given) else opened(kind)


def give_to_python(context: Any, builder: Any, value: Any, kind: types.Type) -> Any:
    """A result of a boxed type as one of that type."""
    if isinstance(returned_to_python(kind), Flat):
        return blobs.struct_from(builder, list(_flat(context, builder, value, kind)))
    return open_box(context, builder, value, kind)


def _flat(context: Any, builder: Any, value: Any, kind: types.Type) -> Iterable[Any]:
    if isinstance(kind, Boxed):
        yield from cgutils.unpack_tuple(builder, builder.extract_value(value, 0))
    elif isinstance(kind, types.BaseTuple):
        for part, inner in zip(cgutils.unpack_tuple(builder, value), kind.types, strict=True):
            yield from _flat(context, builder, part, inner)
    else:
        yield context.data_model_manager[kind].as_data(builder, value)


def read_type(text: str, handles: dict[str, HandleType]) -> types.Type:
    """The type that `contracts.written` has written."""
    if text in PLAIN:
        return PLAIN[text]
    if text.startswith("*"):
        return types.CPointer(from_dtype(np.dtype(text[1:])))
    if text.startswith("@"):
        return handles[text[1:]]
    return types.Tuple([read_type(part, handles) for part in text[1:-1].split(" ")])


def define(
    module: ir.Module,
    symbol: str,
    returned: types.Type,
    args: Iterable[types.Type],
    body: Callable[[Any, Any], Any],
) -> ir.Function:
    """Define a function in Numba's calling convention; `body(builder, values)` gives what it returns."""
    context, kinds = cpu_target.target_context, tuple(args)
    convention = context.call_conv
    function = ir.Function(module, convention.get_function_type(returned, kinds), symbol)
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    convention.init_call_helper(builder)
    values = convention.decode_arguments(builder, kinds, function)
    result = body(builder, values)
    convention.return_value(builder, context.get_return_value(builder, returned, result))
    return function


def call(
    context: Any,
    builder: Any,
    symbol: str,
    returned: types.Type,
    kinds: tuple[types.Type, ...],
    args: Any,
) -> Any:
    """Call an external function in Numba's calling convention; pass on what it raises."""
    convention = context.call_conv
    shape = convention.get_function_type(returned, kinds)
    function = cgutils.get_or_insert_function(builder.module, shape, symbol)
    status, result = convention.call_function(builder, function, returned, kinds, args)
    with cgutils.if_unlikely(builder, status.is_error):
        convention.return_status_propagate(builder, status)
    return result


class Rules:
    """The bridges to the rules of one constant, in a module of their own."""

    def __init__(self, kind: types.Type, contract: Contract) -> None:
        assert contract.state is not None
        self.kind, self.contract, self.state = kind, contract, contract.state
        self.box = Boxed(contract.state, contract.layout)
        self.module = cpu_target.target_context.create_module("rules")

    def add(self, part: str, symbol: str, name: str, args: list[types.Type]) -> None:
        """Define the symbol of a rule; those of a rule that yields are defined together, under `begin`."""
        if symbol == EQUAL:
            self._equal()
        elif part == "rule":
            self._rule(symbol, name, args)
        else:
            self._steps(symbol, name)

    def _call(self, builder: Any, name: str, game: Any, args: list[types.Type], values: Any) -> Any:
        """Call what Numba has compiled; return the result and its type."""
        context, typing = cpu_target.target_context, cpu_target.typing_context
        found = typing.resolve_getattr(self.kind, name)
        chosen = typing.resolve_function_type(found, tuple(args), {})
        call = context.get_function(found, chosen)
        context.add_linking_libs(getattr(call, "libs", ()))
        takes_self = isinstance(found, types.BoundFunction)
        given = [
            context.cast(builder, value, have, want)
            for value, have, want in zip(values, args, chosen.args, strict=True)
        ]
        return call(builder, [game, *given] if takes_self else given), chosen.return_type

    def _rule(self, symbol: str, name: str, args: list[types.Type]) -> None:
        context = cpu_target.target_context
        outer = [boxed(kind, self.box) for kind in args]
        returned = boxed(self.contract.returns[name], self.box)

        def body(builder: Any, values: Any) -> Any:
            inner = [open_box(context, builder, v, k) for v, k in zip(values[1:], outer, strict=True)]
            kinds = [opened(kind) for kind in outer]
            result, given = self._call(builder, name, values[0], kinds, inner)
            fitting = self._fit(builder, result, given, returned)
            closed = close_box(context, builder, fitting, returned)
            if self.box.layout is not None:  # its arrays were copied
                _COUNTING.decref(builder, opened(returned), fitting)
            return closed

        define(self.module, symbol, returned, (self.kind, *outer), body).attributes.add("alwaysinline")

    def _equal(self) -> None:
        context, box = cpu_target.target_context, self.box
        chosen = cpu_target.typing_context.resolve_function_type(operator.eq, (self.state, self.state), {})

        def body(builder: Any, values: Any) -> Any:
            if box.layout is not None:
                return blobs.equal(builder, *(builder.extract_value(value, 0) for value in values))
            pair = [open_box(context, builder, value, box) for value in values]
            return context.get_function(operator.eq, chosen)(builder, pair)

        define(self.module, EQUAL, types.boolean, (box, box), body).attributes.add("alwaysinline")

    def _fit(self, builder: Any, value: Any, given: types.Type, wanted: types.Type) -> Any:
        context = cpu_target.target_context
        if not can_cast(context.typing_context, given, opened(wanted)):
            raise TypeError(f"{given} cannot be cast to {opened(wanted)}")
        return cast(context, builder, value, given, opened(wanted))

    def _steps(self, symbol: str, name: str) -> None:
        """A rule that yields: its size, its beginning, its next item, and what counts references to it.

        Its memory holds that (nothing, if it keeps no array), then the arrays of its state, then Numba's
        generator.
        """
        context, outer = cpu_target.target_context, self.box
        bytes_of_state = 0 if outer.layout is None else -(-width(outer.layout) // ALIGN) * ALIGN
        steps: list[types.Generator] = []
        end = symbol.replace("gambito.begin", "gambito.end", 1)

        def is_counted() -> bool:
            return bool(context.data_model_manager[steps[0]].contains_nrt_meminfo())

        def generator(builder: Any, memory: Any) -> Any:
            shape = context.get_value_type(steps[0])
            ahead = HEAD + bytes_of_state if is_counted() else 0
            return builder.bitcast(builder.gep(memory, [_WORD(ahead)]), shape)

        def begin(builder: Any, values: Any) -> Any:
            memory, game, state = values
            if outer.layout is None:
                inner = open_box(context, builder, state, outer)
            else:
                place = builder.gep(memory, [_WORD(HEAD)])
                raw = builder.extract_value(state, 0)
                inner = blobs.opened(context, builder, raw, outer.held, outer.layout, place)
            result, kind = self._call(builder, name, game, [self.state], [inner])
            if not isinstance(kind, types.Generator):
                raise TypeError(f"{name} is not a generator")
            steps.append(kind)
            if is_counted():
                shape = ir.FunctionType(ir.VoidType(), [_BYTES, _WORD, _BYTES])
                _fill_head(builder, memory, cgutils.get_or_insert_function(self.module, shape, end))
            builder.store(builder.load(result), generator(builder, memory))
            return context.get_dummy_value()

        taken = (_MEMORY, self.kind, outer)
        define(self.module, symbol, types.none, taken, begin).attributes.add("alwaysinline")
        wanted = boxed(self.contract.yields[name], self.box)

        def following(builder: Any, values: Any) -> Any:
            kind = steps[0]
            make = context.get_generator_impl(kind)
            memory = generator(builder, values[0])
            status, item = make(context, builder, signature(kind.yield_type, kind), [memory])
            with cgutils.if_unlikely(builder, status.is_error):  # the end, or what the rule raised
                context.call_conv.return_status_propagate(builder, status)
            return close_box(context, builder, self._fit(builder, item, kind.yield_type, wanted), wanted)

        after = symbol.replace("gambito.begin", "gambito.next", 1)
        define(self.module, after, wanted, (_MEMORY,), following).attributes.add("alwaysinline")
        held = symbol.replace("gambito.begin", "gambito.held", 1)
        counts = ir.Function(self.module, ir.FunctionType(_BYTES, [_BYTES]), held)
        counts.attributes.add("alwaysinline")
        inside = ir.IRBuilder(counts.append_basic_block("entry"))
        inside.ret(counts.args[0] if is_counted() else _BYTES(None))
        ahead = 0
        if is_counted():
            ahead = HEAD + bytes_of_state
            last = ir.IRBuilder(self.module.get_global(end).append_basic_block("entry"))
            _COUNTING.decref(last, steps[0], generator(last, last.function.args[0]))
            last.ret_void()
        bytes_ = ahead + context.get_abi_sizeof(context.get_data_type(steps[0]))
        size = ir.GlobalVariable(self.module, _WORD, symbol.replace("gambito.begin", "gambito.size", 1))
        size.global_constant, size.initializer = True, _WORD(bytes_)


def _fill_head(builder: Any, memory: Any, end: Any) -> None:
    """Write what Numba counts references by: their number, what is called when there is none, its arguments,
    and a mark that the memory is not to be freed (`runtime`)."""
    words = builder.bitcast(memory, _WORD.as_pointer())
    called, own = (builder.ptrtoint(pointer, _WORD) for pointer in (end, memory))
    for place, word in enumerate((_WORD(1), called, _WORD(0), own, _WORD(0), _WORD(1))):
        builder.store(word, builder.gep(words, [_WORD(place)]))
