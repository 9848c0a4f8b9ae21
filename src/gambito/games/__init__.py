"""The rules of games, one file or folder for each game. They do not depend on search, players or screens."""
