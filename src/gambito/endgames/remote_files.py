"""The endgame tables that searches use, for jobs that are done on another machine."""

from __future__ import annotations

from gambito.endgames.folders import FOLDER, folder, place_of
from gambito.endgames.tables import SUFFIX
from gambito.game.contract import Game, game_name
from gambito.jobs.files import Needed


def tables_to_send(game: Game) -> Needed:
    """The tables here of a game, with any parameters; also none, as searches there use the same ones."""
    root, name = folder(), place_of(game).name
    start = name[: len(game_name(type(game)))]
    found = [path.relative_to(root).as_posix() for path in root.glob(f"{start}*/*{SUFFIX}")]
    return Needed("", root.resolve(), "", tuple(sorted(found)), variable=FOLDER)
