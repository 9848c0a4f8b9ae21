"""`gambito games` and `gambito algorithms`: lists of games and algorithms, and which fit together."""

from __future__ import annotations

from typing import Any

import click

import gambito
from gambito.cli import phrases
from gambito.cli.command_result import CommandResult, answering
from gambito.game.contract import Game
from gambito.game.registry import game_classes
from gambito.search.algorithm import COMMON, Algorithm
from gambito.search.algorithm import algorithms as every_algorithm
from gambito.search.chooser import strongest
from gambito.search.describe import describe_algorithm, describe_game, describe_option
from gambito.words import say, tell

FAMILIES = {  # of algorithms, by the folder where they are
    "search.classic": "textbook",
    "search.engine": "engine",
    "search.monte_carlo": "simulation",
    "chance": "chance",
    "hidden": "hidden",
    "many": "several players",
    "puzzle": "puzzle",
}


# ---- games -----------------------------------------------------------------------------------------
@click.command(short_help="List the games.")
@click.argument("game", metavar="[GAME]", required=False)
@answering
def games(game: str | None) -> CommandResult:
    """List all games, or one of them: a summary, its parameters, and how its positions are written.

    Parameters follow the name after a colon: connect-four:width=9,height=7
    """
    asked = game_classes() if game is None else [game]
    described = [describe_game(name, gambito.load(name)) for name in asked]
    return CommandResult({"games": described}, "\n\n".join(map(_game_text, described)))


def _game_text(game: dict[str, Any]) -> str:
    facts = [
        (say("traits"), _trait_words(game["traits"])),
        (say("positions"), tell(game["positions"])),
        (say("heuristics"), ", ".join(game.get(say("heuristics"), ()))),
        (say("parameters"), ", ".join(f"{name}={value}" for name, value in game["parameters"].items())),
    ]
    return f"{click.style(game['name'], bold=True)}  {tell(game['summary'])}\n{phrases.rows(facts, indent=2)}"


def _trait_words(traits: dict[str, Any]) -> str:
    told = [
        say("{} players", traits["players"]) if traits["players"] > 1 else say("a puzzle"),
        "" if traits["players"] == 1 else say("zero-sum") if traits["zero_sum"] else say("not zero-sum"),
        say("with chance") if traits["chance"] else "",
        say("with hidden information") if traits["hidden"] else "",
        say("positions can repeat") if traits["cycles"] else "",
        say("values {} to {}", traits["lowest"], traits["highest"]) if traits["players"] > 1 else "",
        say("at most {0:,} {0:ply|plies}", traits["longest"]) if traits["longest"] is not None else "",
        "" if traits["compiles"] else say("Python gear only"),
    ]
    return " · ".join(filter(None, told))


# ---- algorithms ------------------------------------------------------------------------------------
@click.command(short_help="List the algorithms and the games that they fit.")
@click.argument("asked", metavar="[GAME | ALGORITHM]", required=False)
@click.option(
    "--all", "is_whole", is_flag=True, help="With a GAME: options too, and why the others do not fit."
)
@answering
def algorithms(asked: str | None, is_whole: bool) -> CommandResult:
    """List all algorithms, or one of them: a summary, its source, its options, and the games that it fits.

    With a GAME, the list names the algorithms that fit it. With --all it has all algorithms with their
    options, and says why the others do not fit.
    """
    known = every_algorithm()
    game = None if asked in known else asked
    games = {name: gambito.load(name) for name in ([game] if game is not None else game_classes())}
    chosen = [known[asked]] if asked in known else known.values()
    described = [describe_algorithm(algorithm, games) for algorithm in chosen]
    data = {"algorithms": described, "games": list(games)}
    if game is not None and not is_whole:
        return CommandResult(
            data, _fitting_text(game, games[game], [known[one["name"]] for one in described])
        )
    text = "\n\n".join(_algorithm_text(algorithm, game is not None) for algorithm in described)
    common = "\n".join(f"  {_option_words(describe_option(option))}" for option in COMMON)
    besides = say("Every algorithm that searches to a depth also accepts:\n{}", common)
    return CommandResult(data, f"{text}\n\n{besides}")


def _fitting_text(name: str, game: Game, known: list[Algorithm]) -> str:
    """The algorithms that fit a game, in few lines: by family."""
    families: dict[str, list[str]] = {}
    for algorithm in known:
        if not algorithm.misfit(game):
            place = getattr(algorithm.run, "func", algorithm.run).__module__.removeprefix("gambito.")
            family = next((word for folder, word in FAMILIES.items() if place.startswith(folder)), "others")
            families.setdefault(family, []).append(algorithm.name)
    fitting = sum(map(len, families.values()))
    rows = [(say(family), ", ".join(names)) for family, names in families.items()]
    head = say("{}  {} of {} algorithms fit", click.style(name, bold=True), fitting, len(known))
    best = say("; without a choice, {} searches", strongest(game)) if fitting else ""
    more = say("`gambito algorithms {} --all` tells their options, and why the others do not fit", name)
    return "\n".join([f"{head}{best}", phrases.rows(rows, indent=2), more])


def _algorithm_text(algorithm: dict[str, Any], tells_why: bool) -> str:
    common = {option.name for option in COMMON}
    own = [option for option in algorithm["options"] if option["name"] not in common]
    facts = [
        (say("source"), tell(algorithm["source"])),
        *((say("option"), _option_words(option)) for option in own),
        (say("fits"), ", ".join(algorithm["fits"])),
        *((say("not"), tell(reason)) for reason in algorithm["misfits"].values() if tells_why),
    ]
    head = f"{click.style(algorithm['name'], bold=True)}  {tell(algorithm['summary'])}"
    return f"{head}\n{phrases.rows(facts, indent=2)}"


def _option_words(option: dict[str, Any]) -> str:
    default = str(option["default"]).lower() if isinstance(option["default"], bool) else option["default"]
    return f"{option['name']}={default}: {tell(option['about'])} ({tell(option['accepted'])})"
