"""What the guide says about the compiler: what it takes, and what it does not."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from gambito.errors import CompileError
from gambito.native import Constant, native

GRID = np.arange(16).reshape(4, 4)
NUMBERS, TABLE = (1, 2, 3, 4), [1, 2, 3]


class Pair(NamedTuple):
    first: int
    second: int


PAIR = Pair(1, 2)


@native
def ask(game, x):
    return game.answer(x)


def rules(what: str, answer: object) -> object:
    return type(what.title().replace(" ", ""), (), {"answer": answer})()


def compiled(game: object) -> Constant:
    return Constant(game, f"tests.{type(game).__name__}", "1", {}, {})


def appended(self, x):
    items = [i for i in range(x) if i % 2]
    items.append(x)
    return sum(sorted(items)) + max(items)


def sets_and_dicts(self, x):
    met, named = {1, 2}, {1: 2}
    met.add(x)
    named[x] = 3
    return len(met) + named[x]


def work_array(self, x):
    work = np.zeros((x, 2), np.int8)
    work[0] = 1
    return work.sum()


def numbered(self, x):
    total = 0
    for place, (first, second) in enumerate(zip([1, 2], [3, x])):
        total += place * first * second
    return total


def matched(self, x):
    match x:
        case 3:
            return 1
        case _:
            return 2


def tried(self, x):
    try:
        return GRID[x, 0]
    except Exception:
        return 0


ACCEPTED = {
    "append": appended,
    "sets and dicts": sets_and_dicts,
    "nested comprehensions": lambda self, x: sum([i * j for i in range(x) for j in range(2)]),
    "a work array": work_array,
    "questions to arrays": lambda self, x: np.flatnonzero(x == GRID)[0] + np.count_nonzero(x < GRID),
    "slices of arrays": lambda self, x: np.any(GRID[1:3, :x] == 2),
    "turned arrays": lambda self, x: np.rot90(GRID)[0, 0] + GRID.copy().flat[x],
    "tuples": lambda self, x: NUMBERS[x] + (NUMBERS + (x,))[4] + NUMBERS[1:3][0],  # noqa: RUF005
    "a tuple sliced with a variable": lambda self, x: (NUMBERS[:x] + (x,) + NUMBERS[x:])[3],  # noqa: RUF005
    "the tuple of a list": lambda self, x: tuple([x, 2])[1],  # noqa: C409
    "NumPy's numbers by Python's names": lambda self, x: np.zeros(x, bool).sum() + np.ones(x, dtype=int)[0],
    "any and all": lambda self, x: any(i > 2 for i in range(x)) + all({1, x}) + any(GRID[0] > 8),
    "generator expressions": lambda self, x: (
        sum(i * x for i in range(x) if any(i < j for j in range(x))) + tuple(i for i in range(x))[1]
    ),
    "any and all along an axis": lambda self, x: (
        (x < GRID).any(axis=0).sum() + np.all(GRID >= 0, axis=1).sum() + GRID.all(1).sum()
    ),
    "more of NumPy": lambda self, x: (
        np.array(GRID)[0, 0] + np.trace(GRID) + np.clip(x, 0, 2) + GRID[0].tolist()[0]
    ),
    "_replace": lambda self, x: PAIR._replace(second=x).second + PAIR._replace().first,
    "a lambda": lambda self, x: (lambda y: y + 1)(x),
    "an f-string": lambda self, x: len(f"{x}"),
    "enumerate and zip": numbered,
    "match": matched,
    "try": tried,
}


@pytest.mark.slow
@pytest.mark.parametrize("what", ACCEPTED)
def test_what_the_guide_lists_as_compiled_is(what):
    game = rules(what, ACCEPTED[what])
    assert ask(compiled(game), 3) == game.answer(3)


def steps(x):
    yield from range(x)


REFUSED = {
    "a list from outside": lambda self, x: TABLE[x - 3],
    "yield from": lambda self, x: [i for i in steps(x)][0],  # noqa: C416, RUF015
    "reversed": lambda self, x: [i for i in reversed(range(x))][0],  # noqa: C416, RUF015
    "a variable index into a tuple of several types": lambda self, x: (1, 2.0, 3)[x - 3],
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_the_guide_lists_as_refused_is(what):
    with pytest.raises(CompileError):
        ask(compiled(rules(what, REFUSED[what])), 3)
