"""Python objects that compiled code can hold: constants (games) and handles (memory).

Numba knows each `Constant` by its own type, so code is specialised for it and passing it costs nothing. A
`Memory` among its attributes is an array that may change: code knows its type, and finds the array at run
time. A `Handle` has raw pointers to its arrays, so that no references are counted when it is passed through a
recursion. The methods of both are plain Python methods, which are compiled when compiled code calls them.
This module does not depend on games or search.
"""

from __future__ import annotations

import types as python
import weakref
from typing import Any, ClassVar

import numpy as np
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
from numba.np.numpy_support import from_dtype

from gambito.native.bounds import ALWAYS, data_of, is_checking, make_pointer, pointer_type
from gambito.native.contracts import Contract, contract_of_values
from gambito.native.digest import class_items, digest
from gambito.native.folding import Folding
from gambito.native.values import constant_type

_WORD = ir.IntType(64)
_JIT: dict[str, Any] = {"nogil": True, "error_model": "numpy", "pipeline_class": Folding}
_INNER: dict[str, Any] = {**_JIT, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}

# The object behind each type, by the key of the type. The types themselves hold only names and digests, so
# that they can be written to disk and compared with those of another process. Only the owners of constants
# keep them alive.
_KNOWN: weakref.WeakValueDictionary[tuple[str, str], Any] = weakref.WeakValueDictionary()
_MET: set[tuple[str, str]] = set()  # the keys of all constants so far: two short strings each
_HELPERS: dict[bool, weakref.WeakKeyDictionary[python.FunctionType, Dispatcher]] = {
    is_checked: weakref.WeakKeyDictionary() for is_checked in (False, True)
}  # with and without bounds checks


def inlined(function: Any) -> Any:
    """Mark a plain function that compiled code calls, so that its calls are always inlined.

    Use it for functions that are called in one place and take handles: a handle passes one argument for each
    of its arrays.
    """
    function.is_inlined = True
    return function


def helper(function: python.FunctionType, inline: bool = False) -> Dispatcher:
    """The compiled version of a plain function that compiled code calls; one for each function."""
    known = _HELPERS[is_checking()]
    if function not in known:
        known[function] = njit(**_INNER, forceinline=inline)(function)
    return known[function]


def forget_helpers() -> None:
    """Have plain functions compiled again where compiled code calls them."""
    for known in _HELPERS.values():
        known.clear()


@typeof_impl.register(python.FunctionType)
def _typeof_function(function: python.FunctionType, context: Any) -> types.Type | None:
    """A plain function used in compiled code is compiled too, so helpers need no decorator."""
    if context.purpose != Purpose.constant:
        return None
    return cpu_target.typing_context._get_global_type(function) or types.Dispatcher(
        helper(function, getattr(function, "is_inlined", False))
    )


# ---- constants ---------------------------------------------------------------------------------------


class Memory:
    """A one-dimensional array that a constant holds and that may change in place: `self.weights[i]`.

    Its contents are not part of compiled code or of its digest; only the type of its numbers is. If a
    function is given instead, it makes the array when it is needed. In the Python gear items are plain
    numbers.
    """

    def __init__(self, array: Any) -> None:
        self._array = array

    @property
    def array(self) -> Any:
        if callable(self._array):
            self._array = self._array()
        if self._array.ndim != 1 or not self._array.flags.c_contiguous:
            raise TypeError("memory is a contiguous array of one dimension")
        return self._array

    @array.setter
    def array(self, array: Any) -> None:
        self._array = array

    @property
    def digested(self) -> str:
        return f"memory of {self.array.dtype.str}"

    def __reduce__(self) -> Any:
        """What is pickled or copied is the array, and not the function that makes it."""
        return Memory, (self.array,)

    def __getitem__(self, place: Any) -> Any:
        return self.array[place].item()

    def __setitem__(self, place: Any, value: Any) -> None:
        self.array[place] = value


