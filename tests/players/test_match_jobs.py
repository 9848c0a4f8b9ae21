"""Contests on several workers: the same games as in one process, whatever is killed in the middle."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gambito.errors import GameError, PlayerError
from gambito.game.registry import load, spec_of
from gambito.players import Match, Sprt
from gambito.players.ablation import ablate
from tests.support import COMMAND, Circle, child, is_running, run, wait_until, workers_of

PLAYERS = {"game": "tic-tac-toe", "first": "random:seed=1", "second": "greedy:seed=2"}
MATCH = [*COMMAND, "match", "random:seed=1", "greedy:seed=2", "--game", "tic-tac-toe"]


def digest(games) -> dict[int, tuple]:
    """What a game is, by its number; each number must be there once."""
    games = list(games)
    known = {game["number"]: (game["moves"], game["points"], game["reason"]) for game in games}
    assert len(known) == len(games)
    return known


def journal(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()[1:]] if path.exists() else []


def test_the_same_games_on_any_crew(tmp_path):
    """In this process, on two and on three processes, and resumed in the middle by another crew."""
    one = Match(**PLAYERS, games=40).run()
    two = Match(**PLAYERS, games=40, jobs=2).run()
    path = tmp_path / "games"
    Match(**PLAYERS, games=14, path=path).run()
    three = Match(**PLAYERS, games=40, path=path, cluster="processes:3").run()
    threads = Match(**PLAYERS, games=40, cluster="threads:3").run()
    assert digest(one.played) == digest(two.played) == digest(three.played) == digest(threads.played)
    assert digest(journal(path)) == digest(one.played)
    for other in (two, three, threads):
        assert {**other.as_dict(), "seconds": 0} == {**one.as_dict(), "seconds": 0}
    decided = Match(**PLAYERS, games=1000, sprt=Sprt(0, 100), path=path, jobs=2).run().as_dict()
    whole = Match(**PLAYERS, games=1000, sprt=Sprt(0, 100)).run().as_dict()
    assert {**decided, "seconds": 0} == {**whole, "seconds": 0} and whole["sprt"]["accepted"] == "elo0"


def test_own_games_and_players_play_on_processes(tmp_path):
    """Rules and players from a file, an object of that class, and a clock."""
    (tmp_path / "mine.py").write_text(RULES)
    game, player = f"{tmp_path}/mine.py:Stones:stones=7", f"{tmp_path}/mine.py:Last"
    for given in ({"game": load(game)}, {"game": game, "control": "60+1"}):
        match = {**given, "first": player, "second": "random:seed=2", "games": 6, "plies": 1}
        here, there = Match(**match).run(), Match(**match, jobs=2).run()
        assert digest(here.played) == digest(there.played) and not there.crashes


RULES = '''
class Stones:
    """Take one or two; who takes the last stone wins."""

    compiles = False

    def __init__(self, stones=5): self.stones = stones
    def initial(self): return (self.stones, 0)
    def player(self, state): return state[1]
    def actions(self, state): return [n for n in (1, 2) if n <= state[0]]
    def result(self, state, action): return (state[0] - action, 1 - state[1])
    def is_terminal(self, state): return state[0] == 0
    def utility(self, state, player): return -1 if player == state[1] else 1
    def parse(self, text): return tuple(map(int, text.split()))
    def text(self, state): return "%d %d" % state


class Forgets(Stones):
    def __init__(self, stones=5, most=2): super().__init__(stones)


class Last:
    def choose(self, game, state): return game.legal(state)[-1]
'''


def test_a_game_and_its_text(tmp_path):
    """The text of a game makes the same game, also of an object; where it cannot, one sentence says so."""
    (tmp_path / "mine.py").write_text(RULES)
    own = load(f"{tmp_path}/mine.py:Stones:stones=9")
    for game in ("othello", "connect-four:width=5,height=4", own, Circle(5)):
        again = load(spec_of(load(game)))
        assert again.label() == load(game).label() and spec_of("mine.py") == "mine.py"
    assert spec_of(own) == f"{tmp_path}/mine.py:Stones:stones=9"
    assert spec_of(load("connect-four:width=5")) == "connect-four:width=5"

    class Local(Circle):
        pass

    other_tree = load("tree").at(load("tree").parse("[[1,2],[3,4]]"))
    class_that_forgets = load(f"{tmp_path}/mine.py:Forgets:stones=9")
    judged = load("connect-four")
    judged.evaluate = lambda state, player: 0
    longer = load(own)
    longer.longest = 99
    for game in (Local(), other_tree, class_that_forgets, judged, longer):
        with pytest.raises(GameError, match="cannot be made again in another process; accepted"):
            spec_of(game)


SCRIPT = """
from gambito import GameError, players
from mine import Stones
class Mine(Stones): pass
given = {"first": "random:seed=1", "second": "random:seed=2", "games": 6, "plies": 1}
one, two = (players.Match(Mine(9), **given, jobs=jobs).run() for jobs in (1, 2))
assert [g["moves"] for g in one.played] == [g["moves"] for g in sorted(two.played, key=lambda g: g["number"])]
two = players.Match(Stones(9), **given, jobs=2).run()
assert one.tally == two.tally
print("played")
"""


def test_a_script_without_a_main_guard(tmp_path):
    """Its own class plays in threads of the script, an imported one in processes that do not run it."""
    (tmp_path / "mine.py").write_text(RULES)
    (tmp_path / "script.py").write_text(SCRIPT)
    done = run(sys.executable, str(tmp_path / "script.py"), cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "played\n", "")


def test_objects_play_here(monkeypatch):
    from gambito.players import RandomPlayer

    monkeypatch.setenv("GAMBITO_CLUSTER", "processes:2")
    objects = {**PLAYERS, "first": RandomPlayer(1)}
    texts = Match(**PLAYERS, games=4, jobs=1).run()
    assert digest(Match(**objects, games=4).run().played) == digest(texts.played)
    with pytest.raises(PlayerError, match="in this process"):
        Match(**objects, cluster="processes:2")


# ---- strikes ---------------------------------------------------------------------------------------
def test_a_killed_worker_costs_no_game(tmp_path):
    struck, notes = [], []

    def strike(standing):
        if len(standing.done) >= 10 * (len(struck) + 1) and len(struck) < 2:
            struck.append(random.choice(workers_of(os.getpid())))
            os.kill(struck[-1], signal.SIGKILL)

    match = Match(**PLAYERS, games=60, jobs=2, path=tmp_path / "games")
    standing = match.run(strike, lambda news: notes.extend(news.notes))
    assert len(struck) == 2 and all("a worker was lost" in note for note in notes)
    whole = digest(Match(**PLAYERS, games=60).run().played)
    assert whole == digest(standing.played) == digest(journal(tmp_path / "games"))
    assert not workers_of(os.getpid())


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("kills", "games", "players"),
    [
        (1, 400, MATCH),
        pytest.param(3, 4000, MATCH, marks=pytest.mark.slow),
        pytest.param(
            3,
            80,
            [*COMMAND, "match", "engine:nodes=300", "engine:depth=2", "--game", "connect-four"],
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_killed_driver_loses_nothing(tmp_path, kills, games, players):
    """It is killed in the middle, after a worker; the games go on from the file, and no worker stays."""
    path = tmp_path / "games"
    command = [*players, "--games", str(games), "--file", str(path), "--json"]
    for kill in range(kills):
        before = len(journal(path))
        with child(*command, "--jobs", "2", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as driver:
            wait_until(lambda past_states=before + 10: len(whole_lines(path)) > past_states)
            workers = workers_of(driver.pid)
            os.kill(workers[0], signal.SIGKILL)
            past_states = len(whole_lines(path)) + 2
            wait_until(lambda past_states=past_states: len(whole_lines(path)) > past_states)
            workers += workers_of(driver.pid)
            driver.send_signal(signal.SIGKILL)
            driver.wait()
        wait_until(lambda left=tuple(workers): not any(map(is_running, left)), 10)
        assert before < len(journal(path)) - (kill > 0) < games
    done = run(*command, "--jobs", "2")
    assert done.returncode == 0 and json.loads(done.stdout)["games"] == games, done.stderr
    names = players[len(COMMAND) + 1 : len(COMMAND) + 3]
    assert digest(journal(path)) == digest(Match(players[-1], *names, games=games).run().played)


def whole_lines(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n")[:-1] if path.exists() else []


def test_ctrl_c_ends_with_the_games_so_far(tmp_path):
    path = tmp_path / "games"
    command = [*MATCH, "--games", "1000000", "--json", "--file", str(path), "--jobs", "2"]
    with child(*command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        wait_until(lambda: len(whole_lines(path)) >= 20)
        workers, began = workers_of(running.pid), time.monotonic()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=20)
    assert running.returncode == 130 and err == "" and time.monotonic() - began < 10
    assert len(journal(path)) - json.loads(out)["games"] in (0, 1) and workers  # it may come between
    wait_until(lambda: not any(map(is_running, workers)), 10)


ENGINE = """
import os, pathlib, sys, time
pathlib.Path(sys.argv[1], str(os.getpid())).touch()
for line in sys.stdin:
    word = line.split()[0]
    if word == "quit":
        sys.exit()
    answer = {"ugi": "ugiok", "isready": "readyok", "go": "bestmove 5"}.get(word)
    if answer:
        print(answer, flush=True)
