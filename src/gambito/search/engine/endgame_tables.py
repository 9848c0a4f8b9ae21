"""What endgame tables say about the root: its best actions by distance to the end, and their line."""

from __future__ import annotations

from typing import Any

from gambito.errors import SearchError
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.memory.endgame_tables import NONE, Endings, probe
from gambito.native import inlined, int64
from gambito.search.engine.mate_distance import hurried

LONGEST_LINE = 400  # the most plies of a line from tables


@inlined
def ending_value(game, known, ply, scale):
    """A table's value at this ply, in the engine's units: a sooner win and a later loss are better."""
    if known == 0:
        return int64(0)
    value = game.highest * scale
    return hurried(value if known > 0 else -value, ply + abs(known) - 1, scale)


def best_tablebase_actions(game: Any, rules: Game, state: Any, tables: Endings | None) -> list[int]:
    """The actions that keep the value of the tables by the shortest way; none if the tables do not know."""
    known = probe_tables(game, tables, state) if tables is not None else None
    if tables is None or known is None:
        return []
    wanted = known - (known > 0) + (known < 0)
    return [a for a in rules.legal(state) if _after(game, rules, tables, state, a) == wanted]


def line_to_the_end(game: Any, rules: Game, state: Any, line: list[int], tables: Endings) -> list[int]:
    """Best play of both sides from the end of a line on; it stops at a draw, or where the tables end."""
    for action in line:
        state = rules.result(state, action)
    state, more = gears(rules).cast(state), list[int]()
    while len(more) < LONGEST_LINE and not rules.is_terminal(state) and probe_tables(game, tables, state):
        actions = best_tablebase_actions(game, rules, state, tables)
        if not actions:
            break
        more.append(actions[0])
        state = gears(rules).cast(rules.result(state, actions[0]))
    return more


def _after(game: Any, rules: Game, tables: Endings, state: Any, action: int) -> int | None:
    """The value of the state after an action, for the player who moves now; a conversion is an end if the
    tables count to it."""
    child = gears(rules).cast(rules.result(state, action))
    if rules.is_terminal(child):
        score = rules.utility(child, rules.player(state))
        return int(score > 0) - int(score < 0)
    value = probe_tables(game, tables, child)
    if value is None:
        return None
    code = int(rules.signature(state))
    if tables.converts(code) and int(rules.signature(child)) != code:
        value = (value > 0) - (value < 0)
    return value if rules.player(child) == rules.player(state) else -value


def probe_tables(game: Any, tables: Endings, state: Any) -> int | None:
    """The tables' value of a state that is not terminal; None if they do not have it."""
    value = int(probe(game, tables.address, state))
    check_whole(tables)
    return None if value == NONE else value


def check_whole(tables: Endings | None) -> None:
    """Raise an error if a block of the tables is damaged: a damaged block never gives a value."""
    if tables is not None and tables.damaged:
        raise SearchError("{} is damaged: the checksum of a block is wrong", tables.damaged)
