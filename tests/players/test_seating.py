"""Contests of more than two: who sits where, the points of every pair and every seat."""

from __future__ import annotations

import itertools
import json
import math

import pytest

import gambito
from gambito.errors import PlayerError
from gambito.players import Match
from gambito.players.crosstable import Crosstable, rating_of
from gambito.players.rating import elo
from gambito.players.seating import Seating, different, place, share

GAME = "tic-tac-toe-3"
RANDOM = [f"random:seed={n}" for n in range(6)]


@pytest.mark.parametrize(("players", "seats"), [(2, 2), (2, 3), (2, 6), (3, 3), (3, 6), (4, 4), (6, 6)])
def test_everybody_has_every_seat_equally_often(players, seats):
    seating = Seating(players, seats)
    held = [seating.of_game(number) for number in range(seating.rotations)]
    for who, seat in itertools.product(range(players), range(seats)):
        times = sum(game[seat] == who for game in held)
        assert times == (seating.rotations - 1 if players == 2 < seats and who else 1)
    assert held[0][0] == 0 and sorted(seating.of_game(seating.rotations)) == sorted(held[0])
    assert seating.most == max(map(held[0].count, range(players)))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_everybody_sits_beside_everybody(players):
    """All orders around the table come, one with each deal, and then again."""
    seating = Seating(players, players)
    orders = math.factorial(players - 1)
    tables = [tuple(seating.of_game(deal * players)) for deal in range(2 * orders)]
    assert tables[0] == tuple(range(players)) and tables[:orders] == tables[orders:]
    assert set(tables) == {(0, *rest) for rest in itertools.permutations(range(1, players))}


@pytest.mark.parametrize(("players", "seats"), [(3, 2), (3, 4), (4, 6), (7, 6)])
def test_uneven_seats_are_refused(players, seats):
    with pytest.raises(PlayerError, match="cannot share"):
        Seating(players, seats)


def test_points():
    assert [share(*pair) for pair in ((2, 1), (1, 1), (0, 1))] == [1, 0.5, 0]
    assert [place((5, 5, 1), seat) for seat in range(3)] == [0.5, 0.5, 0]
    assert [place((5, 3, 1), seat) for seat in range(3)] == [1, 0, 0]
    assert different(["a", "b", "a", "a"]) == ("a", "b", "a (2)", "a (3)")


def test_the_table_of_two_deals():
    """The first wins the first deal wherever it sits, and shares the second."""
    seating = Seating(3, 3)
    table = Crosstable(("a", "b", "c"), seating)
    won = {0: 2, 1: -1, 2: -1}
    table.add([(number, [won[who] for who in seating.of_game(number)]) for number in range(3)])
    table.add([(number, [0, 0, 0]) for number in range(3, 6)])
    means = {pair: gain.mean for pair, gain in table.pairs.items()}
    assert means == {(0, 1): 0.75, (0, 2): 0.75, (1, 2): 0.5}
    assert [table.score(who) for who in range(3)] == [0.75, 0.375, 0.375]
    assert rating_of(table.pairs[0, 1]).elo == pytest.approx(elo(0.75))
    told = table.as_dict()
    assert [row["first"] + row["second"] for row in told["table"]] == ["ab", "ac", "bc"]
    assert json.loads(json.dumps(told)) == told


def test_three_players_in_three_seats(tmp_path):
    path = tmp_path / "games.jsonl"
    match = Match(GAME, RANDOM[0], "greedy", games=25, more=[RANDOM[1]], path=path)
    told = match.run().as_dict()
    assert match.games == told["games"] == 27 and told["players"] == [RANDOM[0], "greedy", RANDOM[1]]
    scores = {(row["first"], row["second"]): row["score"] for row in told["table"]}
    assert scores[RANDOM[0], "greedy"] < 0.3 and scores["greedy", RANDOM[1]] > 0.7
    assert told["score"] < 0.5 and len(told["seats"]) == 9 and len(told["seconds"]) == 3
    assert sum(row["score"] for row in told["seats"]) == pytest.approx(4.5)
    again = Match(GAME, RANDOM[0], "greedy", games=25, more=[RANDOM[1]], path=path).run().as_dict()
    assert again == told
    with pytest.raises(PlayerError, match="belongs to another match"):
        Match(GAME, RANDOM[0], "greedy", games=25, path=path).run()


def test_a_player_that_is_an_object_among_three():
    class Last:
        def choose(self, game, state):
            return game.legal(state)[-1]

    standing = Match(GAME, Last(), RANDOM[1], games=6, more=[RANDOM[2]]).run()
    assert standing.tally.games == 6 and not standing.crashes


def test_games_of_three_players_in_other_processes():
    given = {"games": 6, "more": [RANDOM[2]]}
    here, there = (Match(GAME, *RANDOM[:2], **given, jobs=jobs).run() for jobs in (1, 2))
    assert here.as_dict()["table"] == there.as_dict()["table"]


def test_a_spoiled_file_is_refused(tmp_path):
    path = tmp_path / "games.jsonl"
    Match(GAME, *RANDOM[:2], games=3, path=path).run()
    path.write_text(path.read_text().replace('"utilities":[', '"utilities":["x",'))
    with pytest.raises(PlayerError, match="not a game of a match"):
        Match(GAME, *RANDOM[:2], games=3, path=path).run()


def test_equal_players_have_half_of_the_points():
    """However many play: a win is one of three for each, and the points of a pair are even."""
    table = Match(GAME, "random:seed=1", "random:seed=2", games=600).run().as_dict()["table"]
    assert abs(table[0]["score"] - 0.5) < 2 * table[0]["error"]
    assert gambito.load(GAME).players == 3
