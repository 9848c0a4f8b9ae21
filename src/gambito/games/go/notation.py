"""Go as text: a board, a position in one line, and SGF records.

A position is the rows from the top, X for Black and O for White, then the side to move, the ko point (or -),
the passes in a row, and the plies played: `.X./O../... O - 0 2`. Only the rows and the side are required.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from gambito.errors import PositionError
from gambito.game.contract import quoted
from gambito.game.numerals import read_whole
from gambito.native.wide import Words, wide_places, wide_set

SIDES = "XO"
SGF_LETTERS = "abcdefghijklmnopqrs"
MOST_PLIES = 999_999  # in the text of a position
_NODE = re.compile(r"([A-Za-z]+)((?:\s*\[(?:\\.|[^\]\\])*\])+)", re.DOTALL)
_VALUE = re.compile(r"\[((?:\\.|[^\]\\])*)\]", re.DOTALL)


def number_of(go: Any, place: int) -> int:
    """The number of a crossing when spare places are not counted."""
    return int(place) // go.stride * go.size + int(place) % go.stride


def place_of(go: Any, number: int) -> int:
    return number // go.size * go.stride + number % go.size


def marks(go: Any, state: Any) -> str:
    """Every crossing, row by row: X, O or a dot."""
    found = ["."] * go.size**2
    sides = (state.mine, state.theirs)[:: -1 if state.mover else 1]
    for mark, stones in zip(SIDES, sides):
        for place in wide_places(stones):
            found[number_of(go, place)] = mark
    return "".join(found)


def rows(go: Any, state: Any) -> list[str]:
    every = marks(go, state)
    return [every[row * go.size : (row + 1) * go.size] for row in range(go.size)]


def draw(go: Any, state: Any) -> str:
    files = " ".join(cell.name[0] for cell in go.picture().cells[: go.size])
    lines = [f"{go.size - row:>2} {' '.join(line)}" for row, line in enumerate(rows(go, state))]
    lead = go.halves_ahead(state) / 2
    score = f"{'Black' if lead > 0 else 'White'} has {abs(lead):g} more" if lead else "both have as much"
    turn = "the game is over" if go.is_terminal(state) else f"{SIDES[state.mover]} to move"
    return "\n".join([*lines, f"   {files}", f"by area {score}; {turn}"])


def write_position(go: Any, state: Any) -> str:
    ko = go.picture().cells[number_of(go, state.ko)].name if state.ko >= 0 else "-"
    return f"{'/'.join(rows(go, state))} {SIDES[state.mover]} {ko} {state.passes} {state.plies}"


def read_position(go: Any, text: str) -> tuple[Words, Words, int, int, int, int]:
    """Mine, theirs, ko, passes, mover and plies."""
    board, side, ko, passes, plies = (*text.upper().split(), *[""] * 5)[:5]
    lines = board.split("/")
    if len(lines) != go.size or {len(line) for line in lines} != {go.size} or set(board) - set("XO./"):
        raise PositionError(
            "{} is no position; accepted: {} rows of {} marks X, O, . and a side",
            quoted(text),
            go.size,
            go.size,
        )
    if side not in ("X", "O", "B", "W"):
        raise PositionError("{} does not say who moves; accepted: X or O behind the board", quoted(text))
    names = [cell.name for cell in go.picture().cells]
    passed, played = read_whole(passes or "0", go.longest), read_whole(plies or "0", MOST_PLIES)
    if ko not in ("", "-", *names) or passed is None or played is None:
        raise PositionError(
            "{} is no position; accepted: ko or -, passes, plies behind the side", quoted(text)
        )
    every = "".join(lines)
    black, white = (
        wide_set((place_of(go, n) for n, mark in enumerate(every) if mark == own), go.words) for own in SIDES
    )
    free = wide_set((place_of(go, n) for n, mark in enumerate(every) if mark == "."), go.words)
    for stones in (black, white):
        for place in wide_places(stones):
            if not go.has_liberty(wide_set([place], go.words), stones, free):
                raise PositionError(
                    "in {} the stone on {} has no liberty", quoted(text), names[number_of(go, place)]
                )
    mover = 0 if side in ("X", "B") else 1
    mine, theirs = (white, black) if mover else (black, white)
    point = place_of(go, names.index(ko)) if ko not in ("", "-") else -1
    return mine, theirs, point, min(passed, 2), mover, min(played, go.longest)


# ---- SGF ---------------------------------------------------------------------------------------------


def write_record(go: Any, actions: Iterable[int]) -> str:
    """A game as SGF, without variations."""
    nodes, state = [], go.initial()
    for action in actions:
        number = number_of(go, action)
        crossing = (
            "" if action == go.pass_action else SGF_LETTERS[number % go.size] + SGF_LETTERS[number // go.size]
        )
        nodes.append(f";{'BW'[state.mover]}[{crossing}]")
        state = go.result(state, action)
    result = ""
    if go.is_terminal(state):
        lead = go.halves_ahead(state) / 2
        result = f"RE[{'B' if lead > 0 else 'W'}+{abs(lead):g}]" if lead else "RE[0]"
    return f"(;GM[1]FF[4]CA[UTF-8]AP[Gambito]SZ[{go.size}]KM[{go.komi:g}]{result}{''.join(nodes)})"


def read_record(go: Any, text: str) -> list[int]:
    """The actions of the main line of an SGF record."""
    actions: list[int] = []
    state = go.initial()
    for name, values in _NODE.findall(_main_line(text)):
        value = _VALUE.findall(values)[0].strip()
        if name == "SZ" and value != str(go.size):
            raise PositionError(
                "the record is of a board of size {}, and {} has {}", quoted(value), go.label(), go.size
            )
        if name in ("AB", "AW", "AE"):
            raise PositionError("the record sets stones up ({}); accepted: games from the empty board", name)
        if name not in ("B", "W"):
            continue
        if name != "BW"[state.mover]:
            raise PositionError("move {} of the record is {}'s, out of turn", len(actions) + 1, name)
        action = _crossing(go, value, len(actions) + 1)
        if go.is_terminal(state) or action not in go.legal(state):
            raise PositionError("move {} of the record, {}[{}], is not legal", len(actions) + 1, name, value)
        actions.append(action)
        state = go.result(state, action)
    return actions


def record_points(text: str) -> float | None:
    """Black's points, if the record gives the result: RE[B+3.5], RE[W+R], RE[0]."""
    for name, values in _NODE.findall(_main_line(text)):
        if name == "RE":
            result = _VALUE.findall(values)[0].strip().lower()
            return {"b+": 1.0, "w+": 0.0}.get(result[:2], 0.5 if result in ("0", "draw", "jigo") else None)
    return None


