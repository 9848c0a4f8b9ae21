"""Expectiminimax: minimax with expectations at chance nodes. Without MIN it is expectimax.

Michie, Game-playing and game-learning automata (1966); Russell & Norvig, Artificial Intelligence, §5.5.
"""

from gambito.game.contract import CHANCE, NO_ACTION
from gambito.native import native
from gambito.search.algorithm import VALUE, WITH, DepthSearch, Fits
from gambito.search.classic.leaf import leaf_kind, leaf_value
from gambito.search.question import Answer, Question


@native
def expectiminimax(game, state, depth, watch):
    """The value of the state for MAX (player 0), `depth` plies ahead, including rolls.

    result == true value of the tree cut off at `depth`.
    """
    hint = watch.enter(game, state, depth, -game.infinity, game.infinity)
    player = game.player(state)
    kind = leaf_kind(game, state, depth, watch)
    if kind:
        value = leaf_value(game, state, depth, kind, watch)
        return watch.leave(depth, -value if player == 1 else value)
    if player == CHANCE:
        total = 0.0
        for outcome, probability in game.chances(state):
            listed = watch.choose(depth, outcome, NO_ACTION)
            total += probability * expectiminimax(game, game.result(state, listed), depth - 1, watch)
        return watch.leave(depth, total)
    best = game.infinity if player == 1 else -game.infinity
    for listed in game.actions(state):
        action = watch.choose(depth, listed, hint)
        value = expectiminimax(game, game.result(state, action), depth - 1, watch)
        if (player == 0 and value > best) or (player == 1 and value < best):
            best = value
            watch.best(depth, action, value)
    return watch.leave(depth, best)


def run(question: Question) -> Answer:
    return Answer(question.for_mover(expectiminimax(*question.root, question.watch)))


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
        fits=Fits(WITH, players=(1,)),
        holds=VALUE,
        frame="max",
        windowed=False,
    ),
)
