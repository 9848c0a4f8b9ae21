"""The files that the text of a game names, for jobs that are done on another machine.

A file of rules is accompanied by the modules beside it that it imports, and that these import.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gambito.game.registry import FILE_SPEC, is_adapted, module_of, parameters_of, read_spec
from gambito.jobs.files import Needed


def files_of_game(spec: str) -> list[Needed]:
    """The files that a game's text names: its rules, and its parameters that are files."""
    if is_adapted(spec):
        return []
    file = re.fullmatch(FILE_SPEC, spec)
    found = [rules_file(file[1])] if file else []
    kind, given = read_spec(spec)
    for part in filter(None, given.split(",")):
        name, _, value = part.partition("=")
        known = parameters_of(kind).get(name)
        if known is not None and isinstance(known.default, str) and os.path.isfile(value):
            found.append(Needed.file(value, value))
    return found


def files_of_job(job: dict[str, Any]) -> list[Needed]:
    """The files of the game that a job has."""
    return files_of_game(job["game"])


def rules_file(text: str) -> Needed:
    """A file of Python, and the modules beside it that it needs."""
    path = Path(text).resolve()
    name = module_of(path).__name__
    is_imported = name.rpartition(".")[2] == path.stem
    root = path.parents[name.count(".")] if is_imported else path.parent
    main = path.relative_to(root).as_posix()
    modules, waiting = {main: name}, [(path, name.split(".")[:-1] if is_imported else [])]
    while waiting:
        file, package = waiting.pop()
        for other, parts in _imported(file, package, [root, path.parent]):
            member = other.relative_to(root).as_posix()
            if member not in modules:
                modules[member] = ".".join(parts)
                waiting.append((other, parts if other.name == "__init__.py" else parts[:-1]))
    return Needed(text, root, main, tuple(sorted(modules)), modules)


def _imported(file: Path, package: list[str], roots: list[Path]) -> Iterator[tuple[Path, list[str]]]:
    """The files in some folders that a file imports, each with the parts of its module's name."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        names: list[list[str]] = []
        if isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            whole = base + (node.module.split(".") if node.module else [])
            names = [whole, *([*whole, alias.name] for alias in node.names)]
        for parts in names:
            for length in range(1, len(parts) + 1):
                for root in roots:
                    place = root.joinpath(*parts[:length])
                    for other in (place.with_suffix(".py"), place / "__init__.py"):
                        if other.is_file():
                            yield other, parts[:length]
