"""Monte-Carlo tree search as an algorithm: its options and its answer.

Inside the search rewards are between -1 and 1; the answer is on the game's scale.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from gambito.errors import SearchError
from gambito.game.contract import CHANCE
from gambito.memory.tree import DEEPEST, ROOM, TABLES, Tree, find_below, least_visits, new_tree, pack, reroot
from gambito.search.algorithm import EITHER, AnytimeSearch, Fits, Option
from gambito.search.engine.endgame_tables import best_tablebase_actions
from gambito.search.monitor import EVALUATIONS, LIMIT, NODES, STOP
from gambito.search.monte_carlo.formulas import FORMULAS
from gambito.search.monte_carlo.network import Adviser
from gambito.search.monte_carlo.playouts import MOST_PLIES, OUTCOME, POLICIES, REWARDS, as_static
from gambito.search.monte_carlo.simulation import FULL, SOLVED
from gambito.search.monte_carlo.threads import PARALLEL, SimulationThreads
from gambito.search.monte_carlo.trees import (
    Forest,
    children,
    has_of,
    parts_of,
    plant,
    read_knobs,
    read_switches,
)
from gambito.search.search_result import ActionStatistics
from gambito.search.task import SearchTask, TaskResult

ANSWERS = ("visits", "mean", "ucb", "robust-max", "secure")
CONFIDENCE, SURE = 0.95, 1.96  # of an interval, and its standard errors
GUIDED = 0.5  # exploration with a network: 53 to 55 % against 1.0 with 100 simulations, even with 400
LONGER = 2  # robust-max: at most this many times the given simulations


def run(task: SearchTask) -> TaskResult:
    if task.options["network"]:
        if task.guide is not None:
            raise SearchError("mcts takes a guide or a network, not both")
        task = replace(task, guide=Adviser(task, task.options["network"]), threads=1)
    switches = read_switches(task)
    if task.monitor.data[LIMIT] == STOP and task.session.is_empty():  # only to compile everything
        warm = new_tree(1, switches["players"], parts_of(switches))
        pack(task.game, warm, switches["players"], 0.0, has_of(switches))
        reroot(task.game, warm, 0, switches["players"], has_of(switches))
        find_below(task.game, warm, task.state, np.uint64(0))
    limit = int(task.monitor.data[LIMIT])
    forest = Forest(task, switches, read_knobs(task), plant(task, switches), limit)
    for tree in forest.trees:
        tree.head[TABLES] = task.endings.address if task.endings is not None else 0
    task.ongoing.answer = lambda: answer(forest)
    others = search(forest)
    task.ongoing.answer = None  # breaks a reference cycle, so that the tree is freed with its last user
    return replace(answer(forest), nodes=others, evaluations=others)


def search(forest: Forest) -> int:
    """Run all threads until the search is stopped or solved, in rounds; the memory is packed between rounds.

    Return the simulations of all threads but the first, whose watch is the task's.
    """
    task = forest.task
    executor = SimulationThreads(forest)
    limit = int(task.monitor.data[LIMIT])
    while True:
        ends = executor.work(limit)
        task.monitor.complain()
        if FULL in ends:
            for tree in forest.trees:
                pack(task.game, tree, forest.players, least_visits(tree), has_of(forest.switches))
                if tree.first[0] == 0 and len(task.rules.legal(task.state)) >= tree.head[ROOM]:
                    raise SearchError(
                        "the actions of this state need more than {} MiB", task.options["memory"]
                    )
        if SOLVED in ends or limit == STOP or task.ongoing.is_ended:
            break
        if executor.count() >= limit:
            if not is_undecided(forest, limit):
                break
            limit += limit // 8 + 1
    task.monitor.data[EVALUATIONS] = task.monitor.data[NODES]
    return executor.count() - int(task.monitor.data[NODES])


def is_undecided(forest: Forest, limit: int) -> bool:
    """Robust-max: does the most visited action not have the highest mean, and may the search go on?"""
    task = forest.task
    if task.options["answer"] != "robust-max" or limit >= LONGER * forest.first_limit:
        return False
    listed = candidates(forest, task.rules.player(task.state))
    most = max(c.visits for c in listed)
    best = max(c.mean for c in listed if c.visits)
    return all(c.mean < best for c in listed if c.visits == most)


# ---- the answer ------------------------------------------------------------------------------------------


def answer(forest: Forest) -> TaskResult:
    """The answer from the trees: the action, its value and line, and every candidate."""
    task, tree, rules = forest.task, forest.trees[0], forest.task.rules
    player = rules.player(task.state)
    listed = sorted(candidates(forest, player), key=lambda c: -c.visits)
    # If endgame tables have the state, only the actions with the best distance count.
    best = best_tablebase_actions(task.game, rules, task.state, task.endings)
    counted = [c for c in listed if c.action in best] or listed
    chosen = choose(counted, task.options["answer"], forest)
    found = TaskResult(exact=False, depth=int(tree.head[DEEPEST]), candidates=listed)
    if chosen is not None:
        known: dict[str, Any] = {"value": chosen.value, "low": chosen.low, "high": chosen.high}
        known["confidence"] = CONFIDENCE
        found = replace(found, action=chosen.action, line=line(forest, tree, chosen.action), **known)
    if forest.switches["solver"] and tree.low[0] == tree.high[0]:
        sign = 1 if player == 0 else -1
        found = replace(found, **_proved(forest, sign * float(tree.low[0])))
    return found


def _proved(forest: Forest, reward: float) -> dict[str, Any]:
    """What is known of a value whose reward is proved: if only the outcome counts, not how much is won."""
    rules, value = forest.task.rules, on_scale(forest, reward)
    is_whole = rules.value is int and abs(rules.highest) <= rules.step  # then a win is worth `highest`
    if forest.switches["reward"] != OUTCOME or reward == 0.0 or is_whole:
        if rules.value is int:
            value = round(value)  # a reward is a fraction of the scale
        return {"value": value, "low": value, "high": value, "exact": True, "confidence": None}
    least = 1 if rules.value is int else 0.0  # of a win
    low, high = (least, rules.highest) if reward > 0.0 else (rules.lowest, -least)
    return {"value": value, "low": low, "high": high, "exact": False, "confidence": None}


def candidates(forest: Forest, player: int) -> list[ActionStatistics]:
    """The root's actions, with the sums of all trees."""
    sums: dict[int, np.ndarray] = {}
    for tree in forest.trees:
        for child in children(tree, 0):
            place = child * forest.players + (player if forest.players > 1 else 0)
            sign = -1.0 if forest.players == 1 and player == 1 else 1.0
            visits = float(tree.visits[child])
            squares = float(tree.squares[place]) if forest.switches["squares"] else visits  # at most
            numbers = np.array([visits, sign * tree.total[place], squares, -1.0, 1.0])
            if forest.switches["solver"]:
                ends = (float(tree.low[child]), float(tree.high[child]))
                numbers[3:] = ends if player == 0 else (-ends[1], -ends[0])
            action = int(tree.action[child])
            old = sums.get(action)
            if old is not None:
                numbers[:3] += old[:3]
                numbers[3], numbers[4] = max(numbers[3], old[3]), min(numbers[4], old[4])
            sums[action] = numbers
    listed = [_candidate(forest, action, *map(float, numbers)) for action, numbers in sums.items()]
    if not forest.switches["guided"]:
        return listed
    tree = forest.trees[0]
    priors = {int(tree.action[child]): float(tree.prior[child]) for child in children(tree, 0)}
    return [replace(each, prior=priors[each.action]) for each in listed]


