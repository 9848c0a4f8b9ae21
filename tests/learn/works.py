"""The jobs of trainings and fits, done by workers that refuse to compile: the driver has compiled before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core.event import install_recorder

from gambito.errors import JobError
from gambito.learn import network, probcut, self_play, td_leaf


def search_game(job: dict[str, Any]) -> Any:
    return _without_compiling(probcut.search_game, job)


def play_chunk(job: dict[str, Any]) -> Any:
    return _without_compiling(self_play.play_chunk, job)


def learn_block(job: dict[str, Any]) -> Any:
    return _without_compiling(td_leaf.learn_block, job)


def play_stream(job: dict[str, Any]) -> Any:
    return _without_compiling(network.play_stream, job)


def _without_compiling(work: Callable[[Any], Any], job: Any) -> Any:
    with install_recorder("numba:compile") as seen:
        result = work(job)
    if seen.buffer:
        names = sorted({event.data["dispatcher"].__name__ for _, event in seen.buffer})
        raise JobError("a worker compiled {}", ", ".join(names))
    return result
