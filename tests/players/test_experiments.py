"""Experiments: plans, tables that are resumed, tournaments and their ratings."""

import csv
import json
import math
import signal
import subprocess
import tomllib
import xml.etree.ElementTree as xml
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gambito
from gambito.draw.cross_table import Entry, draw_cross_table
from gambito.errors import GambitoError, PlayerError
from gambito.jobs import choose_executor
from gambito.players.experiments import Tournament, read_plan
from gambito.players.experiments.ratings import PRIOR, SCALE, rate
from gambito.players.experiments.running import run_plan
from gambito.players.experiments.table import COLUMNS, ResultTable
from gambito.players.experiments.text import cross_table, summary, summary_text
from gambito.search.algorithm import find
from tests.support import COMMAND, child, run, wait_until

COURSE = sorted((Path(__file__).parents[2] / "bench" / "experiments").glob("*.toml"))
SMALL = {
    "algorithms": ["alpha-beta:gear=python", "mtd-f:gear=python"],
    "game": "tic-tac-toe",
    "positions": ["", "X.O/.X./..."],
    "depth": [2, 3],
}
PLAYERS = {
    "game": "tic-tac-toe",
    "players": ["random:seed=1", "greedy:seed=2", "random:seed=3"],
    "games": 4,
}


def test_the_rows_are_what_single_searches_give():
    rows = gambito.experiment(**SMALL, jobs=1)
    assert len(rows) == 8
    assert list(rows[0]) == list(COLUMNS)
    for row in rows:
        name, position = row["algorithm"].partition(":")[0], row["position"] or None
        found = gambito.search("tic-tac-toe", position, name, depth=row["depth_limit"], gear="python")
        known = (found.nodes, found.evaluations, found.value, found.depth)
        assert (row["nodes"], row["leaves"], row["value"], row["depth"]) == known
        assert row["version"] == gambito.__version__


def test_options_and_seeds_multiply_where_an_algorithm_has_them():
    plan = read_plan(
        {
            "algorithms": ["minimax", "mtd-f", "mcts"],
            "game": "tic-tac-toe",
            "nodes": 10,
            "options": {"memory": [1, 2], "deepen": True},
            "seeds": 3,
            "repeat": 2,
        }
    )
    found = [(c.algorithm, c.options, c.seed, c.repeat) for c in plan.cells()]
    assert found[:2] == [("minimax", "deepen=true", None, 0), ("minimax", "deepen=true", None, 1)]
    assert sum(name == "mtd-f" for name, *_ in found) == 2 * 2
    assert sum(name == "mcts" for name, *_ in found) == 2 * 3 * 2
    trees = read_plan({"algorithms": ["pvs"], "game": "uniform-tree:depth=3,seed={seed}", "seeds": [4, 7]})
    assert [cell.game for cell in trees.cells()] == [f"uniform-tree:depth=3,seed={s}" for s in (4, 7)]


def test_random_positions():
    plan = read_plan({"algorithms": ["pvs"], "game": "connect-four", "openings": 3, "plies": 4, "depth": 1})
    (task,) = plan.tasks
    assert len(set(task.positions)) == 3 and all(position.count("X") == 2 for position in task.positions)


@pytest.mark.thorough
def test_a_table_is_resumed_after_every_byte(tmp_path):
    path, plan = tmp_path / "table.csv", read_plan(SMALL)
    whole = gambito.experiment(**SMALL, jobs=1, output=path)
    text = path.read_bytes()
    assert len(text.splitlines()) == 9
    for end in sorted({0, 1, 10, len(text.splitlines()[0]) + 1, *range(200, len(text), 97), len(text)}):
        path.write_bytes(text[:end])
        done = []
        with ResultTable(path) as table:
            rows = list(
                run_plan(plan, table, choose_executor(1), lambda count, _, done=done: done.append(count))
            )
        assert len(done) <= 8 - text[:end].count(b"\n") + 1
        keys = [[row[name] for name in ("position", "algorithm", "depth_limit", "nodes")] for row in rows]
        assert keys == [
            [row[name] for name in ("position", "algorithm", "depth_limit", "nodes")] for row in whole
        ]
        with open(path, newline="") as file:
            assert len(list(csv.DictReader(file))) == 8


