"""The conformance check of games that hide something: each problem is told with the games that show it."""

from __future__ import annotations

import random
import time
from typing import NamedTuple

import pytest

import gambito
from gambito import CHANCE, NOBODY, Game
from gambito.game.check_hidden import hidden_problems


class State(NamedTuple):
    """Two cards of 1 to 3 and the moves so far; 0: not dealt, or not seen."""

    first: int
    second: int
    moves: int  # behind a leading 1
    ply: int


class Cards(Game):
    """Each gets a card; the first says low or high, then the second does; the higher card wins."""

    name = "cards"
    chance = hidden = True
    value = float
    longest = 4

    def initial(self):
        return State(0, 0, 1, 0)

    def player(self, state):
        return CHANCE if state.ply < 2 else state.ply % 2

    def actions(self, state):
        if state.ply < 2:
            for card in range(1, 4):
                if card != state.first:
                    yield card
        else:
            yield 0
            yield 1

    def chances(self, state):
        for card in self.actions(state):
            yield card, 1.0 / (3 - state.ply)

    def result(self, state, action):
        if state.ply == 0:
            return State(action, 0, 1, 1)
        if state.ply == 1:
            return State(state.first, action, 1, 2)
        return State(state.first, state.second, 2 * state.moves + action, state.ply + 1)

    def is_terminal(self, state):
        return state.ply == 4

    def utility(self, state, player):
        won = 1.0 if state.first > state.second else -1.0
        return won if player == 0 else -won

    def observe(self, state, player):
        first = state.first if player == 0 else 0
        second = state.second if player == 1 else 0
        return State(first, second, state.moves, state.ply)

    def imagine(self, seen, player, rng):
        card = 1 + rng.below(3)
        while card == seen.first or card == seen.second:
            card = 1 + rng.below(3)
        return State(seen.first or card, seen.second or card, seen.moves, seen.ply)


def problems(**rules):
    """What the check says about the game with other rules."""
    game = type("Wrong", (Cards,), {"compiles": False, **rules})()
    return list(hidden_problems(game, random.Random(0)))


def told(problem, **rules):
    """The check tells that problem, in one line."""
    found = problems(**rules)
    assert found and all("\n" not in line for line in found)
    assert any(problem in line for line in found), found
    return next(line for line in found if problem in line)


def test_right_rules_have_no_problem():
    assert problems() == []
    assert gambito.check(Cards()).problems == []


def test_a_view_that_changes_when_it_is_seen_again():
    def observe(self, state, player):
        seen = Cards.observe(self, state, player)
        return seen._replace(moves=seen.moves + 1) if player == 0 and state.ply > 2 else seen

    line = told("observe is not the same when it is applied twice for player 0", observe=observe)
    assert "after" in line


def test_a_leak_to_spectators():
    def observe(self, state, player):
        return state._replace(second=0) if player != 1 else state._replace(first=0)

    assert "a spectator sees more than player 1" in told("a spectator sees more", observe=observe)


def test_a_leak_in_another_field():
    """A key of all cards is kept in the state: the world that is imagined has another one."""

    def observe(self, state, player):
        seen = Cards.observe(self, state, player)
        return (
            seen._replace(moves=seen.moves + 100 * (state.first + 4 * state.second))
            if state.moves < 100
            else seen
        )

    def imagine(self, seen, player, rng):
        world = Cards.imagine(self, seen, player, rng)
        return world._replace(moves=world.moves % 100)

    line = told("observe shows too much, or imagine changes what is seen", observe=observe, imagine=imagine)
    assert "imagines a world that looks like" in line


def test_nothing_is_hidden():
    told("observe shows every state as it is to everybody", observe=lambda self, state, player: state)


def test_actions_that_differ_between_worlds_that_look_alike():
    def actions(self, state):
        yield from Cards.actions(self, state)
        if state.ply >= 2 and state.first == 3 and state.second:
            yield 2

    line = told("the actions differ in two states that look alike to player 1", actions=actions)
    assert line.count("after") == 2


def test_a_forgotten_past():
    def observe(self, state, player):
        seen = Cards.observe(self, state, player)
        return seen._replace(moves=1)

    def second_round(self, state):
        return CHANCE if state.ply < 2 else 0

    line = told("player 0 forgets what it saw or did", observe=observe, player=second_round)
    assert line.count("after") == 2
    assert not any(
        "forgets" in line for line in problems(observe=observe, player=second_round, recalls=False)
    )


def test_a_world_that_is_never_imagined():
    def imagine(self, seen, player, rng):
        card = 1 if 1 not in (seen.first, seen.second) else 2
        return State(seen.first or card, seen.second or card, seen.moves, seen.ply)

    line = told("never in", imagine=imagine)
    assert line.count("after") == 2


def test_worlds_with_the_wrong_weight():
    def imagine(self, seen, player, rng):
        cards = [card for card in (1, 2, 3) if card not in (seen.first, seen.second)]
        card = cards[rng.below(7) // 6]
        return State(seen.first or card, seen.second or card, seen.moves, seen.ply)

    assert "and chance makes it 60 times" in told("times in 120", imagine=imagine)


def test_a_world_that_cannot_be():
    def imagine(self, seen, player, rng):
        card = 1 + rng.below(3)
        return State(seen.first or card, seen.second or card, seen.moves, seen.ply)

    told("imagines a state that cannot be", imagine=imagine)


@pytest.mark.thorough
@pytest.mark.parametrize("draws", [True, False])
def test_an_imagine_that_loops_is_told_in_one_sentence(draws):
    def imagine(self, seen, player, rng):
        while True:
            if draws and rng.below(3) == 7:
                return seen

    began = time.process_time()
    line = told("imagine does not come to an end", imagine=imagine)
    assert "after" in line and time.process_time() - began < 20


def test_an_imagine_that_raises():
    def imagine(self, seen, player, rng):
        raise KeyError("no card")

    told("imagine raises KeyError", imagine=imagine)


def test_gears_that_differ():
    """The compiled code has the constant of another time."""

    def observe(self, state, player):
        return State(0, state.second if player == 1 else 0, state.moves, state.ply)

    class Differs(Cards):
        name = "differs"

    game = Differs()
    plain = Differs.observe
    Differs.observe = lambda self, state, player: plain(self, state, player)
    Differs.observe.plain = observe  # what is compiled
    found = list(hidden_problems(game, random.Random(0)))
    assert any("observe for player 0 differs between the gears" in line for line in found), found


@pytest.mark.thorough
def test_a_large_game_is_checked_in_bounded_time():
    began = time.process_time()
    assert gambito.check("goofspiel:cards=8,order=random").ok
    assert time.process_time() - began < 60


def test_a_spectator_is_nobody():
    game = Cards()
    assert game.observe(game.result(game.initial(), 2), NOBODY) == State(0, 0, 1, 1)
