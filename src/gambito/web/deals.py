"""What Analyse tells about a deal of bridge: its results with open cards, and deals that a player imagines.

The results with open cards need every card. Imagined deals need only what one seat sees.
"""

from __future__ import annotations

import functools
from typing import Any

import gambito
from gambito.errors import PositionError
from gambito.game.contract import game_name
from gambito.game_tools.bridge.contracts import BOOK, SEATS, STRAINS, VULNERABLE
from gambito.game_tools.bridge.par import par
from gambito.game_tools.bridge.sampled import Sampled, sample
from gambito.game_tools.bridge.tables import DEALT, WHOLE, DoubleDummy, has_deals, results
from gambito.search.limits import Stop
from gambito.web.setup import drawn
from gambito.web.stream import Stream

DEALS, SHOWN, SEED = 20, 3, 1  # deals that are imagined, those that are told, and what draws them
MOVES, SECONDS = 2, 3.0  # of alpha-mu: own moves ahead, and the time it may take
TABLE_MEBIBYTES = 64  # MiB of a table


def open_deal(game: Any, state: Any) -> dict[str, Any]:
    """Return the tricks of every declarer in every strain, par, and the tricks of every card that may be
    played, for the side of its player."""
    deal = game.whole_deal(state) if has_deals(game) else ""
    if not deal:
        raise PositionError("open cards need a deal of bridge in which every hand is known")
    is_whole = game_name(type(game)) == DEALT
    told: dict[str, Any] = {"tricks": _results(deal), "par": None, "cards": _cards(game, state, is_whole)}
    if is_whole:
        best = par(told["tricks"], SEATS.index(game.dealer), VULNERABLE.index(game.vulnerable))
        by = SEATS[best.contract.declarer] if best.contract.level else ""
        told["par"] = {"points": best.points, "contract": str(best.contract), "by": by}
    return told


_results = functools.lru_cache(32)(results)  # the positions of one game have the same deal


def _cards(game: Any, state: Any, is_whole: bool) -> list[dict[str, Any]]:
    if game.is_terminal(state) or (is_whole and not game.is_play(state)):
        return []
    seat, found = int(state.mover), []
    strain = STRAINS[(int(state.bid) - 1) % 5] if is_whole else game.strain
    solver, here = DoubleDummy(strain, TABLE_MEBIBYTES), game.opened(state) if is_whole else state
    left = (int(solver.rules.plies_left(here)) + 3) // len(SEATS) + int(here.tricks)
    guess = None
    for card in solver.rules.legal(here):
        guess = solver.value(solver.rules.result(here, card), guess)
        is_first = (seat ^ int(here.side)) & 1 == 0
        found.append((card, guess if is_first else (WHOLE if is_whole else left) - guess))
    ranked = sorted(found, key=lambda each: -each[1])
    return [
        {"move": game.write(state, card), "tricks": tricks, **drawn(game, state, card)}
        for card, tricks in ranked
    ]


def imagined_deals(game: Any, seen: Any, seat: int, stream: Stream, stop: Stop) -> dict[str, Any]:
    """Return what every card takes in imagined deals, what one plan for all of them is worth, and some of
    the deals."""
    stream.tell({"phase": "preparing"})

    def tell(so_far: Sampled) -> None:
        if stream.is_due():
            stream.tell(_sampled(game, seen, seat, so_far, {}))

    found = sample(game, seen, seat, DEALS, SEED, stop, tell)
    stream.tell(_sampled(game, seen, seat, found, {}), whole=True)
    given: dict[str, Any] = {"worlds": DEALS, "seed": SEED, "moves": MOVES, "seconds": SECONDS, "stop": stop}
    planned = gambito.search(game, seen, "alpha-mu", **given)
    is_done = planned.depth == MOVES
    plans = {each.action: each.value for each in planned.candidates} if is_done else {}
    return _sampled(game, seen, seat, found, plans) | {"plan": is_done}


def _sampled(game: Any, seen: Any, seat: int, found: Sampled, plans: dict[int, Any]) -> dict[str, Any]:
    contract = game.contract(seen)
    is_declaring = (seat - contract.declarer) % 2 == 0
    goal = BOOK + contract.level if is_declaring else WHOLE + 1 - BOOK - contract.level
    count = len(found.deals)
    cards = [
        {
            "move": game.write(seen, each.card),
            "tricks": sum(each.tricks) / count,
            "reached": sum(tricks >= goal for tricks in each.tricks),
            "points": sum(each.points) / count,
            "plan": plans.get(each.card),
        }
        for each in found.cards
    ]
    shown: dict[tuple[str, ...], dict[str, Any]] = {}  # deals that ask for different cards
    for number, deal in enumerate(found.deals):
        most = max(each.tricks[number] for each in found.cards)
        best = [game.write(seen, each.card) for each in found.cards if each.tricks[number] == most]
        shown.setdefault(tuple(best), {"hands": game.hand_texts(deal), "tricks": most, "best": best})
    return {
        "deals": count,
        "goal": goal,
        "declaring": is_declaring,
        "cards": sorted(cards, key=lambda each: -each["points"]),
        "shown": [*shown.values()][:SHOWN],
    }
