"""The templates of errors and sentences, as they stand in the source."""

from __future__ import annotations

import ast
import functools
import itertools
import string
from collections.abc import Iterator
from pathlib import Path

import gambito.errors

PACKAGE = Path(gambito.__file__).parent
ERRORS = {
    name
    for name, held in vars(gambito.errors).items()
    if isinstance(held, type) and issubclass(held, gambito.errors.GambitoError)
}


@functools.cache
def _parsed(path: Path) -> list[ast.Call]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


def calls(path: Path, names: set[str]) -> Iterator[ast.Call]:
    """The calls of these names in a file, those with arguments."""
    for node in _parsed(path):
        if isinstance(node.func, ast.Name | ast.Attribute) and node.args:
            if (node.func.id if isinstance(node.func, ast.Name) else node.func.attr) in names:
                yield node


def templates(path: Path, names: set[str]) -> set[str]:
    """What these names are called with first, where it is written out and has letters of its own."""
    found = {
        node.args[0].value
        for node in calls(path, names)
        if isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str)
    }
    return {text for text in found if any(map(str.isalpha, without_holes(text)))}


def without_holes(template: str) -> str:
    parsed = string.Formatter().parse(template) if holes(template) else [(template,)]
    return "".join(text for text, *_ in parsed)


def holes(template: str) -> list[str]:
    """The holes of a template, in the order of the parts; none where braces stand for themselves.

    Forms that agree with a part (`{0:gana|ganan}`) are no holes, and an article (`{0:the}`) changes none.
    """
    try:
        parsed = list(string.Formatter().parse(template))
    except ValueError:
        return []
    if not all(name is None or name == "" or name.isdigit() for _, name, _, _ in parsed):
        return []
    numbered = itertools.count()
    found = [
        (name or next(numbered), spec) for _, name, spec, _ in parsed if name is not None and "|" not in spec
    ]
    return sorted({f"{name}:{'' if spec == 'the' else spec}" for name, spec in found})
