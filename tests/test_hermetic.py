"""Tests, documentation and wheels depend on no folder of the user who makes them."""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path

import pytest

from gambito import load
from gambito.endgames.builder import Builder
from gambito.endgames.folders import FOLDER
from gambito.endgames.tables import TableSet
from gambito.memory.endgame_tables import endings_of
from gambito.native import cache
from tests.support import run

ROOT = Path(__file__).resolve().parent.parent
GAME = "tic-tac-toe"
INNER = f"{Path(__file__)}::test_no_folder_of_the_user_is_used"
ASK = f"""
from gambito import load
from gambito.memory.endgame_tables import endings_of
from gambito.native import cache
print("table" if endings_of(load("{GAME}")) else "none", cache.folder())
"""


@pytest.fixture(scope="module")
def user(tmp_path_factory):
    """The environment of a user whose data folder holds an endgame table."""
    tmp_path, game = tmp_path_factory.mktemp("user"), load(GAME)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER, str(tmp_path / "data" / "gambito" / "endgames"))
        TableSet(game).build("all", builder=Builder(game, gear="python"))
    named = {"HOME": "home", "XDG_DATA_HOME": "data", "XDG_CACHE_HOME": "cache"}
    left = {key: text for key, text in os.environ.items() if key not in (FOLDER, "GAMBITO_CACHE")}
    return left | {key: str(tmp_path / name) for key, name in named.items()}


def test_no_folder_of_the_user_is_used():
    assert endings_of(load(GAME)) is None
    users = [os.environ.get(name) for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")]
    outside = [one for one in users if one and cache.folder().is_relative_to(one)]
    assert ROOT in cache.folder().parents or not outside


def test_tests_find_no_table_of_the_user(user):
    assert run(sys.executable, "-c", ASK, env=user).stdout.startswith("table")
    done = run(sys.executable, "-m", "pytest", "-q", "-n", "0", INNER, env=user, cwd=ROOT)
    assert done.returncode == 0, done.stdout


def test_a_wheel_is_made_without_the_tables_of_the_user(user, tmp_path, monkeypatch):
    for key in (FOLDER, "GAMBITO_CACHE"):
        monkeypatch.delenv(key)
    for key, text in user.items():
        monkeypatch.setenv(key, text)
    made = runpy.run_path(str(ROOT / "tools" / "wheel_libraries.py"))["own_folders"](str(tmp_path / "made"))
    assert run(sys.executable, "-c", ASK, env=made).stdout.split() == ["none", str(tmp_path / "made")]


def test_documentation_is_made_without_the_tables_of_the_user(user):
    ask = "from own_folders import use_own_folders; use_own_folders()" + ASK
    done = run(sys.executable, "-c", ask, env=user, cwd=ROOT / "docs")
    assert done.stdout.split() == ["none", str(ROOT / ".cache" / "tests")]


@pytest.mark.parametrize(
    "target", ["test", "test-page", "docs", "wheel", "release", "templates", "shots", "bench"]
)
def test_every_target_of_make_names_its_folders(user, target, tmp_path):
    """What the commands of a target find in their environment."""
    show = tmp_path / "show.mk"
    show.write_text(
        f"include {ROOT / 'Makefile'}\n{target}:\n\t@echo tables $$GAMBITO_TABLES cache $$GAMBITO_CACHE\n"
    )
    words = (
        "make",
        "-s",
        "-C",
        str(ROOT),
        "-f",
        str(show),
        "-o",
        ".venv/.dev",
        "-o",
        ".venv/.runtime",
        "-o",
        ".venv/.peers",
    )
    told = run(*words, target, env=user).stdout.split()
    assert told == ["tables", str(ROOT / ".cache" / "no-tables"), "cache", str(ROOT / ".cache" / "tests")]
