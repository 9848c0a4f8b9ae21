"""Ranges of hands as people write them: `22+, A2s+, KTo+, 99-66, AhKd, QQ:0.5`; it knows no board.

    AA  AKs  AKo  AK         a pair; suited; of two suits; both
    22+  A2s+                that hand, and those with a higher pair, or a higher second card
    99-66  A5s-A2s  T9s-65s  from one hand to the other: pairs, second cards, or both cards in step
    AhKd                     one hand
    AA:0.5                   a weight from 0 to 1: the share of these hands that is in the range
    random                   every hand; so is *

A range is an array of 1,326 weights, one for each hand. A later part of the text has the last word.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from gambito.errors import PositionError, quoted
from gambito.game_tools.poker.cards import (
    CLASS_OF,
    CLASSES,
    HANDS,
    RANK,
    RANKS,
    class_name,
    hand_name,
    hand_of,
    read_cards,
)

ALL = ("random", "*")
_SHAPE = re.compile(f"([{RANKS}])([{RANKS}])([so]?)", re.IGNORECASE)
_WEIGHT = re.compile(r"[0-9]{0,3}(\.[0-9]{1,9})?")
ACCEPTED = "22+, A2s+, KTo+, 99-66, AhKd, QQ:0.5 or random"


def read_range(text: str) -> Any:
    """The weights of a range."""
    weights = np.zeros(HANDS)
    for part in text.replace(",", " ").split():
        name, colon, share = part.partition(":")
        weight = _read_weight(share, part) if colon else 1.0
        weights[_hands(name, part)] = weight
    if not weights.any():
        raise PositionError("{} is a range without hands; accepted: {}", quoted(text), ACCEPTED)
    return weights


def _read_weight(text: str, part: str) -> float:
    if not _WEIGHT.fullmatch(text) or not text or float(text) > 1:
        raise PositionError("{} has no weight from 0 to 1", quoted(part))
    return float(text)


def _hands(name: str, part: str) -> list[int]:
    """The hands that a part of a range names."""
    if name.lower() in ALL:
        return list(range(HANDS))
    if len(name) == 4 and _SHAPE.fullmatch(name[:3]) is None and "+" not in name and "-" not in name:
        return [hand_of(*read_cards(name))]
    begin, dash, end = name.partition("-")
    shape = _read_shape(begin.removesuffix("+"), part)
    if dash:
        if begin.endswith("+"):
            raise _problem(part)
        shapes = _between(shape, _read_shape(end, part), part)
    elif begin.endswith("+"):
        upper, lower, kind = shape
        highest = RANK if upper == lower else upper
        shapes = [(r if upper == lower else upper, r, kind) for r in range(lower, highest)]
    else:
        shapes = [shape]
    wanted = {number for each in shapes for number in _classes(*each)}
    return [hand for hand in range(HANDS) if int(CLASS_OF[hand]) in wanted]


def _problem(part: str) -> PositionError:
    return PositionError("{} is no part of a range; accepted: {}", quoted(part), ACCEPTED)


def _read_shape(text: str, part: str) -> tuple[int, int, str]:
    """The higher rank, the lower one, and `s`, `o` or nothing."""
    found = _SHAPE.fullmatch(text)
    if found is None:
        raise _problem(part)
    ranks = sorted(RANKS.index(letter.upper()) for letter in found.groups()[:2])
    if ranks[0] == ranks[1] and found[3]:
        raise PositionError("{} is impossible: the two cards of a pair have different suits", quoted(part))
    return ranks[1], ranks[0], found[3].lower()


def _between(one: tuple[int, int, str], other: tuple[int, int, str], part: str) -> list[tuple[int, int, str]]:
    """The shapes from one to the other: the same higher card, or the same distance."""
    (upper, lower, kind), (end_upper, end_lower, end_kind) = sorted((one, other), reverse=True)
    same_gap, same_upper = upper - lower == end_upper - end_lower, upper == end_upper
    if kind != end_kind or not (same_gap or same_upper):
        raise PositionError(
            "{} does not go from one hand to the other; accepted: 99-66, A5s-A2s or T9s-65s", quoted(part)
        )
    if same_gap:
        return [(upper - step, lower - step, kind) for step in range(lower - end_lower + 1)]
    return [(upper, rank, kind) for rank in range(end_lower, lower + 1)]


def _classes(upper: int, lower: int, kind: str) -> list[int]:
    row, column = RANK - 1 - upper, RANK - 1 - lower
    if row == column:
        return [RANK * row + row]
    return [RANK * row + column] * (kind != "o") + [RANK * column + row] * (kind != "s")


def write_range(weights: Any) -> str:
    """A text that `read_range` reads as these weights: classes where all their hands weigh the same."""
    parts = []
    for number in range(CLASSES):
        hands = np.flatnonzero(number == CLASS_OF)
        if (weights[hands] == weights[hands[0]]).all():
            parts += [_weighed(class_name(number), weights[hands[0]])] * bool(weights[hands[0]])
        else:
            parts += [_weighed(hand_name(int(hand)), weights[hand]) for hand in hands if weights[hand]]
    return ",".join(parts)


def _weighed(name: str, weight: float) -> str:
    return name if weight == 1 else f"{name}:{weight:.6f}".rstrip("0")
