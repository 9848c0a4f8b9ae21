"""The source of a function as a tree, told in a way that is the same in every version of Python.

Bytecode differs between versions, and what is kept for years, as an endgame table, must not depend on it. The
source counts only if it is what runs: a file that was changed after it was imported tells nothing.
"""

from __future__ import annotations

import ast
import functools
import linecache
import types as python
from collections.abc import Iterator
from typing import Any, NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Path(NamedTuple):
    """A name, and the attributes that are asked of it: `module.name.name`."""

    names: tuple[str, ...]


# What says nothing about the meaning, or what Python has evaluated already.
_SILENT = frozenset({"ctx", "kind", "type_comment", "type_params", "annotation", "returns"})


def tree_of(function: python.FunctionType) -> Function | None:
    """The tree of a function; None if its source is not there, or is not what runs."""
    code = function.__code__
    linecache.checkcache(code.co_filename)
    text = "".join(linecache.getlines(code.co_filename, function.__globals__))
    found = _functions(text, code.co_filename).get((code.co_name, code.co_firstlineno), [])
    return found[0][0] if len(found) == 1 and found[0][1] == code else None


@functools.lru_cache(16)
def _functions(text: str, filename: str) -> dict[tuple[str, int], list[tuple[Function, python.CodeType]]]:
    """The functions of a file by name and first line, each with its tree and its code."""
    try:
        whole = ast.parse(text, filename)
        codes = [*_codes(compile(text, filename, "exec", dont_inherit=True))]
    except (SyntaxError, ValueError):
        return {}
    trees: dict[tuple[str, int], list[Function]] = {}
    for node in ast.walk(whole):
        if isinstance(node, Function):
            name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
            line = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            trees.setdefault((name, line), []).append(node)
    found: dict[tuple[str, int], list[tuple[Function, python.CodeType]]] = {}
    for code in codes:
        place = (code.co_name, code.co_firstlineno)
        found.setdefault(place, []).extend((tree, code) for tree in trees.get(place, ()))
    return found


def _codes(code: python.CodeType) -> Iterator[python.CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, python.CodeType):
            yield from _codes(part)


def told(function: Function) -> Iterator[Any]:
    """What a function says: kinds of nodes, constants and paths; without comments, texts that describe it,
    annotations, and what stands around it, as its decorators and the defaults of its arguments."""
    yield type(function).__name__
    yield [each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)]
    yield from (function.args.vararg is None, function.args.kwarg is None)
    if isinstance(function, ast.Lambda):
        yield from _told(function.body)
    else:
        for statement in _without_docstring(function.body):
            yield from _told(statement)


def _told(node: Any) -> Iterator[Any]:
    if isinstance(node, list):
        yield len(node)
        for each in node:
            yield from _told(each)
    elif isinstance(node, ast.Constant):
        yield from (type(node.value).__name__, node.value)
    elif isinstance(node, ast.Name | ast.Attribute) and (path := _path(node)):
        yield Path(path)
    elif isinstance(node, ast.AST):
        yield type(node).__name__
        for name, held in ast.iter_fields(node):
            if name not in _SILENT and held is not None and held != []:
                yield name
                is_body = name == "body" and isinstance(
                    node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
                )
                yield from _told(_without_docstring(held) if is_body else held)
    else:
        yield node


def _path(node: ast.AST) -> tuple[str, ...]:
    """The names of `name.name.name`; none if it begins with something else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return (node.id, *reversed(names)) if isinstance(node, ast.Name) else ()


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return body[1:] if is_text and isinstance(first.value.value, str) else body  # type: ignore[union-attr]
