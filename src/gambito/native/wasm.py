"""A WebAssembly module made from one object file: what `elf` is for Linux, for a virtual machine of 32 bits.

An object is what LLVM emits for one module. Its functions, types and globals keep their numbers, so little is
left to do: the data gets its addresses, and they are written where relocations ask for them. Memory is laid
out as the stack, the data, and the spaces that the caller asks for, which are zero. The stack is below
everything, so an overflow traps and overwrites nothing. No tool of another project takes part.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from gambito.native.elf import LinkError

STACK = 4 << 20  # bytes: frames of the deepest searches take half of it
PAGE = 1 << 16
ALIGN = 64  # of spaces
_LARGEST = 1 << 31  # bytes of memory; addresses stay positive
_MOST_ALIGNED = 16  # bits of an address that are 0: that of a page

_MAGIC = b"\0asm\1\0\0\0"
_TYPE, _IMPORT, _FUNCTION, _TABLE, _MEMORY, _GLOBAL, _EXPORT, _START, _ELEMENT, _CODE, _DATA, _COUNT = range(
    1, 13
)  # kinds of sections
_ORDER = (_TYPE, _IMPORT, _FUNCTION, _TABLE, _MEMORY, _GLOBAL, _EXPORT, _ELEMENT, _COUNT, _CODE, _DATA)
_A_FUNCTION, _A_TABLE, _A_MEMORY, _A_GLOBAL = range(4)  # kinds of what is imported or exported
_OF_FUNCTION, _OF_DATA, _OF_GLOBAL, _OF_SECTION, _OF_TAG, _OF_TABLE = range(6)  # kinds of symbols
_SEGMENTS, _SYMBOLS = 5, 8  # parts of the section `linking`
_UNDEFINED, _NAMED = 0x10, 0x40  # flags of symbols
_I32, _FUNCREF, _CONST, _END = b"\x7f", b"\x70", b"\x41", b"\x0b"
# Relocations. Numbers of functions, types, globals and the table stay as they are.
_KEPT = frozenset((0, 6, 7, 20))
_TABLE_LEB, _TABLE_WORD, _ADDRESS_LEB, _ADDRESS_SLEB, _ADDRESS_WORD = range(1, 6)
_WITH_ADDEND = frozenset((3, 4, 5, 8, 9, 11, 14, 15, 16, 17, 21, 22, 23, 25))
_STACK_POINTER, _CALLED = "__stack_pointer", "__indirect_function_table"


class _Symbol(NamedTuple):
    kind: int
    name: str
    number: int  # of a function or global; of the segment of data; -1: not defined in the object
    offset: int = 0  # in the segment
    size: int = 0


class _Fix(NamedTuple):
    """A place in a section that depends on the address of a symbol."""

    kind: int
    place: int
    symbol: int
    addend: int


class Module(NamedTuple):
    """A linked module."""

    code: bytes
    places: dict[str, int]  # the addresses of the spaces
    memory: int  # bytes


def link(
    code: bytes,
    exports: Iterable[str],
    imports: Iterable[str] = (),
    spaces: Mapping[str, int] | None = None,
    contents: Mapping[str, bytes] | None = None,
    unread: str = "\0",
) -> Module:
    """The module of an object; LinkError if there can be none.

    It exports its memory, the functions `exports` and its stack pointer `stack`, which a host restores after
    a trap. It may import the functions `imports` from `env`.
    `spaces` names data that the object does not define, with its size in bytes, and `contents` what some of
    it holds at first. Data whose names begin with `unread` is left out.
    """
    try:
        linker = _Linker(code, set(imports), dict(spaces or {}))
        return linker.module(list(exports), dict(contents or {}), unread)
    except (struct.error, IndexError, KeyError, ValueError, OverflowError) as problem:
        raise LinkError(f"not an object of WebAssembly: {problem!r}") from None


class _Reader:
    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    def is_done(self) -> bool:
        return self.at >= len(self.data)

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
            if shift > 63:
                raise ValueError("a number is too long")

    def signed(self) -> int:
        start = self.at
        value, bits = self.number(), 7 * (self.at - start)
        return value - (1 << bits) if value >> (bits - 1) & 1 else value

    def take(self, size: int) -> bytes:
        if self.at + size > len(self.data):
            raise ValueError("it ends too soon")
        self.at += size
        return self.data[self.at - size : self.at]

    def text(self) -> str:
        return self.take(self.number()).decode()


def _leb(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def _sleb(value: int) -> bytes:
    """A signed number; addresses are positive, so a sixth bit that is set needs one more byte."""
    out = _leb(value)
    return bytes([*out[:-1], out[-1] | 128, 0]) if out[-1] & 64 else out


def _padded(value: int) -> bytes:
    """Five bytes, as relocations have them; for positive numbers the same if they are signed."""
    return bytes((value >> shift & 127) | (128 if shift < 28 else 0) for shift in range(0, 35, 7))


def _name(text: str) -> bytes:
    return _leb(len(text.encode())) + text.encode()


def _many(items: list[bytes]) -> bytes:
    return _leb(len(items)) + b"".join(items)


class _Linker:
    def __init__(self, code: bytes, imports: set[str], spaces: dict[str, int]) -> None:
        if code[:8] != _MAGIC:
            raise LinkError("not an object of WebAssembly")
        self.imports, self.spaces = imports, spaces
        self.sections: dict[int, bytes] = {}
        self.custom: dict[str, bytes] = {}
        reader = _Reader(code, len(_MAGIC))
        while not reader.is_done():
            kind, body = reader.byte(), reader.take(reader.number())
            if kind:
                self.sections[kind] = body
            else:
                inner = _Reader(body)
                name = inner.text()
                self.custom[name] = body[inner.at :]
        self.aligns: list[int] = []
        self.symbols: list[_Symbol] = []
        self._read_linking()
        self.has_stack, self.has_table = False, False
        self.kept: list[bytes] = []  # imports that stay
        self._read_imports()
        self.called: dict[int, int] = {}  # by the number of a function, its place in the table
        self.text = bytearray(self.sections.get(_CODE, b"\0"))
        self.data: list[bytearray] = []
        self.starts: list[int] = []  # of the segments, in the section
        self.places: list[int] = []  # in memory
        self.at: dict[str, int] = {}  # of the spaces

    # ---- the object ------------------------------------------------------------------------------
    def _read_linking(self) -> None:
        reader = _Reader(self.custom["linking"])
        reader.number()
        while not reader.is_done():
            kind, size = reader.byte(), reader.number()
            part = _Reader(reader.take(size))
            if kind == _SEGMENTS:
                for _ in range(part.number()):
                    part.text()
                    self.aligns.append(min(part.number(), _MOST_ALIGNED))
                    part.number()
            elif kind == _SYMBOLS:
                self.symbols = [self._symbol(part) for _ in range(part.number())]

    def _symbol(self, reader: _Reader) -> _Symbol:
        kind, flags = reader.byte(), reader.number()
        is_foreign = bool(flags & _UNDEFINED)
        if kind == _OF_DATA:
            name = reader.text()
            if is_foreign:
                return _Symbol(kind, name, -1)
            number, offset, size = reader.number(), reader.number(), reader.number()
            return _Symbol(kind, name, number, offset, size)
        if kind == _OF_SECTION:
            return _Symbol(kind, "", reader.number())
        number = reader.number()
        name = reader.text() if not is_foreign or flags & _NAMED else ""
        return _Symbol(kind, name, number)

    def _read_imports(self) -> None:
        """Keep the functions that may be imported; the memory, the stack and the table become its own."""
        reader = _Reader(self.sections.get(_IMPORT, b"\0"))
        foreign = []
        for _ in range(reader.number()):
            start = reader.at
            reader.text()
            name, kind = reader.text(), reader.byte()
            if kind == _A_FUNCTION:
                reader.number()
                self.kept.append(reader.data[start : reader.at])
                foreign += [name] if name not in self.imports else []
            elif kind == _A_MEMORY:
                self._pass_limits(reader)
            elif kind == _A_TABLE and name == _CALLED:
                reader.byte()
                self._pass_limits(reader)
                self.has_table = True
            elif kind == _A_GLOBAL and name == _STACK_POINTER:
                reader.take(2)
                self.has_stack = True
            else:
                raise LinkError(f"the code needs {name}, which no module may")
        undefined = [s.name for s in self.symbols if s.kind == _OF_DATA and s.number < 0]
        foreign += [name for name in undefined if name not in self.spaces]
        if foreign:
            raise LinkError(f"the code needs {', '.join(sorted(set(foreign)))}, which no module may")

    @staticmethod
    def _pass_limits(reader: _Reader) -> None:
        has_most = reader.number() & 1
        reader.number()
        if has_most:
            reader.number()

    def _fixes(self, name: str) -> list[_Fix]:
        if name not in self.custom:
            return []
        reader, found = _Reader(self.custom[name]), []
        reader.number()
        for _ in range(reader.number()):
            kind, place, symbol = reader.byte(), reader.number(), reader.number()
            found.append(_Fix(kind, place, symbol, reader.signed() if kind in _WITH_ADDEND else 0))
        return [fix for fix in found if fix.kind not in _KEPT]

    # ---- memory ----------------------------------------------------------------------------------
    def _lay_out(self) -> int:
        """Give every segment and every space its address; return the end."""
        reader, free = _Reader(self.sections.get(_DATA, b"\0")), STACK
        for number in range(reader.number()):
            if reader.number():
                raise LinkError("a segment of a kind that is not known")
            reader.byte(), reader.signed(), reader.byte()  # where it would lie: i32.const … end
            size = reader.number()
            self.starts.append(reader.at)
            free = _up(free, 1 << self.aligns[number])
            self.places.append(free)
            self.data.append(bytearray(reader.take(size)))
            free += size
        for name, size in self.spaces.items():
            self.at[name] = free = _up(free, ALIGN)
            free += size
        if free > _LARGEST:
            raise LinkError(f"it needs {free >> 20} MiB of memory, and WebAssembly has {_LARGEST >> 20}")
        return free

    def _address(self, symbol: _Symbol) -> int:
        if symbol.kind != _OF_DATA:
            raise LinkError(f"{symbol.name} has no address")
        return self.at[symbol.name] if symbol.number < 0 else self.places[symbol.number] + symbol.offset

    def _value(self, fix: _Fix) -> int:
        symbol = self.symbols[fix.symbol]
        if fix.kind in (_TABLE_LEB, _TABLE_WORD):
            if symbol.kind != _OF_FUNCTION:
                raise LinkError(f"{symbol.name} is no function")
            return self.called.setdefault(symbol.number, len(self.called) + 1)  # 0 is the null pointer
        if fix.kind in (_ADDRESS_LEB, _ADDRESS_SLEB, _ADDRESS_WORD):
            return self._address(symbol) + fix.addend
        raise LinkError(f"relocation {fix.kind} is not known")

    def _fill(self) -> None:
        for fix in self._fixes("reloc.CODE"):
            made = self._written(fix)
            self.text[fix.place : fix.place + len(made)] = made
        for fix in self._fixes("reloc.DATA"):
            made = self._written(fix)
            segment = max(number for number, start in enumerate(self.starts) if start <= fix.place)
            at = fix.place - self.starts[segment]
            self.data[segment][at : at + len(made)] = made

    def _written(self, fix: _Fix) -> bytes:
        value = self._value(fix)
        is_word = fix.kind in (_TABLE_WORD, _ADDRESS_WORD)
        return struct.pack("<I", value & 0xFFFFFFFF) if is_word else _padded(value & 0xFFFFFFFF)

    # ---- the module ------------------------------------------------------------------------------
    def module(self, exports: list[str], contents: dict[str, bytes], unread: str) -> Module:
        pages = -(-self._lay_out() // PAGE)
        self._fill()
        for symbol in self.symbols:
            if symbol.kind == _OF_DATA and symbol.number >= 0 and symbol.name.startswith(unread):
                body = self.data[symbol.number]
                end = min(symbol.offset + symbol.size, len(body))
                body[symbol.offset : end] = bytes(max(end - symbol.offset, 0))
        listed = [_name("memory") + bytes([_A_MEMORY, 0])]
        functions = {s.name: s.number for s in self.symbols if s.kind == _OF_FUNCTION}
        for name in exports:
            if name not in functions:
                raise LinkError(f"{name} is not in the object")
            listed.append(_name(name) + bytes([_A_FUNCTION]) + _leb(functions[name]))
        if self.has_stack:
            listed.append(_name("stack") + bytes([_A_GLOBAL, 0]))
        stack = [_I32 + b"\1" + _CONST + _sleb(STACK) + _END] if self.has_stack else []
        held = [*zip(self.places, self.data, strict=True)]
        held += [(self.at[name], bytearray(body)) for name, body in contents.items()]
        segments = [
            b"\0" + _CONST + _sleb(place) + _END + _leb(len(run)) + run
            for start, all_of_it in held
            for place, run in _runs(start, bytes(all_of_it))
        ]
        made = {
            _TYPE: self.sections[_TYPE],
            _IMPORT: _many(self.kept),
            _FUNCTION: self.sections[_FUNCTION],
            _MEMORY: _many([b"\0" + _leb(pages)]),
            _GLOBAL: _many(stack),
            _EXPORT: _many(listed),
            _CODE: bytes(self.text),
            _DATA: _many(segments),
        }
        if self.has_table:
            made[_TABLE] = _many([_FUNCREF + b"\0" + _leb(len(self.called) + 1)])
        if self.called:
            numbers = [_leb(number) for number in self.called]
            made[_ELEMENT] = _many([b"\0" + _CONST + _sleb(1) + _END + _many(numbers)])
        if _COUNT in self.sections:
            made[_COUNT] = _leb(len(segments))
        parts = [bytes([kind]) + _leb(len(made[kind])) + made[kind] for kind in _ORDER if kind in made]
        return Module(_MAGIC + b"".join(parts), self.at, pages * PAGE)


def _runs(start: int, body: bytes) -> Iterable[tuple[int, bytes]]:
    """The parts of data that are not zero, each with its address: memory is zero before."""
    for found in _RUN.finditer(body):
        yield start + found.start(), found[0].rstrip(b"\0")


# A run ends where at least as many bytes are zero as another segment would take.
_RUN = re.compile(rb"[^\0].*?(?=\0{16}|\Z)", re.DOTALL)


def _up(place: int, align: int) -> int:
    return -(-place // align) * align
