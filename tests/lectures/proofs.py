"""How a test says what it proves: `slide` names the rows, and what only a page can tell is read there."""

from __future__ import annotations

import atexit
import functools
import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from click.testing import CliRunner

import gambito
from gambito.cli.main import cli
from gambito.search.limits import Stop
from gambito.web.answers import Answers
from gambito.web.server_limits import ServerLimits

DOCS = Path(__file__).resolve().parents[2] / "docs"
EXAMPLES = DOCS / "examples"
PROVED: dict[tuple[str, str], list[str]] = {}

F = TypeVar("F", bound=Callable[..., Any])


def slide(lecture: str, *items: str) -> Callable[[F], F]:
    """The test proves these rows of the lecture."""

    def mark(test: F) -> F:
        for item in items:
            PROVED.setdefault((lecture, item), []).append(f"{test.__module__}.{test.__name__}")
        return test

    return mark


def prove(test: F, lecture: str, *items: str) -> F:
    """A test of another folder proves these rows."""
    return slide(lecture, *items)(test)


def told(page: str, english: tuple[str, ...], spanish: tuple[str, ...]) -> None:
    """The page tells it in both languages; only for what cannot be run."""
    for language, words in (("en", english), ("es", spanish)):
        text = " ".join((DOCS / language / f"{page}.md").read_text(encoding="utf-8").split())
        for word in words:
            assert word in text, (page, language, word)


@functools.cache
def searched(
    game: str, position: str | None, algorithm: str, depth: int | None = None, **options: Any
) -> Any:
    """A search in the Python gear, once for all tests."""
    return gambito.search(game, position, algorithm, depth=depth, gear="python", **options)


@functools.cache
def traced(game: str, position: str | None, algorithm: str, depth: int | None = None, **options: Any) -> Any:
    return gambito.trace(game, position, algorithm, depth=depth, **options)


def command(*words: str) -> str:
    """What a command prints."""
    done = CliRunner().invoke(cli, list(words))
    assert done.exit_code in (0, 1), done.output  # 1: a check found something
    return done.stdout


def command_json(*words: str) -> Any:
    return json.loads(command(*words, "--json"))


@functools.cache
def kqk() -> tuple[str, Any]:
    """A folder with the table of king and queen against king, and what its building told."""
    where = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, where, True)
    return where, command_json("endgame", "build", "chess", "KQK", "--tables", where)["tables"][-1]


@functools.cache
def server() -> Answers:
    """The answers of the web page's server, in this process."""
    return Answers(ServerLimits())


def asked(do: str, **question: Any) -> dict[str, Any]:
    """What the page receives for a question."""
    answer, _ = server().answer({"do": do, **question}, lambda news: None, Stop())
    return answer
