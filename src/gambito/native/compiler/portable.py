"""What stands in for the system in a module that has none: memory, mathematics, the time.

Mathematics is computed here so that every host gives the same numbers: log and exp as in Sun's fdlibm, with
an error below one unit in the last place, and tanh with an absolute error below 3e-16. Memory is a heap of
`HEAP` bytes with a list of free blocks for each power of two; the functions of the module begin with an empty
one, since nothing that the rules allocate outlives a call.
"""

from __future__ import annotations

import re
import struct
from typing import Any

import llvmlite.binding as llvm

from gambito.native.compiler.clock import READ

HEAP = 1 << 20  # bytes
HEAP_SPACE, NOW = (
    "gambito.heap",
    "gambito_now",
)  # the memory of the heap; the function of the host: milliseconds
RESET = "gambito.reset"  # empties the heap


def double(number: float) -> str:
    """A number as LLVM's text has it."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"


HEAP_STATE = f"""
@gambito.top = global i32 0
@gambito.free = global [32 x i32] zeroinitializer

define void @"{RESET}"() {{
  store i32 0, ptr @gambito.top
  call void @llvm.memset.p0.i32(ptr @gambito.free, i8 0, i32 128, i1 false)
  ret void
}}
declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)
"""

_MEMORY = f"""
@"{HEAP_SPACE}" = external global [{HEAP} x i8]
@gambito.top = external global i32
@gambito.free = external global [32 x i32]
declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
declare i32 @llvm.ctlz.i32(i32, i1)

