"""Monte-Carlo tree search with a trained network: its priors and values, for many leaves at once.

Compiled code goes down to a number of leaves and stores their states; virtual loss sends each simulation
elsewhere. The network answers for all of them. Then compiled code gives them children with priors, and backs
up the values. The first leaves are few, so that early answers count at once. In chance states dice decide,
and the search goes through them to the next decision.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

import numpy as np

from gambito.evaluate.policy.files import Network, read_network
from gambito.evaluate.policy.policy_outputs import slot_of
from gambito.game.contract import CHANCE
from gambito.jobs.blas import one_blas_thread
from gambito.memory.tree import DEEPEST
from gambito.native import Handle, inlined, int64, native
from gambito.native.store import get, put
from gambito.search.monitor import NODES
from gambito.search.monte_carlo.playouts import LENGTH, MOST_PLIES, new_trail, reward_of
from gambito.search.monte_carlo.simulation import (
    FULL,
    SOLVED,
    STOPPED,
    back_up,
    descend,
    expand,
    repeats,
    sign_of,
)
from gambito.search.task import SearchTask

BATCH = 32  # leaves that the network values in one call, if nothing else is said
GROWTH = 32  # the batch has at most one leaf for so many simulations before it
WAITING, END = range(2)  # the head of a batch: leaves, and how gathering them ended
ON = -1  # it goes on


class Batch(Handle):
    """Leaves that wait for the network: states, movers, the paths to them, and the network's outputs."""

    arrays: ClassVar[dict[str, type]] = {
        "head": np.int64,
        "states": np.uint8,
        "movers": np.int64,
        "depths": np.int64,
        "nodes": np.int64,
        "players": np.int64,
        "outputs": np.float32,
        "table": np.int32,  # the outputs of actions, as `slot_of` reads it
    }


def new_batch(network: Network, size: int, gear: str) -> Batch:
    return Batch(
        head=np.zeros(2, np.int64),
        states=network.sight.layout.new_memory(size, gear),
        movers=np.zeros(size, np.int64),
        depths=np.zeros(size, np.int64),
        nodes=np.zeros(size * MOST_PLIES, np.int64),
        players=np.zeros(size * MOST_PLIES, np.int64),
        outputs=np.zeros(size * (network.slots + network.values), np.float32),
        table=network.actions.table,
    )


@native
def gather(game, root, settings, knobs, tree, trail, rng, monitor, batch, most):
    """Run simulations until so many leaves wait for the network, or the search ends.

    Simulations that end with the game are backed up at once.
    """
    batch.head[WAITING], batch.head[END] = 0, ON
    while batch.head[WAITING] < most:
        monitor.visit(1)
        if monitor.is_stopped():
            monitor.halt()
            batch.head[END] = STOPPED
            return
        state, is_over, is_full = descend(game, root, settings, knobs, tree, trail, rng, monitor)
        if is_full:
            batch.head[END] = FULL
        is_repeated = game.cycles and not is_over and repeats(trail)
        if is_over or is_repeated:
            for player in range(settings.players):
                if is_repeated:
                    trail.rewards[player] = sign_of(game.repetition(state, player))
                else:
                    trail.rewards[player] = reward_of(game, state, True, player, settings, knobs, monitor)
            monitor.simulate(game, state, trail.rewards[0])
            back_up(settings, knobs, tree, trail, monitor, is_over)
            if settings.solver and tree.low[0] == tree.high[0]:
                batch.head[END] = SOLVED
                return
        else:
            number, length = batch.head[WAITING], trail.counts[LENGTH]
            put(batch.states, number, state)
            batch.movers[number], batch.depths[number] = game.player(state), length
            for ply in range(length):
                batch.nodes[number * MOST_PLIES + ply] = trail.nodes[ply]
                batch.players[number * MOST_PLIES + ply] = trail.movers[ply]
            batch.head[WAITING] = number + 1
            if tree.first[0] <= 0:  # the first batch is the root alone
                return


