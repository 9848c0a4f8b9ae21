"""The shared test data: rows of a CSV file in the folder that GAMBITO_DATA names.

By default that folder lies beside the checkout.
"""

from __future__ import annotations

import csv
import os
from pathlib import Path

DEFAULT = Path(__file__).resolve().parent.parent.parent / "shared" / "data"


def folder() -> Path:
    return Path(os.environ.get("GAMBITO_DATA") or DEFAULT)


def rows(name: str) -> list[dict[str, str]]:
    """The rows; none, and a word about it, where the file is missing. Comments begin with #."""
    path = folder() / name
    if not path.exists():
        print(f"no test data: {name} (GAMBITO_DATA names their folder)")
        return []
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return list(csv.DictReader(lines))
