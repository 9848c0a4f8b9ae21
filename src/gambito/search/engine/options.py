"""The options of the engine: each technique can be switched, each number has its range."""

from __future__ import annotations

from typing import Any

from gambito.memory.table import POLICIES
from gambito.search.algorithm import Option
from gambito.search.engine.aspiration import DRIVERS
from gambito.search.engine.settings import NAMES
from gambito.search.engine.table import TABLES
from gambito.search.probcut_model import CUTS

OPTIONS = (
    Option("memory", 64, "size of the table in MiB", low=1, high=16384, technique=False),
    Option("driver", "aspiration", "how the search closes in on the value", choices=DRIVERS),
    Option("aspiration", 2, "half the width of the first window; 0: the whole window", low=0, high=1 << 20),
    Option("table", "as-deep", "which table entries may end a search", choices=TABLES),
    Option("table_from", 1, "use the table from this depth on", low=1, high=1000),
    Option(
        "hot",
        0,
        "below this depth, keep entries in a small part of the table that stays in the cache; 0: off",
        low=0,
        high=1000,
        on=12,
    ),
    Option(
        "replace",
        "depth",
        "which table entry is replaced: the less deep one, or the less used one",
        choices=POLICIES,
    ),
    Option("etc", 2, "from this depth on, a child in the table may cut off; 0: off", low=0, high=1000),
    Option("bounds", True, "use the bounds that the game gives, and its worthwhile actions"),
    Option("solve_ending", True, "let the game solve the last plies, if it can"),
    Option("endings", True, "use endgame tables, if there are any", technique=False),
    Option(
        "symmetry", 0, "from this depth on, symmetric positions count as one; 0: off", low=0, high=1000, on=8
    ),
    Option("banked", True, "keep points that are won already out of the table, if the game counts them"),
    Option("order", True, "order actions by killers, counter-moves and history"),
    Option(
        "presort", 0, "from this depth on, order actions by shallow searches; 0: off", low=0, high=1000, on=8
    ),
    Option(
        "iid",
        0,
        "from this depth on, find the first action by a shallower search; 0: off",
        low=0,
        high=1000,
        on=5,
    ),
    Option("quiescence", True, "follow noisy actions beyond the horizon"),
    Option("one_reply_extension", False, "the only action of a state costs no depth"),
    Option("check_extension", False, "an action that must be answered at once costs no depth"),
    Option(
        "singular_extension",
        0,
        "an action better than all others by this much costs no depth; 0: off",
        low=0,
        high=1 << 20,
        on=4,
    ),
    Option(
        "null_move",
        0,
        "cut off if even a pass is good enough, searched this many plies less deep; 0: off",
        low=0,
        high=8,
        on=2,
        sound=False,
    ),
    Option(
        "null_move_verification",
        True,
        "search again if a null move cuts off where zugzwang is likely or far from the horizon",
    ),
    Option(
        "probcut",
        "off",
        "cut off if a shallow search falls far outside the window",
        choices=CUTS,
        on="multi",
        sound=False,
    ),
    Option(
        "certainty",
        0.0,
        "how far outside the window, in standard deviations; 0: the thresholds t of the model",
        low=0.0,
        high=10.0,
        technique=False,
    ),
    Option(
        "probcut_model",
        "",
        "a file made by `gambito fit probcut`; without one, the game's own model",
        technique=False,
    ),
    Option(
        "n_best",
        0,
        "search only this many actions, those that look best; 0: all",
        low=0,
        high=1000,
        on=6,
        sound=False,
    ),
    Option("late_move_reductions", False, "search late actions less deep at first", sound=False),
    Option(
        "futility",
        0,
        "near the horizon, leave out quiet actions if a gain of this much is not enough; 0: off",
        low=0,
        high=1 << 20,
        on=8,
        sound=False,
    ),
    Option(
        "futility_depth", 1, "the largest depth at which futility applies", low=1, high=8, technique=False
    ),
    Option(
        "reverse_futility",
        0,
        "cut off if the static value is above the window by this much for each ply; 0: off",
        low=0,
        high=1 << 20,
        on=80,
        sound=False,
    ),
    Option(
        "null_move_growth",
        0,
        "one more ply of null-move reduction per this many plies of depth; 0: off",
        low=0,
        high=100,
        on=4,
    ),
    Option(
        "late_move_pruning",
        0,
        "near the horizon, search only this many quiet actions plus depth²; 0: all",
        low=0,
        high=1000,
        on=4,
        sound=False,
    ),
    Option(
        "losing_pruning",
        False,
        "leave out actions that seem to lose something, near the horizon and beyond",
        sound=False,
    ),
    Option(
        "reduction_scale",
        0,
        "search late actions less deep by ln depth · ln number · this / 100 plies; 0: by one ply",
        low=0,
        high=200,
        on=45,
    ),
    Option(
        "history_malus",
        False,
        "history also lowers quiet actions that did not cut off, and leaves out captures",
    ),
    Option(
        "quiescence_evasions",
        False,
        "beyond the horizon, a player who must answer a threat may try every action",
    ),
    Option(
        "delta_pruning",
        0,
        "beyond the horizon, leave out actions that cannot gain enough, with this margin; 0: off",
        low=0,
        high=1 << 20,
        on=100,
        sound=False,
    ),
    Option(
        "staged_generation",
        False,
        "generate quiet actions only if the table's action and the noisy ones do not cut off",
    ),
    Option("quiescence_table", False, "store what is found beyond the horizon in the table"),
    Option(
        "iir",
        0,
        "from this depth on, search one ply less if no first action is known; 0: off",
        low=0,
        high=1000,
        on=4,
        sound=False,
    ),
    Option(
        "continuation_history",
        False,
        "with malus, history also by the two actions before: good replies",
    ),
    Option("capture_history", False, "with malus, history of noisy actions too"),
    Option(
        "improving",
        False,
        "prune and reduce more unless the static value is better than two plies before",
        sound=False,
    ),
    Option(
        "correction_history",
        0,
        "correct the static value by at most this much, as searches of similar states have shown; 0: off",
        low=0,
        high=1 << 20,
        on=64,
    ),
    Option(
        "table_as_static",
        False,
        "take the table's value for the static value where it is nearer to the truth",
    ),
    Option(
        "see_pruning",
        0,
        "near the horizon, leave out actions that lose more than this much for each ply by exchanges; 0: off",
        low=0,
        high=1 << 20,
        on=60,
        sound=False,
    ),
    Option(
        "null_move_by_value",
        0,
        "one more ply of null-move reduction per this much that the static value is above the window; 0: off",
        low=0,
        high=1 << 20,
        on=200,
    ),
    Option(
        "multi_cut",
        False,
        "cut off, or reduce the first action, if it is not singular",
        sound=False,
    ),
    Option(
        "razoring",
        0,
        "near the horizon, follow only noisy actions if the static value is too far below the window, "
        "by this much times 1.5 plus depth²; 0: off",
        low=0,
        high=1 << 20,
        on=120,
        sound=False,
    ),
    Option(
        "noisy_probcut",
        0,
        "cut off if a noisy action is better than the window by this much in a shallower search; 0: off",
        low=0,
        high=1 << 20,
        on=120,
        sound=False,
    ),
    Option(
        "threat_ordering",
        False,
        "actions that answer what the opponent does after a null move come before other quiet ones",
    ),
    Option(
        "quiescence_checks", False, "at the horizon, also follow quiet actions that must be answered at once"
    ),
    Option(
        "live",
        False,
        "read the settings from memory: slower, but compiled only once for all settings",
        technique=False,
    ),
)


def setting_values(
    options: dict[str, Any], scale: int, stages: int, tries: int, orders_itself: bool
) -> tuple[int, ...]:
    """The options as the numbers that the search reads."""
    given = {
        **options,
        "scale": scale,
        "stages": stages,
        "table": TABLES.index(options["table"]),
        "replace": POLICIES.index(options["replace"]),
        "probcut": tries,
        "certainty": round(100 * options["certainty"]),
        "order": options["order"] and not orders_itself,
    }
    return tuple(int(given[name]) for name in NAMES)
