"""Exercise: retrograde analysis of a game that can go on forever."""

from __future__ import annotations

import random
from typing import Any

from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.trial import PlainArguments, StudentAnswer, Trial, shortened, with_mistakes, wrong_type
from gambito.words.sentence import Sentence

Moves = dict[str, list[str]]

DRAWN_AS_LOST = "a state that is neither won nor lost is taken as lost for the player to move"
ONE_IS_ENOUGH = "a state is taken as lost as soon as one action loses"
ONE_PASS = "each state is looked at once, before the states it leads to are known"
WINS_ONLY = "only the wins of the player to move are found, and no losses"


def _retrograde(
    moves: Moves, player: dict[str, int], winner: dict[str, int], mistake: str = ""
) -> dict[str, Any]:
    """Retrograde analysis with a mistake."""
    known: dict[str, Any] = dict(winner)
    changed = True
    while changed:
        changed = False
        for state, following in moves.items():
            if state in known:
                continue
            mine = player[state]
            losing = any if mistake == ONE_IS_ENOUGH else all
            if any(known.get(other) == mine for other in following):
                known[state], changed = mine, True
            elif mistake != WINS_ONLY and losing(known.get(other) == 1 - mine for other in following):
                known[state], changed = 1 - mine, True
        changed = changed and mistake != ONE_PASS
    rest = {
        state: 1 - player[state] if mistake == DRAWN_AS_LOST else None
        for state in moves
        if state not in known
    }
    return {**known, **rest}


def _judge(case: PlainArguments, answer: StudentAnswer) -> Wrong | None:
    right = _retrograde(*case.args)
    if not isinstance(answer.value, dict):
        return wrong_type(answer.value, "a dictionary")
    for state, wanted in sorted(right.items()):
        if state not in answer.value:
            return Wrong(Sentence("the state {} is missing", state), right=shortened(wanted))
        gave = answer.value[state]
        if gave != wanted or isinstance(gave, bool):
            return Wrong(
                Sentence("the state {} is wrong", state), gave=shortened(gave), right=shortened(wanted)
            )
    return None


def _cases() -> list[PlainArguments]:
    """Graphs of two to eight states; some states end the game, and the others may form cycles."""
    rng = random.Random(31)
    cases = []
    for count in sorted([2] * 12 + [3] * 20 + [4] * 20 + [5] * 12 + [6, 7, 8] * 8):
        names = [chr(ord("A") + place) for place in range(count)]
        ended = {name: rng.randint(0, 1) for name in names[1:] if rng.random() < 0.35}
        moves = {
            name: sorted(rng.sample(names, rng.randint(1, min(3, count))))
            for name in names
            if name not in ended
        }
        player = {name: rng.randint(0, 1) for name in names}
        cases.append(
            PlainArguments((moves, player, ended), f"moves={moves}, player={player}, winner={ended}")
        )
    return cases


RETROGRADE = Exercise(
    name="retrograde",
    title="Retrograde analysis: from the ends of the game backwards, even if the game has cycles.",
    task="""Write retrograde(moves, player, winner). States are letters. moves is a dictionary: the states \
that each state leads to. player says who moves in a state, 0 or 1. winner says who has won, for the \
states where the game is over; these have no moves.

It returns a dictionary with an entry for every state: 0 or 1 for the player who wins in perfect play, \
and None if neither can force a win because the game can go on forever.""",
    checked="Every state of graphs with two to eight states.",
    hint="Repeat until nothing changes: won if one action leads to a win, lost if all lead to losses. \
What is left is None.",
    lesson="endgames.md",
    start='''"""Retrograde analysis: from the ends of the game backwards, even if the game has cycles."""


def retrograde(moves, player, winner):
    """Who wins in each state: 0, 1, or None if the game goes on forever."""
    known = dict(winner)
    return known


if __name__ == "__main__":
    print(retrograde({"A": ["B", "C"], "B": ["A"]}, {"A": 0, "B": 1, "C": 1}, {"C": 0}))
    # {'C': 0, 'A': 0, 'B': 0}
''',
    check=Trial(
        _cases,
        _judge,
        with_mistakes(_retrograde, (DRAWN_AS_LOST, ONE_IS_ENOUGH, WINS_ONLY, ONE_PASS)),
    ),
)
