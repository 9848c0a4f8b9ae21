"""Chess: numbers lead back, and values equal those of Syzygy and Gaviota."""

import random
import re

import chess
import chess.gaviota
import chess.syzygy
import numpy as np
import pytest

import gambito
from gambito.endgames.builder import Builder
from gambito.endgames.tables import Known, Tables, TableSet
from gambito.game.gears import gears
from gambito.games.chess import endings
from gambito.native import native
from tests.support import data

GAME = gambito.load("chess")
THREE = ("KNK", "KBK", "KRK", "KQK", "KPK")
SYZYGY = (
    "KNKN", "KNNK", "KBKN", "KBBK", "KRKB", "KRBK", "KQKN", "KQBK", "KQRK", "KQKQ", "KRKP", "KBPK", "KRPK",
    "KQPK", "KPPK",
)  # fmt: skip
PIECES = ("pawns", "knights", "bishops", "rooks", "queens", "kings")


@native
def state_of(game, signature, number):
    return game.unindex(signature, number)


@native
def is_real(game, signature, number):
    state = game.unindex(signature, number)
    return game.is_real(state) and game.signature(state) == signature and game.index(state) == number


def board_of(state):
    """The position as python-chess has it."""
    board = chess.Board(None)
    for name in PIECES:
        setattr(board, name, int(getattr(state, name)))
    white, black = (state.own, state.opp) if state.side == 0 else (state.opp, state.own)
    board.occupied_co = [int(black), int(white)]
    board.occupied = int(white | black)
    board.turn = bool(state.side == 0)
    return board


def tables(names):
    """Tables in memory, with those that they convert to."""
    builder, made = Builder(GAME), {}

    def make(name):
        if name not in made:
            lower = [make(other) for other in GAME.conversions(name)]
            made[name] = builder.build(name, lower)
        return made[name]

    for name in names:
        yield make(name)


def sampled(table, count, seed=0):
    """Positions of a table at random, with their values; all of them where there are fewer."""
    inner = gears(GAME).in_gear("native")
    rng, size = random.Random(seed), len(table.values)
    numbers = range(size) if size <= count else (rng.randrange(size) for _ in range(2 * count))
    for number in numbers:
        if is_real(inner, table.code, number):
            yield board_of(state_of(inner, table.code, number)), int(table.values[number])


def against_gaviota(table, count):
    """How many positions were compared by their distance to mate."""
    done = 0
    with chess.gaviota.PythonTablebase() as peer:
        peer.add_directory(str(data("chess/gaviota")))
        for board, value in sampled(table, count):
            if any(board.legal_moves):
                assert peer.probe_dtm(board) == (abs(value) - 1) * np.sign(value), board.fen()
                done += 1
    return done


def against_syzygy(table, count):
    """How many positions were compared by their outcome."""
    done = 0
    with chess.syzygy.open_tablebase(str(data("chess/syzygy"))) as peer:
        for board, value in sampled(table, count):
            assert np.sign(peer.probe_wdl(board)) == np.sign(value), board.fen()
            done += 1
    return done


@pytest.mark.slow
def test_three_men_equal_gaviota_and_syzygy():
    for table in tables(("KQK", "KPK")):
        assert against_gaviota(table, 300) > 250
        assert against_syzygy(table, 300) > 250


@pytest.mark.slow
def test_threads_and_metrics_agree():
    """Two threads build the same; conversions are nearer than ends, and the outcomes are equal."""
    *_, calm = tables(("KBK", "KNK", "KRK", "KQK", "KPK"))
    lower = list(tables(GAME.conversions("KPK")))
    crowd = Builder(GAME, threads=2)
    assert (crowd.build("KPK", lower).values == calm.values).all()
    converting = Builder(GAME, "conversion")
    near = converting.build("KPK", lower)
    assert (np.sign(near.values) == np.sign(calm.values)).all()
    assert (np.abs(near.values) <= np.abs(calm.values)).all() and near.longest < calm.longest
    assert converting.verify(near, lower) is None and crowd.verify(calm, lower) is None
    near.values[np.flatnonzero(near.values)[7]] -= 1
    assert converting.verify(near, lower) is not None


@pytest.fixture(scope="module")
def four_men(tmp_path_factory):
    """A folder with all tables of three and four men."""
    where = tmp_path_factory.mktemp("tables")
    shelf, builder = TableSet(GAME, where), Builder(GAME, threads=2)
    for name in GAME.slice_names(4):
        shelf.build(name, threads=2, builder=builder)
    return where


@pytest.mark.slow
def test_many_positions_equal_gaviota_and_syzygy(four_men):
    shelf = TableSet(GAME, four_men)
    total = sum(against_gaviota(shelf.load(name), 10_000) for name in THREE)
    total += sum(against_syzygy(shelf.load(name), 3_000) for name in SYZYGY)
    assert total >= 90_000


