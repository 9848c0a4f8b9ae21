"""Levels: each is stronger than the one below, and errs as a person does."""

import pytest

import gambito
from gambito.errors import PlayerError
from gambito.players.levels import LEVELS, LevelPlayer
from gambito.players.match import Match
from gambito.players.player_text import read_player
from gambito.search.algorithm import find


def test_a_level_is_named_as_a_text():
    assert read_player("level:strength=3,seed=1").name == "level 3"
    with pytest.raises(PlayerError, match="from 1 to 8, not 9"):
        read_player("level:strength=9")


def test_levels_look_further_and_err_less():
    depths = [level.depth or 1000 for level in LEVELS]
    errors = [level.error for level in LEVELS]
    assert depths == sorted(depths) and errors == sorted(errors, reverse=True) and errors[-1] == 0


@pytest.mark.parametrize("strength", range(1, 9))
def test_what_is_plainly_better_is_mostly_seen(strength):
    """A win at once is worth three quarters of a win more: even a beginner mostly takes it."""
    game = gambito.load("tic-tac-toe")
    state, player = game.parse("XX./OO./..."), LevelPlayer(strength, seed=7)
    taken = [player.choose(game, state).action for _ in range(25)].count(2)
    assert taken >= (17 if strength == 1 else 21 if strength < 4 else 25)


def test_the_same_seed_plays_the_same():
    game = gambito.load("connect-four")
    first, second = ([], [])
    for chosen in (first, second):
        player = LevelPlayer(2, seed=3)
        player.begin(game, 1)
        chosen += [player.choose(game, game.parse("44")).action for _ in range(6)]
    assert first == second and len(set(first)) > 1


def test_a_beginner_beats_chance():
    standing = Match("tic-tac-toe", "level:strength=2,seed=1", "random:seed=2", games=30).run()
    assert standing.tally.wins > 2 * standing.tally.losses


@pytest.mark.slow
@pytest.mark.parametrize("strength", range(2, 8))
def test_each_level_is_stronger_than_the_one_below(strength):
    players = [f"level:strength={level},seed={level}" for level in (strength, strength - 1)]
    games = 200 if strength < 5 else 30  # the lowest levels are close to each other, and quick
    tally = Match("connect-four", *players, games=games).run().tally
    assert tally.wins > tally.losses


@pytest.mark.slow
@pytest.mark.parametrize(("game", "games"), [("tic-tac-toe-3", 60), ("chinese-checkers:rows=2", 12)])
def test_levels_of_games_for_three(game, games):
    """A higher level has more of the points against a lower one."""
    match = Match(game, "level:strength=1", "level:strength=3", games, more=["level:strength=5"])
    scores = {(row["first"], row["second"]): row["score"] for row in match.run().as_dict()["table"]}
    assert scores["level:strength=1", "level:strength=5"] < 0.4
    assert scores["level:strength=3", "level:strength=5"] < 0.5


def test_a_level_plays_a_game_whose_best_search_goes_to_the_end_alone():
    game = gambito.load("bridge-play")
    state = game.initial()
    while game.player(state) < 0:
        state = game.result(state, next(int(outcome) for outcome, _ in game.chances(state)))
    algorithm, _ = LevelPlayer(3)._search(game)
    assert algorithm != "partition" and not find(algorithm).misfit(game)
