"""Hold'em: the player with a blueprint against players by rule, every deal played from both seats.

    python bench/holdem.py --deals 20000 --resolve 0

The players by rule: one always calls, one always makes the largest bet below all-in that it may, and the last
is tight and aggressive: before the flop it raises the fifth of hands with the most equity and calls
with the next tenth, afterwards it bets what beats seven hands in ten and calls with what beats half of them.
The winnings are chips a hand (a big blind is two), with the standard error over deals. The run fails if they
are not more than three standard errors above zero.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
from report import Requirement, text_table

import gambito
from gambito import CHANCE
from gambito.game_tools.poker.cards import CLASS_OF, CLASSES, DECK, hand_of, set_of
from gambito.game_tools.poker.preflop import preflop
from gambito.games.holdem.buckets import share_beaten
from gambito.players.blueprint import BlueprintPlayer

DEALS, ERRORS = 400, 3.0
RAISED, CALLED = 0.2, 0.3  # shares of hands before the flop
STRONG, FAIR = 0.7, 0.5  # shares of hands that are beaten after it


def best(actions: list[int], names: list[str]) -> int:
    """The largest bet or raise below all-in; else all-in, or a call."""
    sized = [a for a, n in zip(actions, names, strict=True) if n.startswith(("bet", "raise"))]
    if sized:
        return sized[-1]
    return actions[-1]


def always_call(game: Any, state: Any) -> int:
    names = {game.write(state, action): action for action in game.legal(state)}
    return names.get("call", names.get("check", 0))


def always_raise(game: Any, state: Any) -> int:
    actions = game.legal(state)
    return best(actions, [game.write(state, action) for action in actions])


def ranked_classes() -> Any:
    """For each class, the share of hands that have more equity against any other."""
    table = preflop()
    share = (table.equity() * table.pairs).sum(1) / table.pairs.sum(1)
    dealt = np.bincount(CLASS_OF, minlength=CLASSES) / len(CLASS_OF)
    return np.array([dealt[share > share[each]].sum() for each in range(CLASSES)])


class Tight:
    """Tight and aggressive."""

    def __init__(self) -> None:
        self.rank = ranked_classes()

    def __call__(self, game: Any, state: Any) -> int:
        actions = game.legal(state)
        names = [game.write(state, action) for action in actions]
        cards = [card - 1 for card in game.hand_cards(state, game.player(state))]
        board = game.board_cards(state)
        if not board:
            place = self.rank[CLASS_OF[hand_of(*cards)]]
            is_strong, is_fair = place < RAISED, place < CALLED
        else:
            share = share_beaten(set_of(cards), set_of(card - 1 for card in board))
            is_strong, is_fair = share > STRONG, share > FAIR
        if is_strong:
            return best(actions, names)
        return actions[names.index("check")] if "check" in names else actions[1 if is_fair else 0]


def play(game: Any, deck: list[int], choosers: list[Callable[[Any, Any], int]]) -> float:
    """What the first seat wins in one hand."""
    state, cards = game.initial(), iter(deck)
    while not game.is_terminal(state):
        player = game.player(state)
        action = next(cards) if player == CHANCE else choosers[player](game, game.observe(state, player))
        state = game.result(state, action)
    return float(game.utility(state, 0))


def duel(game: Any, other: Callable[[Any, Any], int], deals: int, resolve: bool) -> tuple[float, float]:
    """What the blueprint wins a hand, and the standard error, every deal from both seats."""
    player = BlueprintPlayer(1, resolve)
    player.begin(game)

    def own(rules: Any, seen: Any) -> int:
        chosen = player.choose(rules, seen).action
        assert chosen is not None
        return chosen

    won = []
    for number in range(deals):
        deck = random.Random(number).sample(range(DECK), 9)
        won.append((play(game, deck, [own, other]) - play(game, deck, [other, own])) / 2)
    return statistics.fmean(won), statistics.stdev(won) / math.sqrt(deals)


def measure(deals: int, resolve: bool) -> list[Requirement]:
    game, table, met = gambito.load("holdem"), [], []
    others = {"always calls": always_call, "always raises": always_raise, "tight and aggressive": Tight()}
    for name, other in others.items():
        mean, error = duel(game, other, deals, resolve)
        table.append([name, f"{2 * deals:,}", f"{mean:+.3f} ± {error:.3f}", f"{50 * mean:+.1f}"])
        met.append(Requirement(f"{name}: standard errors above zero", mean / error, least=ERRORS))
        print(table[-1], flush=True)
    print(text_table(["against", "hands", "chips a hand", "big blinds a hundred"], table))
    return met


def run(args: argparse.Namespace) -> list[Requirement]:
    return measure(DEALS, resolve=False)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--resolve", type=int, default=0)
    asked = parser.parse_args()
    for requirement in measure(asked.deals, bool(asked.resolve)):
        print(requirement)
