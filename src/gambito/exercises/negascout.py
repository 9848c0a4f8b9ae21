"""Exercise: NegaScout."""

from __future__ import annotations

import math
from typing import Any

from gambito.exercises.alpha_beta import UNTURNED
from gambito.exercises.exercise import Exercise
from gambito.exercises.minimax import EVERY_PLY, FOR_MAX
from gambito.exercises.positions import Position, boards, judge_bounds, positions, takes_turns, windows
from gambito.exercises.trees import trees
from gambito.exercises.trial import IN_TURN, Trial, with_mistakes
from gambito.exercises.windows import ALWAYS_AGAIN, NEVER_AGAIN, OPEN_WINDOW, few_leaves

FIXED_WINDOW = "the null window stays where the first action has put it"


def _negascout(
    game: Any, state: Any, depth: int, alpha: Any, beta: Any, mistake: str = "", turn: int | None = None
) -> Any:
    """NegaScout with a mistake; `turn` is the player to move if players take turns."""
    player = turn if mistake == IN_TURN and turn is not None else game.player(state)
    side = 0 if mistake == FOR_MAX else player
    if game.is_terminal(state):
        return game.utility(state, side)
    if depth == 0:
        return game.evaluate(state, side)
    low, high = alpha, beta
    for place, action in enumerate(game.actions(state)):
        child = game.result(state, action)
        same = game.player(child) == player and mistake not in (EVERY_PLY, IN_TURN)

        def ask(begin: Any, end: Any, child: Any = child, same: bool = same) -> Any:
            if same:
                return _negascout(game, child, depth - 1, begin, end, mistake)
            begin, end = (begin, end) if mistake == UNTURNED else (-end, -begin)
            return -_negascout(game, child, depth - 1, begin, end, mistake, 1 - player)

        value = ask(low, high)
        again = low < value < beta and place > 0
        if again and mistake != NEVER_AGAIN:
            value = ask(low, beta)
        elif place > 0 and mistake == ALWAYS_AGAIN:
            value = ask(low, beta)
        low = max(low, value)
        if low >= beta:
            break
        if mistake != OPEN_WINDOW and (place == 0 or mistake != FIXED_WINDOW):
            high = low + 1
    return low


def _leaves(case: Position) -> tuple[int, int]:
    answer = case.ask(_negascout)
    return answer.leaves, answer.seen


NEGASCOUT = Exercise(
    name="negascout",
    title="NegaScout: one loop in which only the upper end of the window changes.",
    task="""Write negascout(game, state, depth, alpha, beta). It promises what alpha-beta promises. All \
actions are searched with the window (a, b): b is beta for the first one and a + 1 for the others. If the \
answer lies between a and beta, and the action is not the first, it is searched again up to beta.

Values are whole numbers. A function negascout(game, state, depth, alpha, beta, color) is called with color \
1 for MAX and -1 for MIN, and checked where the players take turns.""",
    checked="The value with an open window, the promise with random windows; and the leaves, counted \
over twelve well ordered trees of four plies.",
    hint="After each action a is the larger of a and the answer, and b is a + 1: set b last.",
    lesson="algorithms/negascout.md",
    start='''"""NegaScout: one loop in which only the upper end of the window changes."""

from math import inf


def negascout(game, state, depth, alpha, beta):
    """The value for the player to move, as far as it lies between alpha and beta."""
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)
    a, b = alpha, beta
    return a


if __name__ == "__main__":
    import gambito

    game = gambito.load("tree")
    print(negascout(game, game.parse("[[3,12,8],[2,4,6],[14,5,2]]"), 2, -inf, inf))  # 3
''',
    check=Trial(
        lambda: positions(trees(static=0.3), windows, boards(4), "negascout"),
        lambda case, answer: judge_bounds(case, answer, None),
        with_mistakes(
            _negascout,
            (
                UNTURNED,
                EVERY_PLY,
                IN_TURN,
                FOR_MAX,
                NEVER_AGAIN,
                FIXED_WINDOW,
                OPEN_WINDOW,
                ALWAYS_AGAIN,
            ),
        ),
        few_leaves(_leaves, (("depth", 4), ("alpha", -math.inf), ("beta", math.inf))),
        in_turn=takes_turns,
    ),
)
