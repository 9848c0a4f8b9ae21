"""PIMC and alpha-mu: the papers' worked trees, votes, any algorithm inside, and what they refuse."""

import pytest

import gambito
from gambito.errors import SearchError
from gambito.game.perfect_information import with_perfect_information
from tests.hidden.small import decisions, load

FORK = '{"max": {"gold": [1, 1], "fork": {"max": {"left": [9, -9], "right": [-9, 9]}}}}'
# MIN moves on to the leaf wherever that is worse for MAX, so at `d` only the first world matters.
NON_LOCAL = (
    '{"max": {"sure": [0.25, 0.25, 0.25],'
    ' "try": {"min": {"leaf": [1, 0, 0], "d": {"max": {"one": [1, 0, 0], "two": [0, 1, 1]}}}}}}'
)
# Frank & Basin: PIMC believes to win in every world by choosing the right branch later.
FUSION = '{"max": {"a": {"max": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}, "b": [1, 1, 0]}}'


def ask(tree, name, at="- / ?", **options):
    return gambito.search("world-tree", f"{tree} / {at}", name, nodes=10**6, **{"worlds": 60, **options})


def test_strategy_fusion():
    """PIMC takes the fork, for in every world it sees the right way; alpha-mu takes the gold."""
    fused, sound = ask(FORK, "pimc"), ask(FORK, "alpha-mu", worlds=1000)
    assert (fused.words(), fused.value) == (["fork"], 9.0)
    assert (sound.words(), sound.value) == (["gold"], 1.0)
    assert ask(FORK, "alpha-mu", moves=1).words() == ["fork"]  # one move ahead, the two are the same
    assert gambito.search("world-tree", f"{FORK} / - / ?", "ismcts", nodes=3000).words() == ["gold"]


def test_strategy_fusion_in_three_worlds():
    fused, sound = ask(FUSION, "pimc", worlds=300), ask(FUSION, "alpha-mu", worlds=300)
    assert (fused.words(), fused.value) == (["a"], 1.0)
    assert sound.words() == ["b"] and 0.5 < sound.value < 0.8
    values = {c.action: c.value for c in sound.candidates}
    assert 0.25 < values[0] < 0.45  # one of the three branches, in a third of the worlds


def test_non_locality():
    """At `d` the branch `two` wins in two worlds of three; but MIN lets MAX come there in the first only."""
    found = ask(NON_LOCAL, "alpha-mu", worlds=300)
    assert found.words() == ["try"] and 0.27 < found.value < 0.4
    alone = ask(NON_LOCAL, "alpha-mu", at="try d / ?", worlds=300)
    assert alone.words() == ["two"]  # asked there alone, it cannot know how MIN came there


@pytest.mark.parametrize("name", ["pimc", "alpha-mu"])
@pytest.mark.parametrize("inner", ["expectiminimax", "star2", "mcts"])
def test_any_algorithm_inside(name, inner):
    given = {"inner": inner, "gear": "python", "worlds": 6, "each": 200}
    found = gambito.search("kuhn-poker", "K? ", name, nodes=10**5, **given)
    assert found.action in (0, 1) and set(found.policy) == {found.action}


def test_votes():
    found = ask(FUSION, "pimc", decide="vote", worlds=30)
    assert abs(sum(found.policy.values()) - 1) < 1e-9 and found.policy[found.action] == max(
        found.policy.values()
    )


def test_open_view():
    game = load("phantom-tic-tac-toe")
    view = with_perfect_information(game)
    assert not view.hidden and view.label() == game.label()
    for state in decisions(game, 1, 5):
        assert view.observe(state, 0) == state and list(view.actions(state)) == list(game.actions(state))
    assert gambito.search(view, game.parse("5 1 2"), "alpha-beta", depth=3, gear="python").action is not None


def test_chance_later_on_is_valued_with_open_cards():
    state = decisions(load("leduc-poker"), 1, 1)[0]
    given = {"worlds": 4, "each": 50, "gear": "python"}
    found = gambito.search("leduc-poker", state, "alpha-mu", nodes=10**6, moves=3, **given)
    assert found.action is not None and found.depth == 3


def test_inner_algorithms_that_do_not_fit():
    with pytest.raises(SearchError, match="dice or cards"):
        ask(FORK, "pimc", inner="alpha-beta")
    with pytest.raises(SearchError, match="unknown algorithm"):
        ask(FORK, "pimc", inner="alfa")


@pytest.mark.parametrize("name", ["pimc", "alpha-mu"])
def test_an_inner_search_that_knows_no_value(name):
    """With one simulation, mcts chooses the action that it has not tried if the other one is proved lost."""
    lost = '{"max": {"a": {"max": [[-9, -9], [-9, -9]]}, "b": {"max": [[-9, -9], [9, 9]]}}}'
    found = ask(lost, name, inner="mcts", each=1, worlds=20)
    assert found.action is not None and found.value is not None
