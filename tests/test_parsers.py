"""No parser of the package raises anything but a sentence, whatever it reads."""

import re

import pytest

from tests.parsers import Fault, parsers, share_out
from tests.templates import PACKAGE

SLICE, MANY = 1_200, 200_000


def faults_of(total, place):
    found = []
    for parser, count in share_out(parsers(place), total):
        for number in range(count):
            try:
                parser.try_one(number)
            except Fault as fault:
                found.append(str(fault))
    return found


@pytest.mark.filterwarnings("ignore")
def test_mutated_inputs_are_read_or_refused_in_one_line(tmp_path):
    assert not faults_of(SLICE, tmp_path)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_many_mutated_inputs(tmp_path):
    """`python -m tests.parsers 1000000` tries more, and tells the counts by parser."""
    assert not faults_of(MANY, tmp_path)


def test_numbers_are_read_from_plain_digits():
    """`isdigit` and `\\d` accept ² and ٣; `read_whole` and `[0-9]` with a length do not, nor 5,000 digits."""
    parsing = ("game", "games", "players", "books", "endgames", "evaluate")
    loose = re.compile(r"\.isdecimal\(|\.isnumeric\(|\\d")
    for folder in parsing:
        for path in (PACKAGE / folder).rglob("*.py"):
            found = loose.search(path.read_text())
            assert found is None or path.name == "check_play.py", f"{path}: {found}"
