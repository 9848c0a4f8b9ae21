"""The rules of games, one file a game. They know nothing of search, players or screens."""
