"""The result of a command: an object for programs, and the same facts as text for people.

The options `--json` and `--verbose` are defined here for all commands. With `--json`, standard output
receives only the object, the same in every language, and whatever the rules of a game print while they run
goes to standard error. With `--verbose`, standard error also receives what the compiler says where rules
cannot be compiled.
"""

from __future__ import annotations

import contextlib
import functools
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import click

from gambito.errors import CompileError
from gambito.words import speaking


@dataclass(frozen=True)
class CommandResult:
    """The result of a command, as data and as text, with its exit status, and the details for --verbose."""

    data: dict[str, Any]
    text: str
    status: int = 0
    details: str = ""


@contextlib.contextmanager
def _for_programs() -> Iterator[None]:
    """Standard output is the object's alone, and all that is said is English, as its texts are."""
    with contextlib.redirect_stdout(sys.stderr), speaking("en"):
        yield


def _plain(value: Any) -> Any:
    """Convert a NumPy number to a Python number. No other objects reach the JSON encoder."""
    return value.item()


def answering(function: Callable[..., CommandResult]) -> Callable[..., None]:
    """Turn a function that returns an `Answer` into a command that prints it; add --json and --verbose."""

    @click.option(
        "--verbose", is_flag=True, help="If rules cannot be compiled, print what the compiler says."
    )
    @click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
    @functools.wraps(function)
    def run(as_json: bool, verbose: bool, **given: Any) -> None:
        try:
            with _for_programs() if as_json else contextlib.nullcontext():
                answer = function(**given)
        except CompileError as problem:
            if verbose and problem.__context__ is not None:
                click.echo(problem.__context__, err=True)
            raise
        if verbose and answer.details:
            click.echo(answer.details, err=True)
        text = json.dumps(answer.data, allow_nan=False, default=_plain) if as_json else answer.text
        if text:
            click.echo(text)
        click.get_current_context().exit(answer.status)

    return run
