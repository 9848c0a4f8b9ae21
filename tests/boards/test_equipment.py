"""Boards from one declaration: what stands on a cell, texts and touches, in both gears; own games."""

from __future__ import annotations

import random
import re
from typing import NamedTuple

import numpy as np
import pytest

import gambito
from gambito.boards import Board, Cell, Equipment, Kind, Piece, discs, grid, hexagons, points
from gambito.boards.changes import arrows_of
from gambito.boards.plain import plain_board, table
from gambito.boards.shapes import QUALITIES, SHAPES, outline
from gambito.draw import position as drawing
from gambito.errors import PositionError
from gambito.game.gears import gears
from gambito.game.standing import stands_of, touched_of
from gambito.web.position_editor import begin, finish

HOUSE = [
    "breakthrough", "checkers", "chess", "chinese-checkers", "connect-four", "draughts", "einstein",
    "go:size=5", "gomoku", "grid-map", "hex:size=5,swap=true", "kalah", "nine-mens-morris", "othello",
    "dark-chess", "dark-hex", "dots-and-boxes", "phantom-tic-tac-toe", "sliding-tiles", "tic-tac-toe",
    "tic-tac-toe-3", "battleship", "parchis",
]  # fmt: skip
EXAMPLES = [
    f"docs/examples/{file}" for file in ("quarto.py:PlainQuarto", "santorini.py:Santorini", "onitama.py")
]
FEW = ("connect-four", "hex:size=5,swap=true", "kalah", "tic-tac-toe", "docs/examples/santorini.py:Santorini")


def walk(game, seed, plies):
    """The states of a random game."""
    lots, state = random.Random(seed), game.initial()
    for _ in range(plies):
        yield state
        if game.is_terminal(state):
            return
        chance = [int(outcome) for outcome, _ in game.chances(state)] if game.player(state) < 0 else []
        state = game.result(state, lots.choice(chance or game.legal(state)))


@pytest.mark.parametrize("name", HOUSE)
def test_texts_and_moves_are_read_again(name):
    game = gambito.load(name)
    for state in walk(game, 3, 40):
        there = game.at(state)
        assert there.text(there.parse(there.text(state))) == there.text(state)
        if not game.is_terminal(state) and game.player(state) >= 0:
            assert all(
                game.read(state, game.write(state, action)) == action for action in game.legal(state)[:20]
            )


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in FEW else [pytest.mark.slow]) for name in HOUSE + EXAMPLES]
)
def test_both_gears_say_what_stands_where_and_what_is_touched(name):
    game = gambito.load(name)
    both, kit = gears(game), game.kept_equipment()
    compiled, stands, touched = both.in_gear("native"), stands_of(game), touched_of(game)
    for state in [*walk(game, 5, 12)]:
        entered = both.cast(state)
        codes = [int(stands(compiled, entered, cell)) for cell in range(kit.size)]
        assert codes == game.cell_codes(state)
        if game.is_terminal(state) or game.player(state) < 0:
            continue
        for action in game.legal(state)[:10]:
            steps = [int(touched(compiled, entered, action, step)) for step in range(4)]
            assert steps == [int(game.touched(state, action, step)) for step in range(4)]


# ---- own games ---------------------------------------------------------------------------------------


class Filled(NamedTuple):
    board: np.ndarray
    mover: int


