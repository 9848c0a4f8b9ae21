"""The games and algorithms as the page shows them, and the games that clients may name."""

from __future__ import annotations

import functools
from typing import Any

import gambito
from gambito.errors import GameError
from gambito.evaluate.compare import evaluations_of
from gambito.evaluate.files import USUAL as USUAL_EVALUATION
from gambito.game.contract import game_name
from gambito.game.puzzle import Puzzle
from gambito.game.registry import game_classes
from gambito.game_tools.bridge.tables import has_deals
from gambito.native import process
from gambito.players.levels import LEVELS
from gambito.search.algorithm import Algorithm, PuzzleSearch, algorithms
from gambito.search.chooser import lesson, strongest
from gambito.search.custom import offer
from gambito.search.describe import describe_algorithm, describe_game
from gambito.web.cost import make_within_limits
from gambito.web.networks import OPTION, listed, networks_of
from gambito.web.server_limits import ServerLimits

DEFAULT_GAME = "connect-four"  # the game that a page begins with, if no game was named on the command line
MOST_GAMES = 64  # games with different parameters that a worker keeps loaded
TEXTS = frozenset(  # fields to translate
    {
        "about",
        "accepted",
        "labels",
        "remarks",
        "misfits",
        "positions",
        "sides",
        "summary",
        "title",
        "verdict",
        "words",
    }
)
RESERVED = (
    "probcut_model",
    "live",
)  # options that are not for clients: they name a file, or compile everything
UNRECORDED = ("alpha-mu", "rollout", "value-iteration")  # of these, Watch has nothing to show
EVALUATION = "evaluation"  # a parameter that may name a file; clients may only name what comes with Gambito


class Catalogue:
    """The games of a server."""

    def __init__(self, server: ServerLimits) -> None:
        own = {game_name(type(gambito.load(spec))): spec for spec in server.own}
        self.own, self.usual = own, next(iter(own), DEFAULT_GAME)
        self.specs = {**own, **{name: name for name in game_classes() if name not in own}}
        self.networks = networks_of(server)
        for algorithm in server.algorithms:
            offer(algorithm)
        self.load = functools.lru_cache(MOST_GAMES)(self._load)

    def _load(self, name: str) -> gambito.Game:
        """Return the game that a client names: one of the server's games, with or without parameters."""
        if self.load.cache_info().currsize == MOST_GAMES:  # from now on, each new game replaces another
            process.collect()
        base, colon, parameters = name.partition(":")
        if base not in self.specs:
            raise GameError("unknown game '{}'; accepted: {}", base[:60], ", ".join(self.specs))
        plain = gambito.load(self.specs[base])
        closed = {*getattr(type(plain), "closed", ()), EVALUATION}
        known = {f"{EVALUATION}={one}" for one in (USUAL_EVALUATION, *evaluations_of(plain))}
        for part in parameters.split(","):
            if part.partition("=")[0].strip() in closed and part not in known:
                raise GameError("{} of {} is not for clients", part.partition("=")[0].strip(), base)
        spec = self.specs[base] + colon + parameters
        return make_within_limits(name, lambda: gambito.load(spec)) if parameters else gambito.load(spec)

    def as_dict(self) -> dict[str, Any]:
        games = {name: self.load(name) for name in self.specs}
        return {
            "version": gambito.__version__,
            "games": [self.game(name) for name in self.specs],
            "algorithms": [_algorithm(each, games, self.networks) for each in algorithms().values()],
            "levels": [{"title": level.name} for level in LEVELS],
        }

    def game(self, text: str, rules: gambito.Game | None = None) -> dict[str, Any]:
        """Describe a game, with or without parameters: players and algorithms may depend on them. If a
        position decides too, `rules` is the game from there on."""
        game, name = rules or self.load(text), text.partition(":")[0]
        described = describe_game(name, game)
        fitting = [a.name for a in algorithms().values() if not a.misfit(game)]
        return {
            **described,
            **described["traits"],
            "about": described["summary"],
            "title": title(name, game),
            "usual": name == self.usual,
            "parameters": [
                {"name": n, "default": value, "kind": type(value).__name__}
                for n, value in self.load(name).parameters().items()
                if n not in game.closed and n != EVALUATION
            ],
            "sides": list(game.sides),
            "scale": game.unit(),
            "measure": list(game.measure),
            "editable": game.editable,
            "passes": type(game).pass_turn is not gambito.Game.pass_turn,
            "owned": type(game).owners is not gambito.Game.owners,
            "deals": has_deals(game),
            "opinions": len(evaluations_of(game)) > 1,
            "puzzle": isinstance(game, Puzzle),
            "placed": type(game).at is not gambito.Game.at,  # each position has its own algorithms
            "algorithms": fitting,
            **({"misfits": _misfits(game)} if rules is not None else {}),
            "strongest": strongest(game) if fitting else "",
            "lesson": lesson(game) if fitting else "",  # what Watch begins with
            "own": name in self.own,
        }


def _misfits(game: gambito.Game) -> dict[str, str]:
    """Say of each algorithm that does not fit the game why."""
    reasons = {name: algorithm.misfit(game) for name, algorithm in algorithms().items()}
    return {name: reason for name, reason in reasons.items() if reason}


def _algorithm(
    algorithm: Algorithm, games: dict[str, gambito.Game], networks: dict[str, str]
) -> dict[str, Any]:
    described = describe_algorithm(algorithm, games)
    options = [option for option in described["options"] if option["name"] not in RESERVED]
    options = [listed(networks, option) if option["name"] == OPTION else option for option in options]
    can_analyse = algorithm.gives_value and not isinstance(algorithm, PuzzleSearch)
    traits = {
        "shares": algorithm.shares,
        "gives_value": algorithm.gives_value,
        "traces": algorithm.name not in UNRECORDED,
        "analyses": can_analyse,  # Analyse values the moves of a position with it
    }
    return {**described, "options": options, **traits}


def title(name: str, game: gambito.Game) -> str:
    """Return the name of a game as a heading."""
    return game.title or name.replace("-", " ").capitalize()
