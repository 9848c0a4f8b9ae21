"""ProbCut in the engine: which shallow search replaces a deep one."""

from __future__ import annotations

import math

from gambito.native import inlined, int64
from gambito.search.probcut_model import CUT, DEPTHS, FACTOR, OFFSET, SHALLOW, SIGMA, THRESHOLD, TRIES


@inlined
def probcut_bounds(game, settings, stage, depth, number, alpha, beta, is_high):
    """The shallow search that replaces the deep one: its depth, and the lower end of its null window.

    If its value is above that end (is_high), the deep value is most likely at least beta; if it is not above,
    at most alpha. The depth is -1 if the model has no such try, or needs a value that no state has.
    """
    place = ((stage * DEPTHS + depth) * TRIES + number) * CUT
    shallow = int64(settings.probcut_model[place + SHALLOW])
    if shallow < 0:
        return int64(-1), int64(0)
    threshold = settings.probcut_model[place + THRESHOLD]
    if settings.certainty:
        threshold = settings.certainty / 100
    margin = threshold * settings.probcut_model[place + SIGMA]
    if not is_high:
        margin = -margin
    edge = (beta if is_high else alpha) / settings.scale
    exact = (edge - settings.probcut_model[place + OFFSET] + margin) / settings.probcut_model[place + FACTOR]
    if exact < game.lowest or exact > game.highest:
        return int64(-1), int64(0)
    if is_high:
        return shallow, int64(math.ceil(exact)) * settings.scale - 1
    return shallow, int64(math.floor(exact)) * settings.scale
