"""Collections of games as text: how to find each game and its result. It does not depend on any rules."""

from __future__ import annotations

import re
from collections.abc import Iterator

_POINTS = r"[0-9]{1,9}(?:\.[0-9]{1,9})?"
_SHARE = rf"{_POINTS}|1/2|½"
_SHARE_ALONE = re.compile(rf"1/2|½|{_POINTS}")
_ENDING = re.compile(
    rf"(?:^|(?<=[\s,;:]))(?:(?P<all>(?:{_SHARE})(?:[-–:](?:{_SHARE})){{1,15}})|(?P<lead>[+-]{_POINTS})|\*)\s*$"
)
_RESULT = re.compile(rf"\s*(?:{_SHARE})(?:\s*[-–:]\s*(?:{_SHARE})){{1,15}}\s*")


def decode(data: bytes) -> str:
    """The text of a file: UTF-8, or else Latin-1, the original encoding of PGN."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def split_lines(text: str) -> Iterator[str]:
    """One game per line; empty lines and lines that begin with # are skipped."""
    for line in text.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            yield line.strip()


def split_ending(text: str) -> tuple[str, float | None]:
    """A game without the result at its end, and the points of player 0 in that result: `f5d6c3 40-24`."""
    found = _ENDING.search(text)
    if found is None:
        return text, None
    moves = text[: found.start()].rstrip(" \t,:")
    if found["all"]:
        return moves, points_of(found["all"])
    return moves, _share(float(found["lead"])) if found["lead"] else None


def points_of(result: str) -> float | None:
    """The points of player 0 in `1-0`, `1/2-1/2`, `40-24` or `0-1-0`; None if the result has none.

    Among more than two, player 0 has 1 point if it alone has most, and ½ if it shares that.
    """
    if _RESULT.fullmatch(result) is None:
        return None
    parts = re.findall(_SHARE_ALONE, result)
    first, *others = (0.5 if part in ("1/2", "½") else float(part) for part in parts)
    return None if first == 0 == max(others) else _share(first - max(others))


def _share(lead: float) -> float:
    return 1.0 if lead > 0 else 0.0 if lead < 0 else 0.5
