"""The package as a user meets it: its version, its extras, completion, and where it writes."""

import importlib.util
import os
import re
import sys
import tomllib
from pathlib import Path

import pytest

import gambito
from tests.support import COMMAND, run

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# Tells what a process opens to write, creates or renames, from its first import on.
SPY = """
import os, sys
WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
def hear(event, given):
    is_named = event == "open" and isinstance(given[0], (str, bytes))
    if is_named and isinstance(given[2], int) and given[2] & WRITE:
        os.write(2, f"WROTE {os.fsdecode(given[0])}\\n".encode())
    if event in ("os.mkdir", "os.rename"):
        os.write(2, f"WROTE {os.fsdecode(given[-3 if event == 'os.rename' else 0])}\\n".encode())
sys.addaudithook(hear)
"""


def release():
    spec = importlib.util.spec_from_file_location("release", ROOT / "tools" / "release.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_all_files_tell_the_same_version():
    assert release().check_version() == gambito.__version__
    assert re.fullmatch(r"\d+\.\d+\.\d+", gambito.__version__)


def test_the_example_that_a_release_runs():
    example, shown = release().first_example()
    assert "gambito.search(" in example and shown.startswith("engine 0 [")


def test_the_version_says_what_it_runs_on():
    told = run(*COMMAND, "--version").stdout.splitlines()
    assert told[0] == f"gambito {gambito.__version__}"
    python = ".".join(map(str, sys.version_info[:3]))
    assert told[1].split()[:2] == ["Python", f"{python},"] and "Numba 0." in told[1]
    assert [line.split()[0] for line in told[1:]] == ["Python", "system", "code", "cache"]


def test_the_core_needs_four_packages():
    names = [re.split("[<>=]", each)[0] for each in PROJECT["dependencies"]]
    assert names == ["click", "numba", "numpy", "rich"]
    assert {"web", "learn", "cluster", "notebook"} <= PROJECT["optional-dependencies"].keys()


def test_a_missing_extra_is_one_sentence():
    hide = "import sys; sys.modules['uvicorn'] = None; from gambito.cli.main import main; main()"
    done = run(sys.executable, "-c", hide, "serve", "--port", "0")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "the page needs starlette, uvicorn and websockets" in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell):
    assert "_GAMBITO_COMPLETE" in run(*COMMAND, "completion", shell).stdout


def test_what_is_completed():
    def offered(*words):
        given = {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
        done = run(*COMMAND, env={"_GAMBITO_COMPLETE": "bash_complete", **given})
        return [line.partition(",")[2] for line in done.stdout.splitlines()]

    assert offered("gambito", "exp") == ["exploit", "experiment", "export"]
    assert offered("gambito", "best", "connect") == ["connect-four"]
    assert offered("gambito", "best", "chess", "--algorithm", "mtd") == ["mtd-f"]


def test_a_shell_that_is_not_known():
    done = run(*COMMAND, "completion", env={"SHELL": "/bin/none"})
    assert done.returncode == 2 and "unknown shell 'none'; accepted: bash, zsh, fish" in done.stderr


@pytest.mark.thorough
def test_nothing_is_written_outside_the_cache_folder(tmp_path):
    places = {name: tmp_path / name for name in ("home", "cache", "work", "tmp", "spy")}
    for place in places.values():
        place.mkdir(mode=0o700)
    (places["spy"] / "sitecustomize.py").write_text(SPY)
    given = {"HOME": "home", "XDG_CACHE_HOME": "cache", "TMPDIR": "tmp", "PYTHONPATH": "spy"}
    environment = {key: str(places[name]) for key, name in given.items()}
    environment |= {"GAMBITO_CACHE": "", "PYTHONDONTWRITEBYTECODE": "1"}
    search = ("best", "tic-tac-toe", "--depth", "3", "--algorithm", "alpha-beta")
    for words in (search, ("games",), ("trace", "tree")):
        done = run(*COMMAND, *words, cwd=places["work"], env=environment)
        assert done.returncode == 0, done
        wrote = [line[6:] for line in done.stderr.splitlines() if line.startswith("WROTE ")]
        inside = (str(places["cache"]), os.devnull)
        assert [path for path in wrote if not path.startswith(inside)] == []
    left = [path for path in tmp_path.rglob("*") if path.is_file() and places["spy"] not in path.parents]
    assert left and all(places["cache"] / "gambito" in path.parents for path in left)