def split_records(text: str) -> Iterator[str]:
    """The separate records of a collection; a record that is not closed is the last."""
    depth, begin, inside, is_escaped = 0, 0, False, False
    for place, mark in enumerate(text):
        if inside:
            inside = is_escaped or mark != "]"
            is_escaped = mark == "\\" and not is_escaped
        elif mark == "[":
            inside = True
        elif mark == "(":
            begin = begin if depth else place
            depth += 1
        elif mark == ")" and depth:
            depth -= 1
            if not depth:
                yield text[begin : place + 1]
    if depth:
        yield text[begin:].strip()


def _crossing(go: Any, value: str, number: int) -> int:
    if value == "" or (value == "tt" and go.size <= 19):
        return int(go.pass_action)
    letters = SGF_LETTERS[: go.size]
    if len(value) != 2 or set(value) - set(letters):
        raise PositionError(
            "move {} of the record, {}, is no crossing; accepted: two letters", number, quoted(value)
        )
    return place_of(go, letters.index(value[1]) * go.size + letters.index(value[0]))


def _main_line(text: str) -> str:
    """The record without its variations: the first branch at every fork."""
    found, depth, closed, inside, is_escaped = [], 0, False, False, False
    for mark in text:
        if inside:
            if not closed:
                found.append(mark)
            if is_escaped:
                is_escaped = False
            elif mark == "\\":
                is_escaped = True
            elif mark == "]":
                inside = False
            continue
        if mark == "(":
            depth += 1
        elif mark == ")":
            depth -= 1
            closed = True
        elif mark == "[":
            inside = True
        if not closed and mark not in "()":
            found.append(mark)
    if depth != 0 or not closed:
        raise PositionError("{} is no SGF record: brackets do not close", quoted(text))
    return "".join(found)
