"""International draughts against published counts, the rule book's examples, and positions of real games."""

import re

import pytest

import gambito
from tests.support import rows

GAME = gambito.load("draughts")
QUICK, SLOW = 3e6, 1e8


def positions(least, most):
    """The counts of perft between two limits: game, position, depth, count."""
    found = []
    for row in rows("draughts/perft_positions.csv"):
        if row["variant"] == "international" and least <= int(row["nodes"]) < most:
            spec = "draughts:routes=true" if row["duplicate_captures"] == "keep" else "draughts"
            found.append((spec, row["fen"], int(row["depth"]), int(row["nodes"])))
    return found


def test_perft_of_positions():
    for spec, fen, depth, nodes in positions(0, QUICK):
        if spec == "draughts":
            assert gambito.perft(GAME, fen, depth=depth) == nodes


@pytest.mark.slow
def test_deep_perft():
    """To a hundred million, and also where every route counts."""
    for spec, fen, depth, nodes in positions(0, SLOW):
        assert gambito.perft(spec, fen, depth=depth) == nodes


def test_rule_book():
    for row in rows("draughts/legal_moves_rulebook.csv"):
        if row["variant"] == "international":
            state = GAME.parse(row["fen"])
            named = sorted(GAME.write(state, action) for action in GAME.legal(state))
            assert named == sorted(re.sub(r"\b0|(?<=x)0", "", row["legal_moves"]).split()), row


def test_positions_of_real_games():
    for row in rows("draughts/legal_move_counts_lidraughts.csv"):
        assert len(GAME.legal(GAME.parse(row["fen"]))) == int(row["legal_moves"])


def test_draws_by_few_pieces():
    """Five moves for two against a king, sixteen for three; there a man's move counts like any other."""
    for text, is_over in (
        ("W:WK1,K2:BK50:H9", False),
        ("W:WK1,K2:BK50:H10", True),
        ("W:WK1,K2,40:BK50:H10", False),
        ("W:WK1,K2,40:BK50:H32", True),
        ("W:WK1,K2,40,41:BK50:H32", False),
        ("W:WK1,K2,40,41:BK50:H50", True),
    ):
        assert GAME.is_terminal(GAME.parse(text)) == is_over, text
    few, more = GAME.parse("W:WK1,K2,40:BK50:H7"), GAME.parse("W:WK1,K2,40,41:BK50:H7")
    assert GAME.result(few, GAME.read(few, "40-34")).rest == 8
    assert GAME.result(more, GAME.read(more, "40-34")).rest == 0


def test_pdn():
    start, actions = GAME.read_game("1. 32-28 18-22 2. 37-32 12-18 1-1")
    text = GAME.write_game(start, actions)
    assert '[GameType "20"]' in text
    assert GAME.read_game(text) == (start, actions)
