"""A shared library from a module of LLVM: optimised as a whole, emitted for a processor, linked.

A module holds a function by Numba's calling convention and all that it calls. A few functions stand in for
Numba's (`runtime`), so that a library needs nothing of Numba when it runs.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from numba.core import config
from numba.core.registry import cpu_target

from gambito.native import elf
from gambito.native.compiler.runtime import add_runtime

ENTRY = "entry"  # the name of the function that a library exports
# How the names of variables begin that hold an address of this process: of a large array, or of a function
# that calls in a circle. They stay visible, so LLVM does not put the address into the code, and the linker
# refuses code that refers to them.
ADDRESSES = ("numba.dynamic.globals", ".numba.unresolved$")


class Machine(NamedTuple):
    """What code is emitted for, as LLVM names it."""

    cpu: str
    features: str


def host() -> Machine:
    """This processor, or the one that NUMBA_CPU_NAME names."""
    codegen = cpu_target.target_context.codegen()
    return Machine(codegen._get_host_cpu_name(), codegen._tm_features)


@functools.cache
def _target(machine: Machine) -> Any:
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(
        cpu=machine.cpu, features=machine.features, opt=config.OPT, reloc="pic", codemodel="default"
    )


def emit(module: Any, name: str, machine: Machine | None = None) -> bytes:
    """The library of a module that is linked and not yet optimised; it exports the function of that name.

    Raise LinkError if the module needs what only Numba has.
    """
    target = _target(machine or host())
    module = module.clone()
    add_runtime(module)
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name == name else "internal"
    for variable in module.global_variables:
        if variable.name.startswith(ADDRESSES):
            variable.linkage = "external"
        elif not variable.is_declaration and variable.linkage != llvm.Linkage.private:
            variable.linkage = "internal"
    module.get_function(name).name = ENTRY
    refuse_python(module, target)
    optimise(module, target)
    module.verify()
    return elf.link(target.emit_object(module), ENTRY)


def refuse_python(module: Any, target: Any) -> None:
    """Raise LinkError for code that calls Python, before time is spent on it."""
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options())
    manager = llvm.create_new_module_pass_manager()
    manager.add_global_dead_code_eliminate_pass()  # such as the wrappers of functions that are called
    manager.add_strip_dead_prototype_pass()
    manager.run(module, builder)
    for function in module.functions:
        if function.is_declaration and function.name.startswith("Py"):
            raise elf.LinkError(f"the code calls {function.name}")


def optimise(module: Any, target: Any) -> None:
    """As Numba optimises, for a given processor: first what lets it prune references, then everything."""
    codegen = cpu_target.target_context.codegen()
    codegen._check_llvm_bugs()
    before, codegen._tm = codegen._tm, target
    try:
        cheap = codegen._module_pass_manager(
            loop_vectorize=codegen._loopvect, slp_vectorize=False, opt=codegen._opt_level, cost="cheap"
        )
        for manager, builder in (cheap, codegen._module_pass_manager()):
            manager.run(module, builder)
    finally:
        codegen._tm = before
