"""The stored games: played again, every built-in game says what it said before."""

import pytest

from tests.games.playthroughs import FOLDER, load, names, played, tell

LONG = ("backgammon",)  # its network is slow in the Python gear


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in LONG else []) for name in names()]
)
def test_a_game_is_as_it_was(name):
    stored = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    told = tell(load(name), played(stored))
    assert told.splitlines() == stored.splitlines()


def test_each_game_has_its_file():
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(f"{name}.txt" for name in names())