def test_rows_of_other_experiments_stay(tmp_path):
    path = tmp_path / "table.csv"
    gambito.experiment(**SMALL, jobs=1, output=path)
    rows = gambito.experiment(**{**SMALL, "depth": 1}, jobs=1, output=path)
    assert len(rows) == 4
    with ResultTable(path) as table:
        assert len(table.rows) == 12
    with ResultTable(path), pytest.raises(PlayerError, match="is being written by another process"):
        ResultTable(path)
    path.write_text("a,b\n1,2\n")
    with pytest.raises(
        PlayerError, match="is no table of an experiment; accepted: a new file, or such a tab"
    ):
        ResultTable(path)
    path.write_text(",".join(COLUMNS) + "\n" + "x," * (len(COLUMNS) - 1) + "\n")
    with pytest.raises(PlayerError, match="row 2 is not of an experiment"):
        ResultTable(path)


@pytest.mark.thorough
def test_two_processes_give_the_same_rows():
    one, two = (gambito.experiment(**SMALL, jobs=jobs) for jobs in (1, 2))
    times = ("seconds", "compile_seconds")
    assert [{k: v for k, v in row.items() if k not in times} for row in one] == [
        {k: v for k, v in row.items() if k not in times} for row in two
    ]


@pytest.mark.thorough
def test_a_killed_experiment_goes_on(tmp_path):
    rows = ["mcts:nodes=200,gear=python"]
    plan = f'algorithms = {json.dumps(rows)}\ngame = "tic-tac-toe"\nseeds = 30\n'
    (tmp_path / "mine.toml").write_text(plan)
    command = (*COMMAND, "experiment", "mine.toml", "--jobs", "1", "--json")
    with child(*command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        table = tmp_path / "mine.csv"
        wait_until(lambda: table.exists() and len(table.read_bytes().splitlines()) > 3, 60)
        process.send_signal(signal.SIGKILL)
        process.wait()
    before = len(table.read_bytes().splitlines())
    assert 3 < before < 31
    done = run(*command, cwd=tmp_path)
    assert json.loads(done.stdout)["searches"] == 30, done
    assert len(table.read_bytes().splitlines()) == 31


def test_a_summary_adds_up():
    rows = gambito.experiment(**SMALL, jobs=1)
    told = summary(rows)
    assert [each["searches"] for each in told] == [2, 2, 2, 2]
    assert told[0]["node_ratio"] == 1.0 and told[1]["nodes"] == sum(
        row["nodes"] for row in rows if row["algorithm"].startswith("mtd-f") and row["depth_limit"] == 2
    )
    assert len(summary_text(rows).splitlines()) == 5
    assert summary_text([])


def test_the_terminal(tmp_path):
    (tmp_path / "mine.py").write_text(f"experiment = {SMALL!r}\n")
    done = run(*COMMAND, "experiment", "mine.py", "--jobs", "1", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["searches"] == 8, done
    assert (tmp_path / "mine.csv").exists()
    (tmp_path / "cup.toml").write_text(
        'game = "tic-tac-toe"\nplayers = ["random:seed=1", "greedy:seed=2", "random:seed=3"]\ngames = 4\n'
    )
    done = run(*COMMAND, "experiment", "cup.toml", "--svg", "cup.svg", "--jobs", "1", cwd=tmp_path)
    assert done.returncode == 0 and "12 games, round-robin" in done.stdout, done
    xml.parse(tmp_path / "cup.svg")
    with open(tmp_path / "cup.csv", newline="") as file:
        assert [row["games"] for row in csv.DictReader(file)] == ["4"] * 3
    words = ("match", *PLAYERS["players"], "--game", "tic-tac-toe", "--games", "2", "--pairing", "gauntlet")
    told = json.loads(run(*COMMAND, *words, "--json").stdout)
    assert [(pair["first"], pair["games"]) for pair in told["pairs"]] == [("random:seed=1", 2)] * 2


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"algorithms": None}, "`algorithms` for searches or `players` for a tournament: one of them"),
        ({"players": ["random"]}, "`algorithms` for searches or `players` for a tournament: one of them"),
        ({"algorithms": []}, "algorithms must be a list of texts"),
        ({"algorithms": "pvs"}, "algorithms must be a list of texts"),
        ({"algorithms": ["nothing"]}, "unknown player 'nothing'; accepted: "),
        ({"algorithms": ["random"]}, "'random' is a player, not an algorithm; players are for tournaments"),
        ({"algorithms": ["star2"]}, "star2 is for games of chance"),
        ({"deptj": 3}, "'deptj' is not a word of an experiment of searches; accepted: name, about, "),
        ({"depth": 0}, "depth must be a number above zero, not 0"),
        ({"depth": []}, "a limit or an option must be a value, or a list of values"),
        ({"depth": "x"}, "depth must be a number above zero, not x"),
        ({"positions": ["nonsense"]}, "nonsense"),
        ({"openings": 3}, "a task has positions or openings, not both"),
        ({"plies": 3}, "plies is for random positions; give `openings`, their number"),
        ({"options": {"none": 1}}, "no algorithm has the option 'none'; accepted: alpha, beta"),
        ({"options": {"memory": "x"}}, "option memory must be a whole number"),
        ({"options": 3}, "options must be a table"),
        ({"seeds": 0}, "seeds must be a whole number from 1 to "),
        ({"repeat": True}, "repeat must be a whole number from 1 to 1000, not True"),
        ({"game": "nothing"}, "unknown game 'nothing'"),
        ({"game": None}, "a task needs a game"),
        ({"task": [{"game": "tree"}]}, "stands in every [[task]], or there are no tasks"),
        ({"task": 3}, "task must be tables: [[task]]"),
        ({"name": 3}, "name must be a text, not 3"),
    ],
)
def test_a_bad_plan_is_one_sentence(changed, sentence):
    plan = {key: value for key, value in {**SMALL, **changed}.items() if value is not None}
    with pytest.raises(GambitoError) as told:
        read_plan(plan)
    assert sentence in str(told.value) and "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"players": ["random"]}, "a tournament needs two players or more"),
        ({"players": ["random", "random"]}, "each player of a tournament stands in it once"),
        ({"players": ["random", "x"]}, "unknown player 'x'"),
        ({"pairing": "swiss"}, "unknown pairing 'swiss'; accepted: round-robin, gauntlet"),
        ({"games": 0}, "games must be a whole number from 1"),
        ({"clock": "x"}, "x"),
        ({"game": "tic-tac-toe-3"}, "a tournament is for games of two players, and tic-tac-toe-3 has 3"),
        ({"depth": 3}, "'depth' is not a word of a tournament; accepted: "),
    ],
)
def test_a_bad_tournament_is_one_sentence(changed, sentence):
    with pytest.raises(GambitoError) as told:
        read_plan({**PLAYERS, **changed})
    assert sentence in str(told.value)


