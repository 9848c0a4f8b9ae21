"""Hearts: its rules beside OpenSpiel's, worlds that fit what was seen, and its texts."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import numpy as np
import pytest

import gambito
from gambito.game.registry import load
from gambito.games.tricks.cards import (
    EVERY,
    NO_TRUMP,
    SUIT_SETS,
    card_name,
    hand_text,
    listed,
    read_cards,
    read_hand,
    share_cards,
    trick_winner,
)
from gambito.native.random import new_random
from tests.mutation import mutated

pyspiel = pytest.importorskip("pyspiel")
PASSING = ("hold", "left", "across", "right")  # by the number that OpenSpiel gives them


def their_card(card: int) -> int:
    """A card's number there: four suits of each rank."""
    return card % 13 * 4 + card // 13


def play_beside(passing: int, queen_breaks: bool, rng: random.Random) -> None:
    """A random game there and here, with the same actions everywhere and the same points at the end."""
    game = load(f"hearts:passing={PASSING[passing]},queen_breaks={queen_breaks}")
    theirs = pyspiel.load_game("hearts", {"qs_breaks_hearts": queen_breaks}).new_initial_state()
    theirs.apply_action(passing)
    state = game.initial()
    while not game.is_terminal(state):
        legal = game.legal(state)
        assert sorted(map(their_card, legal)) == theirs.legal_actions()
        assert int(game.player(state)) == theirs.current_player()
        action = rng.choice(legal)
        state = game.result(state, action)
        theirs.apply_action(their_card(action))
    assert theirs.is_terminal()
    paid = [26 - points for points in theirs.returns()]
    assert [game.utility(state, p) for p in range(4)] == [sum(paid) / 4 - own for own in paid]


@pytest.mark.parametrize("games", [48, pytest.param(10_000, marks=pytest.mark.slow)])
def test_random_games_beside_openspiel(games):
    rng = random.Random(7)
    for number in range(games):
        play_beside(number % 4, number // 4 % 2 == 1, rng)


def random_state(game, seed, plies):
    """The state of a random game after so many plies."""
    rng, state = random.Random(seed), game.initial()
    for _ in range(plies):
        state = game.result(state, rng.choice(game.legal(state)))
    return state


# ---- tricks and deals --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("cards", "trump", "place"),
    [("2C5CQC7C", -1, 2), ("2CASKHQD", -1, 0), ("2CASKH2S", 3, 1), ("2C3S2SAC", 3, 1), ("AH2H3H4H", 2, 0)],
)
def test_who_takes_a_trick(cards, trump, place):
    assert NO_TRUMP == -1
    trick = sum(card + 1 << 6 * n for n, card in enumerate(read_cards(cards)))
    assert trick_winner(trick, trump) == place


def test_names_of_cards():
    assert [card_name(card) for card in (0, 12, 13, 36, 51)] == ["2C", "AC", "2D", "QH", "AS"]
    assert read_hand("AK.T9..42") == sum(1 << card for card in read_cards("ASKSTH9H4C2C"))
    assert hand_text(read_hand("AK.T9..42")) == "AK.T9..42"
    assert read_hand("AA.T9..42") is None and read_hand("AK.T9.") is None and read_hand("A1...") is None
    assert read_cards("2C5") is None
    assert sum(int(cards) for cards in SUIT_SETS) == int(EVERY)


@pytest.mark.parametrize(
    ("needs", "barred"),
    [
        ((2, 2, 2), (0, 0, 0)),
        ((2, 2, 2), (0b000011, 0, 0b110000)),
        ((1, 2, 3), (0b000111, 0b001000, 0)),
        ((3, 2, 1), (0b000001, 0b000110, 0b011000)),
    ],
)
def test_unseen_cards_are_dealt_evenly(needs, barred):
    """Every deal of six cards that gives nobody what it lacks is as likely as the others."""
    wanted = set()
    for first in itertools.combinations(range(6), needs[0]):
        left = [card for card in range(6) if card not in first]
        for second in itertools.combinations(left, needs[1]):
            third = [card for card in left if card not in second]
            hands = [sum(1 << card for card in hand) for hand in (first, second, third)]
            if not any(hand & bar for hand, bar in zip(hands, barred, strict=True)):
                wanted.add(tuple(hands))
    rng, draws = new_random(3), 200 * len(wanted)
    bars = tuple(np.uint64(bar) for bar in barred)
    met = Counter(tuple(map(int, share_cards(np.uint64(63), needs, bars, rng))) for _ in range(draws))
    assert set(met) == wanted
    square = sum((count - 200) ** 2 / 200 for count in met.values())
    free = len(wanted) - 1
    assert square < free + 5 * (2 * free) ** 0.5 + 5


# ---- what is seen ------------------------------------------------------------------------------------
def test_a_player_knows_what_it_passed():
    game = load("hearts:passing=across")
    state = random_state(game, 3, 64)
    seen = game.observe(state, 0)
    assert seen.hand_0 == state.hand_0 and seen.hand_1 == seen.hand_3 == 0
    assert len(listed(seen.hand_2)) == 3 and not int(seen.hand_2) & ~int(state.hand_2)
    assert game.text(seen).split()[2:5] == ["?13", f"{hand_text(seen.hand_2)}?10", "?13"]
    rng = new_random(1)
    for _ in range(20):
        world = game.imagine(seen, 0, rng)
        assert world.hand_2 & seen.hand_2 == seen.hand_2 and len(listed(world.passed)) == 12


