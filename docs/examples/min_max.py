"""Min/max approximation: always expand the leaf on which the root's value depends most (Rivest 1987)."""

from math import inf, log

import numpy as np

from gambito import algorithm

PARENT, ACTION, FIRST, END, MOVER, NEXT, VISITS = range(7)  # what the tree holds of each node


@algorithm(source="Rivest 1987", ranges={"p": (2.0, 100.0), "room": (100_000, 10_000_000)})
def min_max(game, state, monitor, p=10.0, room=400_000):
    """Expand the leaf on which the root's value depends most."""
    tree, value, penalty = np.zeros((room, 7), np.int64), np.ones(room), np.zeros(room)
    tree[0, PARENT], tree[0, MOVER], used, node, here = -1, game.player(state), 1, 0, state
    monitor.begin(game, state)
    while used == 1 or (penalty[0] < inf and used + game.count(here) <= room and not monitor.is_stopped()):
        tree[node, FIRST], tree[node, END] = used, used + game.count(here)
        monitor.visit(game.count(here))
        for action in game.actions(here):  # expand the leaf; for player 0, values lie between 1 and 1023
            child = game.result(here, action)
            over = game.is_terminal(child)
            worth = monitor.leaf(0, game.utility(child, 0) if over else game.evaluate(child, 0), not over)
            value[used] = 1 + 1022 * (worth - game.lowest) / (game.highest - game.lowest)
            tree[used, PARENT], tree[used, ACTION], tree[used, MOVER] = node, action, game.player(child)
            penalty[used], used = inf if over else 0.0, used + 1
        while node >= 0:  # back up; the penalty of a child grows with its distance from the value
            first, end, is_max = tree[node, FIRST], tree[node, END], tree[node, MOVER] == 0
            value[node] = value[first:end].max() if is_max else value[first:end].min()
            penalty[node], tree[node, VISITS] = inf, tree[node, VISITS] + 1
            for child in range(first, end):
                distance = (p - 1 if is_max else p + 1) * abs(log(value[node] / value[child]))
                if distance + penalty[child] < penalty[node]:
                    penalty[node], tree[node, NEXT] = distance + penalty[child], child
            monitor.back_up(tree[node, VISITS], tree[node, VISITS] * (value[node] - 512) / 511)
            penalty[node], node = penalty[node] + log(end - first), tree[node, PARENT]
        node, here = 0, state
        monitor.begin(game, state)
        while tree[node, END] > 0 and penalty[0] < inf:  # go down to the leaf with the least penalty
            node = tree[node, NEXT]
            monitor.select(game, here, int(tree[node, ACTION]), tree[node, VISITS])
            here = game.result(here, int(tree[node, ACTION]))
    leaning = value[1 : tree[0, END]] * (1 - 2 * tree[0, MOVER])  # for the player to move
    monitor.decide(tree[1 + leaning.argmax(), ACTION])
    return (1 - 2 * tree[0, MOVER]) * ((value[0] - 1) / 1022 * (game.highest - game.lowest) + game.lowest)
