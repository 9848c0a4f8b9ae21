"""Hand histories of hold'em: a hand as poker rooms write it, line by line, and read again.

    Hold'em No Limit (1/2)
    Seat 1: 40 chips [As Kd]
    Seat 2: 40 chips [Qh Qc]
    *** HOLE CARDS ***
    Seat 1: raises to 6
    Seat 2: calls
    *** FLOP *** [Ks 7d 2c]
    Seat 2: checks
    …
    *** SUMMARY ***
    Seat 1: +6

It asks the rules what may be done, and does not know them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from gambito.errors import PositionError
from gambito.game.contract import CHANCE, Game, quoted
from gambito.game.records import decode
from gambito.game_tools.poker.cards import card_name, read_cards

HEAD = "Hold'em"
STREETS = ("HOLE CARDS", "FLOP", "TURN", "RIVER")
SUMMARY = "*** SUMMARY ***"
SAID = {"fold": "folds", "check": "checks", "call": "calls", "all-in": "is all-in"}
_SEAT = re.compile(r"Seat ([1-9]): [0-9]{1,9} chips(?: \[([^\]]*)\])?")
_STREET = re.compile(r"\*\*\* (HOLE CARDS|FLOP|TURN|RIVER) \*\*\*(?: \[([^\]]*)\])?")
_MOVE = re.compile(r"Seat ([1-9]): (folds|checks|calls|is all-in|bets ([0-9]{1,9})|raises to ([0-9]{1,9}))")


class History(Game):
    """How whole hands are written."""

    seats: int
    chips: int
    hole: int
    limit: bool

    def write_game(self, start: Any, actions: Iterable[int]) -> str:
        """A hand history; a hand that begins in the middle is written as its moves."""
        chosen = list(actions)
        if start != self.initial():
            return super().write_game(start, chosen)
        names = [[card_name(a) for a in chosen[2 * n : 2 * n + 2]] for n in range(self.seats)]
        lines = [f"{HEAD} {'Limit' if self.limit else 'No Limit'} (1/2)"]
        for seat, cards in enumerate(names):
            lines.append(f"Seat {seat + 1}: {self.chips} chips" + (f" [{' '.join(cards)}]" if cards else ""))
        state, shown = start, list[str]()
        for number, action in enumerate(chosen, 1):
            if self.player(state) != CHANCE:
                lines.append(f"Seat {self.player(state) + 1}: {_said(self.write(state, action))}")
            shown += [card_name(action)] * (self.player(state) == CHANCE and number > self.hole)
            state = self.result(state, action)
            if number == self.hole:
                lines.append(f"*** {STREETS[0]} ***")
            if shown and (state.dealt - self.hole >= 3 or number == len(chosen)):
                street = STREETS[max(1, int(state.dealt) - self.hole - 2)]
                lines.append(f"*** {street} *** [{' '.join(shown)}]")
                shown = []
        if self.is_terminal(state):
            lines.append(SUMMARY)
            lines += [f"Seat {n + 1}: {self.utility(state, n):+g}" for n in range(self.seats)]
        return "\n".join(lines)

    def read_game(self, text: str) -> tuple[Any, list[int]]:
        """A hand history, or a position in brackets and moves."""
        if not text.lstrip().startswith(HEAD):
            return super().read_game(text)
        state, actions = self.initial(), list[int]()
        for line in filter(None, map(str.strip, text.strip().splitlines()[1:])):
            if line == SUMMARY:
                break
            for action in self._read_line(state, line):
                if action not in self.legal(state):
                    raise PositionError("{} cannot follow in this hand", quoted(line))
                actions.append(action)
                state = self.result(state, action)
        return self.initial(), actions

    def _read_line(self, state: Any, line: str) -> list[int]:
        """The actions of a line, in a state."""
        is_deal = self.player(state) == CHANCE
        dealt, street, move = (form.fullmatch(line) for form in (_SEAT, _STREET, _MOVE))
        if dealt is not None or (street is not None and is_deal):
            return read_cards((dealt or street)[2] or "")  # type: ignore[index]
        if street is not None and street[1] == STREETS[0]:
            return []
        if move is not None and not is_deal and not self.is_terminal(state):
            if int(move[1]) != self.player(state) + 1:
                raise PositionError(
                    "{} is not that seat's turn: seat {} acts", quoted(line), self.player(state) + 1
                )
            amount = move[3] or move[4]
            known = {said: name for name, said in SAID.items()}
            name = f"{'bet' if move[3] else 'raise'} {amount}" if amount else known[move[2]]
            return [self.read(state, name)]
        raise PositionError("{} cannot follow in this hand", quoted(line))

    def split_games(self, data: bytes) -> Iterable[str]:
        """The hands of a collection: each begins with its head; else one on each line."""
        text = decode(data)
        if HEAD not in text:
            return super().split_games(data)
        return [HEAD + hand for hand in text.split(HEAD)[1:]]

    def read_record(self, text: str) -> tuple[Any, list[int], float | None]:
        if not text.lstrip().startswith(HEAD):
            return super().read_record(text)
        return (*self.read_game(text), None)


def _said(name: str) -> str:
    """A move as a history says it."""
    kind, _, amount = name.partition(" ")
    return SAID.get(name, f"bets {amount}" if kind == "bet" else f"raises to {amount}")
