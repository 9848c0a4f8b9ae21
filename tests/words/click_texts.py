"""The texts of Click, read from its source."""

from __future__ import annotations

from pathlib import Path

import click

from tests.templates import calls

FOLDER = Path(click.__file__).parent


def click_texts() -> set[str]:
    """What Click says through gettext, one and many."""
    found = set()
    for path in FOLDER.glob("*.py"):
        for call in calls(path, {"_", "ngettext"}):
            found |= {
                arg.value for arg in call.args[:2] if hasattr(arg, "value") and isinstance(arg.value, str)
            }
    return found