def test_what_a_card_tells():
    """A discard shows a void; a heart led before its time shows that there was nothing else."""
    game = load("hearts:passing=hold")
    gone = "KQJT98765432.KQJT98765432.KQJT98765432.KQJT98765432"
    state = game.parse(f"play A... .A.. ..A. ...A - {gone} S:2C2H3H4H 25,0,0,0 -,-,-,-")
    assert game.player(state) == 0
    after = game.result(game.result(state, 51), 38)
    assert game.lacks_text(int(after.lacks)) == "-,sq,-,-"


def test_the_first_trick_costs_nothing():
    game = load("hearts:passing=hold")
    hands = ("AKQJT9876543...2", "2.AKQJT9876543..", "..AKQJT98765432.", ".2..AKQJT9876543")
    state = game.parse(f"play {' '.join(hands)} - - S: 0,0,0,0 -,-,-,-")
    state = game.result(state, game.read(state, "2C"))
    assert [game.write(state, a) for a in game.legal(state)] == ["2S"]  # no heart, though there is no club
    state = game.result(state, game.read(state, "2s"))
    assert game.lacks_text(int(state.lacks)) == "-,c,-,-"


def test_all_points_are_paid_by_the_others():
    game = load("hearts:passing=hold")
    gone = "KQJT98765432.KQJT98765432.KQJT98765432.KQJT98765432"
    state = game.parse(f"play A... .A.. ..A. ...A - {gone} S:2C2H3H4H 25,0,0,0 -,-,-,-")
    for name in ("AS", "AH", "AD", "AC"):
        state = game.result(state, game.read(state, name))
    assert game.is_terminal(state)
    assert [game.utility(state, player) for player in range(4)] == [19.5, -6.5, -6.5, -6.5]
    assert game.reason(state) == "a player has taken all points"


def test_points_are_banked_once_two_players_have_some():
    game = load("hearts")
    state = random_state(game, 5, 100)
    assert len({int(game.taken(state.points, p)) for p in range(4)}) > 1
    rest = game.unbanked(state)
    assert sum(game.banked(state, player) for player in range(4)) == 0 and game.banked(rest, 0) == 0
    rng = random.Random(2)
    one, other = state, rest
    while not game.is_terminal(one):
        action = rng.choice(game.legal(one))
        one, other = game.result(one, action), game.result(other, action)
    for player in range(4):
        assert game.utility(one, player) == game.utility(other, player) + game.banked(state, player)


# ---- text --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("passing", ["left", "hold"])
def test_positions_and_views_read_back(passing):
    game, rng = load(f"hearts:passing={passing}"), random.Random(11)
    for seed in range(4):
        state = random_state(game, seed, 0)
        while not game.is_terminal(state):
            for seen in (state, *(game.observe(state, p) for p in range(-1, 4))):
                again = game.parse(game.text(seen))
                assert tuple(map(int, again)) == tuple(map(int, seen)), game.text(seen)
            state = game.result(state, rng.choice(game.legal(state)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("deal", "no position of hearts"),
        ("play - - - - - - S: 0,0,0,0 -,-,-,-", "take turns"),
        ("deal A... A... - -", "every card is there once"),
        ("deal A...  - K... -", "take turns"),
        ("pass1 ?13 ?13 ?13 AKQJT98765432... A...", "cannot have been passed"),
        ("play ?1 ?1 ?1 A... - - S: 0,0,0,0 -,-,-,-", "take turns"),
    ],
)
def test_impossible_positions(text, told):
    with pytest.raises(gambito.PositionError, match=told):
        load("hearts").parse(text)


def test_spoiled_positions():
    """What is read of a spoiled text can be played and imagined."""
    game = load("hearts")
    seeds = [
        game.text(random_state(game, seed, plies)) for seed in range(3) for plies in (20, 58, 66, 90, 110)
    ]
    seeds += [game.text(game.observe(game.parse(text), 0)) for text in seeds]
    read = 0
    for number in range(1500):
        text = mutated(seeds, random.Random(number))
        try:
            state = game.parse(text)
        except gambito.PositionError as problem:
            assert len(str(problem).splitlines()) == 1
            continue
        read += 1
        assert game.text(game.parse(game.text(state))) == game.text(state)
        if not game.is_terminal(state) and game.player(state) >= 0:
            player = int(game.player(state))
            if game.hand(state, player):
                world = game.imagine(game.observe(state, player), player, new_random(number))
                assert game.legal(world)
    assert read > 20


def test_it_is_played_by_every_level():
    """The default algorithm answers in the middle of a game, from what the player sees only."""
    game = load("hearts")
    state = random_state(game, 9, 90)
    one = gambito.search(game, state, nodes=60, gear="python")
    other = gambito.search(game, game.observe(state, int(game.player(state))), nodes=60, gear="python")
    assert one.algorithm == "ismcts" and one.action == other.action and one.action in game.legal(state)
