"""Players that choose actions, and the games they play: clocks, matches, ratings.

    from gambito import players
    players.read_player("engine:seconds=0.1")
    players.Match("othello", "engine:nodes=10000", "greedy", games=20).run().as_dict()

This package does not depend on any screen or protocol.
"""

from typing import TYPE_CHECKING

from gambito.lazy_imports import lazy_imports

if TYPE_CHECKING:
    from gambito.errors import PlayerError
    from gambito.players.clock import Clock, Control, read_control
    from gambito.players.match import Match
    from gambito.players.play import PlayedGame, play_game
    from gambito.players.player import Choice, Engine, GreedyPlayer, Player, RandomPlayer
    from gambito.players.player_text import read_player
    from gambito.players.rating import Rating, Sprt, Tally
    from gambito.players.standing import Standing

__all__ = [
    "Choice",
    "Clock",
    "Control",
    "Engine",
    "GreedyPlayer",
    "Match",
    "PlayedGame",
    "Player",
    "PlayerError",
    "RandomPlayer",
    "Rating",
    "Sprt",
    "Standing",
    "Tally",
    "play_game",
    "read_control",
    "read_player",
]

__getattr__ = lazy_imports(
    __name__,
    {
        "Choice": "gambito.players.player",
        "Clock": "gambito.players.clock",
        "Match": "gambito.players.match",
        "Control": "gambito.players.clock",
        "Engine": "gambito.players.player",
        "GreedyPlayer": "gambito.players.player",
        "PlayedGame": "gambito.players.play",
        "Player": "gambito.players.player",
        "PlayerError": "gambito.errors",
        "RandomPlayer": "gambito.players.player",
        "Rating": "gambito.players.rating",
        "Sprt": "gambito.players.rating",
        "Standing": "gambito.players.standing",
        "Tally": "gambito.players.rating",
        "play_game": "gambito.players.play",
        "read_control": "gambito.players.clock",
        "read_player": "gambito.players.player_text",
    },
)
