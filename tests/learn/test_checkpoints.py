"""What a training keeps: damaged files are made again, and its processes end with it."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict

import numpy as np
import pytest

import gambito
from gambito.errors import GameError
from gambito.jobs import done, read_executor
from gambito.learn.checkpoints import MARK, read_arrays, read_facts, save_arrays, save_facts
from gambito.learn.self_play import SelfPlayPlan, play_chunk
from gambito.learn.train import FitTraining, read_recipe
from tests.learn.small import SPEC
from tests.support import COMMAND, child, is_running, wait_until, workers_of


def train(folder, output, **said):
    recipe = read_recipe(gambito.load(SPEC), **said)
    return FitTraining(SPEC, folder, recipe, 0, jobs=1).run(output)


def damaged(path, how):
    data = path.read_bytes()
    half = len(data) // 2
    path.write_bytes(
        {"cut": data[:half], "empty": b"", "flipped": data[:half] + b"\x07" + data[half + 1 :]}[how]
    )


@pytest.mark.parametrize("how", ["cut", "empty", "flipped"])
def test_damaged_files_are_made_again(tmp_path, how):
    """Each file of the folder in turn: the same command ends with the same bytes."""
    folder, output = tmp_path / "t", tmp_path / "t.eval"
    train(folder, output, games=100)
    whole = output.read_bytes()
    names = ["training.json", "round-0.json", "round-0.eval", "fit-0.npz", "games-0/games-00001.npz"]
    for name in names:
        before = (folder / name).read_bytes()
        if not name.startswith(("round", "training")):
            (folder / "round-0.json").unlink()  # or the rest is not read
        damaged(folder / name, how)
        train(folder, output, games=100)
        assert output.read_bytes() == whole and (folder / name).read_bytes() == before, name


def test_files_of_another_training_are_not_taken(tmp_path):
    """If the file that says whose the folder is was damaged, chunks and checkpoints still know theirs."""
    folder, output = tmp_path / "t", tmp_path / "t.eval"
    train(tmp_path / "clean", output, games=150)
    whole = output.read_bytes()
    train(folder, output, games=100)
    damaged(folder / "training.json", "cut")
    train(folder, output, games=150)
    assert output.read_bytes() == whole


def test_arrays_and_facts_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "x.npz"
    save_arrays(path, {"a": np.arange(3), "b": [1.5]}, "mine")
    assert read_arrays(path, "mine")["a"].tolist() == [0, 1, 2]
    assert read_arrays(path)["b"].tolist() == [1.5] and read_arrays(path, "other") is None
    for place in range(0, len(path.read_bytes()), 7):
        whole = path.read_bytes()
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 16]) + whole[place + 1 :])
        found = read_arrays(path, "mine")
        assert found is None or found["a"].tolist() == [0, 1, 2], place
        path.write_bytes(whole)
    save_facts(tmp_path / "x.json", {"games": 3}, "mine")
    assert read_facts(tmp_path / "x.json") == ({"games": 3}, "mine")
    for text in ("", "[]", "{}", "[" * 100_000, json.dumps({MARK: "mine", "games": 4, "checksum": "0"})):
        (tmp_path / "x.json").write_text(text)
        assert read_facts(tmp_path / "x.json") is None


def test_a_worker_ends_with_its_leader():
    """In the middle of its work; and what goes wrong in it is a sentence for the leader."""
    work = {"game": "nothing", "plan": asdict(SelfPlayPlan()), "seed": 0, "chunk": 0, "mark": ""}
    endless = asdict(SelfPlayPlan(games=10**6, chunk=10**6, depth=9))
    with pytest.raises(GameError, match="unknown game 'nothing'; accepted: "):
        list(done(read_executor("processes:1"), play_chunk, [work]))
    workers = []

    def stop(news):
        workers[:] = workers_of(os.getpid())
        if time.monotonic() > began + 1:
            raise KeyboardInterrupt

    began = time.monotonic()
    long = {**work, "game": f"{SPEC}:evaluation=hand", "plan": endless}
    with pytest.raises(KeyboardInterrupt):
        list(done(read_executor("processes:1"), play_chunk, [long], stop))
    assert len(workers) == 1
    wait_until(lambda: not is_running(workers[0]), 20)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_a_training(tmp_path, number):
    """After Ctrl-C there is no traceback; after a kill no worker computes."""
    words = ["train", SPEC, "--games", "400000", "--jobs", "2", "--folder", "t", "--output", "t.eval"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": tmp_path}
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with child(*COMMAND, *words, **pipes, env=environment, start_new_session=True) as process:
        wait_until(lambda: len(workers_of(process.pid)) == 2, 120)
        workers = workers_of(process.pid)
        time.sleep(1)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does
            assert process.wait(20) == 130
            told = process.stderr.read()
            assert "Traceback" not in told and "Exception" not in told, told
        else:
            process.kill()
            process.wait(20)
        wait_until(lambda: not any(map(is_running, workers)), 20)
