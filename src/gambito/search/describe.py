"""Games and algorithms as plain data: summaries, parameters, options, and which of them fit together."""

from __future__ import annotations

import inspect
from typing import Any

from gambito.game.contract import Game
from gambito.game.puzzle import Puzzle, heuristic_names
from gambito.search.algorithm import Algorithm, Option
from gambito.words.sentence import Sentence

TRAITS = (
    "players", "zero_sum", "chance", "hidden", "cycles", "compiles",
    "lowest", "highest", "longest", "most_actions", "usual_depth",
)  # fmt: skip
MOVES = "The moves played, separated by spaces."
ROWS = Sentence("The board row by row, and the other fields; or the moves played, separated by spaces.")


def describe_game(name: str, game: Game) -> dict[str, Any]:
    return {
        "name": name,
        "summary": _first_sentence(type(game).__doc__),
        "traits": {trait: getattr(game, trait) for trait in TRAITS} | {"value": game.value.__name__},
        "parameters": game.parameters(),
        "positions": _positions(game),
        "initial": game.text(game.initial()),
        **({"heuristics": heuristic_names(game)} if isinstance(game, Puzzle) else {}),
    }


def _positions(game: Game) -> str:
    """What the game says of the texts of its positions."""
    kind = type(game)
    given = [
        rule for rule, usual in ((kind.parse, Game.parse), (kind.set_up, Game.set_up)) if rule is not usual
    ]
    if given:
        return _first_sentence(given[0].__doc__)
    return ROWS if game.text(game.initial()) else MOVES


def describe_algorithm(algorithm: Algorithm, games: dict[str, Game]) -> dict[str, Any]:
    reasons = {name: algorithm.misfit(game) for name, game in games.items()}
    return {
        "name": algorithm.name,
        "summary": algorithm.summary,
        "source": algorithm.source,
        "options": [describe_option(option) for option in algorithm.every_option()],
        "fits": [name for name, reason in reasons.items() if not reason],
        "misfits": {name: reason for name, reason in reasons.items() if reason},
    }


def describe_option(option: Option) -> dict[str, Any]:
    return {
        "name": option.name,
        "default": option.default,
        "about": option.about,
        "accepted": option.range(),
        "low": option.low,
        "high": option.high,
        "choices": list(option.choices),
    }


def _first_sentence(text: str | None) -> str:
    return " ".join(inspect.cleandoc(text or "").partition("\n\n")[0].split())
