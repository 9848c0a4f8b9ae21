"""A shared library from a module of LLVM: optimised as a whole, emitted for a processor, linked.

A module holds a function by Numba's calling convention and all that it calls. Its memory comes from the
system: a few functions here stand in for Numba's, so that a library needs nothing of Numba when it runs.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from numba.core import config
from numba.core.registry import cpu_target

from gambito.native import elf

ENTRY = "entry"  # the name of the function that a library exports
# How the names of variables begin that hold an address of this process: of a large array, or of a function
# that calls in a circle. They stay visible, so LLVM does not put the address into the code, and the linker
# refuses code that refers to them.
_ADDRESSES = ("numba.dynamic.globals", ".numba.unresolved$")

_MEMORY = """
%MemInfo = type { i64, ptr, ptr, ptr, i64, ptr }
declare ptr @malloc(i64)
declare void @free(ptr)

define ptr @NRT_Allocate(i64 %size) {
  %made = call ptr @malloc(i64 %size)
  ret ptr %made
}

define void @NRT_Free(ptr %memory) {
  call void @free(ptr %memory)
  ret void
}

define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %wide = zext i32 %align to i64
  %head = add i64 %wide, 48
  %all = add i64 %head, %size
  %made = call ptr @malloc(i64 %all)
  %none = icmp eq ptr %made, null
  br i1 %none, label %end, label %fill
fill:
  %start = ptrtoint ptr %made to i64
  %least = add i64 %start, %head
  %over = urem i64 %least, %wide
  %place = sub i64 %least, %over
  %data = inttoptr i64 %place to ptr
  store i64 1, ptr %made
  %dtor = getelementptr %MemInfo, ptr %made, i32 0, i32 1
  store ptr null, ptr %dtor
  %info = getelementptr %MemInfo, ptr %made, i32 0, i32 2
  store ptr null, ptr %info
  %held = getelementptr %MemInfo, ptr %made, i32 0, i32 3
  store ptr %data, ptr %held
  %count = getelementptr %MemInfo, ptr %made, i32 0, i32 4
  store i64 %size, ptr %count
  %outer = getelementptr %MemInfo, ptr %made, i32 0, i32 5
  store ptr null, ptr %outer
  br label %end
end:
  ret ptr %made
}

define ptr @NRT_MemInfo_alloc_safe_aligned(i64 %size, i32 %align) {
  %made = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align)
  ret ptr %made
}

define ptr @NRT_MemInfo_alloc(i64 %size) {
  %made = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 16)
  ret ptr %made
}

define ptr @NRT_MemInfo_alloc_safe(i64 %size) {
  %made = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 16)
  ret ptr %made
}

define void @NRT_MemInfo_call_dtor(ptr %memory) {
  call void @free(ptr %memory)
  ret void
}
"""


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
    if any(function.is_declaration and function.name.startswith("NRT_") for function in module.functions):
        module.link_in(_memory(module))
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name == name else "internal"
    for variable in module.global_variables:
        if variable.name.startswith(_ADDRESSES):
            variable.linkage = "external"
        elif not variable.is_declaration and variable.linkage != llvm.Linkage.private:
            variable.linkage = "internal"
    module.get_function(name).name = ENTRY
    _refuse_python(module, target)
    _optimise(module, target)
    module.verify()
    return elf.link(target.emit_object(module), ENTRY)


def _memory(module: Any) -> Any:
    """The functions that stand in for Numba's; those that the module does not call are dropped."""
    memory = llvm.parse_assembly(_MEMORY)
    memory.data_layout, memory.triple = module.data_layout, module.triple
    for function in memory.functions:
        if not function.is_declaration:
            function.linkage = "linkonce_odr"
    return memory


def _refuse_python(module: Any, target: Any) -> None:
    """Raise LinkError for code that calls Python, before time is spent on it."""
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options())
    manager = llvm.create_new_module_pass_manager()
    manager.add_global_dead_code_eliminate_pass()  # such as the wrappers of functions that are called
    manager.add_strip_dead_prototype_pass()
    manager.run(module, builder)
    for function in module.functions:
        if function.is_declaration and function.name.startswith("Py"):
            raise elf.LinkError(f"the code calls {function.name}")


def _optimise(module: Any, target: Any) -> None:
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