class Constant:
    """A Python object as a compile-time constant.

    `returns` gives the compiled type that a method's result is cast to, `yields` the type of each item that
    it yields; other methods return their own types. `inline` names the methods that are always inlined. With
    `is_checked`, its code raises IndexError for an index out of range. `contract` is what it has in common
    with other constants; one that only holds numbers needs none.
    """

    fields: ClassVar[dict[str, tuple[str, int]]] = {}  # as for a handle: a constant has none

    def __init__(
        self,
        subject: Any,
        label: str,
        key: str,
        returns: dict[str, types.Type],
        yields: dict[str, types.Type],
        inline: frozenset[str] = frozenset(),
        is_checked: bool = ALWAYS,
        contract: Contract | None = None,
    ) -> None:
        self.subject, self.label, self.is_checked = subject, label, is_checked
        self.key = f"{key} with bounds checks" if is_checked else key
        self.returns, self.yields, self.inline = returns, yields, inline
        self.contract = contract or contract_of_values(label, subject)
        held = sorted((n, v) for n, v in getattr(subject, "__dict__", {}).items() if isinstance(v, Memory))
        self.memories = tuple((name, memory.array.dtype.str) for name, memory in held)
        self._arrays = [memory.array for _, memory in held]
        places, lengths = [a.ctypes.data for a in self._arrays], [len(a) for a in self._arrays]
        self._places = np.array([*places, *lengths], np.int64)
        self.address = int(self._places.ctypes.data)
        if self.identity not in _MET:
            _MET.add(self.identity)
            if any(class_items(type(subject), object)):
                forget_helpers()  # compiled rules have frozen their globals, which may have changed
        self._alike: _Alike = _KNOWN.setdefault(self.identity, _Alike())
        self._alike.constants.add(self)

    @property
    def identity(self) -> tuple[str, str]:
        """The key of its type: constants with the same key share their machine code."""
        return self.label, self.key

    def find(self, name: str) -> Any:
        """The function or value of an attribute, not bound to the object."""
        if name in getattr(self.subject, "__dict__", {}):
            own = self.subject.__dict__[name]
            return staticmethod(own) if isinstance(own, python.FunctionType) else own
        return _class_attribute(type(self.subject), name)


class _Alike:
    """The constants of one key that are in use. Any of them will do to compile for all; each holds this."""

    def __init__(self) -> None:
        self.constants: weakref.WeakSet[Constant] = weakref.WeakSet()


def _class_attribute(kind: type, name: str) -> Any:
    for base in kind.__mro__:
        if name in vars(base):
            found = vars(base)[name]
            return getattr(found, "plain", found) if isinstance(found, python.FunctionType) else found
    return None


class ConstantType(types.Type):
    """The type of one constant: equal keys mean the same code, in this process or another.

    Its value is the address of a list with the addresses of its memories, and then their lengths; without
    memories, nothing.
    """

    def __init__(
        self, label: str, digest: str, memories: tuple[tuple[str, str], ...] = (), is_checked: bool = False
    ) -> None:
        self.label, self.digest, self.memories, self.is_checked = label, digest, memories, is_checked
        self.pointers = {n: pointer_type(from_dtype(np.dtype(d)), is_checked) for n, d in memories}
        super().__init__(f"Constant({label},{digest})")

    @property
    def key(self) -> tuple[str, str]:
        return self.label, self.digest

    @property
    def known(self) -> Constant | None:
        """A constant of this type, which is asked for what it holds; None: there is none in this process."""
        alike = _KNOWN.get(self.key)
        return None if alike is None else next(iter(alike.constants), None)

    def __reduce__(self) -> Any:
        return ConstantType, (self.label, self.digest, self.memories, self.is_checked)


register_model(ConstantType)(models.OpaqueModel)


@typeof_impl.register(Constant)
def _typeof_constant(constant: Constant, context: Any) -> ConstantType:
    return ConstantType(constant.label, constant.key, constant.memories, constant.is_checked)


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


