"""Open a book of any format."""

from __future__ import annotations

from pathlib import Path

from gambito.books.book import open_own
from gambito.books.choice import OpeningBook
from gambito.books.files import is_own
from gambito.books.polyglot import read_book


def open_book(path: str | Path) -> OpeningBook:
    """Open the book in a file: Gambito's format, or else Polyglot's."""
    return open_own(path) if is_own(path) else read_book(path)