class Fill(gambito.Game):
    """Put a stone on a free cell; who fills a row wins. Nothing is said of the board."""

    longest = 9

    def initial(self):
        return Filled(np.zeros((3, 3), np.int8), 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for cell in range(9):
            if state.board[cell // 3, cell % 3] == 0:
                yield cell

    def result(self, state, action):
        board = state.board.copy()
        board[action // 3, action % 3] = state.mover + 1
        return Filled(board, 1 - state.mover)

    def is_terminal(self, state):
        return bool((state.board != 0).all())

    def utility(self, state, player):
        return 0


class Declared(Fill):
    def equipment(self):
        return Equipment(grid(3, 3), "XO")


def test_an_array_is_a_board_with_its_values():
    game = Fill()
    state = game.parse("a1 c2")
    assert game.show(state) == " 1 1 . .\n 2 . . 2\n 3 . . .\n   a b c\nplayer 1 to move"
    assert game.text(state) == "1,.,./.,.,2/.,.,. mover=0"
    assert game.text(game.parse(game.text(state))) == game.text(state)
    assert game.pieces(state) == [Piece(0, "text", text="1"), Piece(5, "text", text="2")]
    assert game.touch(state, 4) == (4,) and game.write(state, 4) == "b2" and game.read(state, "B2") == 4
    for wrong in ("1,./.,.", "1,.,x/.,.,2/.,.,. mover=0", "1,.,./.,.,2/.,.,.", "300,.,./.,.,2/.,.,. mover=0"):
        with pytest.raises(PositionError):
            game.parse(wrong)
    assert gambito.check(game, games=3).problems == []


class Duel(Fill):
    """Men above and below, 1 and -1, and who moves by a longer name."""

    def initial(self):
        return Two(np.array([[-1, -1, -1], [0, 0, 0], [0, 0, 0], [1, 1, 1]], np.int8), 0)

    def player(self, state):
        return state.current_player


class Two(NamedTuple):
    board: np.ndarray
    current_player: int


def test_the_empty_cell_is_the_more_frequent_of_0_and_minus_1():
    game = Duel()
    assert game.text(game.initial()) == "-1,-1,-1/.,.,./.,.,./1,1,1 current_player=0"
    assert game.show(game.initial()).splitlines()[-1] == "player 1 to move"
    assert plain_board(Filled(np.array([[-1, -1], [0, 1]]), 0)).empty == -1


def test_one_line_makes_discs_and_a_palette():
    game = Declared()
    state = game.parse("a1 c2")
    assert game.text(state) == "X../..O/... mover=0"
    assert game.pieces(state) == [Piece(0, "disc", 0), Piece(5, "disc", 1)]
    told = begin(game, state)
    assert [each["symbol"] for each in told["palette"]] == [".", "X", "O"] and told["fields"] == ["mover=0"]
    assert finish(game, [*"X.O......"], ["mover=1"])["start"] == "X.O/.../... mover=1"
    assert gambito.check(game, games=3).problems == []


class Tower(NamedTuple):
    heights: np.ndarray
    workers: np.ndarray


class Layers(Fill):
    def initial(self):
        workers = np.zeros((3, 3), np.int8)
        workers[1, 1] = 1
        return Tower(np.zeros((3, 3), np.int8), workers)

    def player(self, state):
        return 0

    def actions(self, state):
        yield 100

    def result(self, state, action):
        heights, workers = state.heights.copy(), state.workers.copy()
        workers[1, 1], workers[0, 0], heights[2, 2] = 0, 1, 1
        return Tower(heights, workers)

    def is_terminal(self, state):
        return bool(state.heights.any())


def test_layers_lie_over_each_other():
    game = Layers()
    assert game.touch(game.initial(), 100) == (4, 0, 8) and game.arrows(game.initial(), 100) == ((4, 0), (8,))
    assert game.text(game.initial()) == ".,.,./.,.,./.,.,. .,.,./.,1,./.,.,."
    kit = Equipment(grid(3, 3), [Kind("1", "level 1")], over=[Kind("W", "small disc", 0)])
    pieces = kit.pieces_of([1, *[0] * 8, 1, *[0] * 8])
    assert [(piece.shape, piece.base) for piece in pieces] == [("level 1", True), ("small disc", False)]
    assert kit.read(kit.write([1, *[0] * 16, 1])).cells == [1, *[0] * 16, 1]


def test_what_an_action_changes_says_what_is_touched():
    assert arrows_of([1, 0, 0, 2], [0, 0, 0, 1], 0, 4) == ((0, 3),)  # a capture
    assert arrows_of([0, 0, 0, 0], [1, 1, 0, 0], 0, 4) == ((0,), (1,))  # a domino
    assert arrows_of([1, 0, 1, 0], [0, 1, 1, 0], 0, 4, named=1) == ((1,),)  # lamps that change
    assert arrows_of([0] * 9, [1] * 9, 0, 9) == ()  # nobody knows
    assert arrows_of([1, 0, 0, 0], [0, 2, 0, 0], 0, 4) == ((0, 1),)  # a piece that became another
    assert arrows_of([1, 2, 0, 0], [0, 3, 0, 0], 0, 4) == ((0, 1),)  # the same, with a capture
    assert arrows_of([1, 0, 0, 0], [0, 1, 3, 0], 0, 4) == ((0, 1), (2,))  # a move, and an arrow shot
    assert arrows_of([1, 0, 0, 0], [3, 1, 0, 0], 0, 4) == ((0, 1), (0,))  # and shot back
    assert arrows_of([0, 1, 2, 0], [2, 0, 0, 1], 0, 4) == ((1, 3),)  # castling: one piece is touched


def test_fields_without_a_board_are_a_table_that_is_not_wide():
    class Far(NamedTuple):
        heap: int
        row: np.ndarray

    shown = table(Far(3, np.arange(90)))
    assert shown.startswith("heap: 3\nrow: [0 1 2") is False and shown.startswith("heap: 3\nrow: [")
    assert max(map(len, shown.splitlines())) <= 60


# ---- pieces and boards -------------------------------------------------------------------------------


def test_the_sixteen_pieces_of_quarto_look_different():
    shapes = [
        f"{small}{hollow}{base}" for small in ("", "small ") for hollow in ("", "hollow ") for base in SHAPES
    ]
    looks = {outline(shape) or shape for shape in shapes}
    assert len(looks) == len(shapes)
    Board(1, 1, (), symbols={shape: path for shape in shapes if (path := outline(shape))})
    assert outline("large disc") is None and outline("level 4") is None
    assert {quality for quality in QUALITIES if outline(f"{quality} star")} == {*QUALITIES}


@pytest.mark.parametrize(
    "board", [grid(4, 3), hexagons(3, 3), points([(0, 0), (1, 0), (0, 1)], [(0, 1)], "abc")]
)
def test_every_board_is_written_and_read(board):
    kit = Equipment(board, "XO", sides="XO")
    codes = [number % 3 for number in range(kit.size)]
    assert kit.read(kit.write(codes, 1, ["7"])) == (codes, 1, ["7"])
    assert len(kit.draw(codes).splitlines()) == len(kit.lines) + 1


def test_a_piece_has_a_known_colour():
    with pytest.raises(ValueError, match="accepted: black"):
        Piece(0, colour="pink")
    assert "colour" not in Piece(0).as_dict() and Piece(0, colour="red").as_dict()["colour"] == "red"
    assert discs("BW")[1] == Kind("W", side=1)
    with pytest.raises(ValueError, match="is round"):
        Board(1, 1, (Cell("a", 0, 0, "round"),))


def shades(name):
    """The two colours, light and dark, that the drawing has for a name."""
    found = re.search(rf"--{name}: light-dark\((#\w+), (#\w+)\)", drawing.STYLE)
    return found.groups() if found else None


def brightness(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", [0, 1])
@pytest.mark.parametrize("colour", ["first", "second", "red", "blue", "green", "yellow"])
@pytest.mark.parametrize(("tone", "least"), [("plain", 2.0), ("light", 1.7), ("dark", 1.5), ("felt", 1.5)])
def test_pieces_stand_out_from_their_cells(colour, tone, least, theme):
    """The filling of a piece or its edge differs from the cell: this ratio of brightness, as WCAG has it."""
    cell = brightness(shades(f"cell-{tone}")[theme])
    parts = [brightness(shades(name)[theme]) for name in (colour, f"{colour}-edge")]
    ratios = [(max(cell, part) + 0.05) / (min(cell, part) + 0.05) for part in parts]
    assert max(ratios) >= least