class Handle:
    """Memory that compiled code reads and writes: arrays by name, accessed as `self.name[i]`.

    A subclass lists its arrays and their dtypes in `arrays` and passes the arrays to `__init__`. In the
    Python gear the attributes are what was passed, an array or a list. Single numbers of an array may have
    names too: `fields` gives the array and the index of each, and `self.name` reads it.
    """

    arrays: ClassVar[dict[str, type]] = {}
    fields: ClassVar[dict[str, tuple[str, int]]] = {}

    def __getattr__(self, name: str) -> Any:
        if name not in type(self).fields:
            raise AttributeError(f"{type(self).__name__} has no attribute '{name}'")
        array, place = type(self).fields[name]
        return getattr(self, array)[place]

    def __init__(self, **memory: Any) -> None:
        for name, dtype in self.arrays.items():
            held = memory[name]
            if isinstance(held, np.ndarray) and (held.dtype != dtype or not held.flags.c_contiguous):
                raise TypeError(f"{name} must be a contiguous array of {np.dtype(dtype).name}")
            setattr(self, name, held)

    @property
    def addresses(self) -> tuple[int, ...]:
        return tuple(getattr(self, name).ctypes.data for name in self.arrays)

    @property
    def lengths(self) -> tuple[int, ...]:
        return tuple(getattr(self, name).size for name in self.arrays)


class HandleType(types.Type):
    """The type of a class of handles."""

    def __init__(self, label: str, digest: str, arrays: tuple[tuple[str, str], ...]) -> None:
        self.label, self.digest, self.arrays = label, digest, arrays
        self.pointers = {n: pointer_type(from_dtype(np.dtype(d))) for n, d in arrays}
        super().__init__(f"Handle({label},{digest})")

    @property
    def key(self) -> tuple[str, str]:
        return self.label, self.digest

    def __reduce__(self) -> Any:
        return HandleType, (self.label, self.digest, self.arrays)


class _HandleClass:
    """A class of handles, as `Constant` is for one object: it finds methods and class values."""

    returns: ClassVar[dict[str, types.Type]] = {}
    yields: ClassVar[dict[str, types.Type]] = {}

    def __init__(self, kind: type[Handle]) -> None:
        self.kind, self.fields = kind, kind.fields
        self.label = f"{kind.__module__}.{kind.__qualname__}"
        self.key = digest(list(class_items(kind, Handle)))
        self.inline = frozenset(n for n, _ in class_items(kind, Handle))
        self.type = HandleType(
            self.label, self.key, tuple((n, np.dtype(d).str) for n, d in kind.arrays.items())
        )
        _KNOWN[self.label, self.key] = self

    def find(self, name: str) -> Any:
        return _class_attribute(self.kind, name)


_HANDLES: dict[type[Handle], _HandleClass] = {}


@typeof_impl.register(Handle)
def _typeof_handle(handle: Handle, context: Any) -> HandleType:
    kind = type(handle)
    if not all(isinstance(getattr(handle, name), np.ndarray) for name in kind.arrays):
        raise TypeError(f"a {kind.__name__} of lists is for the Python gear")
    if kind not in _HANDLES:
        _HANDLES[kind] = _HandleClass(kind)
    return _HANDLES[kind].type


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
    return kind.known if isinstance(kind, ConstantType) else _KNOWN[kind.key]


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
        return constant


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
                wanted = known.returns[name]
                if not _can_cast(self.context, signature.return_type, wanted):
                    raise TypingError(f"{name} gives {signature.return_type}, not {wanted}")
                signature = signature.replace(return_type=wanted)
            elif name in known.yields and not _is_generator_of(signature.return_type, known.yields[name]):
                called = _casting(function, known.yields[name])
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
        result = call(builder, given)
        if isinstance(found.return_type, types.Generator):
            return result
        return _cast(context, builder, result, found.return_type, sig.return_type)


def _can_cast(context: Any, given: types.Type, wanted: types.Type) -> bool:
    """Can a number, or a tuple field by field, be cast?"""
    if isinstance(given, types.BaseTuple) and isinstance(wanted, types.BaseTuple):
        return len(given) == len(wanted) and all(
            _can_cast(context, g, w) for g, w in zip(given.types, wanted.types, strict=True)
        )
    return context.can_convert(given, wanted) is not None


def _cast(context: Any, builder: Any, value: Any, given: types.Type, wanted: types.Type) -> Any:
    """Cast a number, or a tuple field by field (Numba casts no NamedTuple to another)."""
    if given == wanted:
        return value
    if isinstance(given, types.BaseTuple) and isinstance(wanted, types.BaseTuple):
        parts = cgutils.unpack_tuple(builder, value)
        cast = [
            _cast(context, builder, p, g, w) for p, g, w in zip(parts, given.types, wanted.types, strict=True)
        ]
        return context.make_tuple(builder, wanted, cast)
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
    return context.get_constant_generic(builder, constant_type(found), found)
