"""Code from templates and from rules, joined to one function by Numba's calling convention.

Like `linking`, this file depends on Numba's private interfaces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import llvmlite.binding as llvm
from numba import types
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys

from gambito.native.compiler.bridges import define
from gambito.native.compiler.linking import ENVIRONMENT, UNRESOLVED, Collected, CollectedLibrary, visible

PASSING = (ENVIRONMENT, "numba.dynamic.globals", UNRESOLVED)  # variables with addresses of this process
JOINED = "joined"  # the name of the function
_OWN = "gambito."  # how the names of a template's symbols begin


class _Part(CollectedLibrary):
    """A library whose code is known as one module, apart from the libraries that it needs."""

    def _whole(self, is_entry: bool, without: Any = None) -> Any:
        module = super()._whole(is_entry, without)
        for variable in module.global_variables:  # MCJIT would take it for one of another module
            if variable.name.startswith(_OWN) and not variable.is_declaration:
                variable.linkage = "internal"
        return module

    def whole(self) -> tuple[Any, bool]:
        """All that was collected, as one module; and whether another process can use it."""
        module = super()._whole(is_entry=True, without=rtsys.library)
        environments = [v for v in module.global_variables if v.name.startswith(ENVIRONMENT)]
        for variable in environments:
            variable.linkage = "internal"  # so that it is dropped if nothing reads it
        passes = llvm.create_new_module_pass_manager()
        passes.add_sroa_pass()
        passes.add_aggressive_dce_pass()
        passes.add_global_dead_code_eliminate_pass()
        passes.run(module, self._codegen._pass_builder())
        is_lasting = not self._reload_init
        for variable in module.global_variables:
            if variable.name.startswith(ENVIRONMENT):
                variable.linkage = "common"
            is_lasting &= not variable.name.startswith(PASSING)
        return module, is_lasting


def collected(name: str, module: Any = None) -> _Part:
    """A library of code that is linked into an entry. Another one may define the same symbols."""
    library = _Part(cpu_target.target_context.codegen(), name)
    library.enable_object_caching()
    if module is not None:
        constants = [v for v in module.global_variables if v.name.startswith(_OWN) and not v.is_declaration]
        for defined in (*visible(module), *constants):
            defined.linkage = "weak_odr"
        library._own = library._final_module = module
        library._finalized = True
    return library


def join(
    returned: types.Type,
    args: tuple[types.Type, ...],
    body: Callable[[Any, Any], Any],
    code: Any,
    parts: Sequence[Any],
) -> Collected:
    """A function that `body` defines over the given code, with the parts that the code needs."""
    context = cpu_target.target_context
    library = collected(JOINED)
    library._own = library._final_module = code
    module = context.create_module(JOINED)
    with context.push_code_library(library):
        define(module, JOINED, returned, args, body)
        library.add_ir_module(module)
    for inner in code.functions:
        if inner.name.startswith(_OWN) and not inner.is_declaration:
            inner.linkage = "internal"
    for part in (*parts, rtsys.library):
        library.add_linking_library(part)
    library.finalize()
    return Collected(library, JOINED, returned)
