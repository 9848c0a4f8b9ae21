"""What constants of one kind have in common: the types of their traits and rules.

A contract is what code may know of a game before the game is known. It is also the names of the external
symbols of such code, which say what a symbol is and the types of its arguments. This module does not depend
on games or search.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types

from gambito.native.compiler.types import STATE, numba_type
from gambito.native.kinds import Array, Kind, boolean, float64, has_arrays, int64
from gambito.native.objects import Constant
from gambito.native.values import constant_type

STATE_SPACE = 77  # in the text of a template, a state is a pointer into this address space
STATE_TOKEN = f"ptr addrspace({STATE_SPACE})"


class Contract(NamedTuple):
    """The types of what code may ask of any constant of a kind; `STATE` stands for the type of its states."""

    name: str
    traits: dict[str, types.Type]
    returns: dict[str, types.Type] = {}  # noqa: RUF012  # what each rule gives
    yields: dict[str, types.Type] = {}  # noqa: RUF012  # each item of a rule that yields
    state: types.Type | None = None  # the type of the states of one constant
    layout: Kind | None = None  # their kind, if they hold arrays: types of arrays do not tell the shape
    default: Callable[[str], Any] = lambda name: None  # a rule that a constant does not give itself

    def __hash__(self) -> int:
        return hash(self.name)


def contract_of(constant: Constant) -> Contract | None:
    """The contract of a constant; None if there is none that code for all of its kind could know."""
    if constant.common is None:
        return _contract_of_values(constant)
    common = constant.common()
    traits, returns, yields = (
        {name: numba_type(kind) for name, kind in part.items()}
        for part in (common.traits, common.returns, common.yields)
    )
    layout = common.state if has_arrays(common.state) else None
    return Contract(common.name, traits, returns, yields, numba_type(common.state), layout, common.default)


def _contract_of_values(constant: Constant) -> Contract | None:
    """The contract of an object that holds numbers and arrays of numbers, and no rules."""
    held = getattr(constant.subject, "__dict__", {}).items()
    traits = {name: constant_type(value) for name, value in held}
    if not all(kind is not None and _is_trait(kind) for kind in traits.values()):
        return None
    return Contract(constant.label, {name: numba_type(kind) for name, kind in traits.items() if kind})


def _is_trait(kind: Kind) -> bool:
    if isinstance(kind, Array):
        return kind.ndim == 1 and kind.layout == "C" and kind.item == float64
    return kind in (int64, float64, boolean)


# ---- symbols -----------------------------------------------------------------------------------------

SYMBOL = re.compile(r"gambito\.(?P<part>\w+):(?P<contract>[^:]*):(?P<name>\w+)(?:\((?P<args>[^()]*)\))?")


OF_STATES = "state"  # in place of a contract: what code asks of states themselves
WIDTH = f"gambito.trait:{OF_STATES}:width"  # the bytes of a state
EQUAL = f"gambito.rule:{OF_STATES}:equal(state,state)"  # are two states equal?


def external(builder: Any, symbol: str, shape: ir.Type) -> Any:
    """An external constant of the code that is being compiled."""
    known = builder.module.globals.get(symbol)
    if known is None:
        known = ir.GlobalVariable(builder.module, shape, symbol)
        known.linkage, known.global_constant = "external", True
    return known


def constant_symbol(part: str, contract: Contract, name: str) -> str:
    """The symbol of a trait, or of the length of an array."""
    return f"gambito.{part}:{contract.name}:{name}"


def rule_symbol(part: str, contract: Contract, name: str, args: Iterable[types.Type]) -> str:
    """The symbol of a rule that takes such arguments, or of a part of a rule that yields."""
    return f"gambito.{part}:{contract.name}:{name}({','.join(map(written, args))})"


PLAIN = {str(k): k for k in (types.int64, types.uint64, types.float64, types.boolean, types.none, STATE)}


def written(kind: types.Type) -> str:
    """A type as text; TypeError if it has none."""
    if str(kind) in PLAIN:
        return str(kind)
    if type(kind) is types.CPointer:
        return f"*{np.dtype(str(kind.dtype)).str}"
    if isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple):
        return f"[{' '.join(map(written, kind.types))}]"
    if hasattr(kind, "arrays") and hasattr(kind, "label"):  # a handle
        return f"@{kind.label}"
    raise TypeError(f"a template cannot name {kind}")
