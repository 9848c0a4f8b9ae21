"""GTP: answers line by line, in the protocol's form."""

import io

import pytest

import gambito
from gambito.protocols.gtp import GtpSession, talk
from gambito.search.limits import Limits
from tests.support import wait_until


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


def analysed(line, style):
    """The facts of each move of a line of an analysis."""
    found = []
    for part in line.split("info move ")[1:]:
        words, _, line_words = part.partition(" pv ")
        move, *rest = words.split()
        facts = dict(zip(rest[::2], map(float, rest[1::2]), strict=True))
        assert 0 <= facts["winrate"] <= (10_000 if style == "lz" else 1)
        assert line_words.split()[0] == move
        found.append((move, facts))
    return found


@pytest.mark.parametrize("style", ["lz", "kata"])
def test_an_analysis_goes_on_until_the_next_line(session, style):
    told = []
    session.say = told.append
    session.hear("genmove b")
    assert said(session, f"5 {style}-analyze w interval 10 maxmoves 3") == ["=5\n"]
    session.analysis.start()
    wait_until(lambda: len(told) > 1)
    assert said(session, "name") == ["\n= Gambito\n\n"] and session.analysis is None
    moves = analysed(told[-1], style)
    assert 0 < len(moves) <= 3 and [facts["order"] for _, facts in moves] == list(range(len(moves)))
    count = len(told)
    assert said(session, "name") == ["= Gambito\n\n"] and len(told) == count


@pytest.mark.parametrize("style", ["lz", "kata"])
def test_a_move_with_its_analysis(session, style):
    answer = said(session, f"{style}-genmove_analyze b 50")[0]
    assert answer.startswith("= \ninfo move ") and answer.endswith("\n\n")
    assert answer.splitlines()[2].startswith("play ") and len(session.states) == 2


def test_what_is_wrong_with_an_analysis(session):
    for line in ("lz-analyze x", "kata-analyze interval", "lz-analyze b interval ten", "lz-analyze 1e9"):
        assert said(session, line) == ["? syntax error\n\n"]
    assert said(session, "lz-genmove_analyze 50") == ["? invalid color\n\n"]
    said(session, "play b pass", "play w pass")
    assert said(session, "lz-analyze b") == ["? the game is over\n\n"]


def test_talking_with_an_analysis(session):
    out = io.StringIO()
    talk(session, io.StringIO("genmove b\nlz-analyze w 1 avoid b C3 3\nquit\n"), out)
    text = out.getvalue()
    assert text.startswith("= ") and text.endswith("\n\n=\n\n")
