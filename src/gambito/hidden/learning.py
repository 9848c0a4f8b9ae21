"""The algorithms that learn strategies for a whole game: CFR and its variants, and fictitious play.

They refuse games in which a player forgets, and say how much memory a tree needs. At a player's decision the
answer is drawn from what the average strategy does there.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from gambito.errors import SearchError
from gambito.game.contract import CHANCE, Game
from gambito.game.gears import gears, is_initial
from gambito.hidden.cfr import SAMPLING_SCHEMES
from gambito.hidden.game_tree import set_key
from gambito.hidden.recorder import check_small, record_learning
from gambito.hidden.regrets import VARIANTS
from gambito.hidden.solver import ONLINE, RESPONSES, SWEEPS, WALK, Method, Solver
from gambito.native.random import new_random
from gambito.search.algorithm import EITHER, WITH, Fits, Option, StrategySearch
from gambito.search.limits import Stop
from gambito.search.monitor import LIMIT, NODES
from gambito.search.patience import Check, never
from gambito.search.task import SearchTask, TaskResult
from gambito.search.trace.record import Record
from gambito.words.sentence import Sentence

SOLVER = "strategy"  # the name under which a session holds a solver
BATCH = 0.01  # seconds of iterations between two looks at the clock
# A method that samples does without a tree that takes more than this share of the time, and these seconds.
TREE_SHARE, TREE_SECONDS = 0.25, 0.05
DEFAULT_MEBIBYTES = 1024  # MiB
PYTHON = "python"  # the gear of recordings


def purpose(game: Game, algorithm: str, options: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a solver in a session was made for."""
    own = {name: value for name, value in options.items() if name not in ("iterations", "target")}
    return game.label(), gears(game).strategy_digest, algorithm, *sorted(own.items())


def new_solver(
    game: Game, algorithm: str, gear: str, options: Mapping[str, Any], check: Check = never,
    spare: float | None = None,
) -> Solver:  # fmt: skip
    """A solver that has learned nothing; `check` and `spare` say how long its preparations may take."""
    method = METHODS[algorithm]
    if "sweeps" in options:
        method = replace(method, by=SWEEPS if options["sweeps"] else WALK)
    return Solver(game, method, gear, options["memory"], options["seed"], check, spare)


