"""The conformance check: what it finds, told with the position that shows it."""

from __future__ import annotations

import ast
import itertools
import re
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import gambito
from gambito import Game, PositionError, Puzzle
from gambito.boards.picture import Piece, grid
from gambito.game.contract.searching import Searching
from gambito.game.registry import game_classes


class Race(Game):
    """Count to four, one or two at a time; who gets there wins. A state is the count and the mover."""

    def initial(self):
        return (0, 0)

    def player(self, state):
        return state[1]

    def actions(self, state):
        for step in range(1, 3):
            if state[0] + step <= 4:
                yield step

    def result(self, state, action):
        return (state[0] + action, 1 - state[1])

    def is_terminal(self, state):
        return state[0] == 4

    def utility(self, state, player):
        return -1 if player == state[1] else 1

    def evaluate(self, state, player):
        return 0


NEARLY_OVER = {"is_nearly_over": lambda self, state: True, "plies_left": lambda self, state: 4 - state[0]}


def broken(**rules: object) -> Game:
    """The race with other rules."""
    return type("Broken", (Race,), rules)()


def at_two(right, wrong):
    """A rule that is right until the count is two or more."""
    return lambda self, state, *args: wrong if state[0] >= 2 else getattr(Race, right)(self, state, *args)


def raising(self, state, *args):
    if state[0] >= 2:
        raise IndexError("out of the board")
    return Race.result(self, state, *args)


def changing(self, state, action):
    state[0] += action
    return [state[0], 1 - state[1]]


@pytest.mark.thorough
def test_long_games_are_fewer():
    assert 4 <= gambito.check("othello").games < 30


def test_the_race_passes():
    report = gambito.check(Race())
    assert report.ok and report.native, report.problems
    assert report.games == 30 and report.longest <= 4 and report.most_actions == 2
    assert report.as_dict()["ok"] is True


SMALLER = {"battleship": "battleship:width=5,height=4,fleet=3-2"}  # whose worlds take long to imagine
LONG = (
    "backgammon",
    "battleship",
    "chess",
    "go",
    "gomoku",
    "hex",
    "monopoly",
    "nine-mens-morris",
)  # whose games take long to check
HEAVY = ("backgammon", "battleship", "bridge", "chess", "chinese-checkers", "hearts", "monopoly")  # even one


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "games"),
    [
        *(
            pytest.param(
                SMALLER.get(name, name), 1 if name in LONG else 3, marks=[pytest.mark.slow] * (name in HEAVY)
            )
            for name in game_classes()
        ),
        *(pytest.param(name, 3, marks=pytest.mark.slow) for name in LONG),
    ],
)
def test_built_in_games_pass(name, games):
    report = gambito.check(name, games=games)
    assert report.ok, report.problems
    assert report.native or not gambito.load(name).compiles


@pytest.mark.thorough
@pytest.mark.parametrize(
    "spec",
    [
        "connect-four:width=9,height=7,line=5",
        "nim:heaps=3-3-1,misere=true",
        "uniform-tree:branching=2,depth=5,order=best",
    ],
)
def test_built_in_games_with_parameters_pass(spec):
    report = gambito.check(spec, games=10)
    assert report.ok and report.native, report.problems


