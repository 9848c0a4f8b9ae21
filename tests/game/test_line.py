"""A line of moves, written."""

import gambito
from gambito.game.line import write_line


def test_each_move_is_written_in_the_state_that_it_is_made_in():
    chess = gambito.load("chess")
    start, actions = chess.read_game("1. e4 e5 2. Nf3 *")
    assert write_line(chess, start, actions) == ["e4", "e5", "Nf3"]
    assert write_line(chess, start, actions, chess.token) == ["e2e4", "e7e5", "g1f3"]
    assert write_line(chess, start, []) == []
