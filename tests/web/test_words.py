"""Sentences in Spanish: every sentence that the package can say has its translation."""

import ast
import re
from pathlib import Path

import pytest

import gambito
from gambito.game.registry import game_classes
from gambito.players.levels import LEVELS
from gambito.search.algorithm import algorithms
from gambito.search.describe import describe_algorithm, describe_game
from gambito.web.catalogue import title
from gambito.web.words import catalogue, translate
from gambito.words import HOLE

PACKAGE = Path(gambito.__file__).parent
# Folders whose errors a client may meet.
SAYING = ("game", "games", "search", "chance", "puzzle", "evaluate", "endgames", "players", "web")
ERRORS = ("GameError", "PositionError", "SearchError", "PlayerError", "UnknownValue", "QuestionError",
          "EndgameError")  # fmt: skip
REASONS = ("misfit", "refuses", "_refuses", "verdict", "side", "_system_words")


def template(node: ast.expr) -> str | None:
    """The sentence that an expression makes, with holes where it is filled in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else HOLE for part in node.values]
        return "".join(parts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = template(node.left), template(node.right)
        return None if left is None or right is None else left + right
    return None


def said_by(path: Path) -> list[str]:
    """What a file raises, and what its functions of reasons return."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute) and node.args:
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            found.append(template(node.args[0]) if name in ERRORS else None)
        if isinstance(node, ast.FunctionDef) and node.name in REASONS:
            returned = [part.value for part in ast.walk(node) if isinstance(part, ast.Return) and part.value]
            found += [template(value) for value in returned]
    return [text for text in found if text is not None and text.replace(HOLE, "").strip(": +")]


def sentences() -> set[str]:
    """All that a client may be told, as templates."""
    errors = {
        text for folder in SAYING for path in (PACKAGE / folder).rglob("*.py") for text in said_by(path)
    }
    games = {name: gambito.load(name) for name in game_classes()}
    told = set()
    for name, game in games.items():
        described = describe_game(name, game)
        told |= {described["summary"], described["positions"], *game.sides, title(name, game)}
    for algorithm in algorithms().values():
        described = describe_algorithm(algorithm, {})
        told |= {described["summary"], *(option["about"] for option in described["options"])}
    return errors | told | {level.name for level in LEVELS}


def test_every_sentence_is_in_the_catalogue():
    missing = sorted(text for text in sentences() if text not in catalogue("es") and text not in SAME)
    assert not missing, "\n".join(missing)


SAME = {"X", "O", "MAX", "MIN"}  # the same in every language


@pytest.mark.parametrize("english", sorted(catalogue("es")))
def test_a_translation_has_the_same_holes(english):
    spanish = catalogue("es")[english]
    assert english.count(HOLE) == spanish.count(HOLE)
    assert spanish.strip() and re.search(r"\w", spanish)


def test_what_fills_a_hole_is_translated_where_it_is_a_sentence():
    assert translate("move 3: '9' is not a move here; accepted: 1, 2", "es") == (
        "jugada 3: '9' no es una jugada aquí; se acepta: 1, 2"
    )


def test_english_and_the_unknown_stay():
    assert translate("a draw", "en") == "a draw"
    assert translate("xyzzy", "es") == "xyzzy"
