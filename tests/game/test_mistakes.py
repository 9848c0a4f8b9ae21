"""What is often wrong in a first game: each mistake is told with the author's line and what to write instead.

`check`, a search and the command line say it; what the compiler says comes only when it is asked for.
"""

from __future__ import annotations

import re
import textwrap
import time

import pytest

import gambito
from gambito.players.error_sentences import sentence

FRAME = """
{top}
from typing import NamedTuple

import numpy as np

from gambito import Game


class State(NamedTuple):
    {fields}


class Heap({base}):
    {own}

    def initial(self):
        {initial}

    def player(self, state):
        {player}

    def actions(self, state):
        {actions}

    def result(self, state, action):
        {result}

    def is_terminal(self, state):
        {terminal}

    def utility(self, state, player):
        {utility}

    {more}
"""
RIGHT = {
    "top": "",
    "fields": "left: int\nmover: int",
    "base": "Game",
    "own": '"""Take one, two or three."""',
    "initial": "return State(9, 0)",
    "player": "return state.mover",
    "actions": "for n in range(1, min(state.left, 3) + 1):\n    yield n",
    "result": "return State(state.left - action, 1 - state.mover)",
    "terminal": "return state.left == 0",
    "utility": "return -1 if player == state.mover else 1",
    "more": "",
}
ONCE = "a rule keeps nothing between calls"
FIVE = {  # a state that is a row of five cells
    "fields": "cells: tuple[int, int, int, int, int]\nmover: int",
    "initial": "return State((0, 0, 0, 0, 0), 0)",
    "actions": "for i in range(5):\n    if state.cells[i] == 0:\n        yield i",
    "terminal": "return 0 not in state.cells",
}

