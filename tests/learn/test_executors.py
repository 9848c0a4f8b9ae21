"""Trainings and fits give the same bytes whoever does their jobs, also if workers or drivers are killed."""

from __future__ import annotations

import itertools
import os
import signal
import sys
from pathlib import Path

import pytest

import gambito
from gambito.errors import GameError
from gambito.learn import network, probcut, self_play, td_leaf
from gambito.learn.network import AHEAD, NetworkRecipe, NetworkTraining, Phase
from gambito.learn.train import BlockTest, FitTraining, read_recipe
from gambito.players.rating import Sprt, Tally
from tests.learn import works
from tests.learn.networks import LEARNING
from tests.learn.small import PLAIN, SPEC
from tests.support import COMMAND, child, is_running, run, wait_until, workers_of

MANY = ("threads:2", "processes:2", "processes:3")
ROUNDS = NetworkRecipe((Phase(5, 20), Phase(2, 3, AHEAD)), streams=3, averaged=3, contest=20, every=3)


@pytest.fixture(autouse=True)
def workers_refuse_to_compile(monkeypatch):
    for module, name in (
        (self_play, "play_chunk"),
        (td_leaf, "learn_block"),
        (network, "play_stream"),
        (probcut, "search_game"),
    ):
        monkeypatch.setattr(module, name, getattr(works, name))


def kill_workers() -> None:
    workers = workers_of(os.getpid())
    assert len(workers) == 2
    for pid in workers:
        os.kill(pid, signal.SIGKILL)


def fit(folder: Path, executor: str, strike=None, **said) -> bytes:
    """Train sums of weights. `strike` is called after the second step."""
    steps = itertools.count(1)

    def progress(*_):
        if next(steps) == 2 and strike:
            strike()

    recipe = read_recipe(gambito.load(SPEC), games=150, epochs=2, **said)
    FitTraining(SPEC, folder, recipe, 4, cluster=executor).run(folder / "it.eval", progress)
    return (folder / "it.eval").read_bytes()


def td(folder: Path, executor: str, strike=None) -> bytes:
    """Train a network."""

    def progress(what, done, total, news):
        if done == 2 and strike:
            strike()

    NetworkTraining(LEARNING, folder, ROUNDS, 4, cluster=executor).run(folder / "it.eval", progress)
    return (folder / "it.eval").read_bytes()


def model(folder: Path, executor: str, strike=None) -> bytes:
    """Fit a model of ProbCut, in the Python gear."""
    for samples in probcut.sample(PLAIN, 20, 3, 4, cluster=executor):
        if samples.count == 2 and strike:
            strike()
    folder.mkdir(parents=True)
    probcut.write(folder / "it.json", gambito.load(PLAIN), probcut.fit(samples))
    return (folder / "it.json").read_bytes()


def the_same(work, tmp_path: Path, crews) -> bool:
    expected = work(tmp_path / "here", "threads:1")
    return all(work(tmp_path / executor.replace(":", "-"), executor) == expected for executor in crews)


@pytest.mark.thorough
@pytest.mark.parametrize("work", [fit, td])
def test_a_training_is_the_same_on_processes(tmp_path, work):
    assert the_same(work, tmp_path, ["processes:2"])


def test_a_model_is_the_same_after_the_death_of_workers(tmp_path):
    assert model(tmp_path / "a", "processes:2", kill_workers) == model(tmp_path / "b", "threads:1")


@pytest.mark.slow
@pytest.mark.parametrize("work", [fit, td, model])
def test_every_crew_gives_the_same_bytes(tmp_path, work):
    assert the_same(work, tmp_path, MANY)


@pytest.mark.slow
@pytest.mark.parametrize("method", td_leaf.METHODS)
def test_learning_move_by_move_is_the_same_in_a_worker(tmp_path, method):
    """There is one stream of games: any crew gives it to one worker at a time."""
    assert the_same(lambda *given: fit(*given, method=method), tmp_path, ["processes:2"])


@pytest.mark.slow
@pytest.mark.parametrize("work", [fit, td])
def test_a_training_is_the_same_after_the_death_of_workers(tmp_path, work):
    assert work(tmp_path / "a", "processes:2", kill_workers) == work(tmp_path / "b", "threads:1")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "made"),
    [
        (["train", SPEC, "--games", "12000", "--depth", "3"], "games-0/*.npz"),
        (["train", LEARNING, "--rounds", "150", "--games", "200"], "weights.npz"),
    ],
)
def test_a_driver_that_was_killed_three_times_goes_on(tmp_path, words, made):
    """The same bytes as undisturbed, what was stored is kept, and no process is left."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    given = {"cwd": tmp_path, "env": environment}
    command = [*COMMAND, *words, "--jobs", "2"]

    def stored() -> dict[str, int]:
        return {str(path): path.stat().st_mtime_ns for path in (tmp_path / "t").glob(made)}

    def killed() -> None:
        before = stored()
        with child(*command, "--folder", "t", "--output", "t.eval", **given) as process:
            wait_until(lambda: len(workers_of(process.pid)) == 2 and stored() != before, 200)
            workers = workers_of(process.pid)
            process.kill()
            process.wait(20)
        wait_until(lambda: not any(map(is_running, workers)), 20)
        assert not (tmp_path / "t.eval").exists()

    for _ in range(3):
        killed()
    kept = stored()
    for folder in ("t", "whole"):
        said = run(*command, "--folder", folder, "--output", f"{folder}.eval", **given)
        assert said.returncode == 0, said.stderr
    if len(kept) > 1:
        assert kept.items() <= stored().items(), "a chunk was played again"
    assert (tmp_path / "t.eval").read_bytes() == (tmp_path / "whole.eval").read_bytes()


EMPTY = """
import sys
from pathlib import Path
from gambito.learn import leaf, network, play, probcut
from tests.learn import test_crews, works
folder = Path(sys.argv[1])
play.play_chunk, leaf.learn_block = works.play_chunk, works.learn_block
network.play_stream, probcut.search_game = works.play_stream, works.search_game
play.generate("tic-tac-toe", play.Plan(games=40, chunk=10), folder, 0, jobs=2)
test_crews.fit(folder / "td", "processes:2", method="td")
test_crews.td(folder / "network", "processes:2")
list(probcut.sample(test_crews.SPEC, 20, 3, jobs=2))
print(len(list(folder.glob("cache/**/*.so"))))
play.generate("tic-tac-toe", play.Plan(games=40, chunk=10), folder, 1, jobs=1)
print(len(list(folder.glob("cache/**/*.so"))))
"""


@pytest.mark.slow
def test_workers_compile_nothing_from_an_empty_cache(tmp_path):
    """The driver compiles once, under the same names as the workers look for."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    environment["GAMBITO_CACHE"] = str(tmp_path / "cache")
    said = run(sys.executable, "-c", EMPTY, str(tmp_path), env=environment)
    assert said.returncode == 0, said.stderr
    before, after = said.stdout.split()
    assert before == after != "0"


def test_a_model_for_other_processes_needs_a_game_that_they_can_make():
    class Own(type(gambito.load(PLAIN))):  # type: ignore[misc]
        pass

    with pytest.raises(GameError, match="cannot be made again in another process"):
        next(probcut.sample(Own(), 20, 3, jobs=2))


def test_the_gate_is_tested_after_whole_blocks():
    test, tally = BlockTest(0.0, 30.0), Tally()
    for pair in range(1, 61):
        tally.add(1.0)
        tally.add(1.0, 1.0)
        assert test.verdict(tally) == ("" if pair % 20 else Sprt(0.0, 30.0).verdict(tally))
    assert test.verdict(tally) == "elo1"
