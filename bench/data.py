"""The shared test data: lines, and rows of a CSV file, in the folder that GAMBITO_DATA names.

By default that folder lies beside the checkout.
"""

from __future__ import annotations

import csv
import os
from pathlib import Path

DEFAULT = Path(__file__).resolve().parent.parent.parent / "shared" / "data"


def folder() -> Path:
    return Path(os.environ.get("GAMBITO_DATA") or DEFAULT)


def lines(name: str) -> list[str]:
    """The lines; none, and a word about it, where the file is missing. Comments begin with #."""
    path = folder() / name
    if not path.exists():
        print(f"no test data: {name} (GAMBITO_DATA names their folder)")
        return []
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a table."""
    return list(csv.DictReader(lines(name)))