@native
def settle(game, root, settings, knobs, tree, trail, rng, monitor, batch, numbers, slots, values):
    """Give the waiting leaves their children and priors, and back up the network's values."""
    for number in range(batch.head[WAITING]):
        length = batch.depths[number]
        for ply in range(length):
            trail.nodes[ply] = batch.nodes[number * MOST_PLIES + ply]
            trail.movers[ply] = batch.players[number * MOST_PLIES + ply]
        trail.counts[LENGTH] = length
        state, leaf = get(batch.states, number, root), trail.nodes[length - 1]
        player, place = batch.movers[number], number * (slots + values)
        if tree.first[leaf] == 0 and length < MOST_PLIES and player != CHANCE:
            count = expand(game, state, settings, knobs, tree, trail, rng, leaf, player, monitor)
            if count < 0:
                batch.head[END] = FULL
            else:
                monitor.expand(game, state, count)
                tree.head[DEEPEST] = max(tree.head[DEEPEST], length)
                give_logits(tree, batch, leaf, place, numbers, slots)
        for each in range(settings.players):
            value = float(batch.outputs[place + slots + each])
            if settings.players == 1 and player == 1:
                value = -value
            trail.rewards[each] = value
        monitor.simulate(game, state, trail.rewards[0])
        back_up(settings, knobs, tree, trail, monitor, False)
    return


@inlined
def give_logits(tree, batch, leaf, place, numbers, slots):
    """Give the children of a leaf the priors that the network says."""
    first, end = tree.first[leaf], tree.first[leaf] + tree.count[leaf]
    highest, total = -math.inf, 0.0
    for child in range(first, end):
        output = slot_of(batch.table, numbers, slots, tree.action[child])
        highest = max(highest, float(batch.outputs[place + output]))
    for child in range(first, end):
        output = slot_of(batch.table, numbers, slots, tree.action[child])
        logit = float(batch.outputs[place + output])
        tree.prior[child] = math.exp(logit - highest)
        total += float(tree.prior[child])
    for child in range(first, end):
        tree.prior[child] = float(tree.prior[child]) / total


class Adviser:
    """A network that guides the simulations of one search.

    One thread simulates. All threads compute the network's outputs, which takes most of the time: each of
    them does so for a part of the leaves.
    """

    def __init__(self, task: SearchTask, path: str) -> None:
        self.threads = task.threads
        self.network = read_network(path, task.rules)
        self.size = task.options["batch"] or BATCH
        self.batch = new_batch(self.network, self.size, task.gear)
        self.trail = new_trail(task.rules.players, False)

    def grow(self, task: SearchTask, settings: Any, knobs: Any, tree: Any, rng: Any) -> int:
        """Run simulations until the monitor stops them, the root is solved or the tree is full."""
        network, monitor = self.network, task.monitor
        given = (task.game, task.state, settings, knobs, tree, self.trail, rng, monitor, self.batch)
        wide = network.slots + network.values
        with one_blas_thread(), ThreadPoolExecutor(self.threads) as self.pool:
            return self._rounds(task, given, wide)

    def _rounds(self, task: SearchTask, given: tuple[Any, ...], wide: int) -> int:
        network, batch, monitor = self.network, self.batch, task.monitor
        sizes = [int64(size) for size in (len(network.actions.table), network.slots, network.values)]
        while True:
            most = min(self.size, 1 + int(monitor.data[NODES]) // GROWTH)
            gather(*given, int64(most))
            count = int(batch.head[WAITING])
            if count:
                packed = network.sight.layout.read(batch.states, count)
                batch.outputs[: count * wide] = self._outputs(packed, batch.movers[:count]).ravel()
            settle(*given, *sizes)
            if batch.head[END] != ON:
                return int(batch.head[END])

    def _outputs(self, packed: Any, movers: Any) -> Any:
        if self.threads == 1:
            return self.network.outputs(packed, movers)
        parts = (np.array_split(array, min(self.threads, len(movers))) for array in (packed, movers))
        return np.concatenate(list(self.pool.map(self.network.outputs, *parts)))
