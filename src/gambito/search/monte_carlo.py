"""Monte-Carlo tree search as an algorithm: its options, its memory, its threads and its answer.

Rewards are between -1 and 1 inside; the answer is on the game's scale. A tree is kept for the next search,
which finds the state in it if it is one or two plies on.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambito.game.contract import CHANCE, Game
from gambito.game.gears import gears
from gambito.memory.tree import DEEPEST, PARTS, Tree, least_visits, new_tree, pack, reroot
from gambito.native import Constant
from gambito.native.random import new_random
from gambito.search.algorithm import Algorithm, Option, Task
from gambito.search.found import Candidate
from gambito.search.guide import grow_guided
from gambito.search.mcts import FULL, SOLVED, grow
from gambito.search.playout import (
    BUFFER,
    MAST,
    MOST_PLIES,
    OUTCOME,
    POLICIES,
    REPLY,
    REWARDS,
    as_static,
    new_trail,
)
from gambito.search.selection import FORMULAS, NAMES, PUCT, Knobs, new_knobs, new_switches
from gambito.search.watch import EVALUATIONS, LIMIT, NO_LIMIT, NODES, STOP, Watch, new_watch

ANSWERS = ("visits", "mean", "ucb", "robust-max", "secure")
PARALLEL = ("tree", "root")
A_NODE = 100  # bytes at most
SURE = 1.96  # standard errors of a confidence interval: 95 in 100
FAR = 2  # plies between two searches after which a tree is still used
LONGER = 2  # robust-max: so many times the simulations at most


@dataclass
class Forest:
    """The memory of one search: a tree, or one for each thread."""

    task: Task
    switches: dict[str, int]
    knobs: Knobs
    trees: list[Tree]
    first_limit: int  # simulations that were asked for

    @property
    def players(self) -> int:
        return self.switches["players"]


def outcome_counts(game: Game) -> bool:
    """Is a win what matters, and not by how much?"""
    return game.players == 2 and game.zero_sum and game.lowest == -game.highest


def read_switches(task: Task) -> dict[str, int]:
    """The switches that the options ask for, as numbers."""
    rules, options = task.rules, task.options
    is_plain = rules.players == 1 or (rules.players == 2 and rules.zero_sum)
    playout = POLICIES.index(options["playout"])
    is_guided = task.guide is not None
    select = PUCT if is_guided else FORMULAS.index(options["select"])
    reward = options["reward"] if options["reward"] != "auto" else REWARDS[0 if outcome_counts(rules) else 1]
    has_prior = select == PUCT or options["bias"] > 0 or options["widening"] > 0
    is_rave = options["rave"] > 0 and not rules.chance and not is_guided
    on = {
        "players": 1 if is_plain else rules.players,
        "select": select,
        "reward": REWARDS.index(reward),
        "playout": playout,
        "solver": options["solver"] and is_plain,
        "rave": is_rave,
        "bias": options["bias"] > 0,
        "widen": options["widening"] > 0,
        "implicit": options["implicit"] > 0 and is_plain,
        "prior": has_prior,
        "in_turn": not (has_prior or is_rave),
        "shared": is_guided or (task.threads > 1 and options["parallel"] == "tree"),
        "notes": is_rave or playout in (MAST, REPLY),
        "guided": is_guided,
    }
    return {name: int(on[name]) for name in NAMES}


def read_knobs(task: Task) -> Knobs:
    rules, options = task.rules, task.options
    unit, middle, half = as_static(rules)
    given = {
        "exploration": options["exploration"],
        "threshold": options["threshold"],
        "plies": options["plies"] or MOST_PLIES // 2,
        "temperature": options["temperature"],
        "first_value": options["first_value"],
        "rave_weight": options["rave"],
        "rave_from": options["rave_from"],
        "bias_weight": options["bias"],
        "width": options["widening"],
        "growth": options["growth"],
        "static_share": options["implicit"],
        "virtual_loss": options["virtual_loss"],
        "random_share": options["random_share"],
        "unit": unit,
        "middle": middle,
        "half": half,
        "depth": task.depth,
    }
    return new_knobs(given)


def parts_of(switches: dict[str, int]) -> frozenset[str]:
    wanted = {
        "flying": "shared",
        "bounds": "solver",
        "prior": "prior",
        "implicit": "implicit",
        "amaf": "rave",
    }
    return frozenset(part for part in PARTS if switches[wanted[part]])


def has_of(switches: dict[str, int]) -> tuple[bool, bool, bool, bool]:
    """What `pack` must move."""
    return tuple(bool(switches[n]) for n in ("solver", "prior", "implicit", "rave"))  # type: ignore[return-value]


# ---- memory ------------------------------------------------------------------------------------------


def plant(task: Task, switches: dict[str, int]) -> list[Tree]:
    """The trees of this search: the kept one from its new root on, or empty ones."""
    count = task.threads if task.options["parallel"] == "root" else 1
    size = max(min(task.options["memory"] // count, most_memory(task)), 1)
    mark = (tuple(switches.values()), size, task.rules.label())
    kept = task.memory.get("tree")
    if kept is not None and task.memory.get("mark") == mark and count == 1:
        if task.options["reuse"] and move_root(task, kept, switches):
            task.memory["root"] = task.state
            return [kept]
    trees = [new_tree(size, switches["players"], parts_of(switches)) for _ in range(count)]
    task.memory.update(tree=trees[0], mark=mark, root=task.state)
    return trees


def most_memory(task: Task) -> int:
    """MiB that so many simulations can fill."""
    nodes = min(int(task.watch.data[LIMIT]), 1 << 40) * (task.rules.most_actions or BUFFER)
    return nodes * A_NODE * task.rules.players + (1 << 20) >> 20


def move_root(task: Task, tree: Tree, switches: dict[str, int]) -> bool:
    """Find the state in a kept tree, at most FAR plies below its root, and make it the root."""
    way = find_way(task.rules, tree, 0, task.memory["root"], task.state, FAR)
    if way is None:
        return False
    for action in way:
        child = next(c for c in children(tree, 0) if tree.action[c] == action)
        reroot(task.game, tree, int(child), switches["players"], has_of(switches))
    tree.head[DEEPEST] = 0
    return True


def find_way(rules: Game, tree: Tree, node: int, here: Any, wanted: Any, plies: int) -> list[int] | None:
    """The actions from a node's state to another state, the shortest first."""
    if same(here, wanted):
        return []
    ways = []
    for child in children(tree, node) if plies > 0 else ():
        action = int(tree.action[child])
        below = gears(rules).enter(rules.result(here, action))
        way = find_way(rules, tree, int(child), below, wanted, plies - 1)
        if way is not None:
            ways.append([action, *way])
    return min(ways, key=len, default=None)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(np.array_equal(one, other)) if isinstance(one, np.ndarray) else bool(one == other)


