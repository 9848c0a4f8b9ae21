"""`gambito games` and `gambito algorithms`: what there is, and what fits what."""

from __future__ import annotations

from typing import Any

import click

import gambito
from gambito.cli import phrases
from gambito.cli.answer import Answer, answering
from gambito.game.registry import game_classes
from gambito.search.algorithm import COMMON
from gambito.search.algorithm import algorithms as every_algorithm
from gambito.search.describe import describe_algorithm, describe_game, describe_option


# ---- games -----------------------------------------------------------------------------------------
@click.command(short_help="What can be played.")
@click.argument("game", metavar="[GAME]", required=False)
@answering
def games(game: str | None) -> Answer:
    """The games: what they are, their parameters, and how their positions are written; or one of them.

    Parameters are given behind a colon: connect-four:width=9,height=7
    """
    asked = game_classes() if game is None else [game]
    described = [describe_game(name, gambito.load(name)) for name in asked]
    return Answer({"games": described}, "\n\n".join(map(_game_text, described)))


def _game_text(game: dict[str, Any]) -> str:
    facts = [
        ("traits", _trait_words(game["traits"])),
        ("positions", game["positions"]),
        ("heuristics", ", ".join(game.get("heuristics", ()))),
        ("parameters", ", ".join(f"{name}={value}" for name, value in game["parameters"].items())),
    ]
    return f"{click.style(game['name'], bold=True)}  {game['summary']}\n{phrases.rows(facts, indent=2)}"


def _trait_words(traits: dict[str, Any]) -> str:
    told = [
        f"{traits['players']} players" if traits["players"] > 1 else "a puzzle",
        "" if traits["players"] == 1 else "zero-sum" if traits["zero_sum"] else "not zero-sum",
        "with chance" if traits["chance"] else "",
        "with hidden information" if traits["hidden"] else "",
        "positions can come back" if traits["cycles"] else "",
        f"values {traits['lowest']} to {traits['highest']}" if traits["players"] > 1 else "",
        f"at most {traits['longest']} plies" if traits["longest"] is not None else "",
        "" if traits["compiles"] else "Python gear only",
    ]
    return " · ".join(filter(None, told))


# ---- algorithms ------------------------------------------------------------------------------------
@click.command(short_help="What can search, and what fits what.")
@click.argument("asked", metavar="[GAME | ALGORITHM]", required=False)
@answering
def algorithms(asked: str | None) -> Answer:
    """The algorithms: what they do, where they come from, their options, and which games they fit; or one of
    them.

    With a GAME: which of them fit it, and why the others do not.
    """
    known = every_algorithm()
    game = None if asked in known else asked
    games = {name: gambito.load(name) for name in ([game] if game is not None else game_classes())}
    chosen = [known[asked]] if asked in known else known.values()
    described = [describe_algorithm(algorithm, games) for algorithm in chosen]
    text = "\n\n".join(_algorithm_text(algorithm, game is not None) for algorithm in described)
    common = "\n".join(f"  {_option_words(describe_option(option))}" for option in COMMON)
    besides = f"Every algorithm that looks so many plies ahead takes besides\n{common}"
    return Answer({"algorithms": described, "games": list(games)}, f"{text}\n\n{besides}")


def _algorithm_text(algorithm: dict[str, Any], tells_why: bool) -> str:
    common = {option.name for option in COMMON}
    own = [option for option in algorithm["options"] if option["name"] not in common]
    facts = [
        ("source", algorithm["source"]),
        *(("option", _option_words(option)) for option in own),
        ("fits", ", ".join(algorithm["fits"])),
        *(("not", reason) for reason in algorithm["misfits"].values() if tells_why),
    ]
    head = f"{click.style(algorithm['name'], bold=True)}  {algorithm['summary']}"
    return f"{head}\n{phrases.rows(facts, indent=2)}"


def _option_words(option: dict[str, Any]) -> str:
    default = str(option["default"]).lower() if isinstance(option["default"], bool) else option["default"]
    return f"{option['name']}={default}: {option['about']} ({option['accepted']})"
