"""Generators give back what they hold when their reader leaves the loop early.

Numba counts no references for a generator: the arrays among its arguments, and those that it keeps between
two items, would stay in memory for ever if a search leaves the loop over actions at a cut-off. This model
shows them to Numba, which then frees them with the variable that holds the generator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import GeneratorModel
from numba.extending import register_model

_INDEX, _ARGUMENTS, _STATE = range(3)  # parts of a generator; the index is -1 at its end, and 0 at first
# References to what a waiting generator keeps: that of the kept value, and that of the variable it comes
# from, which the next step takes over.
_KEPT = 2


@register_model(types.Generator)
class _CountedModel(GeneratorModel):
    def inner_models(self) -> list[Any]:
        return [*self._arg_models, *self._state_models]

    def traverse(self, builder: Any) -> list[tuple[types.Type, Callable[[Any], Any]]]:
        return [
            (model._fe_type, self._getter(builder, part, number, model))
            for part, models, references in (
                (_ARGUMENTS, self._arg_models, 1),
                (_STATE, self._state_models, _KEPT),
            )
            for number, model in enumerate(models)
            for _ in range(references if model.contains_nrt_meminfo() else 0)
        ]

    def _getter(self, builder: Any, part: int, number: int, model: Any) -> Callable[[Any], Any]:
        """What reads a part, or zeros where the generator holds nothing there."""

        def get(value: Any) -> Any:
            nothing = cgutils.alloca_once_value(builder, ir.Constant(self._be_type, None))
            held = builder.select(cgutils.is_null(builder, value), nothing, value)
            found = model.load_from_data_pointer(
                builder, cgutils.gep_inbounds(builder, held, 0, part, number)
            )
            if part == _ARGUMENTS:
                return found
            index = builder.load(cgutils.gep_inbounds(builder, held, 0, _INDEX))
            is_waiting = builder.icmp_signed(">", index, ir.Constant(index.type, 0))
            return builder.select(is_waiting, found, ir.Constant(found.type, None))

        return get
