"""Drop-out expansion: it comes to exact values, goes on where it was, and good lines grow first."""

from __future__ import annotations

import itertools
import sys
from contextlib import closing

import numpy as np
import pytest

import gambito
from gambito.books.asking import Asking
from gambito.books.book import Book, merge, new_pages
from gambito.books.choice import word_of
from gambito.books.collection import Collection
from gambito.books.entries import EXACT
from gambito.books.growth import Growth, settled
from gambito.game.views import view_of
from gambito.jobs import read_executor
from gambito.native import popcount
from gambito.search.limits import Limits
from tests.support import Circle, child, run, wait_until

TOE = gambito.load("tic-tac-toe")


def static(game):
    """An engine without a search: the static value."""
    return lambda states: [(game.evaluate(state, game.player(state)), 0, False) for state in states]


def sign_of(game, state):
    """The key of the state that stands for all symmetric ones."""
    return word_of(game, view_of(game, state)[1])


def grown(game, count=None, pages=None, ask=None, **given):
    growth = Growth(game, pages or new_pages(game), ask or static(game), **given)
    for _ in growth.grow(count):
        pass
    return growth


def in_parts(game, counts, **given):
    """The bytes of a book that grew in several runs."""
    pages = new_pages(game)
    for count in counts:
        pages = grown(game, count, pages, **given).kept()
    return pages.entries.tobytes()


class Reversed(type(TOE)):
    """Its actions are not in order."""

    name = "reversed"

    def actions(self, state):
        for cell in range(8, -1, -1):
            if not (state.mine | state.theirs) >> cell & 1:
                yield cell


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
    ask = Asking(game, Limits(depth=1), algorithm="alpha-beta")
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


@pytest.mark.parametrize("game", [Reversed(), gambito.load(Circle(5))], ids=["ties", "cycles"])
@pytest.mark.parametrize("together", [1, 4])
def test_the_file_is_all_that_is_needed_to_go_on(game, together):
    """Equal costs are decided in the same way, and the same moves lead back."""
    whole = in_parts(game, [36], together=together)
    assert in_parts(game, [8, 20, 8], together=together) == whole
    assert in_parts(game, [4] * 9, together=together) == whole


def test_several_positions_are_asked_together():
    asked = []

    def ask(states):
        asked.append({sign_of(TOE, state) for state in states})
        assert len(asked[-1]) == len(states)
        return static(TOE)(states)

    growth = grown(TOE, 12, ask=ask, together=5)
    assert len(growth.positions) == 12 and len(asked) == 4  # the start alone, then 4, 5 and 2
    assert len(asked[1]) > len(asked[0]) and not any(a & b for a, b in itertools.combinations(asked, 2))
    solved = grown(gambito.load("nim:heaps=2-3-2"), together=7)
    assert solved.root.is_exact and solved.root.value > 0


def test_every_crew_grows_the_same_book():
    """With the engine, in this process and on two; and every question begins with an empty table."""
    limits, books = Limits(nodes=300), []
    for executor, counts in (("threads:1", [12]), ("processes:2", [3, 9])):
        with closing(Asking(TOE, limits, executor=read_executor(executor))) as ask:
            books.append(in_parts(TOE, counts, ask=ask, together=3))
            state = TOE.parse("X../.O./...")
            assert ask([state, state, state]) == 3 * ask([state]) and ask([]) == []
    assert books[0] == books[1]


def test_symmetric_positions_are_in_the_book_once():
    game, asked = gambito.load("othello:size=4"), []

    def ask(states):
        asked.extend(states)
        return [(number % 5, 0, False) for number in range(len(asked) - len(states) + 1, len(asked) + 1)]

    growth = grown(game, 30, ask=ask)
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

    def ask(states):
        asked.extend(states)
        if len(asked) > 100:
            raise KeyboardInterrupt
        return static(TOE)(states)

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
    assert not growth._dropouts(1) or len(growth.positions) == 200
    keys = {int(game.key(p.state)) for p in growth.positions.values()}
    assert len(keys) == len(growth.positions)
    again = Growth(game, growth.kept(), static(game))
    assert set(again.positions) == set(growth.positions)


def test_exact_values_are_kept():

    def ask(states):
        return [(gambito.solve(TOE, state, gear="python").value, 9, True) for state in states]

    growth = grown(TOE, 1, ask=ask)
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


DRIVER = """
import sys
from gambito.books.asking import Asking
from gambito.books.book import new_pages, open_own
from gambito.books.files import write_pages
from gambito.books.growth import Growth
from gambito.game.registry import load
from gambito.jobs import read_executor
from gambito.search.limits import Limits
from pathlib import Path
game, path = load("connect-four"), Path(sys.argv[1])
pages = open_own(path).pages() if path.exists() else new_pages(game)
growth = Growth(game, pages, Asking(game, Limits(nodes=500), executor=read_executor(sys.argv[2])))
for _ in growth.grow(20 - len(growth.positions)):
    write_pages(path, growth.kept())
"""


@pytest.mark.slow
def test_a_killed_book_grows_on_to_the_same_bytes(tmp_path):
    """Killed three times after another position, on two processes; then three finish it."""
    calm, harsh = tmp_path / "calm.book", tmp_path / "harsh.book"
    run(sys.executable, "-c", DRIVER, str(calm), "threads:1")

    def there():
        return harsh.stat().st_mtime_ns if harsh.exists() else 0

    for _ in range(3):
        with child(sys.executable, "-c", DRIVER, str(harsh), "processes:2") as driver:
            for before in (there(), 0):
                wait_until(lambda before=before: there() != before or driver.poll() is not None)
            assert driver.poll() is None
    run(sys.executable, "-c", DRIVER, str(harsh), "processes:3")
    assert harsh.read_bytes() == calm.read_bytes()
