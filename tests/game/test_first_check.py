"""The check before the first search of an author's game."""

from __future__ import annotations

import inspect
import json
import os
import sys
import time
from typing import NamedTuple

import numpy as np
import pytest

import gambito
from gambito import Game
from gambito.endgames.builder import Builder
from gambito.game import first_check
from gambito.game.check_play import Report
from gambito.game.puzzle import Puzzle
from gambito.native import Memory, cache
from gambito.players import Match
from tests.support import run


class Heap(NamedTuple):
    left: int
    mover: int


class Take(Game):
    """Take one, two or three; who takes the last one wins."""

    longest = 21

    def initial(self):
        return Heap(21, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for taken in range(1, min(3, state.left) + 1):
            yield taken

    def result(self, state, action):
        return Heap(state.left - action, 1 - state.mover)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state, player):
        return 1 if player != state.mover else -1


class Halves(Take):
    """A win is worth one half, and values are whole numbers."""

    def utility(self, state, player):
        return 0.5 if player != state.mover else -0.5


class Stones(NamedTuple):
    black: int
    white: int
    mover: int


class Row(Game):
    """Five in a row on 19×19, with boards of more than 64 bits."""

    longest = 361

    def initial(self):
        return Stones(0, 0, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for cell in range(361):
            if not (state.black | state.white) >> cell & 1:
                yield cell

    def result(self, state, action):
        if state.mover == 0:
            return Stones(state.black | 1 << action, state.white, 1)
        return Stones(state.black, state.white | 1 << action, 0)

    def has_five(self, stones):
        for way in (1, 18, 19, 20):
            if stones & stones >> way & stones >> 2 * way & stones >> 3 * way & stones >> 4 * way:
                return True
        return False

    def is_terminal(self, state):
        return self.has_five(state.black) or self.has_five(state.white)

    def utility(self, state, player):
        value = 1 if self.has_five(state.black) else -1
        return value if player == 0 else -value


class Truncated(Take):
    """A fraction in a field that holds whole numbers."""

    def result(self, state, action):
        return Heap(state.left - action / 2, 1 - state.mover)


class OneKey(Take):
    def key(self, state):
        return state.mover


class Unfair(Take):
    def utility(self, state, player):
        return 1


class Longer(Take):
    def plies_left(self, state):
        return 3


class Costly(Puzzle):
    """A walk whose steps cost one half, in a puzzle of whole numbers."""

    def initial(self):
        return 0

    def actions(self, state):
        yield 1

    def result(self, state, action):
        return state + 1

    def is_goal(self, state):
        return state == 9

    def cost(self, state, action):
        return 0.5


class Endless(Costly):
    """A step of infinite cost."""

    value = float

    def cost(self, state, action):
        return float("inf")


class Still(Take):
    step = 0


class Turned(Take):
    lowest, highest = 1, -1


class Vast(Take):
    """Values of the size of those that mean that nothing is known."""

    lowest, highest = -(1 << 40), 1 << 40


class Coarse(Take):
    """Its values differ by less than its step."""

    lowest, highest, step = -5, 5, 5

    def utility(self, state, player):
        return 1 + state.left if player != state.mover else -1 - state.left


class Forgetful(Take):
    """A key that is another number each time."""

    def __init__(self):
        self.asked = 0

    def key(self, state):
        self.asked += 1
        return self.asked


class Dice(Take):
    """Dice take one or two before the first move."""

    chance, value = True, float
    shares = (0.5, 0.5)

    def player(self, state):
        return gambito.CHANCE if state.left == 21 else state.mover

    def actions(self, state):
        for taken in range(1, 3):
            yield taken

    def chances(self, state):
        for taken in range(1, 3):
            yield taken, self.shares[taken - 1]

    def is_terminal(self, state):
        return state.left <= 0


class Negative(Dice):
    shares = (1.5, -0.5)


class Unknown(Dice):
    shares = (float("nan"), 0.5)


REFUSED = {
    Endless: "cost gives inf, too much to add up costs, in the initial state",
    Still: "step is 0, and must be above zero",
    Turned: "lowest is 1 and highest is -1; the lower one comes first",
    Vast: "lowest is -1099511627776 and highest is 1099511627776, and whole numbers must lie between",
    Coarse: "utility gives -?1, and elsewhere -?1, which are closer than the trait 'step', 5, after",
    Forgetful: r"key gives \d+, and then \d+ for the same state",
    Negative: r"chances gives the probability 1\.5, not one from 0 to 1, in the initial state",
    Unknown: "chances gives the probability nan, not one from 0 to 1, in the initial state",
    Halves: r"utility gives -?0\.5, and values are whole numbers unless .*, after \d",
    Row: r"result gives the number \d+ in 'black', which has more than 64 bits; keep it in several numbers, ",
    Truncated: r"result gives \d+\.5 in a field that is int; write // instead of /, (after \d|in the init)",
    OneKey: "key gives the same number to two positions in which (actions|is_terminal|utility) differs, ",
    Unfair: r"the utilities \[1, 1\] do not add up to zero; .*, after",
    Longer: "the game is longer than plies_left said, after",
    Costly: r"cost gives 0\.5, and values are whole numbers unless .*, in the initial state",
}


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch, tmp_path):
    """As in a new process with an empty cache."""
    monkeypatch.setattr(first_check, "_passed", set())
    monkeypatch.setattr(cache, "kept", lambda name: None)
    monkeypatch.setattr(cache, "keep", lambda name, body: None)


@pytest.mark.parametrize("gear", ["python", "native"])
@pytest.mark.parametrize("kind", REFUSED, ids=lambda kind: kind.__name__)
def test_rules_that_break_the_contract_are_not_searched(kind, gear):
    with pytest.raises(gambito.SearchError, match=f"cannot be searched: {REFUSED[kind]}"):
        gambito.search(kind(), gear=gear, seconds=0.1)


