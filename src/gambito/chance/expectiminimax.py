"""Expectiminimax: minimax with expectations at chance nodes. Without MIN it is expectimax.

Michie, Game-playing and game-learning automata (1966); Russell & Norvig, Artificial Intelligence, §5.5.
"""

from gambito.game.contract import CHANCE, NO_ACTION
from gambito.memory.float_bounds import new_fraction_table, rests_on_horizon, serves
from gambito.native import int64, native
from gambito.search.algorithm import VALUE, WITH, DepthSearch, Fits, Option
from gambito.search.classic.leaf import leaf_kind, leaf_value
from gambito.search.task import SearchTask, TaskResult

SMALLEST = 1 / 1024  # MiB of a table that is not used


@native
def expectiminimax(game, state, depth, has_table, table, monitor):
    """The value of the state for MAX (player 0), `depth` plies ahead, including rolls.

    result == true value of the tree cut off at `depth`.
    With a table, a state that was searched as deep is not searched again.
    """
    hint = monitor.enter(game, state, depth, -game.infinity, game.infinity)
    player = game.player(state)
    kind = leaf_kind(game, state, depth, monitor)
    if kind:
        value = leaf_value(game, state, depth, kind, monitor)
        return monitor.leave(depth, -value if player == 1 else value)
    before = monitor.horizon()
    if has_table and depth < monitor.root():
        slot_key = table.slot_key(game.key(state))
        facts = table.probe(slot_key)
        if serves(facts, depth):
            if rests_on_horizon(facts):
                monitor.rest()
            return monitor.leave(depth, monitor.known(depth, table.low(slot_key)))
    if player == CHANCE:
        best = 0.0
        for outcome, probability in game.chances(state):
            child = game.result(state, monitor.choose(depth, outcome, NO_ACTION))
            best += probability * expectiminimax(game, child, depth - 1, has_table, table, monitor)
    else:
        best = game.infinity if player == 1 else -game.infinity
        for listed in game.actions(state):
            action = monitor.choose(depth, listed, hint)
            child = game.result(state, action)
            value = expectiminimax(game, child, depth - 1, has_table, table, monitor)
            if (player == 0 and value > best) or (player == 1 and value < best):
                best = value
                monitor.best(depth, action, value)
    if has_table and not monitor.is_stopped():
        rests = int64(monitor.horizon() > before)
        table.keep(table.slot_key(game.key(state)), depth, rests, NO_ACTION, best, best)
    return monitor.leave(depth, best)


def run(task: SearchTask) -> TaskResult:
    size = task.options.get("memory", 0)
    has_table = size > 0 and not task.rules.cycles  # in a cycle the value depends on the path
    table = task.session.keep("expectimax table", lambda: new_fraction_table(size or SMALLEST))
    return TaskResult(task.for_mover(expectiminimax(*task.root, has_table, table, task.monitor)))


ALGORITHMS = (
    DepthSearch(
        name="expectiminimax",
        summary="the whole tree: MAX takes the highest value, MIN the lowest, chance the expectation",
        source="Michie 1966; Russell & Norvig §5.5",
        run=run,
        fits=Fits(WITH),
        holds=VALUE,
        frame="max",
        windowed=False,
    ),
    DepthSearch(
        name="expectimax",
        summary="one player against chance: the action with the best expectation",
        source="Russell & Norvig §5.5",
        run=run,
        options=(Option("memory", 4, "MiB for the transposition table; 0: none", 0, 1 << 16),),
        fits=Fits(WITH, players=(1,)),
        holds=VALUE,
        frame="max",
        windowed=False,
    ),
)