AFTER = "after (2|1 1|1 2|1 1 1)"  # however the count came to two or more
RULES = {
    "result raises": (
        {"result": raising},
        rf"result raises IndexError: out of the board \(test_check.py, line \d+\), {AFTER}",
    ),
    "initial raises": (
        {"initial": lambda self: 1 // 0},
        "initial raises ZeroDivisionError: .*, in the initial state",
    ),
    "is_terminal raises": (
        {"is_terminal": lambda self, state: state.stones == 4},
        "is_terminal raises AttributeError: .*, in the initial state",
    ),
    "an action is text": (
        {"actions": at_two("actions", ["left"])},
        f"actions yields 'left', not an int of 0 or more; give every action a number, such as .*, {AFTER}",
    ),
    "an action is negative": (
        {"actions": at_two("actions", [-1])},
        f"actions yields -1, not an int.*, {AFTER}",
    ),
    "an action is a bool": (
        {"actions": at_two("actions", [True])},
        f"actions yields True, not an int.*, {AFTER}",
    ),
    "an action is a float": (
        {"actions": at_two("actions", [1.0])},
        f"actions yields 1.0, not an int.*, {AFTER}",
    ),
    "actions is no list": (
        {"actions": at_two("actions", None)},
        f"actions gives None, not several items; .*, {AFTER}",
    ),
    "actions never end": (
        {"actions": lambda self, state: itertools.count(1)},
        "actions does not come to an end, in the initial state",
    ),
    "an action comes twice": (
        {"actions": at_two("actions", [1, 1])},
        f"actions yields the same action twice, {AFTER}",
    ),
    "no actions": (
        {"actions": at_two("actions", [])},
        f"a state that is not terminal has no actions; .*, {AFTER}",
    ),
    "more actions than told": (
        {"most_actions": 1},
        "there are 2 actions, more than the trait 'most_actions', in the initial state",
    ),
    "the game never ends": (
        {"result": lambda self, state, action: (state[0], 1 - state[1])},
        "a game is longer than 2000 plies, and it may be endless; .*, after … (1|2)",
    ),
    "longer than told": ({"longest": 1}, "a game is longer than 1 plies, its trait 'longest', after (1|2)"),
    "nothing happens": (
        {"result": lambda self, state, action: state, "longest": 3},
        r"result\((1|2)\) gives back the same state, in the initial state",
    ),
    "result changes the state": (
        {"initial": lambda self: [0, 0], "result": changing},
        "result changes the state it is given; .*, in the initial state",
    ),
    "actions changes the state": (
        {"initial": lambda self: [0, 0], "actions": lambda self, state: [state.append(1) or 1]},
        "actions changes the state it is given; .*, in the initial state",
    ),
    "a state of another type": (
        {"result": at_two("result", (1, 2, 3))},
        r"result: a state of broken is not of the initial state's type: \(1, 2, 3\) is not a tuple of 2; ",
    ),
    "is_terminal is a number": (
        {"is_terminal": lambda self, state: int(state[0] == 4)},
        "is_terminal gives 0, not a bool, in the initial state",
    ),
    "not zero-sum": (
        {"utility": lambda self, state, player: 1},
        r"the utilities \[1, 1\] do not add up to zero; .*, after (1|2)",
    ),
    "a utility too high": (
        {"utility": lambda self, state, player: 7 if player else -7},
        "utility gives -7, outside -1 to 1; .*, after (1|2)",
    ),
    "no utility": (
        {"utility": lambda self, state, player: None},
        "utility gives None; every way must end in `return` with a number, after (1|2)",
    ),
    "a utility that is text": (
        {"utility": lambda self, state, player: "won"},
        "utility gives 'won', not a number",
    ),
    "a utility that is nothing": (
        {"utility": lambda self, state, player: float("nan")},
        "utility gives nan, and values are whole numbers unless .*, after (1|2)",
    ),
    "a utility that is a fraction": (
        {"utility": lambda self, state, player: 0.5 - player},
        "utility gives 0.5, and values are whole numbers unless .*, after (1|2)",
    ),
    "another player": ({"player": at_two("player", 2)}, rf"player gives 2, not one of \[0, 1\]; .*, {AFTER}"),
    "no player": (
        {"player": at_two("player", None)},
        rf"player gives None, not one of \[0, 1\]; .*, {AFTER}",
    ),
    "a player that is a bool": (
        {"player": lambda self, state: state[1] == 1},
        "player gives False, not one of",
    ),
    "an estimate that is text": (
        {"evaluate": at_two("evaluate", "good")},
        f"evaluate gives 'good', not a number: .*, {AFTER}",
    ),
    "no estimate": ({"evaluate": at_two("evaluate", None)}, f"evaluate gives None; .*, {AFTER}"),
    "an estimate too high": (
        {"evaluate": at_two("evaluate", 5)},
        f"evaluate gives 5, outside -1 to 1; .*, {AFTER}",
    ),
    "an estimate that is not zero-sum": (
        {"evaluate": at_two("evaluate", 1)},
        f"evaluate is not zero-sum, {AFTER}",
    ),
    "bounds the wrong way round": (
        {"bounds": lambda self, state: (1, -1)},
        "bounds gives 1 to -1, in the initial state",
    ),
    "no bounds": (
        {"bounds": lambda self, state: None},
        "bounds gives None, not two numbers, in the initial state",
    ),
    "a wrong count": (
        {"count": lambda self, state: 3},
        "count gives 3, and there are 2 actions, in the initial state",
    ),
    "too few plies left": (
        {"plies_left": lambda self, state: 1},
        "the game is longer than plies_left said, after [12] [12]",
    ),
    "a wrong solve_ending": (
        {**NEARLY_OVER, "solve_ending": lambda self, state, alpha, beta: (-1 if state[0] >= 2 else 1, 1)},
        "solve_ending gives -1, and 1 is best, after",
    ),
    "a solve_ending that does not count": (
        {**NEARLY_OVER, "solve_ending": lambda self, state, alpha, beta: -1},
        "solve_ending gives -1, not a value and a number of states, in the initial state",
    ),
    "a key that is text": (
        {"key": lambda self, state: "key"},
        "key gives 'key', not an int, in the initial state",
    ),
    "text that is not read": (
        {"text": lambda self, state: f"at {state[0]}", "parse": lambda self, text: (int(text), 0)},
        "parse raises ValueError: .*, in the initial state",
    ),
    "text that is read as another state": (
        {"text": lambda self, state: str(state[0]), "parse": lambda self, text: (int(text), 0)},
        "parse.text.state.. is another state: '[12]', after [12]",
    ),
    "a move that is read as another": (
        {"write": lambda self, state, action: "step"},
        "write.1. is 'step', which is read as 2, ",
    ),
    "a move that is not read": (
        {"read": lambda self, state, text: {}[text]},
        r"read raises KeyError: '[12]' \(test_check.py, line \d+\), in the initial state",
    ),
    "show raises": (
        {"show": lambda self, state: state.board},
        "show raises AttributeError: .*, in the initial state",
    ),
    "a piece off the board": (
        {"picture": lambda self: grid(2, 1), "pieces": lambda self, state: [Piece(state[0])]},
        f"a piece is on cell [23], and cells are 0 to 1, {AFTER}",
    ),
    "a piece of an unknown shape": (
        {"picture": lambda self: grid(9, 1), "pieces": lambda self, state: [Piece(0, "seed")]},
        "a piece has the shape 'seed'; accepted: disc, ring, .*, in the initial state",
    ),
    "pieces that are numbers": (
        {"picture": lambda self: grid(9, 1), "pieces": lambda self, state: [3]},
        r"pieces gives \[3\], not a list of Piece, in the initial state",
    ),
    "a touch that is a number": (
        {"picture": lambda self: grid(9, 1), "touch": lambda self, state, action: action},
        "touch gives [12], not a tuple of cells, in the initial state",
    ),
    "a move that is a number": (
        {"write": lambda self, state, action: action},
        "write gives [12], not a text, in the initial state",
    ),
    "an estimate worth more than a win": (
        {"highest": 100, "lowest": -100, "evaluate": lambda self, state, player: 5 - 10 * player},
        "evaluate gives 5, and a won game is worth 1, in the initial state",
    ),
    "all positions have one key": (
        {"key": lambda self, state: 7},
        "key gives the same number to two positions in which (player|actions|is_terminal) differs, after .*, "
        "and in the initial state",
    ),
    "some positions have one key": (
        {"key": lambda self, state: sum(map(int, state)) % 3},
        "key gives the same number to two positions in which (player|actions|is_terminal) differs, after",
    ),
    "a touch off the board": (
        {"picture": lambda self: grid(2, 1), "touch": lambda self, state, action: ((0, 7),)},
        "[12] touches cell 7, and cells are 0 to 1, in the initial state",
    ),
}


def test_the_default_key_is_blamed_as_gambitos_own(monkeypatch):
    """With the two states, which an author could not find from their ways alone."""
    monkeypatch.setattr(Searching, "key", lambda self, state: state[0] % 3)
    told = gambito.check(Race()).problems
    found = re.match(
        r"Gambito's default key gives the same number to (\(.*\)) and (\(.*\)), in which \w+ differs: a "
        "fault of Gambito, not of this game, which a rule 'key' avoids, after .*, and (after|in )",
        told[0],
    )
    assert found is not None, told
    first, second = (ast.literal_eval(state) for state in found.groups()[:2])
    assert first != second and first[0] % 3 == second[0] % 3


def test_equal_states_with_different_default_keys_are_told():
    class Mixed(Race):
        compiles = False

        def result(self, state, action):
            return (float(state[0] + action) if action == 1 else state[0] + action, 1 - state[1])

    (told,) = gambito.check(Mixed()).problems
    assert re.match(
        r"\(\d(\.0)?, [01]\) and \(\d(\.0)?, [01]\) are equal, and the default key tells them apart; give "
        "the game a rule 'key', after",
        told,
    )


@pytest.mark.parametrize("what", RULES)
def test_what_is_broken_is_told_with_the_position_that_shows_it(what, monkeypatch):
    monkeypatch.setattr("gambito.game.check.SECONDS", 60.0)  # for a busy machine
    rules, sentence = RULES[what]
    with np.errstate(over="ignore"):
        report = gambito.check(broken(**rules))
    assert not report.ok and not report.native
    assert any(re.match(sentence, problem) for problem in report.problems), report.problems
    assert all("\n" not in problem for problem in report.problems)
    assert len(report.problems) <= 10


def test_missing_rules_are_named():
    class Half(Game):
        initial, player, actions = Race.initial, Race.player, Race.actions

    report = gambito.check(Half())
    (told,) = report.problems
    assert told.startswith("the game has no rule result, is_terminal, utility (test_check.py, line ")
    assert report.games == 0


def test_a_large_board_that_is_changed_is_noticed():
    """NumPy shows a large array with dots in the middle."""

    class Large(Game):
        def initial(self):
            return np.zeros(2000, np.int8)

        def player(self, state):
            return int(state[1000] % 2)

        def actions(self, state):
            return [1]

        def result(self, state, action):
            state[1000] += 1
            return state.copy()

        def is_terminal(self, state):
            return bool(state[1000] == 3)

        def utility(self, state, player):
            return 0

    (told,) = gambito.check(Large()).problems
    assert re.match(
        r"result changes the state it is given; .*, in the initial state \(test_check\.py, line ", told
    )


def test_positions_that_cannot_be_read_are_told():
    class Refusing(Race):
        def text(self, state):
            return f"{state[0]}-{state[1]}"

        def parse(self, text):
            if text.startswith("2"):
                raise PositionError(f"'{text}' is no position")
            return tuple(map(int, text.split("-")))

    report = gambito.check(Refusing())
    assert any(p.startswith("parse raises PositionError: '2-") for p in report.problems)


# ---- the native gear differs -----------------------------------------------------------------------------


class Small(NamedTuple):
    count: np.int8
    mover: int


class Overflowing(Race):
    """A number of eight bits: NumPy wraps it around, compiled code widens it first."""

    lowest, highest = -1, 1

    def initial(self):
        return Small(np.int8(100), 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        yield 1
        if state.count + np.int8(27) < 0:
            yield 2

    def result(self, state, action):
        return Small(state.count + 1, 1 - state.mover)

    def is_terminal(self, state):
        return state.count >= 104

    def utility(self, state, player):
        return -1 if player == state.mover else 1


class Checking(Overflowing):
    """The same, with a rule that checks its arguments."""

    def actions(self, state):
        if state.count + np.int8(27) > 127:
            raise ValueError("more than eight bits")
        yield 1


class Beyond(Overflowing):
    """The same, with an index out of range in compiled code only: in NumPy the sum wraps around."""

    def evaluate(self, state, player):
        return int(TABLE[state.count + np.int8(27)])


TABLE = np.zeros(128, np.int8)


class Delegating(Race):
    """Good Python that Numba does not know."""

    def actions(self, state):
        yield from range(1, min(2, 4 - state[0]) + 1)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (Overflowing(), "actions differs between the gears, after 1"),
        (
            Checking(),
            "the native gear: actions raises ValueError: more than eight bits, after 1",
        ),
        (
            Beyond(),
            "the native gear: evaluate raises IndexError: index is out of bounds, after 1",
        ),
        (Delegating(), "the native gear: actions cannot be compiled: write `for … in …: yield …` instead of"),
    ],
)
def test_a_native_gear_that_differs_is_told_with_the_position(game, sentence):
    report = gambito.check(game, games=3)
    assert not report.ok
    assert any(p.startswith(sentence) for p in report.problems), report.problems


