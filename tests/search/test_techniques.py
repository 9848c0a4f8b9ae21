"""Each technique of the engine: sound ones leave the value alone, all of them give a legal action."""

import random

import pytest

import gambito
from gambito import Game
from gambito.game.gears import gears
from gambito.memory.table import new_table
from gambito.search.algorithm import find
from gambito.search.engine.session import TABLE
from tests.support import TwiceRunner, minimax_truth, random_state

SOUND = {"memory": 1, "table": "same-depth", "deepen": False}
ENGINE = find("engine")
UNSOUND = [option.name for option in ENGINE.options if not option.sound]


def on(name):
    """A technique switched on, for a search of a few plies."""
    return {"symmetry": 1, "presort": 2, "iid": 2, "hot": 3, "etc": 1}.get(
        name, {"probcut": "multi"}.get(name, 2)
    )


SWITCHES = [
    {"table": "off"},
    {"table": "as-deep"},
    {"table_from": 3},
    {"hot": 3},
    {"replace": "use"},
    {"etc": 0},
    {"etc": 1},
    {"bounds": False},
    {"solve_ending": False},
    {"symmetry": 1},
    {"symmetry": 4},
    {"order": False},
    {"presort": 2},
    {"iid": 2},
    {"quiescence": False},
    {"one_reply_extension": True},
    {"check_extension": True},
    {"singular_extension": 1},
    {
        "history_malus": True,
        "continuation_history": True,
        "capture_history": True,
        "correction_history": 2,
        "table_as_static": True,
        "quiescence_checks": True,
    },
    {"driver": "mtd-f"},
    {"driver": "bisection"},
    {"aspiration": 0},
]


@pytest.mark.parametrize("switch", SWITCHES, ids=str)
@pytest.mark.parametrize("spec", ["tic-tac-toe", "othello:size=4", "connect-four:width=4,height=4"])
def test_sound_techniques_leave_the_value_of_the_game_alone(spec, switch):
    """To the end of the game every depth is enough, so no extension can change the value."""
    game = gambito.load(spec)
    rng = random.Random(str(switch))
    for _ in range(4):
        state = gears(game).cast(random_state(game, rng, 5 if spec == "tic-tac-toe" else 9))
        depth = min(game.longest, game.plies_left(state))
        sign = 1 if game.player(state) == 0 else -1
        truth = sign * minimax_truth(game, state, depth)
        found = gambito.search(game, state, "engine", depth=depth, gear="python", **{**SOUND, **switch})
        assert found.value == truth, game.text(state)
        assert sign * minimax_truth(game, game.result(state, found.action), depth) == truth


def test_a_player_who_moves_twice():
    game = TwiceRunner()
    truth = minimax_truth(game, game.initial(), 9)
    for switch in SWITCHES:
        found = gambito.search(game, None, "engine", depth=9, gear="python", **{**SOUND, **switch})
        assert found.value == truth, switch


@pytest.mark.parametrize("name", UNSOUND)
def test_unsound_techniques_answer_with_a_legal_action(name):
    game, rng = gambito.load("othello:size=4"), random.Random(name)
    for _ in range(3):
        state = gears(game).cast(random_state(game, rng, 4))
        value = True if isinstance(option(name).default, bool) else on(name)
        options = {"memory": 1, name: value}
        found = gambito.search(game, state, "engine", depth=6, gear="python", **options)
        assert found.action in game.legal(state)
        assert game.lowest <= found.value <= game.highest


def option(name):
    return next(o for o in ENGINE.options if o.name == name)


def test_solve_switches_off_what_is_unsound():
    options = ENGINE.sound_options()
    assert options == {
        "null_move": 0,
        "probcut": "off",
        "n_best": 0,
        "iir": 0,
        "late_move_reductions": False,
        "futility": 0,
        "reverse_futility": 0,
        "late_move_pruning": 0,
        "losing_pruning": False,
        "delta_pruning": 0,
        "improving": False,
        "see_pruning": 0,
        "multi_cut": False,
        "razoring": 0,
        "noisy_probcut": 0,
    }
    for state in ("", "b1a1"):
        found = gambito.solve("othello:size=4", state or None, gear="python", memory=1)
        assert found.exact


def test_how_soon_the_game_ends():
    found = gambito.search("tic-tac-toe", "1 2 4", "engine", depth=9, gear="python", memory=1)
    assert (found.value, found.ends_in) == (-1, 4)
    found = gambito.search("tic-tac-toe", "1 2 4 3", "engine", depth=9, gear="python", memory=1)
    assert (found.value, found.ends_in) == (1, 1)
    assert gambito.search("tic-tac-toe", "5", "engine", depth=9, gear="python", memory=1).ends_in is None


