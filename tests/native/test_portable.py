"""Mathematics of an exported module: the numbers of every host, as near to the true ones as the system's."""

from __future__ import annotations

import ctypes
import functools
import math
import random
import struct
from typing import Any

import llvmlite.binding as llvm
import pytest

from gambito.native.compiler import portable


@functools.cache
def here(asked: str) -> Any:
    """Functions of an optimised module that asks for some, as machine code of this processor."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(asked)
    target = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(jit=True)
    module.triple, module.data_layout = llvm.get_process_triple(), str(target.target_data)
    portable.provide_mathematics(module)
    module.verify()
    engine = llvm.create_mcjit_compiler(module, target)
    engine.finalize_object()
    return engine


def function(name: str) -> Any:
    text = f"""declare double @llvm.{name}.f64(double)
    define double @ask(double %x) {{ %y = call double @llvm.{name}.f64(double %x)  ret double %y }}"""
    engine = here(text)
    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(engine.get_function_address(name))


def units(one: float, other: float) -> int:
    """How many numbers lie between two, and one."""
    first, second = (struct.unpack("<q", struct.pack("<d", number))[0] for number in (one, other))
    return abs(first - second)


def test_logarithms():
    log, rng = function("log"), random.Random(1)
    numbers = [math.exp(rng.uniform(-700, 700)) for _ in range(20_000)]
    numbers += [rng.uniform(0.5, 2.0) for _ in range(20_000)]
    assert max(units(log(x), math.log(x)) for x in [*numbers, 5e-324, 1e-310, 1.7e308]) <= 1
    assert log(1.0) == 0.0 and log(0.0) == -math.inf and log(math.inf) == math.inf
    assert math.isnan(log(-1.0)) and math.isnan(log(math.nan))


def test_powers():
    exp, rng = function("exp"), random.Random(2)
    numbers = [rng.uniform(-700, 700) for _ in range(20_000)] + [rng.uniform(-1, 1) for _ in range(20_000)]
    assert max(units(exp(x), math.exp(x)) for x in numbers) <= 1
    assert exp(0.0) == 1.0 and exp(-800.0) == 0.0 and exp(800.0) == math.inf and math.isnan(exp(math.nan))
    assert exp(-744.0) == pytest.approx(math.exp(-744.0), abs=5e-324)


def test_tangents():
    tanh, rng = function("tanh"), random.Random(3)
    for x in [rng.uniform(-20, 20) for _ in range(20_000)] + [rng.uniform(-1, 1) for _ in range(20_000)]:
        assert abs(tanh(x) - math.tanh(x)) < 3e-16
        assert tanh(-x) == -tanh(x)
    assert tanh(1000.0) == 1.0 and tanh(0.0) == 0.0


def test_reductions_are_those_of_the_system():
    """The engine turns products of logarithms into whole plies: they are the same as with the system's."""
    log = function("log")
    for depth in range(2, 129):
        for number in range(1, 400):
            ours, theirs = (f(float(depth)) * f(float(number)) for f in (log, math.log))
            assert all(int(part / 100 * ours) == int(part / 100 * theirs) for part in (45, 64))


@pytest.mark.parametrize(("name", "shift"), [("__ashlti3", "shl"), ("__lshrti3", "lshr")])
def test_wide_shifts(name, shift):
    engine = here(f"define i128 @ask(i128 %a, i128 %b) {{ %c = {shift} i128 %a, %b  ret i128 %c }}")
    kinds = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int32]
    call = ctypes.CFUNCTYPE(None, *kinds)(engine.get_function_address(name))
    rng, result = random.Random(4), (ctypes.c_uint64 * 2)()
    for by in range(128):
        number = rng.getrandbits(128)
        call(ctypes.addressof(result), number & (1 << 64) - 1, number >> 64, by)
        wanted = number << by if shift == "shl" else number >> by
        assert result[0] | result[1] << 64 == wanted % (1 << 128)


def test_wide_products():
    engine = here("define i128 @ask(i128 %a, i128 %b) { %c = mul i128 %a, %b  ret i128 %c }")
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, *[ctypes.c_uint64] * 4)(
        engine.get_function_address("__multi3")
    )
    rng, result = random.Random(5), (ctypes.c_uint64 * 2)()
    for _ in range(2000):
        a, b = (rng.getrandbits(rng.randint(1, 128)) for _ in range(2))
        call(ctypes.addressof(result), a % 2**64, a >> 64, b % 2**64, b >> 64)
        assert result[0] | result[1] << 64 == a * b % 2**128
