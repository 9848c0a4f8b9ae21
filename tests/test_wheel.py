"""A wheel with machine code: its tag, its index, and that its games run without a compilation."""

from __future__ import annotations

import json
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from gambito.native.processor import LEVELS
from tests.support import run

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.slow
def test_a_wheel_of_one_game_compiles_nothing(tmp_path):
    """`make wheel` itself runs every pair of game and algorithm that it holds."""
    for name in ("src", "tools"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / name)
    games = ("--games", "rock-paper-scissors", "--jobs", "1")
    done = run(sys.executable, str(tmp_path / "tools" / "wheel.py"), *games, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "run without a compilation and without Numba" in done.stdout
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert wheel.name.endswith("py3-none-manylinux_2_17_x86_64.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (index,) = [name for name in names if "/shipped/index-" in name]
        facts = json.loads(archive.read(index))["entries"]
    assert not [name for name in names if "/records/" in name]
    for entry in facts.values():
        assert {f"gambito/native/shipped/{level}/{entry['file']}" for level in LEVELS} <= set(names)
