"""Perfect-information Monte Carlo: imagine worlds, search each as if nothing were hidden, add up the values.

It has two faults (Frank & Basin 1998). Strategy fusion: it believes that it can choose differently in worlds
that look alike. Non-locality: it does not see that the others, who know more, avoid the states in which it
counts on luck. So it never plays to learn something, or to hide something.

Levy, The million pound bridge program (1989); Ginsberg, GIB (2001).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

from gambito.hidden.determinized import OPTIONS, Worlds, fits
from gambito.search.algorithm import AnytimeSearch, Option
from gambito.search.monitor import EVALUATIONS, NODES, Monitor
from gambito.search.monte_carlo.mcts import CONFIDENCE, SURE
from gambito.search.search_result import ActionStatistics
from gambito.search.task import SearchTask, Stopped, TaskResult

DECISIONS = ("sum", "vote")


def run(task: SearchTask) -> TaskResult:
    worlds = Worlds(task)
    if worlds.is_warmed_up():
        return TaskResult(exact=False)
    if (agreed := worlds.agreed()) is not None:
        return agreed
    imagined = (worlds.imagine() for _ in range(task.options["worlds"]))
    found = weighed(worlds, imagined, task.options["decide"] == "vote", task.monitor)
    task.monitor.data[EVALUATIONS] = task.monitor.data[NODES]
    return found


def weighed(
    worlds: Worlds, imagined: Iterable[Any], is_vote: bool, monitor: Monitor | None = None
) -> TaskResult:
    """Value every action in every world, world by world, until all are done or the search is stopped.

    Of the first world all actions are valued, unless a stop or the time ends even that. The monitor is told
    about the worlds.
    """
    task = worlds.task
    sums: dict[int, list[float]] = {action: [] for action in worlds.actions()}
    task.ongoing.answer = lambda: answer(worlds, sums, is_vote)
    for number, world in enumerate(imagined):
        if number and worlds.is_stopped():
            break
        if monitor is not None:
            monitor.begin(worlds.rules, worlds.seen)
            monitor.imagine(worlds.rules, world)
        try:
            for action, values in sums.items():
                values.append(worlds.value(worlds.open.result(world, action)))
                if monitor is not None:
                    monitor.weigh(worlds.rules, world, action, values[-1])
        except Stopped:
            break
    task.ongoing.answer = None
    return answer(worlds, sums, is_vote)


def answer(worlds: Worlds, sums: dict[int, list[float]], is_vote: bool) -> TaskResult:
    """The action with the highest sum, or with the most worlds in which it is best."""
    done = max(1, min(map(len, sums.values())))
    known = {action: values[:done] for action, values in sums.items() if values}
    if not known:
        return TaskResult(exact=False)
    votes = Counter(max(known, key=lambda action: known[action][number]) for number in range(done))
    listed = [_candidate(worlds, action, values) for action, values in known.items()]
    ranked = sorted(listed, key=lambda c: (-votes[c.action] if is_vote else 0, -(c.value or 0.0)))
    best = ranked[0]
    policy = {a: n / done for a, n in votes.items()} if is_vote else {best.action: 1.0}
    return TaskResult(
        best.value,
        action=best.action,
        line=[best.action],
        low=best.low,
        high=best.high,
        confidence=CONFIDENCE,
        exact=False,
        depth=1,
        candidates=ranked,
        policy=policy,
    )


def _candidate(worlds: Worlds, action: int, values: list[float]) -> ActionStatistics:
    rules, mean = worlds.rules, math.fsum(values) / len(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1)
    error = SURE * math.sqrt(variance / len(values))
    half = (rules.highest - rules.lowest) / 2 or 1.0
    reward = (mean - (rules.highest + rules.lowest) / 2) / half
    low, high = max(mean - error, rules.lowest), min(mean + error, rules.highest)
    return ActionStatistics(action, len(values), mean, low, high, reward)


ALGORITHM = AnytimeSearch(
    name="pimc",
    summary="perfect-information Monte Carlo: searches imagined worlds with open cards, and adds up",
    source="Levy 1989; Ginsberg 2001",
    run=run,
    options=(
        *OPTIONS,
        Option(
            "decide",
            "sum",
            "the highest sum of values, or the most worlds in which it is best",
            choices=DECISIONS,
        ),
    ),
    fits=fits("pimc"),
)
