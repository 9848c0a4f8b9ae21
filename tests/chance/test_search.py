"""Star1 and Star2 give expectiminimax's value, which is the truth: random trees, both gears."""

import json
import random
from typing import NamedTuple

import pytest

import gambito
from gambito import CHANCE, Game
from gambito.chance.star import star
from gambito.game.gears import gears
from gambito.search.algorithm import algorithms
from tests.support import Branch, ChanceTree, minimax_truth, on_the_clock, random_tree

NAMES = ("expectiminimax", "star1", "star2")
QUICK, MANY = 200, 1_500
CLOSE = 1e-9
KEPT = ("action", "line", "nodes", "evaluations", "exact", "value")


def options(name: str) -> dict[str, object]:
    return {} if name == "expectiminimax" else {"memory": 1}


def check_answer(
    game, state, name: str, depth: int, gear: str | None, **given: object
) -> gambito.SearchResult:
    """The value is the truth, and the action is one that has it."""
    player = game.player(state)
    sign = -1 if player == 1 else 1
    found = gambito.search(game, state, name, depth=depth, gear=gear, **options(name), **given)
    truth = sign * minimax_truth(game, state, found.depth)
    assert found.value == pytest.approx(truth, abs=CLOSE), (name, state, depth)
    if player == gambito.CHANCE:
        assert found.action is None and found.line == []
        return found
    after = minimax_truth(game, game.result(state, found.action), found.depth - 1)
    assert sign * after == pytest.approx(truth, abs=CLOSE), (name, state, depth)
    return found


def check_written(count: int, seed: int) -> None:
    """Trees that somebody might write, to their end and to a horizon."""
    rng, tree = random.Random(seed), gambito.load("tree")
    for _ in range(count):
        written = random_tree(rng, rng.randint(2, 6), 3, rng.choice([1, 3, 50]), rng.random() < 0.7, 0.4)
        root = tree.parse(rng.choice(["", "min "]) + json.dumps(written))
        game = tree.at(root)
        if not game.chance or not root.moves:
            continue
        for name in NAMES:
            check_answer(game, root, name, rng.randint(1, root.height), None)


class Bet(NamedTuple):
    action: int
    roll: int


class LoadedDice(Game):
    """Three dice to choose from; the highest number is never thrown."""

    chance, value = True, float
    lowest, highest = -6.0, 6.0

    def initial(self):
        return Bet(-1, -1)

    def player(self, state):
        return CHANCE if state.action >= 0 and state.roll < 0 else 0

    def actions(self, state):
        for number in range(3):
            yield number

    def chances(self, state):
        yield 0, 0.25
        yield 1, 0.75
        yield 2, 0.0

    def result(self, state, action):
        return Bet(action, -1) if state.action < 0 else Bet(state.action, action)

    def is_terminal(self, state):
        return state.roll >= 0

    def utility(self, state, player):
        value = float(state.action * (2 * state.roll - 1))
        return value if player == 0 else -value


@pytest.mark.parametrize("gear", ["python", "native"])
@pytest.mark.parametrize("name", NAMES)
def test_an_outcome_that_never_comes_counts_nothing(name, gear):
    found = gambito.search(LoadedDice(), None, name, depth=4, gear=gear, **options(name))
    assert (found.action, found.value, found.exact) == (2, 1.0, True)


def check_compiled(count: int, seed: int, every: int) -> None:
    """Trees in the native gear, some of them in the Python gear too, which gives the same to the last bit."""
    game, rng = ChanceTree(), random.Random(seed)
    for number in range(count):
        state = gears(game).cast(Branch(rng.getrandbits(60), rng.randint(1, 6), rng.randint(0, 1)))
        if game.is_terminal(state):
            continue
        for name in NAMES:
            depth, order = rng.randint(1, state.left), rng.random() < 0.5
            given = {} if name == "expectiminimax" else {"order": order}
            found = check_answer(game, state, name, depth, "native", **given)
            if number % every == 0:
                plain = check_answer(game, state, name, depth, "python", **given)
                assert [getattr(found, k) for k in KEPT] == [getattr(plain, k) for k in KEPT], (state, depth)


