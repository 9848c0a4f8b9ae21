"""Every sentence that exercises can say, as templates with holes, read from the exercises and the source."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import gambito
from gambito.exercises.course import COURSE
from gambito.words import HOLE

PACKAGE = Path(gambito.__file__).parent
SOURCES = [*sorted((PACKAGE / "exercises").glob("*.py")), PACKAGE / "cli" / "exercise.py"]
LABELS = ("reason", "line", "position", "given", "it gave", "right is", "looks like", "printed")
LABELS += ("checked", "hint", "lesson", "right", "not right yet")


def template(node: ast.expr) -> str | None:
    """The sentence that an expression makes, with holes where it is filled in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else HOLE for part in node.values)
    return None


def said_by(path: Path) -> set[str]:
    """What a file gives as the reason of a `Wrong`, and what it asks to be translated."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("Wrong", "_bound", "_silent", "translate", "TooManySteps") and node.args:
                found.add(template(node.args[0]))
            if node.func.id == "wrong_type":
                found.add(template(node.args[1]))
            if node.func.id == "ValueError":
                found.add(f"ValueError: {template(node.args[0])}")
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if node.targets[0].id in ("reason", "UNCHANGED", "NUMBER", "TOO_MANY"):
                found.add(template(node.value))
    return {text for text in found if text}


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
