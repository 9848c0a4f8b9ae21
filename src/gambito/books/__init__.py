"""Opening books: moves that are known before any search. No code here is specific to one game."""
