"""What a rule returns, as the type that it must have.

The rules of a game may return a state in several places, and NumPy's functions give arrays of other kinds
than those in the initial state: turned, read only, of wider numbers. Numba finds no common type for them. So
every `return` of a rule that gives a state is compiled as `return _as_state(…)`: it casts the numbers, copies
an array that is of another kind or not contiguous, makes a tuple of a list, and raises an error if an array
or a list has not the shape that it has in the initial state.
"""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np
from llvmlite import ir as llvm
from numba import types
from numba.core import cgutils, ir
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.errors import TypingError
from numba.core.typing.templates import signature
from numba.cpython.listobj import ListInstance
from numba.extending import intrinsic, overload
from numba.np.numpy_support import as_dtype

from gambito.errors import GameError
from gambito.native import kinds
from gambito.native.compiler.types import numba_type
from gambito.native.kinds import Fixed, Kind
from gambito.native.values import other_shape
from gambito.words.sentence import Sentence

_WORD = llvm.IntType(64)


@register_pass(mutates_CFG=False, analysis_only=False)
class FitResults(FunctionPass):
    """Have the rules that return states return them as the type of the states."""

    _name = "gambito_fit_results"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        name = state.func_id.func_name
        known = getattr(state.args[0], "known", None) if state.args else None
        if known is None or known.find(name) is not state.func_id.func or _states(known, name) is None:
            return False
        function = state.func_ir
        for block in function.blocks.values():
            returned = block.terminator
            if not isinstance(returned, ir.Return):
                continue
            place, scope = returned.loc, block.scope
            called, game, rule, made = (scope.redefine(f"$fit_{part}", place) for part in range(4))
            for target, value in (
                (called, ir.Global("_as_state", _as_state, place)),
                (game, ir.Arg(function.arg_names[0], 0, place)),
                (rule, ir.Const(name, place)),
                (made, ir.Expr.call(called, [game, rule, returned.value], (), place)),
            ):
                block.insert_before_terminator(ir.Assign(value, target, place))
                function._definitions[target.name].append(value)
            returned.value = made
        return True


def _states(known: Any, rule: str) -> Kind | None:
    """The kind of the states that a rule of a constant gives."""
    kind = known.returns.get(rule)
    return kind if isinstance(kind, kinds.Tuple | Fixed) else None


@intrinsic(prefer_literal=True)
def _as_state(context: Any, game: Any, rule: Any, value: Any) -> Any:
    """The state of a game that is made of what one of its rules returns."""
    if not isinstance(rule, types.StringLiteral):  # asked again without literals, after the error below
        return None
    name, given = rule.literal_value, types.unliteral(value)
    kind = _states(game.known, name)
    assert kind is not None
    wanted = numba_type(kind)
    if not _can_fit(context, given, wanted):
        raise TypingError(f"{name} gives {given}, not {wanted}")

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _Fitting(context, builder, name).fit(args[2], given, wanted, kind)

    return wanted(game, rule, given), lower


def _can_fit(context: Any, given: types.Type, wanted: types.Type) -> bool:
    if isinstance(wanted, types.BaseTuple) and isinstance(given, types.List):
        return all(_can_fit(context, given.dtype, part) for part in wanted.types)
    if isinstance(given, types.BaseTuple) and isinstance(wanted, types.BaseTuple):
        pairs = zip(given.types, wanted.types, strict=False)
        return len(given) == len(wanted) and all(_can_fit(context, g, w) for g, w in pairs)
    if isinstance(given, types.Array) and isinstance(wanted, types.Array) and given != wanted:
        return given.ndim == wanted.ndim and context.can_convert(given.dtype, wanted.dtype) is not None
    return context.can_convert(given, wanted) is not None


class _Fitting:
    """The code that casts one value. It gives a reference to each array, and takes none."""

    def __init__(self, context: Any, builder: Any, rule: str) -> None:
        self.context, self.builder, self.rule = context, builder, rule

    def fit(self, value: Any, given: types.Type, wanted: types.Type, kind: Kind) -> Any:
        context, builder = self.context, self.builder
        if isinstance(kind, kinds.Tuple):
            parts = self._parts(value, given, len(kind))
            items = zip(parts, wanted.types, kind.parts, strict=True)
            return context.make_tuple(builder, wanted, [self.fit(*p, w, k) for p, w, k in items])
        if not isinstance(kind, Fixed):
            return context.cast(builder, value, given, wanted)
        self._check(
            cgutils.unpack_tuple(builder, context.make_array(given)(context, builder, value).shape),
            kind.shape,
        )
        if given == wanted:
            context.nrt.incref(builder, given, value)
            return value
        copy = _copying(as_dtype(wanted.dtype))
        return context.compile_internal(builder, copy, signature(wanted, given), [value])

    def _parts(self, value: Any, given: types.Type, count: int) -> list[tuple[Any, types.Type]]:
        """The parts of a tuple, or of a list of that length."""
        if isinstance(given, types.BaseTuple):
            return list(zip(cgutils.unpack_tuple(self.builder, value), given.types, strict=True))
        items = ListInstance(self.context, self.builder, given, value)
        self._check([items.size], (count,))
        return [(items.getitem(_WORD(place)), given.dtype) for place in range(count)]

    def _check(self, lengths: list[Any], shape: tuple[int, ...]) -> None:
        for length, wanted in zip(lengths, shape, strict=True):
            with cgutils.if_unlikely(self.builder, self.builder.icmp_signed("!=", length, _WORD(wanted))):
                said = Sentence("the rule '{}': {}", self.rule, other_shape(shape))
                self.context.call_conv.return_user_exc(self.builder, GameError, (said,))


@functools.cache
def _copying(dtype: Any) -> Any:
    """A function that copies an array into a contiguous one of such numbers."""

    def copied(array: Any) -> Any:
        made = np.empty(array.shape, dtype)
        made[...] = array
        return made

    return copied


@overload(tuple)
def _native_tuple(items):
    """The tuple of a list: its length is known where it becomes part of a state. Until then it is a list."""
    if isinstance(items, types.List):
        return lambda items: [item for item in items]  # noqa: C416
    return None


@overload(operator.getitem)
def _native_slice(items, place):
    """A slice of a tuple by variables: a list, as its length is known where it becomes part of a state."""
    if isinstance(items, types.UniTuple) and isinstance(place, types.SliceType):

        def sliced(items, place):
            first, last, step = place.indices(len(items))
            return [items[i] for i in range(first, last, step)]

        return sliced
    return None


@overload(operator.add)
def _native_joined(first, second):
    """A slice with a tuple before or after it."""
    if isinstance(first, types.List) and isinstance(second, types.UniTuple):
        return lambda first, second: first + list(second)
    if isinstance(first, types.UniTuple) and isinstance(second, types.List):
        return lambda first, second: list(first) + second
    return None