def run(algorithm: str, task: SearchTask) -> TaskResult:
    """Learn until a limit, and answer with the strategy at the root."""
    options, monitor, rules = task.options, task.monitor, task.rules
    seconds = task.ongoing.seconds
    spare = None if seconds is None else max(TREE_SHARE * seconds, TREE_SECONDS)
    with task.ongoing.preparing() as check:
        solver: Solver = task.session.keep(
            SOLVER,
            lambda: new_solver(rules, algorithm, task.gear, options, check, spare),
            purpose(rules, algorithm, options),
        )
        solver.aim(task.state)
    solver.is_hurried = False
    if monitor.is_stopped():
        solver.iterate(0, monitor)
        return answer(solver, task)
    task.ongoing.answer = lambda: so_far(solver)
    most, batch = options["iterations"], 1
    while not monitor.is_stopped() and (not most or solver.iteration < most):
        due, left = solver.due, int(monitor.data[LIMIT] - monitor.data[NODES]) + 1
        count = max(0, min(batch, due - solver.iteration, left))  # a stop may come at any moment
        count = min(count, most - solver.iteration) if most else count
        began = time.perf_counter()
        monitor.visit(solver.iterate(count, monitor))
        batch = 2 * batch if time.perf_counter() - began < BATCH else max(1, batch // 2)
        solver.is_hurried = task.ongoing.is_ended
        if solver.iteration == due:
            found = solver.mark()
            if found is not None and found.exploitability <= options["target"]:
                break
    return answer(solver, task)


def so_far(solver: Solver) -> TaskResult:
    """What is known while the solver learns."""
    found = solver.latest
    return TaskResult(
        exact=False,
        iterations=solver.iteration,
        exploitability=None if found is None else found.exploitability,
    )


def answer(solver: Solver, task: SearchTask) -> TaskResult:
    """The value of the whole game at its beginning; where a player decides, what the strategy does there."""
    rules, state, found = task.rules, task.state, solver.judgement()
    known: dict[str, Any] = {"exact": False, "iterations": solver.iteration, "strategy": solver.strategy()}
    is_chance = rules.player(state) == CHANCE
    is_first = is_initial(rules, state)
    if is_chance and not is_first:
        raise SearchError("a strategy is asked at the beginning of the game, or where a player decides")
    if found is not None:
        known["exploitability"] = found.exploitability
    latest = solver.latest  # perhaps of fewer iterations; its bounds hold all the same
    if latest is not None and is_first:
        known["value"] = latest.values[max(rules.player(state), 0)]
        if rules.players == 2 and rules.zero_sum and rules.player(state) <= 0:
            known["low"], known["high"] = latest.bounds
    if is_chance:
        return TaskResult(**known)
    policy = known["strategy"].at(state)
    if policy is None and solver.tree is None:  # no game has led here yet
        policy = dict.fromkeys(rules.legal(state), 1.0)
    if policy is None:
        raise SearchError("the player to move cannot be in this position: {}", rules.text(state) or state)
    policy = {a: share for a, share in policy.items() if not task.root_actions or a in task.root_actions}
    total = sum(policy.values())
    policy = {a: share / total if total else 1.0 / len(policy) for a, share in policy.items()}
    known.setdefault("value", solver.value_at(state))
    key = int(set_key(rules, state, rules.player(state)))
    action = drawn(policy, new_random((task.options["seed"], key)).fraction())
    return TaskResult(action=action, line=[action], policy=policy, **known)


def record(
    algorithm: str,
    game: Game,
    state: Any,
    options: Mapping[str, Any],
    iterations: int | None,
    stop: Stop | None,
) -> Record:
    """The record of the first iterations of learning."""
    check_small(game, algorithm)
    solver = new_solver(game, algorithm, PYTHON, options)
    solver.aim(gears(game).cast(state))
    return record_learning(game, algorithm, solver, iterations, stop)


def drawn(policy: Mapping[int, float], fraction: float) -> int:
    """The action at that fraction of a policy."""
    for action, share in policy.items():
        fraction -= share
        if fraction < 0:
            return action
    return max(policy, key=lambda action: policy[action])


def forgets(game: Game) -> str:
    """Why strategies cannot be learned for a game, or ""."""
    if not game.recalls:
        return Sentence(
            "strategies need players who remember, and what {} shows does not tell the past", game.label()
        )
    return ""


COMMON = (
    Option("iterations", 0, "iterations in all; 0: until the time is over", 0, 1 << 40, technique=False),
    Option("target", 0.0, "stop when exploitability is no more than this", 0.0, 1e9, technique=False),
    Option(
        "memory",
        DEFAULT_MEBIBYTES,
        "the most memory for the tree or the table in MiB",
        1,
        1 << 20,
        technique=False,
    ),
    Option("seed", 1, "seed of the random numbers", 0, 1 << 62, technique=False),
)
LOOPS = "loops over sequences instead of a walk over the tree: faster, and sums are rounded differently"
ZINKEVICH, LANCTOT = "Zinkevich et al. 2007", "Lanctot et al. 2009"
BROWN = "Brown & Sandholm 2019"
# Each with its summary, its source, and the number of players that it may have.
ABOUT = {
    "cfr": ("counterfactual regret minimisation: actions are played as often as they were missed", ZINKEVICH),
    "cfr+": (
        "CFR that forgets negative regrets, and averages later strategies with more weight",
        "Tammelin 2014",
    ),
    "lcfr": ("linear CFR: iteration t counts t times", BROWN),
    "dcfr": ("discounted CFR: early regrets fade", BROWN),
    "pcfr+": ("predictive CFR+: expects the last regrets to come again", "Farina, Kroer & Sandholm 2021"),
    "chance-sampling": ("CFR that follows one outcome of every chance", ZINKEVICH),
    "external-sampling": ("CFR that follows one outcome of chance and one action of the others", LANCTOT),
    "outcome-sampling": ("CFR that follows a single game in each iteration", LANCTOT),
    "fictitious-play": ("best responses to the average of what the others have played", "Brown 1951"),
    "oos": ("online outcome sampling: games are sampled towards the present decision", "Lisý et al. 2015"),
}
METHODS = {
    **{name: Method(name, variant) for name, variant in VARIANTS.items()},
    **{
        f"{name}-sampling": Method(f"{name}-sampling", how=how, by=WALK)
        for name, how in SAMPLING_SCHEMES.items()
        if name != "none"
    },
    "fictitious-play": Method("fictitious-play", by=RESPONSES),
    "oos": Method("oos", by=ONLINE),
}


def _algorithm(name: str) -> StrategySearch:
    # What linear and discounted CFR do depends on rounding where actions are worth the same: they walk, as
    # their authors did.
    loops = (
        (Option("sweeps", name not in ("lcfr", "dcfr"), LOOPS, technique=False),) if name in VARIANTS else ()
    )
    summary, source = ABOUT[name]
    return StrategySearch(
        name=name,
        summary=summary,
        source=source,
        run=partial(run, name),
        record=partial(record, name),
        options=(*loops, *COMMON),
        fits=Fits(
            EITHER, players=(2,) if name == "oos" else (), zero_sum=False, hidden=WITH, refuses=forgets
        ),
    )


ALGORITHMS = tuple(_algorithm(name) for name in ABOUT)
