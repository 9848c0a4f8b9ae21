"""Exercise: B*, which stops when one action is proven to be the best."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterable
from typing import Any

from gambito.exercises.counted import TooManySteps
from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.trial import StudentAnswer, Trial, with_mistakes, wrong_type
from gambito.words.sentence import Sentence

PROVE, DISPROVE = "prove-best", "disprove-rest"
MOST_ASKED = 200
STEPS = 5  # expansions after which the bounds of an action meet
CASES = 90

HOPEFUL = "it takes the action with the highest optimistic bound, without a proof"
CAUTIOUS = "it takes the action with the highest pessimistic bound, without a proof"
UNEQUAL = "the pessimistic bound of the best must exceed the others, although equal is enough"
SWAPPED = "the two strategies are exchanged"
ALL_EXPANDED = "every action is expanded before the proof is tried again"
ITSELF = "the best is compared with its own optimistic bound too, so that its bounds must meet"


@dataclasses.dataclass(frozen=True)
class Ranges:
    """The bounds of the root's actions, as they become with every expansion."""

    courses: tuple[tuple[tuple[int, int], ...], ...]  # of each action, step by step: pessimistic, optimistic
    strategy: str

    @property
    def text(self) -> str:
        return "; ".join(" → ".join(f"{low}…{high}" for low, high in course) for course in self.courses)

    @property
    def given(self) -> str:
        return f"strategy={self.strategy}"

    def ask(self, function: Callable[..., Any]) -> StudentAnswer:
        steps, asked = [0] * len(self.courses), []

        def expand(action: Any) -> tuple[int, int]:
            asked.append(action)
            if len(asked) > MOST_ASKED:
                raise TooManySteps(
                    Sentence("it calls expand more than {} times and does not end", MOST_ASKED)
                )
            if action not in range(len(self.courses)):
                reason = Sentence(
                    "an action is a number from 0 to {}, not {}", len(self.courses) - 1, repr(action)
                )
                raise ValueError(reason)
            course = self.courses[action]
            steps[action] = min(steps[action] + 1, len(course) - 1)
            return course[steps[action]]

        answer = function([course[0] for course in self.courses], expand, self.strategy)
        return StudentAnswer((answer, tuple(asked)), len(asked))

    def smaller(self) -> Iterable[Ranges]:
        if len(self.courses) > 2:
            for place in range(len(self.courses)):
                rest = self.courses[:place] + self.courses[place + 1 :]
                yield dataclasses.replace(self, courses=rest)
        for place, course in enumerate(self.courses):
            if len(course) > 2:
                shorter = (*course[:-2], course[-1])
                yield dataclasses.replace(
                    self, courses=(*self.courses[:place], shorter, *self.courses[place + 1 :])
                )

    def shown(self) -> tuple[str, str]:
        return "", ""


def _b_star(
    bounds: list[tuple[int, int]], expand: Callable[[int], tuple[int, int]], strategy: str, mistake: str = ""
) -> int:
    """B* at the root, with a mistake."""
    held = list(bounds)
    while True:
        order = sorted(range(len(held)), key=lambda action: -held[action][1])
        best, other = order[0], order[1]
        low = held[best][0]
        high = max(held[a][1] for a in range(len(held)) if a != best or mistake == ITSELF)
        if mistake == CAUTIOUS:
            return max(range(len(held)), key=lambda action: held[action][0])
        if mistake == HOPEFUL or (low > high if mistake == UNEQUAL else low >= high):
            return best
        if all(low == high for low, high in held):
            return best  # they are equal: `UNEQUAL` and `ITSELF` would go on
        is_proof = (strategy == PROVE) != (mistake == SWAPPED)
        chosen = best if is_proof else other
        if held[chosen][0] == held[chosen][1]:
            chosen = other if is_proof else best  # nothing is left to learn about it
        for action in range(len(held)) if mistake == ALL_EXPANDED else [chosen]:
            held[action] = expand(action)


def _judge(case: Ranges, answer: StudentAnswer) -> Wrong | None:
    chosen, asked = answer.value
    if isinstance(chosen, bool) or chosen not in range(len(case.courses)):
        return wrong_type(chosen, "the number of an action")
    right, ours = case.ask(_b_star).value
    final = [course[min(asked.count(a), len(course) - 1)] for a, course in enumerate(case.courses)]
    rest = max(high for action, (_, high) in enumerate(final) if action != chosen)
    if final[chosen][0] < rest:
        reason = Sentence(
            "the action {} is not proven: it is at least {}, and another at most {}",
            chosen,
            final[chosen][0],
            rest,
        )
        return Wrong(reason, gave=chosen, right=right)
    if len(asked) > len(ours):
        reason = Sentence("expansions: {}; necessary with this strategy: {}", len(asked), len(ours))
        return Wrong(reason, "leaves", gave=len(asked), right=len(ours))
    if asked != ours:
        reason = Sentence("it expands {} where {} is right", str(list(asked)), str(list(ours)))
        return Wrong(reason, "value", gave=str(list(asked)), right=str(list(ours)))
    return None


def _cases() -> list[Ranges]:
    rng = random.Random(11)
    found = []
    for number in range(CASES):
        values = [rng.randint(0, 20) for _ in range(rng.randint(2, 4))]
        courses = []
        for value in values:
            low, high = value - rng.randint(0, 9), value + rng.randint(0, 9)
            course = [(low, high)]
            for step in range(STEPS):
                is_last = step == STEPS - 1
                low = value if is_last else rng.randint(low, value)
                high = value if is_last else rng.randint(value, high)
                course.append((low, high))
            courses.append(tuple(course))
        if len({high for (_, high), *_ in courses}) == len(courses):  # ties would leave a choice
            found.append(Ranges(tuple(courses), (PROVE, DISPROVE)[number % 2]))
    return sorted(found, key=lambda case: (len(case.courses), case.text))


B_STAR = Exercise(
    name="b-star",
    title="B*: stop when one action is proven to be better than the others.",
    task="""Write b_star(bounds, expand, strategy). Each action of the root has a pessimistic and an \
optimistic bound of its value: bounds is a list of pairs. expand(action) searches below an action \
and returns its new, tighter pair. Return the number of the best action as soon as its pessimistic \
bound is at least the optimistic bounds of all others.

The best action is the one with the highest optimistic bound. The strategy "prove-best" expands it, \
to raise its pessimistic bound; "disprove-rest" expands the one with the second highest optimistic \
bound, to lower that. If the bounds of the chosen one have met, expand the other of these two.""",
    checked="The proof, and which actions are expanded, with both strategies.",
    hint="Look again, after every expansion, which optimistic bounds are the two highest; of equal ones, \
the first.",
    lesson="algorithms/b-star.md",
    start='''"""B*: stop when one action is proven to be better than the others."""


def b_star(bounds, expand, strategy):
    """The number of the action that is proven to be the best."""
    held = list(bounds)
    return 0


if __name__ == "__main__":
    values = [4, 7]
    print(b_star([(0, 6), (3, 9)], lambda action: (values[action], values[action]), "prove-best"))  # 1
''',
    check=Trial(
        _cases,
        _judge,
        with_mistakes(_b_star, (HOPEFUL, CAUTIOUS, UNEQUAL, SWAPPED, ALL_EXPANDED, ITSELF)),
    ),
)
