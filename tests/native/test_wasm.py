"""The linker for WebAssembly: modules from objects of LLVM run, and what is no object is refused."""

from __future__ import annotations

import functools
import random
from typing import Any

import pytest

from gambito.native.elf import LinkError
from gambito.native.wasm import STACK, Module, link
from tests.mutation import mutated

TEXT = """
target triple = "wasm32-unknown-unknown"
@numbers = internal constant [4 x i64] [i64 10, i64 20, i64 30, i64 40]
@list = internal constant [2 x ptr] [ptr @add, ptr @times]
@first = internal constant ptr getelementptr (i8, ptr @numbers, i32 8)
@space = external global [100 x i8]
@nothing = internal global [5000 x i8] zeroinitializer
declare double @clock()

define i64 @add(i64 %a, i64 %b) { %c = add i64 %a, %b  ret i64 %c }
define i64 @times(i64 %a, i64 %b) { %c = mul i64 %a, %b  ret i64 %c }
define i64 @call(i32 %which, i64 %a, i64 %b) {
  %place = getelementptr [2 x ptr], ptr @list, i32 0, i32 %which
  %function = load ptr, ptr %place
  %answer = call i64 %function(i64 %a, i64 %b)
  ret i64 %answer
}
define i64 @read(i32 %which) {
  %place = getelementptr [4 x i64], ptr @numbers, i32 0, i32 %which
  %number = load i64, ptr %place
  %start = load ptr, ptr @first
  %second = load i64, ptr %start
  %sum = add i64 %number, %second
  ret i64 %sum
}
define i64 @held(i32 %at) {
  %place = getelementptr i8, ptr @space, i32 %at
  %byte = load i8, ptr %place
  store i8 9, ptr %place
  store i8 %byte, ptr @nothing
  %wide = zext i8 %byte to i64
  ret i64 %wide
}
define double @now() { %t = call double @clock()  ret double %t }
define i64 @deep(i64 %left) {
  %frame = alloca [1000 x i64]
  %place = getelementptr i64, ptr %frame, i64 %left
  store volatile i64 %left, ptr %place
  %more = add i64 %left, 1
  %end = icmp eq i64 %left, 100000
  br i1 %end, label %done, label %on
on:
  %below = call i64 @deep(i64 %more)
  %read = load volatile i64, ptr %frame
  %sum = add i64 %below, %read
  ret i64 %sum
done:
  ret i64 0
}
"""
EXPORTS = ("call", "read", "held", "now", "deep")


@functools.cache
def an_object() -> bytes:
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple("wasm32-unknown-unknown").create_target_machine(
        cpu="generic", features="+bulk-memory", opt=0, reloc="static"
    )
    module = llvm.parse_assembly(TEXT)
    module.data_layout = str(target.target_data)
    return bytes(target.emit_object(module))


def made(contents: bytes = b"") -> Module:
    return link(an_object(), EXPORTS, ["clock"], {"space": 100}, {"space": contents})


def running(module: Module) -> Any:
    wasmtime = pytest.importorskip("wasmtime", reason="wasmtime is not installed")
    store = wasmtime.Store()
    clock = wasmtime.Func(store, wasmtime.FuncType([], [wasmtime.ValType.f64()]), lambda: 2.5)
    exports = wasmtime.Instance(store, wasmtime.Module(store.engine, module.code), [clock]).exports(store)
    return lambda name, *args: exports[name](store, *args)


def test_a_module_runs():
    call = running(made(b"\0" * 30 + b"\7" + b"\0" * 60 + b"\5"))
    assert [call("read", number) for number in range(4)] == [30, 40, 50, 60]
    assert (call("call", 0, 6, 7), call("call", 1, 6, 7)) == (13, 42)
    assert [call("held", at) for at in (30, 30, 91, 0)] == [7, 9, 5, 0]
    assert call("now") == 2.5


def test_an_overflow_of_the_stack_traps():
    with pytest.raises(Exception, match="wasm trap"):
        running(made())("deep", 0)


def test_data_that_nobody_reads_is_left_out():
    short = link(an_object(), EXPORTS, ["clock"], {"space": 100}, unread="numbers")
    assert len(made().code) - len(short.code) >= 32
    assert [running(short)("read", number) for number in range(4)] == [0, 0, 0, 0]


def test_memory_is_laid_out_above_the_stack():
    module = made()
    assert module.places["space"] % 64 == 0
    assert STACK <= module.places["space"] <= module.memory - 100
    assert len(module.code) < 1000  # what is zero is not written


@pytest.mark.parametrize(
    ("given", "refused"),
    [
        ({"imports": []}, "the code needs clock"),
        ({"spaces": {}}, "the code needs space"),
        ({"exports": ["absent"]}, "absent is not in the object"),
        ({"spaces": {"space": 1 << 31}}, "MiB of memory"),
        ({"code": b"\x7fELF"}, "not an object of WebAssembly"),
    ],
)
def test_what_cannot_be_linked_is_refused(given, refused):
    usual = {"code": an_object(), "exports": EXPORTS, "imports": ["clock"], "spaces": {"space": 100}}
    with pytest.raises(LinkError, match=refused):
        link(**{**usual, **given})


def test_spoiled_objects_are_refused_or_linked():
    for seed in range(2000):
        spoiled = mutated([an_object()], random.Random(seed))
        try:
            link(spoiled, EXPORTS, ["clock"], {"space": 100})
        except LinkError as problem:
            assert len(str(problem).splitlines()) == 1
