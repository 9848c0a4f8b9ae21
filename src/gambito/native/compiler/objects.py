"""Constants and handles (`native/objects.py`) for the compiler: their types, their attributes and methods."""

from __future__ import annotations

import types as python
import weakref
from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.core.dispatcher import Dispatcher
from numba.core.errors import TypingError
from numba.core.imputils import lower_builtin
from numba.core.registry import cpu_target
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate
from numba.core.typing.typeof import Purpose
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

from gambito.native.bounds import ALWAYS
from gambito.native.compiler.bounds import data_of, is_checking, make_pointer
from gambito.native.compiler.folding import Folding
from gambito.native.compiler.raised import Place
from gambito.native.compiler.types import ConstantType, HandleType, numba_type
from gambito.native.entries import NOTHING_GIVEN, shortened
from gambito.native.objects import Constant, Handle, handle_kind, known_handle, when_met
from gambito.native.values import constant_type

_WORD = ir.IntType(64)
JIT: dict[str, Any] = {"nogil": True, "error_model": "numpy", "pipeline_class": Folding}
_INNER: dict[str, Any] = {**JIT, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

_HELPERS: dict[bool, weakref.WeakKeyDictionary[python.FunctionType, Dispatcher]] = {
    is_checked: weakref.WeakKeyDictionary() for is_checked in (False, True)
}  # with and without bounds checks


def helper(function: python.FunctionType, inline: bool = False) -> Dispatcher:
    """The compiled version of a plain function that compiled code calls; one for each function."""
    known = _HELPERS[is_checking()]
    if function not in known:
        known[function] = dispatcher = njit(**_INNER, forceinline=inline)(function)
        if function in _called(function):
            without_literals(dispatcher)
    return known[function]


def _called(function: python.FunctionType) -> set[python.FunctionType]:
    """The functions of modules that a function calls, and those that these call."""
    found: set[python.FunctionType] = set()
    waiting = [function]
    while waiting:
        inner = waiting.pop()
        named = (inner.__globals__.get(name) for name in inner.__code__.co_names)
        new = {each for each in named if isinstance(each, python.FunctionType)} - found
        found |= new
        waiting += new
    return found


def without_literals(dispatcher: Any) -> None:
    """Give a function that calls itself one signature; Numba specialises a call with a literal, `f(5)`."""
    compiler = dispatcher._compiler
    fold = compiler.fold_argument_types

    def folded(args: Any, kws: Any) -> Any:
        signature, kinds = fold(args, kws)
        return signature, tuple(types.unliteral(kind) for kind in kinds)

    compiler.fold_argument_types = folded


def forget_helpers() -> None:
    """Have plain functions compiled again where compiled code calls them."""
    for known in _HELPERS.values():
        known.clear()


when_met(forget_helpers)


@typeof_impl.register(python.FunctionType)
def _typeof_function(function: python.FunctionType, context: Any) -> types.Type | None:
    """A plain function used in compiled code is compiled too, so helpers need no decorator."""
    if context.purpose != Purpose.constant:
        return None
    return cpu_target.typing_context._get_global_type(function) or types.Dispatcher(
        helper(function, getattr(function, "is_inlined", False))
    )


# ---- constants ---------------------------------------------------------------------------------------


register_model(ConstantType)(models.OpaqueModel)


@typeof_impl.register(Constant)
def _typeof_constant(constant: Constant, context: Any) -> ConstantType:
    return numba_type(constant.kind)


@unbox(ConstantType)
def _unbox_constant(kind: Any, value: Any, c: Any) -> NativeValue:
    nothing = c.context.get_dummy_value()
    if not kind.pointers:
        return NativeValue(nothing)
    given = c.pyapi.object_getattr_string(value, "address")
    address = c.builder.inttoptr(c.pyapi.long_as_longlong(given), nothing.type)
    c.pyapi.decref(given)
    return NativeValue(address, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


# ---- handles -----------------------------------------------------------------------------------------


@typeof_impl.register(Handle)
def _typeof_handle(handle: Handle, context: Any) -> HandleType:
    return numba_type(handle_kind(handle))


@register_model(HandleType)
class _HandleModel(models.StructModel):
    def __init__(self, dmm: Any, fe_type: HandleType) -> None:
        super().__init__(dmm, fe_type, list(fe_type.pointers.items()))


@unbox(HandleType)
def _unbox_handle(kind: HandleType, value: Any, c: Any) -> NativeValue:
    proxy = cgutils.create_struct_proxy(kind)(c.context, c.builder)
    addresses = c.pyapi.object_getattr_string(value, "addresses")
    lengths = c.pyapi.object_getattr_string(value, "lengths") if ALWAYS else None
    for place, (name, pointer) in enumerate(kind.pointers.items()):
        address = c.pyapi.long_as_longlong(c.pyapi.tuple_getitem(addresses, place))
        data = c.builder.inttoptr(address, c.context.get_value_type(types.CPointer(pointer.dtype)))
        length = lengths and c.pyapi.long_as_longlong(c.pyapi.tuple_getitem(lengths, place))
        setattr(proxy, name, make_pointer(c.context, c.builder, pointer, data, length))
    c.pyapi.decref(addresses)
    if lengths:
        c.pyapi.decref(lengths)
    return NativeValue(proxy._getvalue(), is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


# ---- attributes and methods --------------------------------------------------------------------------


def _known(kind: ConstantType | HandleType) -> Any:
    return kind.known if isinstance(kind, ConstantType) else known_handle(*kind.key)


class _Attributes(AttributeTemplate):
    """`object.name`: an array, a constant, or a method."""

    def generic_resolve(self, kind: Any, name: str) -> types.Type | None:
        if name in kind.pointers:
            return kind.pointers[name]
        known = _known(kind)
        if name in known.fields:
            array, _ = known.fields[name]
            return kind.pointers[array].dtype
        found = known.find(name)
        if isinstance(found, staticmethod):
            plain: Any = found.__func__
            return types.Dispatcher(helper(plain, name in known.inline))
        if isinstance(found, python.FunctionType):
            return types.BoundFunction(_method_template(kind, name, found), kind)
        constant = constant_type(found) if found is not None else None
        if constant is None and found is not None:
            raise TypingError(f"'{name}' is a {type(found).__name__}, which compiled code cannot read")
        return None if constant is None else numba_type(constant)


@infer_getattr
class _ConstantAttributes(_Attributes):
    key = ConstantType


@infer_getattr
class _HandleAttributes(_Attributes):
    key = HandleType


def _method_template(kind: Any, name: str, function: python.FunctionType) -> type[AbstractTemplate]:
    class Method(AbstractTemplate):
        key = (_call_method, name, kind.key)

        def generic(self, args: Any, kws: Any) -> Any:
            known = _known(kind)  # not kept by the template, which lives as long as the code
            called = helper(function, name in known.inline)
            signature = types.Dispatcher(called).get_call_type(self.context, (kind, *args), kws)
            if name in known.returns:
                wanted = numba_type(known.returns[name])
                if not can_cast(self.context, signature.return_type, wanted):
                    raise TypingError(f"{name} gives {signature.return_type}, not {wanted}")
                signature = signature.replace(return_type=wanted)
            elif name in known.yields:
                wanted = numba_type(known.yields[name])
                if not _is_generator_of(signature.return_type, wanted):
                    called = _casting(function, wanted)
                signature = types.Dispatcher(called).get_call_type(self.context, (kind, *args), kws)
            _lower_method(kind, name, called)
            return signature.as_method()

    return Method


def _is_generator_of(given: types.Type, wanted: types.Type) -> bool:
    return isinstance(given, types.Generator) and given.yield_type == wanted


_CASTING: dict[tuple[python.FunctionType, types.Type, bool], Dispatcher] = {}


def _casting(function: python.FunctionType, wanted: types.Type) -> Dispatcher:
    """A generator of what `function` yields, each item cast to `wanted`."""
    key = function, wanted, is_checking()
    if key not in _CASTING:
        inner = helper(function)

        @njit(**_INNER)
        def cast_each(subject: Any, state: Any) -> Any:
            for item in inner(subject, state):
                yield wanted(item)

        _CASTING[key] = cast_each
    return _CASTING[key]


_LOWERED: dict[tuple[Any, ...], Dispatcher] = {}


def _call_method() -> None:
    """The name under which Numba finds the lowering of methods."""


def _lower_method(kind: Any, name: str, called: Dispatcher) -> None:
    """Define for Numba how to call a method: the compiled function, then the cast to the declared type."""
    key = (_call_method, name, kind.key)
    is_told = key in _LOWERED
    _LOWERED[key] = called
    if is_told:
        return

    @lower_builtin(key, type(kind), types.VarArg(types.Any))
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if sig.args[0].key != kind.key:
            raise LookupError(f"{name} was compiled for another object")
        fnty = types.Dispatcher(_LOWERED[key])
        found = fnty.get_call_type(context.typing_context, sig.args, {})
        call = context.get_function(fnty, found)
        context.add_linking_libs(getattr(call, "libs", ()))
        given = [context.cast(builder, a, f, t) for a, f, t in zip(args, sig.args, found.args, strict=True)]
        result, returned = call(builder, given), found.return_type
        if isinstance(returned, types.Generator):
            return result
        if isinstance(returned, types.Optional):
            result, returned = _given(context, builder, result, returned, fnty.dispatcher.py_func.__code__)
        return cast(context, builder, result, returned, sig.return_type)


def _given(
    context: Any, builder: Any, value: Any, kind: types.Optional, code: python.CodeType
) -> tuple[Any, types.Type]:
    """What a rule gives that does not always return; where it gives None, an error that names the rule."""
    optional = context.make_helper(builder, kind, value=value)
    with cgutils.if_unlikely(builder, builder.not_(cgutils.as_bool_bit(builder, optional.valid))):
        place = Place(code.co_name, shortened(code.co_filename), code.co_firstlineno)
        context.call_conv.return_user_exc(builder, TypeError, (NOTHING_GIVEN,), place, code.co_name)
    return optional.data, kind.type


def can_cast(context: Any, given: types.Type, wanted: types.Type) -> bool:
    """Can a number, or a tuple field by field, be cast?"""
    if isinstance(given, types.BaseTuple) and isinstance(wanted, types.BaseTuple):
        return len(given) == len(wanted) and all(
            can_cast(context, g, w) for g, w in zip(given.types, wanted.types, strict=True)
        )
    return context.can_convert(given, wanted) is not None


def cast(context: Any, builder: Any, value: Any, given: types.Type, wanted: types.Type) -> Any:
    """Cast a number, or a tuple field by field (Numba casts no NamedTuple to another)."""
    if given == wanted:
        return value
    if isinstance(given, types.BaseTuple) and isinstance(wanted, types.BaseTuple):
        parts = cgutils.unpack_tuple(builder, value)
        made = [
            cast(context, builder, p, g, w) for p, g, w in zip(parts, given.types, wanted.types, strict=True)
        ]
        return context.make_tuple(builder, wanted, made)
    return context.cast(builder, value, given, wanted)


@lower_getattr_generic(ConstantType)
def _lower_constant_attribute(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    if name in kind.pointers:
        pointer, place = kind.pointers[name], list(kind.pointers).index(name)
        data = context.get_value_type(types.CPointer(pointer.dtype))
        length = kind.is_checked and _listed(builder, value, _WORD, len(kind.pointers) + place)
        return make_pointer(context, builder, pointer, _listed(builder, value, data, place), length)
    return _lower_attribute(context, builder, kind, name)


def _listed(builder: Any, address: Any, shape: ir.Type, place: int) -> Any:
    """An item of the list behind a constant."""
    return builder.load(builder.gep(builder.bitcast(address, shape.as_pointer()), [_WORD(place)]))


@lower_getattr_generic(HandleType)
def _lower_handle_attribute(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    arrays = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    if name in kind.pointers:
        return getattr(arrays, name)
    fields = _known(kind).fields
    if name in fields:
        array, place = fields[name]
        pointer = data_of(context, builder, kind.pointers[array], getattr(arrays, array))
        return builder.load(builder.gep(pointer, [_WORD(place)]))
    return _lower_attribute(context, builder, kind, name)


def _lower_attribute(context: Any, builder: Any, kind: Any, name: str) -> Any:
    found = _known(kind).find(name)
    if isinstance(found, staticmethod):
        return context.get_dummy_value()
    return context.get_constant_generic(builder, numba_type(constant_type(found)), found)
