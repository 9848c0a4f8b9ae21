"""Games between players, openings, matches, and the file that outlives the process."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import time

import pytest

import gambito
from gambito import Game
from gambito.errors import PlayerError
from gambito.game.contract import CHANCE
from gambito.players import Choice, Control, Match, RandomPlayer, Sprt, play_game, read_player, summary
from gambito.players.journal import Journal
from gambito.players.openings import is_balanced, openings, usual_plies
from tests.support import COMMAND, child, run, wait_until

TIC_TAC_TOE = {"game": "tic-tac-toe", "first": "random:seed=1", "second": "greedy:seed=2"}


class Stub(RandomPlayer):
    """A player with scripted moves."""

    def __init__(self, name: str, act=None) -> None:
        super().__init__(0)
        self.name, self.act = name, act

    def choose(self, game, state, clock=None, past_states=()):
        return Choice(self.act()) if self.act else super().choose(game, state, clock)


def raising():
    raise ZeroDivisionError("oops")


SHORT = 0.2  # seconds for a whole game: enough for a player who does not think


def too_late():
    """A move that comes when the time is up."""
    began = time.perf_counter()
    while time.perf_counter() - began <= SHORT:
        time.sleep(SHORT / 10)
    return 0


# ---- one game --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("act", "control", "reason"),
    [
        (raising, None, "crash"),
        (lambda: 99, None, "illegal"),
        (lambda: None, None, "illegal"),
        (too_late, Control(SHORT), "time"),
    ],
)
def test_faults_lose_the_game(act, control, reason):
    game = gambito.load("tic-tac-toe")
    for seats, points in ((("good", "bad"), (1, 0)), (("bad", "good"), (0, 1))):
        players = [Stub(name, act if name == "bad" else None) for name in seats]
        played = play_game(game, players, control=control)
        assert played.points == points and played.reason == reason
        assert players[played.loser].name == "bad"
        assert ("oops" in played.problem) == (reason == "crash")


def test_a_game_from_an_opening_to_its_end():
    game = gambito.load("tic-tac-toe")
    played = play_game(game, [read_player("alpha-beta"), read_player("random:seed=1")], [4, 0])
    assert played.moves[:2] == ["5", "1"] and played.reason == "over" and played.points[0] >= 0.5
    assert all(spent > 0 for spent in played.seconds)


def test_a_game_that_goes_round_is_a_draw():
    from tests.support import Circle

    played = play_game(Circle(), [Stub("first", lambda: 1), Stub("second", lambda: 1)])
    assert played.points == (0.5, 0.5) and played.reason == "endless"


def test_a_player_on_a_clock_keeps_its_time():
    game, control = gambito.load("connect-four"), Control(0.3, 0.01)
    players = [read_player("engine"), read_player("alpha-beta:depth=4")]
    for player in players:
        player.prepare(game, game.initial())
    played = play_game(game, players, control=control)
    assert played.reason == "over" and played.seconds[0] < 0.3 + 0.01 * len(played.moves)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["connect-four", "othello"])
def test_nobody_loses_on_time(game):
    """100 ms for a game and 10 ms for each move."""
    standing = Match(game, "engine", "engine", games=60, control="100ms+10ms").run()
    assert standing.tally.games == 60 and not standing.faults


# ---- openings --------------------------------------------------------------------------------------
def test_openings_are_different_balanced_and_repeatable():
    game = gambito.load("connect-four")
    lines = [line for line, _ in zip(openings(game, game.initial(), 6, 1), range(20), strict=False)]
    again = [line for line, _ in zip(openings(game, game.initial(), 6, 1), range(20), strict=False)]
    other = [line for line, _ in zip(openings(game, game.initial(), 6, 2), range(20), strict=False)]
    assert lines == again != other and len(lines) == 20
    ends = set()
    for line in lines:
        state = game.initial()
        for action in line:
            state = game.result(state, action)
        assert len(line) == 6 and not game.is_terminal(state) and is_balanced(game, state)
        ends.add(frozenset(int(game.key(s)) for s in (state, *game.symmetries(state))))
    assert len(ends) == 20


def test_openings_end_where_the_game_has_no_more():
    game = gambito.load("tic-tac-toe")
    found = len(list(openings(game, game.initial(), 1, 0)))
    assert 3 <= found <= 9  # symmetric ones count once, if the game says which they are
    assert list(openings(game, game.initial(), 0, 0)) == [[]]
    assert list(openings(game, game.initial(), 99, 0)) == []
    assert usual_plies(game) == 1


def test_where_no_opening_is_balanced_any_will_do():
    standing = Match("nim", "random:seed=1", "alpha-beta:depth=20", games=10, plies=1).run()
    assert standing.tally.games == 10 and standing.tally.losses >= 5


# ---- many games ------------------------------------------------------------------------------------
def test_colours_are_swapped():
    """A player that is first to move in every other game, from the same opening."""
    standing = Match(**TIC_TAC_TOE, games=20).run()
    for even, odd in zip(standing.played[::2], standing.played[1::2], strict=True):
        assert (even["number"] % 2, odd["number"] % 2) == (0, 1)
        assert even["moves"].split()[0] == odd["moves"].split()[0]
    assert standing.tally.games == 20 == 2 * sum(standing.tally.pairs)
    assert standing.tally.rating().elo < 0
    assert json.dumps(standing.as_dict(), allow_nan=False)


def test_the_stronger_wins_and_the_test_stops():
    match = Match("tic-tac-toe", "alpha-beta", "random:seed=5", games=1000, sprt=Sprt(0, 100))
    standing = match.run()
    assert standing.verdict == "elo1" and standing.tally.games < 200
    assert standing.as_dict()["sprt"]["accepted"] == "elo1"


def test_two_of_a_kind_are_told_apart():
    match = Match("tic-tac-toe", "greedy", "greedy", games=2)
    assert match.names == ("greedy", "greedy (2)") and match.run().tally.games == 2


def test_crashes_are_named():
    standing = Match("tic-tac-toe", Stub("good"), Stub("bad", raising), games=4).run()
    assert standing.tally.wins == 4 and len(standing.crashes) == 4
    assert standing.crashes[0]["loser"] == "bad" and "oops" in standing.crashes[0]["problem"]


def test_time_losses_are_counted():
    match = Match("tic-tac-toe", Stub("good"), Stub("slow", too_late), games=2, control=Control(SHORT))
    standing = match.run()
    assert standing.lost_on_time("slow") == 2 and standing.lost_on_time("good") == 0


def test_whatever_progress_raises_ends_it():
    def enough(standing):
        if len(standing.done) >= 3:
            raise KeyboardInterrupt

    match = Match(**TIC_TAC_TOE, games=1000)
    with pytest.raises(KeyboardInterrupt):
        match.run(enough)
    assert match.standing.tally.games >= 3


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"first": "nobody"}, "unknown player 'nobody'; accepted: random, greedy, level, "),
        ({"first": "random:depth=1"}, "'depth=1' is not a setting of random; accepted: seed=…"),
        ({"first": "random:seed=x"}, "seed of random must be a whole number, not 'x'"),
        ({"first": "alpha-beta:depth=x"}, "depth of alpha-beta must be a whole number"),
        ({"first": "alpha-beta:depth"}, "'depth' is not a setting of alpha-beta; accepted: depth=…"),
        ({"first": "alpha-beta:depth=0"}, "depth must be a number above zero, not 0"),
        ({"first": "engine:order=7"}, "option order must be true or false"),
        ({"first": "engine:threads=0"}, "threads must be a whole number from 1"),
        ({"first": "engine:gear=x"}, "unknown gear 'x'"),
        ({"games": 0}, "games must be at least 1"),
        ({"jobs": 0}, "jobs must be at least 1"),
        ({"plies": -1}, "plies must be at least 0"),
        ({"plies": 50}, "no opening of 50 plies was found"),
        ({"control": "x"}, "'x' is not a clock"),
        ({"position": "XXX/OO./..."}, "the game is already over in this position"),
        ({"first": Stub("a"), "jobs": 2}, "one game at a time"),
    ],
)
def test_bad_input_is_one_sentence(given, words):
    with pytest.raises(ValueError) as told:
        Match(**{**TIC_TAC_TOE, "games": 2, **given}).run()
    assert words in str(told.value) and "\n" not in str(told.value)


# ---- the file --------------------------------------------------------------------------------------
def test_a_match_goes_on_where_it_was(tmp_path):
    whole = Match(**TIC_TAC_TOE, games=30, path=tmp_path / "whole").run()
    path = tmp_path / "parts"
    Match(**TIC_TAC_TOE, games=11, path=path).run()
    again = Match(**TIC_TAC_TOE, games=30, path=path).run()
    assert again.tally == whole.tally

    def moves(name):
        return [json.loads(line).get("moves") for line in (tmp_path / name).read_text().splitlines()]

    assert moves("whole") == moves("parts")
    assert Match(**TIC_TAC_TOE, games=4, path=path).run().tally.games == 4  # fewer are wanted now


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_a_torn_last_line_is_dropped(tmp_path, cut):
    path = tmp_path / "games"
    Match(**TIC_TAC_TOE, games=10, path=path).run()
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    standing = Match(**TIC_TAC_TOE, games=10, path=path).run()
    assert standing.tally.games == 10
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["number"] for line in lines[1:]] == list(range(10))


def test_a_torn_header_is_written_again(tmp_path):
    path = tmp_path / "games"
    Match(**TIC_TAC_TOE, games=2, path=path).run()
    header = path.read_bytes().splitlines()[0]
    for length in (0, 1, 20, len(header)):
        path.write_bytes(header[:length])
        assert Match(**TIC_TAC_TOE, games=2, path=path).run().tally.games == 2
        assert path.read_bytes().splitlines()[0] == header


@pytest.mark.parametrize("held", ["notes", "notes\n", '{"gambito":"match"}\n', "\n"])
def test_the_file_of_something_else_is_left_alone(tmp_path, held):
    path = tmp_path / "games"
    path.write_text(held)
    with pytest.raises(PlayerError, match="belongs to another match; accepted"):
        Match(**TIC_TAC_TOE, games=2, path=path).run()
    assert path.read_text() == held


def test_a_broken_line_in_the_middle_is_a_complaint(tmp_path):
    path = tmp_path / "games"
    Match(**TIC_TAC_TOE, games=4, path=path).run()
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:2], "{}\n", *lines[2:]]))
    with pytest.raises(PlayerError, match="not a game of a match"):
        Match(**TIC_TAC_TOE, games=4, path=path).run()


def test_a_flipped_bit_in_a_key_is_a_complaint(tmp_path):
    """Whatever key it is in: a game without it, or with another one, is not a game of a match."""
    path = tmp_path / "games"
    Match(**TIC_TAC_TOE, games=2, path=path).run()
    whole = path.read_bytes()
    second = whole.index(b"\n") + 1
    game = json.loads(whole[second : whole.index(b"\n", second)])
    for key in game:
        place = whole.index(f'"{key}":'.encode(), second) + 1
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(PlayerError, match="not a game of a match"):
            Match(**TIC_TAC_TOE, games=2, path=path).run()


@pytest.mark.parametrize(
    ("read", "written"),
    [
        ('"seconds":[', '"seconds":[1,'),
        ('"number":0', '"number":-1'),
        ('"seconds":[', '"utilities":[],"seconds":['),
    ],
)
def test_a_game_of_another_number_of_players_is_a_complaint(tmp_path, read, written):
    path = tmp_path / "games"
    Match(**TIC_TAC_TOE, games=2, path=path).run()
    path.write_text(path.read_text().replace(read, written, 1))
    with pytest.raises(PlayerError, match="not a game of a match"):
        Match(**TIC_TAC_TOE, games=2, path=path).run()


def test_one_match_at_a_time_writes_a_file(tmp_path):
    pytest.importorskip("fcntl")
    with Journal(tmp_path / "games", {}), pytest.raises(PlayerError, match="another process"):
        Journal(tmp_path / "games", {})


def test_no_game_is_counted_that_the_file_does_not_hold(tmp_path, monkeypatch):
    """Ctrl-C may come while a game is written."""

    def interrupted(*_):
        raise KeyboardInterrupt

    with Journal(tmp_path / "games", {}) as journal:
        monkeypatch.setattr("gambito.players.lines.os.write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            journal.append({"number": 0, "points": 1})
        assert journal.games == []


@pytest.mark.thorough
@pytest.mark.parametrize("kills", [2, pytest.param(8, marks=pytest.mark.slow)])
def test_killing_the_process_corrupts_nothing(tmp_path, kills):
    """A match that is killed many times at any moment ends as if it had not been interrupted."""
    path, rng = tmp_path / "games", random.Random(3)
    command = [*COMMAND, "match", "random:seed=1", "greedy:seed=2", "--game", "tic-tac-toe"]
    command += ["--games", "400", "--json", "--file", str(path)]
    seen = 0
    for _ in range(kills):
        with child(*command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            wait_until(
                lambda past_states=seen + 3, child=running: (
                    child.poll() is not None or _lines(path) > past_states
                )
            )
            time.sleep(rng.random() * 0.02)
        lines = path.read_bytes().split(b"\n")[:-1]
        assert all(json.loads(line) for line in lines) and len(lines) > seen
        seen = len(lines)
    done = run(*command)
    assert done.returncode == 0, done.stderr
    whole = Match(**TIC_TAC_TOE, games=400).run()
    data = json.loads(done.stdout)
    assert data["pairs"] == whole.tally.pairs and data["games"] == 400
    numbers = [json.loads(line)["number"] for line in path.read_text().splitlines()[1:]]
    assert numbers == list(range(400))


def _lines(path) -> int:
    return path.read_bytes().count(b"\n") if os.path.exists(path) else 0


# ---- games for one player --------------------------------------------------------------------------------


class Coin(Game):
    """A coin is thrown, and then one may keep what it is worth, or half of it."""

    players, zero_sum, chance, lowest, highest, value = 1, False, True, 0.0, 4.0, float
    longest = 2

    def initial(self):
        return (0, 0)

    def player(self, state):
        return CHANCE if state[1] == 0 else 0

    def actions(self, state):
        return [0, 1]

    def chances(self, state):
        return [(0, 0.5), (1, 0.5)]

    def result(self, state, action):
        return (2 + 2 * action, 1) if state[1] == 0 else (state[0] // (1 + action), 2)

    def is_terminal(self, state):
        return state[1] == 2

    def utility(self, state, player):
        return float(state[0])


class Keeping:
    def __init__(self, action):
        self.action = action

    def choose(self, game, state):
        return self.action


def test_a_game_for_one_is_told_by_mean_scores():
    standing = Match(Coin(), Keeping(0), Keeping(1), games=200).run()
    told = standing.as_dict()
    best, half = (row["mean"] for row in told["scores"])
    assert best == 2 * half and 2.5 < best < 3.5  # the same coins for both
    assert told["games"] == 200 and [row["games"] for row in told["scores"]] == [100, 100]
    assert 0 < told["scores"][0]["error"] < 0.3
    assert told["utility"] == pytest.approx(best - half) and told["elo"] is None and "seats" not in told
    rows = [(name, text) for name, text in summary.facts(standing) if text]
    assert [name for name, _ in rows] == ["game", "games", "score", "score", "difference"]
    assert re.fullmatch(r"[\d.]+ ± [\d.]+  \(95 %, 100 games of Keeping\)", rows[2][1])


def test_one_player_may_play_alone():
    told = Match(Coin(), Keeping(0), games=50).run().as_dict()
    assert len(told["scores"]) == 1 and told["scores"][0]["games"] == 50 and told["utility"] is None
    with pytest.raises(PlayerError, match="needs a second player"):
        Match("tic-tac-toe", "random")
    with pytest.raises(PlayerError, match="sliding-tiles is a puzzle"):
        Match("sliding-tiles", "random", "greedy")


def test_games_for_one_go_on_from_their_file(tmp_path):
    path = tmp_path / "games.jsonl"
    given = {"first": "random:seed=1", "second": "greedy:seed=2", "path": path}
    Match("blackjack", games=10, **given).run()
    again = Match("blackjack", games=20, **given).run().as_dict()
    assert (
        again["scores"]
        == Match("blackjack", "random:seed=1", "greedy:seed=2", games=20).run().as_dict()["scores"]
    )


def test_a_match_of_two_tells_the_points_by_seat():
    standing = Match("tic-tac-toe", "random:seed=1", "greedy:seed=2", games=20).run()
    rows = [text for name, text in summary.facts(standing) if name.startswith("seat ")]
    assert len(rows) == 2
    scores = {(row["player"], row["seat"]): row["score"] for row in standing.as_dict()["seats"]}
    assert f"random:seed=1 {100 * scores['random:seed=1', 1]:.1f} %" in rows[0]
    assert scores["random:seed=1", 1] + scores["greedy:seed=2", 2] == pytest.approx(1)