def test_written_trees():
    check_written(QUICK // 2, seed=1)


def test_compiled_trees():
    check_compiled(QUICK, seed=2, every=4)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
def test_many_trees(part):
    check_written(MANY, seed=100 + part)
    check_compiled(MANY, seed=200 + part, every=1)


@pytest.mark.parametrize("count", [12, pytest.param(60, marks=pytest.mark.slow)])
def test_deepening_gives_the_same_and_knows_when_all_is_seen(count):
    game, rng = ChanceTree(), random.Random(5)
    for _ in range(count):
        state = gears(game).cast(Branch(rng.getrandbits(60), 5, 0))
        if game.is_terminal(state):
            continue
        for name in NAMES:
            found = check_answer(game, state, name, 5, "native", deepen=True)
            assert found.exact
            whole = minimax_truth(game, state, found.depth) == minimax_truth(game, state, 5)
            assert whole, (state, found.depth)


def test_one_signature():
    gambito.search(ChanceTree(), None, "star2", depth=3, memory=1)
    gambito.search(ChanceTree(), None, "star1", depth=3, memory=1)
    first = [key[0] for key in star.entries]
    assert first and len(first) == len(set(first))


@on_the_clock
def test_a_limit_in_time_and_nodes():
    game = ChanceTree()
    state = Branch(3, 40, 0)
    found = gambito.search(game, state, "star2", nodes=5000)
    assert found.action is not None and found.nodes <= 5001
    assert gambito.search(game, state, "star1", seconds=0.05).seconds < 1


def test_the_default_fits():
    assert gambito.search(ChanceTree(), None, depth=2).algorithm == "star2"
    assert gambito.solve("tree", '[{"chance":[[0.5,3],[0.5,4]]},3]').value == 3.5


def test_who_is_refused():
    with pytest.raises(gambito.SearchError, match="without chance"):
        gambito.search(ChanceTree(), None, "alpha-beta", depth=2)
    with pytest.raises(gambito.SearchError, match="neither dice nor cards"):
        gambito.search("nim", None, "star1", depth=2)
    assert "one player" in algorithms()["expectimax"].misfit(ChanceTree())


def test_star_cuts():
    """Ballard's figure of thought: once the first move is worth 3, an outcome can close the second."""
    text = '[{"chance":[[0.5,[3,9]],[0.5,[3,9]]]},{"chance":[[0.5,[-9,9]],[0.5,[9,8,7]]]}]'
    counts = {name: gambito.search("tree", text, name, **options(name)).evaluations for name in NAMES}
    assert counts["star1"] < counts["expectiminimax"]
    record = gambito.trace("tree", text, "star1", memory=1)
    assert record.cutoffs >= 1 and any(n.player == gambito.CHANCE and n.visits for n in record.nodes)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('[{"chance":[[0.5,1],[0.4,2]]}]', "add up to 1, not to 0.9"),
        ('[{"chance":[]}]', "each outcome with its probability"),
        ('[{"chance":[1,2]}]', "an outcome is"),
        ('[{"chance":[["1/0",1],[1,2]]}]', "a probability is above 0"),
        ('[{"chance":[[1,2]],"moves":[1]}]', "each outcome with its probability"),
    ],
)
def test_impossible_trees(text, complaint):
    with pytest.raises(gambito.PositionError, match=complaint):
        gambito.load("tree").parse(text)


def test_a_tree_is_written_as_it_was_read():
    tree = gambito.load("tree")
    for text in (
        '[{"chance":[[0.5,[3,12]],[0.5,[2,4]]]},{"chance":{"x":[0.25,1],"y":[0.75,[5,6]]}}]',
        'min {"chance":[[0.25,{"player":"max","moves":[1,2]}],[0.75,[3,4]]]}',
    ):
        assert tree.text(tree.parse(text)) == text


def test_expectimax_remembers_positions():
    """The same values from fewer nodes, and it still knows when it has seen the whole game."""
    for depth in range(1, 8):
        plain, quick = (
            gambito.search("pig-turn:target=6", None, "expectimax", depth=depth, gear="python", memory=memory)
            for memory in (0, 1)
        )
        assert quick.value == pytest.approx(plain.value, abs=1e-12) and quick.action == plain.action
        assert quick.exact == plain.exact and quick.nodes <= plain.nodes
    assert quick.nodes < plain.nodes


def test_a_game_too_large_to_be_listed_is_refused_at_once():
    """Compiled code counts the states; they are not listed one by one until there are too many."""
    with pytest.raises(
        gambito.SearchError, match="value iteration lists at most 500 states, and nannon has more"
    ):
        gambito.solve("nannon", states=500)


def test_a_table_that_knows_the_root_still_gives_its_best_action():
    game, kept = ChanceTree(), gambito.Session()
    for seed in range(1, 30):
        state = game.initial()._replace(seed=seed)
        if game.is_terminal(state) or game.player(state) == CHANCE:
            continue
        first = gambito.search(game, state, "star2", depth=4, gear="python", session=kept)
        again = gambito.search(game, state, "star2", depth=4, gear="python", session=kept)
        assert (again.action, again.value) == (first.action, first.value)
