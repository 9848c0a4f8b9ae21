"""The page's files are small, come only from this server, and never run text as code."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

import gambito

PAGE = Path(gambito.__file__).with_name("web") / "page"
SCRIPTS = sorted(PAGE.rglob("*.js"))
MOST_SCRIPT = 60_000  # bytes, compressed
LONGEST = 15_000  # characters that are no spaces: what a person can read in a sitting
ADDRESS = re.compile(r"https?://(?!www\.w3\.org/)")
RISKY = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function")


def test_all_scripts_together_are_small():
    together = b"".join(script.read_bytes() for script in SCRIPTS)
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
