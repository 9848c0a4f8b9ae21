"""Abstract constants: code that is compiled once for all games, before any of them is known.

In the code that is compiled here a game is a `Contract`: a state is an opaque value, a rule an external
function in Numba's calling convention, a trait an external constant. A rule that yields is four symbols: the
size of its memory, its beginning, its next item, and what counts references to it. The name of a symbol says
all that is needed to provide it, as in `gambito.rule:Game int64:result(state,int64)`. How they are provided
for one game is in `templates`; this module is needed only to make templates.
"""

from __future__ import annotations

import operator
import types as python
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.imputils import RefType, iternext_impl, lower_builtin
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global, signature
from numba.extending import infer_getattr, lower_getattr_generic, models, register_model
from numba.np.arrayobj import populate_array

from gambito.native.compiler.blobs import ALIGN
from gambito.native.compiler.bridges import call
from gambito.native.compiler.contracts import (
    EQUAL,
    STATE_SPACE,
    Contract,
    constant_symbol,
    external,
    rule_symbol,
)
from gambito.native.compiler.types import STATE, State

_BYTE, _WORD = ir.IntType(8), ir.IntType(64)
# To LLVM a state is one opaque value: a pointer of a kind that nothing else has (`templates.STATE_TOKEN`).
_STATE = ir.PointerType(_BYTE, STATE_SPACE)


@register_model(State)
class _StateModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: State) -> None:
        super().__init__(dmm, fe_type, _STATE)


