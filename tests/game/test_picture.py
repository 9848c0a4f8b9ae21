"""Boards as descriptions: every built-in game's pieces and touches lie on its board."""

import json
import random

import pytest

import gambito
from gambito.boards.picture import Board, Cell, crossings, grid, hexagons, letter, pits, points, words_of
from gambito.errors import PositionError
from gambito.game.registry import game_classes

NAMES = [*game_classes(), "connect-four:width=4,height=5", "othello:size=6", "nim:heaps=1-2-3-4"]


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES)
def test_pieces_and_touches_are_on_the_board(name):
    game, rng = gambito.load(name), random.Random(2)
    board = game.picture()
    cells = len(board.cells) if board else 0
    for _ in range(3):
        state = game.initial()
        for _ in range(60):
            if game.is_terminal(state):
                assert game.reason(state) or game.players == 1
                break
            assert all(0 <= piece.cell < cells for piece in game.pieces(state))
            ways = {}
            for action in game.legal(state):
                touch = game.touch(state, action)
                for step in touch:
                    for cell in step if isinstance(step, tuple) else (step,):
                        assert 0 <= cell < cells
                ways.setdefault(touch, []).append(game.write(state, action))
                assert next(iter(game.touches(state, action))) == touch
                assert all(0 <= cell < cells for arrow in game.arrows(state, action) for cell in arrow)
            assert all(len(set(names)) == len(names) for names in ways.values())  # the page asks which
            state = game.result(state, rng.choice(game.legal(state)))


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_game_is_written_and_read(name):
    game, rng = gambito.load(name), random.Random(3)
    for plies in (0, 3):
        start = game.initial()
        for _ in range(plies):
            start = start if game.is_terminal(start) else game.result(start, rng.choice(game.legal(start)))
        if plies and not game.text(start):
            continue
        state, actions = start, []
        while not game.is_terminal(state) and len(actions) < 100:
            actions.append(rng.choice(game.legal(state)))
            state = game.result(state, actions[-1])
        again, read = game.at(start).read_game(game.at(start).write_game(start, actions))
        assert read == actions and game.text(again) == game.text(start)


def test_a_game_that_cannot_be_read_names_the_move():
    with pytest.raises(PositionError, match="move 2: '1' is not a move here"):
        gambito.load("tic-tac-toe").read_game("1 1")


def test_shapes():
    assert [cell.name for cell in grid(2, 2, upward=True).cells] == ["a1", "b1", "a2", "b2"]
    chequered = grid(8, 8, checkered=True, upward=True).cells
    assert chequered[0].tone == "dark" and chequered[7].tone == "light" and chequered[0].y == 7.5
    assert crossings(9, 9).cells[0].name == "A9" and crossings(9, 9).cells[8].name == "J9"
    assert hexagons(3, 3).cells[3].x == 1.0 and len(pits([["a", "b"], ["", "c"]]).cells) == 3
    assert points([(0, 0), (2, 2)], [(0, 1)], ["a", "b"]).lines == ((0.5, 0.5, 2.5, 2.5),)
    assert [letter(n) for n in (0, 25, 26, 51, 52)] == ["a", "z", "aa", "az", "ba"]
    json.dumps(crossings(3, 3).as_dict(), allow_nan=False)


def test_a_play_of_backgammon_is_touched_in_any_order():
    game = gambito.load("backgammon")
    state = game.parse("4HPwATDgc/ABMA 3-1")
    named = {game.write(state, action): action for action in game.legal(state)}
    play = named["24/23 13/10"]
    assert set(game.touches(state, play)) == {(12, 9, 23, 22), (23, 22, 12, 9)}
    assert set(game.arrows(state, play)) == {(12, 9), (23, 22)}
    starts = {way[:2] for action in named.values() for way in game.touches(state, action)}
    assert {(7, 4), (7, 6)} <= starts  # point 8 with either die
    assert set(game.touches(state, named["24/20"])) == {(23, 20, 20, 19), (23, 22, 22, 19)}


def test_a_move_with_a_capture_moves_one_man():
    game = gambito.load("nine-mens-morris")
    state = game.parse("WW....../B......./......B. W 7 7")
    taking = [action for action in game.legal(state) if "x" in game.write(state, action)]
    assert taking and all(game.arrows(state, a) == (game.touch(state, a)[:1],) for a in taking)


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        ("8 r n b q k b n r\n  a b c d e f g h\nWhite to move", ""),
        ("XXO\nOXX\nabcdefgh\nrnbqkbnr", ""),
        ("1 . X\nX: 3  O: 5", "X: 3  O: 5"),
        ("+-+\nwalls left 5, 4; X to move", "walls left 5, 4"),
        ("score 3-2\n. . .", "score 3-2"),
    ],
)
def test_what_a_drawing_says_in_words(shown, told):
    assert words_of(shown) == told


def test_what_a_page_could_run_is_no_outline():
    with pytest.raises(ValueError, match="not SVG path data"):
        Board(1, 1, (), symbols={"x": 'M0 0"/><script>'})
    with pytest.raises(ValueError, match="accepted: shapes square"):
        Board(1, 1, (Cell("a", 0, 0, "blob"),))


def test_a_heap_larger_than_the_picture_is_nowhere():
    game = gambito.load("nim")
    assert any(piece.cell < 0 for piece in game.pieces(game.parse("9 9 9")))


def test_values_as_a_share_of_a_win():
    game = gambito.load("othello")
    assert game.expectation(0) == 0.5 and game.expectation(8) == pytest.approx(0.75)
    assert 0 < game.expectation(-1e9) < 1e-9 and game.expectation(64) + game.expectation(
        -64
    ) == pytest.approx(1)


def test_edit_a_tree():
    game = gambito.load("tree")
    root = game.parse('{"left": 3, "right": [2, {"value": 4, "name": "B"}]}')
    assert (
        game.text(game.edit(root, ["right", "b"], 7.5)) == '{"left":3,"right":[2,{"name":"B","value":7.5}]}'
    )
    assert game.text(root).endswith('"value":4}]}')  # the tree itself stays
    assert game.text(game.edit(root, ["left"], None)).startswith('{"left":null')
    with pytest.raises(PositionError, match="'up' is not a move here; accepted: left, right"):
        game.edit(root, ["up"], 1)
    with pytest.raises(PositionError, match="only the value of a leaf"):
        game.edit(root, [], 1)
