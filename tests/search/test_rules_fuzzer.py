"""Every algorithm on random small games: what it calls exact is true, in both gears, with bounds checks."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.search.rules_fuzzer import fuzz
from tests.support import run

ROOT = Path(__file__).resolve().parents[2]
GAMES, SEEDS = 100_000, 4  # in each gear


def test_what_is_called_exact_is_true():
    done = fuzz(24, 11, "python")
    assert done["engine exact"] > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("gear", ["python", "native"])
def test_what_is_called_exact_is_true_in_many_games(gear, seed):
    command = (
        sys.executable,
        "-m",
        "tests.search.rules_fuzzer",
        "--games",
        str(GAMES // SEEDS),
        "--gear",
        gear,
    )
    checked = {**os.environ, "GAMBITO_BOUNDS": "1"}
    said = run(*command, "--seed", str(seed), env=checked, cwd=ROOT, seconds=7200)
    assert "no difference" in said.stdout, said.stderr
