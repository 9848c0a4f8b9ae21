"""The processor that this process runs on, and what the environment says about compiling for it.

Machine code is found by these facts, so they are read without the compiler.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys

from gambito.native.bounds import ALWAYS

# The levels of x86-64 that code is shipped for, best first, and the flags of Linux that each one needs.
_V2 = frozenset(["cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"])
_V3 = _V2 | frozenset(["abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"])
LEVELS = {"x86-64-v3": _V3, "x86-64-v2": _V2}

_TOLD = ("vendor_id", "cpu family", "model", "stepping", "flags")  # lines of Linux that tell processors apart
# Numba's settings that change the code, each with its usual value.
_SETTINGS = {
    "OPT": "3",
    "BOUNDSCHECK": "",
    "CPU_NAME": "",
    "CPU_FEATURES": "",
    "LOOP_VECTORIZE": "1",
    "SLP_VECTORIZE": "0",
}


def has_libraries() -> bool:
    """Is this a system that `elf` makes libraries for?"""
    return sys.platform == "linux" and os.uname().machine == "x86_64" and sys.maxsize > 1 << 32


@functools.cache
def _facts() -> dict[str, str]:
    """What Linux tells about the first processor."""
    found: dict[str, str] = {}
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            for line in file:
                name, _, value = line.partition(":")
                if not line.strip():
                    break
                found[name.strip()] = value.strip()
    except OSError:
        pass
    return found


@functools.cache
def levels() -> tuple[str, ...]:
    """The levels that this processor has, best first."""
    flags = set(_facts().get("flags", "").split())
    return tuple(name for name, needed in LEVELS.items() if needed <= flags)


@functools.cache
def processor() -> str:
    """What machine code is made for: two machines with the same text can run each other's code."""
    told = [os.uname().machine if hasattr(os, "uname") else sys.platform]
    told += [_facts().get(name, "") for name in _TOLD]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:20]


def settings() -> list[str]:
    """What the environment, or a program that has changed Numba's settings, says about compiling."""
    config = sys.modules.get("numba.core.config")
    found = [f"bounds={ALWAYS}"]
    for name, usual in _SETTINGS.items():
        value = os.environ.get(f"NUMBA_{name}") if config is None else getattr(config, name)
        text = "" if value is None else str(value).removeprefix("_OptLevel(").removesuffix(")")
        if text and text != usual:
            found.append(f"{name}={text}")
    return found
