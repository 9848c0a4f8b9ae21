"""One step of learning: a batch of positions, the gradients of a network, and Adam.

Kingma & Ba, Adam: a method for stochastic optimization, 2015.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gambito.evaluate.policy.dense import Dense
from gambito.evaluate.policy.encoding import StateEncoding
from gambito.learn.zero.search_trees import spans
from gambito.learn.zero.symmetries import Symmetries

DECAY = 1e-4  # of weights, at each step times the rate
FIRST, SECOND, TINY = 0.9, 0.999, 1e-7
AVERAGED_STEPS = 250  # steps that the mean of the weights goes back; early on a tenth of all


class Positions:
    """The positions of the last rounds, as streams wrote them, for batches."""

    def __init__(
        self,
        parts: list[dict[str, Any]],
        sight: StateEncoding,
        slots: int,
        symmetries: Symmetries | None = None,
    ) -> None:
        def whole(name: str) -> Any:
            return np.concatenate([part[name] for part in parts])

        self.sight, self.slots, self.symmetries = sight, slots, symmetries
        self.states, self.movers, self.counts = whole("states"), whole("movers"), whole("counts")
        self.slot, self.chance = whole("slot"), whole("chance")
        self.found, self.result = whole("found"), whole("result")
        self.begin = np.concatenate([[0], np.cumsum(self.counts, dtype=np.int64)])

    def __len__(self) -> int:
        return len(self.movers)

    def batch(self, chosen: Any, share: float, rng: Any) -> tuple[Any, Any, Any, Any]:
        """Inputs, masks, policies and values of some positions, each in one of its symmetric views.

        `share` is that of the values found.
        """
        seen = self.sight.rows(self.states[chosen], self.movers[chosen])
        rows, within = spans(self.counts[chosen])
        places = self.begin[chosen][rows] + within
        slots = self.slot[places]
        if self.symmetries is not None:
            seen, slots = self.symmetries.turn(seen, rows, slots, rng)
        mask = np.zeros((len(chosen), self.slots), bool)
        mask[rows, slots] = True
        policy = np.zeros((len(chosen), self.slots), np.float32)
        np.add.at(policy, (rows, slots), self.chance[places])
        goals = share * self.found[chosen] + (1.0 - share) * self.result[chosen]
        return seen, mask, policy, goals.astype(np.float32)


class Adam:
    """The moments of each weight, by name, and the means of the weights over the last steps.

    The means play better than the weights of any one step.
    """

    def __init__(self, weights: dict[str, Any]) -> None:
        self.first = {name: np.zeros_like(array) for name, array in weights.items()}
        self.second = {name: np.zeros_like(array) for name, array in weights.items()}
        self.mean = {name: array.copy() for name, array in weights.items()}
        self.steps = 0

    def step(self, weights: dict[str, Any], slopes: dict[str, Any], rate: float) -> None:
        """Move the weights, in place."""
        self.steps += 1
        share = np.float32(1.0 / min(AVERAGED_STEPS, 1.0 + self.steps / 10.0))
        size = rate * np.sqrt(1.0 - SECOND**self.steps) / (1.0 - FIRST**self.steps)
        for name, slope in slopes.items():
            first, second, held = self.first[name], self.second[name], weights[name]
            first += np.float32(1.0 - FIRST) * (slope - first)
            second += np.float32(1.0 - SECOND) * (slope * slope - second)
            if held.ndim > 1:
                held *= np.float32(1.0 - rate * DECAY)
            held -= np.float32(size) * first / (np.sqrt(second) + np.float32(TINY))
            self.mean[name] += share * (held - self.mean[name])


def learn(
    network: Dense, adam: Adam, held: Positions, steps: int, batch: int, rate: float, share: float, rng: Any
) -> tuple[float, float]:
    """Do some steps on random positions; return the mean losses of the policy and of the value."""
    losses = np.zeros(2)
    for _ in range(steps):
        chosen = rng.integers(0, len(held), batch)
        slopes, *loss = network.gradients(*held.batch(chosen, share, rng))
        adam.step(network.weights, slopes, rate)
        losses += loss
    policy, value = losses / max(steps, 1)
    return float(policy), float(value)