define ptr @malloc(i64 %wide) noinline {{
  %huge = icmp ugt i64 %wide, {HEAP // 2}
  br i1 %huge, label %none, label %fits
fits:
  %size = trunc i64 %wide to i32
  %more = add i32 %size, 15
  %lead = call i32 @llvm.ctlz.i32(i32 %more, i1 true)
  %class = sub i32 32, %lead
  %list = getelementptr [32 x i32], ptr @gambito.free, i32 0, i32 %class
  %head = load i32, ptr %list
  %has = icmp ne i32 %head, 0
  br i1 %has, label %take, label %grow
take:
  %old = inttoptr i32 %head to ptr
  %next = load i32, ptr %old
  store i32 %next, ptr %list
  ret ptr %old
grow:
  %top = load i32, ptr @gambito.top
  %bytes = shl i32 1, %class
  %end = add i32 %top, %bytes
  %full = icmp ugt i32 %end, {HEAP}
  br i1 %full, label %none, label %new
new:
  store i32 %end, ptr @gambito.top
  %block = getelementptr i8, ptr @"{HEAP_SPACE}", i32 %top
  store i32 %class, ptr %block
  %made = getelementptr i8, ptr %block, i32 16
  ret ptr %made
none:
  ret ptr null
}}

define void @free(ptr %memory) noinline {{
  %none = icmp eq ptr %memory, null
  br i1 %none, label %end, label %give
give:
  %block = getelementptr i8, ptr %memory, i32 -16
  %class = load i32, ptr %block
  %list = getelementptr [32 x i32], ptr @gambito.free, i32 0, i32 %class
  %head = load i32, ptr %list
  store i32 %head, ptr %memory
  %address = ptrtoint ptr %memory to i32
  store i32 %address, ptr %list
  br label %end
end:
  ret void
}}

define ptr @realloc(ptr %old, i64 %wide) noinline {{
  %made = call ptr @malloc(i64 %wide)
  %none = icmp eq ptr %made, null
  %first = icmp eq ptr %old, null
  %done = or i1 %none, %first
  br i1 %done, label %end, label %copy
copy:
  %block = getelementptr i8, ptr %old, i32 -16
  %class = load i32, ptr %block
  %bytes = shl i32 1, %class
  %held = sub i32 %bytes, 16
  %size = trunc i64 %wide to i32
  %less = icmp ult i32 %held, %size
  %kept = select i1 %less, i32 %held, i32 %size
  call void @llvm.memcpy.p0.p0.i32(ptr %made, ptr %old, i32 %kept, i1 false)
  call void @free(ptr %old)
  br label %end
end:
  ret ptr %made
}}
"""

_TIME = f"""
declare double @{NOW}()

define i32 @{READ}(i32 %clock, ptr %place) {{
  %now = call double @{NOW}()
  %seconds = fdiv double %now, {double(1e3)}
  %whole = fptosi double %seconds to i64
  store i64 %whole, ptr %place
  %back = sitofp i64 %whole to double
  %left = fsub double %seconds, %back
  %nanoseconds = fmul double %left, {double(1e9)}
  %rest = fptosi double %nanoseconds to i64
  %second = getelementptr i64, ptr %place, i32 1
  store i64 %rest, ptr %second
  ret i32 0
}}
"""

_YIELD = "define i32 @sched_yield() { ret i32 0 }"

_LOG = f"""
define double @log(double %given) noinline {{
  %zero = fcmp oeq double %given, 0.0
  br i1 %zero, label %lowest, label %signed
lowest:
  ret double {double(float("-inf"))}
signed:
  %good = fcmp ogt double %given, 0.0
  br i1 %good, label %finite, label %wrong
wrong:
  %nan = fdiv double 0.0, 0.0
  ret double %nan
finite:
  %infinite = fcmp oeq double %given, {double(float("inf"))}
  br i1 %infinite, label %same, label %normal
same:
  ret double %given
normal:
  %tiny = fcmp olt double %given, {double(2.0**-1022)}
  %raised = fmul double %given, {double(2.0**54)}
  %x0 = select i1 %tiny, double %raised, double %given
  %k0 = select i1 %tiny, i64 -54, i64 0
  %bits = bitcast double %x0 to i64
  %moved = add i64 %bits, {(0x3FF00000 - 0x3FE6A09E) << 32}
  %exponent = lshr i64 %moved, 52
  %k1 = sub i64 %exponent, 1023
  %k = add i64 %k0, %k1
  %low = and i64 %moved, {(1 << 52) - 1}
  %high = add i64 %low, {0x3FE6A09E << 32}
  %x = bitcast i64 %high to double
  %f = fsub double %x, 1.0
  %ff = fmul double %f, %f
  %half = fmul double %ff, 0.5
  %over = fadd double %f, 2.0
  %s = fdiv double %f, %over
  %z = fmul double %s, %s
  %w = fmul double %z, %z
  %a1 = fmul double %w, {double(1.531383769920937332e-01)}
  %a2 = fadd double %a1, {double(2.222219843214978396e-01)}
  %a3 = fmul double %w, %a2
  %a4 = fadd double %a3, {double(3.999999999940941908e-01)}
  %t1 = fmul double %w, %a4
  %b1 = fmul double %w, {double(1.479819860511658591e-01)}
  %b2 = fadd double %b1, {double(1.818357216161805012e-01)}
  %b3 = fmul double %w, %b2
  %b4 = fadd double %b3, {double(2.857142874366239149e-01)}
  %b5 = fmul double %w, %b4
  %b6 = fadd double %b5, {double(6.666666666666735130e-01)}
  %t2 = fmul double %z, %b6
  %r = fadd double %t2, %t1
  %dk = sitofp i64 %k to double
  %hr = fadd double %half, %r
  %c1 = fmul double %s, %hr
  %c2 = fmul double %dk, {double(1.90821492927058770002e-10)}
  %c3 = fadd double %c1, %c2
  %c4 = fsub double %c3, %half
  %c5 = fadd double %c4, %f
  %c6 = fmul double %dk, {double(6.93147180369123816490e-01)}
  %c7 = fadd double %c5, %c6
  ret double %c7
}}
"""

_EXP = f"""
declare double @llvm.copysign.f64(double, double)

define double @exp(double %given) noinline {{
  %nan = fcmp uno double %given, 0.0
  br i1 %nan, label %same, label %number
same:
  ret double %given
number:
  %large = fcmp ogt double %given, {double(709.782712893383973096)}
  br i1 %large, label %most, label %bounded
most:
  ret double {double(float("inf"))}
bounded:
  %small = fcmp olt double %given, {double(-745.13321910194110842)}
  br i1 %small, label %least, label %usual
least:
  ret double 0.0
usual:
  %half = call double @llvm.copysign.f64(double 0.5, double %given)
  %parts = fmul double %given, {double(1.44269504088896338700)}
  %near = fadd double %parts, %half
  %k = fptosi double %near to i64
  %dk = sitofp i64 %k to double
  %h1 = fmul double %dk, {double(6.93147180369123816490e-01)}
  %high = fsub double %given, %h1
  %low = fmul double %dk, {double(1.90821492927058770002e-10)}
  %x = fsub double %high, %low
  %xx = fmul double %x, %x
  %p1 = fmul double %xx, {double(4.13813679705723846039e-08)}
  %p2 = fadd double %p1, {double(-1.65339022054652515390e-06)}
  %p3 = fmul double %xx, %p2
  %p4 = fadd double %p3, {double(6.61375632143793436117e-05)}
  %p5 = fmul double %xx, %p4
  %p6 = fadd double %p5, {double(-2.77777777770155933842e-03)}
  %p7 = fmul double %xx, %p6
  %p8 = fadd double %p7, {double(1.66666666666666019037e-01)}
  %p9 = fmul double %xx, %p8
  %c = fsub double %x, %p9
  %xc = fmul double %x, %c
  %under = fsub double 2.0, %c
  %q = fdiv double %xc, %under
  %q1 = fsub double %q, %low
  %q2 = fadd double %q1, %high
  %y = fadd double %q2, 1.0
  %k1 = ashr i64 %k, 1
  %k2 = sub i64 %k, %k1
  %e1 = add i64 %k1, 1023
  %e2 = add i64 %k2, 1023
  %s1 = shl i64 %e1, 52
  %s2 = shl i64 %e2, 52
  %f1 = bitcast i64 %s1 to double
  %f2 = bitcast i64 %s2 to double
  %y1 = fmul double %y, %f1
  %y2 = fmul double %y1, %f2
  ret double %y2
}}
"""

_TANH = """
declare double @exp(double)
declare double @llvm.fabs.f64(double)
declare double @llvm.copysign.f64(double, double)

define double @tanh(double %given) noinline {
  %size = call double @llvm.fabs.f64(double %given)
  %twice = fmul double %size, 2.0
  %power = call double @exp(double %twice)
  %over = fadd double %power, 1.0
  %part = fdiv double 2.0, %over
  %value = fsub double 1.0, %part
  %signed = call double @llvm.copysign.f64(double %value, double %given)
  ret double %signed
}
"""


def _wide(name: str, shift: str) -> str:
    """A shift of 128 bits, which LLVM asks the system for: by the words."""
    is_up = shift == "shl"
    near, far, back = ("low", "high", "lshr") if is_up else ("high", "low", "shl")
    result = ("%near1", "%far1") if is_up else ("%far1", "%near1")
    return f"""
define void @{name}(ptr %result, i64 %low, i64 %high, i32 %by) noinline {{
  %masked = and i32 %by, 127
  %wide = zext i32 %masked to i64
  %is_long = icmp uge i64 %wide, 64
  %none = icmp eq i64 %wide, 0
  %more = sub i64 %wide, 64
  %long = {shift} i64 %{near}, %more
  %moved = {shift} i64 %{near}, %wide
  %rest = sub i64 64, %wide
  %carried = {back} i64 %{near}, %rest
  %other = {shift} i64 %{far}, %wide
  %joined = or i64 %other, %carried
  %short = select i1 %none, i64 %{far}, i64 %joined
  %near1 = select i1 %is_long, i64 0, i64 %moved
  %far1 = select i1 %is_long, i64 %long, i64 %short
  store i64 {result[0]}, ptr %result
  %second = getelementptr i64, ptr %result, i32 1
  store i64 {result[1]}, ptr %second
  ret void
}}
"""


_SYSTEM = {"malloc": _MEMORY, "realloc": _MEMORY, "free": _MEMORY, READ: _TIME, "sched_yield": _YIELD}
_MATHEMATICS = {"log": _LOG, "exp": _EXP, "tanh": _TANH}
# A product of 128 bits, which LLVM asks for to see whether one of 64 bits overflows: by halves of words.
_PRODUCT = """
define void @__multi3(ptr %result, i64 %a, i64 %a_high, i64 %b, i64 %b_high) noinline {
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %m0 = lshr i64 %p00, 32
  %m1 = and i64 %p01, 4294967295
  %m2 = and i64 %p10, 4294967295
  %m01 = add i64 %m0, %m1
  %middle = add i64 %m01, %m2
  %bottom = and i64 %p00, 4294967295
  %raised = shl i64 %middle, 32
  %low = or i64 %bottom, %raised
  %h1 = lshr i64 %p01, 32
  %h2 = lshr i64 %p10, 32
  %h3 = lshr i64 %middle, 32
  %c1 = mul i64 %a, %b_high
  %c2 = mul i64 %a_high, %b
  %s1 = add i64 %p11, %h1
  %s2 = add i64 %s1, %h2
  %s3 = add i64 %s2, %h3
  %s4 = add i64 %s3, %c1
  %high = add i64 %s4, %c2
  store i64 %low, ptr %result
  %second = getelementptr i64, ptr %result, i32 1
  store i64 %high, ptr %second
  ret void
}
"""
_SHIFTS = {"__ashlti3": _wide("__ashlti3", "shl"), "__lshrti3": _wide("__lshrti3", "lshr")}
_WIDE_SHIFT = re.compile(r" (?:shl|lshr) (?:\w+ )*i(?:12[89]|1[3-9]\d|[2-9]\d\d)\b")

_WIDE_PRODUCT = re.compile(r"@llvm\.[su]mul\.with\.overflow\.i64| mul (?:\w+ )*i128\b")


def provide_system(module: Any) -> None:
    """Link in memory and time, if a module asks for them."""
    asked = {f.name for f in module.functions if f.is_declaration}
    for text in dict.fromkeys(text for name, text in _SYSTEM.items() if name in asked):
        _link(module, text)


def provide_mathematics(module: Any) -> None:
    """Link in the functions of mathematics that an optimised module asks for, and the wide numbers that LLVM
    will ask for while it emits code."""
    while asked := [name for name in _MATHEMATICS if _asks(module, name)]:
        for name in asked:
            _link(module, _MATHEMATICS[name])
    written = str(module)
    if _WIDE_SHIFT.search(written):
        for text in _SHIFTS.values():
            _link(module, text)
    if _WIDE_PRODUCT.search(written):
        _link(module, _PRODUCT)


def _asks(module: Any, name: str) -> bool:
    """Does a module call a function of mathematics, by its name or as an instruction, without having it?"""
    known = {f.name: f.is_declaration for f in module.functions}
    return known.get(name, True) and (name in known or f"llvm.{name}.f64" in known)


def _link(module: Any, text: str) -> None:
    part = llvm.parse_assembly(text)
    part.data_layout, part.triple = module.data_layout, module.triple
    module.link_in(part)
