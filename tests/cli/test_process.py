"""The console script as a process: its streams, its signals, and what it imports."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from tests.support import COMMAND, child, run


def test_best_in_a_process(gambito_apart):
    ran = gambito_apart("best", "tree", "--json")
    assert ran.status == 0 and ran.json["action"] == "a" and ran.err == ""


def test_a_complaint_in_a_process(gambito_apart):
    ran = gambito_apart("best", "tree", "--position", "\udcff")
    assert "is no tree" in ran.complaint and ran.out == ""


def test_a_narrow_terminal_encoding_is_no_obstacle(gambito_apart):
    ran = gambito_apart("play", "tree", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert ran.status == 0 and "\\xb7" in ran.out and "Game over" in ran.out


def test_nobody_reads_on():
    """`gambito algorithms | true`"""
    with child(*COMMAND, "algorithms", stdout=subprocess.PIPE, stderr=subprocess.PIPE) as writer:
        assert writer.stdout is not None and writer.stderr is not None
        writer.stdout.close()
        assert writer.stderr.read() == b""
        assert writer.wait(60) == 1


SLOW = """
import time

class Slow:
    compiles = False

    def initial(self): return 0
    def player(self, state): return state & 1
    def actions(self, state): return [1, 2]
    def result(self, state, action): return state + action
    def is_terminal(self, state):
        print("searching", flush=True)
        time.sleep(0.01)
        return False
    def utility(self, state, player): return 0
"""


@pytest.mark.thorough
def test_control_c_while_searching(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW)
    command = [*COMMAND, "best", f"{tmp_path}/slow.py:Slow", "--seconds", "600"]
    with child(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as searcher:
        assert searcher.stdout is not None
        for _ in range(3):
            assert searcher.stdout.readline() == "searching\n"
        searcher.send_signal(signal.SIGINT)
        _, err = searcher.communicate(timeout=60)
    assert searcher.returncode == 130 and err.strip() == ""


def test_what_is_not_needed_is_not_imported():
    """Other commands start fast: only `play` and `trace` import colours and drawings."""
    text = "import sys, gambito.cli.main; print([m for m in sys.modules if m in ('rich', 'gambito.draw')])"
    assert run(sys.executable, "-c", text).stdout == "[]\n"