def children(tree: Tree, node: int) -> range:
    first = max(int(tree.first[node]), 0)
    return range(first, first + (int(tree.count[node]) if first else 0))


# ---- the search --------------------------------------------------------------------------------------


def run(task: Task) -> Any:
    switches = read_switches(task)
    if task.watch.data[LIMIT] == STOP and not task.memory:  # a search that only has everything compiled
        warm = new_tree(1, switches["players"], parts_of(switches))
        pack(task.game, warm, switches["players"], 0.0, has_of(switches))
        reroot(task.game, warm, 0, switches["players"], has_of(switches))
    forest = Forest(task, switches, read_knobs(task), plant(task, switches), int(task.watch.data[LIMIT]))
    task.peek = lambda: answer(forest)
    search(forest)
    task.peek = None  # nothing goes in a circle: the tree is given back as soon as nobody has it
    answer(forest)
    return task.value


def search(forest: Forest) -> None:
    """All threads until the search is stopped or solved, in rounds: between two of them memory is packed."""
    task = forest.task
    gear = "native" if isinstance(task.game, Constant) else "python"
    settings = new_switches(tuple(forest.switches.values()), gear)
    limit = int(task.watch.data[LIMIT])
    watches = [task.watch, *(new_watch(Watch, gear, 2) for _ in range(1, task.threads))]
    trails = [new_trail(task.rules.players, bool(forest.switches["notes"])) for _ in watches]
    dice = [new_random((task.options["seed"], number)) for number, _ in enumerate(watches)]
    ends = [0] * task.threads

    def work(number: int) -> None:
        tree, mine = forest.trees[number % len(forest.trees)], (trails[number], dice[number], watches[number])
        if task.guide is not None:
            sure = bool(forest.switches["solver"])
            ends[0] = grow_guided(task, settings, forest.knobs, tree, dice[0], sure)
            return
        ends[number] = int(grow(task.game, task.state, settings, forest.knobs, tree, *mine))

    while True:
        left = limit - sum(int(watch.data[NODES]) for watch in watches)
        share = max(left // task.threads, 1)
        task.watch.data[LIMIT] = int(task.watch.data[NODES]) + share if limit != STOP else STOP
        if task.is_ended():
            task.watch.data[LIMIT] = STOP
        for watch in watches[1:]:
            watch.data[LIMIT] = NO_LIMIT
        mates = [threading.Thread(target=work, args=(n,), daemon=True) for n in range(1, task.threads)]
        for mate in mates:
            mate.start()
        work(0)
        for watch in watches[1:]:
            watch.data[LIMIT] = STOP
        for mate in mates:
            mate.join()
        count = sum(int(watch.data[NODES]) for watch in watches)
        if FULL in ends:
            for tree in forest.trees:
                tree.flying[:] = 0
                pack(task.game, tree, forest.players, least_visits(tree), has_of(forest.switches))
        if SOLVED in ends or limit == STOP or task.is_ended():
            break
        if count >= limit:
            if not is_undecided(forest, limit):
                break
            limit += limit // 8 + 1
    task.watch.data[EVALUATIONS] = task.watch.data[NODES]
    more = sum(int(watch.data[NODES]) for watch in watches[1:])
    for name in ("nodes", "evaluations"):
        task.memory[name] = task.memory.get(name, 0) + more


def is_undecided(forest: Forest, limit: int) -> bool:
    """Robust-max: is the most visited action not the one with the highest mean, and may it go on?"""
    task = forest.task
    if task.options["answer"] != "robust-max" or limit >= LONGER * forest.first_limit:
        return False
    listed = candidates(forest, task.rules.player(task.state))
    most = max(c.visits for c in listed)
    best = max(c.mean for c in listed if c.visits)
    return all(c.mean < best for c in listed if c.visits == most)


# ---- the answer --------------------------------------------------------------------------------------


def answer(forest: Forest) -> None:
    """What the trees know: the action, its value and line, and every candidate."""
    task, tree = forest.task, forest.trees[0]
    player = task.rules.player(task.state)
    listed = sorted(candidates(forest, player), key=lambda c: -c.visits)
    chosen = choose(listed, task.options["answer"], forest)
    task.candidates = listed
    task.action = chosen.action if chosen else None
    task.line = line(forest, tree, chosen.action) if chosen else []
    task.reached = int(tree.head[DEEPEST])
    task.value, task.low, task.high = (
        (chosen.value, chosen.low, chosen.high) if chosen else (None, None, None)
    )
    task.exact = False
    if forest.switches["solver"] and tree.low[0] == tree.high[0]:
        sign = 1 if player == 0 else -1
        value = on_scale(forest, sign * float(tree.low[0]))
        task.value = task.low = task.high = value
        task.exact = forest.switches["reward"] != OUTCOME or abs(task.rules.highest) <= task.rules.step


def candidates(forest: Forest, player: int) -> list[Candidate]:
    """The root's actions, all trees together."""
    sums: dict[int, np.ndarray] = {}
    for tree in forest.trees:
        for child in children(tree, 0):
            place = child * forest.players + (player if forest.players > 1 else 0)
            sign = -1.0 if forest.players == 1 and player == 1 else 1.0
            numbers = np.array([tree.visits[child], sign * tree.total[place], tree.squares[place], -1.0, 1.0])
            if forest.switches["solver"]:
                ends = (float(tree.low[child]), float(tree.high[child]))
                numbers[3:] = ends if player == 0 else (-ends[1], -ends[0])
            action = int(tree.action[child])
            old = sums.get(action)
            if old is not None:
                numbers[:3] += old[:3]
                numbers[3], numbers[4] = max(numbers[3], old[3]), min(numbers[4], old[4])
            sums[action] = numbers
    return [_candidate(forest, action, *map(float, numbers)) for action, numbers in sums.items()]


def _candidate(
    forest: Forest, action: int, visits: float, total: float, squares: float, low: float, high: float
) -> Candidate:
    if visits == 0:
        return Candidate(action, 0, None, None, None, -1.0, low, high)
    mean = min(max(total / visits, low), high)
    variance = max(squares / visits - mean * mean, 0.0) if low < high else 0.0
    error = SURE * math.sqrt((variance + 1.0 / visits) / visits) if low < high else 0.0
    ends = (max(mean - error, low), min(mean + error, high))
    return Candidate(
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
    """A mean reward as a value of the game: what promises that share of wins, or the score itself."""
    rules = forest.task.rules
    unit, middle, half = as_static(rules)
    if forest.switches["reward"] != OUTCOME:
        return reward * half + middle
    if rules.highest <= 1:
        return reward * float(rules.highest)
    if abs(reward) >= 1.0:
        return math.copysign(float(rules.highest), reward)
    value = unit * math.log((1.0 + reward) / (1.0 - reward), 3)
    return min(max(value, float(rules.lowest)), float(rules.highest))


def choose(listed: list[Candidate], way: str, forest: Forest) -> Candidate | None:
    """The answer among candidates that are sorted by visits."""
    if not listed:
        return None
    sure = max(c.at_least for c in listed)  # what the best proved action gives
    open_ones = [c for c in listed if c.at_most > sure] or [c for c in listed if c.at_least == sure]
    visits = sum(c.visits for c in listed)
    constant = forest.task.options["exploration"]

    def worth(candidate: Candidate) -> tuple[float, float]:
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
    """The most visited actions from the root on."""
    rules, state, node, found = forest.task.rules, forest.task.state, 0, []
    chosen: int | None = action
    while chosen is not None:
        found.append(chosen)
        state = rules.result(state, chosen)
        node = next((c for c in children(tree, node) if tree.action[c] == chosen), 0)
        below = [c for c in children(tree, node) if tree.visits[c] > 0] if node else []
        if not below or rules.player(state) == CHANCE or len(found) >= MOST_PLIES:
            break
        chosen = int(tree.action[max(below, key=lambda c: tree.visits[c])])
    return found


ALGORITHM = Algorithm(
    name="mcts",
    summary="Monte-Carlo tree search: select, expand, simulate, back up",
    source="Coulom 2006; Kocsis & Szepesvári 2006; Browne et al. 2012",
    run=run,
    options=(
        Option("memory", 256, "size of the tree in MiB", low=1, high=65536, technique=False),
        Option("seed", 1, "of what is random", low=0, high=(1 << 62), technique=False),
        Option("select", "ucb1", "the formula that chooses a child", choices=FORMULAS),
        Option(
            "exploration",
            1.0,
            "the formula's constant; rewards are from -1 to 1",
            low=0.0,
            high=100.0,
            technique=False,
        ),
        Option(
            "threshold", 1, "a leaf gets children after so many visits", low=1, high=1 << 20, technique=False
        ),
        Option(
            "reward",
            "auto",
            "the outcome or the score; auto: the outcome, where a score is won by one and lost by the other",
            choices=("auto", *REWARDS),
        ),
        Option("playout", "usual", "how playouts choose their actions", choices=POLICIES),
        Option(
            "plies",
            0,
            "playouts end after so many plies with the static value; 0: at the game's end",
            low=0,
            high=MOST_PLIES // 2,
            technique=False,
        ),
        Option("temperature", 1.0, "of choices by priority", low=0.001, high=1e9, technique=False),
        Option(
            "random_share",
            0.2,
            "of the actions of mast playouts that are any",
            low=0.0,
            high=1.0,
            technique=False,
        ),
        Option("solver", True, "proved wins, draws and losses are backed up"),
        Option(
            "rave",
            0.0,
            "the weight of simulations with the same action later; 0: off",
            low=0.0,
            high=1e9,
            on=500.0,
        ),
        Option(
            "rave_from",
            0,
            "ask the nearest node above with so many visits (GRAVE)",
            low=0,
            high=1 << 30,
            technique=False,
        ),
        Option("bias", 0.0, "the weight of priorities among few visits; 0: off", low=0.0, high=1e6, on=1.0),
        Option(
            "widening",
            0.0,
            "look only at this many actions times visits to the power `growth`; 0: off",
            low=0.0,
            high=1e6,
            on=2.0,
        ),
        Option("growth", 0.5, "of progressive widening", low=0.0, high=1.0, technique=False),
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
            "an action without visits is worth so much less than its parent",
            low=-10.0,
            high=10.0,
            technique=False,
        ),
        Option("answer", "visits", "which action is the answer", choices=ANSWERS, technique=False),
        Option("parallel", "tree", "what threads share", choices=PARALLEL, technique=False),
        Option("batch", 8, "leaves that a guide is asked about at once", low=1, high=4096, technique=False),
        Option(
            "virtual_loss",
            1.0,
            "lost simulations that a thread counts for on its way",
            low=0.0,
            high=100.0,
            technique=False,
        ),
        Option("reuse", True, "go on with the tree of the search before", technique=False),
    ),
    deepens=False,
    gives_value=False,
    gives_line=False,
    windowed=False,
    anytime=True,
    expects=True,
    takes_chance=True,
    takes_players=True,
    takes_sums=True,
    takes_guide=True,
    shares=True,
)
