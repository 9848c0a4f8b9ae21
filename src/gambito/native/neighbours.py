"""The next number above and below another: the edges of a null window, in which no other value lies."""

from __future__ import annotations

import math
from typing import Any


def above(value: Any, step: Any) -> Any:
    """The smallest number above: a step more, or the next float if steps are fractions."""
    return math.nextafter(value, math.inf) if isinstance(step, float) else value + step


def below(value: Any, step: Any) -> Any:
    """The largest number below: a step less, or the float before it if steps are fractions."""
    return math.nextafter(value, -math.inf) if isinstance(step, float) else value - step
