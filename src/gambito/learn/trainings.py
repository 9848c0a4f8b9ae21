"""The training that suits a game: a fit if its evaluation is a sum of weights, TD if it is a network.

A game may also have a wide network beside its form; it is trained if the method is `network`. The method
`alphazero` trains a policy and a value for any game.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gambito.errors import EvaluationError
from gambito.evaluate.files import BLANK_NETWORK, NETWORK
from gambito.evaluate.network import NetworkForm
from gambito.game.registry import load, respell
from gambito.learn.base import Training
from gambito.learn.network import NetworkTraining, read_network_recipe
from gambito.learn.train import FitTraining, read_recipe
from gambito.learn.zero.dense import DenseTraining
from gambito.learn.zero.recipe import METHOD, RESIDUAL, read_zero_recipe
from gambito.learn.zero.residual import ResidualTraining


def new_training(
    spec: str,
    folder: Path,
    seed: int = 0,
    jobs: int | None = None,
    positions: Path | None = None,
    cluster: str | None = None,
    **said: Any,
) -> Training:
    """Return the training of a game's evaluation, with its own recipe and the given changes."""
    if said.get("method") == METHOD:
        if positions is not None:
            raise EvaluationError("{} learns only from its own games", METHOD)
        if said.pop("distil", False):
            read_recipe(load(spec))  # refuses a game without an evaluation that can be fitted
        zero = read_zero_recipe(load(spec), **said)
        kind = ResidualTraining if zero.network == RESIDUAL else DenseTraining
        return kind(spec, folder, zero, seed, jobs, cluster)
    given = [said.pop(name, None) for name in ("minutes", "distil", "network", "settings")]
    if any(given):
        raise EvaluationError("minutes, distil, network and set are for --method {}", METHOD)
    if said.get("method") == NETWORK:
        del said["method"]
        spec = respell(spec, BLANK_NETWORK)
    game = load(spec)
    if said.get("device") is not None and not game.is_wide:
        raise EvaluationError("a device is for wide networks: --method network")
    if not isinstance(game.form, NetworkForm):
        return FitTraining(spec, folder, read_recipe(game, **said), seed, jobs, positions, cluster)
    if positions is not None:
        raise EvaluationError("{} has a network, which learns only from its own games", game.label())
    return NetworkTraining(spec, folder, read_network_recipe(game, **said), seed, jobs, cluster)