# Wrong rules, with what `check` and a search say about them.
RULES = {
    "a state without return": (
        {"result": "State(state.left - action, 1 - state.mover)"},
        "result gives None, not a state; every way must end in `return` with one, ",
    ),
    "a way without return": (
        {"utility": "if player == state.mover:\n    return -1"},
        "utility gives None; every way must end in `return` with a number, after",
    ),
    "is_terminal without return": (
        {"terminal": "if state.left == 0:\n    return True"},
        "is_terminal gives None; every way must end in `return` with True or False, in the initial state",
    ),
    "players from one": (
        {"initial": "return State(9, 1)", "result": "return State(state.left - action, 3 - state.mover)"},
        r"player gives 2, not one of \[0, 1\]; players are numbered from 0, and more than 2 say ",
    ),
    "dice that are not declared": (
        {"player": "return -1"},
        r"player gives -1, not one of \[0, 1\]; players are numbered from 0, and -1 is CHANCE, "
        "for dice and cards: `chance = True`, in the initial state",
    ),
    "players by letters": (
        {"player": "return 'XO'[state.mover]"},
        r"player gives 'X', not one of \[0, 1\]; players are numbered from 0, in the initial state",
    ),
    "the same winner for both": (
        {"utility": "return 1 if state.mover == 0 else -1"},
        r"the utilities \[-?1, -?1\] do not add up to zero; what one player wins the other loses, unless the "
        "class says `zero_sum = False`, after",
    ),
    "a half": (
        {"utility": "return -0.5 if player == state.mover else 0.5"},
        r"utility gives -?0\.5, and values are whole numbers unless the class says `value = float`, after",
    ),
    "a negative action": (
        {"actions": "yield -1", "result": "return State(state.left + action, 1 - state.mover)"},
        "actions yields -1, not an int of 0 or more; give every action a number, such as",
    ),
    "an action that is a pair": (
        {"actions": "yield (0, 1)"},
        r"actions yields \(0, 1\), not an int of 0 or more; give every action a number, such as row \*",
    ),
    "a field with a letter": (
        {"initial": "return State(9, 'X')"},
        "initial gives 'X' in 'mover', which is of type int; write numbers for letters, in the initial state",
    ),
    "a field with None": (
        {"initial": "return State(9, None)"},
        "initial gives None in 'mover', which is of type int; write a number that means nothing, such as -1",
    ),
    "a field with an Enum": (
        {
            "top": "import enum\n\nclass Side(enum.Enum):\n    FIRST = 0",
            "initial": "return State(9, Side.FIRST)",
        },
        "initial gives <Side.FIRST: 0> in 'mover', which is of type int; write its number",
    ),
    "a float in a field": (
        {"result": "return State(state.left - action / 2, 1 - state.mover)"},
        r"result gives \d\.5 in a field that is int",
    ),
    "a large number": (
        {
            "fields": "bits: int\nmover: int",
            "initial": "return State(0, 0)",
            "actions": "yield from range(70, 90)",
            "result": "return State(state.bits | 1 << action, 1 - state.mover)",
            "terminal": "return state.bits > 0",
        },
        r"result gives the number \d+ in 'bits', which has more than 64 bits; keep it in several numbers,",
    ),
    "aliasing": (
        {
            "fields": "cells: np.ndarray\nmover: int",
            "initial": "return State(np.zeros(5, np.int64), 0)",
            "actions": FIVE["actions"],
            "result": "cells = state.cells\ncells[action] = 1\nreturn State(cells, 1 - state.mover)",
            "terminal": "return np.all(state.cells != 0)",
        },
        "result changes the state it is given; change a copy of what it holds, as `cells.copy\\(\\)` gives, ",
    ),
    "a list that is a default and grows": (
        {
            "actions": "return self.steps(state.left)",
            "more": "def steps(self, left, found=[]):\n"
            "    found.extend(range(1, min(left, 3) + 1))\n    return found",
        },
        rf"actions gives \[1, 2, 3.*\], and then \[1, 2, 3, 1, 2, 3.*\] for the same state; {ONCE}",
    ),
    "a global counter": (
        {
            "top": "calls = 0",
            "result": "global calls\ncalls += 1\nreturn State(state.left - action, calls % 2)",
        },
        rf"result gives State\(left=\d, mover=[01]\), and then State\(.*\) for the same state; {ONCE}",
    ),
    "an endless game": (
        {"terminal": "return False"},
        "a state that is not terminal has no actions; is_terminal gives True there, or a pass is an action, ",
    ),
    "a helper named like a rule": (
        {"more": "def count(self, state, n):\n    return n"},
        r"'count' is the name of a rule of Gambito, which takes \(state\), but in Heap it takes "
        r"\(state, n\); call it 'my_count'",
    ),
    "an attribute named like a rule": (
        {"own": "def __init__(self):\n    self.turn = 0"},
        "'turn' is the name of a rule of Gambito, but in Heap it is of type int; call it 'my_turn'",
    ),
    "a rule that is misspelt": (
        {"more": "is_termnal = is_terminal\ndel is_terminal"},
        r"the game has no rule is_terminal; is 'is_termnal' meant for it\?",
    ),
    "a rule by another library's name": (
        {"more": "legal_moves = actions\ndel actions"},
        r"the game has no rule actions; is 'legal_moves' meant for it\?",
    ),
    "parameters the other way round": (
        {"result": "pass", "more": "def result(self, action, state):\n    return state"},
        r"result takes \(state, action\), in this order, but in Heap it takes \(action, state\)",
    ),
    "a rule without a parameter": (
        {"utility": "pass", "more": "def utility(self, state):\n    return 1"},
        r"utility takes \(state, player\), but in Heap it takes \(state\)",
    ),
    "no initial state": (
        {"initial": "State(9, 0)"},
        "initial gives None, not a state; every way must end in `return` with one, in the initial state",
    ),
    "actions that are printed": (
        {"actions": "for n in range(1, min(state.left, 3) + 1):\n    print(n)"},
        "actions gives None, not several items; `yield` each one, or `return` a list of them, in the initial",
    ),
    "the first action alone": (
        {"actions": "for n in range(1, min(state.left, 3) + 1):\n    return n"},
        "actions gives 1, not several items; `yield` each one, or `return` a list of them, in the initial",
    ),
    "a player without return": (
        {"player": "state.mover"},
        r"player gives None, not one of \[0, 1\]; every way must end in `return` with a number, in the",
    ),
    "a bool for a player": (
        {"player": "return state.mover == 1"},
        r"player gives False, not one of \[0, 1\]; write `int\(…\)`, in the initial state",
    ),
    "utilities of all players": (
        {"utility": "return (1, -1)"},
        r"utility gives \(1, -1\), not a number: the value for the player that it is asked about, after",
    ),
    "a score that is too high": (
        {"utility": "return -100 if player == state.mover else 100"},
        "utility gives -?100, outside -1 to 1; the class says what is possible: `lowest = …`, `highest = …`,",
    ),
    "the last bit of an int": (
        {
            "fields": "bits: int\nmover: int",
            "initial": "return State(0, 0)",
            "actions": "yield 63",
            "result": "return State(state.bits | 1 << action, 1 - state.mover)",
            "terminal": "return state.bits > 0",
        },
        r"result gives the number \d+ in 'bits', an int, which has 63 bits and a sign; write np\.uint64 ",
    ),
    "a rule without self": (
        {"player": "pass", "more": "def player(state):\n    return state.mover"},
        r"player lacks the parameter self: `def player\(self, state\)`",
    ),
}

