"""Exercises: solving a game (won or not), and proof numbers."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from typing import Any

from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.positions import (
    DEEPEST,
    Position,
    boards,
    leaves_of,
    positions,
    too_many,
    value_for_max,
)
from gambito.exercises.trees import trees
from gambito.exercises.trial import (
    IN_TURN,
    PlainArguments,
    StudentAnswer,
    Trial,
    equal,
    shortened,
    with_mistakes,
    wrong_type,
)
from gambito.search.classic.scout import test

DRAW_WINS = "a draw counts as a win"
ALWAYS_OR = "one good action is enough even if the opponent moves"
ALWAYS_AND = "all actions must be good even if the player moves"
FOR_MAX = "the result is always MAX's, for either player"
LOOKS_ON = "it continues although the answer is known"


def _is_won(game: Any, state: Any, player: int, mistake: str = "", turn: int | None = None) -> bool:
    """Solving with a mistake."""
    turn = game.player(state) if turn is None else turn
    side = 0 if mistake == FOR_MAX else player
    if game.is_terminal(state):
        value = game.utility(state, side)
        return bool(value >= 0 if mistake == DRAW_WINS else value > 0)
    mine = (turn if mistake == IN_TURN else game.player(state)) == side
    mine = {ALWAYS_OR: True, ALWAYS_AND: False}.get(mistake, mine)
    below = (_is_won(game, game.result(state, a), player, mistake, 1 - turn) for a in game.actions(state))
    if mistake == LOOKS_ON:
        below = list(below)  # type: ignore[assignment]
    return any(below) if mine else all(below)


def _judge_won(case: Position, answer: StudentAnswer) -> Wrong | None:
    if not isinstance(answer.value, bool):
        return wrong_type(answer.value, "True or False")
    player = dict(case.more)["player"]
    value = value_for_max(case)
    right = bool(value > 0 if player == 0 else value < 0)
    if answer.value != right:
        return Wrong("the answer is wrong", gave=answer.value, right=right)
    enough = leaves_of(lambda monitor: test(case.game, case.state, DEEPEST, 0, player == 1, monitor))
    return too_many(answer.leaves, enough)


def _both(rng: random.Random, name: str, text: str) -> Iterator[tuple[tuple[str, Any], ...]]:
    for player in (0, 1):
        yield (("player", player),)


SOLVING = Exercise(
    name="solve",
    title="Won or not: can this player force a win?",
    task="""Write solve(game, state, player). It returns True if that player wins, whatever the \
opponent does, and False if not. A win is a utility above 0 for the player; a draw is not a win.

If the player moves, one good action is enough; if the opponent moves, all must be good. Stop as soon \
as the answer is known.""",
    checked="The answer for both players, and the leaves: no more calls of utility than necessary, in \
the order of the actions.",
    hint="any(…) and all(…) over a generator stop as soon as the answer is known; over a list they do \
not.",
    lesson="algorithms/df-pn.md",
    start='''"""Won or not: can this player force a win?"""


def solve(game, state, player):
    """Does the player win, whatever the opponent does?"""
    if game.is_terminal(state):
        return game.utility(state, player) > 0
    return False


if __name__ == "__main__":
    import gambito

    game = gambito.load("nim:heaps=1-2")
    print(solve(game, game.initial(), 0))  # True
''',
    check=Trial(
        lambda: positions(trees(80), _both, boards(), "minimax"),
        _judge_won,
        with_mistakes(_is_won, (DRAW_WINS, ALWAYS_OR, ALWAYS_AND, FOR_MAX, IN_TURN, LOOKS_ON)),
    ),
)


# ---- proof numbers -------------------------------------------------------------------------------
SWAPPED = "OR and AND are swapped"
AS_OR = "an AND node is treated as an OR node"
LEAST_BOTH = "both numbers are minima, but one of them must be a sum"
SUM_BOTH = "both numbers are sums, but one of them must be the minimum"
PAIR_OF_ONE = "both numbers are taken from the same child"


def _proof_numbers(is_or: bool, children: Iterable[tuple[Any, Any]], mistake: str = "") -> tuple[Any, Any]:
    """Proof numbers with a mistake."""
    pairs = list(children)
    proofs, disproofs = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    is_or = {SWAPPED: not is_or, AS_OR: True}.get(mistake, is_or)
    if mistake == LEAST_BOTH:
        return min(proofs), min(disproofs)
    if mistake == SUM_BOTH:
        return sum(proofs), sum(disproofs)
    if mistake == PAIR_OF_ONE:
        return min(pairs) if is_or else min(pairs, key=lambda pair: pair[1])
    return (min(proofs), sum(disproofs)) if is_or else (sum(proofs), min(disproofs))


def _judge_numbers(case: PlainArguments, answer: StudentAnswer) -> Wrong | None:
    if not isinstance(answer.value, tuple | list) or len(answer.value) != 2:
        return wrong_type(answer.value, "a pair of numbers")
    right = _proof_numbers(*case.args)
    if all(map(equal, answer.value, right)):
        return None
    return Wrong("the pair is wrong", gave=shortened(tuple(answer.value)), right=str(right))


def _number_cases() -> list[PlainArguments]:
    rng = random.Random(12)
    pairs = [(1, 1), (0, math.inf), (math.inf, 0), (2, 3), (4, 1)]
    cases = [
        PlainArguments((is_or, [pair]), _told(is_or, [pair])) for pair in pairs for is_or in (True, False)
    ]
    for count in (2, 2, 2, 3, 3, 4) * 8:
        children = [
            rng.choice(pairs) if rng.random() < 0.3 else (rng.randint(1, 9), rng.randint(1, 9))
            for _ in range(count)
        ]
        is_or = rng.random() < 0.5
        cases.append(PlainArguments((is_or, children), _told(is_or, children)))
    return sorted(cases, key=lambda case: len(case.args[1]))


def _told(is_or: bool, children: list[tuple[Any, Any]]) -> str:
    return f"is_or={is_or}, children={children}"


PROOF_NUMBERS = Exercise(
    name="proof-numbers",
    title="Proof numbers: how many leaves are missing for a proof, and for a disproof.",
    task="""Write proof_numbers(is_or, children). children is a list of pairs: the proof number and the \
disproof number of each child. It returns the pair of the node: an OR node is proved by one child and \
disproved by all, an AND node the other way round.

Numbers may be 0, and infinite (math.inf) where no proof is possible.""",
    checked="The pair, for one to four children.",
    hint="The minimum if one child is enough, the sum if all are needed.",
    lesson="algorithms/df-pn.md",
    start='''"""Proof numbers: how many leaves are missing for a proof, and for a disproof."""


def proof_numbers(is_or, children):
    """The proof number and the disproof number of a node."""
    return 1, 1


if __name__ == "__main__":
    print(proof_numbers(True, [(2, 3), (1, 5)]))  # (1, 8)
''',
    check=Trial(
        _number_cases,
        _judge_numbers,
        with_mistakes(_proof_numbers, (SWAPPED, AS_OR, LEAST_BOTH, SUM_BOTH, PAIR_OF_ONE)),
    ),
)
