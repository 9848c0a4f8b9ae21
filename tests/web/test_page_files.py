"""The page's files are small, come only from this server, and never run text as code."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

import gambito

PAGE = Path(gambito.__file__).with_name("web") / "page"
SCRIPTS = sorted(PAGE.rglob("*.js"))
MOST_SCRIPT = 60_000  # bytes, compressed, of what one page loads
LONGEST = 15_000  # characters that are no spaces: what a person can read in a sitting
ADDRESS = re.compile(r"https?://(?!www\.w3\.org/)")
RISKY = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function")


def loaded(*names: str) -> set[str]:
    """The scripts that are loaded with these: what they import, but not what they import only when needed."""
    found, waiting = set[str](), [*names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            text = (PAGE / name).read_text(encoding="utf-8")
            waiting += re.findall(r'^(?:import|export)\b[^;"]*"\./([\w.]+)"', text, re.MULTILINE)
    return found


@pytest.mark.parametrize("extra", [(), ("table.js", "beliefs.js")], ids=["", "something is hidden"])
@pytest.mark.parametrize("page", ["play.js", "analyse.js", "watch.js", "about.js"])
def test_the_scripts_of_a_page_are_small(page, extra):
    scripts = loaded("main.js", page, *extra)
    assert {"main.js", "dom.js", "words.js", page} <= scripts
    together = b"".join((PAGE / name).read_bytes() for name in sorted(scripts))
    assert len(gzip.compress(together)) < MOST_SCRIPT


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_is_short_and_careful(script):
    text = script.read_text(encoding="utf-8")
    assert len("".join(text.split())) < LONGEST
    assert text.startswith("//"), "a file opens with what it is"
    assert not RISKY.search(text)


@pytest.mark.parametrize("file", [p for p in PAGE.rglob("*") if p.is_file()], ids=lambda path: path.name)
def test_no_file_names_another_machine(file):
    assert not ADDRESS.search(file.read_text(encoding="utf-8"))
