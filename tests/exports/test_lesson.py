"""A tree to change: what is written down is the search of the package on the same leaves."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

import gambito
from gambito.exports import bundle
from gambito.exports.lesson import (
    ENTER,
    FIRST_LEAF,
    LEAVE,
    LESSONS,
    STEP,
    VALUES,
    LessonTree,
    Place,
    crossing_of,
    entry_of,
    lesson_page,
)
from gambito.game.gears import gears
from gambito.native.crossing import bytes_of, sealed
from tests.templates import holes


def nested(values: list[int]) -> str:
    """The leaves as the text of a tree."""
    return str([[values[9 * a + 3 * b : 9 * a + 3 * b + 3] for b in range(3)] for a in range(3)])


@pytest.mark.parametrize("algorithm", LESSONS)
def test_it_visits_what_the_package_visits(algorithm):
    crossing, values = crossing_of(algorithm)
    running = crossing.here()
    given, events = running.memory("gambito.given", np.uint8), running.memory("monitor.events", np.int64)
    start = sealed(bytes_of(gears(LessonTree()).cast(Place(0, 0)), crossing.state))
    given[: len(start)] = np.frombuffer(start, np.uint8)
    rng = random.Random(algorithm)
    for number in range(40):
        leaves = [*VALUES] if number == 0 else [rng.randint(-9, 9) for _ in VALUES]
        running.memory(values, np.int64)[:] = leaves
        value = running.functions[entry_of(algorithm)](0)
        steps = events[1 : 1 + STEP * events[0]].reshape(-1, STEP)
        found = gambito.search("tree", nested(leaves), algorithm=algorithm, depth=3)
        assert (value, (steps[:, 0] == ENTER).sum()) == (found.value, found.nodes)
        assert (steps[:, 0] == LEAVE).sum() == found.nodes
        seen = {int(node) for kind, _, node, *_ in steps if kind == ENTER and node >= FIRST_LEAF}
        assert seen if algorithm not in ("minimax", "negamax") else len(seen) == len(VALUES)


def test_its_texts_are_in_both_languages():
    texts = json.loads(bundle.own("words/lesson.json"))
    assert {*texts["en"]} == {*texts["es"]}
    assert all(holes(text) == holes(texts["es"][name]) for name, text in texts["en"].items())


def test_its_page_is_small_and_asks_for_nothing():
    page = lesson_page("alpha-beta")
    assert len(page) < 20_000 and "http" not in page.replace("http://www.w3.org/2000/svg", "")
