"""Quiescence: no state is valued in the middle of an exchange.

At the horizon the player may accept the static value (stand pat), or play one of the game's `noisy` actions.
Beal, A generalised quiescence search algorithm (1990).
"""

from gambito.game.contract import NO_ACTION
from gambito.native import native

DEEPEST = 64  # noisy plies below the horizon


@native
def quiesce(game, state, left, alpha, beta, monitor):
    """The value of a state at the horizon for the player to move, if only noisy actions are searched.

    result <= alpha:  true value <= result
    result >= beta:   true value >= result
    otherwise:        true value == result
    """
    monitor.enter(game, state, 0, alpha, beta)
    player = game.player(state)
    if monitor.is_stopped():
        monitor.halt()
        return monitor.leave(0, game.repetition(state, player))
    if game.is_terminal(state):
        return monitor.leave(0, monitor.leaf(0, monitor.final(game, game.utility(state, player), 1), False))
    best = monitor.leaf(0, game.evaluate(state, player), True)  # stand pat
    if left > 0 and best < beta:
        for listed in game.noisy(state):
            action = monitor.choose(0, listed, NO_ACTION)
            child = game.result(state, action)
            if game.player(child) == player:
                value = quiesce(game, child, left - 1, max(alpha, best), beta, monitor)
            else:
                value = -quiesce(game, child, left - 1, -beta, -max(alpha, best), monitor)
            if value > best:
                best = value
                if best >= beta:
                    monitor.cut(0, action, best)
                    break
    return monitor.leave(0, best)
