"""Monopoly: single rules, what never changes, how often squares are visited, and its texts."""

from __future__ import annotations

import random

import numpy as np
import pytest

import gambito
from gambito.game.contract import CHANCE
from gambito.game.registry import load
from gambito.games.monopoly.board import (
    CHANCE_CARDS,
    CHEST_CARDS,
    DEEDS,
    GROUP_OF,
    HOTEL,
    HOUSE,
    MORTGAGED,
    PRICE,
    RENT,
    SQUARE_OF,
    SQUARES,
)
from gambito.games.monopoly.names import CARD_WORDS, DEED_NAMES
from gambito.games.monopoly.visits import PLACES, count_visits, long_run
from gambito.native.random import new_random
from tests.mutation import mutated

RAILROADS = ("reading_railroad", "pennsylvania_railroad", "b_and_o_railroad", "short_line")


def deeds(**owned: str) -> str:
    """The deeds of a position: `st_charles="12"` is player 1's, with two houses."""
    return "".join(owned.get(name.replace("-", "_").replace("&", "and"), "..") for name in DEED_NAMES)


def at(game, players: str, held: str, turn: str, rest: str = "- - -"):
    return game.parse(f"{players} {held} {turn} {rest}")


def play(game, state, *moves: str):
    for move in moves:
        state = game.result(state, game.read(state, move))
    return state


def cash(game, state) -> list[int]:
    return [int(game.cash_of(state, player)) for player in range(game.players)]


@pytest.fixture(scope="module")
def two():
    return load("monopoly:players=2")


# ---- the board ---------------------------------------------------------------------------------------
def test_the_board():
    assert len(SQUARES) == 40 and DEEDS == 28
    assert [SQUARES[n] for n in (0, 10, 20, 24, 30, 39)] == [
        "Go", "Jail", "Free Parking", "Illinois Avenue", "Go To Jail", "Boardwalk",
    ]  # fmt: skip
    assert sum(PRICE) == 5690 and [int((g == GROUP_OF).sum()) for g in range(10)] == [
        2,
        3,
        3,
        3,
        3,
        3,
        3,
        2,
        4,
        2,
    ]
    assert list(RENT[DEED_NAMES.index("boardwalk")]) == [50, 200, 600, 1400, 1700, 2000]
    assert SQUARES[SQUARE_OF[DEED_NAMES.index("illinois")]] == "Illinois Avenue"
    assert len(CHANCE_CARDS) == len(CHEST_CARDS) == 16
    assert all(len(set(words)) == 16 for words in CARD_WORDS)


# ---- turns -------------------------------------------------------------------------------------------
def test_buying_and_rent(two):
    state = play(two, two.initial(), "3", "buy")  # Baltic Avenue
    assert cash(two, state) == [1440, 1500] and two.player(state) == CHANCE and state.mover == 1
    state = play(two, state, "3")
    assert cash(two, state) == [1444, 1496]


def test_doubles_roll_again_and_lead_to_jail(two):
    state = play(two, two.initial(), "12d", "auction", "pass", "pass")
    assert state.mover == 0 and state.doubles == 1
    state = play(two, state, "8d")  # Free Parking
    assert state.mover == 0 and state.doubles == 2
    state = play(two, state, "2d")
    assert state.mover == 1 and two.jail_turn(state, 0) == 1 and two.square(state, 0) == 10


def test_three_ways_out_of_jail(two):
    state = at(two, "100@10j1C 500@0", deeds(), "1 turn 0 0 5")
    assert [two.write(state, a) for a in two.legal(state)] == ["roll", "pay", "card"]
    assert cash(two, play(two, state, "pay")) == [50, 500]
    freed = play(two, state, "card", "10")
    assert two.square(freed, 0) == 20 and "C" not in two.text(freed)
    state = at(two, "100@10j1 500@0", deeds(), "1 turn 0 0 5")
    out = play(two, state, "roll", "10d")
    assert two.square(out, 0) == 20 and out.mover == 1  # no other roll
    stays = play(two, state, "roll", "7")
    assert two.jail_turn(stays, 0) == 2
    last = at(two, "100@10j3 500@0", deeds(), "1 turn 0 0 5")
    out = play(two, last, "roll", "10")
    assert two.jail_turn(out, 0) == 0 and cash(two, out) == [50, 500] and two.square(out, 0) == 20


def test_bail_that_must_be_raised_comes_before_the_move(two):
    state = at(two, "10@10j3 500@0", deeds(boardwalk="10"), "1 turn 0 0 5")
    state = play(two, state, "roll", "9")
    assert two.text(state).split()[-3] == "50:8:1:1" and two.player(state) == 0
    state = play(two, state, "mortgage-boardwalk")
    assert two.square(state, 0) == 19 and cash(two, state) == [160, 500]


