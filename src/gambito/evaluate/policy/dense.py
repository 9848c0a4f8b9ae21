"""A dense network with a policy and a value, in NumPy: its layers, what it computes, and what it learns.

    h₀ = relu(x W₀ + b₀);  hᵢ = hᵢ₋₁ + relu(hᵢ₋₁ Wᵢ + bᵢ);  policy, value = h W + b, the value through tanh

If the inputs lie on a board, a part of W₀ is made of shared weights (`local.py`). Then h₁ has another width,
and h₀ is not added to it. While it learns, W can be W′ + U Eᵀ, where E says what each action does to the
inputs: actions that do the same in part are then learned together. Numbers have 32 bits. The policy has an
output for each action (`slots.py`). The value is the mover's, between -1 and 1; with several players there is
one for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gambito.evaluate.policy.shared_weights import Ties


class Dense:
    """The weights by name: w0, b0, w1, b1 …, those of the outputs, `w` and `b`, `shared` with ties.

    With effects, [slots][inputs], there is `u` too.
    """

    def __init__(
        self, weights: dict[str, Any], slots: int, ties: Ties | None = None, effects: Any = None
    ) -> None:
        self.weights, self.slots, self.ties, self.effects = weights, slots, ties, effects
        self.layers = sum(name[0] == "w" and len(name) > 1 for name in weights)
        self._made: Any = None  # the first and the last layer, made once for a network that plays

    def first(self) -> Any:
        """The weights of the first layer."""
        if self.ties is None:
            return self.weights["w0"]
        return np.concatenate([self.ties.spread(self.weights["shared"]), self.weights["w0"]], axis=1)

    def last(self) -> Any:
        """The weights of the outputs."""
        if self.effects is None:
            return self.weights["w"]
        whole = self.weights["w"].copy()
        whole[:, : self.slots] += self.weights["u"] @ self.effects.T
        return whole

    def plain(self) -> dict[str, Any]:
        """The weights of a network without effects that says the same."""
        return {**{n: array for n, array in self.weights.items() if n != "u"}, "w": self.last()}

    def forward(self, seen: Any) -> Any:
        """The outputs for inputs: [states][slots + values], logits and then values."""
        if self._made is None:
            self._made = self.first(), self.last()
        first, last = self._made
        found = self.hidden(seen, first)[-1] @ last + self.weights["b"]
        np.tanh(found[:, self.slots :], out=found[:, self.slots :])
        return found

    def hidden(self, seen: Any, first: Any) -> list[Any]:
        """The hidden layers, from the first to the last."""
        weights = self.weights
        layers = [np.maximum(seen @ first + weights["b0"], 0.0)]
        for number in range(1, self.layers):
            added = layers[-1] @ weights[f"w{number}"]
            added += weights[f"b{number}"]
            np.maximum(added, 0.0, out=added)
            if self._adds(number):
                added += layers[-1]
            layers.append(added)
        return layers

    def _adds(self, number: int) -> bool:
        """Is a layer added to the one before it?"""
        return self.ties is None or number > 1

    def gradients(self, seen: Any, mask: Any, policy: Any, goals: Any) -> tuple[dict[str, Any], float, float]:
        """The gradients of the loss over a batch, and its two parts: of the policy and of the value.

        `mask` says which outputs are actions of a state, `policy` their probabilities, `goals` the values.
        The loss is the cross-entropy of the policy plus the squared error of the value, a mean over states.
        """
        weights, count = self.weights, len(seen)
        layers = self.hidden(seen, self.first())
        last = self.last()
        found = layers[-1] @ last + weights["b"]
        logits, values = found[:, : self.slots], np.tanh(found[:, self.slots :])
        logits = np.where(mask, logits, np.float32(-1e9))
        logits = logits - logits.max(axis=1, keepdims=True)
        chances = np.exp(logits)
        total = chances.sum(axis=1, keepdims=True)
        chances /= total
        policy_loss = float(np.log(total).sum() - np.vdot(policy, logits)) / count
        errors = values - goals
        value_loss = float((errors * errors).sum()) / count
        slope = np.empty_like(found)
        slope[:, : self.slots] = (chances - policy) / count
        slope[:, self.slots :] = 2.0 * errors * (1.0 - values * values) / count
        made = {"w": layers[-1].T @ slope, "b": slope.sum(axis=0)}
        if self.effects is not None:
            made["u"] = made["w"][:, : self.slots] @ self.effects
        back = slope @ last.T
        for number in range(self.layers - 1, 0, -1):
            adds = self._adds(number)
            is_on = layers[number] > (layers[number - 1] if adds else 0.0)
            through = np.where(is_on, back, np.float32(0.0))
            made[f"w{number}"] = layers[number - 1].T @ through
            made[f"b{number}"] = through.sum(axis=0)
            below = through @ weights[f"w{number}"].T
            back = back + below if adds else below
        back = np.where(layers[0] > 0.0, back, np.float32(0.0))
        made["w0"], made["b0"] = seen.T @ back, back.sum(axis=0)
        if self.ties is not None:
            tied = made["w0"].shape[1] - weights["w0"].shape[1]
            made["shared"] = self.ties.gather(made["w0"][:, :tied])
            made["w0"] = made["w0"][:, tied:]
        return made, policy_loss, value_loss


@dataclass(frozen=True)
class Shape:
    """The sizes of a network. `channels` are those of every cell of a board; 0: there is no board."""

    inputs: int
    units: int
    layers: int
    slots: int
    values: int
    channels: int = 0
    free: int = 0  # units of the first layer that look at the whole board

    def sizes(self, ties: Ties | None) -> dict[str, tuple[int, ...]]:
        """The shapes of all weights by name."""
        first = self.units if ties is None else ties.cells * self.channels + self.free
        found: dict[str, tuple[int, ...]] = {
            "w0": (self.inputs, self.units if ties is None else self.free),
            "b0": (first,),
            "w": (self.units if self.layers > 1 else first, self.slots + self.values),
            "b": (self.slots + self.values,),
        }
        if ties is not None:
            found["shared"] = (ties.count, self.channels)
        for number in range(1, self.layers):
            found[f"w{number}"] = (first if number == 1 else self.units, self.units)
            found[f"b{number}"] = (self.units,)
        return found


def new_dense(shape: Shape, seed: int, ties: Ties | None = None, effects: Any = None) -> Dense:
    """A network with random weights; its outputs begin near zero."""
    rng, weights = np.random.default_rng(seed), {}
    for name, size in sorted(shape.sizes(ties).items()):
        if len(size) == 1:
            weights[name] = np.zeros(size, np.float32)
            continue
        fan = shape.inputs if name == "shared" else size[0]
        scale = 0.01 if name == "w" else np.sqrt(2.0 / fan) / (1.0 if name in ("w0", "shared") else 2.0)
        weights[name] = (rng.standard_normal(size) * scale).astype(np.float32)
    if effects is not None:
        weights["u"] = np.zeros((len(weights["w"]), shape.inputs), np.float32)
    return Dense(weights, shape.slots, ties, effects)
