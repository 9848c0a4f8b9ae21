"""MP-Mix: before each move, choose how to search by who is ahead.

A player far ahead of everybody is paranoid; one far behind the leader plays against the leader; any other
plays max^n.

Zuckerman, Felner & Kraus, Mixing search strategies for multi-player games (2009).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from gambito.game.coalitions import against
from gambito.game.contract import Game
from gambito.game.game_view import cached_view
from gambito.game.gears import gears
from gambito.many import max_n
from gambito.search.algorithm import VALUE, WITHOUT, DepthSearch, Fits, Option
from gambito.search.classic.alpha_beta import alpha_beta
from gambito.search.task import SearchTask, TaskResult

MAX_N, PARANOID, OFFENSIVE = "max-n", "paranoid", "offensive"


def strategy(game: Game, state: Any, ahead: float, behind: float) -> tuple[str, int]:
    """How the player to move searches, and the leader, as seen by `evaluate`.

    `ahead` and `behind` are parts of the range of values: by how much a player must lead the second to be
    paranoid, and by how much it must trail the leader to play against it.
    """
    mover, width = max(int(game.player(state)), 0), float(game.highest - game.lowest)
    scores = [float(game.evaluate(state, player)) for player in range(game.players)]
    leader = max(range(game.players), key=lambda player: (scores[player], player == mover))
    if leader == mover:
        second = max((s for player, s in enumerate(scores) if player != mover), default=math.inf)
        return (PARANOID if scores[mover] - second > ahead * width else MAX_N), leader
    return (OFFENSIVE if scores[leader] - scores[mover] > behind * width else MAX_N), leader


def run(task: SearchTask) -> TaskResult:
    rules, state, options = task.rules, task.state, task.options
    how, leader = strategy(rules, state, options["ahead"], options["behind"])
    if how == OFFENSIVE:
        return max_n.answer(task, leader)
    if how == MAX_N:
        return max_n.answer(task)
    view = cached_view(rules, against, int(rules.player(state)))
    seen = replace(task, game=gears(view).in_gear(task.gear), rules=view)
    if task.root_actions:  # alpha-beta looks at every action of its root
        return replace(max_n.answer(seen), values=[], exact=False)
    return TaskResult(alpha_beta(*seen.root, *seen.window, seen.monitor), exact=False)


def refuses(game: Game) -> str:
    return max_n.refuses(game)


ALGORITHM = DepthSearch(
    name="mp-mix",
    summary="paranoid if far ahead, against the leader if far behind, else max^n",
    source="Zuckerman, Felner & Kraus 2009",
    run=run,
    options=(
        *max_n.OPTIONS,
        Option("ahead", 0.2, "paranoid from this lead on, as a part of the range of values", 0.0, 1.0),
        Option("behind", 0.2, "against the leader from this distance on", 0.0, 1.0),
    ),
    fits=Fits(WITHOUT, players=(), zero_sum=False, refuses=refuses),
    holds=VALUE,
    frame="own",
    windowed=False,
    chooses=True,
)
