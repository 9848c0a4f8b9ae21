"""GTP: answers line by line, in the protocol's form."""

import io

import pytest

import gambito
from gambito.protocols.gtp import GtpSession, talk
from gambito.search.limits import Limits


@pytest.fixture
def session():
    return GtpSession(gambito.load("go:size=5"), Limits(nodes=200), {"memory": 8})


def said(session, *lines):
    return [session.hear(line)[0] for line in lines]


def test_greeting(session):
    assert said(session, "protocol_version", "7 name") == ["= 2\n\n", "=7 Gambito\n\n"]
    assert "genmove" in said(session, "list_commands")[0]
    assert said(session, "known_command play", "known_command fly") == ["= true\n\n", "= false\n\n"]


def test_a_game(session):
    assert said(session, "clear_board", "komi 0.5", "play b c3") == ["=\n\n"] * 3
    move = said(session, "genmove w")[0]
    assert move.startswith("= ") and len(session.states) == 3
    assert said(session, "undo", "undo") == ["=\n\n", "=\n\n"]
    assert "illegal move" not in said(session, "play w a1")[0]
    assert session.states[-1].mover == 0  # Black passed


def test_what_is_wrong_is_told(session):
    assert said(session, "fly")[0] == "? unknown command\n\n"
    assert said(session, "3 play b z9")[0] == "?3 illegal move\n\n"
    assert said(session, "boardsize 50")[0] == "? unacceptable size\n\n"
    assert said(session, "undo")[0] == "? cannot undo\n\n"
    assert said(session, "# only a comment") == [""]


def test_score_and_board(session):
    said(session, "boardsize 3", "komi 0.5", "play b b2")
    assert said(session, "final_score")[0] == "= B+8.5\n\n"
    assert "X" in said(session, "showboard")[0]


def test_time(session):
    assert said(session, "time_settings 60 10 5", "time_left b 30 0", "time_left w 5 2") == ["=\n\n"] * 3
    assert session.clocks[0].left == 30 and session.clocks[1].to_go == 2


@pytest.mark.thorough
def test_a_refused_command_leaves_the_board_as_it_was(session):
    said(session, "play b c3", "play w c2")
    before = list(session.states)
    for line in ("play w z9", "play w c3", "play b c2", "play w", "play w resign", "genmove red"):
        assert said(session, line)[0][0] == ("=" if "resign" in line else "?"), line
        assert session.states == before
    assert said(session, "reg_genmove w")[0].startswith("= ")  # out of turn, and only a question
    assert session.states == before
    said(session, "play b pass", "play w pass")
    before = list(session.states)
    assert said(session, "play b a1", "play w a1") == ["? illegal move\n\n"] * 2
    assert session.states == before


@pytest.mark.parametrize(
    "line",
    [
        "time_left b abc x",
        "time_left b 1 x",
        "time_left b nan 0",
        "time_left b 1 -2",
        "time_left b 1 1" + "0" * 400,
        "time_settings inf 0 0",
        "time_settings 1 -1 0",
        "time_settings 1 2",
        "komi nan",
        "komi",
        "boardsize ²",
        "boardsize " + "9" * 5000,
    ],
)
def test_numbers_that_are_none_are_errors_of_the_protocol(session, line):
    session.clocks = {}
    (answer,) = said(session, line)
    assert answer.startswith("? ") and "Gambito" not in answer and session.clocks == {}


def test_talk_until_quit():
    out = io.StringIO()
    talk(GtpSession(gambito.load("go:size=5")), io.StringIO("name\nquit\nname\n"), out)
    assert out.getvalue() == "= Gambito\n\n=\n\n"
