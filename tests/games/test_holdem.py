"""Hold'em: against OpenSpiel's universal poker, positions and histories, buckets, and what is refused."""

from __future__ import annotations

import random

import pytest

import gambito
from gambito import CHANCE
from gambito.errors import GambitoError
from gambito.game_tools.poker.cards import read_cards, set_of
from gambito.games.holdem.buckets import bucket_of, draw_of, share_beaten
from gambito.games.holdem.state import ALL_IN, CALL, FOLD

pyspiel = pytest.importorskip("pyspiel")


def peer(seats, chips):
    """The game without a limit in OpenSpiel. With two, its first player is the big blind."""
    facts = {
        "betting": "nolimit",
        "numPlayers": seats,
        "numRounds": 4,
        "blind": "2 1" if seats == 2 else " ".join(["1", "2", *["0"] * (seats - 2)]),
        "firstPlayer": "2 1 1 1" if seats == 2 else "3 1 1 1",
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
        "bettingAbstraction": "fullgame",
        "stack": " ".join([str(chips)] * seats),
    }
    return pyspiel.load_game("universal_poker", facts)


@pytest.mark.parametrize(
    ("name", "hands"),
    [
        ("holdem", 150),
        ("holdem:limit=true,stack=50", 150),
        ("holdem:stack=100,bets=33-75-150-300", 100),
        ("holdem:seats=3,bets=60", 100),
        ("holdem:seats=6,limit=true,stack=30", 60),
        ("holdem:seats=5,stack=4", 60),
    ],
)
def test_hands_are_those_of_openspiel(name, hands):
    """The same seat acts, every move is one of OpenSpiel's, and the same chips are won."""
    game = gambito.load(name)
    known = peer(game.seats, game.chips)
    seat_of = (lambda other: 1 - other) if game.seats == 2 else (lambda other: other)
    for seed in range(hands):
        rng = random.Random(seed)
        deck = rng.sample(range(52), game.hole + 5)
        held = {seat: deck[2 * seat : 2 * seat + 2] for seat in range(game.seats)}
        state, other = game.initial(), known.new_initial_state()
        for seat in range(game.seats):
            for card in held[seat]:
                state = game.result(state, card)
            for card in held[seat_of(seat)]:
                other.apply_action(card)
        board = iter(deck[game.hole :])
        while not game.is_terminal(state):
            if game.player(state) == CHANCE:
                card = next(board)
                assert other.is_chance_node()
                other.apply_action(card)
                state = game.result(state, card)
                continue
            assert game.player(state) == seat_of(other.current_player())
            actions = game.legal(state)
            amounts = {FOLD: 0, CALL: 1}
            for action in actions:
                raised = int(game.raised_to(state, action)) if action > CALL else 0
                amounts.setdefault(action, raised)
            theirs = set(other.legal_actions())
            assert {amounts[action] for action in actions if action > CALL} <= theirs
            assert CALL in actions and (FOLD in actions) == (0 in theirs)
            may_raise = game.chips in theirs and state.bets < game.most_bets
            assert game.limit or (ALL_IN in actions) == may_raise
            action = rng.choice(actions)
            other.apply_action(amounts[action])
            state = game.result(state, action)
        assert other.is_terminal()
        returns = other.returns()
        assert [game.utility(state, seat_of(n)) for n in range(game.seats)] == pytest.approx(returns)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["holdem", "holdem:seats=4,limit=true", "holdem:buckets=5"])
def test_positions_and_histories_are_read_as_they_were_written(name):
    game = gambito.load(name)
    for seed in range(8 if game.buckets else 40):
        rng, state, actions = random.Random(seed), game.initial(), []
        while not game.is_terminal(state):
            for seat in range(game.seats):
                seen = game.observe(state, seat)
                assert game.parse(game.text(seen)) == seen
            actions.append(rng.choice(game.legal(state)))
            state = game.result(state, actions[-1])
            assert game.read_game(game.write_game(game.initial(), actions)) == (game.initial(), actions)
        assert game.parse(game.text(state)) == state
        assert sum(game.utility(state, seat) for seat in range(game.seats)) == pytest.approx(0)


