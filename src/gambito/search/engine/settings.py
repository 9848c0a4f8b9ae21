"""The engine's settings by name, and the context that is passed through its recursion.

By default `settings.null_move` is a constant of the compiler, so that a technique that is off costs nothing.
With live settings it is read from memory, so that another value needs no compilation. The source of the
search is the same for both, and for the Python gear.

    values[NAMES]   whole numbers, in the order of NAMES
    probcut_model   the array that `search.probcut_model` describes
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np

from gambito.native import Constant, Handle
from gambito.native.digest import digest

NAMES = (
    "scale",
    "stages",
    "table",
    "table_from",
    "hot",
    "replace",
    "etc",
    "bounds",
    "solve_ending",
    "symmetry",
    "order",
    "presort",
    "iid",
    "quiescence",
    "one_reply_extension",
    "check_extension",
    "singular_extension",
    "null_move",
    "null_move_verification",
    "probcut",
    "certainty",
    "n_best",
    "late_move_reductions",
    "futility",
    "futility_depth",
    "reverse_futility",
    "null_move_growth",
    "late_move_pruning",
    "losing_pruning",
    "reduction_scale",
    "history_malus",
    "quiescence_evasions",
    "delta_pruning",
    "staged_generation",
    "quiescence_table",
    "iir",
    "endings",
    "banked",
    "continuation_history",
    "capture_history",
    "improving",
    "correction_history",
    "table_as_static",
    "see_pruning",
    "null_move_by_value",
    "multi_cut",
    "quiescence_checks",
    "razoring",
    "noisy_probcut",
    "threat_ordering",
)


class Settings:
    """Settings as attributes, for constants of the compiler and for the Python gear."""

    def __init__(self, values: tuple[int, ...], probcut_model: Any) -> None:
        vars(self).update(zip(NAMES, values, strict=True))
        self.probcut_model = probcut_model


class LiveSettings(Handle):
    """Settings that compiled code reads from memory."""

    arrays: ClassVar[dict[str, type]] = {"values": np.int64, "probcut_model": np.float64}
    fields: ClassVar[dict[str, tuple[str, int]]] = {
        name: ("values", place) for place, name in enumerate(NAMES)
    }


class Context(NamedTuple):
    """What is the same in all nodes of one search."""

    settings: Any  # Settings, as a constant or live
    table: Any  # the transposition table
    ordering: Any  # killers, history, and the lists of actions
    monitor: Any  # counters, limits, the principal variation


_CONSTANTS: dict[str, Constant] = {}


def new_settings(values: tuple[int, ...], probcut_model: Any, gear: str, is_live: bool = False) -> Any:
    """The settings for one gear; all live settings share the same machine code."""
    if gear == "python":
        return Settings(values, probcut_model)
    if is_live:
        return LiveSettings(values=np.array(values, np.int64), probcut_model=probcut_model)
    key = digest(values, probcut_model.tobytes())
    if key not in _CONSTANTS:
        label = f"{Settings.__module__}.{Settings.__name__}"
        _CONSTANTS[key] = Constant(Settings(values, probcut_model), label, key, {}, {})
    return _CONSTANTS[key]
