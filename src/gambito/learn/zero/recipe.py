"""The settings of AlphaZero, and what a game needs to be learned this way."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from gambito.errors import EvaluationError
from gambito.evaluate.policy.encoding import GameSample, Layout, sample_games
from gambito.evaluate.policy.places import Grid, find_places
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.game.puzzle import Puzzle
from gambito.learn.wide_fit import choose_device
from gambito.learn.zero.search_trees import Search

METHOD = "alphazero"
AUTO, DENSE, RESIDUAL = "auto", "dense", "residual"
NETWORKS = (AUTO, DENSE, RESIDUAL)


@dataclass(frozen=True)
class ZeroRecipe:
    """The settings of the training of a policy and a value."""

    method: str = METHOD
    minutes: float = 20.0  # time of the training, if the rounds are not given
    rounds: int = 0  # rounds of the training; 0: as many as the minutes allow
    network: str = DENSE  # or residual, learned with PyTorch
    device: str = "cpu"  # or cuda: where a residual network learns and plays
    streams: int = 4  # as many processes can play
    games: int = 0  # of each stream in a round; 0: so many that they have about `DECISIONS` moves
    units: int = 256
    layers: int = 2
    channels: int = 16  # units that look at the surroundings of each cell of a board; 0: none
    free: int = 64  # units beside them that see everything
    views: bool = True  # positions are learned in the symmetric views that the rules allow
    effects: bool = True  # actions that change the same inputs are learned together
    blocks: int = 5  # of a residual network
    filters: int = 64  # channels of a residual network
    batch: int = 512
    reuse: float = 8.0  # times that a position is learned from, in the mean
    window: int = 500_000  # the most positions that are remembered; early on half of all
    rates: tuple[float, float] = (2e-3, 1e-4)  # learning rates at the beginning and at the end
    found: float = 0.5  # the share of the values that searches found in what the value learns
    contest: int = 20  # games against each opponent at every measurement; 0: none
    every: int = 10  # rounds between two measurements, if the rounds are given
    search: Search = field(default_factory=Search)


RESIDUALS: dict[str, Any] = {  # where a residual network differs
    "reuse": 4.0,
    "window": 2_000_000,
    "search": Search(loose=0.5),
}


# What can be set by name: the lowest and the highest value. Those of the second table are the search's.
SETTINGS = {
    "blocks": (1, 100), "filters": (1, 1024), "units": (1, 65536), "layers": (1, 16), "channels": (0, 1024),
    "free": (0, 65536), "batch": (1, 65536), "reuse": (0.01, 1000.0), "window": (1000, 100_000_000),
    "found": (0.0, 1.0),
}  # fmt: skip
SEARCHED = {
    "full": (1, 10_000), "cheap": (1, 10_000), "share": (0.01, 1.0), "considered": (1, 1024),
    "exploration": (0.0, 100.0), "trust": (0.0, 10_000.0), "sharpness": (0.0, 100.0), "loose": (0.0, 1.0),
}  # fmt: skip
ALL_SETTINGS = (*SETTINGS, *SEARCHED)


def read_zero_recipe(game: Game, settings: Mapping[str, str] | None = None, **said: Any) -> ZeroRecipe:
    """The usual recipe with the given changes; refuse games that cannot be learned this way.

    `network` is dense, residual or auto: residual where the game has a board and there is a GPU. `settings`
    are numbers by name, as text.
    """
    recipe = _chosen_recipe(game, **said)
    given = {name: read_setting(name, text) for name, text in (settings or {}).items()}
    searched = {name: number for name, number in given.items() if name in SEARCHED}
    others = {name: number for name, number in given.items() if name in SETTINGS}
    return replace(recipe, **others, search=replace(recipe.search, **searched))


def read_setting(name: str, text: str) -> Any:
    """The value of a setting."""
    if name not in SETTINGS and name not in SEARCHED:
        raise EvaluationError("{} has no setting {}: choose from {}", METHOD, name, ", ".join(ALL_SETTINGS))
    low, high = (SETTINGS if name in SETTINGS else SEARCHED)[name]
    try:
        number = type(low)(text)
    except ValueError:
        number = math.nan
    if not low <= number <= high:
        kind = "a whole number" if isinstance(low, int) else "a number"
        raise EvaluationError("{} must be {} from {} to {}, not {}", name, kind, low, high, text)
    return number


def _chosen_recipe(game: Game, **said: Any) -> ZeroRecipe:
    """The recipe of the network that suits the game and the device."""
    if isinstance(game, Puzzle):
        raise EvaluationError("{} is for games, and {} is a puzzle", METHOD, game.label())
    if game.hidden:
        raise EvaluationError("{} needs the whole state, and {} hides a part of it", METHOD, game.label())
    given = {name: value for name, value in said.items() if value is not None}
    unknown = given.keys() - ZeroRecipe.__dataclass_fields__.keys()
    if unknown:
        raise EvaluationError("{} has no setting {}", METHOD, ", ".join(sorted(unknown)))
    network, wanted = given.pop("network", AUTO), given.pop("device", AUTO)
    if network not in NETWORKS:
        raise EvaluationError("network must be one of {}, not {}", ", ".join(NETWORKS), network)
    device = "cpu" if network == DENSE and wanted == AUTO else choose_device(wanted)
    if network == RESIDUAL or (network == AUTO and device == "cuda"):
        if has_grid(game):
            return ZeroRecipe(**{**RESIDUALS, "network": RESIDUAL, "device": device, **given})
        if network == RESIDUAL:
            raise EvaluationError("{} has no board that a residual network could look at", game.label())
    if wanted == "cuda":
        raise EvaluationError(
            "the network of {} is dense and learns on the processor: --device cpu", game.label()
        )
    return ZeroRecipe(**given)


def has_grid(game: Game) -> bool:
    """Do the inputs of a game's network lie on a board?"""
    gear = gear_of(game)
    seen = look(game, gear, 0)
    places = find_places(game, seen.sight, seen.packed, seen.movers)
    try:
        return places is not None and Grid(places) is not None
    except ValueError:
        return False


def gear_of(game: Game) -> str:
    """The native gear, if the states can be stored by compiled code."""
    return "native" if gears(game).default() == "native" and Layout(game).is_stored else "python"


def look(game: Game, gear: str, seed: int) -> GameSample:
    """What random games show; refuse a game whose games never end."""
    seen = sample_games(game, gear, seed) if gear == "native" else sample_games(game, gear, seed, 40, 4000)
    if seen.is_endless:
        raise EvaluationError(
            "no random game of {} came to an end, so nothing can be learned from results", game.label()
        )
    return seen
