"""`gambito book`: built, shown, grown, merged and exported."""

from __future__ import annotations

import pytest

from gambito.books.book import open_own
from gambito.books.files import changing
from gambito.books.polyglot import read_book

PGN = """[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 1-0

[Result "0-1"]

1. e4 e5 2. Ke3 0-1

[Result "1/2-1/2"]

1. d4 d5 1/2-1/2
"""


@pytest.fixture
def chess(gambito, tmp_path):
    """A book of two games of chess."""
    (tmp_path / "games.pgn").write_text(PGN)
    path = str(tmp_path / "chess.book")
    built = gambito("book", "build", "chess", str(tmp_path / "games.pgn"), "--output", path, "--json").json
    assert (built["game"], built["games"], built["positions"], built["entries"]) == ("chess", 2, 5, 6)
    assert [(s["number"], s["reason"][:6]) for s in built["skipped"]] == [(2, "line 3")]
    return path


def test_a_book_is_built_and_shown(gambito, chess, tmp_path):
    told = gambito("book", "build", "chess", str(tmp_path / "games.pgn"), "--output", chess).out
    assert "skipped    game 2 of" in told and "games      2" in told
    said = gambito("book", "show", chess, "--json").json
    assert said["moves"][0] == {
        "action": "d4", "games": 1, "wins": 0, "draws": 1, "losses": 0,
        "value": None, "depth": None, "exact": False,
    }  # fmt: skip
    shown = gambito("book", "show", chess, "--position", "e4 e5").out
    assert "Nf3" in shown and "100 %" in shown and "value" not in shown
    assert "has no move here" in gambito("book", "show", chess, "--position", "a3").out


def test_a_book_for_other_programs(gambito, chess, tmp_path):
    path = tmp_path / "chess.bin"
    assert gambito("book", "export", chess, "--output", str(path), "--json").json["entries"] == 4
    assert {(e.move, e.weight) for e in read_book(path).entries} == {
        ("e2e4", 2), ("g1f3", 2), ("d2d4", 1), ("d7d5", 1),
    }  # fmt: skip


def test_a_book_grows_and_goes_on(gambito, rules, tmp_path):
    path, game = str(tmp_path / "stones.book"), f"{rules}:Stones"
    given = ("--game", game, "--depth", "1", "--json")
    first = gambito("book", "extend", path, "--positions", "2", *given).json
    assert (first["added"], first["positions"], first["analysed"]) == (2, 2, 2)
    last = gambito("book", "extend", path, "--positions", "50", *given).json
    assert (last["exact"], last["value"], last["line"][0]) == (True, 1, "2")
    told = gambito("book", "extend", path, "--positions", "1", *given[:-1]).out
    assert "0 positions, and there is nothing left to add" in told and "value      +1, proven" in told
    shown = gambito("book", "show", path, "--game", game).out
    assert "+1 proven" in shown and "games" not in shown.splitlines()[-3]


def test_a_book_that_grows_is_left_alone(gambito, chess, rules, tmp_path):
    """By a second process that would extend it, build it or merge into it."""
    path = tmp_path / "own.book"
    more = ["book", "extend", str(path), "--game", f"{rules}:Stones", "--positions", "1", "--depth", "2"]
    assert gambito(*more).status == 0
    whole = path.read_bytes()
    with changing(path):
        assert "own.book is being written by another process" in gambito(*more).complaint
        merge = gambito("book", "merge", str(path), str(path), "--output", str(path))
        assert "is being written by another process" in merge.complaint
    assert path.read_bytes() == whole and gambito(*more).status == 0


def test_books_are_merged(gambito, chess, tmp_path):
    grown = str(tmp_path / "grown.book")
    both = str(tmp_path / "both.book")
    (tmp_path / "toe.txt").write_text("5 1 9 3\n1 5 1-0\n")
    gambito("book", "build", "tic-tac-toe", str(tmp_path / "toe.txt"), "--output", both)
    gambito("book", "extend", grown, "--game", "tic-tac-toe", "--positions", "30", "--nodes", "9")
    merged = gambito("book", "merge", both, grown, "--output", both, "--json").json
    assert (merged["games"], merged["analysed"]) == (2, 30)
    assert "of tic-tac-toe, and" in gambito("book", "merge", chess, both, "--output", both).complaint


def test_an_interrupted_book_is_kept(terminal, tmp_path):
    """Ctrl-C keeps all that was found."""
    path = tmp_path / "c4.book"
    words = ("book", "extend", str(path), "--game", "connect-four", "--positions", "1000000")
    screen = terminal(*words, "--nodes", "50")
    screen.see("value ", seconds=120)
    screen.type("\x03")
    status, rest = screen.end()
    assert status == 130 and "added" in rest
    assert len(open_own(path)) > 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["build", "chess", "none.pgn", "--output", "x"], "none.pgn cannot be read: No such file"),
        (["build", "chess", "{here}", "--output", "x"], "there is no game of chess in"),
        (
            ["build", "chess", "{here}", "--output", "x", "--plies", "0"],
            "at least one ply of each game, not 0",
        ),
        (["build", "pig-turn", "{here}", "--output", "x"], "pig-turn can have no book"),
        (["show", "none.book"], "none.book cannot be read: No such file"),
        (["show", "{here}"], "is no book of this version; `gambito book build` makes one"),
        (["show", "{book}", "--game", "nim"], "is a book of tic-tac-toe, not of nim"),
        (["show", "{book}", "--position", "what"], "what"),
        (["extend", "none.book", "--positions", "3"], "none.book cannot be read: No such file"),
        (["extend", "{book}", "--positions", "0"], "--positions must be 1 or more, not 0"),
        (
            ["extend", "{book}", "--positions", "1", "--nodes", "0"],
            "nodes must be a number above zero, not 0",
        ),
        (["extend", "{book}", "--positions", "1", "--weight", "-1"], "--weight must be 0 or more, not -1"),
        (["extend", "{book}", "--positions", "1", "--position", "XXX/OO./..."], "the game is over where"),
        (["extend", "new.book", "--game", "nannon", "--positions", "1"], "nannon has dice or cards"),
        (["merge", "{book}", "{here}", "--output", "x"], "is no book of this version"),
        (["export", "{book}", "--output", "x"], "a Polyglot book is of chess, not of tic-tac-toe"),
    ],
)
def test_what_is_wrong_is_one_sentence(gambito, tmp_path, words, sentence):
    here, book = tmp_path / "games.txt", tmp_path / "toe.book"
    here.write_text("5 1 9\n")
    gambito("book", "build", "tic-tac-toe", str(here), "--output", str(book))
    here.write_text("x\n")
    given = [word.format(here=here, book=book) for word in words]
    assert sentence in gambito("book", *given).complaint


@pytest.mark.parametrize("gear", ["python", pytest.param("native", marks=pytest.mark.slow)])
def test_a_game_begins_from_a_book(gambito, chess, gear):
    words = ("play", "chess", "--book", chess, "--depth", "1", "--position", "d4", "--json")
    said = gambito(*words, "--gear", gear).json
    assert said["line"][0] == "d5"
    assert "is a book of chess, not of nim" in gambito("play", "nim", "--book", chess, "--json").complaint