def test_a_hand_history():
    game = gambito.load("holdem")
    state = game.parse("AsKd/QhQc b2c|Ks7d2c cb1c|4d cc|2h ca")
    assert game.remarks(state) == "raise 6, call | check, bet 6, call | check, check | check, all-in"
    moves = ["Kd", "As", "Qc", "Qh", "b2", "c", "2c", "Ks", "7d", "c", "b1", "f"]
    now, actions = game.initial(), []
    for word in moves:
        actions.append(game.read(now, word))
        now = game.result(now, actions[-1])
    assert game.write_game(game.initial(), actions).splitlines() == [
        "Hold'em No Limit (1/2)",
        "Seat 1: 40 chips [Kd As]",
        "Seat 2: 40 chips [Qc Qh]",
        "*** HOLE CARDS ***",
        "Seat 1: raises to 6",
        "Seat 2: calls",
        "*** FLOP *** [2c Ks 7d]",
        "Seat 2: checks",
        "Seat 1: bets 6",
        "Seat 2: folds",
        "*** SUMMARY ***",
        "Seat 1: +6",
        "Seat 2: -6",
    ]
    assert game.text(now) == "AsKd/QhQc b2c|Ks7d2c cb1f"
    both = "\n".join([game.write_game(game.initial(), actions)] * 2).encode()
    assert [game.read_record(hand)[1] for hand in game.split_games(both)] == [actions, actions]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("AsKd/AsQc", "once"),
        ("AsKd/QhQc b3", "not a move"),
        ("AsKd/QhQc c|Ks", "no card is dealt"),
        ("AsKd/QhQc cc|Ks7d2c4h5h", "no card is dealt"),
        ("AsKd", "no position"),
        ("AsKd/Qh?", "no position"),
        ("-/QhQc", "no position"),
        ("AsKd/QhQc x", "no position"),
    ],
)
def test_positions_that_cannot_be_are_refused(text, said):
    with pytest.raises(GambitoError, match=said) as told:
        gambito.load("holdem").parse(text)
    assert len(str(told.value).splitlines()) == 1


def test_moves_that_cannot_be_are_refused():
    game = gambito.load("holdem")
    state = game.parse("AsKd/QhQc")
    with pytest.raises(GambitoError, match="'raise 500' is beyond the stack of 40 chips"):
        game.read(state, "raise 500")
    with pytest.raises(
        GambitoError, match="is not a move here; accepted: fold, call, raise 4, raise 6, all-in"
    ):
        game.read(state, "raise 5")


@pytest.mark.parametrize(
    "parameters",
    ["seats=1", "seats=7", "stack=1", "stack=600", "bets=0", "bets=a", "bets=1-2-3-4-5", "buckets=99"],
)
def test_parameters_that_cannot_be_are_refused(parameters):
    with pytest.raises(GambitoError):
        gambito.load(f"holdem:{parameters}")


def test_buckets_are_strength_and_draws():
    def of(hand, board, levels=10):
        cards = read_cards(hand)
        table = read_cards(board)
        return bucket_of(*cards, set_of(cards), set_of(table), len(table), levels)

    assert share_beaten(set_of(read_cards("AsAd")), set_of(read_cards("AhKs7d"))) > 0.99
    assert draw_of(set_of(read_cards("As2s")), set_of(read_cards("Ks7s4d"))) == 2
    assert draw_of(set_of(read_cards("Jh2d")), set_of(read_cards("Ts9c8d"))) == 1
    assert draw_of(set_of(read_cards("Ah2d")), set_of(read_cards("Ts9c8d7h"))) == 0  # the board's own
    assert of("AsAd", "AhKs7d") == 27 and of("AsAd", "AhKs7d4c2h") == 27
    assert of("AsKs", "") != of("AsKd", "")


def test_buckets_are_what_strategies_go_by():
    """Hands of one bucket are one information set, and the others' hands do not matter."""
    game = gambito.load("holdem:buckets=4")
    one, other = game.parse("AsKd/QhQc"), game.parse("AhKc/7d2s")
    assert game.seen_key(one, 0) == game.seen_key(other, 0) and game.seen_key(one, 1) != game.seen_key(
        other, 1
    )
    assert gambito.load("holdem").seen_key(one, 0) != gambito.load("holdem").seen_key(other, 0)
