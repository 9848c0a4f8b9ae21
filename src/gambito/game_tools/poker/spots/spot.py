"""A spot: a board, a pot, stacks, two ranges and the bets that are considered; read from a text.

    board: Ks Th 7s 4d 2c       three to five cards
    pot: 100                    chips in the middle
    stack: 300                  chips that each player has left
    first: 22+,A2s+,KTo+        the range of the player who acts first on every street
    second: random
    bets: 50% 100% all-in       sizes in per cent of the pot; all-in stands for what is left
    raises: 100% all-in         in per cent of the pot after a call; none: only calls and folds
    most: 3                     bets and raises on one street, at most
    chip: 1                     bets are rounded down to whole chips of this size; 0: they are not

The last four may be left out. A bet above the stack is one of the whole stack.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gambito.errors import PositionError, quoted
from gambito.game_tools.poker.cards import SETS, card_name, read_board, set_of
from gambito.game_tools.poker.ranges import read_range, write_range
from gambito.words.sentence import reason_of

NAMES = ("board", "pot", "stack", "first", "second", "bets", "raises", "most", "chip")
DEFAULTS = {"bets": "50% 100% all-in", "raises": "100% all-in", "most": "3", "chip": "0"}
ALL_IN = -1.0  # a size
MAX_CHARACTERS = 100_000  # characters of a file
MAX_BETS = 8
_NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,6})?")


@dataclass(frozen=True)
class Spot:
    """What a spot is made of."""

    board: tuple[int, ...]
    pot: float
    stack: float
    first: Any  # the weights of 1,326 hands
    second: Any
    bets: tuple[float, ...]  # shares of the pot, or ALL_IN
    raises: tuple[float, ...]
    most: int = 3
    chip: float = 0.0

    @property
    def ranges(self) -> tuple[Any, Any]:
        return self.first, self.second

    def __post_init__(self) -> None:
        if len(self.board) not in (3, 4, 5) or len(set(self.board)) != len(self.board):
            raise PositionError("a spot has a board of three to five cards, all different")
        if not self.pot > 0 or self.stack < 0:
            raise PositionError("a spot needs a pot above 0 and a stack that is not below 0")
        if not 0 <= self.most <= MAX_BETS:
            raise PositionError("a street has 0 to {} bets and raises, not {}", MAX_BETS, self.most)
        dead = set_of(self.board)
        one, other = ((SETS[weights > 0] & dead) == 0 for weights in self.ranges)
        if not one.any() or not other.any():
            raise PositionError("every hand of a range shares a card with the board")
        first, second = SETS[self.first > 0][one], SETS[self.second > 0][other]
        if not any(((second & held) == 0).any() for held in first):
            raise PositionError("the players cannot hold hands of these ranges at the same time")

    def text(self) -> str:
        """The text that `read_spot` reads as this spot."""
        sizes = [" ".join(_written(size) for size in each) or "none" for each in (self.bets, self.raises)]
        board = " ".join(map(card_name, self.board))
        numbers = [f"{number:g}" for number in (self.pot, self.stack, self.most, self.chip)]
        values = (board, *numbers[:2], *map(write_range, self.ranges), *sizes, *numbers[2:])
        return "".join(f"{name}: {value}\n" for name, value in zip(NAMES, values, strict=True))


def _written(size: float) -> str:
    return "all-in" if size == ALL_IN else f"{100 * size:.6f}".rstrip("0").rstrip(".") + "%"


def read_spot(text: str) -> Spot:
    """The spot that a text describes."""
    found: dict[str, str] = {}
    for line in text[:MAX_CHARACTERS].splitlines():
        line = line.partition("#")[0].strip()
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not line:
            continue
        if not colon or name not in NAMES:
            raise PositionError("{} is no line of a spot; accepted: {}", quoted(line), ", ".join(NAMES))
        if name in found:
            raise PositionError("a spot has one line {}, not two", quoted(name))
        found[name] = value
    held = {**DEFAULTS, **found}
    missing = [name for name in NAMES if name not in held]
    if missing:
        raise PositionError("the spot has no line {}; needed: {}", quoted(missing[0]), ", ".join(NAMES[:5]))
    most = _read_number(held["most"], "most")
    if most != int(most):
        raise PositionError("a street has 0 to {} bets and raises, not {}", MAX_BETS, held["most"])
    pot, stack = (_read_number(held[name], name) for name in ("pot", "stack"))
    board, first, second = read_board(held["board"]), read_range(held["first"]), read_range(held["second"])
    bets, raises = _read_sizes(held["bets"]), _read_sizes(held["raises"])
    chip = _read_number(held["chip"], "chip")
    return Spot(tuple(board), pot, stack, first, second, bets, raises, int(most), chip)


def load_spot(path: str | Path) -> Spot:
    """The spot in a file."""
    try:
        with open(path, encoding="utf-8") as file:
            return read_spot(file.read(MAX_CHARACTERS))
    except (OSError, UnicodeDecodeError, ValueError) as problem:
        if isinstance(problem, PositionError):
            raise
        raise PositionError("{} cannot be read: {}", path, reason_of(problem)) from None


def _read_number(text: str, name: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise PositionError("{} is no number of chips for {}", quoted(text), quoted(name))
    return float(text)


def _read_sizes(text: str) -> tuple[float, ...]:
    sizes = set()
    for word in text.replace(",", " ").split():
        if word.lower() in ("all-in", "allin"):
            sizes.add(ALL_IN)
        elif word.lower() != "none":
            number = word.removesuffix("%")
            if number == word or not _NUMBER.fullmatch(number) or not float(number):
                raise PositionError("{} is no size of a bet; accepted: 50%, all-in or none", quoted(word))
            sizes.add(float(number) / 100)
    return tuple(sorted(sizes, key=lambda size: (size == ALL_IN, size)))
