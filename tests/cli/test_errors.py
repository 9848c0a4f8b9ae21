"""Whatever is wrong: exit status 2, nothing on standard output, one sentence that says what is accepted."""

from __future__ import annotations

import os
import resource
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gambito as library
from gambito.cli.error_sentences import sentence
from gambito.game.registry import game_classes
from gambito.search.algorithm import algorithms
from tests.support import COMMAND, run

TREE = ("best", "tree")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("best", "chezz"), f"unknown game 'chezz'; accepted: {', '.join(game_classes())}"),
        (
            ("best", "connect-four:length=3"),
            "'length=3' is not a parameter of connect-four; accepted: width=7",
        ),
        (("best", "connect-four:width=x"), "width must be a whole number, not 'x'"),
        (("best", "connect-four:width=0"), "width and height are at least 1"),
        (("best", "nowhere.py:Mine"), "there is no file nowhere.py"),
        (("best", "connect-four", "--position", "49"), "'9' is no column; accepted: 1 to 7"),
        ((*TREE, "--position", "[[1,2"), "is no tree"),
        ((*TREE, "--position", "[null,1]"), "the search needs the leaf a, whose value is unknown"),
        ((*TREE, "--algorithm", "alfa"), f"unknown algorithm 'alfa'; accepted: {', '.join(algorithms())}"),
        ((*TREE, "--option", "colour=1"), "alpha-beta has no option 'colour'; accepted: "),
        ((*TREE, "--option", "memory"), "'memory' is not an option of an algorithm; accepted: NAME=VALUE"),
        ((*TREE, "--option", "depth=3"), "'depth' is not an option of an algorithm"),
        (
            (*TREE, "--algorithm", "mtd-f", "--option", "memory=0"),
            "memory must be a whole number from 1 to 4096",
        ),
        ((*TREE, "--depth", "0"), "depth must be a number above zero, not 0"),
        ((*TREE, "--seconds", "0"), "seconds must be a number above zero"),
        ((*TREE, "--seconds", "nan"), "seconds must be a number above zero"),
        ((*TREE, "--nodes", "-3"), "nodes must be a number above zero, not -3"),
        ((*TREE, "--threads", "0"), "thread"),
        ((*TREE, "--depth", "deep"), "'--depth': 'deep' is not a valid integer"),
        ((*TREE, "--gear", "third"), "'third' is not one of 'native', 'python'"),
        ((*TREE, "--gear", "native"), "tree runs in the python gear only"),
        ((*TREE, "--breadth", "3"), "no such option"),
        ((*TREE, "more"), "unexpected extra argument"),
        (("best",), "missing argument 'GAME'; see gambito best --help"),
        (("bets", "tree"), "unknown command 'bets'; accepted: play, serve, best, solve, "),
        (("--verbose",), "no such option"),
        (("perft", "tree"), "missing option '--depth'"),
        (("perft", "tree", "--depth", "-1"), "depth must be a whole number from 0 to 1000, not -1"),
        (("trace", "connect-four"), "connect-four has no usual depth; give --depth N"),
        (("trace", "tree", "--format", "png"), "'png' is not one of 'text', 'svg', 'html', 'json'"),
        (("trace", "tree", "--output", "/no/such/folder/x"), "/no/such/folder/x: No such file or directory"),
        (("play", "tree", "--side", "left"), "'left' is not one of 'first', 'second'"),
        (("play", "tree", "--depth", "0"), "depth must be a number above zero, not 0"),
        (("check", "chezz"), "unknown game 'chezz'"),
        (("algorithms", "chezz"), "unknown game 'chezz'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_one_sentence(gambito, args, words):
    ran = gambito(*args)
    assert words in ran.complaint and ran.out == ""
    if len(args) > 1:
        assert gambito(*args, "--json").out == ""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Nobody", "has no class 'Nobody'"),
        (
            "Raises",
            "raises cannot be searched: utility raises ZeroDivisionError: integer division or modulo by zero "
            "(rules.py, line 15), after ",
        ),
    ],
)
def test_own_rules(gambito, rules, name, words):
    assert words in gambito("best", f"{rules}:{name}", "--depth", "6").complaint


def test_own_rules_that_do_not_fit(gambito, rules):
    words = "alpha-beta is for games without chance"
    assert words in gambito("best", f"{rules}:Dice", "--algorithm", "alpha-beta", "--depth", "6").complaint


def test_own_rules_that_raise_in_a_search(gambito, rules, unchecked):
    words = "the rule 'utility' raises ZeroDivisionError: integer division or modulo by zero (rules.py, "
    assert words in gambito("best", f"{rules}:Raises", "--depth", "6").complaint


