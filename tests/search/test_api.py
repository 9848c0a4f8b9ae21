"""The public functions: limits, deepening, options, refusals."""

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import gambito
from gambito import CompileError, Game, SearchError
from gambito.search.algorithm import NEVER, WITHOUT, algorithms
from tests.support import AIMA, EXACT, PLAYING, Circle, TwiceRunner, child, on_the_clock, run

DEEPENING = [n for n in PLAYING if algorithms()[n].deepening != NEVER]


@pytest.mark.parametrize("name", PLAYING)
def test_a_limit_in_nodes(name):
    found = gambito.search("connect-four", "44", name, nodes=20_000)
    assert 0 < found.nodes <= 20_000
    assert found.action is not None


@pytest.mark.parametrize("name", PLAYING)
@on_the_clock
def test_a_limit_in_seconds(name):
    found = gambito.search("connect-four", "44", name, seconds=0.2)
    assert found.seconds < 0.7
    assert found.action is not None


@pytest.mark.parametrize("name", DEEPENING)
def test_deepening_finds_what_one_search_finds(name):
    game = gambito.load("connect-four")
    once = gambito.search(game, None, name, depth=6)
    deeper = gambito.search(game, None, name, depth=6, deepen=True)
    assert deeper.depth == once.depth == 6
    assert None in (deeper.low, once.high) or deeper.low <= once.high
    if name in EXACT:
        assert deeper.value == once.value


def test_a_tree_deeper_than_the_usual_one_is_solved_to_its_end():
    text = "[[[[3,9],5]],[[[1,2],4]]]"
    assert gambito.solve("tree", text).value == gambito.search("tree", text, "minimax", depth=9).value == 5


def test_the_last_line_is_tried_first():
    """With deepening alpha-beta visits fewer nodes in its last iteration than without."""
    before = gambito.search(TwiceRunner, None, "alpha-beta", depth=8, deepen=True).nodes
    both = gambito.search(TwiceRunner, None, "alpha-beta", depth=9, deepen=True).nodes
    plain = gambito.search(TwiceRunner, None, "alpha-beta", depth=9).nodes
    assert both - before < plain


def test_deepening_ends_when_the_whole_game_is_seen():
    found = gambito.search("tic-tac-toe", "512", "alpha-beta", seconds=30)
    assert found.exact
    assert found.depth <= 7
    assert found.seconds < 10


@on_the_clock
def test_without_limits():
    assert gambito.search("tree", AIMA).evaluations == 7
    assert gambito.search("tic-tac-toe").exact
    assert 0.5 < gambito.search("connect-four").seconds < 3


def test_a_state_where_the_game_is_over():
    found = gambito.search("tic-tac-toe", "XXX/OO./...")
    assert (found.action, found.value, found.line, found.exact) == (None, -1, [], True)


@pytest.mark.parametrize(
    "spec", ["tic-tac-toe", pytest.param("connect-four:width=4,height=4", marks=pytest.mark.slow)]
)
def test_solve_sees_the_whole_game(spec):
    found = gambito.solve(spec)
    assert (found.value, found.exact) == (0, True)
    assert gambito.solve("nim", "1 2 3").value == -1


def test_values_are_for_the_player_to_move():
    assert gambito.search("tree", "min " + AIMA).value == -6
    assert gambito.search("tree", "min " + AIMA, "minimax").value == -6


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"algorithm": "best-first"}, f"unknown algorithm 'best-first'; accepted: {', '.join(algorithms())}"),
        ({"depth": 0}, "depth must be a number above zero, not 0"),
        ({"seconds": 0}, "seconds must be a number above zero"),
        ({"seconds": float("inf")}, "seconds must be a number above zero"),
        ({"nodes": -1}, "nodes must be a number above zero"),
        ({"depth": 2.5}, "depth must be a number above zero"),
        ({"threads": 2}, "alpha-beta runs on one thread, not on 2"),
        ({"gear": "third"}, "unknown gear 'third'; accepted: native, python"),
        ({"colour": 1}, "alpha-beta has no option 'colour'; accepted: order, history"),
        ({"algorithm": "mtd-f", "memory": 0}, "option memory must be a whole number from 1 to 4096, not '0'"),
        (
            {"algorithm": "negascout", "form": "x"},
            "option form must be first or second or shallow or quiescence",
        ),
        ({"deepen": "perhaps"}, "option deepen must be true or false, not 'perhaps'"),
    ],
)
def test_bad_input_is_one_sentence(given, said):
    with pytest.raises(SearchError) as told:
        gambito.search("tree", AIMA, **given)
    assert said in str(told.value)
    assert "\n" not in str(told.value)


