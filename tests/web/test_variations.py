"""Games with variations: what the page sends, PGN, PDN and SGF say the same."""

from __future__ import annotations

import random

import pytest

import gambito
from gambito.errors import PositionError, QuestionError
from gambito.game.contract import Game
from gambito.game.variations import Score
from gambito.web.plain_tree import read_plain, write_plain
from gambito.web.variations import DEEPEST, has_more, read_rows, write_rows
from tests.web.test_requests import read

SIGNS = (1, 2, 3, 4, 5, 6)


def random_rows(game: Game, rng: random.Random, count: int) -> list[list]:
    """A tree of that many moves: every move is another one of a random row."""
    rows, states, taken = [[-1, "", rng.choice(["", "the start"]), []]], [game.initial()], [set()]
    while len(rows) <= count:
        parent = rng.choice([0, len(rows) - 1, rng.randrange(len(rows))])
        free = [a for a in game.legal(states[parent]) if a not in taken[parent]]
        if not free:
            continue
        action = rng.choice(free)
        taken[parent].add(action)
        comment, glyphs = rng.choice(["", "a ] and \\ here", "x"]), rng.sample(SIGNS, rng.choice([0, 0, 1]))
        rows.append([parent, game.write(states[parent], action), comment, glyphs])
        states.append(game.result(states[parent], action))
        taken.append(set())
    return rows


def as_tree(rows: list[list]) -> list:
    """Rows without their numbers, so that trees can be compared."""
    after: dict[int, list[int]] = {}
    for number, (parent, *_) in enumerate(rows):
        after.setdefault(parent, []).append(number)

    def grown(number: int) -> list:
        return [*rows[number][1:], [grown(each) for each in after.get(number, [])]]

    return grown(0)


@pytest.mark.parametrize("name", ["chess", "checkers", "draughts", "go:size=5"])
def test_rows_and_records_go_both_ways(name):
    game, rng = gambito.load(name), random.Random(name)
    for count in (0, 1, 5, 20, 60):
        rows = random_rows(game, rng, count)
        score = read_rows(game, game.initial(), rows, {})
        assert as_tree(write_rows(game, score)) == as_tree(rows)
        text = game.write_tree(score)
        again = game.read_tree(text)
        assert as_tree(write_rows(game, again)) == as_tree(rows), text
        assert again.actions == score.actions == game.read_game(text)[1]
        assert has_more(again) == has_more(score)


def test_an_sgf_of_others():
    """Comments before the first move, variations inside variations, a pass, and a setup in a variation."""
    go = gambito.load("go:size=9")
    text = """(;GM[1]SZ[9]C[Hello \\] there];B[ee]C[centre]TE[1](;W[cc];B[gg](;W[cg])(;W[];B[gc]BM[2]))
              (;W[gc];AB[aa];B[cc])(;W[ee])(;B[aa]))"""
    rows = write_rows(go, go.read_tree(text))
    assert as_tree(rows) == [
        "", "Hello ] there", [],
        [["E5", "centre", [1], [
            ["C7", "", [], [["G3", "", [], [["C3", "", [], []], ["pass", "", [], [["G7", "", [4], []]]]]]]],
            ["G7", "", [], []],
        ]]],
    ]  # fmt: skip


def test_rows_that_make_no_game():
    game = gambito.load("chess")
    for rows in ([[-1, "", "", []], [1, "e4", "", []]], [[-1, "", "", []], [-1, "e4", "", []]]):
        with pytest.raises(PositionError, match="belongs to no earlier row"):
            read_rows(game, game.initial(), rows, {})
    with pytest.raises(PositionError, match="e5"):
        read_rows(game, game.initial(), [[-1, "", "", []], [0, "e5", "", []]], {})


def test_nesting_has_an_end():
    game = gambito.load("chess")
    rows, parent = [[-1, "", "", []]], 0
    for turn in range(DEEPEST + 1):
        pair = ("Nf3", "Na3") if turn % 4 == 0 else ("Nf6", "Na6") if turn % 4 == 1 else None
        pair = pair or (("Nh3", "Nb1") if turn % 4 == 2 else ("Nh6", "Nb8"))
        rows += [[parent, pair[0], "", []], [parent, pair[1], "", []]]
        parent = len(rows) - 1
    with pytest.raises(PositionError, match=f"at most {DEEPEST} variations"):
        read_rows(game, game.initial(), rows, {})


