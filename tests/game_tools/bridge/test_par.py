"""Scores of contracts, boards, tables of results and par."""

from __future__ import annotations

import pytest

from gambito.game_tools.bridge.contracts import (
    BOTH,
    EAST_WEST,
    NOBODY,
    NORTH_SOUTH,
    Contract,
    bid_of,
    call_name,
    dealer_of,
    score,
    vulnerability_of,
)
from gambito.game_tools.bridge.par import par
from gambito.game_tools.bridge.tables import results

DEAL = "N:KQJ4.853.96.8753 AT862.Q9.KQT32.6 93.KT762.J854.AK 75.AJ4.A7.QJT942"
# The table that DDS finds.
TABLE = {
    "NT": {"N": 3, "E": 9, "S": 3, "W": 8},
    "S": {"N": 3, "E": 10, "S": 3, "W": 9},
    "H": {"N": 6, "E": 7, "S": 6, "W": 7},
    "D": {"N": 3, "E": 10, "S": 3, "W": 9},
    "C": {"N": 3, "E": 10, "S": 3, "W": 10},
}


@pytest.mark.parametrize(
    ("level", "strain", "doubled", "vulnerable", "tricks", "points"),
    [
        (1, "NT", 0, False, 7, 90),
        (3, "NT", 0, False, 9, 400),
        (3, "NT", 0, True, 10, 630),
        (4, "S", 0, True, 10, 620),
        (5, "C", 0, False, 11, 400),
        (2, "H", 1, False, 8, 470),
        (2, "H", 1, True, 9, 870),
        (1, "C", 2, False, 7, 230),
        (1, "C", 2, True, 9, 1030),
        (6, "S", 0, True, 12, 1430),
        (7, "NT", 2, True, 13, 2980),
        (4, "S", 0, True, 8, -200),
        (4, "S", 1, False, 6, -800),
        (4, "S", 1, True, 6, -1100),
        (7, "NT", 2, True, 0, -7600),
        (7, "NT", 2, False, 0, -7000),
    ],
)
def test_scores_of_the_laws(level, strain, doubled, vulnerable, tricks, points):
    assert score(level, ("C", "D", "H", "S", "NT").index(strain), doubled, vulnerable, tricks) == points


def test_boards_have_dealers_and_vulnerable_sides():
    assert ["SWNE"[dealer_of(board)] for board in (1, 2, 3, 4, 5)] == list("NESWN")
    assert [vulnerability_of(board) for board in (1, 2, 3, 4, 7, 13, 16, 17)] == [
        NOBODY, NORTH_SOUTH, EAST_WEST, BOTH, BOTH, BOTH, EAST_WEST, NOBODY,
    ]  # fmt: skip


def test_calls_have_names():
    assert [call_name(call) for call in (0, 1, 2, 3, bid_of(3, 4), 37)] == [
        "Pass",
        "X",
        "XX",
        "1C",
        "3NT",
        "7NT",
    ]


@pytest.mark.slow
def test_the_table_of_a_deal():
    assert results(DEAL) == TABLE


def test_the_table_of_few_cards():
    found = results("N:A... K... Q... J...")
    assert found["S"] == {"N": 1, "S": 1, "E": 0, "W": 0}


@pytest.mark.parametrize(
    ("vulnerability", "points", "contract"),
    [(NOBODY, -420, Contract(4, 3, 0, 3)), (EAST_WEST, -620, Contract(4, 3, 0, 3))],
)
def test_par_of_a_deal(vulnerability, points, contract):
    found = par(TABLE, 2, vulnerability)
    assert (found.points, found.contract) == (points, contract)


def test_par_is_a_sacrifice_if_that_costs_less():
    table = {
        "NT": {"N": 5, "S": 5, "E": 8, "W": 8},
        "S": {"N": 3, "S": 3, "E": 10, "W": 10},
        "H": {"N": 9, "S": 9, "E": 4, "W": 4},
        "D": {"N": 6, "S": 6, "E": 7, "W": 7},
        "C": {"N": 6, "S": 6, "E": 7, "W": 7},
    }
    found = par(table, 2, EAST_WEST)
    assert (found.points, str(found.contract)) == (-300, "5HX")
    assert par(table, 2, NOBODY).points == -300


def test_nobody_can_make_anything():
    table = {strain: dict.fromkeys("NESW", 6) for strain in ("NT", "S", "H", "D", "C")}
    assert par(table, 0, NOBODY) == (0, Contract(0, 0, 0, 0), 0)
