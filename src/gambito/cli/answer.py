"""What a command answers: one object for a program, the same in words for a person.

`--json` is here, once for all commands: then the object is all that standard output gets, and whatever rules
print while they run goes to standard error.
"""

from __future__ import annotations

import contextlib
import functools
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click


@dataclass(frozen=True)
class Answer:
    """The end of a command."""

    data: dict[str, Any]
    text: str
    status: int = 0


def _plain(value: Any) -> Any:
    """A number of NumPy's as a plain one; JSON knows no other kind of object here."""
    return value.item()


def answering(function: Callable[..., Answer]) -> Callable[..., None]:
    """Make a command of a function that answers: print the answer, and add --json."""

    @click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
    @functools.wraps(function)
    def run(as_json: bool, **given: Any) -> None:
        with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
            answer = function(**given)
        text = json.dumps(answer.data, allow_nan=False, default=_plain) if as_json else answer.text
        if text:
            click.echo(text)
        click.get_current_context().exit(answer.status)

    return run
