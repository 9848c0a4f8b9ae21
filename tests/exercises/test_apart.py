"""A student's file in a process of its own: it may hang, crash, print, or not be Python at all."""

import pytest

from gambito.errors import ExerciseError
from gambito.exercises.apart import check_file
from gambito.exercises.student import find
from tests.exercises import solutions

SECONDS = 0.5  # where a position hangs


@pytest.fixture
def verdict(tmp_path):
    def check(text, function="", seconds=10.0):
        path = tmp_path / "answer.py"
        path.write_text(text)
        return check_file("minimax", f"{path}:{function}" if function else str(path), seconds)

    return check


def test_a_right_file():
    found = check_file("minimax", solutions.__file__)
    assert found.right and found.positions > 100 and found.printed == ""
    assert check_file("alpha-beta", f"{solutions.__file__}:fail_hard").right


def test_a_right_file_that_assumes_turns_is_told_so():
    found = check_file("pvs", f"{solutions.__file__}:lecture_pvs")
    assert found.right and found.elsewhere.position == '[{"player":"max","moves":[1,-1]}]'
    told = found.as_dict("es")["elsewhere"]
    assert told["mistake"] == "se supone que los jugadores se alternan, y uno puede mover dos veces"


def test_a_loop_without_end(verdict):
    found = verdict("def minimax(game, state):\n    while True:\n        pass\n", seconds=SECONDS)
    assert not found.right and found.wrong.kind == "endless"
    assert found.wrong.reason == "it gives no answer within 0.5 seconds"
    assert found.wrong.position
    assert found.wrong.line in (2, 3)


def test_a_loop_that_lets_nobody_else_run(verdict):
    text = "import itertools\n\n\ndef minimax(game, state):\n    return sum(itertools.repeat(0))\n"
    found = verdict(text, seconds=SECONDS)
    assert found.wrong.kind == "endless" and found.wrong.position


@pytest.mark.parametrize(
    "hang", ["while True: pass", pytest.param("sum(itertools.repeat(0))", marks=pytest.mark.slow)]
)
def test_what_is_wrong_is_told_though_a_larger_position_hangs(verdict, hang):
    found = verdict(
        "import itertools\n\n\ndef minimax(game, state):\n"
        f"    if len(game.text(state)) > 12:\n        {hang}\n"
        "    return game.utility(state, 0) if game.is_terminal(state) else 0\n",
        seconds=2 * SECONDS,
    )
    assert found.wrong.kind == "value" and found.wrong.position == "[-1]"


def test_a_file_that_does_not_end(verdict):
    assert verdict("while True:\n    pass\n", seconds=SECONDS).wrong.kind == "endless"


def test_an_exception_with_its_line(verdict):
    found = verdict("def minimax(game, state):\n    return state.nothing\n")
    assert found.wrong.kind == "raises" and found.wrong.line == 2
    assert "has no attribute 'nothing'" in found.wrong.reason


def test_what_is_printed_is_kept_apart(verdict):
    begun = "import sys\nprint('begun')\n\ndef minimax(game, state):\n    "
    found = verdict(begun + "print(game.text(state), file=sys.stderr)\n    return 0\n")
    assert found.wrong.position == "-1" and found.printed == "begun\n-1\n"
    found = verdict(
        "import sys\nprint('begun')\n\ndef minimax(game, state):\n    print('!' * 9999)\n    return 0\n"
    )
    assert found.printed.startswith("begun\n!!!") and len(found.printed) == 4000


def test_a_file_that_is_no_python(verdict):
    found = verdict("def minimax(game, state)\n    return 0\n")
    assert (found.wrong.kind, found.wrong.line) == ("unreadable", 1)
    found = verdict("import nowhere_at_all\n")
    assert found.wrong.kind == "unreadable" and found.wrong.line == 1


def test_a_missing_function(verdict):
    found = verdict("def maximin(game, state):\n    return 0\n")
    assert found.wrong.reason == "the file has no function 'minimax'; there are: maximin"
    assert verdict("def maximin(game, state):\n    return 0\n", function="maximin").wrong.kind == "value"


@pytest.mark.parametrize(
    "end",
    [
        "exit()",
        "import os; os._exit(3)",
        pytest.param("input()", marks=pytest.mark.slow),
        pytest.param("raise KeyboardInterrupt", marks=pytest.mark.slow),
    ],
)
def test_a_function_that_ends_the_process(verdict, end):
    assert verdict(f"def minimax(game, state):\n    {end}\n").wrong.kind == "raises"


def test_a_file_left_as_it_was(verdict):
    for language in ("en", "es"):
        found = verdict(find("minimax").beginning(language))
        assert found.wrong.mistake == "nothing has been written yet: the file is unchanged"


def test_what_cannot_be_found(tmp_path):
    with pytest.raises(ExerciseError, match="unknown exercise 'maximin'; accepted: nim, "):
        check_file("maximin", "nowhere.py")
    with pytest.raises(ExerciseError, match="there is no file"):
        check_file("minimax", str(tmp_path / "nowhere.py"))
    with pytest.raises(ExerciseError, match="has no exercise 'EXERCISE'"):
        find(f"{solutions.__file__}:EXERCISE")
