"""The player with a blueprint: what it plays, what it looks at, and the rivers that it solves."""

from __future__ import annotations

import random

import numpy as np
import pytest

import gambito
from gambito.errors import GambitoError
from gambito.game.gears import gears
from gambito.game_tools.poker.cards import SETS, read_cards, set_of
from gambito.hidden.game_tree import set_key
from gambito.hidden.strategy import Strategy
from gambito.players.blueprint import (
    BlueprintPlayer,
    place_of,
    ranges_of,
    read_blueprint,
    save_blueprint,
)
from gambito.players.levels import LevelPlayer
from gambito.players.player_text import read_player


@pytest.fixture(scope="module")
def game():
    return gambito.load("holdem")


@pytest.fixture(scope="module")
def player(game):
    found = BlueprintPlayer(3)
    found.begin(game)
    return found


def test_before_the_flop_it_plays_as_people_would(game, player):
    aces = player.policy(game, game.parse("AsAd/??"))
    assert sum(aces.values()) == pytest.approx(1, abs=0.02)
    assert (
        sum(share for action, share in aces.items() if game.write(game.parse("AsAd/??"), action) == "fold")
        < 0.01
    )
    against_all_in = game.parse("??/7d2c a")
    assert player.policy(game, against_all_in)[game.read(against_all_in, "fold")] > 0.95
    assert player.policy(game, game.parse("??/AsAd a"))[game.read(against_all_in, "call")] > 0.95


def test_it_sees_no_more_than_its_player(game, player):
    """The same policy from the state and from what the player sees of it."""
    for text in ("AsKd/QhQc b2", "AsKd/QhQc b2c|Ks7d2c c", "AsKd/QhQc b2c|Ks7d2c cc|4d cc|2h c"):
        state = game.parse(text)
        seen = game.observe(state, game.player(state))
        assert player.policy(game, state) == player.policy(game, seen)
        assert set(player.policy(game, state)) == set(game.legal(state))


def test_a_river_is_solved_for_both_ranges(game):
    """The nuts are never folded, and a hand that beats nothing does not call a bet of all chips."""
    player = BlueprintPlayer(3)
    line = "b1c|Ks7d2c cc|4d cc|2h a"
    strong, weak = game.parse(f"KdKc/?? {line}"), game.parse(f"6c5c/?? {line}")
    assert player.policy(game, strong)[game.read(strong, "call")] > 0.95
    assert player.policy(game, weak)[game.read(weak, "fold")] > 0.95
    coarse, strategy = player.known["holdem"]
    board = read_cards("Ks7d2c4d2h")
    ranges = ranges_of(coarse, strategy, strong, board)
    assert all(0 < each.max() <= 1 and not each[(SETS & set_of(board)) != 0].any() for each in ranges)
    assert ranges[0].sum() > 10 and ranges[1].sum() > 10


def test_whole_hands_are_played(game):
    player, rng = BlueprintPlayer(1, resolve=0), random.Random(5)
    for number in range(30):
        player.begin(game, number)
        state = game.initial()
        while not game.is_terminal(state):
            mover = game.player(state)
            action = (
                rng.choice(game.legal(state))
                if mover < 0
                else player.choose(game, game.observe(state, mover)).action
            )
            assert action in game.legal(state)
            state = game.result(state, action)


def test_the_same_seed_gives_the_same_choices(game):
    state = game.parse("Js9d/??")
    drawn = []
    for _ in range(2):
        player = BlueprintPlayer(7)
        player.begin(game, 4)
        drawn.append([player.choose(game, state).action for _ in range(20)])
    assert drawn[0] == drawn[1]


def test_the_highest_level_plays_from_it(game):
    level = LevelPlayer(8, seed=1)
    level.begin(game)
    assert isinstance(level.engine, BlueprintPlayer)
    assert place_of(gambito.load("leduc-poker")) is None


def test_a_player_as_text(game):
    assert read_player("blueprint").name == "blueprint"
    assert read_player("blueprint:seed=3,resolve=0").name == "blueprint:resolve=0"
    for wrong in ("blueprint:speed=3", "blueprint:seed=x", "blueprint:resolve=2"):
        with pytest.raises(GambitoError):
            read_player(wrong)
    with pytest.raises(GambitoError, match="there is no blueprint for holdem:stack=77"):
        read_player("blueprint").begin(gambito.load("holdem:stack=77"))


def test_a_blueprint_is_read_as_it_was_written(tmp_path):
    coarse = gambito.load("holdem:buckets=8")
    state = coarse.parse("AsAd/??")
    key = Strategy(coarse, np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0), {})
    assert key.at(state) is None
    path = tmp_path / "x.blueprint"
    number = np.uint64(int(set_key(coarse, gears(coarse).cast(state), 0)))
    shares = np.array([0.0, 0.2, 0.6, 0.2, 0.0])
    given = Strategy(coarse, np.array([number]), np.array([0, 5]), shares, {"iterations": 3})
    save_blueprint(given, path)
    assert list(read_blueprint(path, coarse).at(state).values()) == pytest.approx(shares, abs=1e-6)
    with pytest.raises(GambitoError, match="no blueprint of"):
        read_blueprint(path, gambito.load("holdem:buckets=7"))
    path.write_bytes(b"nothing")
    with pytest.raises(GambitoError, match="cannot be read"):
        read_blueprint(path, coarse)
