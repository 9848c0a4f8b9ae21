"""Matches of games that hide something: what a seat is given, the same deal in every seat, chips a game."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import gambito
from gambito.errors import PlayerError
from gambito.players import Choice, Match, RandomPlayer, play_game, read_player
from gambito.players.rating import Gain
from gambito.players.running_game import RunningGame

KUHN = gambito.load("kuhn-poker")
HIDDEN = (
    "kuhn-poker",
    "kuhn-poker:players=3",
    "leduc-poker",
    "liars-dice",
    "goofspiel",
    "rock-paper-scissors",
)


class Recorder(RandomPlayer):
    """A random player that keeps what it is given."""

    name = "recorder"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.given: list[Any] = []

    def choose(self, game: Any, state: Any, clock: Any = None, past_states: Any = ()) -> Choice:
        self.given.append(state)
        return super().choose(game, state, clock, past_states)


@pytest.mark.parametrize("name", HIDDEN)
def test_a_player_is_given_its_observation_and_nothing_more(name):
    game = gambito.load(name)
    for number in range(10):
        players = [Recorder(seat) for seat in range(game.players)]
        played = play_game(game, players, number=number)
        assert played.reason == "over" and sum(played.utilities) == pytest.approx(0)
        for seat, player in enumerate(players):
            assert player.given and all(state == game.observe(state, seat) for state in player.given)


def test_both_games_of_a_pair_have_the_same_cards():
    match = Match("kuhn-poker", "random:seed=1", "random:seed=2", games=40)
    games = match.run().played
    cards = [game["moves"].split()[:2] for game in sorted(games, key=lambda game: game["number"])]
    assert cards[::2] == cards[1::2] and len(set(map(tuple, cards))) > 3


def test_three_seats_are_taken_in_turn():
    match = Match("kuhn-poker:players=3", "random:seed=1", "random:seed=2", games=7)
    standing = match.run()
    assert match.games == 9 and standing.gain.deals == 3
    cards = [game["moves"].split()[:3] for game in sorted(standing.played, key=lambda game: game["number"])]
    assert all(cards[3 * deal] == cards[3 * deal + 1] == cards[3 * deal + 2] for deal in range(3))
    told = standing.as_dict()
    assert told["elo"] is None and abs(told["utility"]) <= 4 and told["utility_error"] > 0
    with pytest.raises(PlayerError, match="sequential test is for two"):
        Match("kuhn-poker:players=3", "random", "random", sprt=gambito.players.Sprt(0, 10))
    with pytest.raises(PlayerError, match="takes one seat"):
        Match("kuhn-poker:players=3", Recorder(), "random")


def test_the_gain_of_a_player_that_always_bets_is_exact_over_all_deals():
    """Against a player that always passes, a bet wins the ante, and the cards do not matter."""

    class Always:
        def __init__(self, action):
            self.action = action

        def choose(self, game, state):
            return self.action

    standing = Match("kuhn-poker", Always(1), Always(0), games=40).run()
    assert standing.gain.mean == 1 and standing.gain.error == 0
    assert standing.as_dict()["utility"] == 1


def test_luck_cancels_between_equal_players():
    """Two copies of a player that plays by its card alone: each deal comes out even."""

    class ByCard:
        def choose(self, game, state):
            return int(game.text(state)[game.player(state)] == "K")

    standing = Match("kuhn-poker", ByCard(), ByCard(), games=60).run()
    assert standing.gain.mean == 0 and standing.gain.error == 0


def test_the_error_of_a_gain():
    gain = Gain()
    assert gain.mean is None and gain.error is None
    for mean in (1.0, 2.0, 3.0):
        gain.add(mean)
    assert gain.mean == 2 and gain.error == pytest.approx(1.959964 / 3**0.5)


def test_greedy_refuses_a_game_that_hides_something():
    with pytest.raises(PlayerError, match="greedy looks at the next state"):
        read_player("greedy").prepare(KUHN, KUHN.initial())


def test_a_fault_costs_the_lowest_value():
    class Wrong:
        def choose(self, game, state):
            return 77

    played = play_game(gambito.load("leduc-poker"), [Wrong(), RandomPlayer(1)])
    assert played.reason == "illegal" and played.utilities == (-13, 13) and played.points == (0, 1)


# ---- what is told of a move ------------------------------------------------------------------------------


def test_the_card_of_another_is_not_told():
    match = RunningGame(KUHN, KUHN.initial())
    for action in (1, 3, 1):
        match.play(action)
    assert match.names() == ["J", "K", "bet"]
    assert match.names(0) == ["J", "?", "bet"] and match.names(1) == ["?", "K", "bet"]
    assert match.names(gambito.NOBODY) == ["?", "?", "bet"]
    assert KUHN.text(match.seen(0)) == "J? b"
    match.play(1)
    assert match.is_over and match.names(0) == match.names() and match.seen(0) == match.state


@pytest.mark.parametrize("name", HIDDEN)
def test_a_move_is_told_only_where_it_can_be_known(name):
    """Two games that a player cannot tell apart tell it the same names."""
    game = gambito.load(name)
    told: dict[Any, list[str]] = {}
    for number in range(60):
        match, dice = RunningGame(game, game.initial()), RandomPlayer(number)
        while not match.is_over:
            for player in range(gambito.NOBODY, game.players):
                names = match.names(player)
                path = tuple(game.observe(state, player) for state in match.states)
                assert told.setdefault((player, path), names) == names
            match.play(dice.choose(game, match.state).action)


def test_a_pending_choice_is_told_to_nobody_else():
    game = gambito.load("rock-paper-scissors")
    match = RunningGame(game, game.initial())
    match.play(0)
    assert match.names(0) == match.names() and match.names(1) == match.names(gambito.NOBODY) == ["?"]
    assert match.is_noticed(1)  # the turn has passed on


def test_a_player_for_programs_sees_its_own_side_only():
    seen = []

    class Own:
        def choose(self, game, state):
            seen.append(state)
            return 0

    player = gambito.Player("kuhn-poker", player=Own())
    for cards in itertools.permutations("JQK", 2):
        player.choose("".join(cards))
    assert {KUHN.text(state) for state in seen} == {"J?", "Q?", "K?"}
