"""Residual networks: the same in PyTorch and in NumPy, boards that are found, and trainings that go on."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

import gambito
from gambito.errors import EvaluationError
from gambito.evaluate.files import read_weights, write_weights
from gambito.evaluate.policy.encoding import sample_games, values_of
from gambito.evaluate.policy.files import FACTS, FORMAT, Network, read_network, write_network
from gambito.evaluate.policy.places import Grid, find_places, guess_places
from gambito.evaluate.policy.residual import Residual, ResNetShape
from gambito.learn.trainings import new_training
from gambito.learn.zero.optimiser import spans
from gambito.learn.zero.recipe import ZeroRecipe, read_zero_recipe
from gambito.learn.zero.residual import ResidualTraining, games_at_once
from gambito.learn.zero.search_trees import Search
from gambito.learn.zero.streams import Stream
from gambito.learn.zero.torch_resnet import (
    BatchedInference,
    ResNetTrainer,
    TorchEncoder,
    TorchReplayBuffer,
    enough_memory,
    pytorch,
)
from gambito.native.random import new_random

FEW = Search(full=6, cheap=3, share=0.5)
SMALL = ZeroRecipe(
    network="residual", rounds=2, blocks=1, filters=4, window=4000, contest=0, reuse=1.0, search=FEW
)


def board_of(name, games=60, room=2000):
    game = gambito.load(name)
    seen = sample_games(game, "python", games=games, room=room)
    return game, seen, find_places(game, seen.sight, seen.packed, seen.movers)


def random_weights(sizes, seed=0):
    rng = np.random.default_rng(seed)
    return {name: rng.standard_normal(size).astype(np.float32) * 0.3 for name, size in sizes.items()}


# ---- boards ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "size", "planes"),
    [("tic-tac-toe", (3, 3), 2), ("hex:size=5", (5, 5), 2), ("breakthrough:width=4,height=5", (5, 4), 2)],
)
def test_boards_are_grids(name, size, planes):
    """The rows of hex are moved by half a cell each, and its grid runs aslant."""
    _, _, places = board_of(name)
    grid = Grid(places)
    assert (grid.height, grid.width, grid.planes) == (*size, planes)
    assert len(set(zip(grid.plane, grid.cell, strict=True))) == len(grid.on), "no two inputs in one place"


def test_cells_that_are_no_grid_are_refused():
    places = np.array([[7 * number, number * number, 0] for number in range(20)])
    with pytest.raises(ValueError, match="no grid"):
        Grid(places)


@pytest.mark.parametrize(("name", "width"), [("breakthrough:width=5,height=7", 5), ("othello", 8)])
def test_the_width_of_a_board_is_guessed_from_moves(name, width):
    _, seen, places = board_of(name)
    guessed = guess_places(seen.sight, seen.packed, seen.movers)
    assert Grid(guessed).width == Grid(places).width == width


def test_no_board_is_guessed_without_sets():
    _, seen, _ = board_of("pig", 10, 200)
    assert guess_places(seen.sight, seen.packed, seen.movers) is None


# ---- the network -----------------------------------------------------------------------------------------


def convolved(cells, matrix, bias, height, width):
    """A conv, cell by cell."""
    kernel = matrix.reshape(3, 3, cells.shape[-1], -1)
    found = np.zeros((height, width, kernel.shape[-1])) + bias
    for row in range(height):
        for column in range(width):
            for down in range(3):
                for right in range(3):
                    y, x = row + down - 1, column + right - 1
                    if 0 <= y < height and 0 <= x < width:
                        found[row, column] += cells[y * width + x] @ kernel[down, right]
    return found.reshape(height * width, -1)


def test_the_convs_are_those_of_the_definition():
    game, seen, places = board_of("tic-tac-toe")
    grid = Grid(places)
    tower = ResNetShape(seen.sight.inputs, 3, 1, seen.slots, values_of(game))
    network = Residual(random_weights(tower.sizes(grid)), tower, grid)
    cells = np.random.default_rng(1).standard_normal((1, 9, 3)).astype(np.float32)
    found = network._conv(cells, 1)
    right = convolved(cells[0], network.weights["w1"], network.weights["b1"], 3, 3)
    assert np.allclose(found, right, atol=1e-5)
    assert network.forward(np.zeros((0, seen.sight.inputs), np.float32)).shape == (0, seen.slots + 1)


def test_a_residual_file_plays_and_is_checked(tmp_path):
    game, seen, places = board_of("tic-tac-toe")
    tower, grid = ResNetShape(seen.sight.inputs, 4, 1, seen.slots, values_of(game)), Grid(places)
    layers = Residual(random_weights(tower.sizes(grid)), tower, grid)
    path = tmp_path / "it.net"
    write_network(path, game, Network(seen.sight, seen.outputs, places, tower, layers, {}), 0)
    read = read_network(path, game)
    states = seen.packed[:50], seen.movers[:50]
    assert np.allclose(read.outputs(*states), layers.forward(seen.sight.rows(*states)), atol=0.05)
    found = gambito.search(game, None, "mcts", nodes=20, gear="python", network=str(path))
    assert sum(candidate.visits for candidate in found.candidates) > 0
    write_network(path, game, Network(seen.sight, seen.outputs, None, tower, layers, {}), 0)
    with pytest.raises(EvaluationError, match="do not fit together"):
        read_network(path, game)


def test_weights_in_bytes_and_in_16_bits(tmp_path):
    game, seen, places = board_of("tic-tac-toe")
    tower, grid = ResNetShape(seen.sight.inputs, 4, 1, seen.slots, values_of(game)), Grid(places)
    layers = Residual(random_weights(tower.sizes(grid)), tower, grid)
    layers.weights["w1"][:, 0] = 0.0
    path = tmp_path / "it.net"
    write_network(path, game, Network(seen.sight, seen.outputs, places, tower, layers, {}), 0)
    facts, held = read_weights(path, game, FORMAT, FACTS)
    for name, array in read_network(path, game).layers.weights.items():
        right = layers.weights[name]
        most = np.abs(right).max(axis=0) / 254 if right.ndim > 1 else np.abs(right) / 2048
        assert (np.abs(array - right) <= most + 1e-7).all(), name
    older = {name: array.astype(np.float16).ravel() for name, array in layers.weights.items()}
    write_weights(path, FORMAT, facts, older)
    assert np.allclose(read_network(path, game).layers.weights["w0"], layers.weights["w0"], atol=1e-3)
    for wrong in ({"w1.scale": held["w1.scale"][:-1]}, {"b1.scale": held["b1"]}, {"x.scale": held["b1"]}):
        write_weights(path, FORMAT, facts, held | wrong)
        with pytest.raises(EvaluationError, match="do not fit together"):
            read_network(path, game)


def test_the_network_that_comes_with_gambito_plays():
    game = gambito.load("breakthrough")
    state = game.parse("BBB.B.BB/B.BBB.W./..B..B../.B....../..W...W./.W...W../W.WW.W.W/WWWW.WWW W")
    network = read_network("learned", game)
    found = network.outputs(network.sight.layout.pack([state]), np.array([0]))[0]
    best = max(game.legal(state), key=lambda action: found[network.actions.slot(action)])
    assert game.is_terminal(game.result(state, best)), "a pawn that can cross the board does"
    assert found[-1] > 0.9
    for threads in (1, 2):  # the second one helps with the matrix products
        answer = gambito.search(game, state, "mcts", nodes=40, threads=threads, network="learned")
        assert game.is_terminal(game.result(state, answer.action))
    four = gambito.load("connect-four")
    found = gambito.search(four, four.parse("445566"), "mcts", nodes=40, network="learned")
    assert found.words()[0] in ("3", "7"), "four in a row"
    with pytest.raises(EvaluationError, match="no network for tic-tac-toe comes with Gambito"):
        read_network("learned", gambito.load("tic-tac-toe"))


# ---- with PyTorch ----------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["connect-four", "hex:size=5", "othello", "go:size=5"])
def test_pytorch_and_numpy_agree(name):
    torch = pytest.importorskip("torch")
    game, seen, places = board_of(name, 10, 300)
    grid, rng = Grid(places), np.random.default_rng(0)
    tower = ResNetShape(seen.sight.inputs, 8, 2, seen.slots, values_of(game))
    seer = TorchEncoder(seen.sight, grid, "cpu")
    learner = ResNetTrainer(tower, seer, 1)
    with torch.no_grad():
        for weight in learner.weights.values():
            weight += 0.1 * torch.tensor(rng.standard_normal(weight.shape).astype(np.float32))
        for mean in learner.means.values():
            mean += 0.3 * torch.tensor(rng.random(mean.shape).astype(np.float32))
    rows = seen.sight.rows(seen.packed, seen.movers)
    there = seer.rows(torch.tensor(np.array(seen.packed)), torch.tensor(seen.movers))
    assert np.allclose(rows, there.numpy(), atol=1e-6)
    found = learner.residual().forward(rows)
    with torch.no_grad():
        normed = np.concatenate([part.numpy() for part in learner.outputs(*seer.split(there), False)], 1)
    oracle = BatchedInference(tower, seer, 64)
    oracle.learn_from(learner.folded())
    assert np.abs(found - normed).max() < 1e-4
    assert np.abs(found - oracle.seat()(seen.packed, seen.movers)).max() < 1e-4


def test_games_that_go_on_lose_no_position():
    """The positions that are given, and those that wait, are those of a diary that is never emptied."""
    game = gambito.load("tic-tac-toe")
    seen = sample_games(game, "python", games=30, room=500)
    rng = np.random.default_rng(0)
    table = rng.standard_normal((4096, seen.slots + 1)).astype(np.float32)

    def ask(packed, movers):
        return np.tanh(table[packed.astype(np.int64).sum(axis=1) % 4096])

    def played(pauses):
        stream, parts, dice = Stream(game, seen, FEW, 400, "python", 6), [], new_random(3)
        stream.begin_all()
        for count in pauses:
            for _ in range(count):
                stream._advance(ask, dice)
            parts.append(stream.go_on(ask, dice, 0.0))
        return stream, {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    _, whole = played([60])
    stream, pieces = played([20, 1, 0, 30, 9])
    assert len(whole["movers"]) == len(pieces["movers"]) > 20
    assert pieces["counted"].reshape(-1, 4).sum(axis=0).tolist() == whole["counted"].tolist()

    def lines(found):
        rows, _ = spans(found["counts"])
        ends = np.cumsum(found["counts"], dtype=np.int64)[:-1]
        assert len(rows) == len(found["slot"])
        slots, chances = np.split(found["slot"], ends), np.split(found["chance"], ends)
        parts = zip(found["states"], slots, chances, found["result"], strict=True)
        return sorted((s.tobytes(), a.tobytes(), c.tobytes(), r.tobytes()) for s, a, c, r in parts)

    assert lines(pieces) == lines(whole)
    assert stream.diary.head[0] > 1 << 60, "there is always another game"


def test_the_shelf_keeps_the_last_positions():
    pytest.importorskip("torch")
    shelf = TorchReplayBuffer("cpu", 10, 2, 3, 1)

    def part(begin, count):
        numbers = np.arange(begin, begin + count)
        return {
            "states": np.stack([numbers, numbers], 1).astype(np.uint8),
            "movers": np.zeros(count, np.int8),
            "counts": np.full(count, 2, np.int16),
            "slot": np.tile(np.array([1, 4], np.int16), count),
            "chance": np.tile(np.array([0.25, 0.75], np.float32), count),
            "found": np.ones((count, 1), np.float32),
            "result": np.zeros((count, 1), np.float32),
        }

    for begin, count in ((0, 4), (4, 5), (9, 24)):
        shelf.add(part(begin, count))
    packed, movers, slots, chances, goals = shelf.batch(shelf.choose(1, 200, 1000, 1)[0], 0.5)
    assert set(packed[:, 0].tolist()) == set(range(23, 33))
    assert set(shelf.batch(shelf.choose(1, 100, 3, 1)[0], 0.5)[0][:, 0].tolist()) == {30, 31, 32}
    assert slots[0].tolist() == [1, 4, -1]
    assert chances[0].tolist() == [0.25, 0.75, 0.0]
    assert set(goals.ravel().tolist()) == {0.5}
    assert movers.sum() == 0


@pytest.mark.thorough
def test_learning_a_batch_lowers_its_loss():
    pytest.importorskip("torch")
    game, seen, places = board_of("tic-tac-toe")
    stream = Stream(game, seen, FEW, 20, "python", 20)
    tower = ResNetShape(seen.sight.inputs, 8, 1, seen.slots, 1)
    learner = ResNetTrainer(tower, TorchEncoder(seen.sight, Grid(places), "cpu"), 1)
    played = stream.play(learner.residual(), 1)
    shelf = TorchReplayBuffer("cpu", 200, seen.sight.layout.width, 9, 1)
    shelf.add(played)
    choices = shelf.choose(6, 64, 200, 1)
    losses = [sum(learner.learn(shelf, choices, 0.5, 1e-2)) for _ in range(3)]
    assert losses[-1] < 0.9 * losses[0]


# ---- trainings -------------------------------------------------------------------------------------------


def train(folder, recipe=SMALL, progress=None):
    training = ResidualTraining("tic-tac-toe", folder / "work", recipe, 3, 1)
    training.run(folder / "it.net", progress)
    return training


@pytest.mark.slow
def test_a_training_on_the_processor_goes_on(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    monkeypatch.setattr("gambito.learn.zero.residual.FEWEST", 50)
    monkeypatch.setattr("gambito.learn.zero.residual.ROUND", 0.0)

    def stop(what, done, total, news):
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(tmp_path, progress=stop)
    training, seen = ResidualTraining("tic-tac-toe", tmp_path / "work", SMALL, 3, 1), []
    training.resume(tmp_path / "work" / "network.npz")
    assert training.done == 1
    assert training.shelf.count == training.positions > 0, "no position is lost"
    kept = {name: weight.detach().clone() for name, weight in training.learner.weights.items()}
    steps = [int(state["step"]) for state in training.learner.adam.state.values()]
    training.run(tmp_path / "it.net", lambda what, done, total, news: seen.append(done))
    assert seen == [2]
    assert min(steps) > 0
    assert any(not kept[name].equal(weight) for name, weight in training.learner.weights.items())
    found = gambito.search("tic-tac-toe", None, "mcts", nodes=50, network=str(tmp_path / "it.net"))
    assert found.action in range(9)
    moved = replace(SMALL, device="cuda")
    assert "device" not in training.facts()
    assert moved != SMALL


def test_long_games_are_fewer_at_once():
    assert [games_at_once("cuda", plies) for plies in (0, 20, 64, 125, 300, 1e9)] == [
        2048, 2048, 2048, 1024, 512, 1,
    ]  # fmt: skip


def test_what_is_asked_for_and_missing(tmp_path, monkeypatch):
    with pytest.raises(EvaluationError, match="has no board"):
        read_zero_recipe(gambito.load("pig"), network="residual", device="cpu")
    with pytest.raises(EvaluationError, match="network must be one of auto, dense, residual, not wide"):
        read_zero_recipe(gambito.load("pig"), network="wide")
    with pytest.raises(EvaluationError, match=r"dense and learns on the processor|no GPU|PyTorch"):
        read_zero_recipe(gambito.load("pig"), network="dense", device="cuda")
    assert read_zero_recipe(gambito.load("pig"), device="cpu").network == "dense"
    chosen = read_zero_recipe(gambito.load("tic-tac-toe"), network="residual", device="cpu", rounds=1)
    assert (chosen.network, chosen.device) == ("residual", "cpu")
    settings = {"blocks": "4", "filters": "48", "loose": "0.25"}
    changed = read_zero_recipe(
        gambito.load("tic-tac-toe"), settings, network="residual", device="cpu", rounds=1
    )
    assert changed == replace(chosen, blocks=4, filters=48, search=replace(chosen.search, loose=0.25))
    with pytest.raises(EvaluationError, match="minutes, distil, network and set are for"):
        new_training("othello", tmp_path, network="residual")
    pytorch.cache_clear()
    monkeypatch.setitem(sys.modules, "torch", None)
    try:
        with pytest.raises(EvaluationError, match=r"needs PyTorch: pip install 'gambito\[learn\]'"):
            ResidualTraining("tic-tac-toe", tmp_path / "work", SMALL, 0, 1)
    finally:
        pytorch.cache_clear()


def test_a_gpu_without_memory_says_so():
    torch = pytest.importorskip("torch")
    with (
        pytest.raises(EvaluationError, match=r"too little memory.*finished rounds are kept"),
        enough_memory(),
    ):
        raise torch.cuda.OutOfMemoryError
