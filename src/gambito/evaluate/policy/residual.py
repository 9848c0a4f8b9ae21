"""A residual network with a policy and a value over a board, in NumPy: its layers and what it computes.

    x = relu(conv x₀ + global inputs);  in each block x = relu(x + conv relu(conv x));  then two heads

A conv looks at the 3×3 cells around each cell. A head reduces the channels of every cell and then sees all
cells: the policy's gives a logit for each action, the value's has one more layer and goes through tanh. It is
learned with PyTorch (`learn/zero/torch_resnet.py`), where batches are normalised; here the norms are parts of
the weights. Convs are matrices, [9 × channels before][channels after], rows of cells from the top left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gambito.evaluate.policy.places import Grid

CHUNK = 64  # states that are computed at once; more would not stay in the processor's cache


@dataclass(frozen=True)
class ResNetShape:
    """The sizes of a residual network."""

    inputs: int
    channels: int
    blocks: int
    slots: int
    values: int
    policy: int = 16  # channels of the policy's head
    value: int = 8  # of the value's head
    units: int = 64  # of the layer between the value's head and the value

    def sizes(self, grid: Grid) -> dict[str, tuple[int, ...]]:
        """The shapes of all weights by name."""
        channels, cells = self.channels, grid.cells
        found: dict[str, tuple[int, ...]] = {"g0": (len(grid.off), channels)}
        for number in range(2 * self.blocks + 1):
            found[f"w{number}"] = (9 * (channels if number else grid.planes), channels)
            found[f"b{number}"] = (channels,)
        return found | {
            "wp": (channels, self.policy), "bp": (self.policy,),
            "wv": (channels, self.value), "bv": (self.value,),
            "p": (cells * self.policy, self.slots), "pb": (self.slots,),
            "u": (cells * self.value, self.units), "ub": (self.units,),
            "v": (self.units, self.values), "vb": (self.values,),
        }  # fmt: skip


class Residual:
    """The weights by name, and where the inputs lie."""

    def __init__(self, weights: dict[str, Any], tower: ResNetShape, grid: Grid) -> None:
        self.weights, self.tower, self.grid, self.slots = weights, tower, grid, tower.slots

    def forward(self, seen: Any) -> Any:
        """The outputs for inputs: [states][slots + values], logits and then values."""
        parts = [self._forward(seen[begin : begin + CHUNK]) for begin in range(0, len(seen), CHUNK)]
        return np.concatenate(parts) if parts else np.zeros((0, self.slots + self.tower.values), np.float32)

    def _forward(self, seen: Any) -> Any:
        weights, grid, count = self.weights, self.grid, len(seen)
        planes = np.zeros((count, grid.cells, grid.planes), np.float32)
        planes[:, grid.cell, grid.plane] = seen[:, grid.on]
        cells = self._conv(planes, 0)
        cells.reshape(count, grid.cells, -1)[:] += (seen[:, grid.off] @ weights["g0"])[:, None]
        cells = np.maximum(cells, 0.0, out=cells)
        for block in range(self.tower.blocks):
            inner = self._conv(cells, 2 * block + 1)
            added = self._conv(np.maximum(inner, 0.0, out=inner), 2 * block + 2)
            added += cells
            cells = np.maximum(added, 0.0, out=added)
        policy, value = (self._head(cells, name, count) for name in "pv")
        found = np.empty((count, self.slots + self.tower.values), np.float32)
        found[:, : self.slots] = policy @ weights["p"] + weights["pb"]
        units = np.maximum(value @ weights["u"] + weights["ub"], 0.0)
        found[:, self.slots :] = np.tanh(units @ weights["v"] + weights["vb"])
        return found

    def _head(self, cells: Any, name: str, count: int) -> Any:
        found = cells @ self.weights[f"w{name}"] + self.weights[f"b{name}"]
        return np.maximum(found, 0.0).reshape(count, -1)

    def _conv(self, cells: Any, number: int) -> Any:
        """A conv without its relu, [states × cells][channels]."""
        height, width, channels = self.grid.height, self.grid.width, cells.shape[-1]
        boards = cells.reshape(-1, height, width, channels)
        around = np.zeros((len(boards), height + 2, width + 2, channels), np.float32)
        around[:, 1:-1, 1:-1] = boards
        # three cells side by side lie in one piece, so each row of the 3×3 is one copy
        shape, strides = (len(boards), height + 2, width, 3 * channels), around.strides
        triples = np.lib.stride_tricks.as_strided(around, shape, strides)
        lines = np.concatenate([triples[:, row : row + height] for row in range(3)], axis=3)
        found = lines.reshape(-1, 9 * channels) @ self.weights[f"w{number}"]
        found += self.weights[f"b{number}"]
        return found