class AbstractType(types.Type):
    """The type of all constants of one contract."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        super().__init__(f"Abstract({contract.name})")


class _Steps(types.SimpleIteratorType):
    """What a rule yields."""

    def __init__(self, contract: Contract, name: str) -> None:
        self.contract, self.rule = contract, name
        super().__init__(f"Steps({contract.name},{name})", contract.yields[name])


register_model(AbstractType)(models.OpaqueModel)


@register_model(_Steps)
class _StepsModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: _Steps) -> None:
        super().__init__(dmm, fe_type, _BYTE.as_pointer())

    def has_nrt_meminfo(self) -> bool:
        return True

    def get_nrt_meminfo(self, builder: Any, value: Any) -> Any:
        """What counts references to the arrays that a rule keeps: they are freed if its reader leaves."""
        steps, pointer = self._fe_type, _BYTE.as_pointer()
        symbol = rule_symbol("held", steps.contract, steps.rule, (STATE,))
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(pointer, [pointer]), symbol)
        before = builder.block
        with builder.if_then(cgutils.is_not_null(builder, value)):  # where a trait rules it out, it is null
            found, inside = builder.call(function, [value]), builder.block
        held = builder.phi(pointer)
        held.add_incoming(pointer(None), before)
        held.add_incoming(found, inside)
        return held


# ---- attributes --------------------------------------------------------------------------------------


@infer_getattr
class _Attributes(AttributeTemplate):
    """`object.name`: a trait or a rule."""

    key = AbstractType

    def generic_resolve(self, kind: AbstractType, name: str) -> types.Type:
        contract = kind.contract
        if name in contract.traits:
            return contract.traits[name]
        if name not in contract.returns and name not in contract.yields:
            raise TypingError(f"{name} has no type that is the same for all games")
        return types.BoundFunction(_rule_template(contract, name), kind)


def _rule_template(contract: Contract, name: str) -> type[AbstractTemplate]:
    key = (_call_rule, contract.name, name)
    if key not in _LOWERED:
        _LOWERED.add(key)
        lower_builtin(key, AbstractType, types.VarArg(types.Any))(_lower_rule(contract, name))

    class Rule(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            returned = _Steps(contract, name) if name in contract.yields else contract.returns[name]
            return signature(returned, *map(_usual, args), recvr=AbstractType(contract))

    Rule.key = key
    return Rule


_LOWERED: set[tuple[Any, ...]] = set()


def _call_rule() -> None:
    """The name under which Numba finds the lowering of rules."""


def _usual(kind: types.Type) -> types.Type:
    """The type in which rules take an argument: all integers are int64."""
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) else kind


def _lower_rule(contract: Contract, name: str) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if name not in contract.yields:
            symbol = rule_symbol("rule", contract, name, sig.args[1:])
            return call(context, builder, symbol, sig.return_type, sig.args, args)
        with builder.goto_entry_block():
            size = external(builder, rule_symbol("size", contract, name, sig.args[1:]), _WORD)
            memory = builder.alloca(_BYTE, builder.load(size))
            memory.align = ALIGN
            _live(builder, memory)
        given = (types.CPointer(types.uint8), *sig.args)
        begin = rule_symbol("begin", contract, name, sig.args[1:])
        call(context, builder, begin, types.none, given, [memory, *args])
        return memory

    return lower


def _live(builder: Any, memory: Any) -> None:
    """Say that memory on the stack is in use to the end of the function.

    Else LLVM decides that where it inlines the function, and there it moved what frees the arrays of a rule
    behind the end.
    """
    shape = ir.FunctionType(ir.VoidType(), [_WORD, _BYTE.as_pointer()])
    start = builder.module.declare_intrinsic("llvm.lifetime.start", [_BYTE.as_pointer()], shape)
    builder.call(start, [_WORD(-1), memory])


@infer_global(operator.eq)
class _Equal(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.boolean, STATE, STATE) if args == (STATE, STATE) else None


@lower_builtin(operator.eq, State, State)
def _are_equal(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return call(context, builder, EQUAL, types.boolean, sig.args, args)


@lower_builtin("getiter", _Steps)
def _iterate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    context.nrt.incref(builder, sig.args[0], args[0])
    return args[0]


@lower_builtin("iternext", _Steps)
@iternext_impl(RefType.UNTRACKED)
def _next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    steps, convention = sig.args[0], context.call_conv
    kinds = (types.CPointer(types.uint8),)
    shape = convention.get_function_type(steps.yield_type, kinds)
    symbol = rule_symbol("next", steps.contract, steps.rule, (STATE,))
    function = cgutils.get_or_insert_function(builder.module, shape, symbol)
    status, item = convention.call_function(builder, function, steps.yield_type, kinds, args)
    with cgutils.if_likely(builder, status.is_ok):
        result.set_valid(True)
        result.yield_(item)
    with cgutils.if_unlikely(builder, status.is_stop_iteration):
        result.set_exhausted()
    failed = builder.and_(status.is_error, builder.not_(status.is_stop_iteration))
    with cgutils.if_unlikely(builder, failed):
        convention.return_status_propagate(builder, status)


@lower_getattr_generic(AbstractType)
def _lower_attribute(context: Any, builder: Any, kind: AbstractType, value: Any, name: str) -> Any:
    if name not in kind.contract.traits:
        return context.get_dummy_value()
    trait = kind.contract.traits[name]
    symbol = constant_symbol("trait", kind.contract, name)
    if not isinstance(trait, types.Array):
        held = builder.load(external(builder, symbol, context.get_data_type(trait)))
        return context.data_model_manager[trait].from_data(builder, held)
    item = context.get_data_type(trait.dtype)
    data = external(builder, symbol, ir.ArrayType(item, 0))
    count = builder.load(external(builder, constant_symbol("length", kind.contract, name), _WORD))
    array, size = context.make_array(trait)(context, builder), _WORD(context.get_abi_sizeof(item))
    first = builder.bitcast(data, item.as_pointer())
    populate_array(array, first, [count], [size], size, None)
    return array._getvalue()


def default_of(contract: Contract, name: str) -> python.FunctionType | None:
    """The function that a rule is if a game does not give it; None for rules that yield, whose memory
    depends on the game."""
    found = contract.default(name) if name in contract.returns else None
    return found if isinstance(found, python.FunctionType) else None
