"""A dense network with a policy and a value, in NumPy: its layers, what it computes, and what it learns.

    h₀ = relu(x W₀ + b₀);  hᵢ = hᵢ₋₁ + relu(hᵢ₋₁ Wᵢ + bᵢ);  policy, value = h W + b, the value through tanh

Numbers have 32 bits. The policy has an output for each action by its number; larger numbers share outputs.
The value is the mover's, between -1 and 1; with several players there is one for each.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class Dense:
    """The weights, by name: w0, b0, w1, b1 … and those of the outputs, `w` and `b`."""

    def __init__(self, weights: dict[str, Any], slots: int) -> None:
        self.weights, self.slots = weights, slots
        self.layers = sum(name[0] == "w" and len(name) > 1 for name in weights)

    def forward(self, seen: Any) -> Any:
        """The outputs for inputs: [states][slots + values], logits and then values."""
        found = self.hidden(seen)[-1] @ self.weights["w"] + self.weights["b"]
        np.tanh(found[:, self.slots :], out=found[:, self.slots :])
        return found

    def hidden(self, seen: Any) -> list[Any]:
        """The hidden layers, from the first to the last."""
        weights = self.weights
        layers = [np.maximum(seen @ weights["w0"] + weights["b0"], 0.0)]
        for number in range(1, self.layers):
            added = layers[-1] @ weights[f"w{number}"]
            added += weights[f"b{number}"]
            layers.append(layers[-1] + np.maximum(added, 0.0, out=added))
        return layers

    def gradients(self, seen: Any, mask: Any, policy: Any, goals: Any) -> tuple[dict[str, Any], float, float]:
        """The gradients of the loss over a batch, and its two parts: of the policy and of the value.

        `mask` says which outputs are actions of a state, `policy` their probabilities, `goals` the values.
        The loss is the cross-entropy of the policy plus the squared error of the value, a mean over states.
        """
        weights, count = self.weights, len(seen)
        layers = self.hidden(seen)
        found = layers[-1] @ weights["w"] + weights["b"]
        logits, values = found[:, : self.slots], np.tanh(found[:, self.slots :])
        logits = np.where(mask, logits, np.float32(-1e9))
        logits = logits - logits.max(axis=1, keepdims=True)
        chances = np.exp(logits)
        total = chances.sum(axis=1, keepdims=True)
        chances /= total
        policy_loss = -float((policy * (logits - np.log(total)))[mask].sum()) / count
        errors = values - goals
        value_loss = float((errors * errors).sum()) / count
        slope = np.empty_like(found)
        slope[:, : self.slots] = (chances - policy) / count
        slope[:, self.slots :] = 2.0 * errors * (1.0 - values * values) / count
        made = {"w": layers[-1].T @ slope, "b": slope.sum(axis=0)}
        back = slope @ weights["w"].T
        for number in range(self.layers - 1, 0, -1):
            through = np.where(layers[number] > layers[number - 1], back, np.float32(0.0))
            made[f"w{number}"] = layers[number - 1].T @ through
            made[f"b{number}"] = through.sum(axis=0)
            back = back + through @ weights[f"w{number}"].T
        back = np.where(layers[0] > 0.0, back, np.float32(0.0))
        made["w0"], made["b0"] = seen.T @ back, back.sum(axis=0)
        return made, policy_loss, value_loss


def new_dense(inputs: int, units: int, layers: int, slots: int, values: int, seed: int) -> Dense:
    """A network with random weights; its outputs begin near zero."""
    rng = np.random.default_rng(seed)
    weights: dict[str, Any] = {}
    for number in range(layers):
        size = units if number else inputs
        scale = np.sqrt(2.0 / size) / (1.0 if number == 0 else 2.0)
        weights[f"w{number}"] = (rng.standard_normal((size, units)) * scale).astype(np.float32)
        weights[f"b{number}"] = np.zeros(units, np.float32)
    weights["w"] = (rng.standard_normal((units, slots + values)) * 0.01).astype(np.float32)
    weights["b"] = np.zeros(slots + values, np.float32)
    return Dense(weights, slots)
