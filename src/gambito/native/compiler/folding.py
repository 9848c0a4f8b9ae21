"""Constants are folded before types are inferred: a branch that a constant rules out is never compiled.

`if game.cycles: …` or `if settings.null_move: …` with a constant that is False or 0 costs no machine code and
no compile time. The constant may be an argument, or a field of an argument that is a NamedTuple.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core import consts, ir
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.errors import TypingError
from numba.core.ir_utils import get_definition, guard
from numba.core.untyped_passes import InlineClosureLikes, IRProcessing

from gambito.native.compiler.closures import InlineClosures
from gambito.native.compiler.lacking import ALONG
from gambito.native.compiler.linking import set_wrappers
from gambito.native.compiler.raised import name_errors
from gambito.native.compiler.results import FitResults
from gambito.native.progress import take_in

GIVEN_GENERATOR = "an argument is a generator that keeps arrays"
_DTYPES = {bool: np.bool_, int: np.int64, float: np.float64}
_NAMED = (ir.Const, ir.Global, ir.FreeVar)


@register_pass(mutates_CFG=False, analysis_only=False)
class FoldConstants(FunctionPass):
    """Replace integers and booleans that are read from a `Constant` by their values."""

    _name = "gambito_fold_constants"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        name_errors(state.targetctx, state.func_id)
        _refuse_generators(state)
        function, changed = state.func_ir, False
        for block in function.blocks.values():
            for assignment in block.find_insts(ir.Assign):
                if not isinstance(assignment.value, ir.Expr):
                    continue
                changed |= _name_dtypes(function, assignment.value)
                changed |= _name_along(function, assignment.value, state.args)
                value = _value(function, assignment.value, state.args)
                if type(value) not in (int, bool) or not -(1 << 63) <= value < 1 << 63:
                    continue
                folded = ir.Const(value, assignment.loc)
                definitions = function._definitions[assignment.target.name]
                definitions[definitions.index(assignment.value)] = folded
                assignment.value = folded
                changed = True
        if changed:
            function._consts = consts.ConstantInference(function)
        return changed


def _refuse_generators(state: Any) -> None:
    """Raise an error if an argument is a generator that keeps arrays.

    What it keeps is freed with each variable that holds it when a loop over it is left early: here, and where
    the function is called.
    """
    models = state.targetctx.data_model_manager
    for kind in state.args:
        if isinstance(kind, types.Generator) and models[kind].contains_nrt_meminfo():
            raise TypingError(GIVEN_GENERATOR, loc=state.func_ir.loc)


def _name_dtypes(function: Any, expression: Any) -> bool:
    """In a call of NumPy's, such as `np.zeros(3, bool)`, put NumPy's names for bool, int and float."""
    called = expression.op == "call" and guard(get_definition, function, expression.func)
    if not isinstance(called, ir.Expr) or called.op != "getattr":
        return False
    changed = False
    for given in (*expression.args, *(value for _, value in expression.kws)):
        named = guard(get_definition, function, given)
        if isinstance(named, ir.Global) and isinstance(named.value, type) and named.value in _DTYPES:
            named.value, changed = _DTYPES[named.value], True
    return changed


def _name_along(function: Any, expression: Any, args: Any) -> bool:
    """In `array.any(axis)`, put the name of the method that takes an axis."""
    called = expression.op == "call" and guard(get_definition, function, expression.func)
    if not isinstance(called, ir.Expr) or called.op != "getattr" or called.attr not in ALONG:
        return False
    owner = _defined(function, called.value, args)
    if not (expression.args or expression.kws) or not (owner is None or isinstance(owner, np.ndarray)):
        return False  # of NumPy, or a method of the game
    called.attr = ALONG[called.attr]
    return True


def _value(function: Any, expression: Any, args: Any) -> Any:
    """The value of an expression: a constant object, an attribute of one, an item of that; or None.

    An argument that is a NamedTuple stands for itself, so that its fields can be looked up.
    """
    if isinstance(expression, ir.Var):  # `settings = context.settings`
        return _defined(function, expression, args)
    if isinstance(expression, ir.Arg):
        return _known(args[expression.index])
    if isinstance(expression, _NAMED):
        return expression.value
    if not isinstance(expression, ir.Expr) or expression.op not in ("getattr", "getitem"):
        return None
    owner = _defined(function, expression.value, args)
    if expression.op == "getattr" and isinstance(owner, types.BaseNamedTuple):
        fields = owner.fields  # a branch for states of another type may name one that is not there
        return _known(owner.types[fields.index(expression.attr)]) if expression.attr in fields else None
    if expression.op == "getattr":
        return owner.find(expression.attr) if hasattr(owner, "find") and hasattr(owner, "subject") else None
    place = _defined(function, expression.index, args)
    return owner[place] if type(owner) is tuple and type(place) is int and -1 < place < len(owner) else None


def _known(kind: Any) -> Any:
    return kind if isinstance(kind, types.BaseNamedTuple) else getattr(kind, "known", None)


def _defined(function: Any, variable: Any, args: Any) -> Any:
    definitions = function._definitions[variable.name]
    return _value(function, definitions[0], args) if len(definitions) == 1 else None


class Folding(CompilerBase):
    """Numba's compiler with that pass, and those of `results` and `closures`."""

    def define_pipelines(self) -> list[Any]:
        set_wrappers(self.state.flags)
        take_in()
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.add_pass_after(FoldConstants, IRProcessing)
        pipeline.add_pass_after(FitResults, FoldConstants)
        pipeline.passes = [
            (InlineClosures if kind is InlineClosureLikes else kind, said) for kind, said in pipeline.passes
        ]
        pipeline.finalize()
        return [pipeline]
