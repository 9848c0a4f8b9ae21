"""A player with a blueprint: a strategy that was learned for a coarser game, and solved anew near the end.

A game says which coarser game its strategies are learned for (`coarser`), and the package holds what was
learned. Where a position is a spot of hold'em on the river, both ranges are derived from the blueprint, and
the spot is solved for them. The opponent may have played otherwise; nothing is assumed of that.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import PlayerError, PositionError
from gambito.game.contract import Game
from gambito.game.numerals import read_whole
from gambito.game_tools.poker.cards import SETS, hand_of, set_of
from gambito.game_tools.poker.spots.solver import SpotSolver
from gambito.game_tools.poker.spots.spot import ALL_IN, Spot
from gambito.hidden.strategy import Strategy
from gambito.players.clock import Clock
from gambito.players.player import Choice
from gambito.words.sentence import Sentence

NAME = "blueprint"
SUFFIX = ".blueprint"
FORMAT = "blueprint 1"
GRAINS = 255  # probabilities are whole numbers of these
RARE = 0.03  # actions that are played less often than this are not played
SLIGHT = 1e-3  # hands that are less likely than this, beside the likeliest, do not count in a range
ITERATIONS = 120  # of a spot
WEIGHTS = Path(__file__).parent.parent / "weights"


def save_blueprint(strategy: Strategy, path: str | Path) -> None:
    """Write a strategy to a file, its probabilities rounded."""
    facts = {"gambito": FORMAT, "game": strategy.game.label(), "iterations": strategy.facts["iterations"]}
    shares = np.round(np.asarray(strategy.policy) * GRAINS).astype(np.uint8)
    first = int(strategy.first[0])
    with open(path, "wb") as file:
        np.savez_compressed(
            file, facts=np.frombuffer(json.dumps(facts).encode(), np.uint8), keys=strategy.keys,
            counts=np.diff(strategy.first).astype(np.uint8), shares=shares[first:],
        )  # fmt: skip


def read_blueprint(path: str | Path, game: Game) -> Strategy:
    """The strategy in a file, for a coarser game."""
    try:
        with np.load(path) as held:
            facts = json.loads(held["facts"].tobytes())
            keys, counts, shares = held["keys"], held["counts"].astype(np.int64), held["shares"] / GRAINS
    except (OSError, ValueError, KeyError, EOFError) as problem:
        raise PlayerError("{} cannot be read: {}", path, problem) from None
    if facts.get("gambito") != FORMAT or facts.get("game") != game.label():
        raise PlayerError("{} is no blueprint of {}", path, game.label())
    return Strategy(game, keys, np.concatenate([[0], np.cumsum(counts)]), shares, facts)


def place_in(coarse: Game) -> Path:
    """The file for the blueprint of a coarser game."""
    return WEIGHTS / f"{re.sub('[:=,]', '-', coarse.label())}{SUFFIX}"


def place_of(game: Game) -> Path | None:
    """The file with the blueprint for a game; None: there is none."""
    coarser = getattr(game, "coarser", None)
    path = None if coarser is None else place_in(coarser())
    return path if path is not None and path.exists() else None


class BlueprintPlayer:
    """A player that draws its actions from a blueprint, and on the river from a spot that it solves."""

    def __init__(self, seed: int | None = None, resolve: int = 1) -> None:
        self.seed, self.rng, self.resolve = seed, random.Random(seed), bool(resolve)
        self.known: dict[str, tuple[Any, Strategy]] = {}  # by game: the coarser one, and its strategy
        self._solved: tuple[Any, SpotSolver | None] = (None, None)  # the last river, which is asked again

    @property
    def name(self) -> str:
        return NAME if self.resolve else f"{NAME}:resolve=0"

    def prepare(self, game: Game, state: Any) -> None:
        """Read the blueprint for this game, and compile what solves a river."""
        if game.label() in self.known:
            return
        path, rules = place_of(game), game
        if path is None:
            raise PlayerError("there is no blueprint for {}", game.label())
        coarse: Any = rules.coarser()  # type: ignore[attr-defined]
        self.known[game.label()] = coarse, read_blueprint(path, coarse)

    def begin(self, game: Game, number: int = 0, clock: Clock | None = None) -> None:
        self.prepare(game, game.initial())
        if self.seed is not None:
            self.rng.seed(f"{self.seed} {number}")

    def choose(
        self, game: Game, state: Any, clock: Clock | None = None, past_states: Sequence[Any] = ()
    ) -> Choice:
        policy = self.policy(game, state)
        if not policy:
            return Choice(None)
        kept = {a: share for a, share in policy.items() if share >= RARE} or policy
        return Choice(self.rng.choices(list(kept), list(kept.values()))[0])

    def policy(self, game: Any, state: Any) -> dict[int, float]:
        """How often each action is played in a position, of which only the own hand is looked at."""
        self.prepare(game, state)
        coarse, strategy = self.known[game.label()]
        seen = game.observe(state, game.player(state))
        if not game.legal(seen):
            return {}
        if self.resolve:
            found = self._on_the_river(game, coarse, strategy, seen)
            if found is not None:
                return found
        return strategy.at(coarse.recast(seen)) or dict.fromkeys(game.legal(seen), 1 / len(game.legal(seen)))

    # ---- the river -------------------------------------------------------------------------------
    def _on_the_river(self, game: Any, coarse: Any, strategy: Strategy, seen: Any) -> dict[int, float] | None:
        """The policy of the solved spot; None: it is no spot, or the hand does not get there."""
        facts = game.spotted(seen)
        if facts is None or facts.stack <= 0:
            return None
        cards = game.hand_cards(seen, game.player(seen))
        hand = hand_of(cards[0] - 1, cards[1] - 1)
        before = (seen.board, seen.past_0, seen.past_1, seen.past_2)
        if self._solved[0] != before:
            self._solved = before, self._solve(coarse, strategy, seen, facts)
        solver = self._solved[1]
        if solver is None or hand not in solver.hands:
            return None
        node = solver.find(facts.line)
        names = {solver.tree.names[child]: row for row, child in enumerate(solver.tree.children(node))}
        place = int(np.searchsorted(solver.hands, hand))
        shares, actions = solver.strategy(node)[:, place], game.legal(seen)
        told = {action: names.get(game.write(seen, action)) for action in actions}
        if None in told.values() or solver.reach(node)[place] <= 0:
            return None
        return {action: float(shares[row]) for action, row in told.items() if row is not None}

    def _solve(self, coarse: Any, strategy: Strategy, seen: Any, facts: Any) -> SpotSolver | None:
        """Solve the river from its beginning, for the ranges that come there; None: no hands do."""
        ranges = ranges_of(coarse, strategy, seen, facts.board)
        if ranges is None:
            return None
        sizes = (*facts.sizes, ALL_IN)
        one, other = ranges[facts.first], ranges[1 - facts.first]
        try:
            spot = Spot(facts.board, facts.pot, facts.stack, one, other, sizes, sizes, facts.most, 1.0)
        except PositionError:  # no two of these hands can be there together
            return None
        solver = SpotSolver(spot)
        solver.iterate(ITERATIONS)
        return solver


def ranges_of(coarse: Any, strategy: Strategy, seen: Any, board: Sequence[int]) -> list[Any] | None:
    """The weights of all hands of both players when the river begins, as the blueprint plays them."""
    weights = [np.where(SETS & set_of(board), 0.0, 1.0) for _ in range(2)]
    for now, action in coarse.decisions(seen):
        if len(coarse.board_cards(now)) == len(board):
            break
        player, buckets = int(now.turn), coarse.hand_buckets(now)
        likely = np.zeros(int(buckets.max()) + 1)
        for bucket in np.unique(buckets[buckets >= 0]):
            shares = strategy.at(coarse.in_bucket(now, player, int(bucket)))
            likely[bucket] = 1.0 if shares is None else shares.get(action, 0.0)
        weights[player] *= np.where(buckets >= 0, likely[buckets], 0.0)
    for each in weights:
        most = each.max()
        if most <= 0:
            return None
        each /= most
        each[each < SLIGHT] = 0.0
    return weights


def read_blueprint_player(text: str) -> BlueprintPlayer:
    """The player that `blueprint` or `blueprint:seed=3,resolve=0` names."""
    given: dict[str, int] = {}
    for part in filter(None, text.partition(":")[2].split(",")):
        name, equals, value = part.partition("=")
        if name not in ("seed", "resolve") or not equals:
            raise PlayerError("'{}' is not a setting of {}; accepted: {}=…", part, NAME, "seed=…, resolve")
        number = read_whole(value, 1 if name == "resolve" else 1 << 62)
        if number is None:
            raise PlayerError("{} of {} must be {}, not '{}'", name, NAME, Sentence("a whole number"), value)
        given[name] = number
    return BlueprintPlayer(**given)
