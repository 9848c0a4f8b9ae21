"""The coefficients of an evaluation, and what each contributes to the value of a position.

A sum of named features (`linear`), of terms with two weights (`terms`), and the historical evaluations can be
read; of tables of patterns and networks only the size and the range of the weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gambito.errors import GameError, PositionError
from gambito.evaluate.compare import evaluations_of
from gambito.evaluate.files import USUAL
from gambito.evaluate.linear import Linear
from gambito.evaluate.terms import Terms
from gambito.game.contract import CHANCE, Game
from gambito.words.sentence import Sentence

BUFFER_WORDS = 1 << 14  # words for the inputs of a position


@dataclass(frozen=True)
class Coefficient:
    """A feature: its weights, and how much of it the position has, for the player to move."""

    name: str
    weights: tuple[float, ...]  # one; or one for the middle game and one for the endgame; or none
    amount: float


@dataclass(frozen=True)
class Shown:
    """An evaluation: its coefficients, or its size if they have no names."""

    evaluation: str
    form: str
    value: float
    worded: str  # the value as people write it
    coefficients: list[Coefficient]
    size: str = ""

    def as_dict(self) -> dict[str, Any]:
        told = [vars(one) | {"weights": list(one.weights)} for one in self.coefficients]
        return {**vars(self), "coefficients": told}


def show(game: Game, state: Any, names: list[str]) -> list[Shown]:
    """The evaluations with these names, or of these files, at a state that is not terminal."""
    if game.is_terminal(state) or game.player(state) == CHANCE:
        raise PositionError("an evaluation is shown in a position in which a player is to move")
    has_several = "evaluation" in game.parameters()
    if not has_several and type(game).evaluate is Game.evaluate:
        raise GameError("{} has no evaluation", game.label())
    if not names:
        chosen = game.parameters().get("evaluation", USUAL)
        known = evaluations_of(game)
        names = [chosen if chosen != USUAL or not known else known[0 if game.silent else -1]]
    return [_shown(game.judged_by(name) if has_several else game, state, name) for name in names]


def _shown(game: Any, state: Any, name: str) -> Shown:
    player = game.player(state)
    value = game.evaluate(state, player)
    about = (float(value), game.worded(value, player))
    told = game.explain(state)
    if told:
        rows = [Coefficient(n, () if c is None else (float(c),), float(amount)) for n, amount, c in told]
        return Shown(name, "historical", *about, rows)
    if not game.is_learned or game.form is None:
        return Shown(name, "hand", *about, [])
    if isinstance(game.form, Linear | Terms):
        listed = _linear if isinstance(game.form, Linear) else _terms
        return Shown(name, game.form.name, *about, listed(game, state))
    return Shown(name, game.form.name, *about, [], _size(game.weights.array))


def _amounts(game: Any, state: Any) -> Any:
    """How often each input counts."""
    buffer = np.zeros(BUFFER_WORDS, np.int64)
    end = game.inputs(state, buffer, 0)
    numbers, counts = buffer[:end:2], buffer[1:end:2]
    return np.bincount(numbers, counts, minlength=1)


def _linear(game: Any, state: Any) -> list[Coefficient]:
    amounts = _amounts(game, state)
    found, place = [], 0
    stages = game.form.read(game.weights.array)
    for stage, weights in enumerate(stages):
        for name, weight in weights.items():
            word = name if len(stages) == 1 else Sentence("{}, stage {}", Sentence(name), stage)
            amount = float(amounts[place]) if place < len(amounts) else 0.0
            found.append(Coefficient(word, (weight,), amount))
            place += 1
    return found


def _terms(game: Any, state: Any) -> list[Coefficient]:
    amounts = _amounts(game, state) / game.form.divisor
    amounts = np.append(amounts, np.zeros(2 * game.form.size - min(len(amounts), 2 * game.form.size)))
    found, place = [], 0
    for term in game.form.read(game.weights.array):
        for number, pair in enumerate(zip(term.middle, term.end, strict=True)):
            word = term.name if len(term.middle) == 1 else Sentence("{} {}", Sentence(term.name), number)
            amount = float(amounts[2 * place] + amounts[2 * place + 1])
            found.append(Coefficient(word, tuple(map(float, pair)), amount))
            place += 1
    return found


def _size(weights: Any) -> str:
    used = int(np.count_nonzero(weights))
    return Sentence(
        "{:,} weights, {:,} of them not 0, from {} to {}", len(weights), used, weights.min(), weights.max()
    )
