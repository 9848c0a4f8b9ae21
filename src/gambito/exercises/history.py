"""Exercise: the history heuristic."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from gambito.exercises.counted import CountedGame
from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.positions import Position, boards, judge_value, positions, value_of
from gambito.exercises.trees import trees
from gambito.exercises.trial import StudentAnswer, Trial, shortened, with_mistakes
from gambito.words.sentence import Sentence

UNSORTED = "the table is not used to order the actions"
WORST_FIRST = "the actions with the lowest scores come first"
SAME_BONUS = "every cut adds the same, however deep the search below it was"
SQUARED = "a cut adds the square of the depth, not 2 to its power"
LINEAR = "a cut adds the depth, not 2 to its power"
ALL_PRAISED = "all actions that were tried get the bonus, not only the one that cut"
EMPTIED = "the table is emptied instead of being continued"


def _history(
    game: Any,
    state: Any,
    depth: int,
    alpha: Any,
    beta: Any,
    table: dict[int, int],
    mistake: str = "",
    is_root: bool = True,
    best_too: bool = False,
) -> Any:
    """Alpha-beta with a history table and a mistake; `best_too`: the best action gets the bonus without a
    cut as well."""
    if mistake == EMPTIED and is_root:
        table.clear()
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)
    actions = game.actions(state)
    if mistake != UNSORTED:
        sign = 1 if mistake == WORST_FIRST else -1
        actions = sorted(actions, key=lambda action: sign * table.get(action, 0))
    best, good, tried = -math.inf, -1, []
    given = (table, mistake, False, best_too)
    for action in actions:
        tried.append(action)
        child = game.result(state, action)
        if game.player(child) == player:
            value = _history(game, child, depth - 1, alpha, beta, *given)
        else:
            value = -_history(game, child, depth - 1, -beta, -alpha, *given)
        if value > best:
            best, good = value, action
        if best >= beta:
            break
        alpha = max(alpha, best)
    if best >= beta or best_too:
        bonus = {SAME_BONUS: 1, SQUARED: depth * depth, LINEAR: depth}.get(mistake, 2**depth)
        for action in tried if mistake == ALL_PRAISED else [good]:
            table[action] = table.get(action, 0) + bonus
    return best


@dataclass(frozen=True)
class Remembered(Position):
    """A position with a table of scores, which the function reads and continues."""

    scores: tuple[tuple[int, int], ...] = ()

    @property
    def given(self) -> str:
        return f"{super().given}, table={dict(self.scores)}"

    def ask(self, function: Callable[..., Any]) -> StudentAnswer:
        game, table = CountedGame(self.game), dict(self.scores)
        value = function(game, self.state, *(value for _, value in self.more), table)
        held = {action: score for action, score in table.items() if score}
        return StudentAnswer((value, held), game.leaves, game.results, len(game.seen))

    def smaller(self) -> Iterator[Remembered]:
        for other in super().smaller():
            assert isinstance(other, Remembered)
            yield other

    def shown(self) -> tuple[str, str]:
        return Position(self.name, self.place, self.more, self.algorithm).shown()


_value = judge_value(value_of)


def _judge(case: Remembered, answer: StudentAnswer) -> Wrong | None:
    value, table = answer.value
    wrong = _value(case, StudentAnswer(value))
    if wrong is not None:
        return wrong
    right = [case.ask(_with_best(best_too)) for best_too in (False, True)]
    if not any(table == ours.value[1] for ours in right):
        reason = Sentence("the table is wrong after the search")
        return Wrong(reason, gave=shortened(table), right=shortened(right[0].value[1]))
    enough = max(ours.leaves for ours in right)
    if answer.leaves > enough:
        reason = Sentence("leaves looked at: {}; necessary: {}", answer.leaves, enough)
        return Wrong(reason, "leaves", gave=answer.leaves, right=enough)
    return None


def _with_best(best_too: bool) -> Callable[..., Any]:
    return lambda game, state, depth, alpha, beta, table: _history(
        game, state, depth, alpha, beta, table, best_too=best_too
    )


def _cases() -> list[Remembered]:
    plain = positions(trees(80, static=0.3), _whole, boards(4), "alpha-beta")
    cases = []
    for number, case in enumerate(plain):
        scores = () if number % 2 else ((1, 8), (2, 2 + number % 7))
        cases.append(Remembered(case.name, case.place, case.more, case.algorithm, scores=scores))
    return cases


def _whole(rng: Any, name: str, text: str) -> Iterator[tuple[tuple[str, Any], ...]]:
    """The open window, for the whole tree and for a search that stops before its end."""
    for depth in (6, rng.randint(1, 3)):
        yield (("depth", depth), ("alpha", -math.inf), ("beta", math.inf))


HISTORY = Exercise(
    name="history",
    title="The history heuristic: an action that has cut comes first elsewhere too.",
    task="""Write history(game, state, depth, alpha, beta, table), alpha-beta whose actions are ordered \
by a table of scores: a dictionary from actions to numbers, in which a missing action has 0. The \
highest score comes first; actions with equal scores keep their order.

When an action cuts, add 2 to the power of depth to its score. The table is continued: it may hold \
scores from an earlier search, and the same table goes to every call.""",
    checked="The value; the table after the search; and the leaves, in trees and near the end of other \
games.",
    hint="sorted keeps the order of equal ones: sorted(actions, key=lambda action: -table.get(action, 0)).",
    lesson="algorithms/killers-and-history.md",
    start='''"""The history heuristic: an action that has cut comes first elsewhere too."""

from math import inf


def history(game, state, depth, alpha, beta, table):
    """The value for the player to move, as far as it lies between alpha and beta."""
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)
    return 0


if __name__ == "__main__":
    import gambito

    game, table = gambito.load("tree"), {}
    print(history(game, game.parse("[[3,12,8],[2,4,6],[14,5,2]]"), 2, -inf, inf, table))  # 3
    print(table)  # {0: 2, 2: 2}
''',
    check=Trial(
        _cases,
        _judge,
        with_mistakes(_history, (UNSORTED, WORST_FIRST, SAME_BONUS, SQUARED, LINEAR, ALL_PRAISED, EMPTIED)),
    ),
)
