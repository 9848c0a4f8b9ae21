"""`gambito hub` and `gambito nboard`: the programs that others start."""

import json

import pytest

from tests.support import COMMAND, child, run


@pytest.mark.parametrize(("command", "game"), [("hub", "draughts"), ("nboard", "othello")])
def test_options_as_json(command, game):
    answer = json.loads(run(*COMMAND, command, "--json").stdout)
    assert answer["protocol"] == command and answer["game"] == game and answer["options"]["Hash"] == 64


@pytest.mark.parametrize(
    ("command", "lines", "begin"),
    [("hub", "hub\nquit\n", "id name=Gambito"), ("nboard", "nboard 2\nquit\n", "set myname Gambito")],
)
def test_it_talks(command, lines, begin):
    with child(*COMMAND, command, stdin=-1, stdout=-1, text=True) as process:
        out, _ = process.communicate(lines, timeout=60)
        assert out.startswith(begin) and process.returncode == 0


def test_another_game_is_refused():
    ended = run(*COMMAND, "hub", "chess")
    assert ended.returncode == 2 and "hub is for games of draughts, not for chess" in ended.stderr
