"""The options of the engine: each technique can be switched, each number has its range."""

from __future__ import annotations

from typing import Any

from gambito.memory.table import POLICIES
from gambito.search.algorithm import Option
from gambito.search.engine.probcut import CUTS
from gambito.search.engine.settings import NAMES
from gambito.search.engine.table import TABLES
from gambito.search.engine.windows import DRIVERS

OPTIONS = (
    Option("memory", 64, "size of the table in MiB", low=1, high=16384, technique=False),
    Option("driver", "aspiration", "how the value is closed in", choices=DRIVERS),
    Option("aspiration", 2, "half of the first window; 0: the whole window", low=0, high=1 << 20),
    Option("table", "as-deep", "which entries of the table end a search", choices=TABLES),
    Option("table_from", 1, "the depth from which on the table is used", low=1, high=1000),
    Option(
        "hot",
        0,
        "below this depth entries are kept in a small part of the table that stays in the cache; 0: off",
        low=0,
        high=1000,
        on=12,
        formerly="near",
    ),
    Option(
        "replace",
        "depth",
        "which entry of the table goes: the less deep, the less used",
        choices=POLICIES,
    ),
    Option("etc", 2, "from this depth on a child in the table may be enough; 0: off", low=0, high=1000),
    Option("bounds", True, "use what the game knows of its value, and which actions are worthwhile"),
    Option(
        "solve_ending", True, "leave the last plies to the game, where it can solve them", formerly="finish"
    ),
    Option("endings", True, "look into endgame tables, where there are any", technique=False),
    Option("symmetry", 0, "from this depth on symmetric positions are one; 0: off", low=0, high=1000, on=8),
    Option("order", True, "order by killers, counter-moves and history"),
    Option("presort", 0, "from this depth on order by shallow searches; 0: off", low=0, high=1000, on=8),
    Option(
        "internal",
        0,
        "from this depth on find the first action by a shallower search; 0: off",
        low=0,
        high=1000,
        on=5,
    ),
    Option("quiescence", True, "follow noisy actions beyond the horizon"),
    Option("forced", False, "an action without alternative costs no depth"),
    Option("urgent", False, "an action that must be answered at once costs no depth"),
    Option(
        "singular",
        0,
        "an action better than all others by this much costs no depth; 0: off",
        low=0,
        high=1 << 20,
        on=4,
    ),
    Option(
        "null_move",
        0,
        "cut off where even a pass is good enough, searched so much less deep; 0: off",
        low=0,
        high=8,
        on=2,
        sound=False,
    ),
    Option("verify", True, "look again where a null move cuts off and zugzwang is likely"),
    Option("threat", False, "try early what meets the threat that a null move shows"),
    Option(
        "probcut",
        "off",
        "cut off where a shallow search falls far out of the window",
        choices=CUTS,
        on="multi",
        sound=False,
    ),
    Option(
        "certainty",
        1.5,
        "how far out, in standard deviations of the model",
        low=0.1,
        high=10.0,
        technique=False,
    ),
    Option(
        "probcut_model",
        "",
        "a file of `gambito fit probcut`; without one the game's own model",
        technique=False,
        formerly="forecast",
    ),
    Option(
        "n_best",
        0,
        "look only at so many actions, those that look best; 0: all",
        low=0,
        high=1000,
        on=6,
        sound=False,
    ),
    Option("reductions", False, "late actions are searched less deep first", sound=False),
    Option(
        "futility",
        0,
        "at the horizon, what a quiet action may gain; 0: off",
        low=0,
        high=1 << 20,
        on=8,
        sound=False,
    ),
    Option("futile_depth", 1, "the depth up to which that is asked", low=1, high=8, technique=False),
    Option(
        "static",
        0,
        "cut off what looks better than needed by this much for each ply; 0: off",
        low=0,
        high=1 << 20,
        on=80,
        sound=False,
    ),
    Option(
        "null_growth",
        0,
        "one ply less for a null move for each so many plies of depth; 0: none",
        low=0,
        high=100,
        on=4,
    ),
    Option(
        "late",
        0,
        "near the horizon look only at so many quiet actions and depth² more; 0: all",
        low=0,
        high=1000,
        on=4,
        sound=False,
    ),
    Option(
        "losing",
        False,
        "leave out what seems to lose something, near the horizon and beyond",
        sound=False,
    ),
    Option(
        "steepness",
        0,
        "late actions are searched less deep by ln depth · ln number · this / 100; 0: by one ply",
        low=0,
        high=200,
        on=45,
    ),
    Option("malus", False, "history forgets quiet actions that did not cut off; captures are not in it"),
    Option("evasions", False, "beyond the horizon, who must answer a threat may try everything"),
    Option(
        "delta",
        0,
        "beyond the horizon, leave out what cannot gain enough with this margin; 0: off",
        low=0,
        high=1 << 20,
        on=100,
        sound=False,
    ),
    Option("staged", False, "make the quiet actions only where the table's and the noisy ones do not do"),
    Option("remember", False, "the table keeps what is found beyond the horizon"),
    Option(
        "blind",
        0,
        "from this depth on, where no action is known as the first, one ply less; 0: off",
        low=0,
        high=1000,
        on=4,
        sound=False,
    ),
    Option(
        "live",
        False,
        "read the settings from memory: slower, and compiled once for all of them",
        technique=False,
    ),
)


def setting_values(options: dict[str, Any], scale: int, stages: int, orders_itself: bool) -> tuple[int, ...]:
    """The options as the numbers that the search reads."""
    given = {
        **options,
        "scale": scale,
        "stages": stages,
        "table": TABLES.index(options["table"]),
        "replace": POLICIES.index(options["replace"]),
        "probcut": CUTS.index(options["probcut"]),
        "certainty": round(100 * options["certainty"]),
        "order": options["order"] and not orders_itself,
    }
    return tuple(int(given[name]) for name in NAMES)
