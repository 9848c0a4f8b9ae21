"""Templates: a function that was compiled once for all games is linked with the rules of one.

The text of a template is LLVM's intermediate code before any optimisation (`abstract`). For a game, only its
rules are compiled by Numba; then the type of its states and its traits are written into the text, the rules
are linked in, and the whole is optimised once. Branches that a trait or a setting rules out are dropped
first, and rules that only they ask are never compiled. Rules that a game leaves to the contract are templates
too. A function without a template, a game whose states hold very large arrays, and whatever fails are
compiled as a whole (`linking`).

The rules of a game are kept on disk as bitcode: its next algorithm, or another option, needs LLVM only.
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
from collections.abc import Callable, Iterable
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from numba import types
from numba.core.registry import cpu_target

from gambito.native import cache
from gambito.native.compiler import template_store
from gambito.native.compiler.bridges import (
    Rules,
    boxed,
    call,
    close_box,
    give_to_python,
    read_type,
    returned_to_python,
)
from gambito.native.compiler.contracts import (
    OF_STATES,
    STATE_TOKEN,
    SYMBOL,
    WIDTH,
    Contract,
    contract_of,
    written,
)
from gambito.native.compiler.joining import collected, join
from gambito.native.compiler.linking import Collected, collecting
from gambito.native.compiler.types import STATE, Boxed, ConstantType, HandleType, kind_of_type
from gambito.native.compiler.wrapped import provide
from gambito.native.store import width

ENTRY = "gambito.entry"
MAX_STATE_BYTES = 2048  # bytes of a state with arrays: code for one grows with it
_EXTERNAL = re.compile(r'^@"(gambito\.(?:trait|length):[^"]*)" = external constant .*$', re.M)
# The parameters that hold a state, where its type alone does not tell: a state may be one number.
_HOLDING = frozenset({"state", "root", "like", "start", "seen"})


class Unfit(Exception):
    """There is no template for this function, or not for these arguments."""


class Subject:
    """One call of a native function: its constants, the type of its states, and its handles."""

    def __init__(self, function: Any, signature: tuple[types.Type, ...]) -> None:
        self.signature = signature
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        self.constants: dict[str, tuple[ConstantType, Contract, Any]] = {}
        self.handles: dict[str, HandleType] = {}
        for kind in signature:
            self._meet(kind)
        states = {c.state for _, c, _ in self.constants.values() if c.state is not None}
        if len(states) != 1:
            raise Unfit("no game, or games with different states")
        (self.state,) = states
        layouts = {c.layout for _, c, _ in self.constants.values() if c.state is not None}
        if len(layouts) != 1:
            raise Unfit("games with states of different shapes")
        (layout,) = layouts
        self.box = Boxed(self.state, layout)
        kind = layout or kind_of_type(self.state)
        self.width = 0 if kind is None else width(kind)  # the bytes of a state in memory
        if self.width == 0 or (layout is not None and self.width > MAX_STATE_BYTES):
            raise Unfit("states that are too large, or have no bytes")
        self.abstract = tuple(self._abstract(kind, name) for kind, name in zip(signature, names, strict=True))

    def _meet(self, kind: types.Type) -> None:
        if isinstance(kind, ConstantType):
            known = kind.known
            contract = contract_of(known) if known is not None else None
            if contract is None or kind.is_checked:
                raise Unfit("a constant without a contract, or with bounds checks")
            if all(kind != other for other, _, _ in self.constants.values()):
                while contract.name in self.constants:  # a puzzle and the same backward
                    contract = contract._replace(name=f"{contract.name} too")
                self.constants[contract.name] = kind, contract, known
        elif isinstance(kind, HandleType):
            self.handles[kind.label] = kind
        elif isinstance(kind, types.BaseTuple) and kind != self._state_of_game():
            for part in kind.types:
                self._meet(part)
        elif isinstance(kind, types.Array) and kind != self._state_of_game():
            raise Unfit("arrays are counted")

    def _state_of_game(self) -> types.Type | None:
        return next((c.state for _, c, _ in self.constants.values() if c.state is not None), None)

    def _abstract(self, kind: types.Type, name: str) -> types.Type | Contract:
        is_plain = not isinstance(kind, types.BaseTuple)
        if kind == self.state and (name in _HOLDING or not is_plain):
            return STATE
        if isinstance(kind, ConstantType):
            return next(c for k, c, _ in self.constants.values() if k == kind)
        if isinstance(kind, types.BaseNamedTuple):
            return Named(kind.instance_class, tuple(self._abstract(k, "") for k in kind.types))
        return kind

    @property
    def boxed(self) -> tuple[types.Type, ...]:
        """The types of the arguments as the template takes them."""
        return tuple(
            self.box if part is STATE else real
            for real, part in zip(self.signature, self.abstract, strict=True)
        )

    @property
    def key(self) -> str:
        """What the template depends on besides the function."""
        return ", ".join(map(_text, self.abstract))


class Named:
    """An argument that is a NamedTuple with constants in it."""

    def __init__(self, kind: type, parts: tuple[Any, ...]) -> None:
        self.kind, self.parts = kind, parts


def _text(part: Any) -> str:
    if isinstance(part, Contract):
        return part.name
    if isinstance(part, Named):
        return f"{part.kind.__name__}({', '.join(map(_text, part.parts))})"
    try:
        return written(part)
    except TypeError:
        raise Unfit(f"{part} has no name") from None


# ---- the code of one game ----------------------------------------------------------------------------


class Link:
    """The template of one function, linked with the rules of one game."""

    def __init__(self, find: Callable[[str], str | None], subject: Subject) -> None:
        self.find, self.subject = find, subject
        self.own: dict[str, re.Match[str]] = {}  # the symbols of the rules that the game itself gives

    def module(self, text: str) -> Any:
        """The code without the game's own rules, which `own` then lists."""
        module = self._part(text)
        waiting, done = self._needs(module), set[str]()
        while waiting:
            symbol = waiting.pop()
            if symbol in done:
                continue
            done.add(symbol)
            told = SYMBOL.fullmatch(symbol)
            assert told is not None
            default = self._default(symbol, told)
            if default is None:
                if told["part"] in ("rule", "begin"):
                    self.own[symbol] = told
                continue
            part = self._part(default)
            waiting += self._needs(part)
            module.link_in(part)
        return module

    def _default(self, symbol: str, told: re.Match[str]) -> str | None:
        """The template of a rule that the game leaves to the contract."""
        if told["contract"] == OF_STATES:
            return None
        _, contract, known = self.subject.constants[told["contract"]]
        default = contract.default(told["name"]) if told["part"] == "rule" else None
        if default is None or known.find(told["name"]) is not default:
            return None
        return self.find(symbol)

    def _part(self, text: str) -> Any:
        """A module from the text of a template, without what the traits rule out."""
        shape = cpu_target.target_context.get_value_type(self.subject.box)
        text = text.replace(STATE_TOKEN, str(shape))
        module = llvm.parse_assembly(_EXTERNAL.sub(self._constant, text))
        codegen = cpu_target.target_context.codegen()
        module.data_layout, module.triple = codegen._data_layout, llvm.get_process_triple()
        passes, builder = llvm.create_new_module_pass_manager(), codegen._pass_builder()
        passes.add_sroa_pass()
        passes.add_ipsccp_pass()
        passes.add_simplify_cfg_pass()
        passes.add_global_dead_code_eliminate_pass()
        passes.run(module, builder)
        return module

    def _constant(self, declared: re.Match[str]) -> str:
        """The definition of a trait."""
        told = SYMBOL.fullmatch(declared[1])
        assert told is not None
        if declared[1] == WIDTH:
            return f'@"{WIDTH}" = internal constant i64 {self.subject.width}'
        _, contract, known = self.subject.constants[told["contract"]]
        value, kind = known.find(told["name"]), contract.traits[told["name"]]
        if told["part"] == "length":
            shape = f"i64 {len(value)}"
        elif isinstance(kind, types.Array):
            items = ", ".join(f"double {_double(item)}" for item in np.asarray(value, np.float64))
            shape = f"[{len(value)} x double] [{items}]"
        elif kind == types.float64:
            shape = f"double {_double(value)}"
        elif int(value) != value:
            raise Unfit(f"{told['name']} is not a whole number")
        else:
            shape = f"{'i8' if kind == types.boolean else 'i64'} {int(value)}"
        return f'@"{declared[1]}" = internal constant {shape}'

    @staticmethod
    def _needs(module: Any) -> list[str]:
        """The symbols of rules that a module asks for."""
        return [f.name for f in module.functions if f.is_declaration and SYMBOL.fullmatch(f.name)]


