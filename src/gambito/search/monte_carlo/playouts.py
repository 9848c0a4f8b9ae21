"""Playouts, from a leaf of the tree to the end of the game or to a depth: their policies and rewards.

    usual            the game's own random playouts
    uniform          a legal action, all equally likely
    priority         an action is likelier if its `priority` is higher, with a temperature
    replies          the game's own `reply` to the last action, if it has one        Gelly et al. 2006
    decisive         an action that wins at once, if there is one                    Teytaud & Teytaud 2010
    mast             mostly the action that has done best anywhere in the tree       Finnsson & Björnsson 2008
    last-good-reply  what last refuted the opponent's action, if it is legal         Drake 2009
    evaluate         no playout: the static value of the leaf

The trail is the path of one simulation: nodes, actions and who played them; and what is learned from all of
them.

    counts             length in nodes, stamp, actions noted; leaves given out to mates, who is done, mates
    nodes, movers      the path through the tree; who is to move there
    keys               the keys of the states on it, if positions can come back
    actions, players   all actions of the simulation, in the tree and the playout, and who played them
    rewards            the rewards of the simulation, for each player
    mates              rewards of the mates' playouts from the same leaf               (leaf-parallel)
    buffer             a list of actions
    seen_at            stamps, by action
    amaf_visits, amaf_total    those of the node that RAVE uses, by action
    done_by            stamp and player who was the first to play it, by action
    mast_visits, mast_total    by player and action
    reply              by player and the opponent's action; one more than the action, 0: none
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from gambito.errors import SearchError
from gambito.game.contract import CHANCE, MOST_ACTIONS, NO_ACTION
from gambito.native import Handle, inlined, int64

POLICIES = ("usual", "uniform", "priority", "replies", "decisive", "mast", "last-good-reply", "evaluate")
USUAL, UNIFORM, PRIORITY, REPLIES, DECISIVE, MAST, REPLY, EVALUATE = range(len(POLICIES))
REWARDS = ("outcome", "score")
OUTCOME, SCORE = range(len(REWARDS))
LENGTH, STAMP, NOTED, TICKET, DONE, MATES = range(6)
COUNTS = 6
MOST_PLAYERS = 64
ACTIONS = 1 << 12  # places of a table by action; larger actions share them
MOST_PLIES = 4096  # the most plies of one simulation
PLIES_PER_CHECK = 8  # plies of a playout in the Python gear between two looks at the monitor


class Trail(Handle):
    """The path of one simulation, and the tables of a thread."""

    arrays: ClassVar[dict[str, type]] = {
        "counts": np.int64,
        "nodes": np.int64,
        "movers": np.int64,
        "keys": np.int64,
        "actions": np.int64,
        "players": np.int64,
        "rewards": np.float64,
        "mates": np.float64,
        "buffer": np.int64,
        "seen_at": np.int64,
        "amaf_visits": np.float64,
        "amaf_total": np.float64,
        "done_by": np.int64,
        "mast_visits": np.float64,
        "mast_total": np.float64,
        "reply": np.int64,
    }

    def place(self, action):
        return action & (ACTIONS - 1)

    def place_of(self, player, action):
        return player * ACTIONS + (action & (ACTIONS - 1))

    def mark(self, player):
        """The stamp and the player in one number."""
        return self.counts[STAMP] * MOST_PLAYERS + player

    def add(self, place, action):
        """Write an action or an outcome into the buffer."""
        if place == MOST_ACTIONS:
            raise SearchError("a state has more than {} actions, too many for a search", MOST_ACTIONS)
        self.buffer[place] = action

    def note(self, player, action):
        """Note that the player played the action."""
        number = self.counts[NOTED]
        self.actions[number], self.players[number] = action, player
        self.counts[NOTED] = number + 1


def new_trail(players: int, has_notes: bool, mates: int = 0) -> Trail:
    tables = ACTIONS if has_notes else 1
    sizes = {
        "counts": COUNTS, "mates": max(mates, 1) * players,
        "nodes": MOST_PLIES, "movers": MOST_PLIES, "keys": MOST_PLIES, "rewards": players,
        "actions": 2 * MOST_PLIES, "players": 2 * MOST_PLIES, "buffer": MOST_ACTIONS,
        "mast_visits": players * tables, "mast_total": players * tables,
        "reply": players * tables,
    }  # fmt: skip
    trail = Trail(**{name: np.zeros(sizes.get(name, tables), d) for name, d in Trail.arrays.items()})
    trail.counts[MATES] = mates
    return trail


@inlined
def roll_out(game, state, before, settings, knobs, trail, rng, monitor):
    """Play on from a state that is not terminal; `before` is the action before it, or NO_ACTION.

    Return the last state and whether the game is over there. If the monitor is stopped, they are of no use.
    """
    plies = int64(knobs.plies)
    played = int64(0)
    if settings.playout == USUAL and not settings.notes:
        part = min(int64(knobs.pause), plies)
        while True:
            state, done = game.playout(state, rng, part)
            is_last, played = part == plies - played, played + done
            if is_last or 0 < done < part:
                return state, played < plies or game.is_terminal(state)
            if monitor.is_stopped():
                return state, False
            # A playout that cannot be played in parts has played nothing.
            part = min(int64(knobs.pause) if done else plies, plies - played)
    if settings.playout == EVALUATE:
        return state, False
    while played < plies:
        if game.is_terminal(state) or monitor.is_stopped():
            return state, True
        player = game.player(state)
        if game.chance and player == CHANCE:
            action = game.random_outcome(state, rng)
        else:
            action = pick(game, state, player, before, settings, knobs, trail, rng)
            if settings.notes:
                trail.note(player, action)
        state = game.result(state, action)
        before = action
        played += 1
    return state, game.is_terminal(state)


def pick(game, state, player, before, settings, knobs, trail, rng):
    """Choose an action of a playout."""
    if settings.playout == UNIFORM:
        return pick_uniformly(game, state, rng)
    if settings.playout == PRIORITY:
        return pick_by_priority(game, state, knobs, rng)
    if settings.playout == REPLIES and before != NO_ACTION:
        answer = game.reply(state, before, rng)
        if answer != NO_ACTION:
            return answer
    if settings.playout == DECISIVE:
        for action in game.actions(state):
            child = game.result(state, action)
            if game.is_terminal(child) and game.utility(child, player) > 0:
                return action
    if settings.playout == MAST and rng.fraction() >= knobs.random_share:
        return pick_by_past(game, state, player, trail, rng)
    if settings.playout == REPLY:
        answer = NO_ACTION
        if before != NO_ACTION:
            answer = trail.reply[trail.place_of(player, before)] - 1
        if answer != NO_ACTION and is_legal(game, state, answer):
            return answer
    return game.random_action(state, rng)


def is_legal(game, state, wanted):
    for action in game.actions(state):
        if action == wanted:
            return True
    return False


def pick_uniformly(game, state, rng):
    chosen = NO_ACTION
    for before, action in enumerate(game.actions(state)):
        if rng.below(before + 1) == 0:
            chosen = action
    return chosen


def pick_by_priority(game, state, knobs, rng):
    """Choose with a probability that grows exponentially with the priority: the largest of noisy numbers."""
    chosen, best = NO_ACTION, -math.inf
    for action in game.actions(state):
        noise = -math.log(-math.log(rng.fraction() + 1e-300) + 1e-300)
        number = game.priority(state, action) / knobs.temperature + noise
        if number > best:
            chosen, best = action, number
    return chosen


def pick_by_past(game, state, player, trail, rng):
    """The action with the best mean; an action that was never played counts as won."""
    chosen, best = NO_ACTION, -math.inf
    for action in game.actions(state):
        place = trail.place_of(player, action)
        mean = 1.0
        if trail.mast_visits[place] > 0.0:
            mean = trail.mast_total[place] / trail.mast_visits[place]
        number = mean + 1e-6 * rng.fraction()
        if number > best:
            chosen, best = action, number
    return chosen


@inlined
def learn(settings, trail):
    """Learn from a simulation for later playouts."""
    is_vector = settings.players > 1
    for number in range(trail.counts[NOTED]):
        player, action = trail.players[number], trail.actions[number]
        reward = trail.rewards[player] if is_vector else trail.rewards[0]
        if not is_vector and player == 1:
            reward = -reward
        if settings.playout == MAST:
            place = trail.place_of(player, action)
            trail.mast_visits[place] += 1.0
            trail.mast_total[place] += reward
        if settings.playout == REPLY and number > 0:
            place = trail.place_of(player, trail.actions[number - 1])
            if reward > 0.0:
                trail.reply[place] = action + 1
            elif reward < 0.0 and trail.reply[place] == action + 1:
                trail.reply[place] = 0


@inlined
def reward_of(game, state, is_over, player, settings, knobs, monitor):
    """The reward of a state for a player, between -1 and 1."""
    if settings.reward == OUTCOME:
        if is_over:
            value = monitor.final(game, game.utility(state, player), 1)
            return 1.0 if value > 0 else -1.0 if value < 0 else 0.0
        return math.tanh(game.evaluate(state, player) / knobs.unit * 0.5493061443340549)  # ln 3 / 2
    if is_over:
        return (monitor.final(game, game.utility(state, player), 1) - knobs.middle) / knobs.half
    return (game.evaluate(state, player) - knobs.middle) / knobs.half


def as_static(game: Any) -> tuple[float, float, float]:
    """The unit, the middle and half the width of a game's values."""
    half = (game.highest - game.lowest) / 2 or 1.0
    return float(game.unit()), (game.highest + game.lowest) / 2, float(half)
