"""`lines`: the best actions of a root, each with its own value and line, from one search."""

from __future__ import annotations

import random

import pytest

import gambito
from gambito.search.algorithm import DepthSearch, algorithms
from tests.support import EXACT, ChanceTree, Circle, TwiceRunner, minimax_truth, random_state, small

DEPTH = 4
VALUED = [n for n, a in algorithms().items() if isinstance(a, DepthSearch) and a.gives_value and n in EXACT]


def truths(game: gambito.Game, state, depth: int) -> dict[int, int]:
    """The value of each action, for the player to move."""
    sign = 1 if game.player(state) == 0 else -1
    path = (int(game.key(state)),) if game.cycles else ()
    return {a: sign * minimax_truth(game, game.result(state, a), depth - 1, path) for a in game.legal(state)}


@pytest.mark.parametrize("name", VALUED)
def test_lines_have_the_values_of_their_own_searches(name):
    rng = random.Random(name)
    for game in (TwiceRunner(), Circle(), gambito.load("tic-tac-toe")):
        if algorithms()[name].misfit(game):
            continue
        for plies in range(3):
            state = random_state(game, rng, plies)
            values = truths(game, state, DEPTH)
            best = sorted(values.values(), reverse=True)
            for lines in (2, 3, len(values)):
                given = {"depth": DEPTH, "gear": "python", "lines": lines, **small(name, game.cycles)}
                found = gambito.search(game, state, name, **given)
                ranked = found.lines
                if len(values) > 1:
                    assert [each.value for each in ranked] == best[:lines]
                    assert len({each.action for each in ranked}) == len(ranked) == min(lines, len(values))
                assert all(values[each.action] == each.value for each in ranked)
                assert all(each.line[0] == each.action for each in ranked)
                assert (found.action, found.value) == (found.line[0], best[0])


@pytest.mark.parametrize("lines", [2, 3, 9])
def test_a_solved_game_is_solved_in_every_line(lines):
    game, rng = gambito.load("tic-tac-toe"), random.Random(lines)
    for _ in range(6):
        state = random_state(game, rng, rng.randrange(2, 6))
        found = gambito.search(game, state, "engine", nodes=100_000, lines=lines)
        values = truths(game, state, 9)
        assert all(each.exact and values[each.action] == each.value for each in found.lines)
        assert [each.value for each in found.lines] == sorted(values.values(), reverse=True)[:lines]


def test_a_sooner_win_comes_first():
    """White mates at once by one move, and later by others."""
    found = gambito.search("chess", "6k1/5ppp/8/8/8/8/1Q6/R5K1 w - - 0 1", depth=4, lines=3)
    first, second, _ = found.lines
    assert (first.ends_in, second.ends_in) == (1, 1)
    assert {found.game.write(found.state, each.action) for each in (first, second)} == {"Ra8#", "Qb8#"}


def test_lines_together_with_among_and_threads():
    game = gambito.load("connect-four")
    state = game.parse("4455")
    root_actions = [1, 2, 4]
    for threads in (1, 2):
        found = gambito.search(game, state, depth=6, lines=2, root_actions=root_actions, threads=threads)
        assert {each.action for each in found.lines} <= set(root_actions) and len(found.lines) == 2
        assert found.lines[0].value >= found.lines[1].value


def test_the_nodes_are_kept():
    found = gambito.search("connect-four", None, "engine", nodes=5000, lines=3)
    assert found.nodes <= 5000 and len(found.lines) == 3 and found.depth > 3


def test_where_chance_decides_there_is_one_line():
    game = ChanceTree()
    state = next(
        child
        for child in (game.initial()._replace(seed=seed) for seed in range(1, 50))
        if not game.is_terminal(child) and game.player(child) == gambito.CHANCE
    )
    assert gambito.search(game, state, "expectiminimax", depth=2, gear="python", lines=3).lines == []


@pytest.mark.parametrize("lines", [0, -1, True, 2.0])
def test_bad_numbers(lines):
    with pytest.raises(gambito.SearchError, match="lines must be a whole number above zero"):
        gambito.search("tic-tac-toe", depth=1, gear="python", lines=lines)


def test_algorithms_without_values_refuse():
    for name in ("mcts", "b-star"):
        with pytest.raises(gambito.SearchError, match="finds one line, not 2"):
            gambito.search("tic-tac-toe", None, name, nodes=10, lines=2)