def _double(value: Any) -> str:
    return f"0x{struct.unpack('<Q', struct.pack('<d', float(value)))[0]:016X}"


# ---- rules -------------------------------------------------------------------------------------------


def _rules(linker: Link) -> list[Any]:
    """The libraries of the rules that the game gives: from disk, and those that are compiled now."""
    found, owner = [], OF_STATES  # the first game also provides what is asked of states
    for kind, contract, _ in linker.subject.constants.values():
        if contract.state is None:
            continue
        wanted = {s: told for s, told in linker.own.items() if told["contract"] in (contract.name, owner)}
        owner = contract.name
        if not wanted:
            continue
        shelf, here = _Shelf(kind), _HERE.setdefault(kind.key, set())
        for symbols, code in shelf.parts_for(wanted, here):
            provide(cpu_target.target_context, code)
            found.append(collected("rules", llvm.parse_bitcode(code)))
            wanted = {s: told for s, told in wanted.items() if s not in symbols}
        if wanted:
            module, is_lasting = _compiled(kind, contract, wanted, linker.subject.handles)
            here.update(wanted)
            if is_lasting:
                shelf.add(sorted(wanted), module.as_bitcode())
            found.append(collected("rules", module))
    return found


_HERE: dict[tuple[str, str], set[str]] = {}  # by game, the rules that this process has compiled


