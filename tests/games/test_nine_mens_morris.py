"""Nine men's morris beside OpenSpiel's rules, its views, its text and what it knows."""

import random

import numpy as np
import pytest

import gambito
from gambito import PositionError
from gambito.games.nine_mens_morris import HAND, State
from gambito.games.nine_mens_morris.notation import spots
from tests.support import json_lines, rows

GAME = gambito.load("nine-mens-morris")
ROWS = sorted(range(24), key=lambda p: spots(3)[p][::-1])  # OpenSpiel numbers the points row by row
NUMBER = {point: number for number, point in enumerate(ROWS)}


def test_perft():
    """OpenSpiel's counts up to where the first mill can be closed, which is two plies there."""
    for row in rows("openspiel/perft.csv"):
        if row["game"] == "nine_mens_morris":
            assert gambito.perft(GAME, depth=int(row["depth"])) == int(row["nodes"])
    assert gambito.perft(GAME, depth=5) == 24 * 23 * 22 * 21 * 20 + 16 * 6 * 21 * 20


def words(action):
    """An action as OpenSpiel's one or two."""
    to, source, prey = NUMBER[action & 31], action >> 5 & 31, action >> 10
    first = f"Point {to}" if source == HAND else f"Move {NUMBER[source]} -> {to}"
    return (first, f"Point {NUMBER[prey - 1]}") if prey else (first,)


def test_games_of_openspiel():
    """Stored games, with the number of legal actions before each ply."""
    count = 0
    for game in json_lines("openspiel/random_games.jsonl"):
        if game["game"] != "nine_mens_morris":
            continue
        state, waiting = GAME.initial(), ()
        for number, word in zip(game["legal_counts"], game["moves"], strict=True):
            named = {words(a): a for a in GAME.legal(state)}
            place = len(waiting)
            assert len({w[place] for w in named if w[:place] == waiting}) == number
            waiting = (*waiting, word)
            if waiting in named:
                state, waiting = GAME.result(state, named[waiting]), ()
        if game["finished"] and game["returns"][0]:
            assert np.sign(GAME.utility(state, 0)) == game["returns"][0]
        count += 1
    assert count


def compare(games, seed):
    pyspiel = pytest.importorskip("pyspiel")
    game, other = gambito.load("nine-mens-morris:patience=0"), pyspiel.load_game("nine_mens_morris")
    rng, plies = random.Random(seed), 0
    for _ in range(games):
        state, theirs = game.initial(), other.new_initial_state()
        while not theirs.is_terminal():
            named = {words(a): a for a in game.legal(state)}
            listed = {theirs.action_to_string(a): a for a in theirs.legal_actions()}
            assert {w[0] for w in named} == set(listed)
            chosen = rng.choice(sorted(named))
            theirs.apply_action(listed[chosen[0]])
            if len(chosen) > 1:
                prey = {theirs.action_to_string(a): a for a in theirs.legal_actions()}
                assert {w[1] for w in named if w[0] == chosen[0]} == set(prey)
                theirs.apply_action(prey[chosen[1]])
            state = game.result(state, named[chosen])
            plies += 1
        if theirs.returns()[0]:
            assert game.is_terminal(state)
            assert np.sign(game.utility(state, 0)) == theirs.returns()[0]
    return plies


def test_open_spiel():
    assert compare(20, seed=1) > 1000


@pytest.mark.slow
def test_many_games_of_open_spiel():
    assert compare(1000, seed=2) > 50_000


@pytest.mark.parametrize("spec", ["nine-mens-morris", "nine-mens-morris:men=6,rings=2"])
def test_views_are_alike(spec):
    """Every view of a position has as many actions, and the views of lines are lines."""
    game, rng = gambito.load(spec), random.Random(1)
    lines = {int(line) for line in game.lines}
    for view in range(16):
        assert {int(game.turned(np.uint64(line), view)) for line in lines} == lines
    for _ in range(30):
        points = rng.sample(range(game.points), 11)
        mine, theirs = (np.uint64(sum(1 << p for p in part)) for part in (points[:5], points[5:]))
        state = State(mine, theirs, *map(np.uint64, (0, 0, 0, 0)))
        views = [state, *game.symmetries(state)]
        assert len(views) == 16
        assert len({game.count(v) for v in views}) == 1
        assert len({int(game.evaluate(v, 0)) for v in views}) == 1


def test_mills():
    state = GAME.parse("WW....../BB....../BB...... W 5 5")
    assert {GAME.write(state, a) for a in GAME.legal(state) if a & 31 == 2} == {
        "g7xb6", "g7xd6", "g7xc5", "g7xd5",
    }  # fmt: skip
    held = GAME.parse("WW....../BBB...../B....... W 5 5")  # none out of a mill while there are others
    assert {GAME.write(held, a) for a in GAME.legal(held) if a & 31 == 2} == {"g7xc5"}
    only = GAME.parse("WW....../BBB...../........ W 5 5")
    assert {GAME.write(only, a) for a in GAME.legal(only) if a & 31 == 2} == {"g7xb6", "g7xd6", "g7xf6"}


def test_flying_and_ends():
    fen = "WW.W..../BB.B..../........ W 0 0"
    assert len(GAME.legal(GAME.parse(fen))) > 18
    assert len(gambito.load("nine-mens-morris:flying=false").legal(GAME.parse(fen))) < 10
    few = GAME.parse("WW....../BB.B..../........ W 0 0")
    stuck = GAME.parse("WBWB.B.B/.W...W../........ W 0 0")
    assert GAME.is_terminal(few) and GAME.utility(few, 0) < 0
    assert not GAME.is_terminal(stuck)
    assert GAME.is_terminal(GAME.parse("WBWBWBWB/.B.B.B.B/........ W 0 0"))
    assert GAME.is_terminal(GAME.parse("WW.W..../BB.B..../........ W 0 0 100"))


def test_positions_that_cannot_be_read():
    for text in (
        "/", "W/B", "WW....../BB....../........", "WW....../BB....../........ X", "........ / W 9 9",
        "WW....../BB....../........ W 9 9", "WW....../BB....../........ W 7 6", "d4", "a7 a7",
    ):  # fmt: skip
        with pytest.raises(PositionError):
            GAME.parse(text)


def test_what_it_knows():
    """A man, a mill that can be closed, and freedom are worth something."""
    plain = GAME.evaluate(GAME.parse("W..W.W../.B.B.B../........ W 0 0"), 0)
    assert GAME.evaluate(GAME.parse("W..W.W../.B.B..../W....... W 0 0"), 0) > plain