@pytest.mark.parametrize("file", COURSE, ids=lambda file: file.stem)
def test_experiments_of_the_course_can_be_read(file):
    read_plan(file)


def test_the_experiment_on_history_has_sound_techniques_only():
    file = next(file for file in COURSE if file.stem == "history")
    options = tomllib.loads(file.read_text())["options"]
    assert options | find("engine").sound_options() == options


def test_a_bad_file_is_one_sentence(tmp_path):
    for name, text, sentence in (
        ("a.toml", "game = ", "is not TOML: Invalid value"),
        ("b.toml", "\xff", "cannot be read"),
        ("c.txt", "", "is no experiment; accepted: a file FILE.toml or FILE.py"),
        ("d.py", "x = 1", "has no dictionary `experiment`, nor a function that returns one"),
    ):
        (tmp_path / name).write_bytes(text.encode("latin-1"))
        with pytest.raises(GambitoError, match=sentence):
            read_plan(tmp_path / name)
    done = run(*COMMAND, "experiment", str(tmp_path / "none.toml"))
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done
    with pytest.raises(PlayerError, match="give an experiment as a file, or its words"):
        gambito.experiment()


WORDS = st.sampled_from(
    ["algorithms", "players", "game", "depth", "options", "seeds", "task", "positions", "x"]
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 5)
    | st.floats(allow_nan=True)
    | st.sampled_from(["pvs", "tree", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=80, deadline=None)
@given(st.dictionaries(WORDS, VALUES, max_size=5))
def test_any_dictionary_is_read_or_refused_in_one_sentence(plan):
    try:
        read_plan(plan)
    except GambitoError as problem:
        assert str(problem) and "\n" not in str(problem)


# ---- tournaments ---------------------------------------------------------------------------------


def test_a_tournament_is_resumed(tmp_path):
    path, plan = tmp_path / "games.jsonl", read_plan(PLAYERS)
    whole = Tournament(plan, path)
    whole.run()
    assert whole.done == whole.wanted == 12
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:6]) + lines[6][:20])
    again = Tournament(plan, path)
    played = []
    again.run(lambda: played.append(again.done))
    assert played == list(range(6, 13)) and again.rows() == whole.rows()
    assert sum(again.total(who)[0] for who in range(3)) == 12
    assert cross_table(again).splitlines()[0].split() == [
        "player",
        "Elo",
        "±",
        "points",
        "games",
        "1",
        "2",
        "3",
    ]
    assert [row["player"] for row in again.as_dict()["ratings"]] == [plan.players[w] for w in again.order()]


