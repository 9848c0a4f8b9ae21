"""Other programs as players."""

import shlex
import sys
import time

import pytest

from gambito.errors import PlayerError
from gambito.players import Match, read_player
from gambito.protocols.external import ExternalPlayer

OWN = shlex.join([sys.executable, "-m", "gambito", "ugi", "tic-tac-toe"])


def test_a_match_against_a_program():
    standing = Match("tic-tac-toe", f"ugi:{OWN}:depth=9", "random:seed=1", games=4, plies=0).run()
    assert standing.tally.games == 4
    assert standing.tally.losses == 0
    assert not standing.crashes


def test_options_and_limits_are_read():
    player = read_player("uci:stockfish:UCI_Elo=2000,depth=4")
    assert isinstance(player, ExternalPlayer)
    assert (player.command, player.options, player.limits.depth) == (["stockfish"], {"UCI_Elo": "2000"}, 4)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("uci:", "names no program"),
        ("uci:x:depth=many", "must be a number"),
        ("uci:x:alone", "is not an option"),
    ],
)
def test_wrong_players(text, problem):
    with pytest.raises(PlayerError, match=problem):
        read_player(text)


DEAF = """
import signal, sys
print("uciok\\nreadyok", flush=True)
for line in sys.stdin:
    pass
signal.pause()
"""


def test_a_program_that_does_not_quit_is_ended(tmp_path):
    (tmp_path / "deaf.py").write_text(DEAF)
    player = read_player(f"uci:{shlex.join([sys.executable, str(tmp_path / 'deaf.py')])}")
    player.prepare(None, None)
    process = player._process
    assert process.poll() is None
    player.close()
    assert process.poll() is not None


def test_programs_that_are_none():
    with pytest.raises(PlayerError, match="no program"):
        read_player("uci:surely-no-such-program").prepare(None, None)
    with pytest.raises(PlayerError, match="has ended"):
        read_player("uci:true").prepare(None, None)
    with pytest.raises(PlayerError, match="has no option 'Nothing'"):
        read_player(f"ugi:{OWN}:Nothing=1").prepare(None, None)


FAULTY = """
import os, sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "ugi":
        print("ugiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        {fault}
    elif word == "quit":
        break
"""
EXITS = "os._exit(1)"
TALKS = "exec('while True: print(\\'info depth 1\\', flush=True)')"


@pytest.mark.parametrize(("fault", "control", "reason"), [(EXITS, None, "crash"), (TALKS, "50ms", "time")])
def test_a_faulty_program_loses_its_game_and_the_match_goes_on(tmp_path, monkeypatch, fault, control, reason):
    """One ends during `go`, the other one prints `info` for ever; both are started again."""
    monkeypatch.setattr("gambito.protocols.external.LATE", 0.1)
    monkeypatch.setattr("gambito.protocols.external.QUIT", 0.1)
    (tmp_path / "faulty.py").write_text(FAULTY.format(fault=fault))
    program = f"ugi:{shlex.join([sys.executable, str(tmp_path / 'faulty.py')])}"
    began = time.monotonic()
    standing = Match("tic-tac-toe", program, "random:seed=1", games=4, plies=0, control=control).run()
    assert time.monotonic() - began < 30
    assert (standing.tally.games, standing.tally.losses) == (4, 4)
    assert [(game["reason"], game["loser"]) for game in standing.played] == [(reason, program)] * 4


def test_a_program_that_cannot_be_started_again_loses_its_games(tmp_path):
    """It plays one game and then ends at its start: the games are lost, and the match goes on."""
    program = tmp_path / "once.py"
    program.write_text("import os\nos.remove(__file__)\n" + FAULTY.format(fault=EXITS))
    text = f"ugi:{shlex.join([sys.executable, str(program)])}"
    standing = Match("tic-tac-toe", text, "random:seed=1", games=4, plies=0).run()
    assert [game["reason"] for game in standing.played] == ["crash"] * 4
    assert "has ended" in standing.crashes[-1]["problem"]