def test_wages_and_taxes(two):
    state = at(two, "500@37 500@0", deeds(), "1 roll 0 0 5")
    assert cash(two, play(two, state, "7")) == [500, 500]  # 200 at Go, 200 of income tax
    state = at(two, "500@31 500@0", deeds(), "1 roll 0 0 5")
    assert cash(two, play(two, state, "7")) == [400, 500]


# ---- rents and houses --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("held", "square", "dice", "rent"),
    [
        ({"boardwalk": "20"}, 32, "7", 50),
        ({"boardwalk": "20", "park": "20"}, 32, "7", 100),
        ({"boardwalk": "20", "park": "2m"}, 32, "7", 100),
        ({"boardwalk": "2m", "park": "20"}, 32, "7", 0),
        ({"boardwalk": "23", "park": "22"}, 32, "7", 1400),
        ({"boardwalk": "25", "park": "25"}, 32, "7", 2000),
        ({"reading_railroad": "20"}, 2, "3", 25),
        ({"reading_railroad": "20", "short_line": "2m"}, 2, "3", 50),
        (dict.fromkeys(RAILROADS, "20"), 2, "3", 200),
        ({"electric_company": "20"}, 5, "7", 28),
        ({"electric_company": "20", "water_works": "20"}, 5, "7", 70),
    ],
)  # fmt: skip
def test_rents(two, held, square, dice, rent):
    state = at(two, f"3000@{square} 0@0", deeds(**held), "1 roll 0 0 5")
    assert cash(two, play(two, state, dice)) == [3000 - rent, rent]


def test_houses_are_built_evenly(two):
    state = at(two, "1000@0 0@0", deeds(park="10", boardwalk="10"), "1 turn 0 0 5")
    moves = {two.write(state, a) for a in two.legal(state)}
    assert {"build-park", "build-boardwalk"} <= moves
    state = play(two, state, "build-park")
    moves = {two.write(state, a) for a in two.legal(state)}
    assert "build-park" not in moves and "build-boardwalk" in moves and "sell-park" in moves
    assert "mortgage-boardwalk" not in moves and cash(two, state) == [800, 0]
    assert cash(two, play(two, state, "sell-park")) == [900, 0]


def test_a_colour_with_a_mortgage_is_not_built_on(two):
    state = at(two, "1000@0 0@0", deeds(park="1m", boardwalk="10"), "1 turn 0 0 5")
    moves = {two.write(state, a) for a in two.legal(state)}
    assert moves == {"roll", "mortgage-boardwalk", "lift-park"}
    assert cash(two, play(two, state, "lift-park")) == [1000 - 193, 0]  # 175 and a tenth, rounded up


def test_the_bank_runs_out_of_houses(two):
    four = dict.fromkeys(
        ("oriental", "vermont", "connecticut", "st_charles", "states", "virginia", "st_james", "tennessee"),
        "24",
    )
    held = deeds(**{**four, "new_york": "23"}, park="10", boardwalk="10")
    with pytest.raises(gambito.PositionError, match="32 houses"):
        at(two, "1000@0 9@0", held, "1 turn 0 0 5")
    held = deeds(**{**four, "tennessee": "25", "st_james": "25", "new_york": "25", "kentucky": "22",
                    "indiana": "23", "illinois": "23"}, park="10", boardwalk="10")  # fmt: skip
    state = at(two, "1000@0 9@0", held, "1 turn 0 0 5")
    assert state.stock & 63 == 0
    assert not any(two.write(state, a).startswith("build") for a in two.legal(state))
    state = at(two, "1000@0 9@0", held, "2 turn 0 0 5")
    razed = play(two, state, "sell-new-york")  # there are no houses for the hotel: all of the group is sold
    assert cash(two, razed) == [1000, 9 + 15 * 50] and razed.stock >> 6 == 12


# ---- auctions, debts, bankruptcy ---------------------------------------------------------------------
def test_an_auction(two):
    state = play(two, two.initial(), "3", "auction")
    assert two.player(state) == 0
    state = play(two, state, "bid-50", "bid-60", "bid-160", "pass")
    assert cash(two, state) == [1340, 1500] and two.owner(state, DEED_NAMES.index("baltic")) == 0


def test_nobody_buys(two):
    state = play(two, two.initial(), "3", "auction", "pass", "pass")
    assert cash(two, state) == [1500, 1500] and two.owner(state, DEED_NAMES.index("baltic")) == -1


