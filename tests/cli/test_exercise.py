"""The command `exercise`: the list, a task, a file to begin with, a verdict."""

import json

import pytest

from gambito.exercises.course import COURSE

RIGHT = """
def minimax(game, state):
    if game.is_terminal(state):
        return game.utility(state, 0)
    values = [minimax(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.player(state) == 0 else min(values)
"""
TEACHER = """
from gambito.exercises import Exercise, PlainArguments, Trial, Wrong


def judge(case, answer):
    right = sum(case.args[0])
    if answer.value != right:
        return Wrong("the total is wrong", gave=answer.value, right=right)


EXERCISE = Exercise(
    name="total",
    title="The total of a list.",
    task="Write total(numbers).",
    start="def total(numbers):\\n    return 0\\n",
    check=Trial(
        lambda: [PlainArguments((list(range(n)),)) for n in range(5)], judge, [("always 0", lambda n: 0)]
    ),
)
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return tmp_path


def test_the_list(gambito):
    lines = gambito("exercise").out.splitlines()
    assert [line.split()[0] for line in lines] == [one.name for one in COURSE]
    assert gambito("exercise", "list").out == gambito("exercise").out
    told = gambito("exercise", "--json").json["exercises"]
    assert [one["name"] for one in told] == [one.name for one in COURSE]
    assert "se toma de un montón" in gambito("exercise", "--language", "es").out


def test_a_task(gambito):
    text = gambito("exercise", "show", "alpha-beta").out
    assert "Write alpha_beta(game, state, depth, alpha, beta)." in text and "algorithms/alpha-beta.md" in text
    assert gambito("exercise", "show", "alpha-beta", "--json").json["function"] == "alpha_beta"
    assert "Escribir alpha_beta" in gambito("exercise", "show", "alpha-beta", "--language", "es").out
    assert "unknown exercise 'chess'" in gambito("exercise", "show", "chess").complaint


def test_a_beginning(gambito, here):
    assert gambito("exercise", "start", "alpha-beta").status == 0
    text = (here / "alpha_beta.py").read_text()
    assert "def alpha_beta(game, state, depth, alpha, beta):" in text
    (here / "alpha_beta.py").write_text("mine")
    assert "already exists" in gambito("exercise", "start", "alpha-beta").complaint
    assert (here / "alpha_beta.py").read_text() == "mine"
    gambito("exercise", "start", "alpha-beta", "--output", "mine.py", "--language", "es")
    assert "El valor para el jugador que mueve" in (here / "mine.py").read_text()


def test_a_verdict(gambito, here):
    (here / "minimax.py").write_text(RIGHT)
    ran = gambito("exercise", "check", "minimax", "minimax.py")
    assert ran.status == 0 and ran.out.startswith("minimax: right (positions tried: ")
    (here / "minimax.py").write_text(RIGHT.replace("else min", "else max") + "print('hello')\n")
    ran = gambito("exercise", "check", "minimax", "minimax.py")
    assert ran.status == 1
    for words in (
        "position    min [-2,-1]",
        "MIN is treated as MAX",
        "▼ MIN",
        "gambito trace tree",
        "  hello",
    ):
        assert words in ran.out
    told = gambito("exercise", "check", "minimax", "minimax.py", "--json")
    assert told.status == 1 and told.json["right"] is False and told.json["printed"] == "hello\n"
    assert told.json["wrong"]["gave"] == -1 and told.json["wrong"]["right"] == -2
    ran = gambito("exercise", "check", "minimax", "minimax.py", "--language", "es")
    assert "se trata a MIN como a MAX" in ran.out and "todavía no es correcto" in ran.out


def test_an_exercise_of_a_teacher(gambito, here):
    (here / "teacher.py").write_text(TEACHER)
    (here / "student.py").write_text("def total(numbers):\n    return 0\n")
    told = gambito("exercise", "check", "teacher.py:EXERCISE", "student.py", "--json").json
    assert told["exercise"] == "total" and told["wrong"]["given"] == "[0, 1]"
    assert "Write total(numbers)." in gambito("exercise", "show", "teacher.py:EXERCISE").out
    (here / "student.py").write_text("total = sum\n")
    assert gambito("exercise", "check", "teacher.py:EXERCISE", "student.py").status == 0
    assert "has no exercise 'OTHER'" in gambito("exercise", "show", "teacher.py:OTHER").complaint


def test_bad_input(gambito):
    assert "there is no file nowhere.py" in gambito("exercise", "check", "minimax", "nowhere.py").complaint
    complaint = gambito("exercise", "check", "minimax", "nowhere.py", "--seconds", "0").complaint
    assert "seconds must be a number above zero" in complaint
    assert json.loads(gambito("exercise", "show", "nim", "--json").out)["function"] == "Nim"
