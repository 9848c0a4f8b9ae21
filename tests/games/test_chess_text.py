"""Chess as text: PGN and EPD, both ways, and what malformed texts end in."""

import random

import pytest

import gambito
from gambito.games.chess.epd import read_epd, write_epd
from gambito.games.chess.pgn import read_pgn, write_pgn
from tests.support import data

CHESS = gambito.load("chess")
ANNOTATED = """[Event "A \\"test\\""]
[Result "1-0"]

{At the start} 1. e4 $1 {best} e5 (1... c5 {sharp} 2. Nf3 (2. c3 d5) 2... d6) (1... e6)
2. Nf3!? {[%clk 0:01:02.5] hm} Nc6 ; to the end of the line
% an escaped line
3. Bb5 a6 1-0
"""


def lines_of(name):
    return [line for line in data(f"chess/{name}").read_text().splitlines() if line and line[0] != "#"]


@pytest.mark.parametrize("count", [15, pytest.param(103, marks=pytest.mark.slow)])
def test_master_games_end_where_they_ended(count):
    games = data("chess/master_games.pgn").read_text().split("[Event ")[1:]
    scores = read_pgn(CHESS, "".join("[Event " + game for game in games[:count]))
    ends = lines_of("master_games_final_positions.csv")[1:]
    assert len(games) == len(ends) == 103
    assert len(scores) == count
    ends = ends[:count]
    for score, end in zip(scores, ends):
        state = score.start
        for action in score.actions:
            state = CHESS.result(state, action)
        assert CHESS.text(state).split()[:4] == end.split(";")[-1].split()
        again = read_pgn(CHESS, write_pgn(CHESS, score))
        assert [a.actions for a in again] == [score.actions]
        assert again[0].tags == {**score.tags, "Result": score.result}


def test_nothing_that_was_read_is_lost():
    (score,) = read_pgn(CHESS, ANNOTATED)
    assert score.tags == {"Event": 'A "test"', "Result": "1-0"}
    assert score.line.comment == "At the start"
    first, second, third, fourth, *_ = score.line.moves
    assert (first.glyphs, first.comment) == ([1], "best")
    assert [len(line.moves) for line in second.others] == [3, 1]
    assert second.others[0].moves[1].others[0].moves[1].action
    assert (third.glyphs, third.clock, fourth.comment) == ([5], 62.5, "to the end of the line")
    (again,) = read_pgn(CHESS, write_pgn(CHESS, score))
    assert again.line == score.line


def test_a_game_from_another_position_and_a_game_alone():
    start = CHESS.parse("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    text = CHESS.write_game(start, [CHESS.read(start, "a8=Q+")])
    assert '[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]' in text
    assert CHESS.read_game(text) == (start, [CHESS.read(start, "a8=Q+")])
    state, actions = CHESS.read_game("1. f3 e5 2. g4 Qh4#")
    assert CHESS.write_game(state, actions).endswith("1. f3 e5 2. g4 Qh4# 0-1\n")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1. e4 e5\n2. Ke3", "line 2: 'Ke3' is not a move here"),
        ("1. e4 (1. d4", "a variation is not closed"),
        ("1. e4 )", "has no matching"),
        ("(1. e4)", "before the first move"),
        ("1. e4 $999", "belongs to no move"),
        ('[Event "x"]\n[Event "y"]', "line 2: the tag Event is given twice"),
        ('[Result "2-0"]', "is not a result"),
        ('[Result "1-0"]\n1. e4 0-1', "its tag says '1-0'"),
        ('[FEN "8/8 w"]\n1. e4', "the tag FEN"),
        ("1. e4 {never closed", "cannot be read as a part of a game"),
        ("1. e4 §", "'§' cannot be read as a part of a game"),
    ],
)
def test_a_wrong_game_names_the_place(text, problem):
    with pytest.raises(gambito.PositionError) as told:
        read_pgn(CHESS, text)
    assert problem in str(told.value)
    assert str(told.value).startswith("line ")


def mutated(text, rng):
    text = list(text)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(text))
        text[place : place + rng.randint(0, 3)] = rng.choice('(){}[]"$;!?.%\\01xOeN#=+ \n\x00é')
    return "".join(text)


SHORT = '[Event "?"]\n\n1. e4 $1 {best} (1. d4) *\n'
EPD = 'r1bqkb1r/pp1npppp/2p2n2/8/3PN3/8/PPP1QPPP/R1B1KBNR w KQkq - bm Nd6; id "a b"; c0 "x; y";'


def there_and_back(text):
    for score in read_pgn(CHESS, text):
        write_pgn(CHESS, score)


def epd_there_and_back(text):
    write_epd(read_epd(text))


@pytest.mark.parametrize(
    ("text", "use", "count"),
    [
        (ANNOTATED, there_and_back, 100),
        (SHORT, there_and_back, 1000),
        (EPD, epd_there_and_back, 1000),
        pytest.param(ANNOTATED, there_and_back, 500, marks=pytest.mark.slow),
        pytest.param(SHORT, there_and_back, 10_000, marks=pytest.mark.slow),
        pytest.param(EPD, epd_there_and_back, 10_000, marks=pytest.mark.slow),
    ],
)
def test_mutated_games_and_descriptions_raise_nothing_else(text, use, count):
    rng, read = random.Random(5), 0
    for _ in range(count):
        try:
            use(mutated(text, rng))
            read += 1
        except gambito.PositionError as problem:
            assert "\n" not in str(problem)
    assert read > count / 50


@pytest.mark.parametrize("name", ["wac.epd", "bratko_kopec.epd", "sts_v3.epd", "mates_leorik.epd"])
def test_descriptions_go_both_ways(name):
    for line in lines_of(name):
        found = read_epd(line)
        assert read_epd(write_epd(found)) == found
        for move in found.operations.get("bm", []):
            CHESS.read(found.state, move)


def test_wrong_descriptions():
    with pytest.raises(gambito.PositionError, match="is no EPD"):
        read_epd("8/8/8/8 w")
    with pytest.raises(gambito.PositionError, match="is no operation"):
        read_epd("4k3/8/8/8/8/8/8/4K3 w - - 5 x;")
    with pytest.raises(gambito.PositionError, match="stands twice"):
        read_epd("4k3/8/8/8/8/8/8/4K3 w - - bm Kd1; bm Ke2;")
