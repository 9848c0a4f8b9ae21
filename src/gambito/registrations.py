"""The one place where rooms are told of what stands above them: games, algorithms, tables, players.

A room below knows only that something may be registered. Most modules are named by text, or imported in a
function, because they are loaded when they are asked for: `import gambito` loads none of them.
"""

from __future__ import annotations

from typing import Any

from gambito import shown
from gambito.endgames import folders
from gambito.game import registry
from gambito.memory import endgame_tables
from gambito.players.kinds import register_kind
from gambito.search import algorithm


def register_rooms() -> None:
    """Called once, by `import gambito`."""
    registry.register_games("gambito.games")
    registry.register_adapter("openspiel", "gambito.adapters.openspiel")
    for package in (
        "gambito.search.classic",
        "gambito.search.engine",
        "gambito.search.monte_carlo",
        "gambito.chance",
        "gambito.hidden",
        "gambito.many",
        "gambito.puzzle",
    ):
        algorithm.register_package(package)
    endgame_tables.register_tables(folders.tables_for_search, folders.table_of_small_game)
    register_kind("strategy", _read_strategy_player)
    register_kind("blueprint", _read_blueprint_player)
    register_kind("uci", _read_external_player)
    register_kind("ugi", _read_external_player)
    shown.adorn_records()


def _read_strategy_player(text: str) -> Any:
    from gambito.players.strategy_player import read_strategic

    return read_strategic(text)


def _read_blueprint_player(text: str) -> Any:
    from gambito.players.blueprint import read_blueprint_player

    return read_blueprint_player(text)


def _read_external_player(text: str) -> Any:
    from gambito.protocols.external import read_external

    return read_external(text)
