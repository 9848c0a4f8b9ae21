"""Opening books: moves that are known before any search. They know no game by name."""
