"""The engine: exact with every unsound technique off, in all its drivers, and right on solved positions."""

import json
import random

import pytest

import gambito
from gambito.game.gears import gears
from gambito.search.engine.quiescence import quiescence
from gambito.search.engine.search import engine
from tests.support import TwiceRunner, minimax_truth, random_state, random_tree, rows

SOUND = {"memory": 1, "table": "same-depth"}
DRIVERS = ("aspiration", "mtd-f", "bisection")


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("off", ["", "table", "etc", "bounds", "order"])
@pytest.mark.parametrize("staged", [False, True])
def test_exact_on_random_trees(driver, off, staged):
    rng = random.Random(5)
    options = {**SOUND, "driver": driver, "staged_generation": staged, "quiescence_table": staged}
    if off:
        options[off] = "off" if off == "table" else False
    for _ in range(30):
        text = json.dumps(random_tree(rng, 4, 3, rng.choice([1, 9]), turns=False))
        if not text.startswith(("[", "{")):
            continue
        tree = gambito.load("tree")
        root = tree.parse(text)
        truth = minimax_truth(tree.at(root), root, root.height) * (1 if root.player == 0 else -1)
        found = gambito.search(tree, root, "engine", depth=root.height, **options)
        assert found.value == truth, text


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize(
    "spec",
    [
        "tic-tac-toe",
        pytest.param("connect-four:width=5,height=4", marks=pytest.mark.slow),
        pytest.param("nim:heaps=2-2-3", marks=pytest.mark.slow),
    ],
)
def test_exact_on_random_positions(spec, driver):
    game = gambito.load(spec)
    rng = random.Random(3)
    for number in range(40):
        state = gears(game).cast(random_state(game, rng, rng.randint(0, 6)))
        depth = rng.randint(1, 5)
        sign = 1 if game.player(state) == 0 else -1
        options = {**SOUND, "driver": driver, "live": True}
        if "connect" in spec:  # what it knows of its bounds reaches beyond the horizon
            options["bounds"] = False
        truth = sign * minimax_truth(game, state, depth)
        found = gambito.search(game, state, "engine", depth=depth, **options)
        assert found.value == truth, (game.text(state), depth)
        if number < 3:
            plain = gambito.search(game, state, "engine", depth=depth, gear="python", **options)
            assert (plain.value, plain.action, plain.nodes) == (found.value, found.action, found.nodes)


def test_live_settings_search_the_same_tree():
    constant = gambito.search("tic-tac-toe", None, "engine", depth=9, memory=1)
    live = gambito.search("tic-tac-toe", None, "engine", depth=9, memory=1, live=True)
    assert (constant.nodes, constant.value, constant.line) == (live.nodes, live.value, live.line)


def test_one_signature_for_each_game_and_settings():
    gambito.search("tic-tac-toe", None, "engine", depth=4, memory=1)
    for function in (engine, quiescence):
        signatures = [str(s) for s in function.dispatcher.signatures]
        games = [
            (str(s[0]), [str(a) for a in s if "Settings" in str(a)]) for s in function.dispatcher.signatures
        ]
        assert len(signatures) == len({str(g) for g in games})


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("L3_R1", 100),
        ("L2_R1", 100),
        ("L1_R1", 30),
        ("L2_R2", 10),
        pytest.param("L3_R1", 500, marks=pytest.mark.slow),
        pytest.param("L2_R1", 500, marks=pytest.mark.slow),
        pytest.param("L1_R1", 500, marks=pytest.mark.slow),
        pytest.param("L2_R2", 500, marks=pytest.mark.slow),
        pytest.param("L1_R2", 60, marks=pytest.mark.slow),
        pytest.param("L1_R3", 3, marks=pytest.mark.slow),
    ],
)
def test_solved_connect_four_positions(name, count):
    """Pascal Pons' sets: every score, and a column that keeps it."""
    for row in rows(f"connect4/Test_{name}.csv")[:count]:
        found = gambito.solve("connect-four", row["moves"])
        assert found.value == int(row["score"]), row
        assert found.words()[0] in row["best_columns"].split(), row
        assert found.exact


def test_two_threads_find_the_same_value():
    for row in rows("connect4/Test_L2_R2.csv")[:5]:
        found = gambito.solve("connect-four", row["moves"], threads=2)
        assert found.value == int(row["score"]), row
        assert found.words()[0] in row["best_columns"].split(), row
        alone = gambito.search("connect-four", row["moves"], "engine", depth=12)
        together = gambito.search("connect-four", row["moves"], "engine", depth=12, threads=2)
        assert alone.value == together.value


def test_one_thread_is_deterministic():
    found = [gambito.search("connect-four", "4433", "engine", depth=14) for _ in range(2)]
    assert found[0].nodes == found[1].nodes
    assert found[0].line == found[1].line


def test_sooner_wins_are_preferred():
    """Among equal values the engine takes the nearer win and the farther loss."""
    found = gambito.search("tree", "[[[1]],1,[[1,1]]]", "engine")
    assert found.words() == ["b"]
    found = gambito.search("tree", "[[-1],[[-1]]]", "engine")
    assert found.words()[0] == "b"


@pytest.mark.thorough
@pytest.mark.parametrize("cells", [16, pytest.param(36, marks=pytest.mark.slow)])
def test_board_sizes(cells):
    """Small boards agree with the table of solved sizes."""
    for row in rows("connect4/outcome_by_board_size.csv"):
        width, height = int(row["width"]), int(row["height"])
        if width * height > cells or width * (height + 1) > 64:
            continue
        value = gambito.solve(f"connect-four:width={width},height={height}").value
        assert {"draw": 0, "first": 1, "second": -1}[row["winner"]] == (value > 0) - (value < 0), row


class WideNumbers(TwiceRunner):
    """The same game with actions that no table entry can hold."""

    def actions(self, state):
        for taken in range(1, 4):
            yield taken * 1_000_003

    def result(self, state, action):
        return TwiceRunner.result(self, state, action // 1_000_003)


def test_actions_too_large_for_the_table():
    game = WideNumbers()
    for depth in (3, 6, 9):
        found = gambito.search(game, None, "engine", depth=depth, gear="python", **SOUND)
        assert found.value == minimax_truth(game, game.initial(), depth)
        assert found.action in game.legal(game.initial())
