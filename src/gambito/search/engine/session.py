"""What the engine searches with: its settings, its table and its ordering."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gambito.evaluate.accumulator import Slots
from gambito.game.contract import Game
from gambito.memory.endgame_tables import Endings
from gambito.memory.ordering import SLOTS_AT, new_ordering
from gambito.memory.table import AGE, SHARED, TABLES_AT, TranspositionTable, new_table
from gambito.search.engine.mate_distance import HURRY
from gambito.search.engine.options import setting_values
from gambito.search.engine.settings import Context, new_settings
from gambito.search.monitor import Monitor
from gambito.search.probcut_model import probcut_table, read_probcut_model, tries_of
from gambito.search.session import Session
from gambito.search.task import SearchTask

LEAST_SHARED, PART = 3, 2  # from this depth, or this part of the root's, threads avoid each other's actions
TABLE = "engine table"


class EngineSession:
    """The settings, table and ordering of one thread, for one game and one set of options.

    A `ProtocolSession` keeps them for the next search. Only the settings depend on the options.
    """

    def __init__(
        self,
        rules: Game,
        options: Mapping[str, Any],
        gear: str = "native",
        endings: Endings | None = None,
        session: Session | None = None,
        thread: int = 0,
    ) -> None:
        self.session = Session() if session is None else session
        self.scale = HURRY if rules.prefers_fast_win else 1  # of the engine's values
        given = {**options, "endings": endings is not None, "banked": options["banked"] and can_bank(rules)}

        def settings() -> Any:
            rows = read_probcut_model(options["probcut_model"]) or rules.probcut_model
            model, stages = probcut_table(rows)
            tries = tries_of(options["probcut"], model)
            values = setting_values(given, self.scale, stages, tries, rules.orders_itself)
            return new_settings(values, model, gear, options["live"])

        self.settings = self.session.keep("engine settings", settings, (rules.label(), gear, given))
        self.table: TranspositionTable = self.session.keep(TABLE, lambda: new_table(options["memory"]))
        self.table.words[TABLES_AT] = endings.address if endings is not None else 0
        self.ordering = self.session.keep(f"engine ordering {thread}", lambda: new_ordering(thread))
        self.ordering.data[SLOTS_AT] = 0
        # A postponed action would count as a late one, to be reduced or left out.
        self.postpones = not any(
            options[name] for name in ("late_move_reductions", "late_move_pruning", "futility")
        )
        if rules.is_wide:
            place, shape = f"engine slots {thread}", rules.form.description
            self.slots: Slots = self.session.keep(place, lambda: Slots(rules), shape)
            self.slots.forget()
            self.ordering.data[SLOTS_AT] = self.slots.address

    def context(self, monitor: Monitor) -> Context:
        """The context of a search with that watch."""
        return Context(self.settings, self.table, self.ordering, monitor)

    def begin(self, depth: int, threads: int) -> None:
        """Begin a search to that depth: the entries of the table become one search older."""
        self.table.words[AGE] += np.uint64(1)
        shares = threads > 1 and self.postpones
        self.table.words[SHARED] = max(LEAST_SHARED, depth // PART) if shares else 0


def can_bank(game: Game) -> bool:
    """Does the game count points, so that the table can leave them out? Its values must be the points."""
    return type(game).banked is not Game.banked and game.players == 2 and not game.prefers_fast_win


def engine_session(task: SearchTask, thread: int = 0) -> EngineSession:
    """The engine session of a thread for a question."""
    given = (task.gear, task.endings, task.session, thread)
    return EngineSession(task.rules, task.options, *given)