@pytest.mark.parametrize("kind", REFUSED, ids=lambda kind: kind.__name__)
def test_check_tells_the_same(kind):
    (told, *_) = gambito.check(kind(), games=4).problems
    with pytest.raises(gambito.SearchError) as refused:
        gambito.search(kind(), gear="python", nodes=10)
    assert refused.value.sentence.parts[1].template == told.template


def test_every_way_to_search_leads_through_it():
    for call in (
        lambda: gambito.solve(Halves()),
        lambda: gambito.trace(Halves(), algorithm="alpha-beta", depth=2),
        lambda: gambito.search(Halves(), Heap(0, 0)),
        lambda: Builder(Halves(), gear="python"),
        lambda: Match(Halves(), "engine:depth=2", "engine:depth=2", games=2).run(),
    ):
        with pytest.raises(gambito.GambitoError, match="values are whole numbers"):
            call()


def test_a_game_that_nothing_was_asked_about_is_not_remembered(monkeypatch):
    """On a busy machine the time may be over before a question."""
    monkeypatch.setattr(first_check, "PATIENCE", 1e-9)
    assert gambito.search(Forgetful(), gear="python", depth=2).depth == 2
    monkeypatch.undo()
    with pytest.raises(gambito.SearchError, match="for the same state"):
        gambito.search(Forgetful(), gear="python", depth=2)


def test_a_game_is_checked_once(monkeypatch):
    played = []
    monkeypatch.setattr(first_check.FirstCheck, "_play", lambda self: played.append(self) or Report("take"))
    for _ in range(2):
        gambito.search(Take(), gear="python", depth=2)
    assert len(played) == 1
    gambito.search(type("Take", (Take,), {"longest": 22})(), gear="python", depth=2)
    assert len(played) == 2


def test_it_can_be_left_out_and_built_in_games_are_not_checked(monkeypatch):
    monkeypatch.setattr(first_check.FirstCheck, "_play", None)
    gambito.search("tic-tac-toe", gear="python", depth=2)
    monkeypatch.setenv("GAMBITO_CHECK", "0")
    assert gambito.search(Halves(), gear="python", depth=2).value == 0


class Small(NamedTuple):
    count: np.int8
    mover: int


class Overflowing(Take):
    """NumPy adds eight bits to eight bits; compiled code has 64 for the sum."""

    def initial(self):
        return Small(np.int8(100), 0)

    def result(self, state, action):
        return Small(np.int8(int(state.count) + 1), 1 - state.mover)

    def actions(self, state):
        yield 1
        if state.count + np.int8(27) < 0:
            yield 2

    def is_terminal(self, state):
        return state.count >= 104

    def utility(self, state, player):
        return 1 if player != state.mover else -1


class OtherKey(Overflowing):
    def actions(self, state):
        yield 1

    def key(self, state):
        return 2 * (state.count + np.int8(27)) + state.mover


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (Overflowing, "actions differs between the gears, after 1"),
        (OtherKey, "key differs between the gears, in the initial state"),
    ],
)
def test_gears_that_differ_are_told_before_an_answer(kind, told):
    with pytest.raises(gambito.SearchError, match=f"cannot be searched: {told}"):
        gambito.search(kind(), algorithm="alpha-beta", gear="native", depth=9)
    if kind is OtherKey:  # the Python gear has no fault
        assert gambito.search(kind(), algorithm="alpha-beta", gear="python", depth=9).exact


class Slow(Take):
    """Its rules take longer than the whole check may take."""

    compiles = False

    def result(self, state, action):
        time.sleep(0.01)
        return super().result(state, action)


def test_slow_rules_are_asked_no_longer_than_others():
    game = Slow()
    began = time.perf_counter()
    first_check.first_check(game).rules()
    assert time.perf_counter() - began < first_check.PATIENCE + 0.2  # and the last state


class Heaps(Take):
    """How many may be taken is written in memory."""

    def __init__(self):
        self.most = Memory(np.array([3]))

    def actions(self, state):
        for taken in range(1, min(self.most[0], state.left) + 1):
            yield taken

    def result(self, state, action):
        if action > self.most[0]:
            raise ValueError
        return Heap(state.left - action, 1 - state.mover)


def test_what_the_rules_read_may_be_written_anew():
    """A game that was played before cannot be replayed then."""
    game = Heaps()
    checking = first_check.first_check(game)
    checking.rules()
    game.most.array[0] = 1
    checking.rules()
    checking.gears()


SEARCH = """
import json, sys, time
import gambito
from gambito.game import first_check
played = []
play = first_check.FirstCheck._play
first_check.FirstCheck._play = lambda self: played.append(1) or play(self)
found = gambito.search(sys.argv[1], algorithm="alpha-beta", depth=4, gear="python")
print(json.dumps([len(played), found.value]))
"""


def test_another_process_remembers_it(tmp_path):
    """By the contents of the file: a game that has changed is checked again."""
    text = "from typing import NamedTuple\nfrom gambito import Game\n"
    text += inspect.getsource(Heap) + inspect.getsource(Take)
    path = tmp_path / "take.py"

    def searched(text: str) -> list[int]:
        path.write_text(text)
        environment = {**os.environ, "GAMBITO_CACHE": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        done = run(sys.executable, "-c", SEARCH, f"{path}:Take", env=environment)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    assert searched(text) == [1, 0]
    assert searched(text) == [0, 0]
    assert searched(f"# a remark\n{text}") == [0, 0]
    assert searched(text.replace("min(3", "min(2")) == [1, 0]
