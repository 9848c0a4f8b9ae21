"""Go as text: a board, a position in one line, and SGF records.

A position is the rows from the top, X for Black and O for White, then the side to move, the ko point (or -),
the passes in a row, and the plies played: `.X./O../... O - 0 2`. Only the rows and the side are required.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from gambito.errors import PositionError
from gambito.game.contract import quoted
from gambito.game.numerals import read_whole

SIDES = "XO"
SGF_LETTERS = "abcdefghijklmnopqrs"
FEWEST_HANDICAP = 2  # stones
SMALLEST_BOARD, LARGEST_BOARD = 2, 19
BOARD_PROPERTIES = frozenset(
    ["GM", "FF", "CA", "AP", "ST", "SZ", "KM", "HA", "AB", "AW", "AE", "PL", "B", "W"]
)
SETUP = {"AB": "X", "AW": "O", "AE": "."}
MOST_PLIES = 999_999  # in the text of a position
PROPERTY = re.compile(r"([A-Za-z]+)((?:\s*\[(?:\\.|[^\]\\])*\])+)", re.DOTALL)
_NEXT = re.compile(r"\s*" + PROPERTY.pattern, re.DOTALL)
VALUE = re.compile(r"\[((?:\\.|[^\]\\])*)\]", re.DOTALL)


def owners_of(size: int, codes: Sequence[int]) -> list[int]:
    """The player to whom each crossing belongs by area; -1: nobody."""
    owners, seen = [code - 1 for code in codes], set[int]()
    for first in range(size * size):
        if codes[first] or first in seen:
            continue
        region, waiting, touched = [first], [first], set[int]()
        seen.add(first)
        while waiting:
            row, column = divmod(waiting.pop(), size)
            for y, x in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                near = y * size + x
                if not (0 <= y < size and 0 <= x < size) or near in seen:
                    continue
                if not codes[near]:
                    seen.add(near)
                    region.append(near)
                    waiting.append(near)
                else:
                    touched.add(codes[near] - 1)
        if len(touched) == 1:
            (owner,) = touched
            for crossing in region:
                owners[crossing] = owner
    return owners


def read_extras(go: Any, words: Sequence[str], text: str) -> tuple[int, int, int]:
    """The ko point, the passes in a row, and the plies."""
    ko, passes, plies = (*map(str.upper, words), *["-", "0", "0"][len(words) :])[:3]
    names = [cell.name for cell in go.picture().cells]
    passed, played = read_whole(passes, go.longest), read_whole(plies, MOST_PLIES)
    if len(words) > 3 or ko not in ("-", *names) or passed is None or played is None:
        raise PositionError(
            "{} is no position; accepted: ko or -, passes, plies behind the side", quoted(text)
        )
    point = go.place_of(names.index(ko)) if ko != "-" else -1
    return point, min(passed, 2), min(played, go.longest)


# ---- SGF ---------------------------------------------------------------------------------------------


def letters_of(go: Any, number: int) -> str:
    return SGF_LETTERS[number % go.size] + SGF_LETTERS[number // go.size]


def write_setup(go: Any, start: Any) -> str:
    """The stones of a first position and who moves; a handicap if only Black has stones."""
    stones: dict[str, list[int]] = {side: [] for side in SIDES}
    for number, code in enumerate(go.cell_codes(start)):
        if code:
            stones[SIDES[code - 1]].append(number)
    if not any(stones.values()) and not start.mover:
        return ""
    black, white = stones[SIDES[0]], stones[SIDES[1]]
    is_handicap = len(black) >= FEWEST_HANDICAP and not white and start.mover
    words = [f"HA[{len(black)}]"] if is_handicap else []
    for name, numbers in (("AB", black), ("AW", white)):
        if numbers:
            words.append(name + "".join(f"[{letters_of(go, number)}]" for number in numbers))
    return "".join([*words, f"PL[{'BW'[start.mover]}]"])


def is_header(name: str) -> bool:
    return re.fullmatch(r"[A-Z]{1,4}", name) is not None and name not in BOARD_PROPERTIES


def unescaped(value: str) -> str:
    """The text that the value of a property stands for."""
    return re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL)


def read_properties(text: str) -> dict[str, str]:
    """The properties of the first node of the first record that are not of the board or the moves."""
    found: dict[str, str] = {}
    for name, values in _first_node(text):
        if is_header(name):
            found.setdefault(name, unescaped(VALUE.findall(values)[0]))
    return found


def read_sizes(text: str) -> dict[str, Any]:
    """The size of the board and the komi, as far as a record gives them in a form that can be used."""
    found: dict[str, Any] = {}
    for name, values in _first_node(text):
        value = VALUE.findall(values)[0].strip()
        if name == "SZ" and (size := read_whole(value.split(":")[0], LARGEST_BOARD, SMALLEST_BOARD)):
            found["size"] = size
        if name == "KM" and re.fullmatch(r"-?[0-9]{1,3}(?:\.[05]0?)?", value):
            found["komi"] = float(value)
    return found


def _first_node(text: str) -> list[tuple[str, str]]:
    first = next(split_records(text), "").lstrip("(; \t\r\n")
    found, place = [], 0
    while (match := _NEXT.match(first, place)) is not None:
        found.append((match[1], match[2]))
        place = match.end()
    return found


def read_record(go: Any, text: str) -> tuple[Any, list[int]]:
    """The first state and the actions of the main line of an SGF record."""
    actions: list[int] = []
    setup: dict[str, str] = {}
    board, turn = ["."] * (go.size * go.size), ""
    start = state = None
    for name, values in PROPERTY.findall(_main_line(text)):
        every = [value.strip() for value in VALUE.findall(values)]
        if name == "SZ" and every[0] not in (str(go.size), f"{go.size}:{go.size}"):
            raise PositionError(
                "the record is of a board of size {}, and {} has {}", quoted(every[0]), go.label(), go.size
            )
        if name in SETUP:
            if actions:
                raise PositionError("the record sets stones up ({}) after move {}", name, len(actions))
            for number in _crossings(go, every, name):
                board[number] = SETUP[name]
            setup[name] = every[0]
        elif name == "PL" and not actions:
            turn = every[0][:1].upper()
        elif name == "HA":
            setup[name] = every[0]
        if name not in ("B", "W"):
            continue
        if state is None:
            start = state = _begin(go, board, turn or _beginner(setup))
        if name != "BW"[state.mover]:
            raise PositionError("move {} of the record is {}'s, out of turn", len(actions) + 1, name)
        action = read_crossing(go, every[0], len(actions) + 1)
        if go.is_terminal(state) or action not in go.legal(state):
            raise PositionError(
                "move {} of the record, {}[{}], is not legal", len(actions) + 1, name, every[0]
            )
        actions.append(action)
        state = go.result(state, action)
    if start is None:
        start = _begin(go, board, turn or _beginner(setup))
    return start, actions


def _beginner(setup: dict[str, str]) -> str:
    """The side that begins: White where Black has a handicap."""
    stones = read_whole(setup.get("HA", ""), 99) or 0
    if stones >= FEWEST_HANDICAP and "AB" in setup and "AW" not in setup:
        return "W"
    placed = [name for name in setup if name in SETUP]
    if placed:
        raise PositionError(
            "the record sets stones up ({}) and does not say who begins; accepted: HA or PL", placed[0]
        )
    return "B"


def _begin(go: Any, board: list[str], turn: str) -> Any:
    """The first state with these stones, for the side to move."""
    if set(board) == {"."} and turn != "W":
        return go.initial()
    rows = ["".join(board[at : at + go.size]) for at in range(0, len(board), go.size)]
    return go.parse("/".join(rows) + (" O" if turn == "W" else " X"))


def _crossings(go: Any, values: list[str], name: str) -> Iterator[int]:
    """The numbers of the crossings that a property lists; `aa:cc` is a rectangle."""
    letters = SGF_LETTERS[: go.size]
    for value in values:
        corners = value.split(":") if ":" in value else [value, value]
        if len(corners) != 2 or any(len(c) != 2 or set(c) - set(letters) for c in corners):
            raise PositionError("{}[{}] of the record is no crossing; accepted: two letters", name, value)
        (left, top), (right, bottom) = ([letters.index(mark) for mark in corner] for corner in corners)
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                yield row * go.size + column


def record_points(text: str) -> float | None:
    """Black's points, if the record gives the result: RE[B+3.5], RE[W+R], RE[0]."""
    for name, values in PROPERTY.findall(_main_line(text)):
        if name == "RE":
            result = VALUE.findall(values)[0].strip().lower()
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


def read_crossing(go: Any, value: str, number: int) -> int:
    if value == "" or (value == "tt" and go.size <= 19):
        return int(go.pass_action)
    letters = SGF_LETTERS[: go.size]
    if len(value) != 2 or set(value) - set(letters):
        raise PositionError(
            "move {} of the record, {}, is no crossing; accepted: two letters", number, quoted(value)
        )
    return int(go.place_of(letters.index(value[1]) * go.size + letters.index(value[0])))


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