@pytest.mark.slow
def test_published_distances_are_met(four_men):
    """Gaviota's distances of endings of four men, among them pawns that may be taken en passant."""
    known, compared = Tables(GAME, four_men), 0
    for line in data("chess/endgame_dtm_gaviota.epd").read_text().splitlines():
        if line.startswith("#") or sum(mark.isalpha() for mark in line.split()[0]) > 4:
            continue
        moves = int(re.search(r"dm (-?\d+)", line)[1])
        expected = Known("win", 2 * moves - 1) if moves > 0 else Known("loss", -2 * moves)
        found = known.known(GAME.parse(" ".join(line.split()[:4]) + " 0 1"))
        assert found == (expected if moves else Known("draw", None)), line
        compared += 1
    assert compared == 24


@pytest.mark.slow
def test_the_engine_mates_by_tables(four_men, monkeypatch):
    """The hardest ending of bishop and knight is played to mate in the plies that the table says."""
    monkeypatch.setenv("GAMBITO_TABLES", str(four_men))
    tables_, state, plies = Tables(GAME, four_men), GAME.parse("8/8/8/8/8/8/1k6/3BNK2 w - - 0 1"), 0
    far = tables_.known(state).distance
    while not GAME.is_terminal(state):
        found = gambito.search(GAME, state, "engine", seconds=0.5)
        assert found.ends_in == far - plies and found.exact
        state, plies = GAME.result(state, found.action), plies + 1
    assert plies == far and GAME.utility(state, 0) > 0


class Forward(type(GAME)):
    """Chess that cannot take moves back."""

    name = "forward-chess"
    unmoves = gambito.Game.unmoves


@pytest.mark.slow
def test_tables_built_forward_are_the_same():
    (backward,) = tables(["KQK"])
    forward = Builder(Forward())
    assert not forward.is_backward
    assert (forward.build("KQK").values == backward.values).all()


@pytest.mark.parametrize("name", ["KQK", "KPK", "KRKB", "KQKQ", "KNNK", "KPKP", "KRPKP"])
def test_numbers_lead_back_in_every_view(name):
    """A number's position, and all that are equal to it but for colours and mirrors, have that number."""
    code, rng, seen = GAME.slice_code(name), random.Random(1), 0
    while seen < 12:
        number = rng.randrange(int(GAME.slice_size(code)))
        state = GAME.unindex(code, number)
        if not GAME.is_real(state) or GAME.signature(state) != code or GAME.index(state) != number:
            continue
        seen += 1
        board = board_of(state)
        views = [board, board.transform(chess.flip_horizontal)]
        if "P" not in name:
            turns = (chess.flip_vertical, chess.flip_diagonal, chess.flip_anti_diagonal)
            views += [view.transform(turn) for view in views for turn in turns]
        for view in [*views, *(view.mirror() for view in views)]:
            other = GAME.parse(view.fen())
            assert GAME.signature(other) == code and GAME.index(other) == number, view.fen()


def test_moves_taken_back_are_moves():
    """Un-moves of a position are just those positions of the slice that a quiet move leads from."""
    code, rng, found = GAME.slice_code("KRKP"), random.Random(2), 0
    for _ in range(60):
        state = GAME.unindex(code, rng.randrange(int(GAME.slice_size(code))))
        if not GAME.is_real(state) or GAME.signature(state) != code:
            continue
        for before in GAME.unmoves(state):
            if GAME.is_real(before):
                children = [GAME.result(before, action) for action in GAME.actions(before)]
                assert any(child[:10] == state[:10] for child in children), GAME.text(before)
                found += 1
        for action in () if GAME.is_terminal(state) else GAME.actions(state):
            child = GAME.result(state, action)
            if GAME.signature(child) == code:
                assert any(before[:9] == state[:9] for before in GAME.unmoves(child))
    assert found > 100


def test_slices_come_behind_those_they_convert_to():
    names = GAME.slice_names(4)
    assert len(names) == 5 + 30 and names[:3] == ["KNK", "KBK", "KRK"]
    for place, name in enumerate(names):
        assert set(GAME.conversions(name)) <= set(names[:place])
        assert endings.name_of(GAME.slice_code(name)) == name
    assert GAME.conversions("KPK") == ["KBK", "KNK", "KQK", "KRK"]
    assert GAME.slice_code("krvkq") == GAME.slice_code("KQKR")


@pytest.mark.parametrize("name", ["KQ", "KQKX", "QKK", "KQQQQKQQ", ""])
def test_a_slice_that_is_none_is_refused(name):
    with pytest.raises(gambito.PositionError, match="is no slice of chess; accepted"):
        GAME.slice_code(name)
