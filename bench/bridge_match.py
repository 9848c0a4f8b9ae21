"""PIMC against a greedy player of cards at bridge, on duplicate boards: the difference in tricks.

    python bench/bridge_match.py --boards 20 --worlds 8

Both sides bid by the system. At one table PIMC sits South and North, at the other West and East, with the
same cards and the same auction. The greedy player leads its highest card of the longest suit, wins as
cheaply as it can unless its partner wins already, and else plays its lowest card.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from typing import Any

import gambito
from gambito.games.tricks.cards import RANK as RANKS
from gambito.games.tricks.cards import SEATS, card_at, trick_of, trick_size, trick_winner

game: Any = gambito.load("bridge")


def dealt(rng: random.Random) -> Any:
    """A board after its auction; boards that are passed out are dealt again."""
    while True:
        state = game.initial()
        while game.player(state) < 0:
            state = game.result(state, rng.choice(game.legal(state)))
        while not game.is_terminal(state) and not game.is_play(state):
            state = game.result(state, game.agreed(game.observe(state, state.mover), state.mover))
        if game.is_play(state):
            return state


def greedy(state: Any) -> int:
    cards, hand = game.legal(state), int(game.hand(state, state.mover))
    size = len(on_table(state))
    if size == 0:
        lengths = [(hand >> RANKS * suit & (1 << RANKS) - 1).bit_count() for suit in range(4)]
        longest = max(range(4), key=lambda suit: lengths[suit])
        return max(card for card in cards if card // RANKS == longest)
    winning = [card for card in cards if wins(state, card)]
    if not is_partners(state) and winning:
        return min(winning, key=lambda card: card % RANKS)
    return min(cards, key=lambda card: (card // RANKS == int(game.trump(state)), card % RANKS))


def on_table(state: Any) -> list[int]:
    """The cards of the trick that is being played."""
    size = int(trick_size(state.trick))
    return [int(card_at(state.trick, place)) for place in range(size % SEATS)]


def best_place(state: Any, cards: list[int]) -> int:
    return int(trick_winner(trick_of(cards), game.trump(state)))


def wins(state: Any, card: int) -> bool:
    cards = [*on_table(state), card]
    return best_place(state, cards) == len(cards) - 1


def is_partners(state: Any) -> bool:
    cards = on_table(state)
    return len(cards) >= 2 and best_place(state, cards) == len(cards) - 2


def played(state: Any, thinker: int, worlds: int, algorithm: str) -> int:
    """The tricks of South and North, if one side thinks (0: theirs) and the other is greedy."""
    session = gambito.Session()
    while not game.is_terminal(state):
        player = int(game.player(state))
        if len(game.legal(state)) == 1:
            action = game.legal(state)[0]
        elif player % 2 == thinker:
            seen = game.observe(state, player)
            action = gambito.search(game, seen, algorithm, worlds=worlds, session=session).action
        else:
            action = greedy(state)
        state = game.result(state, action)
    return int(state.tricks)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--boards", type=int, default=20)
    asked.add_argument("--worlds", type=int, default=8)
    asked.add_argument("--algorithm", default="pimc")
    asked.add_argument("--seconds", type=float, default=600.0)
    given = asked.parse_args()
    rng, gained, began = random.Random(28), list[int](), time.perf_counter()
    for _ in range(given.boards):
        state = dealt(rng)
        asked_of = (given.worlds, given.algorithm)
        gained.append(played(state, 0, *asked_of) - played(state, 1, *asked_of))
        if time.perf_counter() - began > given.seconds:
            break
    error = statistics.stdev(gained) / math.sqrt(len(gained)) if len(gained) > 1 else math.inf
    told = f"{statistics.mean(gained):+.2f} ± {error:.2f} tricks a board, {len(gained)} boards"
    print(f"{given.algorithm}, {given.worlds} worlds: {told}")


if __name__ == "__main__":
    main()
