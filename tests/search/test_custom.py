"""Algorithms and evaluations of one's own: functions in a file, in both gears, wherever a name works."""

import inspect
import json
import shutil
import sys
import threading
import time
from pathlib import Path

import pytest

import gambito
from gambito.errors import EvaluationError, GameError, SearchError
from gambito.players import Match, read_player
from gambito.players.ablation import ablate
from gambito.players.opening_book import BOOK
from gambito.search import algorithm, running
from gambito.search.algorithm import find
from gambito.search.custom import RESERVED, offer
from tests.support import COMMAND, run

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
OWN, RIVEST = f"{EXAMPLES / 'my_search.py'}:my_search", f"{EXAMPLES / 'min_max.py'}:min_max"
JUDGE = """
def judge(state, player):
    return 7 if player == 0 else -7

def wrong(state):
    return 0
"""


@pytest.fixture
def judge(tmp_path):
    (tmp_path / "judge.py").write_text(JUDGE)
    return str(tmp_path / "judge.py")


@pytest.mark.parametrize("gear", ["python", "native"])
def test_it_finds_what_the_built_in_one_finds(gear):
    for position in ("", "4455", "444333"):
        own, known = (
            gambito.search("connect-four", position, algorithm, depth=5, gear=gear)
            for algorithm in (OWN, "alpha-beta")
        )
        assert (own.value, own.nodes, own.action) == (known.value, known.nodes, known.action)
        assert own.algorithm == OWN


def test_it_takes_limits_options_and_the_function_itself():
    function = find(OWN)
    assert [option.name for option in function.options] == ["fail_soft"]
    found = gambito.search("tic-tac-toe", None, OWN, nodes=500, gear="python")
    assert 0 < found.depth < 9 and found.nodes <= 501
    for gear in ("python", "native"):
        hard = gambito.search("connect-four", "4455", OWN, depth=5, gear=gear, fail_soft=False)
        assert hard.value == gambito.search("connect-four", "4455", "minimax", depth=5, gear="python").value
    with pytest.raises(SearchError, match="option fail_soft must be true or false, not 'x'"):
        gambito.search("tic-tac-toe", None, OWN, depth=2, fail_soft="x")
    with pytest.raises(SearchError, match="option room must be a whole number from 100000 to 10000000"):
        gambito.search("tic-tac-toe", None, RIVEST, room=1)

    @gambito.algorithm
    def first(game, state, depth, monitor):
        """The first action, whatever it is worth."""
        for action in game.actions(state):
            monitor.best(depth, action, 0)
            break
        return 0

    found = gambito.search("tic-tac-toe", None, first, depth=1, gear="python")
    assert (found.algorithm, found.action, found.value) == ("first", 0, 0)
    assert first.algorithm.summary == "The first action, whatever it is worth"


def test_two_functions_of_one_name_are_two_algorithms():
    def made(worth):
        @gambito.algorithm
        def same(game, state, depth, monitor):
            monitor.visit(1)
            for action in game.actions(state):
                monitor.best(depth, action, worth)
                break
            return worth

        return same

    for worth in (0, 1):
        found = gambito.search("tic-tac-toe", None, made(worth), depth=1)
        assert found.value == worth and found.gear == "native"


def test_it_is_recorded():
    record = gambito.trace("tree", None, OWN)
    known = gambito.trace("tree", None, "alpha-beta")
    assert [step.text for step in record.steps] == [step.text for step in known.steps]
    record = gambito.trace("tree", None, RIVEST)
    assert record.value == 3 and {step.kind for step in record.steps} >= {"begin", "select", "backup"}


