"""SGF records with their variations, comments and glyphs, both ways. The main line is read by `notation`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from gambito.errors import PositionError
from gambito.game.variations import Line, Move, Score

from .notation import (
    PROPERTY,
    SETUP,
    VALUE,
    is_header,
    letters_of,
    read_crossing,
    read_properties,
    read_record,
    unescaped,
    write_setup,
)

# The glyph of a move by its property, and by the value for emphasis.
GLYPHS = {("TE", 1): 1, ("BM", 1): 2, ("TE", 2): 3, ("BM", 2): 4, ("IT", 1): 5, ("DO", 1): 6}
_ESCAPED, _ESCAPE = re.compile(r"[\\\]]"), r"\\\g<0>"
_TOKEN = re.compile(r"(?P<mark>[();])|" + PROPERTY.pattern, re.DOTALL)


# ---- writing -----------------------------------------------------------------------------------------


def write_record(go: Any, score: Score) -> str:
    """A game as SGF; stones that are there at the start are set up."""
    state = score.start
    for action in score.actions:
        state = go.result(state, action)
    given = {name: value for name, value in score.tags.items() if is_header(name)}
    if score.line.comment:
        given["C"] = score.line.comment
    if go.is_terminal(state):
        lead = go.halves_ahead(state) / 2
        given["RE"] = f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"
    told = "".join(f"{name}[{_escaped(value)}]" for name, value in given.items())
    head = f"GM[1]FF[4]CA[UTF-8]AP[Gambito]SZ[{go.size}]KM[{go.komi:g}]"
    return f"(;{head}{write_setup(go, score.start)}{told}{_write_line(go, score.line, score.start)})"


def _write_line(go: Any, line: Line, state: Any) -> str:
    """The nodes of a line. At a fork the line itself goes on in brackets, and the other lines follow it."""
    parts, forks = list[str](), list[str]()
    for move in line.moves:
        if move.others:
            parts.append("(")
            others = (_write_line(go, other, state) for other in move.others if other.moves)
            forks.append("".join(f"({nodes})" for nodes in others))
        parts.append(_write_move(go, move, state))
        state = go.result(state, move.action)
    return "".join([*parts, *(f"){others}" for others in reversed(forks))])


def _write_move(go: Any, move: Move, state: Any) -> str:
    crossing = "" if move.action == go.pass_action else letters_of(go, go.cell_of(move.action))
    signs = [f"{name}[{times}]" for (name, times), glyph in GLYPHS.items() if glyph in move.glyphs]
    comment = f"C[{_escaped(move.comment)}]" if move.comment else ""
    return f";{'BW'[state.mover]}[{crossing}]{''.join(signs)}{comment}"


def _escaped(value: str) -> str:
    return _ESCAPED.sub(_ESCAPE, value)


# ---- reading -----------------------------------------------------------------------------------------


@dataclass
class _Node:
    """A node of the record: its properties, and the nodes after it."""

    properties: list[tuple[str, list[str]]] = field(default_factory=list)
    after: list[_Node] = field(default_factory=list)


def read_tree(go: Any, text: str) -> Score:
    """A record with its variations. The main line must be legal; a variation ends before what is not, and
    where it sets stones up."""
    start, actions = read_record(go, text)
    headers = {name: value for name, value in read_properties(text).items() if name != "C"}
    score = Score(start, headers)
    waiting = [(_nodes(text), score.line, start, len(actions))]
    while waiting:
        nodes, line, state, least = waiting.pop()
        waiting += _follow(go, nodes, line, state, least)
    return score


def _follow(go: Any, nodes: list[_Node], line: Line, state: Any, least: int) -> list[Any]:
    """Read a line from the first of these nodes on; return the other lines that branch off from it.

    The first `least` moves of the main line are known to be legal, and stones may be set up before them.
    """
    found = list[Any]()
    while nodes:
        node, *others = nodes
        if others:
            found.append((others, len(line.moves), state))
        after = _take(go, node, line, state, is_sure=least > 0)
        if after is None:
            break
        state, nodes = after, node.after
    lines = list[Any]()
    for others, place, before in found:
        for other in others:
            if place < len(line.moves):
                instead = Line()
                line.moves[place].others.append(instead)
                lines.append(([other], instead, before, 0))
    return lines


def _take(go: Any, node: _Node, line: Line, state: Any, is_sure: bool) -> Any:
    """Take over a node, and return the state after it; None if the rest of the line cannot be read."""
    for name, values in node.properties:
        if name in SETUP and not is_sure:
            return None
        if name not in ("B", "W"):
            continue
        try:
            action = read_crossing(go, values[0].strip(), len(line.moves) + 1)
        except PositionError:
            return None
        if name != "BW"[state.mover] or go.is_terminal(state) or action not in go.legal(state):
            return None
        line.moves.append(Move(action))
        state = go.result(state, action)
    last = line.moves[-1] if line.moves else None
    for name, values in node.properties:
        if name == "C":
            said, held = " ".join(unescaped(values[0]).split()), line if last is None else last
            held.comment = " ".join(filter(None, (held.comment, said)))
        glyph = GLYPHS.get((name, 2 if values[0].strip() == "2" else 1))
        if glyph is not None and last is not None and glyph not in last.glyphs:
            last.glyphs.append(glyph)
    return state


def _nodes(text: str) -> list[_Node]:
    """The first node of the record, in a list; all others come after it."""
    top = node = _Node()
    forks = list[_Node]()
    for match in _TOKEN.finditer(text):
        if match["mark"] == "(":
            forks.append(node)
        elif match["mark"] == ")":
            node = forks.pop() if forks else top
        elif match["mark"] == ";":
            node.after.append(_Node())
            node = node.after[-1]
        else:
            node.properties.append((match[2], VALUE.findall(match[3])))
    return top.after