# Rules that run and do not compile, with what is said about them.
COMPILED = {
    "recursion": (
        {
            "terminal": "return self.rest(state.left) == 0",
            "more": "def rest(self, n):\n    return n if n <= 1 else self.rest(n - 1)",
        },
        "rest cannot be compiled: it calls itself, directly or through another one; write a loop, or a",
    ),
    "a list as a default": (
        {
            "actions": "for n in self.steps(state.left):\n    yield n",
            "more": "def steps(self, left, sizes=[1, 2, 3]):\n"
            "    for n in sizes:\n        if n <= left:\n            yield n",
        },
        "steps cannot be compiled: a list is the default of its argument 'sizes'; write a tuple",
    ),
    "a memory as a default": (
        {"terminal": "return self.rest(state.left) == 0",
         "more": "def rest(self, n, seen={}):\n    return n if len(seen) < 3 else 0"},
        "rest cannot be compiled: a dict is the default of its argument 'seen'; write a tuple or a NumPy",
    ),
    "a list that counts": (
        {"top": "calls = [0]",
         "result": "calls[0] += 1\nreturn State(state.left - action, 1 - state.mover)"},
        f"result cannot be compiled: it changes the global name 'calls'; {ONCE}, so put it into the state",
    ),
    "a counter of the class": (
        {"own": "calls = 0",
         "result": "Heap.calls += 1\nreturn State(state.left - action, 1 - state.mover)"},
        f"result cannot be compiled: it changes the attribute 'calls'; {ONCE}, so put it into the state",
    ),
    "the class by its name": (
        {"own": "MOST = 3", "actions": "for n in range(1, min(state.left, Heap.MOST) + 1):\n    yield n"},
        r"actions cannot be compiled: 'Heap' is a class, which compiled code cannot read; write `self\.MOST`",
    ),
    "a cache": (
        {"top": "from functools import lru_cache", "terminal": "return self.rest(state) == 0",
         "more": "@lru_cache\ndef rest(self, state):\n    return state.left"},
        "is_terminal cannot be compiled: 'rest' has a cache, which compiled code cannot read; leave",
    ),
    "a method of the state": (
        {"fields": "left: int\nmover: int\n\ndef other(self):\n    return 1 - self.mover",
         "result": "return State(state.left - action, state.other())"},
        "result cannot be compiled: in compiled code, State has its fields only; write 'other' as a method",
    ),
    "an empty set": (
        {"terminal": "seen = set()\nreturn state.left == 0"},
        "is_terminal cannot be compiled: 'seen' stays empty, so the type of its items is not known; leave",
    ),
    "an attribute that is None": (
        {"own": "kept = None",
         "terminal": "if self.kept is not None:\n    return True\nreturn state.left == 0"},
        "is_terminal cannot be compiled: 'kept' is None; write a number that means nothing, such as -1",
    ),
    "text for a programmer": (
        {"result": "print(f'{action=}')\nreturn State(state.left - action, 1 - state.mover)"},
        "result cannot be compiled: it holds an f-string with `:` or `=`; write the value alone between",
    ),
    "a global list": (
        {"top": "MOVES = [1, 2, 3]",
         "result": "return State(state.left - MOVES[action - 1], 1 - state.mover)"},
        "result cannot be compiled: 'MOVES' is a list, which compiled code cannot read; write a tuple, or a",
    ),
    "a global dict": (
        {"top": "WORTH = {1: 1}",
         "result": "return State(state.left - 1, WORTH.get(action, 1 - state.mover))"},
        "result cannot be compiled: 'WORTH' is a dict, which compiled code cannot read; write a tuple or a",
    ),
    "a set of the game": (
        {"own": "sizes = {1, 2, 3}",
         "actions": "for n in (1, 2, 3):\n    if n in self.sizes and n <= state.left:\n"
         "        yield n"},
        "actions cannot be compiled: 'sizes' is a set, which compiled code cannot read; write a tuple, or",
    ),
    "a counter of the game": (
        {"own": "def __init__(self):\n    self.calls = 0",
         "result": "self.calls += 1\nreturn State(state.left - action, 1 - state.mover)"},
        f"result cannot be compiled: it changes the attribute 'calls'; {ONCE}, so put it into the state",
    ),
    "a counter of the module": (
        {"top": "calls = 0",
         "result": "global calls\ncalls += 1\nreturn State(state.left - action, 1 - state.mover)"},
        f"result cannot be compiled: it changes the global name 'calls'; {ONCE}, so put it into the state",
    ),
    "a function inside that yields": (
        {"actions": "def some():\n    yield 1\nfor n in some():\n    yield n"},
        "some cannot be compiled: a function inside it yields; write that function at the top of the file",
    ),
    "a walrus": (
        {"result": "if (left := state.left - action) > 0:\n    return State(left, 1 - state.mover)\n"
         "return State(0, 1 - state.mover)"},
        "result cannot be compiled: it holds `:=`; write the assignment on a line of its own",
    ),
    "a loop over a mixed tuple": (
        {"own": "lines = ((1, 2), (1, 2, 3))",
         "actions": "for line in self.lines:\n    pass\n" + RIGHT["actions"]},
        "actions cannot be compiled: it loops over a tuple whose items are of several kinds or lengths;",
    ),
    "yield from": (
        {"actions": "yield from range(1, min(state.left, 3) + 1)"},
        "actions cannot be compiled: write `for … in …: yield …` instead of `yield from`",
    ),
    "a copy": (
        {"top": "import copy",
         "result": "child = copy.copy(state)\nreturn State(child.left - action, 1 - child.mover)"},
        "result cannot be compiled: compiled code has no 'copy.copy'; write it out with numbers, tuples and",
    ),
    "an error by name": (
        {"result": "try:\n    left = state.left - action\nexcept ValueError:\n    left = 0\n"
         "return State(left, 1 - state.mover)"},
        "result cannot be compiled: `except` names a class of errors; ask with `if` before the error can",
    ),
    "two types": (
        {"own": "def next(self, mover):\n    if mover == 0:\n        return 1\n    return (0, 1)[:1]",
         "result": "self.next(state.mover)\nreturn State(state.left - action, 1 - state.mover)"},
        r"next cannot be compiled: it returns values of several types \(int, tuple\); return one",
    ),
    "random numbers": (
        {"top": "import random",
         "result": "return State(state.left - action, (1 - state.mover) * random.choice((1, 1)))"},
        "result cannot be compiled: a rule draws no random numbers; dice and cards are moves of CHANCE,",
    ),
    "a function inside": (
        {"actions": "fits = lambda n: n <= state.left\nfor n in filter(fits, (1, 2, 3)):\n    yield n"},
        "actions cannot be compiled: a function inside it uses 'state'; write that function at the top of",
    ),
}  # fmt: skip