def test_a_tree_does_not_compile():
    with pytest.raises(CompileError, match="tree runs in the python gear only"):
        gambito.search("tree", AIMA, gear="native")


@pytest.mark.parametrize("name", PLAYING)
def test_games_that_do_not_fit_are_refused(name):
    class Dice(TwiceRunner):
        chance = True

    class Three(TwiceRunner):
        players = 3

    class Shared(TwiceRunner):
        zero_sum = False

    class Cards(TwiceRunner):
        hidden = True

    fits = algorithms()[name].fits
    reasons = ((Dice, "dice", fits.chance != WITHOUT), (Three, "two players", 3 in fits.players))
    reasons += ((Shared, "zero-sum", not fits.zero_sum), (Cards, "hides", False))
    for kind, word, is_taken in reasons:
        if not is_taken:
            with pytest.raises(SearchError, match=word):
                gambito.search(kind, None, name, depth=2)


def test_plain_objects_are_games_too():
    """Any object with the six rules, its states whatever they are."""

    class Count:
        def initial(self):
            return {"left": 5, "mover": 0}

        def player(self, state):
            return state["mover"]

        def actions(self, state):
            return [n for n in (1, 2) if n <= state["left"]]

        def result(self, state, action):
            return {"left": state["left"] - action, "mover": 1 - state["mover"]}

        def is_terminal(self, state):
            return state["left"] == 0

        def utility(self, state, player):
            return -1 if player == state["mover"] else 1

    found = gambito.search(Count(), None, "alpha-beta", depth=9)
    assert (found.gear, found.action, found.value) == ("python", 2, 1)
    assert gambito.perft(Count(), depth=2) == 4


def test_depth_beyond_the_cap_is_refused():
    with pytest.raises(SearchError, match="at most 1000 plies"):
        gambito.search(Circle, None, depth=5000)


class Staircase(Game):
    """One action in each state and a great depth: the stack must hold the deepest search allowed."""

    def initial(self):
        return 0

    def player(self, state):
        return state & 1

    def actions(self, state):
        for action in range(1):
            yield action

    def result(self, state, action):
        return state + 1

    def is_terminal(self, state):
        return state >= 100_000

    def utility(self, state, player):
        return 0


@pytest.mark.parametrize(
    ("name", "gear"),
    [
        pytest.param(name, gear, marks=[pytest.mark.slow] if (name, gear) == ("engine", "python") else [])
        for name in PLAYING
        for gear in ("native", "python")
    ],
)
def test_the_deepest_search(name, gear):
    found = gambito.search(Staircase, None, name, depth=1000, gear=gear)
    assert found.action == 0
    assert found.depth == 1000


def test_two_searches_at_once():
    results = []

    def work():
        results.append(gambito.search("connect-four", "4", "pvs", depth=8).nodes)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(results)) == 1


def test_ctrl_c_reaches_compiled_code():
    script = (
        "import gambito\n"
        "def tell(progress): progress.nodes and print('searching', flush=True)\n"
        "try: gambito.search('connect-four', '4', 'minimax', depth=40, progress=tell)\n"
        "except KeyboardInterrupt: print('stopped')"
    )
    with child(sys.executable, "-c", script, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "searching\n"
        running.send_signal(signal.SIGINT)
        began = time.perf_counter()
        assert running.communicate(timeout=20)[0].endswith("stopped\n")
        assert time.perf_counter() - began < 5


def test_a_module_that_searches_while_it_is_imported(tmp_path):
    """Compilation does not wait for imports: a file of rules may search its own game at the top level."""
    rules = (Path(__file__).resolve().parent.parent.parent / "docs/examples/take_away.py").read_text()
    (tmp_path / "rules.py").write_text(
        rules + "\nimport gambito\nFOUND = gambito.search(TakeAway, depth=5)\n"
    )
    script = "import rules; print(rules.FOUND.action)"
    done = run(sys.executable, "-c", script, cwd=tmp_path)
    assert done.stdout == "1\n", done
