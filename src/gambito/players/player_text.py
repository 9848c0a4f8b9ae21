"""A player as one text: `random`, `level:strength=3`, `strongest:seconds=1`, `engine:depth=4,book=FILE`,
`strategy:FILE`, `blueprint`; `mine.py:MyPlayer`, a class of one's own, or `mine.py:my_search:depth=4`, an
algorithm of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gambito.errors import PlayerError
from gambito.players.custom import is_own, is_search, read_own, split_player
from gambito.players.kinds import KINDS
from gambito.players.levels import LevelPlayer
from gambito.players.opening_book import BOOK, read_opening
from gambito.players.player import Engine, GreedyPlayer, Player, RandomPlayer
from gambito.search.algorithm import algorithms, find
from gambito.search.limits import Limits
from gambito.words.sentence import Sentence

SIMPLE: dict[str, Callable[..., Player]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "level": LevelPlayer,
}
STRONGEST = "strongest"  # the player that uses the algorithm that plays the game best
LIMITS: dict[str, Callable[[str], Any]] = {"depth": int, "seconds": float, "nodes": int, "soft": float}


def read_player(text: str) -> Player:
    """Read the player that a text names."""
    name, given = split_player(text)
    if is_own(text) and not is_search(name):
        return read_own(text)
    if name in KINDS:
        player: Player = KINDS[name](text.strip())
        return player
    if not is_search(name) and name not in SIMPLE and name != STRONGEST:
        accepted = (*SIMPLE, *KINDS, STRONGEST, *algorithms())
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
    options = find(algorithm).read_options(said) if algorithm else {}
    chosen = {n: options[n] for n in said}
    engine = Engine(
        algorithm,
        Limits(**limits),
        gear,
        chosen,
        threads,
        text.strip(),
        evaluation=evaluation,
        opening=opening,
    )
    engine.limits.check()
    return engine


def _accepted(name: str) -> list[str]:
    """The settings that may follow a player's name."""
    if name in SIMPLE:
        return ["strength", "seed"] if name == "level" else ["seed"]
    options = () if name == STRONGEST else find(name).every_option()
    return [*LIMITS, "threads", "gear", "evaluation", *BOOK, *(option.name for option in options)]


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
