"""Exercise: an evaluation of tic-tac-toe that agrees with the results of games."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.positions import NUMBER
from gambito.exercises.trial import (
    PlainArguments,
    StudentAnswer,
    Trial,
    equal,
    is_number,
    trying,
    with_mistakes,
    wrong_type,
)
from gambito.game.registry import load
from gambito.words.sentence import Sentence

FOR_X = "the value is always X's"
NO_WINS = "a complete line counts no more than an open one"
TOO_LARGE = "open lines together count more than a win"
CONSTANT = "all positions before the end have the same value"
_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
MARKS = "XO"


def _evaluation(board: str, player: str, mistake: str = "") -> Any:
    """Counting open lines, with a mistake."""
    other = "O" if player == "X" else "X"
    if mistake == FOR_X:
        player, other = "X", "O"
    lines = ["".join(board[cell] for cell in line) for line in _LINES]
    if mistake != NO_WINS:
        for mark, value in ((player, 100), (other, -100)):
            if mark * 3 in lines:
                return value
    if "." not in board or mistake == CONSTANT:
        return 0
    mine = sum(other not in line for line in lines)
    theirs = sum(player not in line for line in lines)
    return (60 if mistake == TOO_LARGE else 1) * (mine - theirs)


@cache
def boards() -> dict[str, tuple[bool, int]]:
    """Every reachable board, emptier ones first: is it over, and its value for X in perfect play."""
    game = load("tic-tac-toe")
    values: dict[Any, int] = {}

    def value(state: Any) -> int:
        if state not in values:
            if game.is_terminal(state):
                values[state] = game.utility(state, 0)
            else:
                below = [value(game.result(state, action)) for action in game.legal(state)]
                values[state] = max(below) if game.player(state) == 0 else min(below)
        return values[state]

    value(game.initial())
    told = {game.text(s).replace("/", ""): (bool(game.is_terminal(s)), v) for s, v in values.items()}
    return dict(sorted(told.items(), key=lambda pair: (9 - pair[0].count("."), pair[0])))


def _judge(case: PlainArguments, answer: StudentAnswer) -> Wrong | None:
    if not is_number(answer.value):
        return wrong_type(answer.value, NUMBER)
    return None


def _orders(function: Callable[..., Any]) -> Wrong | None:
    """Zero-sum; wins above all others, losses below; and on average higher if X wins in perfect play."""
    known: dict[str, Any] = {}
    for board in boards():
        trying(board)
        known[board], other = function(board, "X"), function(board, "O")
        if not is_number(known[board]) or not is_number(other):
            return wrong_type(other if is_number(known[board]) else known[board], NUMBER)
        if not equal(known[board], -other):
            reason = Sentence(
                "for X the board is worth {} and for O {}: one must be minus the other", known[board], other
            )
            return Wrong(reason, "value", board)
    won = min(known[board] for board, (over, value) in boards().items() if over and value == 1)
    for board, (over, value) in boards().items():
        if (not over or value < 1) and known[board] >= won:
            reason = Sentence(
                "this board is not won for X and worth {}; a won one is worth {}", known[board], won
            )
            return Wrong(reason, "value", board, gave=known[board])
        if (not over or value > -1) and known[board] <= -won:
            reason = Sentence(
                "this board is not lost for X and worth {}; a lost one is worth {}", known[board], -won
            )
            return Wrong(reason, "value", board, gave=known[board])
    means = {}
    for wanted in (1, 0, -1):
        held = [
            known[board]
            for board, (over, value) in boards().items()
            if not over and value == wanted and board.count(".") % 2 == 1
        ]
        means[wanted] = sum(held) / len(held)
    if means[1] > means[0] > means[-1]:
        return None
    told = ", ".join(f"{means[wanted]:.3g}" for wanted in (1, 0, -1))
    reason = Sentence(
        "if X moves, boards that it wins, draws and loses are worth {} on average; this must decrease", told
    )
    return Wrong(reason, "value")


EVALUATION = Exercise(
    name="evaluation",
    title="An evaluation: what a board of tic-tac-toe seems to be worth, without a search.",
    task="""Write evaluation(board, player). board is a string of nine characters, X, O or a dot for \
an empty square, row by row; player is X or O. It returns a number that is higher if the board is \
better for that player.

What is good for one player is bad for the other: the value for O is minus the value for X. A board \
with three in a row is worth more than any other to the winner, and less to the loser. Of the boards \
where X moves, those that X wins in perfect play must be worth more to X on average than those it \
draws, and these more than those it loses.""",
    checked="All 5,478 boards that can occur.",
    hint="Count the lines in which only one player has marks; a complete line counts far more.",
    lesson="learning.md",
    start='''"""An evaluation: what a board of tic-tac-toe seems to be worth, without a search."""


def evaluation(board, player):
    """A number that is higher if the board is better for the player; board is a string such as X.O.X...O."""
    return 0


if __name__ == "__main__":
    print(evaluation("X...O....", "X"))
''',
    check=Trial(
        lambda: [
            PlainArguments((board, mark), f"{board} {mark}")
            for board in list(boards())[::12]
            for mark in MARKS
        ],
        _judge,
        with_mistakes(_evaluation, (FOR_X, NO_WINS, TOO_LARGE, CONSTANT)),
        _orders,
    ),
)
