"""The public names with their signatures, as their docstrings tell."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

import gambito
from makers.frame import Making, fence, maker

ROW = re.compile(r"^(\w[\w, ]*?)  +(\S.*(?:\n  .*)*)", re.MULTILINE)  # a name, and what is said of it


@maker
def api(making: Making, *places: str) -> str:
    """Functions and classes: `gambito.search`, `gambito.Found`; a method by `gambito.Game.actions`."""
    return "\n\n".join(_entry(making, place) for place in places)


def _entry(making: Making, place: str) -> str:
    found = _named(place)
    parts = [
        f"### `{place}`",
        fence(_signature(place.rpartition(".")[2], found), "python"),
        _told(making, found),
    ]
    if inspect.isclass(found):
        fields = [[f"`{name}`", f"`{kind}`", making.say(says)] for name, kind, says in _fields(found)]
        if fields:
            parts[1:2] = []  # the table says it all
            parts.append(making.table(["field", "type", "holds"], fields).replace("--:", "---"))
    return "\n\n".join(part for part in parts if part)


@maker
def api_methods(making: Making, place: str, *names: str) -> str:
    """Methods of a class in a table; all public ones where none is named."""
    found = _named(place)
    listed = names or [n for n, held in vars(found).items() if inspect.isfunction(held) and n[0] != "_"]
    rows = []
    for name in listed:
        arguments = ", ".join(list(inspect.signature(vars(found)[name]).parameters)[1:])
        rows.append([f"`{name}({arguments})`", _told(making, vars(found)[name]).replace("\n\n", " ")])
    return making.table(["method", "says"], rows).replace("--:", "---")


def _named(place: str) -> Any:
    """What stands at a place of the package; a name of a module goes before a module of that name."""
    found: Any = gambito
    path = "gambito"
    for word in place.split(".")[1:]:
        path = f"{path}.{word}"
        found = getattr(found, word) if hasattr(found, word) else importlib.import_module(path)
    return found


def _signature(name: str, found: Any) -> str:
    """How it is called, on one line where that fits, else one parameter a line."""
    if inspect.isclass(found) and issubclass(found, Exception):
        return f"class {name}({', '.join(base.__name__ for base in found.__bases__)})"
    told = inspect.signature(found)
    parameters = [p for p in told.parameters.values() if p.name != "self"]
    words = [str(p).replace("'", "") for p in parameters]
    words = [re.sub(r"<factory>", "…", word) for word in words]
    given = "" if told.return_annotation is told.empty else str(told.return_annotation).strip("'")
    end = f") -> {given}" if given and not inspect.isclass(found) else ")"
    line = f"{name}({', '.join(words)}{end}"
    return line if len(line) <= 88 else f"{name}(\n    " + ",\n    ".join(words) + f",\n{end}"


def _told(making: Making, found: Any) -> str:
    """The docstring, a paragraph a line, in the page's language; a table of names becomes a list."""
    told = []
    for paragraph in filter(None, inspect.cleandoc(getattr(found, "__doc__", None) or "").split("\n\n")):
        if ROW.match(paragraph):
            rows = [
                f"- `{name}`: {making.say(' '.join(says.split()))}" for name, says in ROW.findall(paragraph)
            ]
            told.append("\n".join(rows))
        else:
            told.append(making.say(" ".join(paragraph.split())))
    return "\n\n".join(told)


def _fields(found: type) -> Iterator[tuple[str, str, str]]:
    """The fields of a record with their types, and what the comment beside each says."""
    text = textwrap.dedent(inspect.getsource(found))
    lines = text.splitlines()
    body = ast.parse(text).body[0]
    assert isinstance(body, ast.ClassDef)
    for node in body.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            comment = lines[node.end_lineno - 1][node.end_col_offset :] if node.end_lineno else ""
            yield (
                node.target.id,
                ast.unparse(node.annotation).replace("|", "\\|"),
                comment.rpartition("#")[2].strip(),
            )
