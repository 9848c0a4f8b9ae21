"""Deals that fit what a player of bridge knows, and what every card takes in each of them with open cards.

They are the deals that `pimc` and `alpha-mu` imagine from the same seed. So the mean of a card's points is
what `pimc` says of it, and `alpha-mu` says what one plan for all these deals is worth.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gambito.errors import PositionError
from gambito.game.gears import gears
from gambito.game_tools.bridge.claims import tricks_left
from gambito.game_tools.bridge.contracts import STRAINS
from gambito.game_tools.bridge.tables import WHOLE, DoubleDummy
from gambito.hidden.determinized import likely_world
from gambito.native.random import new_random
from gambito.search.limits import Stop

TABLE_MEBIBYTES = 64  # MiB


class Card(NamedTuple):
    """What a card takes in each deal, for the side of its player."""

    card: int
    tricks: list[int]  # in all, those already won included
    points: list[int]


class Sampled(NamedTuple):
    """Deals, and the cards of the player to move."""

    deals: list[Any]  # states
    cards: list[Card]


def sample(
    game: Any,
    seen: Any,
    player: int,
    count: int,
    seed: int = 1,
    stop: Stop | None = None,
    tell: Callable[[Sampled], None] = lambda so_far: None,
) -> Sampled:
    """Value every card of the player to move in so many deals, or in those that are done at a stop; `tell`
    is called after each deal."""
    if not tricks_left(game, seen) or int(game.player(seen)) != player:
        raise PositionError("cards are valued in the play of bridge, for the player whose turn it is")
    solver = DoubleDummy(STRAINS[(int(seen.bid) - 1) % 5], TABLE_MEBIBYTES)
    seen, rng, deals = gears(game).cast(game.observe(seen, player)), new_random(seed), list[Any]()
    cards = [Card(card, [], []) for card in game.legal(seen)]
    for number in range(count):
        if number and stop is not None and stop.is_set():
            break
        deals.append(likely_world(game, seen, player, rng))
        guess = None
        for each in cards:
            after = game.result(deals[-1], each.card)
            guess = int(after.tricks) if game.is_terminal(after) else solver.value(game.opened(after), guess)
            points = int(game.points(after, guess))
            each.tricks.append(guess if player % 2 == 0 else WHOLE - guess)
            each.points.append(points if player % 2 == 0 else -points)
        tell(Sampled(deals, cards))
    return Sampled(deals, cards)
