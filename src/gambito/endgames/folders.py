"""Where the tables of games lie, and how a search finds them.

What reads and builds tables is imported when there is one to read, or to build.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gambito.errors import EndgameError
from gambito.game.contract import Game
from gambito.memory.endgame_tables import Endings

FOLDER = "GAMBITO_TABLES"  # the variable that names the folder of all tables


def folder() -> Path:
    """The folder of all tables: `GAMBITO_TABLES`, or the user's data folder."""
    chosen = os.environ.get(FOLDER)
    try:
        if chosen:
            return Path(chosen).expanduser()
        return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "gambito" / "endgames"
    except RuntimeError:  # no home folder
        raise EndgameError("there is no home folder for endgame tables; set GAMBITO_TABLES") from None


def place_of(game: Game, where: Path | None = None) -> Path:
    """The folder of a game's tables: its label, and for rules outside Gambito a mark of their file.

    If that file has none, those of the same rules in another file serve as well: it may have been moved.
    """
    where = where or folder()
    name, module = re.sub(r"[^\w.=,-]+", "-", game.label()), type(game).__module__
    if module.partition(".")[0] == "gambito":
        return where / name
    from gambito.jobs.files import origins  # most games need none

    file = getattr(sys.modules.get(module), "__file__", None)
    source = origins.get(module) or (module if file is None else str(Path(file).resolve()))
    own = where / f"{name}-{hashlib.sha256(source.encode()).hexdigest()[:8]}"
    if own.exists():
        return own
    others = [
        place for place in sorted(where.glob(f"{name}-*")) if re.fullmatch(r"-\w{8}", place.name[len(name) :])
    ]
    return next((place for place in others if _has_tables(game, place)), own)


def _has_tables(game: Game, place: Path) -> bool:
    """Does a folder hold a table for exactly these rules?"""
    from gambito.endgames import tables  # which imports this module

    for path in place.glob(f"*{tables.SUFFIX}"):
        with contextlib.suppress(EndgameError):
            tables.open_table(game, path.stem, path)
            return True
    return False


def tables_for_search(game: Game) -> Endings | None:
    """The tables of a game, for a search."""
    if not place_of(game).exists():
        return None
    from gambito.endgames.tables import tables_of

    found = tables_of(game)
    return None if found is None else found.endings


def table_of_small_game(
    game: Game, state: Any, most: int, gear: str, is_ended: Callable[[], bool]
) -> Endings | None:
    """The table of a whole small game (`listing.list_endings`)."""
    from gambito.endgames.listing import list_endings

    return list_endings(game, state, most, gear, is_ended)
