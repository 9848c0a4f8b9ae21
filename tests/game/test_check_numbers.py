"""The check finds numbers that are not sound."""

import random

import pytest

import gambito
from gambito.game.check_numbers import number_problems
from gambito.game.gears import gears
from gambito.games.chess import Chess


class Misses(Chess):
    def index(self, state):
        return super().index(state) + 1


class ForgetsMoves(Chess):
    def unmoves(self, state):
        yield from list(super().unmoves(state))[1:]


class Invents(Chess):
    def unmoves(self, state):
        yield from super().unmoves(state)
        yield state


def problems(game):
    return list(number_problems(game, random.Random(0)))


@pytest.mark.parametrize("spec", ["chess", "burnt-pancakes:count=4", "tic-tac-toe"])
def test_sound_numbers_pass(spec):
    game = gambito.load(spec)
    gears(game)  # furnished
    assert problems(game) == []


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("kind", "sentence"),
    [(Misses, "index gives"), (ForgetsMoves, "do not lead back"), (Invents, "does not lead there")],
)
def test_unsound_numbers_are_named(kind, sentence):
    assert any(sentence in problem for problem in problems(kind()))
