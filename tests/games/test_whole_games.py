"""Records of whole games: other sizes, handicaps, several games, headers, and moves without spaces."""

import pytest

import gambito

SGF = (
    "(;GM[1]FF[4]SZ[9]KM[5.5]HA[2]AB[cc][gg]PB[Ann\\]e]PW[Bob]DT[2024-01-02]RE[W+R]"
    ";W[ee];B[dd](;W[fe])(;W[aa]))"
)
PGN = """[Event "Cup"]
[White "A \\"x\\" B"]
[Black "C"]
[Result "1-0"]
[WhiteElo "2000"]

1. e4 e5 2. Nf3 1-0
"""


def played(game, text):
    start, actions = game.read_game(text)
    state, names = start, []
    for action in actions:
        names.append(game.write(state, action))
        state = game.result(state, action)
    return start, names


@pytest.mark.parametrize(
    ("name", "text", "moves"),
    [
        ("connect-four", "4455", "4 4 5 5"),
        ("connect-four", " 44 55 6", "4 4 5 5 6"),
        ("tic-tac-toe", "159", "1 5 9"),
        ("hex", "a1b2k11", "a1 b2 k11"),
        ("gomoku", "h8J9", "H8 J9"),
        ("nine-mens-morris", "d6d2", "d6 d2"),
        ("othello", "f5d6c3", "f5 d6 c3"),
        ("chess", "e2e4 e7e5 g1f3", "e4 e5 Nf3"),
        ("chess", "1. e2e4 e7-e5 2. Nf3", "e4 e5 Nf3"),
    ],
)
def test_moves_as_people_type_them(name, text, moves):
    game = gambito.load(name)
    assert played(game, text)[1] == moves.split()


@pytest.mark.parametrize(("name", "text"), [("connect-four", "44x"), ("tic-tac-toe", "11"), ("hex", "a1a1")])
def test_a_word_that_is_no_row_of_moves_is_refused(name, text):
    with pytest.raises(gambito.PositionError, match=rf"move 1: '{text}' is not a move here"):
        gambito.load(name).read_game(text)


def test_a_record_of_another_board():
    game = gambito.load("go:size=9")
    with pytest.raises(gambito.PositionError, match="board of size '13', and go has 9"):
        game.read_game("(;SZ[13]KM[0.5];B[dd])")
    other = game.of_record("(;SZ[13]KM[0.5];B[dd])")
    assert (other.size, other.komi, other.label()) == (13, 0.5, "go:size=13,komi=0.5")
    assert played(other, "(;SZ[13]KM[0.5];B[dd])")[1] == ["D10"]
    assert game.of_record(SGF.replace("KM[5.5]", f"KM[{game.komi:g}]")) is game
    for odd in ("(;SZ[1];B[dd])", "(;SZ[99])", "(;SZ[x]KM[nan])", "(;KM[1e9])", "A1 B2", ""):
        assert game.of_record(odd) is game


def test_a_handicap_is_set_up_and_written_again():
    game = gambito.load("go:size=9,komi=5.5")
    start, names = played(game, SGF)
    assert game.player(start) == 1 and names == ["E5", "D6", "F5"]
    assert game.text(start).split()[0].count("X") == 2
    text = game.write_headed(start, game.read_game(SGF)[1], game.headers(SGF))
    assert "HA[2]AB[cc][gg]PL[W]" in text and "PB[Ann\\]e]" in text and "DT[2024-01-02]" in text
    assert played(game, text) == (start, names)
    assert game.headers(text) == game.headers(SGF) == {
        "PB": "Ann]e", "PW": "Bob", "DT": "2024-01-02", "RE": "W+R"
    }  # fmt: skip


def test_stones_of_both_sides_and_rectangles_are_set_up():
    game = gambito.load("go:size=5")
    start, _ = game.read_game("(;SZ[5]AB[aa:bb]AW[ee]AE[ba]PL[B];B[cc])")
    assert game.text(start).startswith("X..../XX.../...../...../....O X")
    again, _ = game.read_game(game.write_game(start, []))
    assert game.text(again) == game.text(start)
    with pytest.raises(gambito.PositionError, match="sets stones up"):
        game.read_game("(;SZ[5];B[cc];AB[aa])")
    for wrong in ("(;SZ[5]AB[zz])", "(;SZ[5]AB[a])", "(;SZ[5]AB[aa:])"):
        with pytest.raises(gambito.PositionError, match="no crossing"):
            game.read_game(wrong)
    with pytest.raises(gambito.PositionError, match="holds 2 games, not one"):
        game.read_game("(;SZ[5];B[cc])(;SZ[5];B[aa])")


def test_tags_of_a_record_are_kept():
    game = gambito.load("chess")
    start, actions = game.read_game(PGN)
    text = game.write_headed(start, actions, game.headers(PGN))
    assert game.headers(text) == {**game.headers(text), **game.headers(PGN)}
    assert '[White "A \\"x\\" B"]' in text and '[WhiteElo "2000"]' in text and text.rstrip().endswith("1-0")
    assert game.read_game(text) == (start, actions)
    hostile = {"a b": "x", 'q"]': "y", "Event": 'line\nbreak"]\n[X "', "Result": "won", "FEN": "8/8"}
    spoiled = game.write_headed(start, actions, {k: v for k, v in hostile.items() if k != "FEN"})
    assert game.read_game(spoiled) == (start, actions) and "a b" not in spoiled
    draughts = gambito.load("draughts")
    pdn = draughts.write_headed(
        draughts.initial(), draughts.legal(draughts.initial())[:1], {"White": "Sijbrands"}
    )
    assert draughts.headers(pdn)["White"] == "Sijbrands"
    assert gambito.load("nim").headers("3->2") == {}


def test_a_file_ends_as_its_format_does():
    names = {
        "chess": "pgn",
        "go": "sgf",
        "draughts": "pdn",
        "checkers": "pdn",
        "nim": "txt",
        "othello": "txt",
    }
    assert {name: gambito.load(name).record_ending for name in names} == names
