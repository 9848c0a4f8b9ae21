"""The engine's settings: numbers that compiled code reads, as constants or from memory.

`settings.values[X]` is a constant of the compiler for the shipped configuration, which then pays nothing for
what is off; and a load from memory for a configuration that is tried out, which then needs no compilation of
its own. The text of the search is the same.

    forecast[stage][depth][pair][shallow, a, b, sigma]   what ProbCut expects of a search: its value is
                                                         a · v + b ± sigma, where a shallow one finds v
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from gambito.native import Constant, Handle
from gambito.native.digest import digest

NAMES = (
    "scale",
    "stages",
    "table",
    "table_from",
    "near",
    "replace",
    "etc",
    "bounds",
    "finish",
    "symmetry",
    "order",
    "presort",
    "internal",
    "quiescence",
    "forced",
    "urgent",
    "singular",
    "null_move",
    "verify",
    "threat",
    "probcut",
    "certainty",
    "n_best",
    "reductions",
    "futility",
    "futile_depth",
    "static",
    "null_growth",
    "late",
    "losing",
    "steepness",
    "malus",
    "evasions",
    "delta",
    "staged",
    "remember",
    "blind",
    "endings",
)
(
    SCALE,
    STAGES,
    TABLE,
    TABLE_FROM,
    NEAR,
    REPLACE,
    ETC,
    BOUNDS,
    FINISH,
    SYMMETRY,
    ORDER,
    PRESORT,
    INTERNAL,
    QUIESCENCE,
    FORCED,
    URGENT,
    SINGULAR,
    NULL_MOVE,
    VERIFY,
    THREAT,
    PROBCUT,
    CERTAINTY,
    N_BEST,
    REDUCTIONS,
    FUTILITY,
    FUTILE_DEPTH,
    STATIC,
    NULL_GROWTH,
    LATE,
    LOSING,
    STEEPNESS,
    MALUS,
    EVASIONS,
    DELTA,
    STAGED,
    REMEMBER,
    BLIND,
    ENDINGS,
) = range(len(NAMES))

DEPTHS, PAIRS, CUT = 24, 2, 4  # depths with a forecast, pairs of depths for each, numbers of a pair
SHALLOW, FACTOR, OFFSET, SIGMA = range(CUT)


class Values:
    """Settings as attributes: what a constant is made of, and what the Python gear reads."""

    def __init__(self, values: tuple[int, ...], forecast: Any) -> None:
        self.values, self.forecast = values, forecast


class LiveValues(Handle):
    """Settings in memory."""

    arrays: ClassVar[dict[str, type]] = {"values": np.int64, "forecast": np.float64}


_CONSTANTS: dict[str, Constant] = {}


def new_settings(values: tuple[int, ...], forecast: Any, gear: str, is_live: bool = False) -> Any:
    """The settings for one gear; live ones share their machine code with all other live ones."""
    if gear == "python":
        return Values(values, forecast)
    if is_live:
        return LiveValues(values=np.array(values, np.int64), forecast=forecast)
    key = digest(values, forecast.tobytes())
    if key not in _CONSTANTS:
        _CONSTANTS[key] = Constant(
            Values(values, forecast), "gambito.search.engine.settings.Values", key, {}, {}
        )
    return _CONSTANTS[key]