class Bounded(Game):
    """Drawn by lot: states lead to states with higher numbers, and `bounds` are true and often tight."""

    lowest, highest = -9, 9
    compiles = False

    def __init__(self, rng: random.Random) -> None:
        self.nodes = rng.randint(4, 14)
        self.movers = [rng.randrange(2) for _ in range(self.nodes)]
        self.worths = [rng.randint(-9, 9) for _ in range(self.nodes)]
        self.below = [
            rng.sample(range(node + 1, self.nodes), min(rng.randint(1, 3), self.nodes - node - 1))
            if node == 0 or rng.random() < 0.8
            else []
            for node in range(self.nodes)
        ]
        self.slack = [(rng.choice([0, 0, 3]), rng.choice([0, 0, 3])) for _ in range(self.nodes)]

    def initial(self):
        return 0

    def player(self, state):
        return self.movers[state]

    def actions(self, state):
        return self.below[state]

    def result(self, state, action):
        return action

    def is_terminal(self, state):
        return not self.below[state]

    def utility(self, state, player):
        return self.worths[state] if player == 0 else -self.worths[state]

    def bounds(self, state):
        value = (self.ending(state) + 512) // 1024 * (1 if self.movers[state] == 0 else -1)
        low, high = self.slack[state]
        return max(value - low, -9), min(value + high, 9)

    def ending(self, node: int, ply: int = 0) -> int:
        """The value for player 0 in 1024 parts: less one for each ply to a win, more for each to a loss."""
        if not self.below[node]:
            worth = self.worths[node]
            return 1024 * worth - ply * ((worth > 0) - (worth < 0))
        values = [self.ending(child, ply + 1) for child in self.below[node]]
        return max(values) if self.movers[node] == 0 else min(values)


@pytest.mark.parametrize("driver", ["aspiration", "mtd-f", "bisection"])
def test_tight_bounds_leave_the_distance_alone(driver):
    rng = random.Random(5)
    for _ in range(200):
        game = Bounded(rng)
        truth = game.ending(0) * (1 if game.movers[0] == 0 else -1)
        value = (truth + 512) // 1024
        found = gambito.search(game, None, "engine", depth=14, gear="python", memory=1, driver=driver)
        assert (found.value, found.ends_in or 0) == (value, abs(truth - 1024 * value)), vars(game)


def test_the_soonest_end_bounds_values_and_leaves_the_distance_alone():
    game, rng = gambito.load("tic-tac-toe"), random.Random(7)
    saved = 0
    for _ in range(12):
        state = gears(game).cast(random_state(game, rng, 4))
        with_it, without = (
            gambito.search(game, state, "engine", depth=9, gear="python", memory=1, bounds=bounds)
            for bounds in (True, False)
        )
        assert (with_it.value, with_it.ends_in) == (without.value, without.ends_in), game.text(state)
        saved += without.nodes - with_it.nodes
    assert saved > 0


def test_checks_at_the_horizon_see_a_mate_by_a_quiet_action():
    game = gambito.load("chess")
    state = game.parse("4r1k1/5ppp/8/8/8/8/R4PPP/6K1 w - - 0 1")
    slip = {"depth": 1, "root_actions": [game.read(state, "Ra5")], "gear": "python", "memory": 1}
    assert gambito.search(game, state, "engine", **slip, quiescence_checks=True).ends_in == 2
    assert gambito.search(game, state, "engine", **slip, quiescence_checks=False).ends_in is None


def test_only_a_won_game_counts_its_plies():
    """Every bound that a technique returns is a value of the game: no other value seems to be near an end."""
    sacrifice, seen = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", []
    for nodes in range(20_000, 80_000, 10_000):
        session = gambito.Session()
        gambito.search("chess", "e4", "engine", nodes=nodes, session=session, memory=1)
        given = {"nodes": 60_000, "session": session, "memory": 1}
        found = gambito.search(
            "chess", sacrifice, "engine", **given, progress=lambda now: seen.append(now.found)
        )
        seen.append(found)
    assert all(one is None or one.ends_in is None or abs(one.value) == 10_000 for one in seen)


def test_actions_of_symmetric_positions_are_turned_back():
    """With symmetry on, the table's actions fit the position that asks, not the one that was stored."""
    for spec in ("connect-four:width=5,height=4", "othello:size=6"):
        game, rng = gambito.load(spec), random.Random(4)
        for _ in range(10):
            state = random_state(game, rng, 4)
            for view, other in enumerate(game.symmetries(state), 1):
                there = {int(game.turn(a, view, False)) for a in game.legal(state)}
                assert there == set(game.legal(other))
                for action in game.legal(state):
                    turned = int(game.turn(action, view, False))
                    assert int(game.turn(turned, view, True)) == action
                    images = list(game.symmetries(game.result(state, action)))
                    assert game.text(images[view - 1]) == game.text(game.result(other, turned))


def test_kept_memory_does_not_keep_the_options():
    """A search that keeps the table of another one still searches as it is asked to."""
    session = gambito.Session()
    for options in ({"n_best": 1}, {"n_best": 0}):
        alone = gambito.search("othello:size=4", None, "engine", depth=3, gear="python", memory=1, **options)
        session.put(TABLE, new_table(1))
        found = gambito.search(
            "othello:size=4", None, "engine", depth=3, gear="python", memory=1, session=session, **options
        )
        assert found.nodes == alone.nodes