# States that cannot be compiled: the game runs in the Python gear, and `check` says why.
PYTHON = {
    "a list": (
        {"fields": "cells: list\nmover: int", "initial": "return State([0] * 5, 0)",
         "actions": FIVE["actions"],
         "terminal": FIVE["terminal"],
         "result": "cells = list(state.cells)\ncells[action] = 1\nreturn State(cells, 1 - state.mover)"},
        "the field 'cells' of a state is a list, which cannot be compiled; write a tuple of numbers, a",
    ),
    "a str": (
        {"fields": "cells: str\nmover: int", "initial": "return State('.' * 3, 0)",
         "actions": "for i in range(3):\n    if state.cells[i] == '.':\n        yield i",
         "result": "return State(state.cells[:action] + 'x' + state.cells[action + 1:], 1 - state.mover)",
         "terminal": "return '.' not in state.cells"},
        "the field 'cells' of a state is a str, which cannot be compiled; write numbers for letters",
    ),
    "a set": (
        {"fields": "taken: frozenset\nmover: int", "initial": "return State(frozenset(), 0)",
         "actions": "for i in range(3):\n    if i not in state.taken:\n        yield i",
         "result": "return State(state.taken | {action}, 1 - state.mover)",
         "terminal": "return len(state.taken) == 3"},
        "the field 'taken' of a state is a frozenset, which cannot be compiled; write the bits of a",
    ),
    "a dict": (
        {"initial": "return {'left': 9, 'mover': 0}", "player": "return state['mover']",
         "actions": "for n in range(1, min(state['left'], 3) + 1):\n    yield n",
         "result": "return {'left': state['left'] - action, 'mover': 1 - state['mover']}",
         "terminal": "return state['left'] == 0",
         "utility": "return -1 if player == state['mover'] else 1"},
        "a state is a dict, which cannot be compiled; write a NamedTuple, or a NumPy array whose places",
    ),
    "a dataclass": (
        {"top": "from dataclasses import dataclass\n\n@dataclass\nclass Left:\n    left: int\n    mover: int",
         "initial": "return Left(9, 0)", "result": "return Left(state.left - action, 1 - state.mover)"},
        "a state is a Left, which cannot be compiled; write a NamedTuple with the same fields",
    ),
    "compiles = False": ({"own": "compiles = False"}, "compiles = False in the class"),
}  # fmt: skip


