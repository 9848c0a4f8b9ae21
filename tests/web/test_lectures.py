"""The pseudo-code of the Watch page is that of the documentation, and its marks fit what searches do."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import gambito
from gambito.search.algorithm import algorithms

ROOT = Path(__file__).parents[2]
LECTURES = Path(gambito.__file__).with_name("web") / "page" / "lectures"
GAMES = {
    "mcts": "tic-tac-toe",
    "expectimax": "pig-turn:target=6",
    "cfr": "kuhn-poker",
    "ismcts": "kuhn-poker",
    "pimc": "kuhn-poker",
    "paranoid": "tic-tac-toe-3:size=3",
    "best-reply": "tic-tac-toe-3:size=3",
}
POSITIONS = {"pimc": "K?"}
PUZZLES = ("a-star", "ida-star", "uniform-cost", "greedy-best-first", "weighted-a-star")
CHANCE = ("expectiminimax", "star1", "star2")


def test_the_files_are_up_to_date():
    command = [sys.executable, str(ROOT / "tools" / "lectures.py"), "--check"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("language", ["en", "es"])
def test_lectures_are_of_algorithms_and_their_marks_are_lines(language):
    lectures = json.loads((LECTURES / f"{language}.json").read_text(encoding="utf-8"))
    assert {called(name)[0] for name in lectures} <= set(algorithms())
    for lecture in lectures.values():
        lines = lecture["code"].splitlines()
        marks = [
            m for mark in lecture["marks"].values() for m in (mark if isinstance(mark, list) else [mark])
        ]
        assert all(0 <= line < len(lines) and lines[line].strip() for line in marks)


def called(name):
    """The algorithm of a lecture, and the options that it is for."""
    plain, _, option = name.removesuffix("+").partition(":")
    return plain, dict([option.split("=")]) if option else {}


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_margin_of_a_lecture_names_options(language):
    lecture = json.loads((LECTURES / f"{language}.json").read_text(encoding="utf-8"))["alpha-beta+"]
    options = {option.name for option in algorithms()["alpha-beta"].options}
    margins = {line[: lecture["margin"]].strip() for line in lecture["code"].splitlines()}
    assert margins - {""} == {"order", "history", "killers", "null_move", "table", "probcut"}
    assert margins - {""} <= options


def test_every_optimisation_has_its_line():
    """Each kind of step of an optimisation is marked by a line of that option."""
    lecture = json.loads((LECTURES / "en.json").read_text(encoding="utf-8"))["alpha-beta+"]
    lines = lecture["code"].splitlines()
    options = {"pass": "null_move", "pass cut": "null_move", "credit": "history", "kill": "killers"}
    options |= {"note": "table"} | dict.fromkeys(("fail high", "fail low", "fail high cut"), "probcut")
    for kind, option in options.items():
        assert lines[lecture["marks"][kind]].startswith(option)
    assert [lines[mark].split()[0] for mark in lecture["marks"]["order"]] == ["killers", "history", "order"]


@pytest.mark.parametrize("name", sorted(json.loads((LECTURES / "en.json").read_text(encoding="utf-8"))))
def test_every_kind_of_step_that_is_marked_happens(name):
    marks = json.loads((LECTURES / "en.json").read_text(encoding="utf-8"))[name]["marks"]
    name, options = called(name)
    game = GAMES.get(name) or ("graph" if algorithms()[name].misfit(gambito.load("tree")) else "tree")
    if name in CHANCE:
        game = "nannon"
    depth = {"nannon": 2, "tic-tac-toe": None, "graph": None}.get(game, 3)
    record = gambito.trace(game, POSITIONS.get(name), name, depth, **options)
    assert {step.kind for step in record.steps} & {mark.split()[0] for mark in marks}


def test_outcomes_of_chance_have_their_probability():
    record = gambito.trace("nannon", None, "expectiminimax", 2)
    for node in record.nodes:
        shares = [record.nodes[child].chance for child in node.children]
        if node.player == gambito.CHANCE and shares:
            assert sum(shares) == pytest.approx(1.0)
        else:
            assert shares == [None] * len(shares)


def test_children_stand_in_the_order_of_actions():
    record = gambito.trace("tic-tac-toe", None, "mcts", seed=3)
    for node in record.nodes:
        moves = [int(record.nodes[child].action) for child in node.children]
        assert moves == sorted(moves)
