"""Checks of an evaluation, without a search."""

import json

import pytest
from click.testing import CliRunner

import gambito
from gambito.cli.main import cli
from gambito.errors import EvaluationError
from gambito.games.nim import Nim
from gambito.games.tic_tac_toe import TicTacToe, has_line
from gambito.learn.evaluation_quality import judge


class Sees(TicTacToe):
    """An evaluation that orders terminal states."""

    lowest, highest = -10, 10

    def evaluate(self, state, player):
        value = 0
        if has_line(state.mine):
            value = 5
        if has_line(state.theirs):
            value = -5
        return value if player == (state.stones & 1) else -value


class Errs(Sees):
    """An evaluation that orders terminal states in reverse."""

    def evaluate(self, state, player):
        value = 0
        if has_line(state.theirs):
            value = 5
        return value if player == (state.stones & 1) else -value


def test_the_order_of_terminal_states():
    right, wrong = judge(Sees(), 60), judge(Errs(), 60)
    assert right.ordered == 1.0
    assert wrong.ordered == 0.0
    assert right.terminal == 60
    assert right.nanoseconds >= 0


def test_a_game_without_an_evaluation_is_refused():
    with pytest.raises(EvaluationError, match="has no evaluation"):
        judge(Nim())
    with pytest.raises(EvaluationError, match="at least 1"):
        judge(Sees(), 0)


def test_calibration_covers_all_positions():
    found = judge(gambito.load("nannon"), 50)
    assert sum(count for _, _, count in found.bins) == found.positions
    assert all(0 <= promised <= 1 and 0 <= won <= 1 for promised, won, _ in found.bins)
    assert "<svg" in found.draw()


def test_the_command(tmp_path):
    said = ["evaluate", "check", "breakthrough", "--games", "20", "--plot", str(tmp_path / "p.svg")]
    answer = CliRunner().invoke(cli, [*said, "--json"])
    assert answer.exit_code == 0, answer.output
    assert json.loads(answer.stdout)["positions"] > 100
    assert "promised and won" in (tmp_path / "p.svg").read_text()


def test_tic_tac_toe_is_judged_by_its_lines():
    """Its usual evaluation says nothing, so the one that counts open lines is measured."""
    found = judge(gambito.load("tic-tac-toe"), games=60)
    assert found.game == "tic-tac-toe:evaluation=lines"
    assert found.ordered == 1.0 and len(found.bins) > 2