def text(changed: dict[str, str]) -> str:
    """The rules file with these parts changed."""
    parts = RIGHT | changed
    indents = {"top": "", "base": "", "fields": "    ", "own": "    ", "more": "    "}
    return FRAME.format(
        **{name: textwrap.indent(part, indents.get(name, "        ")).strip() for name, part in parts.items()}
    )


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(changed):
        (tmp_path / "heap.py").write_text(text(changed))
        return "heap.py"

    return write


def told_by_search(spec: str) -> str:
    with pytest.raises(gambito.GambitoError) as raised:
        gambito.search(spec, algorithm="minimax", depth=3)
    return str(raised.value)


def test_the_game_without_mistakes_passes(file):
    report = gambito.check(file({}))
    assert report.ok and report.native and not report.notes, report


@pytest.mark.parametrize("mistake", RULES)
def test_wrong_rules_are_told_with_their_line(mistake, file):
    changed, sentence = RULES[mistake]
    spec = file(changed)
    (first, *_) = gambito.check(spec).problems
    assert re.match(sentence, first), first
    assert re.search(sentence.partition(", after")[0], told_by_search(spec))
    if "is of type int; call it" not in first:
        assert re.search(r" \(heap\.py, line \d+\)$", first), first


# What looks as if it could not be compiled. Functions are called with a number that is written out.
COMPILES = {
    "a tuple of a list": {
        **FIVE,
        "result": "cells = list(state.cells)\ncells[action] = 1\nreturn State(tuple(cells), 1 - state.mover)",
    },
    "None that never comes out": {
        "result": "left = state.left - action\nif left == 0:\n    left = None\nif left is None:\n"
        "    return State(0, 1 - state.mover)\nreturn State(left, 1 - state.mover)",
    },
    "a function that calls itself": {
        "top": "def rest(n):\n    return 0 if n <= 0 else 1 + rest(n - 1)",
        "terminal": "return state.left + rest(4) == 4",
    },
    "functions that call each other": {
        "top": "def rest(n):\n    return 0 if n <= 0 else 1 + other(n - 1)\n\n"
        "def other(n):\n    return 0 if n <= 0 else 1 + rest(n - 1)",
        "terminal": "return state.left + rest(4) == 4",
    },
}


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore:.*call each other in a circle")
@pytest.mark.parametrize("what", COMPILES)
def test_what_looks_hard_is_compiled(what, file):
    report = gambito.check(file(COMPILES[what]), games=3)
    assert report.ok and report.native, report


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rule", "changed"),
    [
        ("utility", {"utility": "if state.mover != 1:\n    return -1 if player == 0 else 1"}),
        ("is_terminal", {"terminal": "if state.left < 7:\n    return state.left == 0"}),
    ],
)
def test_a_way_without_return_is_told_by_compiled_rules(rule, changed, file, unchecked):
    """A check that has not come that way may have passed."""
    with pytest.raises(TypeError) as raised:
        gambito.search(file(changed), algorithm="alpha-beta", depth=12)
    told = str(sentence(raised.value))
    assert re.fullmatch(
        rf"the rule '{rule}' gives None; every way must end in `return` with a value \(heap\.py, line \d+\)",
        told,
    )