def test_a_debt_is_raised(two):
    held = deeds(boardwalk="20", park="20", illinois="10", indiana="10")
    state = play(two, at(two, "20@32 0@0", held, "1 roll 0 0 5"), "7")
    assert two.player(state) == 0 and state.debt & 0xFFFFF == 100
    assert {two.write(state, a) for a in two.legal(state)} == {"mortgage-illinois", "mortgage-indiana"}
    state = play(two, state, "mortgage-indiana")
    assert cash(two, state) == [30, 100] and state.mover == 1


def test_bankrupt_to_a_player():
    game = load("monopoly:players=3")
    held = deeds(boardwalk="20", park="20", illinois="1m")
    state = play(game, at(game, "20@32C 0@0 700@3", held, "1 roll 0 0 5"), "7")
    assert game.is_out(state, 0) and state.left == 2 and state.mover == 1
    assert game.owner(state, DEED_NAMES.index("illinois")) == 1
    assert game.level(state, DEED_NAMES.index("illinois")) == MORTGAGED
    assert cash(game, state)[1] == 20 - 12 and "8@0C" in game.text(state)  # a tenth of the mortgage is due


def test_bankrupt_to_the_bank_is_auctioned():
    game = load("monopoly:players=3")
    state = play(game, at(game, "20@31 50@0 700@3", deeds(illinois="1m"), "1 roll 0 0 5"), "7")
    assert game.is_out(state, 0) and game.bidder(state) == 1
    state = play(game, state, "pass", "bid-100")
    assert game.owner(state, DEED_NAMES.index("illinois")) == 2 and cash(game, state)[2] == 600
    assert game.level(state, DEED_NAMES.index("illinois")) == 0 and state.mover == 1


def test_the_last_player_wins(two):
    state = play(two, at(two, "20@32 0@0", deeds(boardwalk="25", park="25"), "1 roll 0 0 5"), "7")
    assert two.is_terminal(state) and [two.utility(state, p) for p in (0, 1)] == [-1.0, 1.0]
    assert two.reason(state) == "the others are bankrupt"


# ---- cards -------------------------------------------------------------------------------------------
def test_cards():
    game = load("monopoly:players=3")
    held = deeds(short_line="20", water_works="30", park="11", boardwalk="15")
    with pytest.raises(gambito.PositionError, match="evenly"):
        at(game, "500@22 5@0 500@0", held, "1 chance 5 0 5")
    held = deeds(b_and_o_railroad="20", water_works="30", park="14", boardwalk="15")
    state = at(game, "500@22 25@0 500@0", held, "1 chance 5 0 5")
    moves = {card: play(game, state, card) for card in CARD_WORDS[0]}
    assert cash(game, moves["advance-to-go"]) == [700, 25, 500]
    assert cash(game, moves["advance-to-the-next-railroad"]) == [450, 75, 500]
    assert cash(game, moves["general-repairs"]) == [300, 25, 500]
    assert cash(game, moves["pay-each-player-50"]) == [400, 75, 550]
    thrown = moves["advance-to-the-next-utility"]
    assert game.player(thrown) == CHANCE and cash(game, play(game, thrown, "8")) == [420, 25, 580]
    assert game.jail_turn(moves["go-to-jail"], 0) == 1
    state = at(game, "500@36 25@0 500@0", held, "1 chance 5 0 5")
    state = play(game, state, "go-back-3-squares")
    assert game.write(state, 8) == "birthday-10-from-each-player"
    state = play(game, state, "birthday-10-from-each-player")
    assert cash(game, state) == [520, 15, 490]
    held_card = at(game, "500@22 25@0C 500@0", held, "1 chance 5 0 5")
    assert "C" not in game.text(play(game, held_card, "get-out-of-jail-free")).split()[0]


def test_offers():
    game = load("monopoly:players=2,trades=true")
    state = at(game, "500@0 9@0", deeds(park="20", boardwalk="10", baltic="10"), "1 turn 0 0 5")
    moves = {game.write(state, a) for a in game.legal(state)}
    assert (
        "offer-park-for-baltic" in moves
        and "offer-park-for-350" in moves
        and "offer-park-for-700" not in moves
    )
    asked = play(game, state, "offer-park-for-350")
    assert game.player(asked) == 1
    done = play(game, asked, "accept")
    assert cash(game, done) == [150, 359] and game.owner(done, DEED_NAMES.index("park")) == 0
    assert not any(game.write(done, a).startswith("offer") for a in game.legal(done))  # one in a turn
    swapped = play(game, state, "offer-park-for-baltic", "accept")
    assert game.owner(swapped, DEED_NAMES.index("baltic")) == 1
    assert play(game, asked, "refuse").deeds_2 == state.deeds_2