def _candidate(
    forest: Forest, action: int, visits: float, total: float, squares: float, low: float, high: float
) -> ActionStatistics:
    if visits == 0:
        return ActionStatistics(action, 0, None, None, None, -1.0, low, high)
    mean = min(max(total / visits, low), high)
    variance = max(squares / visits - mean * mean, 0.0) if low < high else 0.0
    unit = 1.0 / forest.knobs.stretch**2  # of a variance: that of the rewards seen
    error = SURE * math.sqrt((variance + unit / visits) / visits) if low < high else 0.0
    ends = (max(mean - error, low), min(mean + error, high))
    return ActionStatistics(
        action,
        int(visits),
        on_scale(forest, mean),
        on_scale(forest, ends[0]),
        on_scale(forest, ends[1]),
        mean,
        low,
        high,
    )


def on_scale(forest: Forest, reward: float) -> float:
    """A mean reward as a value of the game: the value with this share of wins, or the score itself."""
    rules = forest.task.rules
    unit, middle, half = as_static(rules)
    if forest.switches["reward"] != OUTCOME:
        return reward * half + middle
    if rules.highest <= 1:
        return reward * float(rules.highest)
    if abs(reward) >= 1.0:
        return float(rules.highest if reward > 0.0 else rules.lowest)
    value = unit * math.log((1.0 + reward) / (1.0 - reward), 3)
    return min(max(value, float(rules.lowest)), float(rules.highest))


def choose(listed: list[ActionStatistics], way: str, forest: Forest) -> ActionStatistics | None:
    """Choose the answer from candidates that are sorted by visits."""
    if not listed:
        return None
    sure = max(c.at_least for c in listed)  # the reward that the best proved action guarantees
    open_ones = [c for c in listed if c.at_most > sure] or [c for c in listed if c.at_least == sure]
    visits = sum(c.visits for c in listed)
    constant = forest.task.options["exploration"] / forest.knobs.stretch

    def worth(candidate: ActionStatistics) -> tuple[float, float]:
        if candidate.visits == 0:
            return (-math.inf, candidate.mean)
        width = math.sqrt(math.log(max(visits, 1)) / candidate.visits)
        if way == "mean":
            return (candidate.mean, candidate.visits)
        if way == "ucb":
            return (candidate.mean + constant * width, candidate.visits)
        if way == "secure":
            return (candidate.mean - constant * width, candidate.visits)
        return (candidate.visits, candidate.mean)

    best = max(open_ones, key=worth)
    proved = max((c for c in listed if c.at_least == sure), key=lambda c: (c.at_most, c.visits))
    return proved if best is not proved and sure >= best.mean and sure > -1.0 else best


