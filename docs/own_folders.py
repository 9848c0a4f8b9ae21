"""The folders that the documentation is made with: results must not depend on those of the user."""

from __future__ import annotations

import os
from pathlib import Path

CACHE = Path(__file__).resolve().parent.parent / ".cache"


def use_own_folders() -> None:
    """Use no endgame tables, and machine code inside the checkout, here and in processes that begin later."""
    os.environ["GAMBITO_TABLES"] = str(CACHE / "no-tables")
    os.environ["GAMBITO_CACHE"] = os.environ.get("GAMBITO_CACHE") or str(CACHE / "tests")
