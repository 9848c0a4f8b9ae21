"""Best responses: how much each player could win against the others' strategies, and what that proves.

A player's information sets are asked from the last to the first, so that every later choice is known to be
the best one. The others' strategies and chance are fixed, so this is exact. `nash_conv` is the sum of what
the players could gain by a best response; `exploitability` is its share for each player. In a zero-sum game
of two players, what a best response wins bounds the value of the game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gambito.hidden.cfr_vectorised import gather, spread_out
from gambito.hidden.sequence_form import SequenceForm
from gambito.native import Constant, Handle, int64, native
from gambito.search.monitor import Monitor, new_monitor


class Flow(Handle):
    """A strategy, how far it leads, and the best actions against it."""

    arrays = {"policy": np.float64, "flow": np.float64, "best": np.float64}  # noqa: RUF012


def best_response(plan, flow, best, player, monitor):
    """The value of the best response to the others' policies; the response is written into `best`."""
    gather(plan, flow, player, monitor)
    for each in range(plan.sets[player + 1] - 1, plan.sets[player] - 1, -1):
        first, last = int64(plan.first[each]), int64(plan.first[each + 1])
        chosen = first
        for slot in range(first, last):
            best[slot] = 0.0
            if flow[slot] > flow[chosen]:
                chosen = slot
        best[chosen] = 1.0
        flow[plan.parent[each]] += flow[chosen]
    return flow[player]


def expect(plan, policy, flow, player, monitor):
    """The value of a player's policy against the others'."""
    gather(plan, flow, player, monitor)
    for each in range(plan.sets[player + 1] - 1, plan.sets[player] - 1, -1):
        value = 0.0
        for slot in range(plan.first[each], plan.first[each + 1]):
            value += policy[slot] * flow[slot]
        flow[plan.parent[each]] += value
    return flow[player]


@native
def judge_policies(game, plan, held, values, responses, monitor):
    """For each player the value of the policies, and of its best response to the others."""
    for player in range(plan.players):
        spread_out(plan, held.policy, held.flow, player)
    for player in range(plan.players):
        values[player] = expect(plan, held.policy, held.flow, player, monitor)
        responses[player] = best_response(plan, held.flow, held.best, player, monitor)
        spread_out(plan, held.policy, held.flow, player)


@native
def value_actions(game, plan, held, player, monitor):
    """Replace the flow of a player's slots by what its actions are worth against the others' policies, times
    the probability that these and chance lead there."""
    for each in range(plan.players):
        spread_out(plan, held.policy, held.flow, each)
    return expect(plan, held.policy, held.flow, player, monitor)


def new_flow(policy: Any) -> Flow:
    return Flow(policy=policy, flow=np.zeros(len(policy)), best=np.zeros(len(policy)))


class Judgement(NamedTuple):
    """What strategies are worth, and what best responses to them are worth."""

    values: tuple[float, ...]  # of the strategies, for each player
    responses: tuple[float, ...]  # of each player's best response to the others
    best: Any  # the best responses: 1 in the slot of each chosen action, else 0

    @property
    def nash_conv(self) -> float:
        """What the players could gain by best responses, in total."""
        return sum(self.responses) - sum(self.values)

    @property
    def exploitability(self) -> float:
        return self.nash_conv / len(self.values)

    @property
    def bounds(self) -> tuple[float, float]:
        """Between these lies the value of a zero-sum game of two players, for the first one."""
        return -self.responses[1], self.responses[0]


def unstopped(game: Any) -> Monitor:
    """A monitor for a pass that nothing stops."""
    return new_monitor(Monitor, "native" if isinstance(game, Constant) else "python", 0)


def judge(game: Any, plan: SequenceForm, policy: Any) -> Judgement:
    """Judge a strategy for all players; `game` is an unrolled game in its gear."""
    held = new_flow(policy)
    values, responses = np.zeros(plan.players), np.zeros(plan.players)
    judge_policies(game, plan, held, values, responses, unstopped(game))
    return Judgement(tuple(values.tolist()), tuple(responses.tolist()), held.best)
