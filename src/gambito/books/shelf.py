"""Opening a book of whichever format."""

from __future__ import annotations

from pathlib import Path

from gambito.books.book import open_own
from gambito.books.choice import OpeningBook
from gambito.books.files import is_own
from gambito.books.polyglot import read_book


def open_book(path: str | Path) -> OpeningBook:
    """The book in a file: Gambito's own, or else Polyglot's."""
    return open_own(path) if is_own(path) else read_book(path)