# ---- rules that only some searches ask -------------------------------------------------------------------

SHORT = np.zeros(2, np.int64)  # the count goes up to four


def beyond(self, state, *_):
    return SHORT[state[0]]


def writing_beyond(self, state, buffer, place):
    buffer[place + SHORT[state[0]]] = 1
    return place + 1


HINTS = ["priority", "is_zugzwang_likely", "is_urgent", "is_forcing", "stage", "reversible", "repetition"]
HINTS += ["random_action", "reply", "caption", "token", "pass_turn", "evaluate", "key"]


@pytest.mark.parametrize("rule", HINTS)
def test_an_index_out_of_range_is_told_with_its_rule(rule):
    report = gambito.check(broken(**{rule: beyond}))
    assert any(p.startswith(f"{rule} raises IndexError: ") for p in report.problems), report.problems


@pytest.mark.parametrize("rule", ["collect", "collect_noisy", "collect_quiet", "worthwhile"])
def test_an_index_out_of_range_in_a_rule_that_writes_is_told_with_it(rule):
    report = gambito.check(broken(**{rule: writing_beyond}))
    assert any(p.startswith(f"{rule} raises IndexError: ") for p in report.problems), report.problems


def test_actions_that_are_not_collected_are_told():
    report = gambito.check(broken(collect=lambda self, state, buffer, place: place))
    assert any(p.startswith("collect does not write what actions yields") for p in report.problems)


