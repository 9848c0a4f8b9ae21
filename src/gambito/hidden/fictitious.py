"""Fictitious play: each player in turn plays the best response to the average of what the others have played.

The average of all responses goes to an equilibrium in zero-sum games of two players, more slowly than regret
matching does. The average is over whole strategies: what is added up is how far each response leads. Brown,
Iterative solution of games by fictitious play (1951); Heinrich, Lanctot & Silver (2015).
"""

from __future__ import annotations

from gambito.hidden.best_response import best_response
from gambito.hidden.cfr_vectorised import spread_out
from gambito.native import int64, native


@native
def play_fictitiously(game, plan, sets, begin, end, monitor):
    """The iterations from `begin` on, without `end`; the policies of `sets` count as the first responses.

    Returns the next iteration: an earlier one than `end` if the monitor says stop.
    """
    for player in range(plan.players):
        first, last = plan.first[plan.sets[player]], plan.first[plan.sets[player + 1]]
        if begin == 1:
            spread_out(plan, sets.policy, sets.flow, player)
            for slot in range(first, last):
                sets.average[slot] = sets.flow[slot]
        sets.flow[player] = 1.0
        for slot in range(first, last):
            sets.flow[slot] = sets.average[slot] / begin
    for iteration in range(begin, end):
        for player in range(plan.players):
            best_response(plan, sets.flow, sets.policy, player, monitor)
            if monitor.is_stopped():  # the response may not be complete
                return int64(iteration)
            spread_out(plan, sets.policy, sets.flow, player)
            for slot in range(plan.first[plan.sets[player]], plan.first[plan.sets[player + 1]]):
                sets.average[slot] += sets.flow[slot]
                sets.flow[slot] = sets.average[slot] / (iteration + 1)
    return int64(end)
