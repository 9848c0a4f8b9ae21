"""AlphaZero with a residual network: threads of games that never stop, and PyTorch.

Every thread plays many games in lock-step. Its leaves go to the device as one batch, one thread after the
other. Meanwhile the network learns from the last positions on the same device, and at the end of each round
the games go on with what it has learned. A training that was stopped loses the games that were being played,
nothing else.
"""

from __future__ import annotations

import math
import os
import queue
import threading
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from gambito.errors import EvaluationError
from gambito.evaluate.policy.encoding import values_of
from gambito.evaluate.policy.files import Network
from gambito.evaluate.policy.places import Grid
from gambito.evaluate.policy.residual import ResNetShape
from gambito.jobs.blas import one_blas_thread
from gambito.learn.base import Tell
from gambito.learn.zero.streams import Stream
from gambito.learn.zero.torch_resnet import (
    BatchedInference,
    ResNetTrainer,
    TorchEncoder,
    TorchReplayBuffer,
    enough_memory,
)
from gambito.learn.zero.training import ZeroTraining
from gambito.native.random import new_random

GAMES_AT_ONCE = {"cuda": 2048, "cpu": 64}  # games of a thread that are played at once
LONG = 64  # plies; twice as long games are half as many at once, so that the first results come as soon
SPARE_CORES = 2  # for learning and for the threads' talk with the GPU
WHILE = 1.0  # seconds after which a thread gives its positions
ROUND, FEWEST = 1.0, 2048  # the shortest round: seconds and positions
BATCH = {"cuda": 4096, "cpu": 512}  # positions of a step of learning
STEPS = 80  # the most steps of learning in a round: the games shall soon have what was learned
DIARY = 4  # room for positions: so many times what random games have


def games_at_once(device: str, plies: float) -> int:
    """How many games of so many plies a thread plays at once."""
    halvings = max(0, round(math.log2(max(plies, 1.0) / LONG)))
    return max(GAMES_AT_ONCE[device] >> halvings, 1)


class ResidualTraining(ZeroTraining):
    """The training of a residual network."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        recipe, sight = self.recipe, self.seen.sight
        if self.cluster is not None:
            raise EvaluationError("the games of a residual network are played here, not on a cluster")
        self.grid, device = Grid(self.places), recipe.device
        outputs = {"slots": self.seen.slots, "values": values_of(self.game)}
        self.tower = ResNetShape(sight.inputs, recipe.filters, recipe.blocks, **outputs)
        self.threads = self.jobs or max(1, (os.cpu_count() or 1) - SPARE_CORES)
        self.most = self.game.most_actions or 2 * self.seen.actions + 8
        with enough_memory():
            seer = TorchEncoder(sight, self.grid, device)
            self.learner = ResNetTrainer(self.tower, seer, self.seed)
            values = self.tower.values
            self.shelf = TorchReplayBuffer(device, recipe.window, sight.layout.width, self.most, values)
            self.at_once = games_at_once(device, self.seen.length)
            self.oracle = BatchedInference(self.tower, seer, self.at_once)
        self.found: queue.Queue[Any] = queue.Queue()
        self.is_stopped = threading.Event()
        self.measuring: threading.Thread | None = None

    def facts(self) -> dict[str, Any]:
        """Where it learns does not matter: a training may go on elsewhere."""
        return {name: fact for name, fact in super().facts().items() if name != "device"}

    def network(self) -> Network:
        seen, layers = self.seen, self.learner.residual()
        return Network(seen.sight, seen.outputs, self.places, self.tower, layers, self.trained())

    def weights_held(self) -> dict[str, Any]:
        return self.learner.held()

    def take_up_weights(self, held: Mapping[str, Any]) -> None:
        with enough_memory():
            self.learner.take_up(held)
            for number, part in enumerate(self.held_back):
                self._shelve(part, number)

    # ---- playing ---------------------------------------------------------------------------------
    def all_rounds(self, rounds: Any, tell: Tell | None) -> None:
        self.streams = [self._stream() for _ in range(self.threads)]
        self.streams[0].compile()
        playing = [threading.Thread(target=self._play, args=(n,), daemon=True) for n in range(self.threads)]
        self.playing = playing
        self.is_stopped.clear()
        try:
            with one_blas_thread(), enough_memory():
                rounds()
                if self.measuring is not None:
                    self.measuring.join()
        finally:
            self.is_stopped.set()
            for thread in playing:
                if thread.is_alive():
                    thread.join()

    def _stream(self) -> Stream:
        games = DIARY * self.at_once
        return Stream(self.game, self.seen, self.recipe.search, games, self.gear, self.at_once)

    def _play(self, number: int) -> None:
        """Play until the training ends."""
        stream, rng = self.streams[number], new_random((self.seed, self.done, number))
        try:
            ask, version = self.oracle.seat(), 0
            stream.begin_all()
            while not self.is_stopped.is_set():
                self.found.put(stream.go_on(ask, rng, WHILE))
                if version != self.oracle.version:
                    version = self.oracle.version
                    stream.forget()
        except BaseException as problem:  # raised again by the thread that waits
            self.found.put(problem)

    def _gather(self) -> list[dict[str, Any]]:
        """The positions of games that have ended since the last round."""
        parts: list[dict[str, Any]] = []
        until = time.monotonic() + ROUND
        while not parts or time.monotonic() < until or sum(len(part["movers"]) for part in parts) < FEWEST:
            part = self.found.get()
            if isinstance(part, BaseException):
                raise part
            parts.append(part)
        return parts

    # ---- learning --------------------------------------------------------------------------------
    def play_and_learn(self) -> list[dict[str, Any]]:
        if not self.oracle.weights:
            self.oracle.learn_from(self.learner.folded())
            if self.learner.is_gpu:
                self.learner.record(self.shelf, BATCH[self.recipe.device], self.recipe.found)
            for thread in self.playing:
                thread.start()
        parts = self._gather()
        for number, part in enumerate(parts):
            self._shelve(part, number)
        self._learn(sum(len(part["movers"]) for part in parts))
        self.oracle.learn_from(self.learner.folded())
        return parts

    def _shelve(self, part: dict[str, Any], number: int) -> None:
        """Add positions to those that are learned from, each in one of its symmetric views."""
        if self.symmetries is not None:
            rng = np.random.default_rng((self.seed, self.done, number))
            part = self.symmetries.turn_part(part, self.seen.sight, rng)
        self.shelf.add(part)

    def _learn(self, count: int) -> None:
        recipe = self.recipe
        size = BATCH[recipe.device]
        steps = min(STEPS, max(1, round(recipe.reuse * count / size)))
        choices = self.shelf.choose(steps, size, self.window, 1_000_003 * self.seed + self.done)
        self.losses = self.learner.learn(self.shelf, choices, recipe.found, self.rate)

    def take_stock(self) -> None:
        """Write the network of now, and measure it while the training goes on."""
        if self.measuring is not None and self.measuring.is_alive() and not self.is_over:
            return
        if self.measuring is not None:
            self.measuring.join()
        path, line = self.write_age()
        if not self.recipe.contest:
            self.curve.append([*line, math.nan, math.nan])
            return

        def measure() -> None:
            try:
                self.curve.append([*line, *self.contest(path)])
            except BaseException as problem:  # raised again by the thread that learns
                self.found.put(problem)

        self.measuring = threading.Thread(target=measure, daemon=True)
        self.measuring.start()
