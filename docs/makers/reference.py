"""The reference: public names with their signatures and docstrings."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

import gambito
from gambito.game.contract import GROUPS
from makers.frame import DOCS, Making, fence, maker

# Pages with more about a group of the contract.
MORE = {
    "Rules": ("your-own-game", "algorithms/formal-definition"),
    "Searching": ("algorithms/transposition-table", "algorithms/engine"),
    "Ordering": ("algorithms/engine", "algorithms/quiescence", "algorithms/null-move", "algorithms/probcut"),
    "Chance": ("algorithms/expectiminimax", "algorithms/star"),
    "Playouts": ("algorithms/mcts",),
    "Numbers": ("endgames",),
    "Learning": ("learning",),
    "Picture": ("web",),
    "Text": ("command-line", "books", "uci"),
}
ROW = re.compile(r"^(\w[\w, ]*?)  +(\S.*(?:\n  .*)*)", re.MULTILINE)  # a name and its description


@maker
def api(making: Making, *places: str) -> str:
    """Functions, classes and methods: `gambito.search`, `gambito.Found`, `gambito.Game.actions`."""
    return "\n\n".join(_entry(making, place) for place in places)


def _entry(making: Making, place: str) -> str:
    found = _named(place)
    parts = [
        f"### `{place}`",
        fence(_signature(place.rpartition(".")[2], found), "python"),
        _told(making, found),
    ]
    if inspect.isclass(found):
        fields = [[f"`{name}`", f"`{kind}`", making.say(says)] for name, kind, _, says in _fields(found)]
        if fields:
            parts[1:2] = []  # the table replaces the signature
            parts.append(making.table(["field", "type", "holds"], fields).replace("--:", "---"))
    return "\n\n".join(part for part in parts if part)


@maker
def api_methods(making: Making, place: str, *names: str) -> str:
    """A table of methods of a class; of all public ones if none is named."""
    found = _named(place)
    return _methods(making, found, "method", names)


@maker
def contract_groups(making: Making, *names: str) -> str:
    """Groups of a game's contract with their rules and traits; without names, all but the six rules."""
    if names:
        return "\n\n".join(_group(making, group) for group in GROUPS if group.__name__ in names)
    parts = []
    for group in GROUPS[1:]:
        title, _, _ = str(group.__doc__).partition(".\n")
        parts.append(f"### {making.say(title)}\n\n{_group(making, group)}")
    return "\n\n".join(parts)


def _group(making: Making, group: type) -> str:
    traits = [
        [f"`{name}`", f"`{default}`" if default else "", making.say(says)]
        for name, _, default, says in _fields(group)
    ]
    _, _, about = inspect.cleandoc(str(group.__doc__)).partition("\n\n")
    parts = [_paragraphs(making, about), _methods(making, group, "rule")]
    if traits:
        parts.append(making.table(["trait", "default", "says"], traits).replace("--:", "---"))
    if group.__name__ in MORE:
        parts.append(
            f"{making.say('More about this')}: {', '.join(_link(making, p) for p in MORE[group.__name__])}."
        )
    return "\n\n".join(parts)


def _link(making: Making, page: str) -> str:
    """Return a link to a page with its title."""
    title = (DOCS / making.language / f"{page}.md").read_text(encoding="utf-8").partition("\n")[0]
    return f"[{title.removeprefix('# ')}]({page}.md)"


def _methods(making: Making, found: type, head: str, names: tuple[str, ...] = ()) -> str:
    listed = names or [n for n, held in vars(found).items() if inspect.isfunction(held) and n[0] != "_"]
    rows = []
    for name in listed:
        arguments = ", ".join(list(inspect.signature(vars(found)[name]).parameters)[1:])
        rows.append([f"`{name}({arguments})`", _told(making, vars(found)[name]).replace("\n\n", " ")])
    return making.table([head, "says"], rows).replace("--:", "---")


def _named(place: str) -> Any:
    """Return the object with this path; an attribute goes before a submodule of the same name."""
    found: Any = gambito
    path = "gambito"
    for word in place.split(".")[1:]:
        path = f"{path}.{word}"
        found = getattr(found, word) if hasattr(found, word) else importlib.import_module(path)
    return found


def _signature(name: str, found: Any) -> str:
    """Return the signature, on one line if it fits, otherwise with one parameter per line."""
    if inspect.isclass(found) and issubclass(found, Exception):
        return f"class {name}({', '.join(base.__name__ for base in found.__bases__)})"
    told = inspect.signature(found)
    parameters = [p for p in told.parameters.values() if p.name != "self"]
    words = [_parameter(p) for p in parameters]
    given = "" if told.return_annotation is told.empty else str(told.return_annotation).strip("'")
    end = f") -> {given}" if given and not inspect.isclass(found) else ")"
    line = f"{name}({', '.join(words)}{end}"
    return line if len(line) <= 88 else f"{name}(\n    " + ",\n    ".join(words) + f",\n{end}"


def _parameter(parameter: inspect.Parameter) -> str:
    """Return a parameter with its type and default; a default that Python cannot write is `…`."""
    default = parameter.default
    name = str(parameter.replace(default=parameter.empty)).replace("'", "")
    if default is parameter.empty:
        return name
    is_open = inspect.isfunction(default) or "<" in repr(default)
    between = " = " if parameter.annotation is not parameter.empty else "="
    return f"{name}{between}{'…' if is_open else repr(default)}"


def _told(making: Making, found: Any) -> str:
    """Return the docstring in the page's language."""
    return _paragraphs(making, inspect.cleandoc(getattr(found, "__doc__", None) or ""))


def _paragraphs(making: Making, text: str) -> str:
    """Return a text in the page's language, one line per paragraph; a table of names becomes a list."""
    told = []
    for paragraph in filter(None, text.split("\n\n")):
        if ROW.match(paragraph):
            rows = [
                f"- `{name}`: {making.say(' '.join(says.split()))}" for name, says in ROW.findall(paragraph)
            ]
            told.append("\n".join(rows))
        else:
            told.append(making.say(" ".join(paragraph.split())))
    return "\n\n".join(told)


def _fields(found: type) -> Iterator[tuple[str, str, str, str]]:
    """Yield the name, the type, the default and the comment of each field of a record."""
    text = textwrap.dedent(inspect.getsource(found))
    lines = text.splitlines()
    body = ast.parse(text).body[0]
    assert isinstance(body, ast.ClassDef)
    for node in body.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            comment = lines[node.end_lineno - 1][node.end_col_offset :] if node.end_lineno else ""
            kind = re.sub(r"^PythonOnly\[(.*)\]$", r"\1", ast.unparse(node.annotation))
            yield (
                node.target.id,
                kind.replace("|", "\\|"),
                ast.unparse(node.value).replace("'", '"') if node.value else "",
                comment.rpartition("#")[2].strip(),
            )
