"""Every sentence that exercises can say, as templates, read from the exercises and the source."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from gambito.exercises.course import COURSE
from tests.templates import PACKAGE, calls, templates

SOURCES = [*sorted((PACKAGE / "exercises").glob("*.py")), PACKAGE / "cli" / "exercise.py"]
SOURCES += [PACKAGE / "native" / "process.py"]  # how the process of a check ended
LABELS = ("reason", "line", "position", "given", "returned", "correct", "looks like", "printed")
LABELS += ("checked", "hint", "lesson", "right", "not right yet")


def said_by(path: Path) -> set[str]:
    """What a file gives as the reason of a `Wrong`, and what it asks to be translated."""
    said = templates(path, {"Sentence", "Wrong", "_bound", "_silent", "translate", "TooManySteps"})
    for node in calls(path, {"wrong_type"}):
        if isinstance(node.args[1], ast.Constant):
            said.add(node.args[1].value)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            is_named = node.targets[0].id in ("reason", "UNCHANGED", "NUMBER")
            if is_named and isinstance(node.value, ast.Constant):
                said.add(node.value.value)
    return said


def told_by_course() -> set[str]:
    """Titles, tasks, checks, hints, mistakes and the docstrings of the files to begin with."""
    told: set[str] = set()
    for one in COURSE:
        told |= {one.title, one.checked, one.hint, *one.task.split("\n\n")}
        told |= {name for name, _ in one.check.mistakes}
        told |= set(re.findall(r'"""(.+?)"""', one.start))
    return told


def sentences() -> set[str]:
    return {text for path in SOURCES for text in said_by(path)} | told_by_course() | set(LABELS)
