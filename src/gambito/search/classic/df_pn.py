"""Depth-first proof-number search: is this state won? It searches where the fewest leaves still need a proof.

Nagai, Df-pn algorithm for searching AND/OR trees and its applications (2002); proof numbers: Allis, van der
Meulen & van den Herik (1994).
"""

from __future__ import annotations

from gambito.game.contract import NO_ACTION, Game
from gambito.memory.proof_numbers import new_proof_table
from gambito.native import native
from gambito.search.algorithm import BOUNDS, NEVER, DepthSearch, Fits, Option
from gambito.search.classic.leaf import leaf_kind, leaf_value
from gambito.search.task import SearchTask, TaskResult
from gambito.words.sentence import Sentence

INFINITE = 1 << 40  # the proof number of what cannot be proved


@native
def prove(game, state, depth, attacker, goal, proof_limit, disproof_limit, table, monitor):
    """Try to prove "the attacker's value is at least `goal`" until a limit; return the proof number.

    result == 0:         proved
    result == INFINITE:  disproved
    otherwise:           proof number >= proof_limit, or disproof number >= disproof_limit, or stopped
    """
    player = game.player(state)
    low = goal - game.step if player == attacker else -goal  # the goal as a window, for the player to move
    monitor.enter(game, state, depth, low, low + game.step)
    before = monitor.count()
    slot_key = table.slot_key(game.key(state), depth)
    kind = leaf_kind(game, state, depth, monitor)
    if kind:
        value = leaf_value(game, state, depth, kind, monitor)
        if monitor.is_stopped():
            monitor.suspend(depth)
            return 1
        is_proved = (value if player == attacker else -value) >= goal
        table.keep(slot_key, 0 if is_proved else INFINITE, INFINITE if is_proved else 0, 1)
        monitor.leave(depth, value)
        return 0 if is_proved else INFINITE
    is_or, is_root = player == attacker, depth == monitor.root()
    while True:
        # In an OR node, `ours` is the least proof number and `theirs` the sum of the disproof numbers; in an
        # AND node it is the other way round.
        ours, theirs, second = INFINITE, 0, INFINITE
        best_action, best_theirs = -1, 0
        for action in game.actions(state):
            if is_root and not monitor.counts(action):
                continue
            child = table.slot_key(game.key(game.result(state, action)), depth - 1)
            proof, disproof = table.proof(child), table.disproof(child)
            mine, other = (proof, disproof) if is_or else (disproof, proof)
            theirs = min(theirs + other, INFINITE)
            if mine < ours or best_action < 0:
                second = ours
                ours, best_action, best_theirs = mine, action, other
            elif mine < second:
                second = mine
        proof, disproof = (ours, theirs) if is_or else (theirs, ours)
        if proof >= proof_limit or disproof >= disproof_limit or monitor.is_stopped():
            table.keep(slot_key, proof, disproof, monitor.count() - before + 1)
            if proof == 0 or disproof == 0:
                value = goal if proof == 0 else goal - game.step
                monitor.leave(depth, value if is_or else -value)
            else:
                monitor.suspend(depth)
            return INFINITE if disproof == 0 else proof
        ours_limit = min(proof_limit if is_or else disproof_limit, second + 1)
        theirs_limit = (disproof_limit if is_or else proof_limit) - theirs + best_theirs
        monitor.choose(depth, best_action, NO_ACTION)
        prove(
            game,
            game.result(state, best_action),
            depth - 1,
            attacker,
            goal,
            ours_limit if is_or else theirs_limit,
            theirs_limit if is_or else ours_limit,
            table,
            monitor,
        )


def ask(task: SearchTask, goal: int) -> tuple[bool, int | None]:
    """Whether the value is at least `goal`, and the action that shows it."""
    rules, monitor = task.rules, task.monitor
    table = new_proof_table(task.options["memory"])
    limits = (INFINITE, INFINITE)
    attacker = rules.player(task.state)
    proof = prove(*task.root, attacker, goal, *limits, table, monitor)
    actions = task.root_actions or rules.legal(task.state)
    if proof != 0 or monitor.is_stopped():
        return False, actions[0]
    for action in actions:
        child = rules.result(task.state, action)
        if table.proof(table.slot_key(rules.key(child), task.depth - 1)) == 0:
            return True, action
    return True, None


def run(task: SearchTask) -> TaskResult:
    """Is the state won? If not, is it drawn or lost?"""
    rules = task.rules
    is_won, action = ask(task, rules.step)
    if is_won:
        low, high = rules.step, rules.highest
    elif task.options["question"] == "win":
        low, high = rules.lowest, 0
    else:
        is_drawn, action = ask(task, 0)
        low, high = (0, 0) if is_drawn else (rules.lowest, -rules.step)
    return TaskResult(low if low >= 0 else high, action, low=low, high=high, exact=low == high)


def refuses(game: Game) -> str:
    if game.value is float:
        return Sentence("df-pn proves wins and losses, and the values of {} are fractions", game.label())
    if game.cycles:  # in a cycle the value depends on the path, and the table knows only positions
        return Sentence("df-pn is for games without repeated positions, and {} can repeat them", game.label())
    return ""


ALGORITHM = DepthSearch(
    name="df-pn",
    summary="proof numbers, depth first: won, drawn or lost",
    source="Nagai 2002; Allis et al. 1994",
    run=run,
    fits=Fits(refuses=refuses),
    options=(
        Option("memory", 64, "size of the table in MiB", low=1, high=4096),
        Option(
            "question",
            "outcome",
            "what to find out: win, draw or loss; or only whether it is won",
            choices=("outcome", "win"),
        ),
    ),
    deepening=NEVER,
    holds=BOUNDS,
    chooses=True,
)
