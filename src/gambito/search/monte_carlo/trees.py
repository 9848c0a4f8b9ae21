"""The memory of Monte-Carlo tree search: its trees, and how the options shape them.

A tree is kept for the next search, which reuses it if its state is one or two plies below the root.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.memory.tree import DEEPEST, PARTS, Tree, find_below, new_tree, reroot
from gambito.search.monitor import LIMIT
from gambito.search.monte_carlo.formulas import FORMULAS, NAMES, PUCT, TUNED, Knobs, new_knobs
from gambito.search.monte_carlo.playouts import (
    MAST,
    MOST_PLIES,
    OUTCOME,
    PLIES_PER_CHECK,
    POLICIES,
    REPLY,
    REWARDS,
    as_static,
)
from gambito.search.task import SearchTask

A_NODE = 100  # the most bytes of a node
USUAL_ACTIONS = 4096  # the most actions of a state, where the game does not say
TREE, AT = "mcts tree", "mcts root"  # names in a session: the tree, and the state of its root


@dataclass
class Forest:
    """The memory of one search: a tree, or one for each thread."""

    task: SearchTask
    switches: dict[str, int]
    knobs: Knobs
    trees: list[Tree]
    first_limit: int  # the simulations that the caller allowed

    @property
    def players(self) -> int:
        return self.switches["players"]


def outcome_counts(game: Game) -> bool:
    """Does only winning matter, and not by how much?"""
    return game.players == 2 and game.zero_sum and game.lowest == -game.highest


def read_switches(task: SearchTask) -> dict[str, int]:
    """The switches that the options set, as numbers."""
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
        "squares": select == TUNED or reward != REWARDS[OUTCOME],
        "endings": task.endings is not None and is_plain and not is_guided,
        "stretches": stretches(rules, reward) and not is_guided,
        "leaf_parallel": task.threads > 1 and options["parallel"] == "leaf" and not is_guided,
    }
    return {name: int(on.get(name, False)) for name in NAMES}


def stretches(rules: Game, reward: str) -> bool:
    """Are means stretched to the rewards seen? A range of -1 to 1 is taken at its word."""
    return reward != REWARDS[OUTCOME] and as_static(rules)[2] > 1.0


def read_knobs(task: SearchTask) -> Knobs:
    rules, options = task.rules, task.options
    unit, middle, half = as_static(rules)
    given = {
        "exploration": options["exploration"],
        "threshold": options["threshold"],
        "plies": options["plies"] or MOST_PLIES // 2,
        "pause": MOST_PLIES if task.gear == "native" else PLIES_PER_CHECK,
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
        "stretch": 1.0,
        "seen_low": math.inf,
        "seen_high": -math.inf,
    }
    return new_knobs(given)


def parts_of(switches: dict[str, int]) -> frozenset[str]:
    wanted = {
        "squares": "squares",
        "bounds": "solver",
        "prior": "prior",
        "implicit": "implicit",
        "amaf": "rave",
    }
    return frozenset(part for part in PARTS if switches[wanted[part]])


def has_of(switches: dict[str, int]) -> tuple[bool, ...]:
    """The optional arrays that `pack` must move."""
    return tuple(bool(switches[n]) for n in ("squares", "solver", "prior", "implicit", "rave"))


def plant(task: SearchTask, switches: dict[str, int]) -> list[Tree]:
    """The trees of this search: the kept tree from its new root on, or empty trees."""
    count = task.threads if task.options["parallel"] == "root" else 1
    size = max(min(task.options["memory"] // count, most_memory(task)), 1)
    network = task.options.get("network", "")  # priors of another one are of no use
    mark = (tuple(switches.values()), size, task.rules.label(), network)
    if task.root_actions:  # a tree without the other actions is of no use to another search
        return [new_tree(size, switches["players"], parts_of(switches)) for _ in range(count)]
    kept = task.session.get(TREE, mark)
    if kept is not None and count == 1:
        if task.options["reuse"] and move_root(task, kept, switches):
            task.session.put(AT, task.state)
            return [kept]
    trees = [new_tree(size, switches["players"], parts_of(switches)) for _ in range(count)]
    task.session.put(TREE, trees[0], mark)
    task.session.put(AT, task.state)
    return trees


def most_memory(task: SearchTask) -> int:
    """The most MiB that the simulations of this search can fill."""
    nodes = min(int(task.monitor.data[LIMIT]), 1 << 40) * (task.rules.most_actions or USUAL_ACTIONS)
    return nodes * A_NODE * task.rules.players + (1 << 20) >> 20


def move_root(task: SearchTask, tree: Tree, switches: dict[str, int]) -> bool:
    """Find the state in a kept tree, at most two plies below its root, and make it the root."""
    here = task.session.get(AT)
    if same(here, task.state):
        return True
    wanted = np.uint64(task.rules.key(task.state))
    child, grandchild = (int(n) for n in find_below(task.game, tree, here, wanted))
    for node in (child, grandchild):
        here = task.rules.result(here, int(tree.action[node])) if node else here
    if child == 0 or not same(gears(task.rules).cast(here), task.state):
        return False
    action = tree.action[grandchild]
    reroot(task.game, tree, child, switches["players"], has_of(switches))
    if grandchild:
        again = next(c for c in children(tree, 0) if tree.action[c] == action)
        reroot(task.game, tree, int(again), switches["players"], has_of(switches))
    tree.head[DEEPEST] = 0
    return True


def same(one: Any, other: Any) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(np.array_equal(one, other)) if isinstance(one, np.ndarray) else bool(one == other)


def children(tree: Tree, node: int) -> range:
    first = max(int(tree.first[node]), 0)
    return range(first, first + (int(tree.count[node]) if first else 0))
