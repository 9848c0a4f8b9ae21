"""Drop-out expansion: it comes to exact values, goes on where it was, and good lines grow first."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import gambito
from gambito.books.book import Book, merge, new_pages
from gambito.books.choice import word_of
from gambito.books.collection import Collection
from gambito.books.entries import EXACT
from gambito.books.growth import Growth, asking, settled
from gambito.game.views import view_of
from gambito.native import popcount
from gambito.search.limits import Limits
from tests.support import Circle

TOE = gambito.load("tic-tac-toe")


def static(game):
    """An engine without a search: the static value."""
    return lambda state: (game.evaluate(state, game.player(state)), 0, False)


def sign_of(game, state):
    """The key of the state that stands for all symmetric ones."""
    return word_of(game, view_of(game, state)[1])


def grown(game, count=None, pages=None, ask=None, **given):
    growth = Growth(game, pages or new_pages(game), ask or static(game), **given)
    for _ in itertools.islice(growth.grow(), count):
        pass
    return growth


@pytest.mark.parametrize(
    "name",
    [
        "tic-tac-toe",
        "nim:heaps=2-3-3",
        pytest.param("connect-four:width=4,height=3,line=3", marks=pytest.mark.slow),
        "nim:heaps=3-3",
    ],
)
def test_a_small_game_is_solved(name):
    game = gambito.load(name)
    growth = grown(game)
    found = gambito.solve(game, gear="python")
    assert growth.root.is_exact and growth.root.value == found.value
    for position in growth.positions.values():
        if position.is_exact and len(position.moves) > 2:
            break
    book = Book(growth.kept())
    action = book.choose(game, game.initial())
    after = gambito.solve(game, game.result(game.initial(), action), gear="python")
    assert -after.value == found.value


def test_a_growing_book_is_minimax_over_its_leaves():
    """Every value is the best of the moves', every move's value that of the position it leads to."""
    growth = grown(TOE, 200)
    assert len(growth.positions) == 200
    for position in growth.positions.values():
        assert position.value == max(move.value for move in position.moves)
        for move in position.moves:
            if move.leads_to is not None:
                assert move.value == -move.leads_to.value
    assert len({p.key for p in growth.positions.values()}) == 200


def test_every_line_is_legal_and_whole():
    growth = grown(TOE, 300)
    book = Book(growth.kept())
    walked = 0
    for state, entries in book.walk(TOE):
        assert entries["action"].tolist() == sorted(TOE.legal(state))
        walked += len(entries)
    assert walked == len(book)


def test_doubtful_lines_stay_short():
    """With a weight the book follows good moves; without one it grows equally in all directions."""
    game = gambito.load("othello:size=4")
    ask = asking(game, Limits(depth=1), algorithm="alpha-beta")
    deep, flat = (grown(game, 60, ask=ask, weight=weight) for weight in (50.0, 0.0))
    plies = [max(popcount(p.state.mine | p.state.theirs) for p in g.positions.values()) for g in (deep, flat)]
    assert plies[0] > plies[1]


def test_what_was_cut_off_goes_on(tmp_path):
    """Growth in two parts equals growth in one: only the book is kept in between."""
    whole = grown(TOE, 150)
    half = grown(TOE, 70)
    again = grown(TOE, 80, pages=half.kept())
    assert len(again.positions) == 150
    assert again.root.value == whole.root.value
    assert set(again.positions) == set(whole.positions)
    assert again.kept().entries.tobytes() == whole.kept().entries.tobytes()


def test_symmetric_positions_are_in_the_book_once():
    game, asked = gambito.load("othello:size=4"), []
    growth = grown(game, 30, ask=lambda state: asked.append(state) or (len(asked) % 5, 0, False))
    signs = {sign_of(game, position.state) for position in growth.positions.values()}
    assert len(signs) == len(growth.positions) == 30 and len({sign_of(game, s) for s in asked}) == len(asked)
    book, values = Book(growth.kept()), {}
    for state, entries in book.walk(game):
        assert entries["action"].tolist() == sorted(game.legal(state))
        assert values.setdefault(sign_of(game, state), sorted(entries["value"])) == sorted(entries["value"])
    assert set(values) == signs
    start = game.initial()
    assert len({float(e["value"]) for e in book.find(game, start)}) == 1
    state = start
    for action in growth.line():
        assert action in book.moves(game, state, 0.0)
        state = game.result(state, action)


def test_an_interrupted_search_leaves_a_whole_book():
    asked = []

    def ask(state):
        asked.append(state)
        if len(asked) > 100:
            raise KeyboardInterrupt
        return static(TOE)(state)

    growth = Growth(TOE, new_pages(TOE), ask)
    with pytest.raises(KeyboardInterrupt):
        for _ in growth.grow():
            pass
    again = Growth(TOE, growth.kept(), static(TOE))
    assert set(again.positions) == set(growth.positions) and again.root.value == growth.root.value


def test_games_stay_when_a_book_grows():
    collection = Collection(TOE)
    collection.add(*TOE.read_game("5 1 9 3 2 8 4 6 7"))
    pages = collection.pages()
    growth = grown(TOE, 20, pages=pages)
    made = Book(growth.kept())
    assert int(made.entries()["count"].sum()) == int(pages.entries["count"].sum()) == 9
    known = {int(e["action"]): e for e in made.find(TOE, TOE.initial())}
    assert len(known) == 9 and known[4]["count"] == 1 and not np.isnan(known[4]["value"])


def test_merged_analyses_are_minimaxed_again():
    first, second = grown(TOE, 60, weight=100.0), grown(TOE, 90, weight=0.0)
    pages = settled(TOE, merge([Book(first.kept()), Book(second.kept())]))
    together = Growth(TOE, pages, static(TOE))
    assert set(together.positions) >= set(first.positions) | set(second.positions)
    kept = {(int(e["key"]), int(e["action"])): float(e["value"]) for e in pages.entries}
    for position in together.positions.values():
        for move in position.moves:
            assert kept[position.key, move.action] == move.value


def test_what_goes_round_is_a_repetition():
    game = gambito.load(Circle(5))
    growth = grown(game, 200)
    assert not growth._dropout() or len(growth.positions) == 200
    keys = {int(game.key(p.state)) for p in growth.positions.values()}
    assert len(keys) == len(growth.positions)
    again = Growth(game, growth.kept(), static(game))
    assert set(again.positions) == set(growth.positions)


def test_exact_values_are_kept():
    growth = grown(TOE, ask=lambda state: (gambito.solve(TOE, state, gear="python").value, 9, True), count=1)
    entries = growth.kept().entries
    assert (entries["flags"] == EXACT).all() and growth.root.is_exact and growth.root.value == 0
    assert list(growth.grow()) == []


def test_where_no_book_can_grow():
    with pytest.raises(gambito.BookError, match="dice or cards"):
        Growth(gambito.load("nannon"), new_pages(gambito.load("nannon")), static(TOE))
    with pytest.raises(gambito.BookError, match="the game is over"):
        Growth(TOE, new_pages(TOE), static(TOE), TOE.parse("XXX/OO./..."))


def test_a_book_from_another_position():
    start = TOE.parse("X../.O./...")
    growth = grown(TOE, 30, start=start)
    book = Book(growth.kept())
    assert book.facts.starts == [TOE.text(start)]
    assert len(book.find(TOE, start)) == 7 and len(book.find(TOE, TOE.initial())) == 0
    assert sum(len(entries) for _, entries in book.walk(TOE)) == len(book)
