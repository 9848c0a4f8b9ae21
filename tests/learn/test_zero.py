"""AlphaZero for any game: the same positions in both gears, learning, resuming, and the file that plays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gambito
from gambito import Game
from gambito.errors import EvaluationError, SearchError
from gambito.evaluate.policy.dense import Shape, new_dense
from gambito.evaluate.policy.encoding import Layout, read_encoding, sample_games, values_of
from gambito.evaluate.policy.files import Network, read_network, write_network
from gambito.evaluate.policy.places import NOWHERE, find_places
from gambito.evaluate.policy.shared_weights import Ties
from gambito.games.tic_tac_toe import TicTacToe
from gambito.learn.trainings import new_training
from gambito.learn.zero.dense import DenseTraining
from gambito.learn.zero.distil import distil, on_scale
from gambito.learn.zero.optimiser import Adam, Positions, learn
from gambito.learn.zero.recipe import ZeroRecipe
from gambito.learn.zero.search_trees import Search, considered_visits
from gambito.learn.zero.streams import Stream
from gambito.players.analysis import analyse

FEW = Search(full=12, cheap=4, share=0.5)
QUICK = ZeroRecipe(rounds=3, streams=2, games=12, units=16, layers=2, batch=32, contest=0, search=FEW)


class Slow(TicTacToe):
    """Tic-tac-toe that is never compiled, so that a test is quick."""

    name = "slow-tic-tac-toe"
    usual_gear = "python"


class Count(NamedTuple):
    left: int
    sum: int


class Climb(Game):
    """One player takes 1 or 2 steps; a third step of 3 pays most. The best sum is 9."""

    players, zero_sum, lowest, highest = 1, False, 0, 9
    usual_gear = "python"

    def initial(self):
        return Count(3, 0)

    def player(self, state):
        return 0

    def actions(self, state):
        yield from (0, 1, 2)

    def result(self, state, action):
        return Count(state.left - 1, state.sum + action + 1)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state, player):
        return state.sum


class Endless(Climb):
    def is_terminal(self, state):
        return False

    def result(self, state, action):
        return state


def small_network(game, seen, seed=1):
    return new_dense(small_shape(game, seen), seed)


def small_shape(game, seen):
    return Shape(seen.sight.inputs, 16, 2, seen.slots, values_of(game))


def played(game, gear, games=10, search=FEW):
    seen = sample_games(game, gear, games=30, room=500)
    stream = Stream(game, seen, search, games, gear)
    return seen, stream.play(small_network(game, seen), 5)


# ---- the search ------------------------------------------------------------------------------------------


@given(st.integers(1, 20), st.integers(1, 100))
@settings(deadline=None, max_examples=60)
def test_sequential_halving_spends_all_simulations(actions, simulations):
    wanted = considered_visits(actions, simulations)
    visits = [0] * actions
    for need in wanted:
        assert need in visits, "there is always an action with so many visits"
        visits[visits.index(need)] += 1
    assert sum(visits) == simulations
    assert max(visits) >= simulations / max(actions, 2)


@pytest.mark.slow
def test_both_gears_find_the_same_positions():
    game = gambito.load("tic-tac-toe")
    (_, one), (_, other) = played(game, "native"), played(game, "python")
    assert list(one["counted"]) == list(other["counted"])
    for name in ("states", "movers", "counts", "slot"):
        assert np.array_equal(one[name], other[name]), name
    for name in ("chance", "found", "result"):
        assert np.allclose(one[name], other[name], atol=1e-4), name


@pytest.mark.parametrize("name", ["nannon", "tic-tac-toe-3", "pig"])
def test_chance_and_more_players(name):
    """Dice are rolled by their probabilities, and each player has a value of its own."""
    game = gambito.load(name)
    _, found = played(game, "python", games=4)
    count = len(found["movers"])
    assert found["counted"][0] == 4
    assert found["result"].shape == (count, values_of(game))
    assert found["movers"].min() >= 0, "nobody learns from the dice's states"
    ends = np.cumsum(found["counts"], dtype=np.int64)
    assert np.allclose([part.sum() for part in np.split(found["chance"], ends[:-1])], 1.0, atol=1e-5)
    assert np.abs(found["result"]).max() <= 1.0


def test_a_search_improves_the_policy():
    """Before any learning, the target of a full search already prefers a win that is one move away."""

    class Near(Slow):
        def initial(self):
            state = super().initial()
            for action in (0, 3, 1, 4):  # X wins with 2
                state = self.result(state, action)
            return state

    search = Search(full=40, cheap=4, share=1.0, loose=0.0)
    seen, found = played(Near(), "python", games=20, search=search)
    first = found["counts"] == 5
    best = [
        found["slot"][begin + np.argmax(found["chance"][begin : begin + 5])]
        for begin in (np.cumsum(found["counts"], dtype=np.int64) - found["counts"])[first]
    ]
    assert first.any()
    assert np.mean(np.array(best) == seen.outputs.slot(2)) > 0.8


# ---- seeing and learning ---------------------------------------------------------------------------------


def test_what_is_seen():
    game = gambito.load("connect-four")
    seen = sample_games(game, "python", games=20, room=300).sight
    states = [game.parse(text) for text in ("", "4", "44")]
    rows = seen.rows(seen.layout.pack(states), np.array([0, 1, 0]))
    assert rows.shape == (3, seen.inputs)
    assert list(rows[:, 0]) == [1, 0, 1]
    assert len({row.tobytes() for row in rows}) == 3
    again = read_encoding(game, seen.description())
    assert np.array_equal(again.rows(seen.layout.pack(states), np.array([0, 1, 0])), rows)
    for wrong in ([[9, "bits", [1]]], [[0, "bits", [64]]], [[0, "shape", []]], [[0, "fraction", [1]]]):
        with pytest.raises(ValueError, match="no "):
            read_encoding(game, wrong)


def test_inputs_are_found_on_the_board():
    """The bits of Connect Four's stones lie where its picture shows them."""
    game = gambito.load("connect-four")
    seen = sample_games(game, "python", games=120, room=2500)
    places = find_places(game, seen.sight, seen.packed, seen.movers)
    marks = [bit for view in seen.sight.views if view.way == "bits" for bit in view.marks]
    found = places[seen.sight.players :][: len(marks)]
    right = [(2 * (bit // 7) + 1, 2 * (5 - bit % 7) + 1) for bit in marks]
    known = found[:, 0] != NOWHERE
    assert known.sum() > 70
    assert np.array_equal(found[known, :2], np.array(right)[known])


@pytest.mark.parametrize("is_tied", [False, True])
def test_gradients_are_those_of_the_loss(is_tied):
    rng, game = np.random.default_rng(1), gambito.load("tic-tac-toe")
    seen = sample_games(game, "python", games=60, room=500)
    ties = Ties(find_places(game, seen.sight, seen.packed, seen.movers)) if is_tied else None
    inputs = seen.sight.inputs
    network = new_dense(Shape(inputs, 8, 3, 4, 1, 3, 2), 2, ties)
    for name, array in network.weights.items():
        network.weights[name] = array.astype(np.float64) + 0.1 * rng.standard_normal(array.shape)
    rows, mask = rng.random((5, inputs)), rng.random((5, 4)) < 0.7
    mask[:, 0] = True
    policy = np.where(mask, rng.random((5, 4)), 0.0)
    policy /= policy.sum(axis=1, keepdims=True)
    goals = rng.uniform(-1, 1, (5, 1))
    slopes, *losses = network.gradients(rows, mask, policy, goals)
    assert slopes.keys() == network.weights.keys()
    for name, array in network.weights.items():
        place = tuple(rng.integers(0, size) for size in array.shape)
        array[place] += 1e-6
        _, *moved = network.gradients(rows, mask, policy, goals)
        array[place] -= 1e-6
        assert (sum(moved) - sum(losses)) / 1e-6 == pytest.approx(slopes[name][place], abs=1e-4), name


def test_learning_lowers_the_loss():
    game = Slow()
    seen, found = played(game, "python")
    network, held = small_network(game, seen), Positions([found], seen.sight, seen.slots)
    adam, rng = Adam(network.weights), np.random.default_rng(0)
    before = learn(network, adam, held, 1, 64, 0.0, 0.5, rng)
    after = [learn(network, adam, held, 60, 64, 5e-3, 0.5, rng) for _ in range(3)][-1]
    assert sum(after) < 0.8 * sum(before)


def test_the_means_of_weights_are_nearer_to_the_goal():
    """Gradients that are noisy move the weights around the best ones; their means stay close."""
    rng, goal = np.random.default_rng(2), np.float32(1.5)
    weights = {"w": np.zeros((20, 20), np.float32)}
    adam = Adam(weights)
    for _ in range(600):
        noise = rng.standard_normal((20, 20)).astype(np.float32)
        adam.step(weights, {"w": 10.0 * (weights["w"] - goal) + 3.0 * noise}, 0.02)
    errors = [np.sqrt(np.mean((array - goal) ** 2)) for array in (adam.mean["w"], weights["w"])]
    assert errors[0] < 0.7 * errors[1]


# ---- trainings -------------------------------------------------------------------------------------------


def train(folder, recipe=QUICK, spec=f"{__file__}:Slow", seed=3, progress=None):
    DenseTraining(spec, folder / "work", recipe, seed, 1).run(folder / "it.net", progress)
    return (folder / "it.net").read_bytes()


def test_a_training_that_was_stopped_goes_on(tmp_path):
    def stop(what, done, total, news):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "stopped", progress=stop)
    seen = []
    made = train(tmp_path / "stopped", progress=lambda what, done, total, news: seen.append(done))
    assert seen == [3]
    assert made == train(tmp_path / "whole")
    with pytest.raises(EvaluationError, match="another training"):
        train(tmp_path / "whole", replace(QUICK, units=8))


def test_forgotten_positions_are_cleared_away(tmp_path):
    """Only the files that a checkpoint needs stay, and those of the last round."""
    train(tmp_path, replace(QUICK, rounds=8, window=40))
    numbers = sorted(int(path.stem[-5:]) for path in (tmp_path / "work").glob("positions-*.npz"))
    assert numbers[-1] == 7
    assert numbers == list(range(numbers[0], 8))
    assert len(numbers) < 6


def test_the_measured_network_plays(tmp_path, monkeypatch):
    """Each measurement writes a younger self and two matches; the file guides mcts."""
    monkeypatch.setattr("gambito.learn.zero.measure.PLAIN", 20)
    monkeypatch.setattr("gambito.learn.zero.measure.NODES", 10)
    train(tmp_path, replace(QUICK, every=2, contest=2))
    assert sorted(path.name for path in (tmp_path / "work").glob("age-*.net")) == ["age-1.net", "age-2.net"]
    assert (tmp_path / "work" / "curve.svg").read_text().startswith("<svg")
    game, path = Slow(), str(tmp_path / "it.net")
    trained = read_network(path, game).trained
    assert [line["minutes"] for line in trained["curve"]] == [2, 3]
    assert trained["curve"][0]["younger"] is None
    found = gambito.search(game, game.parse("5 1"), "mcts", nodes=60, network=path)
    assert sum(c.prior for c in found.candidates) == pytest.approx(1.0, abs=1e-5)
    assert found.depth > 1
    looked = analyse(game, game.initial(), "mcts", nodes=20, options={"network": path})
    assert all(each.prior is not None for each in looked.candidates)
    found = gambito.search(game, game.parse("1 4 2 5"), "mcts", nodes=200, network=path)
    assert (found.action, found.exact) == (2, True), "the solver works with a network too"


@pytest.mark.slow
def test_a_network_says_the_same_in_both_gears(tmp_path):
    train(tmp_path, spec="tic-tac-toe")
    game, path = gambito.load("tic-tac-toe"), str(tmp_path / "it.net")
    one, other = (
        [
            (c.action, c.visits, c.value, c.prior)
            for c in gambito.search(game, None, "mcts", nodes=150, gear=gear, network=path).candidates
        ]
        for gear in ("python", "native")
    )
    assert one == other


def test_one_player_and_a_game_without_an_end(tmp_path):
    train(tmp_path, replace(QUICK, rounds=6), spec=f"{__file__}:Climb")
    found = gambito.search(Climb(), None, "mcts", nodes=30, network=str(tmp_path / "it.net"))
    assert found.action == 2
    with pytest.raises(EvaluationError, match="came to an end"):
        train(tmp_path / "other", spec=f"{__file__}:Endless")


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"spec": "kuhn-poker"}, "hides a part"),
        ({"spec": "sliding-tiles"}, "is a puzzle"),
        ({"spec": "tree"}, "fixed number of numbers"),
        ({"epochs": 3}, "no setting epochs"),
        ({"settings": {"minutes": "3"}}, "no setting minutes: choose from blocks, "),
        ({"settings": {"blocks": "0"}}, "blocks must be a whole number from 1 to 100, not 0"),
        ({"settings": {"filters": "4.5"}}, "filters must be a whole number from 1 to 1024, not 4.5"),
        ({"settings": {"loose": "nan"}}, "loose must be a number from 0.0 to 1.0, not nan"),
        ({"positions": __file__}, "own games"),
        ({"spec": "pig", "device": "cuda"}, "no GPU|PyTorch|on the processor"),
    ],
)
def test_what_cannot_be_trained(tmp_path, said, sentence):
    with pytest.raises(EvaluationError, match=sentence):
        new_training(said.pop("spec", "tic-tac-toe"), tmp_path, method="alphazero", **said)
    with pytest.raises(EvaluationError, match="minutes, distil, network and set are for"):
        new_training("othello", tmp_path, minutes=3)


