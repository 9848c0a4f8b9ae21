"""Code for other machines: native functions as one module that a host calls with plain numbers.

A function becomes LLVM's code as for a library (`dispatching`): from its template, or as a whole. Around each
stands a thunk, written here as text, which takes and returns plain numbers. It reads the state from memory,
passes the addresses of the arrays, and turns Numba's status into a number. All of it becomes one module, from
which an object is emitted for WebAssembly, or machine code of this processor for comparisons.
"""

from __future__ import annotations

import ctypes
import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from numba.core.errors import NumbaError

from gambito.errors import CompileError
from gambito.native.compiler import causes, portable
from gambito.native.compiler.bounds import compiling
from gambito.native.compiler.emitting import ADDRESSES, optimise, refuse_python
from gambito.native.compiler.linking import collect
from gambito.native.compiler.runtime import add_runtime
from gambito.native.compiler.templates import from_template
from gambito.native.compiler.types import numba_type
from gambito.native.crossing import GIVEN, RAISED, SEAL, STRANGE, Address, Argument, Entry, Given, fields_of
from gambito.native.elf import LinkError
from gambito.native.entries import held, kind_of
from gambito.native.functions import native
from gambito.native.kinds import ConstantKind, Fixed, HandleKind, Kind, Number, Tuple
from gambito.native.objects import Constant, Handle
from gambito.native.wasm import Module, link

WASM = "wasm32-unknown-unknown"
_FEATURES = (
    "+simd128,+bulk-memory,+bulk-memory-opt,+nontrapping-fptoint,+sign-ext,+mutable-globals,+multivalue"
)
_SHAPES = {
    "int8": "i8", "uint8": "i8", "bool": "i8", "int16": "i16", "uint16": "i16", "int32": "i32",
    "uint32": "i32", "int64": "i64", "uint64": "i64", "float32": "float", "float64": "double",
}  # fmt: skip
_RESULT, _MEMORIES = "gambito.result", "gambito.memories"
_ERRORS = ".const.pickle"  # what errors say, and where they were raised: nobody reads it outside Python


