"""The public tree of a spot: what both players see, as arrays; the hands are vectors at its nodes.

    kind[node]      0, 1: that player decides; CHANCE: a card follows; SHOWDOWN; FOLDED + player: who folded
    first[node]     its first child; its children follow each other
    count[node]     how many those are
    stake[node]     what the loser of a showdown, or who folds, loses beside the half of the pot;
                    at CHANCE, the probability of each card that neither player holds
    place[node]     where a decision's numbers begin: for each action a row of all hands
    card[node]      the card that was turned before it, or -1
    full[node]      at SHOWDOWN, the number of the full board

Before it is built, `measure` tells how large it will be.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from gambito.game_tools.poker.cards import DECK, card_name
from gambito.game_tools.poker.spots.spot import ALL_IN, Spot

CHANCE, SHOWDOWN, FOLDED = 2, 3, 4
RIVER = 5  # cards of a full board
TINY = 1e-9  # chips: less than that is rounding
BYTES = 8  # of a hand and action: a regret and the sum of its probabilities, four bytes each
NODE = 40


class Line(NamedTuple):
    """How far the bets are: on a street, and what the players have paid since the spot began."""

    player: int  # who acts
    paid: tuple[float, float]
    bets: int = 0  # and raises on this street
    step: float = 0.0  # the last of them: a raise is at least as large
    checked: bool = False  # has the first player checked?


class Option(NamedTuple):
    """An action: its name, and the line behind it, or None if the street ends."""

    name: str
    line: Line | None
    paid: tuple[float, float]
    folds: bool = False


def options(spot: Spot, line: Line) -> list[Option]:
    """The actions of the player to act."""
    player, paid, bets, step, checked = line
    mine, theirs = paid[player], paid[1 - player]
    found = []
    if theirs > mine:
        found.append(Option("fold", None, paid, folds=True))
    called = _with(paid, player, theirs)
    ends = bets > 0 or checked
    found.append(
        Option("call" if theirs > mine else "check", None if ends else Line(1, paid, checked=True), called)
    )
    if bets < spot.most and theirs < spot.stack - TINY:
        pot = spot.pot + 2 * theirs
        amounts = set()
        for size in spot.raises if bets else spot.bets:
            amount = spot.stack - theirs if size == ALL_IN else max(_whole(spot, size * pot), step)
            if amount > 0:
                amounts.add(round(min(amount, spot.stack - theirs), 6))
        for amount in sorted(amounts):
            total = _with(paid, player, theirs + amount)
            name = (
                "all-in"
                if total[player] >= spot.stack - TINY
                else f"{'raise' if bets else 'bet'} {total[player]:g}"
            )
            found.append(Option(name, Line(1 - player, total, bets + 1, amount), total))
    return found


def _whole(spot: Spot, amount: float) -> float:
    """An amount in whole chips."""
    return math.floor(amount / spot.chip + TINY) * spot.chip if spot.chip else amount


def _with(paid: tuple[float, float], player: int, amount: float) -> tuple[float, float]:
    return (amount, paid[1]) if player == 0 else (paid[0], amount)


@dataclass
class Size:
    """How large a tree is."""

    nodes: int = 0
    actions: int = 0  # of all decisions: rows of hands
    deepest: int = 0


def measure(spot: Spot) -> Size:
    """The size of a spot's tree, without building it."""
    size = Size()
    _measure(spot, Line(0, (0.0, 0.0)), len(spot.board), 1, 0, size)
    return size


def _measure(spot: Spot, line: Line, cards: int, copies: int, ply: int, size: Size) -> None:
    size.nodes += copies
    size.deepest = max(size.deepest, ply)
    for option in options(spot, line):
        size.actions += copies
        if option.line is not None:
            _measure(spot, option.line, cards, copies, ply + 1, size)
        elif option.folds:
            size.nodes += copies
        else:
            _measure_street(spot, option.paid, cards, copies, ply + 1, size)


