"""Other programs as players."""

import shlex
import sys

import pytest

from gambito.errors import PlayerError
from gambito.players import Contest, read_player
from gambito.protocols.external import ExternalPlayer

OWN = shlex.join([sys.executable, "-m", "gambito", "ugi", "tic-tac-toe"])


def test_a_match_against_a_program():
    standing = Contest("tic-tac-toe", f"ugi:{OWN}:depth=9", "random:seed=1", games=4, plies=0).run()
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
