"""EPD: a position and its operations, `… bm Qg6; id "WAC.001";`, read strictly and written back."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from gambito.errors import PositionError
from gambito.game.contract import quoted

from .board import State
from .fen import read_fen, write_epd_fields

_OPERATION = re.compile(r'\s*([A-Za-z]\w{0,14})((?:\s+(?:"[^"]*"|[^\s;"]+))*)\s*(?:;|$)')
_OPERAND = re.compile(r'"([^"]*)"|([^\s;"]+)')
_WORD = re.compile(r'[^\s;"]+')


@dataclass
class Described:
    """A position and its operations by opcode: `bm` the best moves, `am` moves to avoid, `id` its name …"""

    state: State
    operations: dict[str, list[str]] = field(default_factory=dict)


def read_epd(text: str, chess960: bool = False) -> Described:
    fields = text.split(maxsplit=4)
    if len(fields) < 4:
        raise PositionError(
            "{} is no EPD; accepted: the first four fields of a FEN, operations", quoted(text)
        )
    found = Described(read_fen(" ".join(fields[:4]), chess960))
    rest, place = (fields[4] if len(fields) > 4 else "").strip(), 0
    while place < len(rest):
        match = _OPERATION.match(rest, place)
        if match is None:
            raise PositionError(
                "{} in {} is no operation of an EPD", quoted(rest[place:].strip()), quoted(text)
            )
        if match[1] in found.operations:
            raise PositionError("the operation {} stands twice in {}", match[1], quoted(text))
        operands = [quote if word == "" else word for quote, word in _OPERAND.findall(match[2])]
        found.operations[match[1]] = operands
        place = match.end()
    return found


def write_epd(described: Described) -> str:
    words = [write_epd_fields(described.state)]
    for code, operands in described.operations.items():
        quoted_ones = [o if _WORD.fullmatch(o) and code != "id" else f'"{o}"' for o in operands]
        words.append(" ".join([code, *quoted_ones]) + ";")
    return " ".join(words)
