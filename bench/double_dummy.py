"""Double dummy beside DDS (`endplay`): one board and its value, by the number of cards, in one run.

python bench/double_dummy.py --boards 40 --cards 8 10 12 13
"""

from __future__ import annotations

import argparse
import random
import time

import endplay._dds as dds

from gambito.game_tools.bridge.tables import DoubleDummy

STRAINS = ("C", "D", "H", "S", "NT")
RANKS = "23456789TJQKA"
DDS_SEATS, DDS_STRAINS = (2, 3, 0, 1), {"S": 0, "H": 1, "D": 2, "C": 3, "NT": 4}


def position(hands: list[list[int]], leader: int) -> str:
    """A position of `bridge-play`; hands are those of South, West, North and East."""
    told = [
        ".".join(
            "".join(RANKS[c % 13] for c in sorted(hand, reverse=True) if c // 13 == s) for s in (3, 2, 1, 0)
        )
        for hand in (*hands[leader:], *hands[:leader])
    ]
    return f"{'SWNE'[leader]}:{' '.join(told)}"


def by_dds(hands: list[list[int]], leader: int, strain: str) -> tuple[int, float]:
    """The tricks of the leader's side, and the processor time."""
    board = dds.deal()
    board.trump, board.first = DDS_STRAINS[strain], DDS_SEATS[leader]
    for seat, hand in enumerate(hands):
        for suit in range(4):
            cards = sum(4 << card % 13 for card in hand if card // 13 == suit)
            board.remainCards[DDS_SEATS[seat]][3 - suit] = cards
    found = dds.futureTricks()
    began = time.process_time()
    dds.SolveBoard(board, -1, 1, 1, found, 0)
    return found.score[0], time.process_time() - began


def by_gambito(text: str, strain: str) -> tuple[int, float, int]:
    """The tricks of the leader's side, the processor time with an empty table, and the nodes."""
    state = DoubleDummy(strain).rules.parse(text)
    began = time.process_time()
    solver = DoubleDummy(strain, 64)
    tricks = solver.value(state)
    return tricks, time.process_time() - began, solver.nodes


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--boards", type=int, default=40)
    asked.add_argument("--cards", type=int, nargs="+", default=[5, 8, 10, 12, 13])
    given = asked.parse_args()
    by_gambito("N:A... K... Q... J...", "NT")  # compiles
    for cards in given.cards:
        rng, ours, theirs, nodes, wrong = random.Random(cards), 0.0, 0.0, 0, 0
        for number in range(given.boards):
            deck = rng.sample(range(52), 4 * cards)
            hands = [deck[cards * n : cards * (n + 1)] for n in range(4)]
            strain, leader = STRAINS[number % 5], number % 4
            tricks, seconds, visited = by_gambito(position(hands, leader), strain)
            peer, peer_seconds = by_dds(hands, leader, strain)
            ours, theirs, nodes = ours + seconds, theirs + peer_seconds, nodes + visited
            wrong += tricks != peer
        each = 1000 / given.boards
        times = f"{ours * each:.2f} ms, DDS {theirs * each:.2f} ms, ratio {ours / theirs:.2f}"
        print(f"{cards:2} cards: {wrong} wrong of {given.boards}; {times}; {nodes // given.boards:,} nodes")


if __name__ == "__main__":
    main()
