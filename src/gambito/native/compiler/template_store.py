"""The templates that come with the package: compressed text, and what it was made from.

`index.json` lists the files; each holds the templates of the native functions of one module, or those of the
contract's default rules. A file is used only if the sources that its code depends on are the ones it was made
from, and if the compiler is the same. Otherwise its functions are compiled as a whole, and `make templates`
makes it again.

The code is LLVM's before any optimisation, without the processor's name: it is the same on every machine of
64 bits with a POSIX system, and for every version of Python.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import lzma
import os
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import llvmlite
import numba

from gambito.native.digest import UNCOMPILED

FOLDER = Path(__file__).resolve().parent.parent / "made"
INDEX = "index.json"
_PACKAGE = Path(__file__).resolve().parent.parent.parent
_MAKING = (
    "gambito.native.compiler.abstract",
    "gambito.native.compiler.template_maker",
)  # all templates depend on these too
# Files of the compiler gear that code does not depend on.
_APART = frozenset(
    f"native/{name}.py"
    for name in (
        "cache", "digest", "elf", "files", "libraries", "process", "processor", "shipped",
        "compiler/causes", "compiler/dispatching", "compiler/emitting", "compiler/runtime", "compiler/stock",
        "compiler/wrapped",
    )
)  # fmt: skip
COMPILER = f"numba {numba.__version__}, llvmlite {llvmlite.__version__}, index 2"


def find(name: str) -> str | None:
    """The text of a template; None if there is none, or if it is stale."""
    file = _files().get(name)
    return None if file is None or not is_current(file) else _read(file)[name]


@functools.cache
def _index() -> dict[str, Any]:
    if os.name != "posix" or sys.maxsize < 1 << 62 or sys.byteorder != "little":
        return {}
    try:
        index: dict[str, Any] = json.loads((FOLDER / INDEX).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return index if isinstance(index, dict) and index.get("compiler") == COMPILER else {}


@functools.cache
def _files() -> dict[str, str]:
    """The file of each template."""
    return {name: file for file, facts in _index().get("files", {}).items() for name in facts["templates"]}


def files() -> list[str]:
    """The names of all files."""
    return [*_index().get("files", {})]


@functools.cache
def is_current(file: str) -> bool:
    """Were the templates in this file made from the present sources?"""
    facts = _index()["files"][file]
    return bool(facts["digest"] == _digest(_index()["sources"][number] for number in facts["sources"]))


@functools.cache
def _read(file: str) -> dict[str, str]:
    found: dict[str, str] = json.loads(lzma.decompress((FOLDER / file).read_bytes()))
    return found


def write(
    folder: Path, templates: Mapping[str, Mapping[str, str]], modules: Mapping[str, Iterable[str]]
) -> None:
    """Replace the files of a folder: `templates` by file and name, and the modules that each depends on."""
    folder.mkdir(exist_ok=True)
    reached = {file: sorted(_reached((*modules[file], *_MAKING))) for file in templates}
    sources = sorted({place for places in reached.values() for place in places})
    index: dict[str, Any] = {"compiler": COMPILER, "sources": sources, "files": {}}
    for file, held in sorted(templates.items()):
        text = json.dumps(dict(sorted(held.items())), ensure_ascii=False)
        body = lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)
        if not (folder / file).exists() or (folder / file).read_bytes() != body:
            (folder / file).write_bytes(body)
        index["files"][file] = {
            "templates": sorted(held),
            "sources": [sources.index(place) for place in reached[file]],
            "digest": _digest(reached[file]),
        }
    for path in folder.glob("*.xz"):
        if path.name not in templates:
            path.unlink()
    (folder / INDEX).write_text(_laid_out(index), encoding="utf-8")
    forget()


def forget() -> None:
    """Read all files again when they are needed."""
    for cached in (_index, _files, is_current, _read):
        cached.cache_clear()


def _laid_out(index: dict[str, Any]) -> str:
    """The index as text: a line for each source, and for each fact about a file."""
    text = json.dumps(index, indent=1)
    return re.sub(r"\[[\d\s,]*\]", lambda numbers: " ".join(numbers[0].split()), text) + "\n"


def _digest(places: Iterable[str]) -> str:
    """The digest of sources. What they import is among them, unless one of them has changed."""
    known = hashlib.sha256()
    for place in places:
        known.update(place.encode() + b"\0" + _source(place) + b"\0")
    return known.hexdigest()[:20]


def _reached(modules: tuple[str, ...]) -> set[str]:
    """The files of modules and of their imports, without folders that hold no compiled code."""
    found: set[str] = set()
    waiting = [*modules]
    while waiting:
        place = _place(waiting.pop())
        if place and place not in found:
            found.add(place)
            waiting += _imports(place)
    return found - _APART


@functools.cache
def _place(module: str) -> str:
    """The file of a module of the package, relative to it; "" if it has none that counts."""
    package, *path = module.split(".")
    if package != _PACKAGE.name or not path or path[0] in UNCOMPILED:
        return ""
    for file in ("/".join(path) + ".py", "/".join(path) + "/__init__.py"):
        if (_PACKAGE / file).is_file():
            return file
    return ""


@functools.cache
def _imports(place: str) -> list[str]:
    """The modules that a file imports, as far as they may be of the package."""
    found = []
    for node in ast.walk(ast.parse(_source(place))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return found


@functools.cache
def _source(place: str) -> bytes:
    path = _PACKAGE / place
    return path.read_bytes() if path.is_file() else b""