# ---- what never changes ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "spec", ["players=2", "players=4", "players=6,rounds=20", "players=3,trades=true,rounds=15"]
)
def test_what_never_changes(spec):
    """Houses are in the bank or on streets, purses know their deeds, and nobody owes what it has."""
    game, rng = load(f"monopoly:{spec}"), random.Random(spec)
    for _ in range(2):
        state = game.initial()
        while not game.is_terminal(state):
            levels = [int(game.level(state, n)) for n in range(DEEDS)]
            owners = [int(game.owner(state, n)) for n in range(DEEDS)]
            assert state.stock & 63 == 32 - sum(level for level in levels if level < HOTEL)
            assert state.stock >> 6 == 12 - levels.count(HOTEL)
            for player in range(game.players):
                assert int(game.purse(state, player)) >> 11 & 31 == owners.count(player)
                assert game.cash_of(state, player) >= 0 and not (
                    game.is_out(state, player) and player in owners
                )
            assert state.left == sum(not game.is_out(state, p) for p in range(game.players))
            before, mover = sum(cash(game, state)), int(game.player(state))
            action = rng.choice(game.legal(state))
            after = game.result(state, action)
            if 32 <= action < 64 and mover != CHANCE:  # a house goes from the bank to a street
                assert before - sum(cash(game, after)) == HOUSE[GROUP_OF[action & 31]]
            state = after


def test_text_reads_back_everywhere():
    for spec in ("players=2", "players=5,rounds=12", "players=3,trades=true,rounds=10"):
        game, rng = load(f"monopoly:{spec}"), random.Random(1)
        state = game.initial()
        while not game.is_terminal(state):
            assert tuple(map(int, game.parse(game.text(state)))) == tuple(map(int, state)), game.text(state)
            state = game.result(state, rng.choice(game.legal(state)))


def test_spoiled_positions():
    """What is read of a spoiled text can be played on."""
    game, seeds, read = load("monopoly:players=3"), [], 0
    for seed in range(8):
        state, _ = game.playout(game.initial(), new_random(seed), 30 * seed)
        seeds.append(game.text(state))
    for number in range(2500):
        try:
            state = game.parse(mutated(seeds, random.Random(number)))
        except gambito.PositionError as problem:
            assert len(str(problem).splitlines()) == 1
            continue
        read += 1
        assert game.text(game.parse(game.text(state))) == game.text(state)
        rng = new_random(number)
        state, _ = game.playout(state, rng, 12)
        if not game.is_terminal(state):
            assert game.legal(state)
    assert read > 50


# ---- the long run ------------------------------------------------------------------------------------
# Per roll, in percent: leaving jail at once, and staying as long as possible.
KNOWN = {
    "In jail": (3.950, 9.386),
    "Illinois Avenue": (3.1858, 2.9955),
    "Go": (3.0961, 2.9183),
    "New York Avenue": (3.0852, 2.8116),
    "B. & O. Railroad": (3.0659, 2.8928),
    "Just visiting": (2.2695, 2.1422),
    "Mediterranean Avenue": (2.1314, 2.0100),
    "Boardwalk": (2.6260, 2.4861),
}


@pytest.mark.parametrize(("number", "strategy"), [(0, "leave"), (1, "stay")])
def test_the_long_run(number, strategy):
    shares = dict(zip(PLACES, long_run(strategy), strict=True))
    assert sum(shares.values()) == pytest.approx(1.0, abs=1e-12) and shares["Go To Jail"] == 0.0
    for place, known in KNOWN.items():
        assert 100 * shares[place] == pytest.approx(known[number], abs=6e-4), place


@pytest.mark.thorough
@pytest.mark.parametrize("strategy", ["leave", "stay"])
def test_games_visit_squares_as_the_chain_says(strategy):
    """Every square within three standard errors in 400,000 rolls; all of them together by chi-square."""
    rolls = 400_000
    counts, shares = count_visits(strategy, rolls, seed=4), np.array(long_run(strategy))
    real = shares > 0
    errors = (counts[real] - rolls * shares[real]) / np.sqrt(rolls * shares[real] * (1 - shares[real]))
    assert counts.sum() == rolls and counts[~real].sum() == 0
    assert np.abs(errors).max() < 3.0
    assert (errors**2).sum() < 90.0


def test_unknown_strategies():
    with pytest.raises(gambito.SearchError, match="leave, stay"):
        long_run("hide")
    with pytest.raises(gambito.SearchError, match="leave, stay"):
        count_visits("hide")
