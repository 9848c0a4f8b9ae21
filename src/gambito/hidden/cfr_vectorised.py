"""Sweeps over a game's sequences: one iteration of counterfactual regret minimisation, without a recursion.

A sweep for a player is two loops over its information sets. From the last set to the first, it adds up what
every action is worth against the others' strategies, and brings regrets and the policy up to date; then, from
the first to the last, it computes how far the new policy leads. The arithmetic is that of `cfr.walk`.
"""

from __future__ import annotations

from gambito.hidden.regrets import factor
from gambito.native import int64, native

SLOTS_PER_CHECK = 1 << 12  # slots or sets between two looks at the monitor, a power of two


def entry_reach(plan, flow, entry):
    """The probability that the other players' choices lead to an entry."""
    reach = 1.0
    for place in range(entry * (plan.players - 1), (entry + 1) * (plan.players - 1)):
        reach *= flow[plan.other[place]]
    return reach


def gather(plan, flow, player, monitor):
    """Replace the flow of a player's slots by what its last actions are worth, without later ones.

    This is most of the work of a sweep. If the monitor stops it, the flow is of no use, and the result False.
    """
    slot, begin = int64(player), int64(plan.first[plan.sets[player]])
    end = int64(plan.first[plan.sets[player + 1]])
    while slot < end:
        if slot & (SLOTS_PER_CHECK - 1) == 0 and monitor.is_stopped():
            return False
        total = 0.0
        if plan.players == 2:
            for entry in range(plan.start[slot], plan.start[slot + 1]):
                total += plan.worth[entry] * flow[plan.other[entry]]
        else:
            for entry in range(plan.start[slot], plan.start[slot + 1]):
                total += plan.worth[entry] * entry_reach(plan, flow, entry)
        flow[slot] = total
        slot = slot + 1 if slot >= begin else begin
    return True


def spread_out(plan, policy, flow, player):
    """The flow of a player's slots: the probability that its choices lead there."""
    flow[player] = 1.0
    for each in range(plan.sets[player], plan.sets[player + 1]):
        reach = flow[plan.parent[each]]
        for slot in range(plan.first[each], plan.first[each + 1]):
            flow[slot] = reach * policy[slot]


def sweep(plan, sets, player, positive, negative, weight, foresight, monitor):
    """One iteration for a player against the others' policies. If the monitor stops it, sets that come early
    in the game learn nothing from it."""
    begin, end = plan.sets[player], plan.sets[player + 1]
    for slot in range(plan.first[begin], plan.first[end]):
        sets.average[slot] += weight * sets.flow[slot]
    if not gather(plan, sets.flow, player, monitor):
        return
    for each in range(end - 1, begin - 1, -1):
        if each & (SLOTS_PER_CHECK - 1) == 0 and monitor.is_stopped():
            return
        first, last = int64(plan.first[each]), int64(plan.first[each + 1])
        value = 0.0
        for slot in range(first, last):
            value += sets.policy[slot] * sets.flow[slot]
        for slot in range(first, last):
            sets.regret[slot] += sets.flow[slot] - value
            sets.discount(slot, positive, negative)
        sets.match(first, last, foresight, value)
        sets.flow[plan.parent[each]] += value
    spread_out(plan, sets.policy, sets.flow, player)


@native
def iterate(game, plan, sets, variant, begin, end, monitor):
    """The iterations from `begin` on, without `end`: one player after the other.

    Returns the next iteration: an earlier one than `end` if the monitor says stop.
    """
    for player in range(plan.players):
        spread_out(plan, sets.policy, sets.flow, player)
    for iteration in range(begin, end):
        positive, negative = factor(iteration, variant.alpha), factor(iteration, variant.beta)
        weight = float(iteration) ** variant.gamma
        for player in range(plan.players):
            sweep(plan, sets, player, positive, negative, weight, variant.foresight, monitor)
            if monitor.is_stopped():
                return int64(iteration)
    return int64(end)
