"""Parchís: its rules beside rules written another way, single rules, and its texts."""

from __future__ import annotations

import random

import pytest

import gambito
from gambito.game.registry import load
from gambito.native.random import new_random
from tests.mutation import mutated

SAFE = {5, 12, 17, 22, 29, 34, 39, 46, 51, 56, 63, 68}


class Slow:
    """The same rules on pieces with names: (player, number) -> steps gone from the exit, or None."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.exits = {2: [5, 39], 3: [5, 22, 39], 4: [5, 22, 39, 56]}[players]
        self.gone = {(p, n): None for p in range(players) for n in range(4)}
        self.mover, self.sixes, self.last, self.bonus, self.die = 0, 0, None, 0, 0

    def spot(self, piece):
        """Where a piece is: ("square", n), ("corridor", player, n), home or nest."""
        gone, player = self.gone[piece], piece[0]
        if gone is None:
            return ("nest", player)
        if gone <= 63:
            return ("square", 1 + (self.exits[player] - 1 + gone) % 68)
        return ("home", player) if gone == 71 else ("corridor", player, gone - 63)

    def at(self, spot):
        return [piece for piece in self.gone if self.spot(piece) == spot]

    def target(self, piece, count):
        """Where a piece would be after so many squares; None if it may not go there."""
        kept = self.gone[piece]
        if kept is None or kept + count > 71:
            return None
        spot = None
        for step in range(1, count + 1):
            self.gone[piece] = kept + step
            spot = self.spot(piece)
            self.gone[piece] = kept
            there = [other for other in self.at(spot) if other != piece]
            is_pair = len(there) == 2 and there[0][0] == there[1][0]
            if spot[0] != "home" and is_pair:
                return None
        there = [other for other in self.at(spot) if other != piece]
        return spot if spot[0] == "home" or len(there) < 2 else None

    def count(self):
        own = [self.gone[self.mover, n] for n in range(4)]
        return self.bonus or (7 if self.die == 6 and None not in own else self.die)

    def moves(self):
        """The pieces that may move, or "out", or nothing."""
        own = [(self.mover, n) for n in range(4)]
        exit = ("square", self.exits[self.mover])
        if self.die == 5 and not self.bonus and any(self.gone[p] is None for p in own):
            if sum(p[0] == self.mover for p in self.at(exit)) < 2:
                return "out"
        able = [piece for piece in own if self.target(piece, self.count())]
        if self.die == 6 and not self.bonus:
            pairs = [p for p in able if len([o for o in own if self.spot(o) == self.spot(p)]) == 2]
            able = [p for p in pairs if self.spot(p)[0] != "home"] or able
        return able

    def move(self, piece):
        """Move a piece, "out", or None; then see who goes on."""
        earned = 0
        if piece == "out":
            exit = ("square", self.exits[self.mover])
            there = self.at(exit)
            piece = next((self.mover, n) for n in range(4) if self.gone[self.mover, n] is None)
            if len(there) == 2:
                others = [o for o in there if o[0] != self.mover]
                first = min(others, key=lambda o: (o[0] - self.mover) % self.players)
                self.gone[first] = None
                earned = 20
            self.gone[piece] = 0
            self.last = piece
        elif piece is not None:
            self.gone[piece] += self.count()
            self.last = piece
            spot = self.spot(piece)
            if spot[0] == "home":
                earned = 10
            elif spot[0] == "square" and spot[1] not in SAFE:
                for other in self.at(spot):
                    if other[0] != self.mover:
                        self.gone[other] = None
                        earned = 20
        self.bonus = earned
        if not earned:
            if self.die != 6:
                self.pass_on()
            self.die = 0

    def pass_on(self):
        self.mover, self.sixes, self.last = (self.mover + 1) % self.players, 0, None

    def roll(self, die):
        self.sixes = self.sixes + 1 if die == 6 else 0
        if self.sixes < 3:
            self.die = die
            return
        if self.last and self.spot(self.last)[0] == "square":
            self.gone[self.last] = None
        self.pass_on()

    def places(self, player):
        own = [self.gone[player, n] for n in range(4)]
        return sorted(0 if gone is None else gone + 1 for gone in own)


@pytest.mark.parametrize(("players", "games"), [(2, 4), (3, 3), (4, 3)])
def test_random_games_beside_other_rules(players, games):
    game, rng = load(f"parchis:players={players}"), random.Random(players)
    for _ in range(games):
        state, slow = game.initial(), Slow(players)
        while not game.is_terminal(state):
            legal = game.legal(state)
            if state.die == 0:
                die = rng.choice([1, 2, 3, 4, 5, 5, 6, 6])
                slow.roll(die)
                state = game.result(state, die)
            else:
                moves = slow.moves()
                if moves == "out":
                    assert legal == [0]
                    action, chosen = 0, "out"
                elif not moves:
                    assert legal == [127]
                    action, chosen = 127, None
                else:
                    assert sorted({slow.gone[piece] + 1 for piece in moves}) == sorted(legal)
                    action = rng.choice(legal)
                    chosen = next(piece for piece in moves if slow.gone[piece] + 1 == action)
                slow.move(chosen)
                state = game.result(state, action)
            codes = game.cell_codes(state)
            assert [game.kept_equipment().places(codes, p) for p in range(players)] == [
                slow.places(p) for p in range(players)
            ]
            if not game.is_terminal(state):
                turn = (slow.mover, slow.die, slow.bonus, slow.sixes if slow.die or slow.sixes else 0)
                assert (state.mover, state.die, state.bonus, state.sixes) == turn
        assert slow.places(game.winner(state)) == [72] * 4


# ---- single rules ------------------------------------------------------------------------------------
def moves(game, text):
    state = game.parse(text)
    return [game.write(state, action) for action in game.legal(state)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("n,n,n,n n,n,n,n 1 5 0 0 -", ["n-5"]),
        ("n,n,n,n n,n,n,n 1 4 0 0 -", ["pass"]),
        ("n,n,5,5 n,n,n,n 1 5 0 0 -", ["5-10"]),  # the exit is full
        ("n,10,12,h n,n,n,n 1 5 0 0 -", ["n-5"]),  # a five must bring a piece out
        ("10,12,c1,h n,n,n,n 1 6 0 1 -", ["10-17", "12-19", "c1-h"]),  # counts seven: nobody is in the nest
        ("n,10,12,h n,n,n,n 1 6 0 1 -", ["10-16", "12-18"]),
        ("10,20,20,h n,n,n,n 1 6 0 1 -", ["20-27"]),  # the barrier must be opened
        ("10,12,h,h 13,13,n,n 1 4 0 0 -", ["pass"]),  # nobody passes a barrier
        ("12,12,10,h n,n,n,n 1 3 0 0 -", ["12-15"]),  # not even its owner
        ("c6,c7,h,h n,n,n,n 1 2 0 0 -", ["c6-h"]),  # home by an exact count
        ("n,8,h,h 12,39,n,n 1 4 0 0 -", ["8-12"]),  # a safe square is shared
        ("68,c2,h,h n,n,n,n 1 1 10 0 -", ["pass"]),
    ],
)
def test_moves(text, told):
    assert moves(load("parchis:players=2"), text) == told


def test_a_capture_counts_twenty_and_home_ten():
    game = load("parchis:players=2")
    state = game.parse("67,20,h,h 24,n,n,n 1 4 0 0 -")
    state = game.result(state, game.read(state, "20-24"))
    assert game.text(state) == "24,67,h,h n,n,n,n 1 4 20 0 24"
    assert [game.write(state, a) for a in game.legal(state)] == ["24-44"]
    state = game.parse("20,c3,h,h n,n,n,n 1 5 0 0 -")
    state = game.result(state, game.read(state, "c3-h"))
    assert state.bonus == 10 and game.player(state) == 0
    state = game.result(state, game.read(state, "20-30"))
    assert game.text(state) == "30,h,h,h n,n,n,n 2 0 0 0 -"


def test_the_exit_is_cleared():
    game = load("parchis:players=2")
    state = game.parse("n,n,n,n 5,5,n,n 1 5 0 0 -")
    state = game.result(state, 0)
    assert game.text(state) == "n,n,n,5 n,n,n,5 1 5 20 0 5"


def test_three_sixes():
    game = load("parchis:players=2")
    state = game.parse("n,n,10,20 n,n,n,n 1 0 0 2 20")
    assert game.text(game.result(state, 6)) == "n,n,n,10 n,n,n,n 2 0 0 0 -"
    state = game.parse("n,n,10,c2 n,n,n,n 1 0 0 2 c2")
    assert game.text(game.result(state, 6)) == "n,n,10,c2 n,n,n,n 2 0 0 0 -"


def test_the_squares_of_the_board():
    """Neighbours on the way are neighbours on the picture, and every place has a cell of its own."""
    game = load("parchis")
    board = game.picture()
    assert len({(cell.x, cell.y) for cell in board.cells}) == len(board.cells)
    for player in range(4):
        cells = [board.cells[game.cell_of(player, place)] for place in range(1, 73)]
        for one, other in zip(cells, cells[1:], strict=False):
            assert max(abs(one.x - other.x), abs(one.y - other.y)) == 1


# ---- text --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("n,n,n,n n,n,n,n", "no position of parchis"),
        ("10,10,10,n n,n,n,n 1 0 0 0 -", "holds two pieces"),
        ("10,n,n,n 10,n,n,n 1 0 0 0 -", "only a safe square"),
        ("h,h,h,h h,h,h,h 1 0 0 0 -", "both would have won"),
        ("n,n,n,n n,n,n,n 1 3 0 0 7", "not one that can be"),
        ("n,n,n,n n,n,n,n 1 0 0 3 -", "not one that can be"),
        ("n,n,n,2 n,n,n,n 1 0 0 0 -", "no position of parchis"),  # yellow's way does not pass there
    ],
)
def test_impossible_positions(text, told):
    game = load("parchis:players=2")
    with pytest.raises(gambito.PositionError, match=told):
        game.parse(text)


def test_spoiled_positions():
    """What is read of a spoiled text can be played on."""
    game, read, seeds = load("parchis"), 0, []
    for seed in range(6):
        rng, state = random.Random(seed), game.initial()
        for _ in range(60 * seed):
            state = game.result(state, rng.choice(game.legal(state)))
        seeds.append(game.text(state))
    for number in range(2000):
        text = mutated(seeds, random.Random(number))
        try:
            state = game.parse(text)
        except gambito.PositionError as problem:
            assert len(str(problem).splitlines()) == 1
            continue
        read += 1
        assert game.text(game.parse(game.text(state))) == game.text(state)
        for _ in range(5):
            if not game.is_terminal(state):
                state = game.result(state, game.legal(state)[0])
    assert read > 50


def test_numbers_of_players():
    with pytest.raises(gambito.GameError, match="2, 3 or 4 players"):
        load("parchis:players=5")
    for players in (2, 3, 4):
        game = load(f"parchis:players={players}")
        last, _ = game.playout(game.initial(), new_random(players), 5000)
        assert game.is_terminal(last)
        assert sum(game.utility(last, p) for p in range(players)) == pytest.approx(0.0)
