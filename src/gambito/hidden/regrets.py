"""What is learned about information sets: four numbers for each action, in slots side by side.

regret[slot]    how much better the action would have been, summed up
policy[slot]    the probability of the action in the next iteration
average[slot]   the sum of its probabilities so far, weighted: the strategy that is learned
flow[slot]      the probability that the owner's choices lead up to and through the action; in a sweep
                for the owner, what the action is worth there
"""

from __future__ import annotations

import math
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gambito.native import Handle


class InformationSets(Handle):
    """The numbers of every slot."""

    arrays: ClassVar[dict[str, type]] = {
        "regret": np.float64,
        "policy": np.float64,
        "average": np.float64,
        "flow": np.float64,
    }

    def discount(self, slot, positive, negative):
        """Multiply a regret by a factor that depends on its sign."""
        self.regret[slot] *= positive if self.regret[slot] >= 0.0 else negative

    def match(self, begin, end, foresight, value):
        """Regret matching: the next policy of an information set, in proportion to positive regrets.

        With a foresight of 1, the regrets of this iteration (flow - value) are expected to come once more.
        """
        total = 0.0
        for slot in range(begin, end):
            total += max(self.regret[slot] + foresight * (self.flow[slot] - value), 0.0)
        for slot in range(begin, end):
            lead = max(self.regret[slot] + foresight * (self.flow[slot] - value), 0.0)
            self.policy[slot] = lead / total if total > 0.0 else 1.0 / (end - begin)


class Variant(NamedTuple):
    """How regrets and averages are weighted, as in discounted CFR: after iteration t, positive regrets are
    multiplied by t^alpha / (t^alpha + 1) and negative ones by t^beta / (t^beta + 1), and the policy of
    iteration t counts t^gamma in the average."""

    alpha: float
    beta: float
    gamma: float
    foresight: float = 0.0  # 1: predictive


VARIANTS = {
    "cfr": Variant(math.inf, math.inf, 0.0),
    "cfr+": Variant(math.inf, -math.inf, 1.0),
    "lcfr": Variant(1.0, 1.0, 1.0),
    "dcfr": Variant(1.5, 0.0, 2.0),
    "pcfr+": Variant(math.inf, -math.inf, 2.0, 1.0),
}


def factor(iteration, exponent):
    """What a regret is multiplied by after an iteration."""
    if exponent == math.inf:
        return 1.0
    if exponent == -math.inf:
        return 0.0
    power = float(iteration) ** exponent
    return power / (power + 1.0)


def new_sets(first: Any, slots: int) -> InformationSets:
    """Uniform policies; `first` are the slots where information sets begin, and where the last one ends."""
    sets = InformationSets(**{name: np.zeros(slots) for name in InformationSets.arrays})
    counts = np.diff(first)
    sets.policy[first[0] :] = np.repeat(1.0 / counts, counts)
    return sets


def normalised(first: Any, sums: Any) -> Any:
    """The strategy that sums of probabilities stand for: uniform where they are all 0."""
    policy = np.ones(len(sums))
    counts = np.diff(first)
    if len(counts):
        totals = np.repeat(np.add.reduceat(sums, first[:-1]), counts)
        uniform = np.repeat(1.0 / counts, counts)
        policy[first[0] :] = np.divide(sums[first[0] :], totals, out=uniform, where=totals > 0)
    return policy
