"""The pages: whole in both languages, each in its place, and every example on them runs."""

import contextlib
import importlib.util
import os
import re
import shlex
import sys
import tomllib
from pathlib import Path

import click
import pytest

from gambito.cli.main import cli
from gambito.exercises.course import COURSE as EXERCISES
from gambito.players import read_player
from gambito.players.experiments import read_plan
from gambito.words import LANGUAGES
from tests import support
from tests.docs.pages import DOCS, ROOT, code_of, examples, pages

ENGLISH = [page for page in pages("en") if examples(page)]
PATIENCE = 300


def names(language: str) -> set[str]:
    return {str(page.relative_to(DOCS / language).with_suffix("")) for page in pages(language)}


def short(page: Path) -> str:
    return str(page.relative_to(ROOT))


def test_every_page_is_there_in_both_languages():
    assert names("en") == names("es")


def test_every_page_has_its_place_in_the_course():
    spec = importlib.util.spec_from_file_location("course", DOCS / "course.py")
    course = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(course)
    listed = [page for _, held in course.COURSE for page in held]
    assert len(listed) == len(set(listed))
    assert set(listed) == {name for name in names("en") if not name.startswith("games/")}


@pytest.mark.parametrize("page", pages("es"), ids=short)
def test_the_spanish_page_has_the_same_examples(page):
    english = DOCS / "en" / page.relative_to(DOCS / "es")
    assert [code_of(e) for e in examples(page)] == [code_of(e) for e in examples(english)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_name_exercises_that_there_are(language):
    known = {exercise.name for exercise in EXERCISES}
    for page in pages(language):
        text = page.read_text()
        named = re.findall(r"gambito exercise (?:check|show|start) ([a-z0-9-]+)(?![\w.:-])", text)
        assert not set(named) - known, short(page)
        assert not set(re.findall(r"`gambito exercise ([a-z0-9-]+)", text)) & known, short(page)


@pytest.fixture
def shell(tmp_path):
    """A folder in which `gambito` is a command and the documents lie where they do in a checkout."""
    command = tmp_path / "bin" / "gambito"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gambito "$@"\n')
    command.chmod(0o755)
    work = tmp_path / "work"
    work.mkdir()
    (work / "docs").symlink_to(DOCS)
    paths = {
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "GAMBITO_TABLES": f"{tmp_path}/tables",
    }
    environment = {**os.environ, **paths}

    def run(*words: str) -> None:
        done = support.run(*words, cwd=work, env=environment, seconds=PATIENCE)
        refused = (1,) if " check " in words[-1] else ()  # a check that finds something
        assert done.returncode in (0, *refused), f"{words[-1]}\n{done.stdout}\n{done.stderr}"

    return work, run


@pytest.mark.slow
@pytest.mark.parametrize("page", [ROOT / "README.md", *ENGLISH], ids=short)
def test_the_examples_run(page, shell):
    work, run = shell
    script = ""
    for example in examples(page):
        if example.kind == "file":
            (work / example.name).parent.mkdir(exist_ok=True)
            (work / example.name).write_text(example.text, encoding="utf-8")
        elif example.kind == "python":
            script += example.text if not example.is_long else ""
            compile(example.text, short(page), "exec")
        elif example.is_long:
            parse(example.text)
        else:
            run("bash", "-c", example.text)
    if script:
        run(sys.executable, "-c", script)


def test_the_guide_builds_the_example():
    """What the guide's reader types is what stands in docs/examples, but for the scale of its scores."""
    guide = next(e.text for e in examples(DOCS / "en" / "your-own-game.md") if e.kind == "file")
    whole = (DOCS / "examples" / "domineering.py").read_text()
    for part in re.split(r"\n(?=    def |class |def )", guide)[1:]:
        assert part.strip() in whole or "utility" in part or "class Domineering" in part


@pytest.mark.parametrize("language", LANGUAGES)
def test_algorithms_of_ones_own_are_the_examples(language):
    held = {e.name: e.text for e in examples(DOCS / language / "own-algorithm.md") if e.kind == "file"}
    for name in ("my_search.py", "min_max.py"):
        assert held[name] == (DOCS / "examples" / name).read_text()


def parse(command: str) -> None:
    """A command that takes long, read as the program reads it, with the players of a match."""
    words = shlex.split(command, comments=True)[1:]
    held = cli
    while words and hasattr(held, "get_command") and held.get_command(None, words[0]):
        held = held.get_command(None, words.pop(0))
    with contextlib.suppress(click.exceptions.Exit):  # --version
        given = held.make_context("gambito", words).params
        for player in (given["first"], given["second"], *given["more"]) if held.name == "match" else ():
            if not re.search(r"\.(?:book|eval|net|py|strategy)\b", player):  # a file that a reader makes
                read_player(player)


@pytest.mark.parametrize("language", LANGUAGES)
def test_examples_can_be_read(language):
    for page in pages(language):
        for example in examples(page):
            if example.name.endswith(".toml"):
                read_plan(tomllib.loads(example.text))
            elif example.kind != "commands":
                compile(example.text, short(page), "exec")
            else:
                parse(example.text.partition(" | ")[0].partition(" > ")[0])
