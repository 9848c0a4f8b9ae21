"""A board in colour: the text that a game shows, with the marks of both sides and the last move coloured."""

from __future__ import annotations

from rich.text import Text

STONES = {"X": "bold bright_red", "O": "bold bright_cyan"}
EMPTY, CHANGED = "dim", "reverse"


def paint(board: str, before: str = "", indent: int = 2) -> Text:
    """Return the board as coloured text. Differences from `before` are highlighted if the shape is equal."""
    painted = Text()
    places = _changes(board, before)
    for number, line in enumerate(board.split("\n")):
        painted.append("\n" if number else "").append(" " * indent)
        for place, mark in enumerate(line):
            style = _style(line, place)
            painted.append(mark, f"{style} {CHANGED}".strip() if (number, place) in places else style)
    return painted


def _style(line: str, place: int) -> str:
    """Return the style of a mark: stones have colours, empty cells and lines are dim.

    An X inside a word is not a stone.
    """
    if set(line) <= set("-+| ") and "-" in line:
        return EMPTY
    mark, around = line[place], line[max(place - 1, 0) : place] + line[place + 1 : place + 2]
    if mark == "." and not any(c.isdigit() for c in around):
        return EMPTY
    return "" if any(c.islower() for c in around) else STONES.get(mark, "")


def _changes(board: str, before: str) -> set[tuple[int, int]]:
    """Return the places that changed: none if the shapes differ, or if a large part of the board changed."""
    now, then = board.split("\n"), before.split("\n")
    if [len(line) for line in now] != [len(line) for line in then]:
        return set()
    cells = ((number, place) for number, line in enumerate(now) for place in range(len(line)))
    places = {(n, p) for n, p in cells if now[n][p] not in (then[n][p], " ")}
    return places if 4 * len(places) <= len(board) else set()