@pytest.mark.thorough
@pytest.mark.parametrize("mistake", COMPILED)
def test_what_does_not_compile_is_told_with_its_line(mistake, file):
    changed, sentence = COMPILED[mistake]
    spec = file(changed)
    report = gambito.check(spec, games=3)
    assert re.match(f"the native gear: {sentence}", report.problems[0]), report.problems
    assert re.search(
        r" \(heap\.py, line \d+\); or write `compiles = False` in the class$", report.problems[0]
    )
    assert report.details and "numba" not in report.problems[0].lower()
    assert re.match(sentence, told_by_search(spec))


@pytest.mark.parametrize("mistake", PYTHON)
def test_states_that_do_not_compile_are_told(mistake, file):
    changed, sentence = PYTHON[mistake]
    report = gambito.check(file(changed), games=3)
    assert report.ok and not report.native
    (note,) = report.notes
    assert note.startswith(sentence)


def test_rules_that_print_are_told(file, capsys):
    spec = file({"own": "compiles = False", "player": "print('asked')\nreturn state.mover"})
    notes = gambito.check(spec, games=1).notes
    assert "the rules print; a search asks them a million times a second" in notes
    assert "asked" in capsys.readouterr().out


def test_a_state_that_is_none_is_refused():
    with pytest.raises(gambito.PositionError, match=r"^5 is no state of tic-tac-toe; accepted: a state, its"):
        gambito.Player("tic-tac-toe").move(5)


def test_what_cannot_be_solved_says_what_to_do_instead():
    with pytest.raises(gambito.SearchError, match=r"^dark-chess cannot be solved: .*; `gambito best` finds"):
        gambito.solve("dark-chess")


def test_states_that_know_no_equality_are_not_taken_for_others(file):
    class Box:
        def __init__(self, left, mover):
            self.inner = (left, mover)

    class Boxed(gambito.Game):
        """The heap, its state in an object inside an object."""

        compiles = False

        def initial(self):
            return [Box(3, 0)]

        def player(self, state):
            return state[0].inner[1]

        def actions(self, state):
            return [1]

        def result(self, state, action):
            left, mover = state[0].inner
            return [Box(left - action, 1 - mover)]

        def is_terminal(self, state):
            return state[0].inner[0] == 0

        def utility(self, state, player):
            return -1 if player == self.player(state) else 1

    assert gambito.check(Boxed(), games=2).ok


def test_a_class_that_does_not_extend_game_is_named(file):
    spec = file({"base": "object"})
    with pytest.raises(
        gambito.GameError, match=r"^heap.py holds no game: write `class Heap\(Game\)`, or ask"
    ):
        gambito.check(spec)
    assert gambito.check(f"{spec}:Heap", games=2).problems == []


def test_a_large_board_is_checked_in_time(file, monkeypatch):
    """Random games end after some seconds, and the report says that no end was seen."""
    monkeypatch.setattr("gambito.game.check.SECONDS", 0.2)
    cells = 100 * 100
    spec = file(
        {
            "own": f"longest = {cells}\n\ncompiles = False",
            "fields": "cells: np.ndarray\nmover: int",
            "initial": f"return State(np.zeros({cells}, np.int8), 0)",
            "actions": "return [int(cell) for cell in np.flatnonzero(state.cells == 0)]",
            "result": "cells = state.cells.copy()\ncells[action] = 1\nreturn State(cells, 1 - state.mover)",
            "terminal": "return bool(np.all(state.cells != 0))",
        }
    )
    shown = []
    began = time.perf_counter()
    report = gambito.check(spec, progress=lambda *told: shown.append(told))
    assert report.ok and report.is_cut and report.games == 1
    assert "no random game came to its end in 0.2 seconds" in report.notes
    assert shown[0] == ("games", 0, 30)
    assert time.perf_counter() - began < 20
