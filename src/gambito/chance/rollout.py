"""Rollouts: the value of a position from playing it out many times, with its standard error.

Variance is reduced by subtracting luck: at every roll, the difference between the estimated value after the
roll and the average over all rolls is subtracted. Its expectation is zero, but it carries much of the
variance. The first roll is stratified, so that each roll comes up as often as it should.

Tesauro & Galperin, On-line policy improvement using Monte-Carlo search (1996); the variance reduction as in
GNU Backgammon, after Montgomery (2000).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from gambito.errors import SearchError
from gambito.game.contract import CHANCE, NO_ACTION, Game
from gambito.game.gears import gears
from gambito.game.registry import load
from gambito.native import Constant, int64, mix, native, uint64
from gambito.search.algorithm import BOUNDS, NEVER, WITH, DepthSearch, Fits, Option
from gambito.search.monitor import LIMIT, STOP, Monitor, new_monitor
from gambito.search.task import SearchTask, TaskResult

PLIES = 2000  # after which a game is scored by its evaluation
POLICIES = ("greedy", "random")
CONFIDENCE = 0.95


def uniform(seed, number):
    """A random number between 0 and 1, the same for the same arguments."""
    return float(mix((seed, number)) >> uint64(11)) / 9007199254740992.0


@native
def best_static(game, state, monitor):
    """The action that looks best one ply ahead, and its estimated value for player 0; any action if the
    monitor is stopped."""
    player = max(game.player(state), 0)
    best, chosen = -game.infinity, int64(NO_ACTION)
    if game.is_terminal(state):
        best = game.utility(state, player)
    elif game.player(state) == CHANCE:
        best = game.evaluate(state, player)
    else:
        for action in game.actions(state):
            child = game.result(state, action)
            value = game.utility(child, player) if game.is_terminal(child) else game.evaluate(child, player)
            if value > best:
                best, chosen = value, action
            if monitor.is_stopped():
                break
    return chosen, best if player == 0 else -best


@native
def play_out(game, state, plies, is_greedy, corrects, seed, draw, monitor):
    """Play one game to its end, or at most `plies` plies; return its value for player 0 minus luck, the plies
    played, and the value itself. `draw` determines the first roll. A game that the monitor stops has none."""
    luck, ply, is_first = 0.0, 0, True
    while ply < plies and not game.is_terminal(state) and not monitor.is_stopped():
        if game.player(state) == CHANCE:
            if not is_first:
                draw = uniform(seed, ply)
            is_first = False
            chosen, total, expected, got = int64(NO_ACTION), 0.0, 0.0, 0.0
            for outcome, chance in game.chances(state):
                value = 0.0
                if corrects and not monitor.is_stopped():
                    value = best_static(game, game.result(state, outcome), monitor)[1]
                    expected += chance * value
                if total <= draw:  # the last one whose interval begins before `draw`
                    chosen, got = outcome, value
                total += chance
            luck += got - expected
            state = game.result(state, chosen)
        elif is_greedy:
            state = game.result(state, best_static(game, state, monitor)[0])
        else:
            left = int64(uniform(seed, ply) * game.count(state))
            chosen = int64(NO_ACTION)
            for action in game.actions(state):
                if left == 0:
                    chosen = action
                left -= 1
            state = game.result(state, chosen)
        ply += 1
    value = game.utility(state, 0) if game.is_terminal(state) else game.evaluate(state, 0)
    return value - luck, ply, value


@dataclass(frozen=True)
class Rollout:
    """The value of a position for player 0, from a number of games."""

    value: float
    error: float  # the standard error
    games: int

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """The confidence interval of the value."""
        from statistics import NormalDist  # loaded late: few commands need it

        far = NormalDist().inv_cdf((1 + confidence) / 2) * self.error
        return self.value - far, self.value + far


def rollout(
    game: Any,
    state: Any = None,
    games: int = 1296,
    plies: int = PLIES,
    policy: str = "greedy",
    correct: bool = True,
    seed: int = 0,
    gear: str | None = None,
) -> Rollout:
    """Play a state out: both players choose what looks best one ply ahead, or at random.

    The value is that of play with this policy, with its errors; `correct` changes the error, not the value.
    """
    rules = load(game)
    state = rules.parse(state) if isinstance(state, str) else rules.initial() if state is None else state
    rules = rules.at(state)
    if policy not in POLICIES:
        raise SearchError("unknown policy '{}'; accepted: {}", policy, ", ".join(POLICIES))
    if not rules.chance or rules.value is not float:
        raise SearchError(
            "rollouts are for games of chance, and {} has neither dice nor cards", rules.label()
        )
    both = gears(rules)
    inner, here = both.in_gear(gear or both.default()), both.cast(state)
    monitor = new_monitor(Monitor, "native" if isinstance(inner, Constant) else "python", 0)
    return _gather(inner, here, games, plies, policy == "greedy", correct, seed, monitor, rules)


def _gather(
    game: Any,
    state: Any,
    games: int,
    plies: int,
    greedy: bool,
    correct: bool,
    seed: int,
    monitor: Monitor,
    rules: Game,
) -> Rollout:
    """Play the games of one position until the monitor stops them."""
    values: list[float] = []
    for number in range(games):
        own = int(mix((seed, number)) >> uint64(1))
        draw = (number + uniform(own, -1)) / games
        value, played, score = play_out(game, state, plies, greedy, correct, own, draw, monitor)
        if monitor.data[LIMIT] == STOP:
            break
        values.append(float(value))
        monitor.final(rules, score, 1)
        monitor.visit(int(played) + 1)
        if monitor.is_stopped():
            monitor.halt()
            break
    mean = sum(values) / max(len(values), 1)
    spread = math.hypot(*(v - mean for v in values)) / math.sqrt(max(len(values) - 1, 1))
    return Rollout(mean, spread / math.sqrt(max(len(values), 1)), len(values))


def run(task: SearchTask) -> TaskResult:
    """Roll out the child of every action and choose the best."""
    rules, options = task.rules, task.options
    how = (options["games"], options["plies"], options["policy"] == "greedy", options["correct"])
    sign = 1 if task.is_max else -1
    actions = task.root_actions or rules.legal(task.state)
    if rules.player(task.state) == CHANCE:
        actions = [NO_ACTION]
    best: tuple[float, Rollout, int] | None = None
    for action in actions:
        child = task.state
        if action != NO_ACTION:
            child = gears(rules).cast(rules.result(task.state, action))
        found = _gather(task.game, child, *how, options["seed"], task.monitor, rules)
        if found.games and (best is None or sign * found.value > best[0]):
            best = sign * found.value, found, action
            task.monitor.decide(action)
        if task.monitor.is_stopped():
            break
    if best is None:
        return TaskResult(exact=False)
    value, found, action = best
    low, high = found.interval()
    low, high = (low, high) if sign == 1 else (-high, -low)
    line = [] if action == NO_ACTION else [action]
    return TaskResult(value, line=line, low=low, high=high, confidence=CONFIDENCE, exact=False)


ALGORITHM = DepthSearch(
    name="rollout",
    summary="every action is played out many times; the value has a 95 % confidence interval",
    source="Tesauro & Galperin 1996",
    run=run,
    options=(
        Option("games", 324, "how often each action is played out", 1, 10_000_000, technique=False),
        Option(
            "plies", PLIES, "plies after which a game ends with its static value", 1, 100_000, technique=False
        ),
        Option("policy", "greedy", "how the games are played", choices=POLICIES, technique=False),
        Option("correct", True, "subtract the luck of the dice, which reduces the variance"),
        Option("seed", 0, "seed of the random numbers", 0, 1 << 62, technique=False),
    ),
    fits=Fits(WITH, players=(1, 2)),
    deepening=NEVER,
    holds=BOUNDS,
    chooses=True,
    frame="max",
    windowed=False,
)
