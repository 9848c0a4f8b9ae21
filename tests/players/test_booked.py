"""Players with a book: they play from it as long as it goes, then they search."""

from __future__ import annotations

import pytest

import gambito
from gambito.books.book import key_digest
from gambito.books.choice import word_of
from gambito.books.collection import Collection
from gambito.books.entries import combined, entries_of
from gambito.books.files import Facts, Pages, write_pages
from gambito.errors import PlayerError
from gambito.players import Match, read_player

TOE = gambito.load("tic-tac-toe")


@pytest.fixture
def book(tmp_path):
    collection = Collection(TOE)
    for text in ("1 2 3 1-0", "1 2 9 1-0", "1 2 9 1-0", "2 1 4 0-1"):
        collection.add(*TOE.read_record(text))
    write_pages(tmp_path / "toe.book", collection.pages())
    return tmp_path / "toe.book"


def test_a_book_is_played_until_it_ends(book):
    player = read_player(f"alpha-beta:depth=4,book={book},book_choice=best")
    player.prepare(TOE, TOE.initial())
    player.begin(TOE)
    state, words = TOE.initial(), []
    for _ in range(4):
        choice = player.choose(TOE, state)
        words.append((TOE.write(state, choice.action), choice.is_known))
        assert choice.is_known == (choice.found is None)
        state = TOE.result(state, choice.action)
        if len(words) == 1:  # the second player has lost every game, so that his moves have no weight
            state = TOE.result(state, TOE.read(state, "2"))
    assert words[:2] == [("1", True), ("9", True)] and not words[2][1]


def test_choices_by_chance_are_repeatable(book):
    def chosen(text, count=40):
        player, state = read_player(text), TOE.parse("1 2")
        found = []
        for number in range(count):
            player.begin(TOE, number)
            found.append(TOE.write(state, player.choose(TOE, state).action))
        return found

    text = f"alpha-beta:depth=1,book={book}"
    assert chosen(f"{text},book_seed=1") == chosen(f"{text},book_seed=1") != chosen(f"{text},book_seed=2")
    assert set(chosen(text)) == {"3", "9"}
    assert set(chosen(f"{text},book_choice=best")) == {"9"}


def test_a_margin_widens_the_choice(tmp_path):
    rows = [(word_of(TOE, TOE.initial()), a, v, 0, 0, 0, 0, 5, 0) for a, v in ((0, 0.5), (4, 1.0), (8, -1.0))]

    write_pages(
        tmp_path / "b", Pages(Facts("tic-tac-toe", key_digest(TOE), [""]), combined(entries_of(rows)))
    )
    for margin, expected in ((0, {4}), (0.5, {0, 4}), (2, {0, 4, 8})):
        player = read_player(f"alpha-beta:depth=1,book={tmp_path / 'b'},book_margin={margin}")
        player.prepare(TOE, TOE.initial())
        player.begin(TOE)
        assert {player.choose(TOE, TOE.initial()).action for _ in range(60)} == expected


def test_a_match_with_a_book(book):
    first = f"alpha-beta:depth=2,book={book},book_seed=3"
    match = Match("tic-tac-toe", first, "random:seed=1", games=8, plies=0)
    assert match.run().tally.games == 8


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("book=none.book", "none.book cannot be read: No such file"),
        ("book_choice=best", "are settings of a book; they need book=FILE"),
        ("book={book},book_choice=any", "book_choice must be weighted or best, not 'any'"),
        ("book={book},book_margin=x", "book_margin must be a number, and book_seed a whole number"),
        ("book={book},book_margin=-1", "book_margin must be a number of 0 or more, not '-1'"),
    ],
)
def test_what_is_wrong_is_one_sentence(book, words, sentence):
    with pytest.raises(PlayerError, match=sentence):
        read_player(f"engine:{words.format(book=book)}")


def test_a_book_of_another_game_is_refused(book):
    player = read_player(f"engine:book={book}")
    with pytest.raises(PlayerError, match="is a book of tic-tac-toe, not of nim"):
        player.prepare(gambito.load("nim"), None)