def test_a_gauntlet_has_the_first_player_in_every_pair():
    plan = read_plan({**PLAYERS, "pairing": "gauntlet"})
    assert plan.pairs() == [(0, 1), (0, 2)]
    tournament = Tournament(plan)
    assert tournament.points(1, 2) is None and tournament.points(2, 0) == (0, 0)
    assert all(abs(rated.elo) < 1e-6 for rated in tournament.ratings())


def posterior(place, results, players):
    """The logarithm of the posterior probability, written plainly."""
    total, tie = 0.0, math.exp(place[-1])
    games = [(place[one] - place[two], counts) for (one, two), counts in results.items()]
    for x, counts in [*games, *((place[each], PRIOR) for each in range(players))]:
        shares = np.array([math.exp(x / 2), tie, math.exp(-x / 2)])
        total += float(np.dot(counts, np.log(shares / shares.sum())))
    return total


COUNTS = st.tuples(*[st.integers(0, 30).map(float)] * 3)


@settings(max_examples=4, deadline=None)
@given(st.fixed_dictionaries({(0, 1): COUNTS, (0, 2): COUNTS, (1, 2): COUNTS}))
def test_ratings_are_most_likely(results):
    ratings = rate(3, results)
    assert abs(sum(rated.elo for rated in ratings)) < 1e-6
    place = np.array([*(rated.elo * SCALE for rated in ratings), 0.0])
    mean, ties = np.meshgrid(np.linspace(-3, 3, 121), np.linspace(-6, 8, 281))  # what the ratings leave open
    best = max(
        (
            (posterior([*(place[:3] + m), t], results, 3), m, t)
            for m, t in zip(mean.flat[::7], ties.flat[::7])
        ),
    )
    at, m, t = best
    for _ in range(40):  # climb, in ever smaller steps
        for dm, dt in product((-1, 0, 1), repeat=2):
            size = 0.1 * 0.9**_
            tried = posterior([*(place[:3] + m + dm * size), t + dt * size], results, 3)
            if tried > at:
                at, m, t = tried, m + dm * size, t + dt * size
    for who, change in product(range(3), (-0.02, 0.02)):
        moved = place[:3] + m
        moved[who] += change
        assert posterior([*moved, t], results, 3) <= at + 1e-6
    assert all(rated.error > 0 for rated in ratings)


def test_equal_results_give_equal_ratings_and_more_games_a_smaller_error():
    few, many = (rate(2, {(0, 1): (n, n, n)})[0] for n in (5.0, 500.0))
    assert abs(few.elo) < 1e-9 and many.error < few.error / 5
    stronger = rate(2, {(0, 1): (75.0, 0.0, 25.0)})
    assert stronger[0].elo - stronger[1].elo == pytest.approx(191, abs=10)  # 400 log10 3, towards 0 a little


def test_the_drawn_cross_table_is_xml():
    entries = [
        Entry("a & b <c>", 10.0, 5.0, [None, (3.5, 4)]),
        Entry("c", -10.0, 5.0, [(0.5, 4), None]),
    ]
    root = xml.fromstring(draw_cross_table("A & B", "below", entries))
    texts = ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "a & b <c>" in texts and "3.5/4" in texts and "+10 ± 5" in texts
