"""The contract: its defaults, and any object with the six rules taken for a game."""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass

import numpy as np
import pytest

import gambito
from gambito import CHANCE, Game, PositionError, mix
from gambito.game.compiled import python_only, returned, yielded
from gambito.game.contract import GROUPS, RULES, adapt, game_name
from gambito.game.puzzle import Puzzle
from gambito.native import kinds


class Take(Game):
    """Take one or two; who takes the last one wins."""

    def __init__(self, heap: int = 5, quick: bool = False):
        self.heap, self.quick = heap, quick

    def initial(self):
        return 2 * self.heap

    def player(self, state):
        return state & 1

    def actions(self, state):
        for taken in range(1, 3):
            if taken <= state >> 1:
                yield taken

    def result(self, state, action):
        return (state - 2 * action) ^ 1

    def is_terminal(self, state):
        return state >> 1 == 0

    def utility(self, state, player):
        return -1 if player == state & 1 else 1


def test_the_neutral_defaults():
    game, state = Take(), 10
    assert game.evaluate(state, 0) == 0
    assert game.key(state) == mix(state)
    assert game.priority(state, 1) == 0
    assert list(game.noisy(state)) == []
    assert game.pass_turn(state) == state
    assert list(game.chances(state)) == []
    assert game.stage(state) == 0
    assert game.bounds(state) == (-1, 1)
    assert game.repetition(state, 0) == 0
    assert list(game.symmetries(state)) == []
    assert game.observe(state, 0) == state and game.imagine(state, 0, None) == state
    assert game.banked(state, 0) == 0
    assert game.show(state) == "10" and game.text(state) == "" and game.caption(state) == ""
    assert game.at(state) is game
    for write in (game.collect, game.worthwhile):
        buffer = np.zeros(4, np.int64)
        assert write(state, buffer, 1) == 3 and buffer.tolist() == [0, 1, 2, 0]


class Tabled(Take):
    """A game with a table that takes long to make."""

    def prepare(self):
        self.made = getattr(self, "made", 0) + 1 if "made" in vars(self) else 1
        self.table = [self.made, self.other_table] if self.heap == 0 else [self.made]

    def evaluate(self, state, player):
        return self.table[0]


def test_what_furnish_makes_is_made_when_a_rule_reads_it():
    game = Tabled()
    assert "table" not in vars(game)
    assert game.evaluate(10, 0) == 1 and game.evaluate(10, 1) == 1
    with pytest.raises(AttributeError, match="'Tabled' object has no attribute 'chair'"):
        game.chair  # noqa: B018
    with pytest.raises(AttributeError, match="other_table"):
        Tabled(0).evaluate(10, 0)


def test_the_traits_of_a_game_that_says_nothing():
    game = Take()
    assert (game.players, game.zero_sum, game.chance, game.hidden, game.cycles) == (
        2,
        True,
        False,
        False,
        False,
    )
    assert (game.value, game.lowest, game.highest, game.step) == (int, -1, 1, 1)
    assert game.longest is game.most_actions is game.usual_depth is None
    assert CHANCE == -1


def test_infinity_is_that_of_the_values():
    class Fractions(Take):
        value = float

    class Counted(Fractions):
        infinity = 7.0

    assert Take.infinity > 1 << 30 and isinstance(Take.infinity, int)
    assert Fractions.infinity == math.inf
    assert Counted.infinity == 7.0


@pytest.mark.parametrize("rule", RULES)
def test_a_missing_rule_names_itself(rule):
    args = {"initial": (), "result": (0, 0), "utility": (0, 0)}.get(rule, (0,))
    with pytest.raises(NotImplementedError, match=f"Game has no rule '{rule}'"):
        getattr(Game(), rule)(*args)


def test_moves_are_read_and_written():
    game = Take()
    assert game.write(10, 2) == "2"
    assert game.read(10, " 2 ") == 2
    assert game.parse("1 2, 1") == 3
    assert game.legal(10) == [1, 2] and game.legal(1) == []
    with pytest.raises(PositionError, match="'3' is not a move here; accepted: 1, 2"):
        game.parse("1 3")
    with pytest.raises(PositionError, match="accepted: none, the game is over"):
        game.read(1, "1")