# ---- files -----------------------------------------------------------------------------------------------


def test_networks_for_other_rules_are_refused(tmp_path):
    class Other(Slow):
        name = "slow-tic-tac-toe"

        def actions(self, state):
            return list(super().actions(state))[:3]

    game, path = Slow(), tmp_path / "it.net"
    seen = sample_games(game, "python", games=10, room=100)
    shape, dense = small_shape(game, seen), small_network(game, seen)
    write_network(path, game, Network(seen.sight, seen.outputs, None, shape, dense, {}), 0)
    assert read_network(path, game).slots == 9
    with pytest.raises(EvaluationError, match="is for slow-tic-tac-toe, not for pig"):
        read_network(path, gambito.load("pig"))
    with pytest.raises(EvaluationError, match="other rules"):
        read_network(path, Other())
    with pytest.raises(EvaluationError, match="cannot be read"):
        read_network(tmp_path / "no.net", game)
    with pytest.raises(SearchError, match="not both"):
        gambito.search(game, None, "mcts", nodes=5, network=str(path), guide=lambda states: [])


@pytest.mark.slow
def test_what_was_learned_is_distilled(tmp_path):
    recipe = replace(QUICK, games=60, rounds=2)
    training = DenseTraining("connect-four", tmp_path / "work", recipe, 1, 1)
    training.run(tmp_path / "it.net")
    found = distil(training, tmp_path / "it.net")
    learned = gambito.load(f"connect-four:evaluation={found['distilled']}")
    assert learned.evaluate(learned.parse("4433"), 0) != 0


def test_positions_are_labelled_for_a_fit():
    game = gambito.load("connect-four")
    layout, state = Layout(game), game.parse("4455")
    assert layout.unpack(layout.pack([state])[0]) == state
    assert [on_scale(game, goal) for goal in (-1.0, 0.0, 0.5, 1.0)] == [-17, 0, 6, 17]
    with pytest.raises(EvaluationError, match="no evaluation that can be trained"):
        new_training("tic-tac-toe", Path("nowhere"), method="alphazero", distil=True)


def test_states_with_arrays_are_packed_too():
    class Row(NamedTuple):
        cells: np.ndarray
        turn: int

    class Arrays(Slow):
        def initial(self):
            return Row(np.zeros(3, np.int8), 1)

    layout = Layout(Arrays())
    state = Row(np.array([1, 0, 2], np.int8), 5)
    assert layout.is_stored
    again = layout.unpack(layout.pack([state])[0])
    assert again.turn == 5 and again.cells.tolist() == [1, 0, 2]
