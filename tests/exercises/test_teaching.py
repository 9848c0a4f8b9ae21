"""The pages about teaching are true: their files are written, their commands run and print what is shown."""

import os
import re
import sys
from pathlib import Path

import pytest

from tests.support import run

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
LOCALE = {"en": "C.UTF-8", "es": "es_ES.UTF-8"}
SHELL = f"""
gambito() {{ "{sys.executable}" -m gambito "$@"; }}
python() {{ "{sys.executable}" "$@"; }}
"""


@pytest.mark.parametrize("language", ["en", pytest.param("es", marks=pytest.mark.slow)])
def test_the_page_about_teaching(language, tmp_path):
    text = (DOCS / language / "teaching.md").read_text(encoding="utf-8")
    for name, body in re.findall(r"<!-- file: (\S+) -->\n```python\n(.*?)```", text, re.S):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(body, encoding="utf-8")
    environment = {
        **os.environ,
        "LC_ALL": LOCALE[language],
        "GAMBITO_LANGUAGE": "",
        "NO_COLOR": "1",
        "COLUMNS": "100",
    }
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    shown = re.findall(r"```text\n\$ (.*?)\n(.*?)```", text, re.S)
    assert len(shown) == 8
    for command, printed in shown:
        done = run("bash", "-c", SHELL + command, cwd=tmp_path, env=environment)
        lines = [line.rstrip() for line in done.stdout.splitlines()]
        assert lines == printed.strip("\n").splitlines(), command
    for block in re.findall(r"(?<! -->\n)```python\n(.*?)```", text, re.S):
        assert run(sys.executable, "-c", block, cwd=tmp_path, env=environment).returncode == 0


def test_both_pages_show_the_same():
    shapes = []
    for language in LOCALE:
        text = (DOCS / language / "teaching.md").read_text(encoding="utf-8")
        text = text.replace(" --language es", "")  # which --json needs: without it, it is the same everywhere
        shapes.append(re.findall(r"^(#+ |<!-- file: .*|\$ .*|```\w+)", text, re.M))
    assert shapes[0] == shapes[1]