def test_names_and_labels():
    class MyGame2D(Take):
        pass

    class Named(Take):
        name = "my-name"

    class Heir(Named):
        pass

    assert [game_name(k) for k in (Take, MyGame2D, Named, Heir)] == ["take", "my-game2-d", "my-name", "heir"]
    assert Take().label() == "take"
    assert Take(7).label() == "take:heap=7"
    assert Take(7, True).label() == "take:heap=7,quick=True"
    assert Take(7).parameters() == {"heap": 7, "quick": False}


# ---- the groups ------------------------------------------------------------------------------------------


def public(kind: type) -> set[str]:
    return {n for n in {*vars(kind), *vars(kind).get("__annotations__", {})} if not n.startswith("_")}


def test_every_name_of_the_contract_is_in_one_group():
    assert set(GROUPS) == set(Game.__mro__) - {Game, object}
    named = [name for group in GROUPS for name in public(group)]
    assert len(named) == len(set(named))
    assert not public(Game)
    assert [n for n, held in vars(GROUPS[0]).items() if inspect.isfunction(held)] == list(RULES)


def test_every_rule_says_what_it_takes_and_gives():
    """The compiler reads the annotations, and a page the docstrings."""
    for kind in (*GROUPS, Puzzle):
        for name, held in vars(kind).items():
            if inspect.isfunction(held) and not name.startswith("_"):
                code = held.__code__
                taken = code.co_varnames[1 : code.co_argcount]
                assert set(held.__annotations__) == {*taken, "return"}, name
                assert kind is Puzzle or held.__doc__, name


def test_what_is_compiled_follows_from_the_annotations():
    state, value = kinds.Tuple((kinds.uint64, kinds.int64)), kinds.float64
    given, each = returned(state, value), yielded(state, value)
    assert given["player"] == kinds.int64 and given["is_terminal"] == kinds.boolean
    assert given["result"] == state and given["utility"] == value and given["key"] == kinds.uint64
    assert given["bounds"] == kinds.Tuple([value] * 2)
    assert given["playout"] == kinds.Tuple((state, kinds.int64))
    assert each == {"actions": kinds.int64, "noisy": kinds.int64, "symmetries": state, "unmoves": state}
    stays = python_only()
    assert {"show", "parse", "touch", "prepare", "slice_names", "expectation", "sides", "recipe"} <= stays
    assert given["observe"] == state and given["imagine"] == state
    assert not stays & {*given, *each, *RULES, "chances", "observe", "imagine", "lowest", "chance"}


# ---- adapt -----------------------------------------------------------------------------------------------


class Plain:
    """The six rules, and no base."""

    name = "plain-one"
    lowest = -3

    def __init__(self, heap: int = 5):
        self.heap = heap

    initial, player, actions = Take.initial, Take.player, Take.actions
    result, is_terminal, utility = Take.result, Take.is_terminal, Take.utility


def test_any_object_with_the_six_rules_is_a_game():
    game = adapt(Plain(6))
    assert isinstance(game, Game) and isinstance(game, Plain)
    assert (game.heap, game.lowest, game.highest) == (6, -3, 1)
    assert game.label() == "plain-one:heap=6"
    assert game.evaluate(12, 0) == 0
    assert gambito.perft(game, depth=4, gear="native") == gambito.perft(game, depth=4, gear="python")


def test_a_class_is_made_and_a_game_stays_what_it_is():
    game = Take()
    assert adapt(game) is game
    assert adapt(Take).heap == 5
    assert isinstance(adapt(Plain), Plain)


def test_what_is_no_game_says_what_it_lacks():
    class Half:
        initial, player = Take.initial, Take.player

    with pytest.raises(
        TypeError, match="Half is not a game: it has no rule actions, result, is_terminal, utility"
    ):
        adapt(Half())


@dataclass
class Made:
    """A dataclass has no hash; a game needs none."""

    heap: int = 4

    initial, player, actions = Take.initial, Take.player, Take.actions
    result, is_terminal, utility = Take.result, Take.is_terminal, Take.utility


def test_a_dataclass_may_be_a_game():
    assert gambito.search(Made(), depth=4, gear="native").value == 1
    assert gambito.search(Made(3), depth=4, gear="python").value == -1