def test_games_without_a_notation_for_them_keep_the_moves():
    game = gambito.load("connect-four")
    score = game.read_tree("4455")
    assert not has_more(score) and isinstance(score, Score) and game.write_tree(score) == "4 4 5 5"


def test_the_server_saves_and_loads_them(client):
    rows = [[-1, "", "", []], [0, "e4", "best", [1]], [1, "e5", "", []], [1, "c5", "", []]]
    saved = client.ask(do="save", game="chess", moves=["e4", "c5"], tree=rows)
    assert "(1... c5)" in saved["text"] and "{best}" in saved["text"]
    loaded = client.ask(do="load", game="chess", text=saved["text"])
    assert loaded["tree"] == rows and loaded["moves"] == ["e4", "e5"]
    assert "tree" not in client.ask(do="load", game="chess", text="1. e4 e5")
    plain = client.ask(do="save", game="connect-four", moves=["4"], tree=[[-1, "", "", []], [0, "5", "", []]])
    assert plain["text"] == "5"


@pytest.mark.parametrize(
    "tree", [1, [1], [[0, "e4"]], [[0, "e4", "", [0]]], [[True, "e4", "", []]], [[]] * 5001]
)
def test_bad_rows_are_refused(tree):
    with pytest.raises(QuestionError, match=r"^tree must"):
        read(do="save", game="chess", tree=tree)


@pytest.mark.parametrize("name", ["tic-tac-toe", "othello", "backgammon", "yahtzee"])
def test_other_games_have_a_plain_notation_of_variations(name):
    game, rng = gambito.load(name), random.Random(name)
    start = game.initial()
    while game.player(start) < 0:
        start = game.result(start, int(rng.choice(list(game.chances(start)))[0]))
    begun = _Begun(game, start)
    for count in (0, 1, 5, 12):
        rows = random_rows(begun, rng, count)
        score = read_rows(game, start, rows, {})
        text = write_plain(game, score)
        assert as_tree(write_rows(game, read_plain(game, text))) == as_tree(rows), text


class _Begun:
    """A game that begins at a state; where chance decides, all outcomes are moves."""

    def __init__(self, game, start):
        self.game, self.start = game, start

    def __getattr__(self, name):
        return getattr(self.game, name)

    def initial(self):
        return self.start

    def legal(self, state):
        if self.game.is_terminal(state):
            return []
        is_chance = self.game.player(state) < 0
        return [int(a) for a, _ in self.game.chances(state)] if is_chance else self.game.legal(state)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("(5)", "after the move"),
        ("5 (1", "no end"),
        ("5 1)", "has not begun"),
        ("5 $0", "no sign"),
        ("$1 5", "no sign"),
        ("5 ($1 1)", "no sign"),
        ('"5', "no text in quotation marks"),
        ("5 {why", "is not a move"),
        ('"\\x"', "no text in quotation marks"),
        ("5 (" * 120, "after the move"),
        ("5 {x} (7", "no end"),
        ("[zzz] 5", "zzz"),
    ],
)
def test_what_is_no_plain_tree_is_refused_in_one_line(text, told):
    game = gambito.load("tic-tac-toe")
    with pytest.raises(PositionError, match=told) as raised:
        read_plain(game, text)
    assert len(str(raised.value).splitlines()) == 1


def test_the_page_loads_what_it_has_saved(client):
    rows = [[-1, "", "start", []], [0, "5", "", [1]], [1, "1", "", []], [0, "9", "why } not", []]]
    rows.append([3, "5", "", []])
    saved = client.ask(do="save", game="tic-tac-toe", moves=["5", "1"], tree=rows)["text"]
    loaded = client.ask(do="load", game="tic-tac-toe", text=saved)
    assert loaded["moves"] == ["5", "1"]
    rows[3][2] = "why ) not"
    assert as_tree(loaded["tree"]) == as_tree(rows)
    assert client.ask(do="load", game="backgammon", text="[4HPwATDgc/ABMA white 31] 8/5 6/5;")["is"] == "done"
