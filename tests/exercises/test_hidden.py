"""Exercises with hidden information: the solutions agree with the package, and variants pass or not."""

import random

import numpy as np
import pytest

import gambito
from gambito.exercises.counted import CountedGame
from gambito.exercises.regrets import COUNTERFACTUAL_REGRETS, REGRET_MATCHING, hidden_cases
from gambito.exercises.shooter import BATTLESHIP_SHOOTER, HUNTING, NO_ROOM
from gambito.game.gears import gears
from gambito.hidden.best_response import new_flow, unstopped, value_actions
from gambito.hidden.game_tree import set_key
from gambito.hidden.solver import tree_of
from tests.exercises import solutions

CASES = [case for case in hidden_cases() if "cards" not in case.game][::3]


def policy_of(game, case):
    """A function of what is seen, as `exploit` takes it."""
    return lambda seen: dict(enumerate(case.policy[game.text(seen)]))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}-{case.player}")
def test_a_best_response_is_worth_what_the_package_says(case):
    game = gambito.load(case.game)
    told = gambito.exploit(game, policy_of(game, case), gear="python").responses[case.player]
    assert case.ask(solutions.best_response).value == pytest.approx(told, abs=1e-8)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}-{case.player}")
def test_regrets_are_those_of_the_package(case):
    game = gambito.load(case.game)
    tree, plan = tree_of(game, "python", 64)
    places, waiting = {}, [game.initial()]
    while waiting:
        state = waiting.pop()
        if not game.is_terminal(state):
            mover = game.player(state)
            waiting += [game.result(state, action) for action in game.actions(state)]
            if mover >= 0:
                found = tree.find(set_key(game, gears(game).cast(state), mover))
                places[game.text(game.observe(state, mover))] = slice(*tree.first[found : found + 2]), mover
    policy = np.ones(int(tree.first[-1]))
    for name, (place, _) in places.items():
        policy[place] = case.policy[name]
    held = new_flow(policy)
    walked = gears(tree.unrolled).in_gear("python")
    value_actions(walked, plan, held, case.player, unstopped(walked))
    wanted = {}
    for name, (place, mover) in places.items():
        if mover == case.player:
            wanted[name] = held.flow[place] - policy[place] @ held.flow[place]
    told = case.ask(solutions.counterfactual_regrets).value
    assert told.keys() == wanted.keys()
    for name, regrets in wanted.items():
        assert told[name] == pytest.approx(regrets, abs=1e-8)


def test_the_solutions_together_are_cfr():
    game = CountedGame(gambito.load("kuhn-poker"), 10**9)
    totals, average = {}, {}
    names = next(case for case in hidden_cases() if case.game == "kuhn-poker").policy
    policy = {name: [0.5, 0.5] for name in names}
    for number in range(300):
        for player in (0, 1):
            found = solutions.counterfactual_regrets(game, game.initial(), policy, player)
            for name, regrets in found.items():
                totals[name] = [max(a + b, 0) for a, b in zip(totals.get(name, [0, 0]), regrets, strict=True)]
                policy[name] = solutions.regret_matching(totals[name])
        for name, shares in policy.items():
            first = name.split()[0]
            own = policy[first][0] if name.endswith("pb") else 1.0
            kept = average.get(name, [0, 0])
            average[name] = [a + number * own * b for a, b in zip(kept, shares, strict=True)]
    policy = {name: [each / sum(sums) for each in sums] for name, sums in average.items()}
    best = [solutions.best_response(game, game.initial(), policy, player) for player in (0, 1)]
    assert 0 <= sum(best) < 0.02


@pytest.mark.parametrize("seed", range(3))
def test_a_shooter_may_leave_equal_cells_to_chance(seed):
    rng = random.Random(seed)

    def shoot(board, ships):
        if rng.random() < 0.5:
            return solutions.shoot(board, ships)
        row, column = solutions.shoot([line[::-1] for line in board[::-1]], ships)
        return 4 - row, 4 - column

    assert BATTLESHIP_SHOOTER.check(shoot) is None


@pytest.mark.parametrize("seed", range(3))
def test_hunting_at_random_is_recognised(seed):
    rng = random.Random(seed)

    def shoot(board, ships):
        left = [(row, column) for row in range(5) for column in range(5) if board[row][column] == "?"]
        hits = [(row, column) for row in range(5) for column in range(5) if board[row][column] == "X"]
        near = [(r, c) for r, c in left if any(abs(r - y) + abs(c - x) == 1 for y, x in hits)]
        return rng.choice(near or left)

    wrong = BATTLESHIP_SHOOTER.check(shoot)
    assert wrong is not None and wrong.mistake in (NO_ROOM, HUNTING)


@pytest.mark.parametrize(
    "shot, kind, reason",
    [
        ((5, 0), "value", "the cell (5, 0) is not on the board"),
        ((0, -1), "value", "the cell (0, -1) is not on the board"),
        ((0, 0), "value", "the cell (0, 0) is shot at twice"),
        (None, "type", "it returns None instead of a pair (row, column): perhaps a return is missing"),
        ("b2", "type", "it returns 'b2' instead of a pair (row, column)"),
        ((0.5, 1), "type", "it returns (0.5, 1) instead of a pair (row, column)"),
    ],
)
def test_a_shot_that_is_not_allowed(shot, kind, reason):
    wrong = BATTLESHIP_SHOOTER.check(lambda board, ships: shot)
    assert (wrong.kind, str(wrong.reason)) == (kind, reason)


@pytest.mark.parametrize(
    "answer, is_right",
    [
        (lambda shares: np.array(shares), True),
        (lambda shares: tuple(map(np.float32, shares)), False),  # thirds are not exact enough
        (lambda shares: np.array(shares) * np.nan, False),
        (lambda shares: np.float64("nan"), False),
        (lambda shares: shares[:-1], False),
        (lambda shares: dict(enumerate(shares)), False),
        (lambda shares: None, False),
    ],
)
def test_answers_of_other_types(answer, is_right):
    wrong = REGRET_MATCHING.check(lambda regrets: answer(solutions.regret_matching(regrets)))
    assert (wrong is None) is is_right


@pytest.mark.parametrize("answer", [None, [], {"J?": None}, {"J?": [np.nan, 0]}, {"nothing": [0, 0]}, 0.5])
def test_no_dictionary_of_regrets(answer):
    assert COUNTERFACTUAL_REGRETS.check(lambda *given: answer) is not None
