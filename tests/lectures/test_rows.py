"""Every row of the lectures is proved by a test; every slide has its link, command, lesson and picture."""

import importlib
import re
import shlex
import sys
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from gambito.cli.main import cli
from tests.lectures.proofs import DOCS, PROVED, asked
from tests.lectures.rows import MORE, ROWS

sys.path.insert(0, str(DOCS))
from makers.lectures import ADDRESS, address, lectures

MODULES = ("test_3_3", "test_s4", "test_a6", "test_3_2", "test_c29")
SLIDES = [(lecture["name"], slide) for lecture in lectures() for slide in lecture["slide"]]
NAMES = [f"{lecture} {slide['en']}" for lecture, slide in SLIDES]
MENU = (DOCS.parent / "src" / "gambito" / "web" / "page" / "presets.js").read_text(encoding="utf-8")


def rows(of):
    return {(lecture, item) for lecture, items in of.items() for item in items}


def test_all_rows_are_there():
    assert sum(map(len, ROWS.values())) == 231 == len(rows(ROWS))
    assert rows(MORE) and not rows(MORE) & rows(ROWS)


def test_every_row_is_proved_by_a_test_and_no_other_row_is_named():
    for name in MODULES:
        importlib.import_module(f"tests.lectures.{name}")
    assert set(PROVED) == rows(ROWS) | rows(MORE)
    for proofs in PROVED.values():
        for proof in proofs:
            module, _, test = proof.rpartition(".")
            assert test.startswith("test_") and callable(getattr(importlib.import_module(module), test))


# ---- the slides of the page "The five lectures" ------------------------------------------------------
def test_every_lecture_has_its_slides():
    assert [lecture["name"] for lecture in lectures()] == list(ROWS)
    assert all(len(lecture["slide"]) > 8 for lecture in lectures())


@pytest.mark.parametrize(("lecture", "slide"), SLIDES, ids=NAMES)
def test_the_lesson_and_the_picture_of_a_slide_are_there(lecture, slide):
    for language in ("en", "es"):
        text = (DOCS / language / f"{slide['page']}.md").read_text(encoding="utf-8")
        if "section" in slide:
            heads = {slug(head) for head in re.findall(r"^##+ (.+)$", text, re.MULTILINE)}
            assert slide["section"][language] in heads
        assert (DOCS / language / "pictures" / f"{slide['picture']}.svg").exists()
        shown = (DOCS / language / "lectures.md").read_text(encoding="utf-8")
        assert slide[language] in shown and f"`{slide['command']}`" in shown
        assert f"]({address(slide['link'])})" in shown and f"](pictures/{slide['picture']}.svg)" in shown


def slug(head: str) -> str:
    plain = head.lower().translate(str.maketrans("áéíóúñü", "aeiounu"))
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", plain)).strip("-")


@pytest.mark.parametrize(("lecture", "slide"), SLIDES, ids=NAMES)
def test_the_command_of_a_slide_is_one(lecture, slide):
    """It is read to its end: names, options and their values are known."""
    words = shlex.split(slide["command"])
    assert words[0] == "gambito"
    found, context = cli, cli.make_context("gambito", [], resilient_parsing=True)
    rest = words[1:]
    while hasattr(found, "commands"):
        found = found.get_command(context, rest.pop(0))
    assert found is not None
    with found.make_context(found.name, list(rest)):
        pass


@pytest.mark.slow
@pytest.mark.parametrize(("lecture", "slide"), SLIDES, ids=NAMES)
def test_the_command_of_a_slide_runs(lecture, slide, tmp_path, monkeypatch):
    monkeypatch.setenv("GAMBITO_TABLES", tempfile.mkdtemp())
    words = [
        str(tmp_path / word) if word.endswith(".book") else word for word in shlex.split(slide["command"])
    ]
    words = [str(DOCS.parent / word) if word.startswith("docs/") else word for word in words]
    done = CliRunner().invoke(cli, words[1:])
    assert done.exit_code == (1 if slide["en"] == "Consistency" else 0), done.output


@pytest.mark.parametrize(
    ("lecture", "slide"),
    [(lecture, one) for lecture, one in SLIDES if "tree" in one],
    ids=lambda one: str(one)[:40],
)
def test_the_tree_of_a_slide_is_shown_by_its_algorithm(lecture, slide):
    """As Watch asks for it: the algorithm is offered at this position, and the search is recorded."""
    link = slide["link"]
    for text in filter(None, (link["a"], link.get("b"))):
        name, _, options = text.partition(":")
        assert name in asked("about", game="tree", start=link["start"])["algorithms"]
        given = dict(word.split("=", 1) for word in options.split(",") if word)
        question = {"game": "tree", "start": link["start"], "moves": [], "algorithm": name, "options": given}
        question |= {"depth": link["depth"]} if "depth" in link else {}
        assert asked("trace", **question)["record"]["visited"] > 0


@pytest.mark.parametrize(("lecture", "slide"), SLIDES, ids=NAMES)
def test_the_position_of_a_slide_can_be_opened(lecture, slide):
    """Every link: the page knows the game, the position, and that the algorithm fits it."""
    link = slide["link"]
    told = asked("about", game=link["game"], start=link.get("start", ""))
    named = [text.partition(":")[0] for text in (link.get("a"), link.get("b")) if text]
    assert set(named) <= set(told["algorithms"])


def test_the_trees_of_the_slides_are_among_the_examples_of_watch():
    menu = re.sub(r"',\s*'", "", MENU)  # a long tree is written in parts
    starts = {slide["link"]["start"] for _, slide in SLIDES if "tree" in slide}
    assert [start for start in starts if start not in menu] == []


@pytest.mark.page
@pytest.mark.parametrize("name", list(ROWS))
def test_two_slides_of_each_lecture_are_given_from_the_page(name, new_page):
    """The link opens, the search is there in Spanish, it can be stepped through, and nothing complains."""
    watched = [slide for lecture, slide in SLIDES if lecture == name and "a" in slide.get("link", {})]
    for slide in (watched[0], watched[-1]):
        page = new_page(address(slide["link"]).removeprefix(ADDRESS), locale="es-ES")
        page.wait_for_function("() => document.querySelector('g-watch')?.active?.trace")
        assert page.locator(".misfit:visible").count() == 0
        page.get_by_text("Pseudocódigo").first.wait_for()
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.querySelector('g-watch').active.at === 1")


def test_the_folder_of_the_sources_has_the_examples():
    assert all(Path(DOCS / "examples" / name).exists() for name in ("doomed_bishop.py", "relaxed_tiles.py"))