class Crossing:
    """Native functions, the memory that they use, and the module that they become."""

    def __init__(self, state: Kind) -> None:
        self.state = state
        self.width = ctypes.sizeof(held(state))
        self.spaces: dict[str, int] = {GIVEN: self.width + SEAL, _RESULT: 64}
        self.contents: dict[str, bytes] = {}  # what is in a space at first, if it is not all zero
        self._named: dict[int, str] = {}  # the space of an array, by its id
        self._kept: list[Any] = []  # arrays whose ids are in use
        self._memories: list[str] = []
        self._parts: list[Any] = []
        self._thunks: list[str] = []
        self.exports: list[str] = []

    # ---- memory ----------------------------------------------------------------------------------
    def hold(self, name: str, handle: Handle, blank: Sequence[str] = ()) -> None:
        """Have the arrays of a handle in the memory of the module, with their contents or all zero."""
        for each in handle.arrays:
            array = getattr(handle, each)
            self.space(f"{name}.{each}", array.nbytes, b"" if each in blank else array.tobytes())
            self._named[id(array)] = f"{name}.{each}"
            self._kept.append(array)

    def space(self, name: str, size: int, content: bytes = b"") -> None:
        self.spaces[name] = max(size, 8)
        if any(content):
            self.contents[name] = content

    def hold_memories(self, constant: Constant) -> list[str]:
        """Have the arrays that a game holds in the memory of the module; return their names."""
        self._memories = [f"weights.{name}" for name, _ in constant.memories]
        for name, array in zip(self._memories, constant.arrays, strict=True):
            self.space(name, array.nbytes, array.tobytes())
        return self._memories

    # ---- functions -------------------------------------------------------------------------------
    def add(self, entry: Entry) -> None:
        """Compile a function and write its thunk."""
        values = [self._value(arg) for arg in entry.args]
        kinds = tuple(
            arg.kind if isinstance(arg, Given) else kind_of(v)
            for arg, v in zip(entry.args, values, strict=True)
        )
        module, name = _code(entry.function, kinds)
        inner = f"x.{entry.name}"
        for function in module.functions:
            if not function.is_declaration:
                function.linkage = "external" if function.name == name else "internal"
        for variable in module.global_variables:
            if not variable.is_declaration and variable.linkage != llvm.Linkage.private:
                variable.linkage = "internal"
        module.get_function(name).name = inner
        _drop_unused(module)  # such as wrappers for Python, and addresses of what it calls
        if any(variable.name.startswith(ADDRESSES) for variable in module.global_variables):
            raise LinkError("the code holds an address of this process, as of a very large array")
        self._parts.append(module)
        self._thunks.append(self._thunk(entry, inner, kinds))
        self.exports.append(entry.name)

    @staticmethod
    def _value(arg: Any) -> Any:
        return 0 if isinstance(arg, Argument | Address) else arg

    def _thunk(self, entry: Entry, inner: str, kinds: tuple[Kind, ...]) -> str:
        lines, taken, passed = list[str](), list[str](), list[str]()
        for arg, kind in zip(entry.args, kinds, strict=True):
            if isinstance(arg, Given):
                self._pass_state(kind, lines, passed)
            elif isinstance(arg, Argument):
                taken.append(f"i64 %given{len(taken)}")
                passed.append(taken[-1])
            elif isinstance(arg, Address):
                passed.append(f'i64 ptrtoint (ptr @"{arg.space}" to i64)' if arg.space else "i64 0")
            else:
                self._pass_value(arg, kind, passed)
        declared = ", ".join(["ptr", "ptr", *(text.split(" ", 1)[0] for text in passed)])
        given = ", ".join([f'ptr @"{_RESULT}"', "ptr @gambito.error", *passed])
        sealed = [
            f'  %sum = call i64 @gambito.seal(ptr @"{entry.makes}", i32 {self.width})',
            f'  %behind = getelementptr i8, ptr @"{entry.makes}", i32 {self.width}',
            "  store i64 %sum, ptr %behind, align 1",
        ] if entry.makes else []  # fmt: skip
        text = "\n".join([
            f'declare i32 @"{inner}"({declared})',
            f'define i32 @"{entry.name}"({", ".join(taken)}) {{',
            f'  %own = call i64 @gambito.seal(ptr @"{GIVEN}", i32 {self.width})',
            f'  %at = getelementptr i8, ptr @"{GIVEN}", i32 {self.width}',
            "  %told = load i64, ptr %at, align 1",
            "  %known = icmp eq i64 %own, %told",
            "  br i1 %known, label %go, label %strange",
            "strange:", f"  ret i32 {STRANGE}",
            "go:", f'  call void @"{portable.RESET}"()', *lines,
            f'  %status = call i32 @"{inner}"({given})',
            "  %good = icmp eq i32 %status, 0",
            "  br i1 %good, label %done, label %raised",
            "raised:", f"  ret i32 {RAISED}",
            "done:", *sealed,
            f'  %answer = load i64, ptr @"{_RESULT}"',
            "  %short = trunc i64 %answer to i32",
            "  ret i32 %short",
            "}",
        ])  # fmt: skip
        return text

    def _pass_state(self, kind: Kind, lines: list[str], passed: list[str]) -> None:
        """Read the fields of the state from memory; an array is where it lies."""
        for number, (place, part, _) in enumerate(fields_of(kind)):
            where = f'getelementptr (i8, ptr @"{GIVEN}", i32 {place})'
            if isinstance(part, Fixed):
                size, shape, strides = part.item.dtype.itemsize, part.shape, list[int]()
                step = size
                for length in reversed(shape):
                    strides.insert(0, step)
                    step *= length
                passed += ["ptr null", "ptr null", f"i64 {part.count}", f"i64 {size}", f"ptr {where}"]
                passed += [f"i64 {length}" for length in (*shape, *strides)]
            else:
                shape_of = _SHAPES[part.dtype.name]
                lines.append(f"  %field{number} = load {shape_of}, ptr {where}, align 1")
                passed.append(f"{shape_of} %field{number}")

    def _pass_value(self, value: Any, kind: Kind, passed: list[str]) -> None:
        if isinstance(kind, ConstantKind):
            passed.append(f"ptr @{_MEMORIES}" if kind.memories else "ptr null")
        elif isinstance(kind, HandleKind):
            for name, _ in kind.arrays:
                passed.append(f'ptr @"{self._named[id(getattr(value, name))]}"')
        elif isinstance(kind, Tuple):
            for part, inner in zip(value, kind.parts, strict=True):
                self._pass_value(part, inner, passed)
        else:
            assert isinstance(kind, Number)
            shape = _SHAPES[kind.dtype.name]
            passed.append(f"{shape} {portable.double(value) if shape == 'double' else int(value)}")

    # ---- the module ------------------------------------------------------------------------------
    def module(self, has_memory: bool) -> Any:
        """All functions as one module of LLVM, before it is optimised; it may define the spaces itself."""
        joined = self._parts[0].clone()
        for part in self._parts[1:]:
            joined.link_in(part, preserve=True)
        kind = "global [{} x i8] zeroinitializer, align 64" if has_memory else "external global [{} x i8]"
        spaces = [f'@"{name}" = {kind.format(size)}' for name, size in self.spaces.items()]
        pointers = ", ".join(f'ptr @"{name}"' for name in self._memories)
        lists = f"@{_MEMORIES} = internal constant [{len(self._memories)} x ptr] [{pointers}]"
        error = f'@gambito.error = internal global ptr null\ndeclare void @"{portable.RESET}"()'
        for text in (portable.HEAP_STATE, "\n".join([*spaces, lists, error, _SEALING, *self._thunks])):
            part = llvm.parse_assembly(text)
            part.data_layout, part.triple = joined.data_layout, joined.triple
            joined.link_in(part)
        add_runtime(joined)
        return joined

    def wasm(self, contents: Mapping[str, bytes]) -> Module:
        """The module for WebAssembly, with these contents of its memory; LinkError if there can be none."""
        module, target = self.module(has_memory=False), _wasm_machine()
        module.triple, module.data_layout = WASM, str(target.target_data)
        _refuse_cut_pointers(module)
        portable.provide_system(module)
        self._finish(module, target)
        spaces = {**self.spaces, portable.HEAP_SPACE: portable.HEAP}
        code = target.emit_object(module)
        return link(code, self.exports, [portable.NOW], spaces, contents, _ERRORS)

    def here(self, cpu: str = "x86-64-v2") -> Running:
        """The same module for this processor, or a plainer one of its kind, in memory."""
        target = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
            cpu=cpu, opt=3, reloc="static", codemodel="jitdefault", jit=True
        )
        module = self.module(has_memory=True)
        self._finish(module, target, kept=self.spaces)
        return Running(module, target, self)

    def _finish(self, module: Any, target: Any, kept: Iterable[str] = ()) -> None:
        """Optimise a module; only its functions stay visible."""
        for function in module.functions:
            if not function.is_declaration:
                function.linkage = "external" if function.name in self.exports else "internal"
        for variable in module.global_variables:
            is_open = variable.name in kept or variable.is_declaration
            if not is_open and variable.linkage != llvm.Linkage.private:
                variable.linkage = "internal"
        refuse_python(module, target)
        optimise(module, target)
        _merge(module, target)
        portable.provide_mathematics(module)
        module.verify()


