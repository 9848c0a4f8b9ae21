"""The names of the contract: an author's attribute that means something else is told at the door."""

from __future__ import annotations

import inspect
import re
from typing import get_type_hints

import pytest

import gambito
from gambito import Game, GameError, Puzzle
from gambito.game.names import contract_rules
from gambito.game.registry import game_classes
from tests.game.test_contract import Take

RULES = sorted(contract_rules(Game))
FREE = {"form", "network", "weights"}  # traits that may be anything
TRAITS = sorted(set(get_type_hints(Game)) - FREE)


class Nothing:
    """What no rule and no trait is."""


def named(name: str, held: object) -> Game:
    game = Take()
    vars(game)[name] = held
    return game


def refused(game: object) -> str:
    """The sentence of `load`; `check` and `search` say the same."""
    with pytest.raises(GameError) as raised:
        gambito.load(game)
    assert gambito.check(game).problems[0] == str(raised.value)
    with pytest.raises(GameError, match=re.escape(str(raised.value))):
        gambito.search(game, depth=1)
    return str(raised.value)


def test_every_name_of_the_contract_is_known():
    public = {name for name in dir(Game) if not name.startswith("_")}
    assert public | {"weights"} == {*RULES, *TRAITS, *FREE}


@pytest.mark.parametrize("name", RULES)
def test_a_number_in_place_of_a_rule_is_told(name):
    said = f"'{name}' is the name of a rule of Gambito, but in Take it is of type int; call it 'my_{name}'"
    assert refused(named(name, 3)) == said
    other = type("Take", (Take,), {name: 3})
    if name not in ("initial", "player", "actions", "result", "is_terminal", "utility"):
        assert refused(other()) == said


@pytest.mark.parametrize("name", TRAITS)
def test_another_thing_in_place_of_a_trait_is_told(name):
    said = refused(named(name, Nothing()))
    assert re.fullmatch(
        rf"'{name}' is the name of a trait of Gambito, which is .+, but in Take it is of type Nothing; "
        rf"call yours 'my_{name}'",
        said,
    )
    assert refused(type("Take", (Take,), {name: Nothing()})()) == said


@pytest.mark.parametrize(
    ("name", "held", "words"),
    [
        ("players", ("A", "B"), "which is a whole number, but in Take it is of type tuple"),
        ("players", True, "which is a whole number"),
        ("value", 5, "which is int or float, but in Take it is of type int"),
        ("label", "my game", "a rule of Gambito, but in Take it is of type str"),
        ("turn", 0, "a rule of Gambito"),
        ("count", 0, "a rule of Gambito"),
        ("chance", 0.5, "which is true or false"),
        ("sides", 2, "which is a tuple"),
        ("lowest", "none", "which is a number"),
    ],
)
def test_the_names_that_authors_use(name, held, words):
    assert words in refused(named(name, held))


def test_a_helper_with_the_name_of_a_rule_and_other_parameters_is_told():
    def gain(self, state):
        return 1

    other = type("Take", (Take,), {"gain": gain})
    said = (
        "'gain' is the name of a rule of Gambito, which takes (state, action), but in Take it takes (state); "
    )
    line = gain.__code__.co_firstlineno
    assert refused(other()) == said + f"call it 'my_gain' (test_names.py, line {line})"


def test_functions_and_values_that_fit_are_accepted():
    game = named("evaluate", lambda state, player: 0)
    vars(game).update(longest=12, players=2, most_actions=None, title="Take!", own=Nothing())
    assert gambito.load(game) is game
    more = type("Take", (Take,), {"evaluate": lambda self, state, player, depth=0: 0, "longest": 5})
    assert gambito.load(more())


def test_a_game_may_use_the_names_that_only_puzzles_have():
    only = set(contract_rules(Puzzle)) - set(contract_rules(Game))
    assert {"goal", "cost", "estimate"} <= only

    class Fair(Take):
        def __init__(self):
            super().__init__()
            self.goal, self.size = 3, "large"

        def cost(self, state):
            return 0.5

        def evaluate(self, state, player):
            return int(self.cost(state) * 2) - 1  # 0, unless the cost was cast to an int

    report = gambito.check(Fair())
    assert report.ok and report.native, report.problems


def test_the_built_in_games_keep_to_it():
    for name, kind in game_classes().items():
        assert gambito.load(name), kind
    assert all(inspect.isfunction(getattr(Game, name)) for name in RULES)


def test_a_file_with_such_a_name_is_told_by_the_command(tmp_path):
    rules = tmp_path / "rules.py"
    text = "from gambito.games.tic_tac_toe import TicTacToe\nclass Mine(TicTacToe):\n    turn = 3\n"
    rules.write_text(text)
    with pytest.raises(GameError, match="'turn' is the name of a rule of Gambito"):
        gambito.load(f"{rules}:Mine")