def _measure_street(
    spot: Spot, paid: tuple[float, float], cards: int, copies: int, ply: int, size: Size
) -> None:
    """A street has ended with as many cards on the board."""
    if cards == RIVER:
        size.nodes += copies
    elif paid[0] >= spot.stack - TINY:  # nobody can bet any more
        size.nodes += copies
        size.deepest = max(size.deepest, ply + 1)
        _measure_street(spot, paid, cards + 1, copies * (DECK - cards), ply + 1, size)
    else:
        size.nodes += copies
        _measure(spot, Line(0, paid), cards + 1, copies * (DECK - cards), ply + 1, size)


@dataclass
class Tree:
    """The arrays of a tree, and the names of the actions that lead to its nodes."""

    hands: int
    kind: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    count: list[int] = field(default_factory=list)
    stake: list[float] = field(default_factory=list)
    place: list[int] = field(default_factory=list)
    card: list[int] = field(default_factory=list)
    full: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    boards: dict[tuple[int, ...], int] = field(default_factory=dict)  # full boards by their cards, sorted
    room: int = 0  # numbers of all decisions
    deepest: int = 0

    def add(self, name: str, card: int = -1) -> int:
        for array in (self.kind, self.first, self.count):
            array.append(0)
        for array in (self.place, self.full):
            array.append(-1)
        self.stake.append(0.0)
        self.card.append(card)
        self.names.append(name)
        return len(self.kind) - 1

    def children(self, node: int) -> range:
        return range(self.first[node], self.first[node] + self.count[node])

    @cached_property
    def parents(self) -> list[int]:
        """The parent of each node."""
        found = [0] * len(self.kind)
        for node in range(len(self.kind)):
            for child in self.children(node):
                found[child] = node
        return found

    def lines(self) -> Iterator[tuple[int, str]]:
        """Every decision with the actions and cards that lead to it."""
        waiting = [(0, "")]
        for node, path in waiting:  # the loop extends this list
            if self.kind[node] < CHANCE:
                yield node, path
            waiting += [(child, f"{path}, {self.names[child]}".lstrip(", ")) for child in self.children(node)]


def build(spot: Spot, hands: int) -> Tree:
    """The tree of a spot, for that many hands."""
    tree = Tree(hands)
    _decide(spot, tree, tree.add(""), Line(0, (0.0, 0.0)), spot.board, 0)
    return tree


def _decide(spot: Spot, tree: Tree, node: int, line: Line, board: tuple[int, ...], ply: int) -> None:
    tree.deepest = max(tree.deepest, ply)
    found = options(spot, line)
    children = [tree.add(option.name) for option in found]
    tree.kind[node], tree.first[node], tree.count[node] = line.player, children[0], len(children)
    tree.place[node] = tree.room
    tree.room += len(found) * tree.hands
    for child, option in zip(children, found, strict=True):
        if option.folds:
            tree.kind[child] = FOLDED + line.player
            tree.stake[child] = spot.pot / 2 + option.paid[line.player]
            tree.deepest = max(tree.deepest, ply + 1)
        elif option.line is not None:
            _decide(spot, tree, child, option.line, board, ply + 1)
        else:
            _end_street(spot, tree, child, option.paid, board, ply + 1)


def _end_street(
    spot: Spot, tree: Tree, node: int, paid: tuple[float, float], board: tuple[int, ...], ply: int
) -> None:
    tree.deepest = max(tree.deepest, ply)
    if len(board) == RIVER:
        number = tree.boards.setdefault(tuple(sorted(board)), len(tree.boards))
        tree.kind[node], tree.full[node], tree.stake[node] = SHOWDOWN, number, spot.pot / 2 + paid[0]
        return
    cards = [card for card in range(DECK) if card not in board]
    children = [tree.add(card_name(card), card) for card in cards]
    tree.kind[node], tree.first[node], tree.count[node] = CHANCE, children[0], len(children)
    tree.stake[node] = 1 / (DECK - len(board) - 4)
    for child, card in zip(children, cards, strict=True):
        if paid[0] >= spot.stack - TINY:
            _end_street(spot, tree, child, paid, (*board, card), ply + 1)
        else:
            _decide(spot, tree, child, Line(0, paid), (*board, card), ply + 1)
