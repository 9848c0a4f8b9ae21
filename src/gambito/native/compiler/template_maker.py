"""How templates are made: a function is compiled for abstract constants, and its code is written as text.

The text does not depend on the machine or on the process that has made it: functions, constants and values
have short names in the order of the code, and the places that errors name are relative to the package.
"""

from __future__ import annotations

import re
from typing import Any

import llvmlite.binding as llvm
from numba import types
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys

from gambito.native.compiler.abstract import AbstractType, default_of
from gambito.native.compiler.bridges import define, read_type
from gambito.native.compiler.contracts import OF_STATES, STATE_TOKEN, SYMBOL, Contract, written
from gambito.native.compiler.joining import collected
from gambito.native.compiler.linking import collecting
from gambito.native.compiler.objects import cast, helper
from gambito.native.compiler.raised import noting
from gambito.native.compiler.templates import ENTRY, Named, Subject, Unfit, link, name_of
from gambito.native.compiler.types import STATE, HandleType

_DROPPED = ("; ModuleID", "source_filename", "target ")
_RULE = re.compile(r'@"(gambito\.rule:[^"]*)"')


def make_entry(dispatcher: Any, subject: Subject) -> str:
    """The template of a native function for arguments like these."""
    signature = tuple(map(_type, subject.abstract))
    with collecting(has_entry=True):
        dispatcher.compile(signature)
        compiled = dispatcher.overloads.pop(signature)
        module = compiled.library._whole(is_entry=True, without=rtsys.library)
    returned = types.unliteral(compiled.signature.return_type)
    return f"; {written(returned)}\n" + _text(module, compiled.fndesc.llvm_func_name, ENTRY)


def make_default(symbol: str, contract: Contract, handles: dict[str, HandleType]) -> str:
    """The template of a rule that games may leave to the contract."""
    told = SYMBOL.fullmatch(symbol)
    assert told is not None
    rule = default_of(contract, told["name"])
    if rule is None:
        raise Unfit("it has no default that is the same for all games")
    context, returned = cpu_target.target_context, contract.returns[told["name"]]
    args = [read_type(text, handles) for text in filter(None, told["args"].split(","))]
    kinds = (AbstractType(contract), *args)
    with collecting(has_entry=True):
        found = types.Dispatcher(helper(rule))
        chosen = found.get_call_type(cpu_target.typing_context, kinds, {})
        library, module = collected("default"), context.create_module("default")

        def body(builder: Any, values: Any) -> Any:
            call = context.get_function(found, chosen)
            context.add_linking_libs(getattr(call, "libs", ()))
            return cast(context, builder, call(builder, values), chosen.return_type, returned)

        with context.push_code_library(library):
            define(module, symbol, returned, kinds, body).attributes.add("alwaysinline")
        library.add_ir_module(module)
        whole, _ = library.whole()
    return ";\n" + _text(whole, symbol, symbol)


def _type(part: Any) -> types.Type:
    if isinstance(part, Contract):
        return AbstractType(part)
    if isinstance(part, Named):
        kinds = [_type(p) for p in part.parts]
        if len(set(kinds)) == 1:
            return types.NamedUniTuple(kinds[0], len(kinds), part.kind)
        return types.NamedTuple(kinds, part.kind)
    return STATE if part is STATE else part


def _text(module: Any, name: str, entry: str) -> str:
    """The code of a module, in which one function is visible."""
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.add_ipsccp_pass()
    passes.add_simplify_cfg_pass()
    passes.add_aggressive_dce_pass()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, cpu_target.target_context.codegen()._pass_builder())
    if any(variable.name.startswith("numba.dynamic") for variable in module.global_variables):
        raise Unfit("the code reads an address of this process")
    for number, variable in enumerate(v for v in module.global_variables if not v.is_declaration):
        variable.name = f"c{number}"
    for number, function in enumerate(f for f in module.functions if not f.is_declaration):
        function.name = entry if function.name == name else f"f{number}"
        for value in function.arguments:
            value.name = ""
        for block in function.blocks:
            block.name = ""
            for instruction in block.instructions:
                if instruction.name:
                    instruction.name = ""
    lines = [line for line in str(module).splitlines() if line.strip() and not line.startswith(_DROPPED)]
    return "\n".join(map(_of_any_state, lines)) + "\n"


def _of_any_state(line: str) -> str:
    """A line without the zero of pointers, which a state is not."""
    if f"phi {STATE_TOKEN}" in line:
        return line.replace("[ null,", "[ zeroinitializer,")
    return line.replace(f"{STATE_TOKEN} null", f"{STATE_TOKEN} zeroinitializer")


class Maker:
    """Makes the templates of native functions as they are called, and then uses them."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.modules: dict[str, set[str]] = {}  # those that define the functions in a template
        self.refused: dict[str, str] = {}  # why there is no template, by function or symbol

    def __call__(self, dispatcher: Any, signature: tuple[types.Type, ...]) -> Any:
        """In place of the templates of the package (`templates.way`)."""
        function = dispatcher.py_func
        try:
            subject = Subject(function, signature)
            name = name_of(function, subject)
            if name not in self.texts:
                with noting() as modules:
                    text = make_entry(dispatcher, subject)
                self.texts[name], self.modules[name] = text, {function.__module__, *modules}
                self._make_defaults(text, subject)
            return link(function, subject, self.texts.get)
        except Exception as problem:
            self.refused[f"{function.__module__}.{function.__qualname__}"] = _cause(problem)
            return None

    def _make_defaults(self, text: str, subject: Subject) -> None:
        """The templates of the rules that a template asks for, and of those that they ask for."""
        waiting = [text]
        while waiting:
            for symbol in sorted(set(_RULE.findall(waiting.pop())) - self.texts.keys() - self.refused.keys()):
                told = SYMBOL.fullmatch(symbol)
                assert told is not None
                if told["contract"] == OF_STATES:
                    continue
                _, contract, _ = subject.constants[told["contract"]]
                try:
                    with noting() as modules:
                        made = make_default(symbol, contract, subject.handles)
                except Exception as problem:
                    self.refused[symbol] = _cause(problem)
                    continue
                self.texts[symbol], self.modules[symbol] = made, modules
                waiting.append(made)


def _cause(problem: Exception) -> str:
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    general = ("Failed", "No impl", "- ", ">>>", "There are")
    return next((line for line in lines if not line.startswith(general)), repr(problem))
