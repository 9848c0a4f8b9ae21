"""A board in colour: whatever a game shows, with the two sides' marks and the last move set apart."""

from __future__ import annotations

from rich.text import Text

STONES = {"X": "bold bright_red", "O": "bold bright_cyan"}
EMPTY, CHANGED = "dim", "reverse"


def paint(board: str, before: str = "", indent: int = 2) -> Text:
    """The board as coloured text; what differs from the board `before` stands out, if both have one shape."""
    painted = Text()
    places = _changes(board, before)
    for number, line in enumerate(board.split("\n")):
        painted.append("\n" if number else "").append(" " * indent)
        for place, mark in enumerate(line):
            style = _style(line, place)
            painted.append(mark, f"{style} {CHANGED}".strip() if (number, place) in places else style)
    return painted


def _style(line: str, place: int) -> str:
    """Stones have their colours, empty cells and ruled lines are pale; an X in a word is no stone."""
    if set(line) <= set("-+| ") and "-" in line:
        return EMPTY
    mark, around = line[place], line[max(place - 1, 0) : place] + line[place + 1 : place + 2]
    if mark == "." and not any(c.isdigit() for c in around):
        return EMPTY
    return "" if any(c.islower() for c in around) else STONES.get(mark, "")


def _changes(board: str, before: str) -> set[tuple[int, int]]:
    """Where marks came or changed; nowhere if the boards have not one shape, or if much of it differs."""
    now, then = board.split("\n"), before.split("\n")
    if [len(line) for line in now] != [len(line) for line in then]:
        return set()
    cells = ((number, place) for number, line in enumerate(now) for place in range(len(line)))
    places = {(n, p) for n, p in cells if now[n][p] not in (then[n][p], " ")}
    return places if 4 * len(places) <= len(board) else set()
