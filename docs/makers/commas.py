"""Decimal commas in the prose and the tables of a page; code, commands, links and versions stay."""

from __future__ import annotations

import re

# Fenced, indented and quoted code, comments, targets of links, tags and addresses.
_CODE = re.compile(
    r"(```.*?```|(?m:^ {4}[^\n]*$)|`[^`\n]*`|<!--.*?-->|\]\([^)]*\)|<[^>\n]*>|https?://\S+)", re.DOTALL
)
_NUMBER = re.compile(r"(?<![\w.§:/,=])(?<!\d\+)(\d+)\.(\d+)(?!\w|\.\d|-\d|:)")
# After these words a number with a point is a version, or the number of a section.
_NAMES = (
    "§", "Python", "Numba", "NumPy", "PyTorch", "Gambito", "versión", "sección", "figura", "capítulo",
    "##", "CHESS", "DDS", "Backgammon", "Stockfish", "OpenSpiel", "ed.", "3.11,", "3.12 o", "Ray", "Dask",
    "endplay",
)  # fmt: skip


def with_commas(text: str) -> str:
    """The page with a decimal comma in every number that is not code or a name."""
    parts = _CODE.split(text)
    for place in range(0, len(parts), 2):
        parts[place] = _NUMBER.sub(_swapped, parts[place])
    return "".join(parts)


def _swapped(found: re.Match[str]) -> str:
    before = found.string[: found.start()].rstrip()
    return found[0] if before.endswith(_NAMES) else f"{found[1]},{found[2]}"