class Stuck(Puzzle):
    """No goal can be reached, and the estimate says so."""

    value = float

    def initial(self):
        return 0

    def actions(self, state):
        yield 0

    def result(self, state, action):
        return 1 - state

    def is_goal(self, state):
        return state == 2

    def estimate(self, state):
        return self.infinity


def test_an_estimate_may_be_infinite():
    assert not [problem for problem in gambito.check(Stuck()).problems if "evaluate" in problem]
    assert gambito.search(Stuck(), None, "a-star", gear="python").cost is None


@dataclass(frozen=True)
class Board:
    """A state that is a record with an array, as authors write it."""

    cells: Any
    mover: int


class Records(Game):
    """Three cells are taken in turn; who takes the last one wins."""

    compiles = False

    def initial(self):
        return Board(np.zeros(3, np.int8), 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        return [cell for cell in range(3) if not state.cells[cell]]

    def result(self, state, action):
        cells = state.cells.copy()
        cells[action] = 1
        return Board(cells, 1 - state.mover)

    def is_terminal(self, state):
        return bool(state.cells.all())

    def utility(self, state, player):
        return -1 if player == state.mover else 1


def test_states_may_be_records_with_arrays():
    assert gambito.check(Records()).problems == []
    assert gambito.search(Records(), None, "engine").value == 1
