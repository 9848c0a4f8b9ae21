"""A player as one text: `random`, `level:strength=3`, `strongest:seconds=1`, `engine:depth=4,book=FILE`,
`strategy:FILE`, `blueprint`; `mine.py:MyPlayer`, a class of one's own, or `mine.py:my_search:depth=4`, an
algorithm of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gambito.errors import PlayerError
from gambito.players.booked import BOOK, read_opening
from gambito.players.levels import LevelPlayer
from gambito.players.own import is_own, is_search, read_own, split_player
from gambito.players.player import Engine, GreedyPlayer, Player, RandomPlayer
from gambito.players.strategic import read_strategic
from gambito.search.algorithm import algorithms, find
from gambito.search.limits import Limits
from gambito.words.sentence import Sentence


def _read_blueprint(text: str) -> Player:
    from gambito.players.blueprint import read_blueprint_player  # which needs more modules than a search

    return read_blueprint_player(text)


SIMPLE: dict[str, Callable[..., Player]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "level": LevelPlayer,
}
STRONGEST = "strongest"  # the player that uses the algorithm that plays the game best
# Kinds that are made from their whole text; other layers add theirs.
OTHERS: dict[str, Callable[[str], Player]] = {"strategy": read_strategic, "blueprint": _read_blueprint}
LIMITS: dict[str, Callable[[str], Any]] = {"depth": int, "seconds": float, "nodes": int, "soft": float}


def read_player(text: str) -> Player:
    """Read the player that a text names."""
    name, given = split_player(text)
    if is_own(text) and not is_search(name):
        return read_own(text)
    if name in OTHERS:
        return OTHERS[name](text.strip())
    if not is_search(name) and name not in SIMPLE and name != STRONGEST:
        accepted = (*SIMPLE, *OTHERS, STRONGEST, *algorithms())
        raise PlayerError(
            "unknown player '{}'; accepted: {}, or FILE.py:CLASS or FILE.py:FUNCTION",
            name,
            ", ".join(accepted),
        )
    said = _read_pairs(name, given, _accepted(name))
    if name in SIMPLE:
        return SIMPLE[name](**{n: _number(name, n, value, int) for n, value in said.items()})
    limits = {n: _number(name, n, said.pop(n), kind) for n, kind in LIMITS.items() if n in said}
    threads = _number(name, "threads", said.pop("threads", "1"), int)
    opening = read_opening(said)
    gear, evaluation = said.pop("gear", None), said.pop("evaluation", "")
    algorithm = None if name == STRONGEST else name
    said = find(algorithm).renamed(said) if algorithm else said
    options = find(algorithm).read_options(said) if algorithm else {}
    chosen = {n: options[n] for n in said}
    player = Engine(
        algorithm,
        Limits(**limits),
        gear,
        chosen,
        threads,
        text.strip(),
        evaluation=evaluation,
        opening=opening,
    )
    player.limits.check()
    return player


def _accepted(name: str) -> list[str]:
    """The settings that may follow a player's name."""
    if name in SIMPLE:
        return ["strength", "seed"] if name == "level" else ["seed"]
    options = () if name == STRONGEST else find(name).every_option()
    named = filter(None, (name for option in options for name in (option.name, option.formerly)))
    return [*LIMITS, "threads", "gear", "evaluation", *BOOK, *named]


def _read_pairs(name: str, given: str, accepted: list[str]) -> dict[str, str]:
    said: dict[str, str] = {}
    for part in filter(None, given.split(",")):
        key, equals, value = part.partition("=")
        if key not in accepted or not equals:
            raise PlayerError(
                "'{}' is not a setting of {}; accepted: {}=…", part, name, "=…, ".join(accepted)
            )
        said[key] = value
    return said


def _number(name: str, key: str, value: str, kind: Callable[[str], Any]) -> Any:
    try:
        return kind(value)
    except ValueError:
        wanted = Sentence("a whole number") if kind is int else Sentence("a number")
        raise PlayerError("{} of {} must be {}, not '{}'", key, name, wanted, value) from None
