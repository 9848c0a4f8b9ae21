"""What the README shows is true: its example is the file that stands beside the docs, and it runs."""

import json
import re
import sys
from pathlib import Path

import gambito
from tests.support import COMMAND, run

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "docs" / "examples" / "take_away.py"


def blocks() -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)


def test_the_first_example_prints_what_stands_below_it():
    shown = re.search(r"```python\n(.*?)```\n\n    (.*?)\n", (ROOT / "README.md").read_text(), re.S)
    assert shown is not None and len(shown[1].strip().splitlines()) <= 5
    done = run(sys.executable, "-c", shown[1])
    assert done.stdout.strip() == shown[2], done


def test_the_example_is_the_file():
    assert blocks()[1] == EXAMPLE.read_text()
    assert len(blocks()[1].splitlines()) <= 45


def test_the_example_passes_the_check():
    report = gambito.check(f"{EXAMPLE}:TakeAway")
    assert report.ok, report.problems
    assert report.native


def test_the_example_is_solved():
    game = gambito.load(f"{EXAMPLE}:TakeAway")
    state = game.initial()
    for heap in range(game.heap, 0, -1):
        found = gambito.search(game, state, algorithm="alpha-beta", depth=heap)
        assert found.value == (-1 if heap % 4 == 0 else 1)
        assert found.exact
        state = game.result(state, 1)


def test_the_example_in_python(tmp_path):
    (tmp_path / "take_away.py").write_text(EXAMPLE.read_text())
    done = run(sys.executable, "-c", blocks()[2], cwd=tmp_path)
    assert done.stdout.startswith("1 1 "), done


def test_the_example_on_the_command_line():
    done = run(*COMMAND, "best", f"{EXAMPLE}:TakeAway", "--depth", "21", "--json")
    assert json.loads(done.stdout)["action"] == "1", done


def test_pictures_and_links_are_there():
    for text in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text.read_text()):
            assert (text.parent / target).exists(), f"{text.name} points to {target}"
