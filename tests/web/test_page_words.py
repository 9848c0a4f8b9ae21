"""Every text of the page stands in the catalogue of every other language, and nothing else does."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import gambito
from gambito.draw.boxes import SENTENCES as BOX_SENTENCES
from gambito.hidden.recorder import SENTENCES as LEARNING_SENTENCES
from gambito.hidden.recorder import TITLES as LEARNING_TITLES
from gambito.puzzle.recorder import SENTENCES as PUZZLE_SENTENCES
from gambito.puzzle.recorder import TITLES
from gambito.search.trace.recorder import SENTENCES
from gambito.search.trace.recorder import TITLES as OPTIMISATION_TITLES
from gambito.search.trace.simulations import SENTENCES as SIMULATION_SENTENCES
from gambito.search.trace.simulations import TITLES as SIMULATION_TITLES

PAGE = Path(gambito.__file__).with_name("web") / "page"
CALL = re.compile(r"""(?<![\w.$])t\(\s*("(?:[^"\\]|\\.)*")""")
ANY_CALL = re.compile(r"""(?<![\w.$])t\((?!\s*")""")
ATTRIBUTE = re.compile(r'data-t(?:-title|-label)?="([^"]*)"')
FACTS = {
    "average",
    "bound",
    "mean",
    "policy",
    "reach",
    "regret",
    "visits",
    "votes",
}  # of nodes, by name; single letters are the same in every language
HOLE = re.compile(r"\{(\d)(?::the)?\}")  # `{0:one|many}` may come besides


def texts() -> set[str]:
    found = set(ATTRIBUTE.findall((PAGE / "index.html").read_text(encoding="utf-8")))
    for script in PAGE.rglob("*.js"):
        found |= {json.loads(literal) for literal in CALL.findall(script.read_text(encoding="utf-8"))}
    sentences = {*SENTENCES.values(), *PUZZLE_SENTENCES.values(), *SIMULATION_SENTENCES.values()}
    sentences |= {*LEARNING_SENTENCES.values(), *BOX_SENTENCES.values()}
    titles = {*TITLES.values(), *SIMULATION_TITLES.values(), *LEARNING_TITLES.values()}
    titles |= {*OPTIMISATION_TITLES.values()}
    return found | FACTS | sentences | titles


@pytest.mark.parametrize("language", ["es"])
def test_a_catalogue_holds_all_texts_and_no_other(language):
    catalogue = json.loads((PAGE / "words" / f"{language}.json").read_text(encoding="utf-8"))
    assert sorted(texts() - set(catalogue)) == []
    assert sorted(set(catalogue) - texts()) == []


@pytest.mark.parametrize("language", ["es"])
def test_translations_keep_what_is_to_be_filled_in(language):
    catalogue = json.loads((PAGE / "words" / f"{language}.json").read_text(encoding="utf-8"))
    for english, other in catalogue.items():
        assert other.strip(), english
        assert sorted(HOLE.findall(english)) == sorted(HOLE.findall(other)), english


@pytest.mark.parametrize("language", ["es"])
def test_a_catalogue_is_sorted(language):
    catalogue = json.loads((PAGE / "words" / f"{language}.json").read_text(encoding="utf-8"))
    assert list(catalogue) == sorted(catalogue)


def test_texts_are_literals():
    for script in PAGE.rglob("*.js"):
        calls = ANY_CALL.findall(re.sub(r"(?m)^export const t = .*$", "", script.read_text(encoding="utf-8")))
        assert not calls or script.name == "words.js", script.name