@pytest.mark.thorough
def test_it_plays_matches_and_is_ablated(tmp_path):
    shutil.copy(EXAMPLES / "my_search.py", tmp_path)
    file = tmp_path / "my_search.py"
    player = read_player(f"{file}:my_search:depth=2,fail_soft=false,gear=python")
    assert player.algorithm == f"{file}:my_search" and player.options == {"fail_soft": False}
    assert read_player(f"{file}").algorithm == str(file)
    standing = Match(
        "tic-tac-toe", f"{file}:my_search:depth=2,gear=python", "random:seed=1", games=4, seed=1
    ).run()
    assert standing.tally.games == 4 and not standing.crashes
    with pytest.raises(
        gambito.PlayerError, match=r"is not a setting of .*; accepted: depth=…, .* fail_soft=…"
    ):
        read_player(f"{file}:my_search:nonsense=2")
    *_, table = ablate("tic-tac-toe", "X.O/.X./...", games=0, depth=3, algorithm=f"{file}:my_search")
    assert [(worth.technique, worth.switched) for worth in table.techniques] == [("fail_soft", False)]
    for name, sentence in (("minimax", "has no technique"), (RIVEST, "does not search to a depth")):
        with pytest.raises(gambito.PlayerError, match=sentence):
            next(ablate("tic-tac-toe", algorithm=name))


def test_the_example_of_the_page_is_short():
    lines = (EXAMPLES / "min_max.py").read_text().splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 40


@pytest.mark.parametrize("gear", ["python", pytest.param("native", marks=pytest.mark.slow)])
def test_min_max_approximation_finds_the_value(gear):
    found = gambito.search("tree", None, RIVEST, gear="python")
    assert found.value == 3 and found.action == 0
    position = "X.O/.X./O.."
    exact = gambito.solve("tic-tac-toe", position, gear="python")
    found = gambito.search("tic-tac-toe", position, RIVEST, seconds=20, gear=gear)
    assert found.value == exact.value and found.seconds < 10


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("def f(game, state):\n    return 0", r"f has the parameters \(game, state\); accepted: \(game, "),
        ("def f(game, state, monitor, word='a'):\n    return 0", "word of f is no option; accepted: a param"),
        ("def f(game, state, monitor, soft=1):\n    return 0", "soft of f is no option; every search has it"),
        (
            "def f(game, state, monitor, other):\n    return 0",
            "other of f is no option; accepted: a parameter",
        ),
    ],
)
def test_a_function_that_is_no_algorithm(tmp_path, text, sentence):
    file = tmp_path / "wrong.py"
    file.write_text(f"import gambito\n\n@gambito.algorithm\n{text}\n")
    with pytest.raises(GameError, match=f"wrong.py cannot be read: SearchError: {sentence}"):
        find(f"{file}:f")


def test_the_names_that_every_search_has():
    known = {*inspect.signature(gambito.search).parameters, *BOOK, "deepen", "evaluation"}
    assert known - {"game", "state", "depth", "options"} == set(RESERVED) - {"depth"}


def test_a_wrong_name(tmp_path):
    with pytest.raises(SearchError, match=r"my_search.py has no algorithm 'no'; the algorithms in it: my_s"):
        find(OWN.replace(":my_search", ":no"))
    with pytest.raises(SearchError, match=r"is no algorithm in a file; accepted: FILE.py:FUNCTION"):
        find(f"{OWN}:depth=3")
    with pytest.raises(GameError, match="there is no file"):
        find(str(tmp_path / "none.py:f"))
    with pytest.raises(SearchError, match=r"unknown algorithm 'none'; accepted: .*, or FILE.py:FUNCTION"):
        find("none")
    with pytest.raises(SearchError, match="my_search is for games without chance, and nannon has dice"):
        gambito.search("nannon", None, OWN, depth=2)


def test_a_server_offers_it_by_the_name_of_its_function(monkeypatch):
    monkeypatch.setattr(algorithm, "_ADOPTED", {})
    try:
        assert offer(RIVEST) == offer(RIVEST.partition(":")[0]) == "min_max"
        assert find("min_max").spec == RIVEST.partition(":")[0]
    finally:
        algorithm.algorithms.cache_clear()


def test_the_terminal_takes_both(judge):
    words = ("--depth", "2", "--gear", "python", "--json")
    done = run(*COMMAND, "best", "connect-four", "--algorithm", OWN, "--evaluation", f"{judge}:judge", *words)
    found = json.loads(done.stdout)
    assert (found["algorithm"], found["value"]) == (OWN, 7), done
    done = run(*COMMAND, "best", "connect-four", "--evaluation", f"{judge}:no", *words)
    assert done.returncode == 2 and done.stderr.endswith(
        "has no function 'no'; the functions in it: judge, wrong\n"
    )