while True:
    time.sleep(1)  # it does not notice that nobody asks it any more
"""


def test_programs_end_with_their_workers(tmp_path):
    """The driver's own is closed, and those of the workers end however their worker does."""
    (tmp_path / "engine.py").write_text(ENGINE)
    (tmp_path / "pids").mkdir()
    text = f"ugi:{sys.executable} {tmp_path}/engine.py {tmp_path}/pids"
    struck = []

    def strike(standing):
        if len(standing.done) >= 4 and not struck:
            struck.append(workers_of(os.getpid())[0])
            os.kill(struck[0], signal.SIGKILL)

    standing = Match("tic-tac-toe", text, "random:seed=1", games=40, plies=0, jobs=2).run(strike)
    pids = [int(path.name) for path in (tmp_path / "pids").iterdir()]
    assert len(standing.played) == 40 and struck and len(pids) >= 2  # a worker may come too late for a game
    wait_until(lambda: not any(map(is_running, pids)), 10)


# ---- ablation --------------------------------------------------------------------------------------
def table(game: str, **given) -> dict:
    *_, last = ablate(game, **given)
    data = last.as_dict()
    for row in (data, *data["techniques"]):
        row.pop("seconds")
        row.pop("time_ratio", None)
    return data


@pytest.mark.parametrize("games", [0, pytest.param(2, marks=pytest.mark.slow)])
def test_an_ablation_is_the_same_on_any_crew(tmp_path, games):
    (tmp_path / "mine.py").write_text(RULES)
    given = {"game": f"{tmp_path}/mine.py:Stones:stones=8", "games": games, "nodes": 20, "depth": 3}
    here, there = table(**given), table(**given, jobs=2)
    assert here == there and len(here["techniques"]) > 5
    assert all(row["wins"] + row["draws"] + row["losses"] == games for row in here["techniques"])


@pytest.mark.slow
def test_an_ablation_of_a_compiled_game_is_the_same_on_any_crew():
    given = {"game": "tic-tac-toe", "games": 4, "nodes": 100, "depth": 4}
    assert table(**given) == table(**given, jobs=2) == table(**given, cluster="processes:3")