def test_a_state_without_actions(gambito, rules, monkeypatch):
    words = (
        "a state that is not terminal has no actions; is_terminal gives True there, or a pass is an action, "
    )
    assert words in gambito("play", f"{rules}:Empty").complaint
    monkeypatch.setenv("GAMBITO_CHECK", "0")
    assert "no action is legal here, but the game is not over" in gambito("play", f"{rules}:Empty").complaint


def test_a_file_that_cannot_be_read(gambito, tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("def initial(:")
    assert "broken.py cannot be read: SyntaxError" in gambito("best", f"{path}:Game").complaint


COMPILED = """
from typing import NamedTuple
from gambito import Game

class State(NamedTuple):
    left: int

class Compiled(Game):
    def initial(self): return State(3)
    def player(self, state): return 0
    def actions(self, state): yield 1
    def result(self, state, action):
        if state.left == 2:
            raise ValueError("two is too few")
        return State(state.left - action)
    def is_terminal(self, state): return state.left == 0
    def utility(self, state, player): return 0
"""


def test_a_compiled_rule_that_raises(gambito, tmp_path):
    (tmp_path / "compiled.py").write_text(COMPILED)
    told = gambito("perft", f"{tmp_path}/compiled.py:Compiled", "--depth", "3", "--gear", "native").complaint
    assert "the rule 'result' raises ValueError: two is too few (compiled.py, line 14)" in told


def test_rules_that_do_not_compile_point_to_the_other_gear(gambito, tmp_path):
    text = COMPILED.replace(
        "return State(state.left - action)", "return State(sorted({state.left: eval})[0])"
    )
    (tmp_path / "dynamic.py").write_text(text)
    told = gambito("perft", f"{tmp_path}/dynamic.py:Compiled", "--depth", "1", "--gear", "native").complaint
    assert "cannot be compiled" in told and "--gear python" in told


def test_what_the_compiler_says_is_printed_when_it_is_asked_for(gambito, tmp_path):
    text = COMPILED.replace("yield 1", "yield from (1,)").replace("state.left == 2", "state.left == 9")
    (tmp_path / "compiled.py").write_text(text)
    spec = f"{tmp_path}/compiled.py:Compiled"
    for words in (("check", spec), ("perft", spec, "--depth", "1", "--gear", "native")):
        plain, verbose = gambito(*words), gambito(*words, "--verbose")
        assert plain.status == verbose.status != 0
        assert "yield from" in plain.out + plain.err
        assert "opcode" not in plain.out + plain.err and "opcode" in verbose.err


def test_machines_and_mistakes_have_their_words():
    assert "memory" in sentence(MemoryError())
    assert "too deep" in sentence(RecursionError("maximum recursion depth exceeded"))
    assert "starts no more threads" in sentence(RuntimeError("can't start new thread"))
    assert sentence(OSError(28, "No space left on device")) == "No space left on device"
    assert "mistake in Gambito itself (KeyError: 'x')" in sentence(KeyError("x"))
    assert sentence(library.PositionError("two\nlines.")) == "two lines"


def test_a_drawing_that_finds_no_room_leaves_no_file(tmp_path):
    """A file may not grow here, as on a full disk."""
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (100, 100))
    file = tmp_path / "tree.svg"
    words = ("trace", "tree", "--format", "svg", "--output", str(file))
    done = run(*COMMAND, *words, ready=limit, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == 2 and str(file) in done.stderr and not list(tmp_path.iterdir())


def test_debug_shows_the_traceback(gambito, monkeypatch):
    monkeypatch.setenv("GAMBITO_DEBUG", "1")
    with pytest.raises(library.GameError):
        gambito("best", "chezz")


QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
ANY = st.text(max_size=12)


def _answers(ran) -> None:
    if ran.status:
        assert ran.complaint
    assert ran.status in (0, 2)


@QUICK
@given(
    game=st.sampled_from(["tree", "tic-tac-toe", "connect-four", "nim"]),
    position=ANY | st.text('[]1,2 {}":xX.O/-', max_size=20),
)
def test_any_position(gambito, game, position):
    _answers(gambito("best", game, f"--position={position}", "--gear=python", "--depth=1"))


@QUICK
@given(game=ANY | st.builds("{}:{}={}".format, st.sampled_from(["nim", "connect-four", "x.py"]), ANY, ANY))
def test_any_game(gambito, game):
    _answers(gambito("best", "--gear=python", "--depth=1", "--", game))


@QUICK
@given(
    option=ANY | st.builds("{}={}".format, st.sampled_from(["memory", "deepen", "x"]), ANY),
    algorithm=ANY | st.just("mtd-f"),
)
def test_any_option(gambito, option, algorithm):
    _answers(gambito(*TREE, "--depth=1", f"--option={option}", f"--algorithm={algorithm}"))


@QUICK
@given(
    args=st.lists(
        ANY | st.sampled_from(["best", "tree", "--depth", "perft", "--json", "-h", "check"]), max_size=4
    )
)
def test_any_words(gambito, args):
    _answers(gambito(*args))