def line(forest: Forest, tree: Tree, action: int) -> list[int]:
    """The most visited actions from the root on; if a value is proved, of the actions that prove it."""
    rules, state, node, found = forest.task.rules, forest.task.state, 0, []
    chosen: int | None = action
    while chosen is not None:
        found.append(chosen)
        state = rules.result(state, chosen)
        node = next((c for c in children(tree, node) if tree.action[c] == chosen), 0)
        below = [c for c in children(tree, node) if tree.visits[c] > 0] if node else []
        if not below or rules.player(state) == CHANCE or len(found) >= MOST_PLIES:
            break
        if forest.switches["solver"] and tree.low[node] == tree.high[node]:
            below = [c for c in below if tree.low[c] == tree.high[c] == tree.low[node]] or below
        chosen = int(tree.action[max(below, key=lambda c: tree.visits[c])])
    return found


ALGORITHM = AnytimeSearch(
    name="mcts",
    summary="Monte-Carlo tree search: select, expand, simulate, back up",
    source="Coulom 2006; Kocsis & Szepesvári 2006; Browne et al. 2012",
    run=run,
    options=(
        Option("memory", 256, "size of the tree in MiB", low=1, high=65536, technique=False),
        Option("seed", 1, "seed of the random numbers", low=0, high=(1 << 62), technique=False),
        Option("select", "ucb1", "the formula that chooses a child", choices=FORMULAS),
        Option(
            "exploration",
            1.0,
            "the exploration constant of the formula; rewards are from -1 to 1",
            low=0.0,
            high=100.0,
            technique=False,
        ),
        Option(
            "threshold", 1, "visits after which a leaf gets children", low=1, high=1 << 20, technique=False
        ),
        Option(
            "reward",
            "auto",
            "the outcome or the score; auto: the outcome, if one player wins what the other loses",
            choices=("auto", *REWARDS),
        ),
        Option("playout", "usual", "how playouts choose their actions", choices=POLICIES),
        Option(
            "plies",
            0,
            "playouts end after this many plies with the static value; 0: at the end of the game",
            low=0,
            high=MOST_PLIES // 2,
            technique=False,
        ),
        Option(
            "temperature",
            1.0,
            "the temperature of choices by priority: higher is more random",
            low=0.001,
            high=1e9,
            technique=False,
        ),
        Option(
            "random_share",
            0.2,
            "the share of random actions in mast playouts",
            low=0.0,
            high=1.0,
            technique=False,
        ),
        Option("solver", True, "back up proved wins, draws and losses"),
        Option(
            "rave",
            0.0,
            "the weight of simulations that play the same action later; 0: off",
            low=0.0,
            high=1e9,
            on=500.0,
        ),
        Option(
            "rave_from",
            0,
            "use the statistics of the nearest node above with this many visits (GRAVE)",
            low=0,
            high=1 << 30,
            technique=False,
        ),
        Option(
            "bias", 0.0, "the weight of priorities while visits are few; 0: off", low=0.0, high=1e6, on=1.0
        ),
        Option(
            "widening",
            0.0,
            "consider only this many actions times visits to the power `growth`; 0: off",
            low=0.0,
            high=1e6,
            on=2.0,
        ),
        Option("growth", 0.5, "the exponent of progressive widening", low=0.0, high=1.0, technique=False),
        Option(
            "implicit",
            0.0,
            "the share of static values backed up by minimax; 0: off",
            low=0.0,
            high=1.0,
            on=0.2,
        ),
        Option(
            "first_value",
            0.0,
            "an action without visits is worth this much less than its parent",
            low=-10.0,
            high=10.0,
            technique=False,
        ),
        Option("answer", "visits", "which action is the answer", choices=ANSWERS, technique=False),
        Option("parallel", "tree", "what threads share", choices=PARALLEL, technique=False),
        Option(
            "network",
            "",
            "the file of a network that gives priors and values, or learned, which comes with Gambito;"
            " none: playouts",
            technique=False,
            instead=(("exploration", GUIDED),),
        ),
        Option(
            "batch",
            0,
            "leaves that a guide or a network values in one call; 0: 8 of a guide, 32 of a network",
            low=0,
            high=4096,
            technique=False,
        ),
        Option(
            "virtual_loss",
            1.0,
            "lost simulations that count for a thread while it is on its way",
            low=0.0,
            high=100.0,
            technique=False,
        ),
        Option("endings", True, "use endgame tables, if there are any", technique=False),
        Option("reuse", True, "continue with the tree of the previous search", technique=False),
    ),
    fits=Fits(EITHER, players=(), zero_sum=False),
    shares=True,
)