@pytest.mark.parametrize(
    "game", ["connect-four", "checkers"]
)  # checkers has a network that the engine carries
def test_an_evaluation_in_place_of_the_games_own(game, judge):
    def own(state, player):
        return 3 if player == 0 else -3

    for name in ("alpha-beta", "engine"):
        assert gambito.search(game, None, name, depth=2, gear="python", evaluate=own).value == 3
    if game == "connect-four":
        found = gambito.search(game, None, "alpha-beta", depth=2, evaluate=own)
        assert (found.gear, found.value) == ("native", 3)
    named = gambito.search(game, None, "alpha-beta", depth=2, gear="python", evaluate=f"{judge}:judge")
    assert named.value == 7
    assert gambito.trace(game, None, "alpha-beta", depth=1, evaluate=own).value == 3


def test_the_game_keeps_its_own_evaluation():
    game = gambito.load("connect-four")
    before = gambito.search(game, None, "alpha-beta", depth=3, gear="python").value
    gambito.search(game, None, "alpha-beta", depth=3, gear="python", evaluate=lambda state, player: 5)
    assert gambito.search(game, None, "alpha-beta", depth=3, gear="python").value == before


def test_a_wrong_evaluation(judge):
    for wrong in (f"{judge}:wrong", len, 3):
        with pytest.raises(
            EvaluationError, match=r"no evaluation; accepted: a function of \(state, player\)"
        ):
            gambito.search("tic-tac-toe", evaluate=wrong, depth=1)


def test_one_that_does_not_listen_is_left_behind(monkeypatch):
    monkeypatch.setattr(running, "UNRESPONSIVE_SECONDS", 0.2)
    monkeypatch.setattr(running, "STALLED_SECONDS", 0.3)
    is_over = threading.Event()

    @gambito.algorithm
    def deaf(game, state, monitor):
        while not is_over.is_set():
            time.sleep(0.01)
        return 0

    try:
        for limit in ({"seconds": 0.1}, {"nodes": 10}):
            with pytest.raises(SearchError, match=r"deaf goes on after its limit; it must count its states"):
                gambito.search("tic-tac-toe", None, deaf, gear="python", **limit)
    finally:
        is_over.set()


PACKAGE = {
    "brought.py": """
        from gambito import Game, algorithm

        class Race(Game):
            '''Count to ten.'''
            longest = 10
            def initial(self): return 0
            def player(self, state): return state % 2
            def actions(self, state): yield 1
            def result(self, state, action): return state + 1
            def is_terminal(self, state): return state == 10
            def utility(self, state, player): return 1 if player == 0 else -1

        @algorithm
        def slowly(game, state, depth, monitor):
            '''A search that a package brings.'''
            for action in game.actions(state):
                monitor.best(depth, action, 0)
            return 0
        """,
    "brought-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: brought\nVersion: 1.0\n",
    "brought-1.0.dist-info/entry_points.txt": """
        [gambito.games]
        race = brought:Race
        [gambito.algorithms]
        slowly = brought:slowly
        broken = brought:none
        """,
}


def test_a_package_brings_games_and_algorithms(tmp_path):
    import textwrap

    for name, text in PACKAGE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(textwrap.dedent(text).lstrip())
    words = ("best", "race", "--algorithm", "slowly", "--depth", "1", "--gear", "python", "--json")
    done = run(sys.executable, "-m", "gambito", *words, env={"PYTHONPATH": str(tmp_path)})
    found = json.loads(done.stdout)
    assert (found["game"], found["algorithm"], found["action"]) == ("race", "slowly", "1"), done
    assert "the installed algorithm broken cannot be read" in done.stderr


@pytest.mark.slow
def test_its_speed_is_that_of_a_built_in_one():
    def seconds(algorithm):
        before = time.process_time()
        gambito.search("connect-four", "4455", algorithm, depth=13)
        return time.process_time() - before

    seconds(OWN), seconds("alpha-beta")
    began, ratios = time.perf_counter(), []
    while len(ratios) < 9 or time.perf_counter() - began < 5:
        ratios.append(seconds("alpha-beta") / seconds(OWN))
    assert sorted(ratios)[len(ratios) // 2] > 0.9
