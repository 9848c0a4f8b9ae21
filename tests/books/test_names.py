"""The names of openings: every line of the tables can be played, and the order of moves does not matter."""

from __future__ import annotations

import pytest

import gambito
from gambito.books.names import FOLDER, Names


def states(game, moves):
    found = [game.initial()]
    for move in moves.split():
        found.append(game.result(found[-1], game.read(found[-1], move)))
    return found


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_a_table_is_of_a_game_and_every_line_is_another_position(path):
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    names = Names(gambito.load(path.stem))
    assert len(names.known) == len(lines)
    assert all(opening.names["en"] and opening.names["es"] for opening in names.known.values())


def test_the_last_name_counts_and_moves_may_be_transposed():
    chess = gambito.load("chess")
    names = Names(chess)
    assert names.find([chess.initial()]) is None
    spanish = names.find(states(chess, "e4 e5 Nf3 Nc6 Bb5 h6"))
    assert spanish.code == "C60" and spanish.names == {"en": "Ruy Lopez", "es": "Apertura española"}
    assert names.find(states(chess, "c4 Nf6 d4 e6 Nc3 Bb4")).names["en"] == "Nimzo-Indian Defence"
    elsewhere = chess.parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert names.find([elsewhere]) is None


@pytest.mark.parametrize("moves", ["c4 e3 f6 e6 f5", "f5 d6 c3 d3 c4", "d3 c5 f6 f5 e6", "e6 f4 c3 c4 d3"])
def test_the_tiger_of_othello_has_four_faces(moves):
    othello = gambito.load("othello")
    assert Names(othello).find(states(othello, moves)).names["en"] == "Tiger"


def test_a_game_without_a_table_or_with_parameters_has_no_names():
    for name in ("nim", "othello:size=6"):
        game = gambito.load(name)
        assert Names(game).find([game.initial()]) is None
