"""The output of commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from makers.frame import DOCS, Making, fence, maker


def gambito_prints(*words: str, folder: str | Path = DOCS.parent, language: str = "en") -> str:
    """Return the output of a command on a terminal of 100 columns."""
    command = [sys.executable, "-m", "gambito", *words]
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "GAMBITO_LANGUAGE": language}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr  # 1: a check found something
    return done.stdout


@maker
def command_help(making: Making, *path: str) -> str:
    """The output of `gambito … --help`."""
    return fence(gambito_prints(*path, "--help", language=making.language))


@maker
def command(making: Making, *words: str) -> str:
    """A command and its output, which must be the same on every machine."""
    return fence(f"$ gambito {' '.join(words)}\n\n{gambito_prints(*words, language=making.language)}")


@maker
def json_keys(making: Making, *words: str) -> str:
    """The names in the JSON object that a command prints with --json."""
    found = json.loads(gambito_prints(*words, "--json"))
    return "`" + "`, `".join(found) + "`"
