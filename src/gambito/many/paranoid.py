"""Paranoid and best-reply search: the searches for two players, on a view in which the others play as one.

Paranoid: Sturtevant & Korf, On pruning techniques for multi-player games (2000). Best reply: Schadd &
Winands, Best-reply search for multi-player games (2011). Best reply plus: Esser, Gras, Winands, Schadd &
Lanctot, Improving best-reply search (2013). The views are in `game/coalitions.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gambito.game.coalitions import against, best_reply, best_reply_plus
from gambito.game.contract import Game
from gambito.search.algorithm import Algorithm, Fits
from gambito.search.classic import alpha_beta
from gambito.search.engine import algorithm as engine
from gambito.words.sentence import Sentence

MOST_PLAYERS = 64


def no_turns(game: Game) -> str:
    """Can players move out of turn?"""
    rule = type(game).give_turn
    if getattr(rule, "plain", rule) is Game.give_turn:
        return Sentence(
            "best-reply lets players move out of turn, and {} has no rule give_turn", game.label()
        )
    return ""


def _for_many(
    inner: Algorithm, view: Callable[[Game, int], Game], refuses: Callable[[Game], str], **about: str
) -> Algorithm:
    """A search for two players, on a view of games for three or more."""

    def refuses_both(game: Game) -> str:
        return refuses(game) or inner.fits.refuses(game)

    fits = Fits(players=tuple(range(3, MOST_PLAYERS + 1)), zero_sum=False, refuses=refuses_both)
    return replace(inner, view=view, fits=fits, **about)  # type: ignore[arg-type]


def _any(game: Game) -> str:
    return ""


VIEWS = (
    (
        "paranoid",
        against,
        _any,
        "all other players together against the one to move",
        "Sturtevant & Korf 2000",
    ),
    (
        "best-reply",
        best_reply,
        no_turns,
        "after each move only one of the others answers, whichever hurts most",
        "Schadd & Winands 2011",
    ),
    (
        "best-reply-plus",
        best_reply_plus,
        _any,
        "all others move, but only one of them chooses its answer",
        "Esser and others 2013",
    ),
)
ALGORITHMS = tuple(
    _for_many(inner.ALGORITHM, view, refuses, name=name + ending, summary=summary + how, source=source)
    for name, view, refuses, summary, source in VIEWS
    for inner, ending, how in ((alpha_beta, "", ""), (engine, "-engine", ", searched by the engine"))
)
