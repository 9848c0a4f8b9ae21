"""Max^n equals vectors by definition, pruned or not, in both gears; MP-Mix chooses as its paper says."""

from __future__ import annotations

import random

import pytest

import gambito
from gambito.draw import draw_text
from gambito.many.mp_mix import MAX_N, OFFENSIVE, PARANOID, strategy
from tests.many.forests import Dice, Forest, Node, vector

QUICK, WHOLE = 60, 2_000


def check_trees(count: int, seed: int, gear: str, **given) -> tuple[int, int]:
    """Random trees of 2 to 5 players; the nodes visited without and with pruning."""
    rng = random.Random(seed)
    kinds = {n: Forest(n, **given) for n in range(2, 6)}
    plain = pruned = 0
    for _ in range(count):
        game = kinds[rng.randrange(2, 6)]
        height = rng.randrange(1, 6)
        state = Node(rng.randrange(1 << 31), 0, height)
        depth = rng.choice((height, max(1, height - 1)))
        truth = vector(game, state, depth)
        whole = gambito.search(game, state, "max-n", depth=depth, gear=gear, prune=False)
        found = gambito.search(game, state, "max-n", depth=depth, gear=gear)
        assert whole.values == found.values == truth, (game.label(), state, depth)
        assert found.value == truth[game.player(state)]
        assert found.line == whole.line and found.nodes <= whole.nodes
        below = vector(game, game.result(state, found.action), depth - 1)
        assert below == truth
        assert found.exact == (depth == height)
        plain, pruned = plain + whole.nodes, pruned + found.nodes
    return plain, pruned


def test_random_trees():
    plain, pruned = check_trees(QUICK, 1, "python")
    assert pruned < plain


def test_random_trees_of_compiled_code():
    plain, pruned = check_trees(QUICK // 3, 2, "native")
    assert pruned < plain


def test_games_of_any_sum():
    """Nothing is known about the sum, so nothing is cut off."""
    plain, pruned = check_trees(QUICK // 3, 3, "python", shared=True)
    assert pruned == plain


@pytest.mark.slow
@pytest.mark.parametrize("gear", ["python", "native"])
def test_many_random_trees(gear):
    check_trees(WHOLE, 4, gear)


def test_bounds_cut_before_the_first_action():
    """A game that knows its bounds saves nodes and keeps its values."""

    class Known(Forest):
        def bounds(self, state):
            low, high = self.highest, self.lowest
            for leaf in leaves(self, state):
                value = self.worth(leaf, self.player(state))
                low, high = min(low, value), max(high, value)
            return low, high

    game, saved = Known(3, in_turn=True), 0
    for seed in range(60):
        state = Node(seed, 0, 4)
        given = {"algorithm": "max-n", "depth": 4, "gear": "python"}
        without = gambito.search(game, state, **given, bounds=False)
        found = gambito.search(game, state, **given)
        assert found.values == without.values == vector(game, state, 4)
        saved += without.nodes - found.nodes
    assert saved > 0


def leaves(game, state):
    if game.is_terminal(state):
        yield state
    else:
        for action in game.actions(state):
            yield from leaves(game, game.result(state, action))


@pytest.mark.parametrize("gear", ["python", "native"])
def test_chance(gear):
    game = Dice(3)
    for seed in range(40 if gear == "python" else 10):
        state = Node(seed, 0, 4)
        found = gambito.search(game, state, "max-n", depth=4, gear=gear)
        assert found.values == pytest.approx(vector(game, state, 4))


def test_two_players_are_minimax():
    game = Forest(2)
    for seed in range(50):
        state = Node(seed, 0, 4)
        given = {"depth": 4, "gear": "python"}
        truth = gambito.search(game, state, "negamax", **given)
        found = gambito.search(game, state, "max-n", **given)
        assert (found.value, found.action) == (truth.value, truth.action)


def test_among_some_actions():
    game = Forest(4)
    for seed in range(40):
        state = Node(seed, 0, 3)
        for action in game.legal(state):
            found = gambito.search(game, state, "max-n", depth=3, gear="python", root_actions=[action])
            assert found.action == action
            assert found.values == vector(game, game.result(state, action), 2)


def test_a_stopped_search_keeps_an_action():
    found = gambito.search(Forest(3), Node(5, 0, 40), "max-n", nodes=500)
    assert found.action in Forest(3).legal(Node(5, 0, 40))
    assert found.nodes <= 500


def test_a_game_of_chance_with_whole_numbers_is_refused():
    class Whole(Dice):
        value = int

    with pytest.raises(gambito.SearchError, match="needs values that are fractions"):
        gambito.search(Whole(3), None, "max-n", depth=2)


# ---- MP-Mix ------------------------------------------------------------------------------------------


class Race(Forest):
    """Values that a test sets."""

    scores = (0, 0, 0)
    compiles = False

    def player(self, state):
        return 0

    def evaluate(self, state, player):
        return self.scores[player]


@pytest.mark.parametrize(
    ("scores", "how", "leader"),
    [
        ((0, 0, 0), MAX_N, 0),
        ((9, -4, -5), PARANOID, 0),
        ((-9, 10, -1), OFFENSIVE, 1),
        ((-1, 2, -1), MAX_N, 1),
        ((3, 1, -4), MAX_N, 0),
    ],
)
def test_who_is_ahead_decides(scores, how, leader):
    game = Race(3)
    game.scores = scores
    assert strategy(game, game.initial(), 0.2, 0.2) == (how, leader)


def test_mp_mix_is_one_of_three():
    game, seen = Forest(3), set()
    for seed in range(60):
        state = Node(seed, 0, 4)
        how, leader = strategy(game, state, 0.2, 0.2)
        seen.add(how)
        given = {"depth": 4, "gear": "python"}
        found = gambito.search(game, state, "mp-mix", **given)
        if how == MAX_N:
            assert found.values == vector(game, state, 4)
        elif how == PARANOID:
            assert found.value == gambito.search(game, state, "paranoid", **given).value
        else:
            mover = game.player(state)
            lines = [least_for(game, game.result(state, a), 3, mover, leader) for a in game.actions(state)]
            assert found.values == min(lines, key=lambda values: values[leader])
    assert seen == {MAX_N, PARANOID, OFFENSIVE}


def least_for(game, state, depth, viewer, leader):
    """Vectors by definition, where `viewer` wants the leader to have little."""
    if game.is_terminal(state):
        return [game.utility(state, player) for player in range(game.players)]
    below = [least_for(game, game.result(state, a), depth - 1, viewer, leader) for a in game.actions(state)]
    if game.player(state) == viewer:
        return min(below, key=lambda values: values[leader])
    return max(below, key=lambda values: values[game.player(state)])


def test_a_record_has_vectors():
    game = Forest(3, in_turn=True)
    record = gambito.trace(game, Node(11, 0, 3), "max-n", depth=3)
    root = record.nodes[0].visits[-1]
    assert root.values == vector(game, Node(11, 0, 3), 3)
    drawn = draw_text(record)
    told = ", ".join(str(int(value)).replace("-", "−") for value in root.values)
    assert f"■ PLAYER 1  (−∞, +∞)  ({told})  #1" in drawn
    assert "MAX" not in drawn
