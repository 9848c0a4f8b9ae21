"""The fuzzer finds nothing: in a few games of each drawing, in a minute of them, and in many."""

from __future__ import annotations

import itertools
import os
import random
import sys
from pathlib import Path

import pytest

from gambito.search.algorithm import find
from tests.fuzz.asking import Way, ask
from tests.fuzz.drawing import draw
from tests.fuzz.games import Truth, judge
from tests.fuzz.rules import WinOrLoss, traits_of, write
from tests.fuzz.soak import SUBJECTS, soak
from tests.support import run, small

ROOT = Path(__file__).resolve().parents[2]
FEW = {"games": 15, "shapes": 6, "puzzles": 20, "many": 8, "hidden": 4, "stopping": 3}
MINUTE = 400  # seeds that take about a minute in the Python gear
MANY = {"python": 600, "native": 60}  # a first native game of each drawing compiles every search


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_few_games(subject):
    tally = soak(0, FEW[subject], None, subject, "python")
    assert not tally.failures and tally.games == FEW[subject] and tally.searches >= tally.games


@pytest.mark.thorough
def test_a_minute_of_games():
    tally = soak(1000, MINUTE, None, None, "python")
    assert not tally.failures and tally.searches > 10 * tally.games


@pytest.mark.slow
@pytest.mark.parametrize("gear", MANY)
def test_many_games_with_bounds_checks(gear):
    command = (sys.executable, "-m", "tests.fuzz", "--games", str(MANY[gear]), "--gear", gear)
    checked = {**os.environ, "GAMBITO_BOUNDS": "1"}
    said = run(*command, "--from", "1000000", env=checked, cwd=ROOT, seconds=3600)
    assert said.returncode == 0, said.stdout + said.stderr


@pytest.mark.parametrize("name", ["test", "alpha-beta", "mtd-f", "engine", "bns"])
def test_a_stop_at_every_moment(name):
    """Whatever part of a search a stop ends, what is told is true."""
    game, algorithm = WinOrLoss(), find(name)
    for seed in (30, 63, 271):
        rng = random.Random(seed)
        drawn = draw(traits_of(WinOrLoss), rng)
        write(game, drawn, rng)
        truth, options = Truth(game, drawn), small(name)
        for calls, deepen in itertools.product(range(1, 40), (False, True)):
            way = Way("stop", {"depth": truth.whole, "deepen": deepen}, stop_after=calls)
            found = ask(game, truth.state, name, "python", way, **options).found
            judge(truth, algorithm, way, options, [], found, (name, calls, drawn, found))
