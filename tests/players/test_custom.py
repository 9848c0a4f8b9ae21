"""Players and evaluations of one's own: objects, files, and the public Player."""

import numpy as np
import pytest

import gambito
from gambito.errors import EvaluationError, GameError, PlayerError
from gambito.players import Choice, Match, read_player
from gambito.players.custom import OwnPlayer, as_player
from gambito.players.play import play_game
from gambito.players.player import Engine, RandomPlayer

FILE = """
import gambito

class Last:
    def choose(self, game, state):
        return game.legal(state)[-1]

class Stubborn:
    name = "mule"
    def choose(self, game, state, clock, past_states):
        return 0

class NoPlayer:
    pass

def corners(state, player):
    value = 1 if state.theirs & 1 else 0
    return -value if player == state.stones % 2 else value

class One(gambito.Game):
    pass

class Two(gambito.Game):
    pass
"""


class First:
    """The first legal action, as the given kind of number."""

    def __init__(self, kind=int):
        self.kind = kind

    def choose(self, game, state):
        return self.kind(game.legal(state)[0])


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    return path


@pytest.mark.parametrize("kind", [int, np.int64, np.uint8, Choice])
def test_a_bare_action_is_a_choice(kind):
    game = gambito.load("tic-tac-toe")
    played = play_game(game, [First(kind), First(kind)])
    assert played.reason == "over" and played.moves == ["1", "2", "3", "4", "5", "6", "7"]


@pytest.mark.parametrize("kind", [float, str, lambda action: None, lambda action: [action]])
def test_what_is_no_action_is_told(kind):
    standing = Match("tic-tac-toe", First(kind), "random:seed=1", games=2, plies=0).run()
    assert standing.tally.losses == 2 and len(standing.crashes) == 2
    assert "accepted: an action" in standing.crashes[0]["problem"]


def test_an_object_needs_one_method():
    with pytest.raises(PlayerError, match="int is no player: it has no method choose"):
        Match("tic-tac-toe", 3, "random")
    assert isinstance(as_player(First()), OwnPlayer)
    for ours in (Engine(), RandomPlayer(), read_player("level:strength=2")):
        assert as_player(ours) is ours


def test_a_player_from_a_file_plays_matches(file):
    text = f"{file}:Last"
    standing = Match("tic-tac-toe", text, "random:seed=1", games=4, jobs=2).run()
    assert standing.tally.games == 4 and not standing.crashes and standing.match.names[0] == text
    illegal = Match("tic-tac-toe", f"{file}:Stubborn", "random:seed=1", games=2, plies=2).run()
    assert {game["reason"] for game in illegal.played} <= {"illegal", "over"} and illegal.crashes
    with pytest.raises(PlayerError, match=r"holds 2 players \(Last, Stubborn\); say which"):
        read_player(str(file))
    with pytest.raises(PlayerError, match="has no player 'NoPlayer'; the players in it: Last, Stubborn"):
        read_player(f"{file}:NoPlayer")
    with pytest.raises(GameError, match="there is no file"):
        read_player("missing.py:Last")


def test_games_of_a_file_are_named(file):
    with pytest.raises(GameError, match=r"holds 2 games \(One, Two\); say which"):
        gambito.load(str(file))


def test_an_evaluation_of_ones_own(file):
    game = gambito.load("tic-tac-toe")
    for gear in ("python", "native"):
        judged = gambito.load("tic-tac-toe")
        judged.evaluate = lambda state, player: 1 if player == 0 else -1
        assert gambito.search(judged, None, "alpha-beta", 2, gear=gear).value == 1
    player = read_player(f"alpha-beta:depth=1,gear=python,evaluation={file}:corners")
    assert player.choose(game, game.initial()).found.value == 1
    with pytest.raises(EvaluationError, match="has no function 'Last'; the functions in it: corners"):
        read_player(f"alpha-beta:depth=1,evaluation={file}:Last").choose(game, game.initial())


def test_the_public_player():
    game = gambito.load("tic-tac-toe")
    for level in range(1, 9):
        player = gambito.Player(game, level=level, seed=1, seconds=0.2)
        assert player.name == f"level {level}" and player.choose("XX./OO./...") in range(9)
    assert gambito.Player("tic-tac-toe", level=7).choose(game.parse("XX./OO./...")) == 2
    assert gambito.Player("tic-tac-toe").choose("XX./OO./...") == 2  # full strength
    assert gambito.Player(game, player="alpha-beta:depth=3,gear=python").choose("XX./OO./...") == 2
    assert gambito.Player(game, player=First()).choose() == 0
    chosen = [gambito.Player(game, level=1, seed=5).choose() for _ in range(2)]
    assert chosen[0] == chosen[1]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"level": 9}, "from 1 to 8, not 9"),
        ({"level": "3"}, "from 1 to 8, not 3"),
        ({"level": 3, "player": "random"}, "a level or a text"),
        ({"player": "random", "seed": 1}, "are for levels"),
        ({"player": "unknown"}, "unknown player 'unknown'"),
    ],
)
def test_players_that_are_none(given, said):
    with pytest.raises(PlayerError, match=said):
        gambito.Player("tic-tac-toe", **given)


def test_a_game_that_is_over_has_no_action():
    with pytest.raises(PlayerError, match="the game is over"):
        gambito.Player("tic-tac-toe", level=1).choose("XXX/OO./...")
    with pytest.raises(PlayerError, match="chose 0, which is not legal"):
        gambito.Player("tic-tac-toe", player=type("Zero", (), {"choose": lambda *_: 0})()).choose(
            "XX./OO./..."
        )
