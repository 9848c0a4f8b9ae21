"""What the engine searches with: its settings, its table and its ordering."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gambito.game.contract import Game
from gambito.memory.endings import Endings
from gambito.memory.ordering import new_ordering
from gambito.memory.table import AGE, SHARED, TABLES_AT, TranspositionTable, new_table
from gambito.search.engine.options import setting_values
from gambito.search.engine.probcut import probcut_table, read_probcut_model
from gambito.search.engine.settings import Context, new_settings
from gambito.search.question import Question
from gambito.search.session import Session
from gambito.search.watch import Watch

HURRY = 1024  # one unit of value in plies, where a sooner win counts for more
LEAST_SHARED, PART = 3, 2  # threads look what the others do from this depth on, and this part of the root's
TABLE = "engine table"


class EngineSession:
    """Settings, table and ordering of one thread, for one game and these options.

    They are kept in a `Session`, where the next search finds them. Only the settings depend on the options.
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
        self.scale = HURRY if rules.hurries else 1  # of the engine's values
        given = {**options, "endings": endings is not None}

        def settings() -> Any:
            rows = read_probcut_model(options["probcut_model"]) or rules.probcut_model
            model, stages = probcut_table(rows)
            values = setting_values(given, self.scale, stages, rules.orders_itself)
            return new_settings(values, model, gear, options["live"])

        self.settings = self.session.keep("engine settings", settings, (rules.label(), gear, given))
        self.table: TranspositionTable = self.session.keep(TABLE, lambda: new_table(options["memory"]))
        self.table.words[TABLES_AT] = endings.address if endings is not None else 0
        self.ordering = self.session.keep(f"engine ordering {thread}", lambda: new_ordering(thread))

    def context(self, watch: Watch) -> Context:
        """What a search with that watch takes."""
        return Context(self.settings, self.table, self.ordering, watch)

    def begin(self, depth: int, threads: int) -> None:
        """A search to that depth begins: entries of the table are one search older."""
        self.table.words[AGE] += np.uint64(1)
        self.table.words[SHARED] = max(LEAST_SHARED, depth // PART) if threads > 1 else 0


def engine_session(question: Question, thread: int = 0) -> EngineSession:
    """What a thread answers a question with."""
    given = (question.gear, question.endings, question.session, thread)
    return EngineSession(question.rules, question.options, *given)
