"""A shared library for Linux made from one object file: a linker for what the compiler gear needs.

An object is what LLVM emits for one module. The library exports one function of it, and may ask the system
for the functions of `SYSTEM` alone. The system's own loader (`dlopen`) maps the file, so neither a C compiler
nor Numba is needed. This module knows x86-64 only; elsewhere there are no libraries.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

# What compiled code may ask of the system: memory, mathematics, the time, and to let another thread run.
# fmt: off
SYSTEM = frozenset((
    "malloc", "realloc", "free", "memset", "memcpy", "memmove", "memcmp", "sched_yield", "clock_gettime",
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh",
    "erf", "erfc", "exp", "exp2", "expm1", "fabs", "floor", "fma", "fmod", "frexp", "hypot", "ldexp",
    "lgamma", "log", "log10", "log1p", "log2", "pow", "rint", "round", "sin", "sinh", "sqrt", "tan",
    "tanh", "tgamma", "trunc", "acosf", "asinf", "atanf", "atan2f", "ceilf", "cosf", "coshf",
    "exp2f", "expf", "expm1f", "fabsf", "floorf", "fmaf", "fmodf", "log10f", "log1pf", "log2f",
    "logf", "powf", "rintf", "roundf", "sinf", "sinhf", "sqrtf", "tanf", "tanhf", "truncf",
))
# fmt: on
_LIBRARIES = ("libc.so.6", "libm.so.6")  # where these are

_PAGE = 0x1000
_LARGEST = 1 << 28  # bytes of a section; that of the largest built-in game has half a million
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION, _PROGRAM = struct.Struct("<IIQQQQIIQQ"), struct.Struct("<IIQQQQQQ")
_SYMBOL, _RELA, _TAG = struct.Struct("<IBBHQQ"), struct.Struct("<QQq"), struct.Struct("<QQ")
_IDENT = b"\x7fELF\x02\x01\x01" + bytes(9)
_RELOCATABLE, _SHARED, _X86_64 = 1, 3, 62
_SYMBOLS, _RELOCATIONS, _NOBITS = 2, 4, 8  # kinds of sections
_IS_WRITTEN, _IS_LOADED, _IS_CODE = 1, 2, 4  # flags of sections
_ABS64, _PC32, _PLT32, _GOTPCREL, _GOTPCRELX, _REX_GOTPCRELX = 1, 2, 4, 9, 41, 42  # what an object asks for
_THROUGH_TABLE = (_GOTPCREL, _GOTPCRELX, _REX_GOTPCRELX)
_TO_SYMBOL, _SLOT, _RELATIVE = 1, 6, 8  # what is left to the system's loader
_ABSOLUTE, _RESERVED = 0xFFF1, 0xFF00  # numbers that stand for no section
_LOAD, _DYNAMIC, _STACK = 1, 2, 0x6474E551  # kinds of segments
_READ, _WRITE, _RUN = 4, 2, 1
_STUB = b"\xff\x25"  # jmp *[rip + …]
_STUB_SIZE, _WORD = 8, 8
_LOCAL, _FUNCTION, _ANY = 0, 0x12, 0x10  # kinds of symbols: the last two are visible


class LinkError(Exception):
    """An object that cannot become a library; the text says why."""


class _Section(NamedTuple):
    name: str
    kind: int
    flags: int
    size: int
    link: int
    target: int  # of relocations: the section that they change
    align: int
    body: bytes


class _Symbol(NamedTuple):
    name: str
    section: int  # 0: not defined in the object
    value: int
    is_visible: bool = False  # outside the object


class _Fix(NamedTuple):
    """A place in a section that depends on the address of a symbol."""

    section: int
    place: int
    kind: int
    symbol: int
    addend: int


def link(code: bytes, entry: str) -> bytes:
    """The shared library of an object, which exports the function `entry`; LinkError if there can be none."""
    try:
        sections = _read_sections(code)
        symbols = _read_symbols(sections)
        fixes = _read_fixes(sections)
        return _Library(sections, symbols, fixes).image(entry)
    except (struct.error, IndexError, ValueError, OverflowError) as problem:
        raise LinkError(f"not an object file: {problem}") from None


# ---- the object --------------------------------------------------------------------------------------


def _read_sections(code: bytes) -> list[_Section]:
    header = _HEADER.unpack_from(code)
    if header[0][:7] != _IDENT[:7] or header[1:3] != (_RELOCATABLE, _X86_64):
        raise LinkError("not an object file of this processor")
    first, count, of_names = header[6], header[12], header[13]
    rows = [_SECTION.unpack_from(code, first + number * _SECTION.size) for number in range(count)]
    names = code[rows[of_names][4] :]
    found = []
    for name, kind, flags, _, place, size, link_to, target, align, _ in rows:
        body = b"" if kind == _NOBITS else code[place : place + size]
        if size > _LARGEST or align > _PAGE:
            raise LinkError("a section is too large")
        found.append(_Section(_text(names, name), kind, flags, size, link_to, target, max(align, 1), body))
    return found


def _text(names: bytes, place: int) -> str:
    return names[place : names.index(b"\0", place)].decode()


def _read_symbols(sections: list[_Section]) -> list[_Symbol]:
    (table,) = [s for s in sections if s.kind == _SYMBOLS]
    names = sections[table.link].body
    found = []
    for name, info, _, section, value, _ in _SYMBOL.iter_unpack(table.body):
        if section >= _RESERVED and section != _ABSOLUTE:
            raise LinkError(f"{_text(names, name)} is in no section")
        found.append(_Symbol(_text(names, name), section, value, info >> 4 != _LOCAL))
    return found


def _read_fixes(sections: list[_Section]) -> list[_Fix]:
    found = []
    for section in sections:
        if section.kind == _RELOCATIONS and _is_kept(sections[section.target]):
            for place, info, addend in _RELA.iter_unpack(section.body):
                found.append(_Fix(section.target, place, info & 0xFFFFFFFF, info >> 32, addend))
    return found


def _is_kept(section: _Section) -> bool:
    """Is this section needed at run time? Nothing unwinds the stack, so the tables for that are not."""
    return bool(section.flags & _IS_LOADED) and section.name != ".eh_frame"


# ---- the library -------------------------------------------------------------------------------------


class _Library:
    """The file: first what is only read, then what is run, then what is written.

    Each of the three parts has its own pages in memory, though not in the file: the address of a byte is its
    place in the file, and one page more for each part before it.
    """

    def __init__(self, sections: list[_Section], symbols: list[_Symbol], fixes: list[_Fix]) -> None:
        self.sections, self.symbols, self.fixes = sections, symbols, fixes
        self.out = bytearray(_HEADER.size + 5 * _PROGRAM.size)
        self.parts: list[int] = [0]  # where each part begins
        self.places: dict[int, int] = {}  # of the sections
        self.left: list[bytes] = []  # relocations for the system's loader
        self.imports: dict[int, int] = {}  # the numbers of the symbols of the system, in the new table
        self.stubs: dict[int, int] = {}  # by symbol, where a jump to a function of the system is
        self.slots: dict[int, int] = {}  # by symbol, where its address is

    def image(self, entry: str) -> bytes:
        used = {fix.symbol: None for fix in self.fixes if not self.symbols[fix.symbol].section}
        met = [self.symbols[fix.symbol] for fix in self.fixes]
        foreign = sorted({symbol.name for symbol in met if not symbol.section} - SYSTEM)
        foreign += sorted({s.name for s in met if s.section and s.is_visible and s.name != entry})
        if foreign:
            raise LinkError(f"the code needs {', '.join(foreign)}, which no library may")
        self.imports = {number: place for place, number in enumerate(used, 2)}
        calls = {f.symbol: None for f in self.fixes if f.kind in (_PLT32, _PC32) and f.symbol in self.imports}
        listed = {**calls, **{f.symbol: None for f in self.fixes if f.kind in _THROUGH_TABLE}}
        loader_fixes = len(listed) + sum(fix.kind == _ABS64 for fix in self.fixes)

        # 1. Every part gets its place.
        names = [entry, *(self.symbols[number].name for number in used), *_LIBRARIES]
        texts = b"\0" + b"".join(name.encode() + b"\0" for name in names)
        starts = [texts.index(b"\0" + name.encode() + b"\0") + 1 for name in names]
        count = 2 + len(used)
        symbols = self._add(bytes(count * _SYMBOL.size))
        text = self._add(texts)
        chain = struct.pack(f"<{3 + count}I", 1, count, 1, 0, *range(2, count), 0)  # one list of all symbols
        hashes = self._add(chain)
        relocations = self._add(bytes(loader_fixes * _RELA.size))
        self._add_sections(0)
        self.parts.append(len(self.out))
        self._add_sections(_IS_CODE)
        self.stubs = {number: self._add(bytes(_STUB_SIZE)) for number in calls}
        self.parts.append(len(self.out))
        self._add_sections(_IS_WRITTEN)
        self.slots = {number: self._add(bytes(_WORD)) for number in listed}
        tags = [(1, starts[-2]), (1, starts[-1]), (4, hashes), (5, text), (6, symbols), (10, len(texts))]
        tags += [
            (11, _SYMBOL.size),
            (7, relocations),
            (8, loader_fixes * _RELA.size),
            (9, _RELA.size),
            (0, 0),
        ]
        dynamic = self._add(b"".join(_TAG.pack(*tag) for tag in tags))
        end = len(self.out)

        # 2. What depends on addresses is filled in.
        for number, slot in self.slots.items():
            self._leave(slot, number, _SLOT, 0)
        for number, stub in self.stubs.items():
            self._put(stub, _STUB)
            self._put_distance(stub + len(_STUB), self._address(self.slots[number]) - 4)
        for fix in self.fixes:
            self._fill(fix)
        exported = next((s for s in self.symbols if s.name == entry and s.section in self.places), None)
        if exported is None:
            raise LinkError(f"{entry} is not in the object")
        rows = [_SYMBOL.pack(start, _ANY, 0, 0, 0, 0) for start in starts[1:-2]]
        rows = [
            bytes(_SYMBOL.size),
            _SYMBOL.pack(starts[0], _FUNCTION, 0, 1, self._symbol(exported), 0),
            *rows,
        ]
        self._put(symbols, b"".join(rows))
        self._put(relocations, b"".join(self.left))

        # 3. The headers.
        header = _HEADER.pack(
            _IDENT, _SHARED, _X86_64, 1, 0, _HEADER.size, 0, 0, _HEADER.size, _PROGRAM.size, 5, 0, 0, 0
        )
        rights = (_READ, _READ | _RUN, _READ | _WRITE)
        bounds = zip(self.parts, [*self.parts[1:], end], rights, strict=True)
        segments = [(_LOAD, right, start, stop - start, _PAGE) for start, stop, right in bounds]
        segments += [(_DYNAMIC, _READ | _WRITE, dynamic, len(tags) * _TAG.size, _WORD), (_STACK, 6, 0, 0, 16)]
        for kind, right, start, size, align in segments:
            address = self._address(start)
            header += _PROGRAM.pack(kind, right, start, address, address, size, size, align)
        self._put(0, header)
        return bytes(self.out)

    def _add(self, body: bytes, align: int = 16) -> int:
        self.out += bytes(-len(self.out) % align)
        self.out += body
        return len(self.out) - len(body)

    def _add_sections(self, wanted: int) -> None:
        for number, section in enumerate(self.sections):
            if _is_kept(section) and section.flags & (_IS_CODE | _IS_WRITTEN) == wanted:
                body = section.body or bytes(section.size)
                self.places[number] = self._add(body, max(section.align, 16))

    def _address(self, place: int) -> int:
        return place + _PAGE * (sum(place >= start for start in self.parts) - 1)

    def _symbol(self, symbol: _Symbol) -> int:
        """The address of a symbol of the object."""
        if symbol.section not in self.places:
            raise LinkError(f"{symbol.name or 'a symbol'} is in no section that is loaded")
        return self._address(self.places[symbol.section]) + symbol.value

    def _put(self, place: int, body: bytes) -> None:
        self.out[place : place + len(body)] = body

    def _put_distance(self, place: int, target: int) -> None:
        self._put(place, struct.pack("<i", target - self._address(place)))

    def _leave(self, place: int, number: int, kind: int, addend: int) -> None:
        """Leave it to the loader to write the address of a symbol."""
        if number in self.imports:
            row = _RELA.pack(self._address(place), self.imports[number] << 32 | kind, addend)
        else:
            row = _RELA.pack(self._address(place), _RELATIVE, self._symbol(self.symbols[number]) + addend)
        self.left.append(row)

    def _fill(self, fix: _Fix) -> None:
        place = self.places[fix.section] + fix.place
        if fix.kind == _ABS64:
            self._leave(place, fix.symbol, _TO_SYMBOL, fix.addend)
        elif fix.kind in _THROUGH_TABLE:
            self._put_distance(place, self._address(self.slots[fix.symbol]) + fix.addend)
        elif fix.kind in (_PC32, _PLT32):
            stub = self.stubs.get(fix.symbol)
            target = self._symbol(self.symbols[fix.symbol]) if stub is None else self._address(stub)
            self._put_distance(place, target + fix.addend)
        else:
            raise LinkError(f"relocation {fix.kind} is not known")
