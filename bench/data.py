"""The shared test data: lines and CSV rows of files in the folder GAMBITO_DATA.

By default, that folder is beside the checkout.
"""

from __future__ import annotations

import csv
import os
from pathlib import Path

DEFAULT = Path(__file__).resolve().parent.parent.parent / "shared" / "data"


def folder() -> Path:
    return Path(os.environ.get("GAMBITO_DATA") or DEFAULT)


def lines(name: str) -> list[str]:
    """Return the lines of a file without comments (#), or print a note and return none if it is missing."""
    path = folder() / name
    if not path.exists():
        print(f"no test data: {name} (GAMBITO_DATA names their folder)")
        return []
    return [line for line in path.read_text().splitlines() if line and not line.startswith("#")]


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    return list(csv.DictReader(lines(name)))
