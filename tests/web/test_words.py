"""Sentences in Spanish: every sentence that the package can say has its translation."""

import ast
import re

import pytest

import gambito
from gambito.game.registry import game_classes
from gambito.players.levels import LEVELS
from gambito.players.running_game import seat
from gambito.search.algorithm import algorithms
from gambito.search.describe import describe_algorithm, describe_game
from gambito.web.catalogue import title
from gambito.web.words import catalogue, translate
from gambito.words.sentence import Sentence
from tests.templates import ERRORS, PACKAGE, calls, holes, templates

# Folders whose errors a client may meet.
SAYING = (
    "native", "boards", "game", "games", "search", "chance", "hidden", "many", "puzzle", "evaluate",
    "endgames", "players", "game_tools", "web",
)  # fmt: skip
TOLD = {"GameError", "PositionError", "SearchError", "PlayerError", "UnknownValue", "QuestionError",
        "EndgameError", "StaleTable", "CompileError", "Sentence", "Broken", "tell"}  # fmt: skip


def sentences() -> set[str]:
    """All that a client may be told, as templates."""
    errors = {
        text
        for folder in SAYING
        for path in (PACKAGE / folder).rglob("*.py")
        for text in templates(path, TOLD)
    }
    errors |= {seat(player) for player in range(6)}
    games = {name: gambito.load(name) for name in game_classes()}
    told = set()
    for name, game in games.items():
        described = describe_game(name, game)
        told |= {described["summary"], described["positions"], *game.sides, title(name, game)}
    for algorithm in algorithms().values():
        described = describe_algorithm(algorithm, {})
        told |= {described["summary"], *(option["about"] for option in described["options"])}
    return errors | told | {level.name for level in LEVELS}


def test_every_sentence_is_in_the_catalogue_and_nothing_else():
    assert set(catalogue("es")) == sentences() - SAME


SAME = {"X", "O", "MAX", "MIN"}  # the same in every language


def test_an_error_is_raised_with_a_template():
    """The values are separate from the template, because an f-string could not be looked up."""
    for path in PACKAGE.rglob("*.py"):
        for call in calls(path, ERRORS | {"Sentence"}):
            assert not isinstance(call.args[0], ast.JoinedStr | ast.BinOp), f"{path}:{call.lineno}"


@pytest.mark.parametrize("english", sorted(catalogue("es")))
def test_a_translation_has_the_same_holes(english):
    spanish = catalogue("es")[english]
    assert holes(english) == holes(spanish)
    assert spanish.strip() and re.search(r"\w", spanish)


def test_a_part_that_is_a_sentence_is_translated():
    game = gambito.load("tic-tac-toe")
    with pytest.raises(gambito.PositionError) as raised:
        game.read_game("1 1")
    assert str(raised.value) == "move 2: '1' is not a move here; accepted: 2, 3, 4, 5, 6, 7, 8, 9"
    assert translate(raised.value.sentence, "es") == (
        "jugada 2: '1' no es una jugada aquí; se acepta: 2, 3, 4, 5, 6, 7, 8, 9"
    )


def test_what_somebody_wrote_is_not_translated():
    said = Sentence("unknown game '{}'; accepted: {}", "a draw", "Go")
    assert translate(said, "es") == "juego desconocido 'a draw'; se acepta: Go"


def test_english_and_the_unknown_stay():
    assert translate("a draw", "en") == "a draw"
    assert translate("xyzzy", "es") == "xyzzy"