class Running:
    """The functions of a crossing on this processor: what its module for another machine is compared with."""

    def __init__(self, module: Any, target: Any, crossing: Crossing) -> None:
        self._engine = llvm.create_mcjit_compiler(module, target)
        self._engine.finalize_object()
        self.functions = {
            name: ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64)(self._engine.get_function_address(name))
            for name in crossing.exports
        }
        self._sizes = crossing.spaces
        for name, body in crossing.contents.items():
            ctypes.memmove(self.address(name), body, len(body))

    def address(self, space: str) -> int:
        return int(self._engine.get_global_value_address(space))

    def memory(self, space: str, dtype: Any) -> Any:
        """A space as an array."""
        held = (ctypes.c_uint8 * self._sizes[space]).from_address(self.address(space))
        return np.frombuffer(memoryview(held), dtype)


def _code(function: native, kinds: tuple[Kind, ...]) -> tuple[Any, str]:
    """The code of a function and of all that it calls, not yet optimised, and its name there."""
    signature, first = tuple(map(numba_type, kinds)), kinds[0]
    assert isinstance(first, ConstantKind)
    with compiling(False):
        try:
            made = from_template(function.dispatcher, signature) or collect(function.dispatcher, signature)
        except NumbaError as problem:
            raise CompileError(causes.sentence(function.plain.__name__, problem, first)) from None
    return made.module().clone(), made.name


def _refuse_cut_pointers(module: Any) -> None:
    """Raise LinkError for memory with pointers in it that is addressed by bytes.

    Where that was decided, a pointer had eight bytes, and here it has four.
    """
    for text in str(module).split("\ndefine ")[1:]:
        holding = set(_HOLDING.findall(text))
        if holding and not holding.isdisjoint(_BY_BYTES.findall(text)):
            raise LinkError("its memory is laid out for pointers of eight bytes")


_HOLDING = re.compile(r"(%\S+) = alloca [{[<][^\n]*\bptr\b")
_BY_BYTES = re.compile(r"getelementptr (?:\w+ )*i8, ptr (%[^,\s]+),")


def _merge(module: Any, target: Any) -> None:
    """Leave one of each function and each constant: every entry has brought its own rules."""
    passes = llvm.create_new_module_pass_manager()
    passes.add_merge_functions_pass()
    passes.add_constant_merge_pass()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options()))


def _drop_unused(module: Any) -> None:
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.add_aggressive_dce_pass()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(_wasm_machine(), llvm.create_pipeline_tuning_options()))


@functools.cache
def _wasm_machine() -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(WASM)
    return target.create_target_machine(
        cpu="generic", features=_FEATURES, opt=3, reloc="static", codemodel="default"
    )


# A sum of the bytes of a state, which is written behind it: a state that the module has not made is refused.
_SEALING = """
define i64 @gambito.seal(ptr %start, i32 %size) noinline {
entry:
  br label %check
check:
  %place = phi i32 [ 0, %entry ], [ %next, %more ]
  %sum = phi i64 [ -3750763034362895579, %entry ], [ %mixed, %more ]
  %done = icmp eq i32 %place, %size
  br i1 %done, label %end, label %more
more:
  %at = getelementptr i8, ptr %start, i32 %place
  %byte = load i8, ptr %at
  %wide = zext i8 %byte to i64
  %both = xor i64 %sum, %wide
  %mixed = mul i64 %both, 1099511628211
  %next = add i32 %place, 1
  br label %check
end:
  %high = lshr i64 %sum, 29
  %whole = xor i64 %sum, %high
  ret i64 %whole
}
"""