def _compiled(
    kind: ConstantType,
    contract: Contract,
    wanted: dict[str, re.Match[str]],
    handles: dict[str, HandleType],
) -> tuple[Any, bool]:
    """Rules that Numba compiles now, in one module; and whether another process can use it."""
    cpu_target.typing_context.refresh()  # Numba loads its registries before it compiles a function
    cpu_target.target_context.refresh()
    library, rules = collected("rules"), Rules(kind, contract)
    with cpu_target.target_context.push_code_library(library):
        for symbol, told in wanted.items():
            args = [read_type(text, handles) for text in filter(None, told["args"].split(","))]
            rules.add(told["part"], symbol, told["name"], args)
    library.add_ir_module(rules.module)
    return library.whole()


class _Shelf:
    """The rules of one game on disk: each part has the symbols that it defines and its bitcode."""

    def __init__(self, kind: ConstantType) -> None:
        target = cpu_target.target_context.codegen().magic_tuple()
        assert kind.known is not None
        facts = repr((kind.known.kind.lasting, kind.memories, target)).encode()
        self.name = f"rules-{hashlib.sha256(facts).hexdigest()[:32]}"
        self.parts: list[tuple[list[str], bytes]] = []
        text = cache.kept(self.name)
        if text is not None:
            head, _, rest = text.partition(b"\n")
            for symbols, size in json.loads(head):
                self.parts.append((symbols, rest[:size]))
                rest = rest[size:]

    def parts_for(self, wanted: Iterable[str], here: set[str]) -> list[tuple[list[str], bytes]]:
        """One part with all that is wanted, or else those that have some of it.

        If some of it was compiled `here`, the rest is better compiled too: in two parts, functions that rules
        share would be there twice.
        """
        left = set(wanted)
        for part in self.parts:
            if left.issubset(part[0]):
                return [part]
        chosen = []
        for part in self.parts if not left & here else ():
            if not left.isdisjoint(part[0]):
                chosen.append(part)
                left.difference_update(part[0])
        return chosen

    def add(self, symbols: list[str], code: bytes) -> None:
        """Keep one more part; those that it makes superfluous go."""
        self.parts = [part for part in self.parts if not set(part[0]).issubset(symbols)]
        self.parts.append((symbols, code))
        head = json.dumps([(s, len(c)) for s, c in self.parts]).encode()
        cache.keep(self.name, b"\n".join([head, b"".join(c for _, c in self.parts)]))


# ---- the door ----------------------------------------------------------------------------------------


def link(function: Any, subject: Subject, find: Callable[[str], str | None]) -> Collected:
    """The code of a function for one game; raise an error if templates are no way."""
    text = find(name_of(function, subject))
    if text is None:
        raise Unfit("there is no template")
    returned = boxed(read_type(text[2 : text.index("\n")], subject.handles), subject.box)
    linker = Link(find, subject)
    code = linker.module(text)
    parts = _rules(linker)

    def body(builder: Any, values: Any) -> Any:
        context, outer = cpu_target.target_context, subject.boxed
        given = [close_box(context, builder, v, k) for v, k in zip(values, outer, strict=True)]
        result = call(context, builder, ENTRY, returned, outer, given)
        return give_to_python(context, builder, result, returned)

    return join(returned_to_python(returned), subject.signature, body, code, parts)


def name_of(function: Any, subject: Subject) -> str:
    """The name of the template of a function for such arguments."""
    return f"{function.__module__}.{function.__qualname__}({subject.key})"


def from_template(dispatcher: Any, signature: tuple[types.Type, ...]) -> Collected | None:
    """The code of a function, from its template; None if it must be compiled as a whole."""
    with collecting(has_entry=True):
        return way[0](dispatcher, signature)


def _from_stock(dispatcher: Any, signature: tuple[types.Type, ...]) -> Collected | None:
    try:
        return link(dispatcher.py_func, Subject(dispatcher.py_func, signature), template_store.find)
    except Exception:  # whatever it is, compiling as a whole finds it too and can name its place
        return None


way: list[Callable[[Any, Any], Collected | None]] = [_from_stock]  # `making` puts another one in its place
