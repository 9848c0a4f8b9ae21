"""Books of the shared collections, each made once."""

from __future__ import annotations

import pytest

import gambito
from gambito.books.book import Book
from gambito.books.collection import Collection
from tests.support import data

FILES = {
    "chess": "chess/master_games.pgn",
    "checkers": "checkers/tinsley_sample.pdn",
    "othello": "othello/WTH_1980.wtb",
}


@pytest.fixture(scope="session")
def shared():
    """By name: the game, its collection, and the book."""
    made = {}

    def read(name):
        if name not in made:
            game = gambito.load(name)
            collection = Collection(game)
            list(collection.read(data(FILES[name])))
            made[name] = game, collection, Book(collection.pages(), name)
        return made[name]

    return read
