"""Entries: a module of LLVM with one function that Python calls, as Numba gives it after a compilation.

Like `linking`, this file depends on Numba's private interfaces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import llvmlite.binding as llvm
from numba import types
from numba.core import compiler
from numba.core.bytecode import FunctionIdentity
from numba.core.environment import Environment
from numba.core.funcdesc import PythonFunctionDescriptor, default_mangler
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.core.typing.templates import signature as make_signature

from gambito.native.bridges import define
from gambito.native.linking import ENVIRONMENT, UNRESOLVED, Collected

PASSING = (ENVIRONMENT, "numba.dynamic.globals", UNRESOLVED)  # variables with addresses of this process
_OWN = "gambito."  # how the names of a template's symbols begin


class _Entry(Collected):
    """A library whose code is known as one module, apart from the libraries that it needs."""

    way = "template"

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


def collected(name: str, module: Any = None) -> _Entry:
    """A library of code that is linked into an entry."""
    library = _Entry(cpu_target.target_context.codegen(), name)
    library.enable_object_caching()
    if module is not None:
        library._own = library._final_module = module
        library._finalized = True
    return library


def entry(
    function: Any,
    returned: types.Type,
    args: tuple[types.Type, ...],
    body: Callable[[Any, Any], Any],
    code: Any,
    parts: Sequence[Any],
) -> Any:
    """The result of a compilation: a function of Python's that `body` defines over the given code."""
    context = cpu_target.target_context
    identity = FunctionIdentity.from_function(function)
    described = PythonFunctionDescriptor(
        native=True,
        modname=function.__module__,
        qualname=identity.func_qualname,
        unique_name=identity.unique_name,
        doc="",
        typemap=None,
        restype=returned,
        calltypes=None,
        args=tuple(identity.arg_names),
        kws=(),
        mangler=default_mangler,
        argtypes=args,
        uid=identity.unique_id,
    )
    library = collected(identity.func_qualname)
    library._own = library._final_module = code
    environment = Environment.from_fndesc(described)
    module = context.create_module(identity.func_qualname)
    context.declare_env_global(module, context.get_env_name(described))
    with context.push_code_library(library):
        define(module, described.llvm_func_name, returned, args, body)
        library.add_ir_module(module)
        context.create_cpython_wrapper(library, described, environment, None, release_gil=True)
    for inner in code.functions:
        if inner.name.startswith(_OWN) and not inner.is_declaration:
            inner.linkage = "internal"
    for part in (*parts, rtsys.library):
        library.add_linking_library(part)
    library.finalize()
    call = context.get_executable(library, described, environment)
    context.insert_user_function(call, described, [library])
    return compiler.compile_result(
        typing_context=cpu_target.typing_context,
        target_context=context,
        entry_point=call,
        typing_error=None,
        type_annotation="",
        signature=make_signature(returned, *args),
        objectmode=False,
        lifted=(),
        fndesc=described,
        library=library,
        call_helper=None,
        environment=environment,
        metadata={},
        reload_init=[*library._reload_init],
        referenced_envs=[],
    )
