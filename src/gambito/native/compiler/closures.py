"""Generator expressions: compiled as lists.

`any(cell == 0 for cell in row)` is what people write, and Numba has lists in brackets only. Rules have no
effects, so a list of the same items, made at once, says the same.
"""

from __future__ import annotations

from typing import Any

from numba.core import inline_closurecall, ir
from numba.core.compiler_machinery import register_pass
from numba.core.untyped_passes import InlineClosureLikes


@register_pass(mutates_CFG=True, analysis_only=False)
class InlineClosures(InlineClosureLikes):
    """Numba's pass that puts the code of an inner function where it is called."""

    _name = "gambito_inline_closures"

    def run_pass(self, state: Any) -> bool:
        before = inline_closurecall.get_ir_of_code
        inline_closurecall.get_ir_of_code = _as_list
        try:
            return bool(super().run_pass(state))
        finally:
            inline_closurecall.get_ir_of_code = before


_ir_of_code = inline_closurecall.get_ir_of_code


def _as_list(names: dict[str, Any], code: Any) -> Any:
    """In place of `get_ir_of_code`: where a generator expression yields an item, it is put into a list."""
    function = _ir_of_code(names, code)
    if code.co_name != "<genexpr>":
        return function
    first = function.blocks[min(function.blocks)]
    place, scope = first.loc, first.scope
    made = scope.redefine("$items", place)
    arguments = [each for each in first.body if isinstance(getattr(each, "value", None), ir.Arg)]
    empty = ir.Assign(ir.Expr.build_list([], place), made, place)
    first.body.insert(first.body.index(arguments[-1]) + 1, empty)
    for block in function.blocks.values():
        body = []
        for statement in block.body:
            if isinstance(statement, ir.Return):
                statement.value = made
            if isinstance(getattr(statement, "value", None), ir.Yield):
                append = scope.redefine("$append", statement.loc)
                body.append(ir.Assign(ir.Expr.getattr(made, "append", statement.loc), append, statement.loc))
                statement.value = ir.Expr.call(append, [statement.value.value], (), statement.loc)
            body.append(statement)
        block.body = body
    return function
