"""Exercises: minimax and negamax."""

from __future__ import annotations

from typing import Any

from gambito.exercises.exercise import Exercise
from gambito.exercises.positions import (
    boards,
    depths,
    judge_value,
    positions,
    takes_turns,
    value_for_max,
    value_of,
)
from gambito.exercises.trees import trees
from gambito.exercises.trial import IN_TURN, Trial, with_mistakes

MIN_AS_MAX = "MIN is treated as MAX"
MAX_AS_MIN = "MAX is treated as MIN"
SWAPPED = "MAX and MIN are swapped"
MAX_FIRST = "it assumes that MAX moves at the root and that the players take turns"
FOR_MOVER = "the utility is taken for the player to move, not for MAX"
FOR_MAX = "the leaf is valued for MAX, not for the player to move"
ALL_FOR_MAX = "the value is MAX's everywhere, not that of the player to move"
FROM_ZERO = "the best value begins at 0, so that values below it are lost"
FIRST_ONLY = "only the first action is looked at: the return stands inside the loop"
LAST_ONLY = "the last action counts, not the best"
NO_SIGN = "the sign is not changed for the other player"
EVERY_PLY = "the sign is changed at every ply, even if the same player moves again"
EARLY = "the search stops one ply too early"
NO_DEPTH = "the depth is not counted down"


def _minimax(game: Any, state: Any, turn: int | None = None, mistake: str = "") -> Any:
    """Minimax with a mistake."""
    player = game.player(state)
    if turn is None:
        turn = 0 if mistake == MAX_FIRST else player
    if game.is_terminal(state):
        return game.utility(state, player if mistake == FOR_MOVER else 0)
    values = [_minimax(game, game.result(state, a), 1 - turn, mistake) for a in game.actions(state)]
    if mistake in (FIRST_ONLY, LAST_ONLY):
        return values[0 if mistake == FIRST_ONLY else -1]
    is_max = {MIN_AS_MAX: True, MAX_AS_MIN: False, SWAPPED: player == 1}
    mover = turn if mistake in (IN_TURN, MAX_FIRST) else player
    best = max if is_max.get(mistake, mover == 0) else min
    return best([*values, 0]) if mistake == FROM_ZERO else best(values)


def _negamax(game: Any, state: Any, depth: int, mistake: str = "") -> Any:
    """Negamax with a mistake."""
    if mistake == IN_TURN:
        return _in_turn(game, state, depth, 1 - 2 * game.player(state))
    player = game.player(state)
    side = 0 if mistake in (FOR_MAX, ALL_FOR_MAX) else player
    if game.is_terminal(state):
        return game.utility(state, side)
    if depth == 0 or (mistake == EARLY and depth == 1):
        return game.evaluate(state, side)
    values = [0] if mistake == FROM_ZERO else []
    for action in game.actions(state):
        child = game.result(state, action)
        value = _negamax(game, child, depth if mistake == NO_DEPTH else depth - 1, mistake)
        turns = mistake == EVERY_PLY or (
            mistake not in (NO_SIGN, ALL_FOR_MAX) and game.player(child) != player
        )
        values.append(-value if turns else value)
    return min(values) if mistake == ALL_FOR_MAX and player == 1 else max(values)


def _in_turn(game: Any, state: Any, depth: int, color: int) -> Any:
    """Negamax as in the lectures: the color changes at every ply."""
    if game.is_terminal(state):
        return color * game.utility(state, 0)
    if depth == 0:
        return color * game.evaluate(state, 0)
    return max(-_in_turn(game, game.result(state, a), depth - 1, -color) for a in game.actions(state))


MINIMAX = Exercise(
    name="minimax",
    title="Minimax: the value of a state when both players play as well as they can.",
    task="""Write minimax(game, state). It returns the value of the state for MAX, who is player 0, when \
the game is played to its end: MAX takes the highest value, MIN the lowest.

Players need not take turns: game.player(state) says who moves.""",
    checked="The value, on leaves, on small trees where a player may move twice, and near the end of \
nim, tic-tac-toe and a small connect-four.",
    hint="A terminal state is worth game.utility(state, 0). In any other the values of its results are \
compared.",
    lesson="algorithms/minimax.md",
    start='''"""Minimax: the value of a state when both players play as well as they can."""


def minimax(game, state):
    """The value of the state for MAX, who is player 0."""
    if game.is_terminal(state):
        return game.utility(state, 0)
    return 0


if __name__ == "__main__":
    import gambito

    game = gambito.load("tree")
    print(minimax(game, game.parse("[[3,12,8],[2,4,6],[14,5,2]]")))  # 3
''',
    check=Trial(
        lambda: positions(trees(), others=boards(), algorithm="minimax"),
        judge_value(value_for_max),
        with_mistakes(
            lambda game, state, mistake: _minimax(game, state, None, mistake),
            (
                MIN_AS_MAX,
                MAX_AS_MIN,
                SWAPPED,
                MAX_FIRST,
                IN_TURN,
                FOR_MOVER,
                FROM_ZERO,
                FIRST_ONLY,
                LAST_ONLY,
            ),
        ),
    ),
)

NEGAMAX = Exercise(
    name="negamax",
    title="Negamax: one rule for both players, and a depth at which the search stops.",
    task="""Write negamax(game, state, depth). It returns the value of the state for the player to move, \
looking depth plies ahead: at depth 0 a state that is not terminal is worth game.evaluate(state, player).

A value for one player is minus the value for the other; the sign changes only where the player changes.

A function negamax(game, state, depth, color), as in the lectures, is called with color 1 for MAX and -1 for \
MIN, and checked where the players take turns.""",
    checked="The value at several depths, on trees where a player may move twice and with static values, \
and near the end of other games.",
    hint="Check is_terminal before the depth. Compare game.player(child) with game.player(state) \
before changing the sign.",
    lesson="algorithms/negamax.md",
    start='''"""Negamax: one rule for both players, and a depth at which the search stops."""


def negamax(game, state, depth):
    """The value of the state for the player to move, looking depth plies ahead."""
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)
    return 0


if __name__ == "__main__":
    import gambito

    game = gambito.load("tree")
    print(negamax(game, game.parse("[[3,12,8],[2,4,6],[14,5,2]]"), 2))  # 3
''',
    check=Trial(
        lambda: positions(trees(static=0.4), depths, boards(), "negamax"),
        judge_value(value_of),
        with_mistakes(
            _negamax, (NO_SIGN, EVERY_PLY, IN_TURN, FOR_MAX, ALL_FOR_MAX, FROM_ZERO, EARLY, NO_DEPTH)
        ),
        in_turn=takes_turns,
    ),
)
