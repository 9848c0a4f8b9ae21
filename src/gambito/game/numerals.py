"""Whole numbers in texts of positions, moves and files: plain digits, in a known range."""

from __future__ import annotations


def read_whole(text: str, most: int, least: int = 0) -> int | None:
    """The number that plain digits write, if it is in the range; else None, also for ², ٣ or 5,000 digits."""
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    number = int(digits) if len(digits) <= len(str(most)) else most + 1
    return number if least <= number <= most else None
