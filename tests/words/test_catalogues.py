"""Every sentence that the product can print is in the catalogue of every other language, and nothing else."""

import ast
import errno
import json
import os
import re
from pathlib import Path

import pytest

from gambito import words
from gambito.words import LANGUAGES, catalogue
from tests.templates import ERRORS, PACKAGE, calls, holes
from tests.words.click_texts import click_texts
from tests.words.sentences import SAME, sentences

OTHERS = [name for name in LANGUAGES if name != "en"]
FOLDER = Path(words.__file__).parent
METAVARS = {
    "[OPTIONS]", "[COMMAND] [ARGS]...", "COMMAND [ARGS]...", "required", "INTEGER", "INTEGER RANGE", "FLOAT",
    "FLOAT RANGE", "TEXT", "PATH", "DIRECTORY",
}  # in the help of Click  # fmt: skip


def rooms(language: str) -> dict[str, dict[str, str]]:
    return {path.stem: json.loads(path.read_text()) for path in (FOLDER / language).glob("*.json")}


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_in_the_catalogue(language):
    assert sorted(sentences() - set(catalogue(language))) == []


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_else_is_in_the_catalogue(language):
    told, system = sentences(), {os.strerror(number) for number in errno.errorcode}
    known = {"click": click_texts() | METAVARS, "system": system}
    orphans = {name: sorted(set(held) - known.get(name, told)) for name, held in rooms(language).items()}
    assert {name: left for name, left in orphans.items() if left} == {}


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_has_two_translations(language):
    held = rooms(language)
    every = [template for room in held.values() for template in room]
    assert len(every) == len(set(every))


@pytest.mark.parametrize("language", OTHERS)
def test_a_catalogue_is_sorted(language):
    for name, held in rooms(language).items():
        assert list(held) == sorted(held), name


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_same_holes(language):
    for name, held in rooms(language).items():
        if name != "click":  # whose holes have names, and which may leave one out
            for english, other in held.items():
                assert holes(english) == holes(other), english
                assert re.search(r"\w|%|▶|·", other), english


@pytest.mark.parametrize("language", OTHERS)
def test_spaces_around_a_sentence_stay(language):
    for held in rooms(language).values():
        for english, other in held.items():
            assert ends(english) == ends(other), english


def ends(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]


def test_a_sentence_is_made_with_a_template():
    """The values are separate from the template, because an f-string could not be looked up."""
    for path in set(PACKAGE.rglob("*.py")) - {PACKAGE / "words" / "__init__.py"}:
        for call in calls(path, ERRORS | {"Sentence", "say"}):
            if isinstance(call.func, ast.Attribute) and call.func.attr == "say":
                continue  # of a screen
            assert not isinstance(call.args[0], ast.JoinedStr | ast.BinOp), f"{path}:{call.lineno}"


def test_what_is_the_same_everywhere_is_in_no_catalogue():
    assert not SAME & {
        template for language in OTHERS for room in rooms(language).values() for template in room
    }
