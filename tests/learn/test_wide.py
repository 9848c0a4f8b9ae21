"""Training of wide networks: slopes, resuming, files, and the same steps on a GPU."""

from __future__ import annotations

import os
import sys

import numpy as np
import pytest
from click.testing import CliRunner

import gambito
from gambito.cli.main import cli
from gambito.errors import EvaluationError
from gambito.learn.self_play import SelfPlay, SelfPlayPlan, seeds_of
from gambito.learn.trainings import new_training
from gambito.learn.wide_fit import WideFit, WideFitting, choose_device, largest_weight
from tests.learn.wide_games import SPEC
from tests.support import COMMAND, child, run, wait_until

FITTING = WideFitting(results=0.7, logit=40.0, rate=0.01, batch=64, epochs=3)


@pytest.fixture(scope="module")
def game():
    return gambito.load(f"{SPEC}:evaluation=blank-network")


@pytest.fixture(scope="module")
def chunk():
    plan = SelfPlayPlan(games=60, depth=2, loose=4)
    return SelfPlay(gambito.load(SPEC), plan).play(seeds_of(plan, 3, 0))


def losses(form, fit, values):
    """The squared errors by the definition, with NumPy and fractions of 64 bits."""
    rows, begin, totals, offsets = form.parts(values.astype(float))
    rows, totals = rows.reshape(-1, form.units), totals.reshape(form.outputs, 2, form.units)
    sets = fit.packed.sets.reshape(-1, form.sets)
    bits = (sets[:, :, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    pieces, found = bits.sum((1, 2)).astype(int), []
    for place in range(len(sets)):
        output, total = min(pieces[place] * form.outputs // (form.pieces + 1), form.outputs - 1), 0.0
        mover = fit.packed.movers[place]
        for part, side in enumerate((mover, 1 - mover)):
            seen = np.roll(bits[place], form.sets // 2, axis=0) if side else bits[place]
            cut = np.clip(begin + seen.ravel().astype(float) @ rows, 0, 1)
            total += (cut**2 * totals[output, part]).sum()
        found.append((1 / (1 + np.exp(-total - offsets[output])) - fit.packed.goals[place]) ** 2)
    return np.array(found)


@pytest.mark.thorough
def test_the_errors_and_the_slopes_are_those_of_the_definition(game, chunk):
    fit, form = WideFit(game, [chunk], FITTING, 0), game.form
    order, values = np.arange(len(fit)), fit.net.values.copy()
    known = losses(form, fit, values)
    assert fit.machine.error(order) == pytest.approx(known.sum(), rel=1e-4)
    assert fit.machine.descend(order, 1, 0.0) == pytest.approx(known.sum(), rel=1e-4)
    slopes = fit.net.first / 0.1  # the first moment after one step
    for place in np.random.default_rng(1).choice(np.flatnonzero(slopes), 30, replace=False):
        near = []
        for step in (-1e-3, 1e-3):
            moved = values.astype(float)
            moved[place] += step
            near.append(losses(form, fit, moved).mean())
        assert slopes[place] == pytest.approx((near[1] - near[0]) / 2e-3, rel=0.02, abs=2e-5)


def test_a_fit_goes_on_where_it_stopped_and_ends_with_the_same_bytes(game, chunk, tmp_path):
    whole = WideFit(game, [chunk], FITTING, 0)
    weights = whole.run()
    stopped = WideFit(game, [chunk], FITTING, 0)
    stopped.step()
    stopped.save(tmp_path / "fit.npz")
    again = WideFit(game, [chunk], FITTING, 0)
    assert again.run(tmp_path / "fit.npz").tobytes() == weights.tobytes()
    assert again.course == whole.course and whole.course.fitted[-1] < whole.course.fitted[0]
    assert WideFit(game, [chunk], FITTING, 1).run().tobytes() != weights.tobytes()


def test_a_fit_may_begin_with_a_network(game, chunk):
    fit = WideFit(game, [chunk], FITTING, 0)
    weights = fit.run()
    game.form.install(game, weights)
    begin = game.form.learned(game.weights.array)
    assert begin == pytest.approx(weights, abs=0.5)
    again = WideFit(game, [chunk], FITTING, 0, begin)
    order = np.arange(len(fit))
    fit.net.values[:] = fit.kept
    assert again.machine.error(order) == pytest.approx(fit.machine.error(order), rel=0.02)
    again.step()
    assert again.course.fitted[0] < fit.course.fitted[0]


def test_weights_stay_within_their_limit(game, chunk):
    fit = WideFit(game, [chunk], WideFitting(logit=40.0, rate=5.0, batch=64, epochs=1), 0)
    game.form.install(game, fit.run())
    assert np.abs(fit.net.values[: -game.form.outputs]).max() == pytest.approx(largest_weight(game.form))


def test_no_positions_are_refused(game):
    with pytest.raises(EvaluationError, match="no positions"):
        WideFit(game, [], FITTING, 0)


@pytest.mark.thorough
def test_a_training_writes_a_file_that_the_game_reads(tmp_path):
    said = {"folder": tmp_path / "training", "seed": 4, "jobs": 1, "games": 100, "epochs": 2}
    paths = tmp_path / "one.eval", tmp_path / "two.eval"
    trained = new_training(SPEC, method="network", **said).run(paths[0])
    assert trained["rounds"][0]["positions"] > 100 and trained["fitting"]["device"] == "cpu"
    new_training(SPEC, method="network", **said).run(paths[1])
    assert paths[0].read_bytes() == paths[1].read_bytes()
    game = gambito.load(f"{SPEC}:evaluation={paths[0]}")
    assert game.is_wide and game.evaluate(game.parse("1 5"), 0) != 0
    found = gambito.search(game, algorithm="engine", depth=3)
    assert gambito.search(game, algorithm="engine", depth=3, gear="python").value == found.value
    with pytest.raises(gambito.GameError, match="is for wide-lines, not for chess"):
        gambito.load(f"chess:evaluation={paths[0]}")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["tic-tac-toe", "--method", "network"], "evaluation"),
        (["othello", "--method", "network"], "othello has no network"),
        (["othello", "--device", "cpu"], "a device is for wide networks: --method network"),
        (["chess", "--method", "network", "--device", "gpu"], "--device"),
    ],
)
def test_what_cannot_be_trained_is_refused_in_one_sentence(words, told, tmp_path):
    ended = CliRunner().invoke(cli, ["train", *words, "--folder", str(tmp_path)])
    assert ended.exit_code == 2 and told in ended.output and "Traceback" not in ended.output


def test_a_missing_gpu_is_told_in_one_sentence(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(EvaluationError, match=r"needs PyTorch: pip install 'gambito\[learn\]'"):
        choose_device("cuda")
    assert choose_device("auto") == choose_device("cpu") == "cpu"
    with pytest.raises(EvaluationError, match="device must be one of auto, cpu, cuda, not gpu"):
        choose_device("gpu")


def test_both_machines_take_the_same_steps(game, chunk):
    torch = pytest.importorskip("torch")
    from gambito.learn.wide_gpu import Gpu

    here, there = (WideFit(game, [chunk], FITTING, 0) for _ in range(2))
    there.machine = Gpu(game, there.packed, there.net, "cuda" if torch.cuda.is_available() else "cpu")
    for fit in (here, there):
        while not fit.is_over:
            fit.step()
    assert there.course.fitted == pytest.approx(here.course.fitted, abs=1e-4)
    assert there.course.held == pytest.approx(here.course.held, abs=1e-4)
    there.take_up({name: np.asarray(held) for name, held in there.held().items()})
    assert there.machine.error(there.held_back) / len(there.held_back) == pytest.approx(
        here.course.held[-1], abs=1e-4
    )


@pytest.mark.slow
def test_a_killed_training_goes_on_and_ends_with_the_same_bytes(tmp_path):
    """Killed in the middle of the fit; the one beside it is never stopped."""
    words = ["train", SPEC, "--method", "network", "--epochs", "200", "--jobs", "1", "--gate", "0"]
    words += ["--folder", "t", "--output", "t.eval"]
    places = [tmp_path / "killed", tmp_path / "whole"]
    for place in places:
        place.mkdir()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with child(*COMMAND, *words, cwd=places[0], env=environment) as process:
        wait_until((places[0] / "t" / "fit-0.npz").exists, 120)
        process.kill()
        process.wait(20)
    assert not (places[0] / "t.eval").exists()
    for place in places:
        assert run(*COMMAND, *words, cwd=place, env=environment).returncode == 0
    assert (places[0] / "t.eval").read_bytes() == (places[1] / "t.eval").read_bytes()
