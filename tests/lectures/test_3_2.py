"""Lecture 3.2, adversarial search in games: what each slide says, run."""

import json
import math
import random
import sys

import pytest

import gambito
from gambito.draw.facts import principal
from gambito.exercises.course import COURSE
from gambito.players.experiments import read_plan
from tests.exercises import solutions, test_course
from tests.lectures.proofs import DOCS, asked, command, prove, searched, slide, told, traced
from tests.search import test_slides as slides
from tests.slides import INF, Count, minimax
from tests.support import AIMA, LECTURE

sys.path.insert(0, str(DOCS))
from makers.lectures import lectures

CHECKS = {one.name: one.check for one in COURSE}
BOUNDED = (
    '[{"bounds":[4,9],"moves":[7,5,9]},{"bounds":[1,6],"moves":[2,6,3]},{"bounds":[0,3],"moves":[1,3,0]}]'
)


def is_valued(tree, depth, algorithm, **options):
    """Does the algorithm find the value of minimax?"""
    return slides.told(tree, depth, algorithm, **options)[0] == slides.truth(tree, depth)


# ---- games -------------------------------------------------------------------------------------------
@slide("3.2", "búsqueda adversaria", "suma cero")
def test_two_agents_with_opposite_utilities():
    for name in ("nim", "tic-tac-toe", "connect-four"):
        game, rng = gambito.load(name), random.Random(1)
        state = game.initial()
        while not game.is_terminal(state):
            state = game.result(state, rng.choice(game.legal(state)))
        assert game.utility(state, 0) == -game.utility(state, 1)


@slide("3.2", "tabla tipos: ajedrez damas go", "backgammon, monopoly", "hundir la flota", "bridge, poker")
def test_the_four_kinds_of_games():
    kinds = {
        (False, False): ("chess", "draughts", "checkers", "go"),
        (True, False): ("backgammon", "monopoly"),
        (False, True): ("battleship",),
        (True, True): ("bridge", "holdem", "kuhn-poker"),
    }
    for (has_chance, is_hidden), names in kinds.items():
        for name in names:
            game = gambito.load(name)
            assert game.hidden == is_hidden, name
            assert game.chance == has_chance or is_hidden, name


@slide("3.2", "estrategia contingente")
def test_a_strategy_answers_every_move():
    """A best reply is known after each action of the opponent's, and none of them beats the value."""
    game = gambito.load("nim:heaps=1-2")
    root = game.initial()
    found = gambito.search(game, root, "minimax", gear="python")
    assert found.value == 1
    after = game.result(root, found.action)
    for reply in game.legal(after):
        state = game.result(after, reply)
        assert game.is_terminal(state) or gambito.search(game, state, "minimax", gear="python").value == 1


@slide("3.2", "formalización 6 partes")
def test_the_six_parts_of_a_game():
    game = gambito.load("tic-tac-toe")
    state = game.initial()
    assert (game.player(state), len(game.legal(state)), game.is_terminal(state)) == (0, 9, False)
    after = game.result(state, 4)
    assert game.player(after) == 1 and game.utility(game.parse("14253"), 0) == 1


@slide("3.2", "ply")
def test_a_ply_is_one_action_of_one_player():
    assert [searched("tree", LECTURE, "minimax", depth).nodes for depth in (1, 2, 3)] == [4, 13, 40]


# ---- minimax and alpha-beta --------------------------------------------------------------------------
@slide("3.2", "minimax backtracking", "hojas terminales en cualquier nivel")
def test_values_go_back_from_leaves_at_any_level():
    found = searched("tree", "[3,[1,[7,9]],[[2,5],8]]", "minimax")
    assert (found.value, found.words()[0]) == (5, "c")


@slide("3.2", "Recursive Minimax(S,Maximizing)")
def test_the_recursive_text_is_told_what_it_assumes():
    def recursive(game, state, maximizing=True):
        if game.is_terminal(state):
            return game.utility(state, 0)
        below = [recursive(game, game.result(state, a), not maximizing) for a in game.actions(state)]
        return max(below) if maximizing else min(below)

    for text in (AIMA, LECTURE):
        game = gambito.load("tree")
        root = game.parse(text)
        assert recursive(game.at(root), root) == searched("tree", text, "minimax").value
    wrong = CHECKS["minimax"](recursive)
    assert wrong.mistake == "it assumes that MAX moves at the root and that the players take turns"


@slide("3.2", "limitaciones minimax", "bucles infinitos")
def test_a_game_that_can_go_round_needs_a_depth():
    """A king and a rook can move for ever; a repetition is a draw, and a search has a depth."""
    game = gambito.load("chess")
    assert game.cycles
    found = gambito.search(game, "8/8/8/8/8/2k5/8/K1R5 b - - 0 1", "minimax", depth=2, gear="python")
    assert found.depth == 2 and not found.exact


@slide("3.2", "alfa-beta mismo movimiento", "alfa>=beta")
def test_alpha_beta_gives_the_value_and_the_move_of_minimax():
    for tree, depth in slides.trees(60, seed=31):
        whole, pruned = (
            gambito.search("tree", json.dumps(tree), name, depth=depth) for name in ("minimax", "alpha-beta")
        )
        assert (whole.value, whole.action) == (pruned.value, pruned.action)
    record = traced("tree", AIMA, "alpha-beta")
    (cut,) = (step for step in record.steps if step.kind == "cut" and step.cut)
    assert cut.value <= cut.alpha  # beta has come down to alpha


@slide("3.2", "8 figuras alfa-beta")
def test_watch_shows_the_search_step_by_step():
    shown = asked("trace", game="tree", start=AIMA, moves=[], algorithm="alpha-beta", options={})
    assert (shown["record"]["value"], shown["record"]["line"][0]) == (3, "a")
    assert len(traced("tree", AIMA, "alpha-beta").steps) == 35


prove(
    slides.test_the_order_of_the_lecture_acts_wherever_it_is_set,
    "3.2",
    "orden jaques capturas amenazas delante atrás",
)


# ---- negamax and the null window ---------------------------------------------------------------------
@slide("3.2", "negamax min=-max(-)")
def test_one_rule_for_both_players():
    for tree, depth in slides.trees(40, seed=33):
        assert is_valued(tree, depth, "negamax")


prove(
    test_course.test_a_search_with_color_is_right_where_the_players_take_turns,
    "3.2",
    "negamax pseudocódigo color",
    "PVS pseudocódigo",
)


@slide("3.2", "negamax pseudocódigo color")
def test_negamax_with_color_passes_where_turns_alternate():
    assert CHECKS["negamax"](solutions.lecture_negamax) is None


@slide("3.2", "ventana nula", "ventana nula: elegir alfa", "fallo alto/bajo")
def test_one_null_window_search_for_a_chosen_gamma():
    low, high = (gambito.search("tree", AIMA, "test", gamma=gamma) for gamma in (4, 3))
    assert (low.low, low.high) == (None, 3)  # fails low: v <= alpha
    assert (high.low, high.high) == (3, None)  # fails high: v > alpha
    assert "at most +3" in command("best", "tree", "--algorithm", "test", "--option", "gamma=4")


# ---- Scout -------------------------------------------------------------------------------------------
class Scout:
    """The procedures of the slides: TEST with > or ≥, and EVAL."""

    def __init__(self):
        self.nodes = 0

    def test(self, node, is_max, v, or_equal):
        self.nodes += 1
        if not isinstance(node, list):
            return node >= v if or_equal else node > v
        for child in node:
            if self.test(child, not is_max, v, or_equal) == is_max:
                return is_max
        return not is_max

    def eval(self, node, is_max):
        self.nodes += 1
        if not isinstance(node, list):
            return node
        first, *rest = node
        best = self.eval(first, not is_max)
        for child in rest:
            if is_max and self.test(child, False, best, False):
                best = self.eval(child, False)
            if not is_max and not self.test(child, True, best, True):
                best = self.eval(child, True)
        return best


@slide("3.2", "Scout historia, idea", "TEST >", "TEST >=", "EVAL")
def test_scout_counts_what_the_slides_count():
    for tree, _ in slides.trees(60, seed=35):
        scout = Scout()
        value = scout.eval(tree, True)
        found = gambito.search("tree", json.dumps(tree), "scout")
        assert (found.value, found.nodes) == (value, scout.nodes)
    told("algorithms/scout", ("Pearl", "1980"), ("Pearl", "1980"))


@slide("3.2", "Scout vs alfa-beta figuras")
def test_scout_and_alpha_beta_side_by_side():
    """Watch can compare two: each of them is a trace of the same tree."""
    nodes = {}
    for name in ("scout", "alpha-beta"):
        shown = asked("trace", game="tree", start=LECTURE, moves=[], algorithm=name, options={})
        nodes[name] = shown["record"]["visited"]
        assert shown["record"]["value"] == 5
    assert nodes == {"scout": 44, "alpha-beta": 27}


# ---- the principal variation, PVS and NegaScout ------------------------------------------------------
@slide("3.2", "PV propiedades", "la PV: ningún jugador puede mejorarla")
def test_all_nodes_of_the_principal_variation_have_the_roots_value():
    for tree, depth in slides.trees(40, seed=37):
        record = gambito.trace("tree", json.dumps(tree), "minimax", depth=depth)
        node, is_max = tree, True
        for place in principal(record)[1:]:
            choice = ord(record.nodes[place].action) - ord("a")
            depth -= 1
            values = [minimax(child, depth, not is_max, Count()) for child in node]
            assert values[choice] == record.value == (max(values) if is_max else min(values))
            node, is_max = node[choice], not is_max
    told("algorithms/pvs", ("Neither player can improve on it",), ("Ningún jugador puede mejorarla",))


@slide("3.2", "PVS idea")
def test_pvs_searches_the_first_action_with_the_whole_window_and_tests_the_others():
    record = traced("tree", AIMA, "pvs")
    first, second, third = (record.nodes[n].visits[0] for n in record.nodes[0].children)
    assert (first.alpha, first.beta) == (None, None)
    assert (second.alpha, second.beta) == (third.alpha, third.beta) == (3, 4)


prove(
    slides.test_node_for_node_as_on_the_slide,
    "3.2",
    "PVS pseudocódigo",
    "MTD(f) bucle",
    "AlphaBetaWithMemory",
)
prove(
    slides.test_node_for_node_as_on_the_slide,
    "3.2",
    "NegaScout 1 d<maxdepth-1",
    "NegaScout 2 quiesce, -beta,-alpha",
)
prove(slides.test_winstons_tree, "3.2", "PVS pseudocódigo", "NegaScout 1 d<maxdepth-1")


@slide("3.2", "NegaScout 1 d<maxdepth-1", "NegaScout 2 quiesce, -beta,-alpha", "PVS pseudocódigo")
def test_other_trees_than_the_ones_shown_are_counted_alike():
    for tree, depth in slides.trees(40, seed=39):
        for name, options, text in (
            ("pvs", {}, (slides.slides.pvs, tree, depth, -INF, INF, 1)),
            ("negascout", {"form": "first"}, (slides.slides.negascout_first, tree, 0, depth, -INF, INF, 1)),
            ("negascout", {"form": "second"}, (slides.slides.negascout_second, tree, 0, depth, -INF, INF, 1)),
        ):
            assert slides.told(tree, depth, name, **options) == slides.counted(*text)


@slide("3.2", "peor con orden aleatorio")
def test_with_bad_order_pvs_visits_more_than_alpha_beta():
    worst = "[[[3,4],[1,2]],[[7,8],[5,6]]]"
    assert searched("tree", worst, "pvs").nodes > searched("tree", worst, "alpha-beta").nodes
    best = "[[[5,4],[6,2]],[[3,1],[9,7]]]"
    assert searched("tree", best, "pvs").nodes <= searched("tree", best, "alpha-beta").nodes


@slide("3.2", "revisitar con información previa")
def test_a_table_helps_a_second_search():
    base = {"aspiration": 0, "bounds": False, "order": False, "memory": 1, "deepen": True}
    without, helped = (
        searched("connect-four:width=4,height=4", None, "engine", 6, table=table, **base)
        for table in ("off", "same-depth")
    )
    assert helped.value == without.value and helped.nodes < without.nodes


# ---- MTD(f) and B* -----------------------------------------------------------------------------------
@slide("3.2", "MTD(f) f elegible", "MTD(f) bucle")
def test_the_first_guess_can_be_chosen():
    passes = [len(traced("tree", LECTURE, "mtd-f", guess=guess).nodes[0].visits) for guess in (5, 0, 20)]
    assert passes[0] == 2 and min(passes[1:]) > 2
    assert CHECKS["mtd-f"](solutions.mtd_f) is None


prove(slides.test_mtd_f_from_a_guess, "3.2", "MTD(f) f elegible")
prove(slides.test_the_table_as_on_the_slide, "3.2", "AlphaBetaWithMemory")


@slide("3.2", "B* ideas", "PROVEBEST", "DISPROVEREST", "B* evaluación estática + cotas", "B* Fig 4,5")
@slide("3.2", "B*: pasos (1) a (7) con OPTIM y PESSIM")
def test_b_star_stops_when_one_action_is_proved():
    for strategy in ("prove-best", "disprove-rest"):
        found = gambito.search("tree", BOUNDED, "b-star", strategy=strategy)
        assert found.words()[0] == "a" and found.evaluations < 9
        assert gambito.search("tree", BOUNDED, "minimax").words()[0] == "a"
    assert CHECKS["b-star"](solutions.b_star) is None


# ---- Monte Carlo -------------------------------------------------------------------------------------
@slide("3.2", "MCTS 4 fases", "pseudocódigo MCTS", "explotación/exploración explicada")
def test_the_four_phases_are_recorded():
    record = traced("tree", AIMA, "mcts", reward="score", solver=False)
    kinds = [step.kind for step in record.steps]
    assert {"select", "expand", "simulate", "backup"} <= set(kinds)
    shown = asked("trace", game="tree", start=AIMA, moves=[], algorithm="mcts", options={"reward": "score"})
    assert shown["record"]["line"][0] == "a"


@slide("3.2", "umbral de expansión")
def test_a_leaf_is_expanded_after_a_number_of_visits():
    grown = [
        sum(
            step.kind == "expand" for step in traced("tree", LECTURE, "mcts", threshold=t, solver=False).steps
        )
        for t in (1, 5, 1000)
    ]
    assert grown[0] > grown[1] > grown[2] == 1  # only the root
    told(
        "algorithms/mcts",
        ("and has at least T visits",),
        ("y tiene al menos T visitas", "umbral de expansión"),
    )


@slide("3.2", "rollout profundidad predefinida")
def test_a_playout_may_end_at_a_depth():
    found = gambito.search("tic-tac-toe:evaluation=lines", None, "mcts", nodes=60, plies=2, gear="python")
    assert found.action is not None


@slide("3.2", "UCB fórmula", "primero cada nodo una vez", "UCT")
def test_ucb_is_the_formula_of_the_slide():
    def ucb1(totals, visits, c):
        for child, n in enumerate(visits):
            if n == 0:
                return child
        total = sum(visits)
        scores = [v / n + c * math.sqrt(math.log(total) / n) for v, n in zip(totals, visits, strict=True)]
        return scores.index(max(scores))

    assert CHECKS["ucb1"](ucb1) is None
    found = gambito.search("tree", AIMA, "mcts", nodes=3, reward="score", solver=False)
    assert sorted(c.visits for c in found.candidates) == [1, 1, 1]


@slide("3.2", "política: % victorias", "política: UCB", "política: visitas", "MCTS: argmax de visitas")
def test_three_answers_from_one_tree():
    said = {}
    for answer in ("mean", "ucb", "visits"):
        found = gambito.search(
            "connect-four", "44", "mcts", nodes=60, answer=answer, solver=False, gear="python"
        )
        said[answer] = found
    by_visits = max(said["visits"].candidates, key=lambda one: one.visits)
    by_mean = max(said["mean"].candidates, key=lambda one: one.value)
    assert said["visits"].action == by_visits.action and said["mean"].action == by_mean.action
    assert {one.action: one.visits for one in said["ucb"].candidates} == {
        one.action: one.visits for one in said["visits"].candidates
    }


@slide("3.2", "políticas comparadas en la lección")
def test_the_link_of_the_slide_shows_two_different_answers():
    (link,) = (
        one["link"]
        for lecture in lectures()
        for one in lecture["slide"]
        if "UCT" in one["en"] and "b" in one["link"]
    )
    said = set()
    for text in (link["a"], link["b"]):
        name, _, option = text.partition(":")
        question = {"game": link["game"], "start": link["start"], "moves": [], "algorithm": name}
        said.add(asked("trace", **question, options=dict([option.split("=")]))["record"]["line"][0])
    assert len(said) == 2


@slide("3.2", "políticas comparadas en la lección", "overfitting")
def test_the_answers_and_the_first_simulations_are_compared_by_experiments():
    """The experiments of the lesson, on one position of each."""
    for name, count in (("answers", 3), ("threshold", 5), ("early", 4)):
        plan = read_plan(DOCS.parent / "bench" / "experiments" / f"{name}.toml")
        assert len(plan.algorithms) == count
        rows = gambito.experiment(
            algorithms=list(plan.algorithms), game="tic-tac-toe", positions=["1"], nodes=[30], seeds=2,
            options={"solver": False}, jobs=1,
        )  # fmt: skip
        assert len(rows) == 2 * count and all(row["action"] for row in rows)
    made = ("made: optimal answers", "made: optimal threshold", "made: early early")
    told("algorithms/mcts", made, made)


@slide("3.2", "overfitting")
def test_with_little_exploration_the_first_simulations_decide():
    """The answer after more simulations is that of the first ones more often than chance would have it."""
    game = gambito.load("connect-four")
    early, late = {}, {}
    for seed in range(10):
        for nodes, kept in ((50, early), (1500, late)):
            found = gambito.search(
                game, "22531147332411", "mcts", nodes=nodes, seed=seed, exploration=0.1, solver=False
            )
            kept[seed] = found.action
    same = sum(early[s] == late[s] for s in early) / 10
    other = sum(early[s] == late[t] for s in early for t in late if s != t) / 90
    assert same >= other


@slide("3.2", "independiente del dominio", "anytime", "desventajas memoria, iteraciones")
def test_mcts_needs_only_the_rules_and_can_be_stopped():
    for name in ("nim", "tic-tac-toe", "backgammon"):
        assert "mcts" in asked("about", game=name)["algorithms"]
    few, many = (
        gambito.search("tree", LECTURE, "mcts", nodes=n, reward="score", solver=False) for n in (5, 2000)
    )
    assert few.action is not None and many.words()[0] == "b"
    assert gambito.search("tree", LECTURE, "mcts", nodes=50, memory=1).action is not None


@slide("3.2", "convergencia")
def test_more_simulations_find_the_value():
    errors = [
        abs(gambito.search("tree", AIMA, "mcts", nodes=n, reward="score", solver=False).value - 3)
        for n in (30, 300, 5000)
    ]
    assert errors[2] < errors[0] and errors[2] < 0.5


@slide("3.2", "conocimiento previo", "AlphaZero", "AlphaGo: partidas de expertos + refuerzo")
def test_a_network_gives_priors_and_values():
    found = gambito.search("connect-four", None, "mcts", nodes=20, network="learned")
    assert found.words()[0] == "4"
    plain = gambito.search(
        "breakthrough:width=4,height=4", None, "mcts", nodes=40, select="puct", gear="python"
    )
    assert plain.action is not None
    told("algorithms/alphazero", ("AlphaGo", "games of experts"), ("AlphaGo", "partidas de expertos"))


# ---- best node search --------------------------------------------------------------------------------
@slide("3.2", "BNS idea", "BNS cortes MAX/MIN", "BNS nextGuess", "BNS alfa, beta dados (X1,X2,X3)")
def test_a_value_that_separates_is_enough():
    record = traced("tree", "[[9,7],[3,5]]", "bns", alpha=0, beta=10)  # X2: nextGuess(0, 10, 2) = 5
    assert record.action == "a" and [visit.beta for visit in record.nodes[0].visits] == [5]
    assert CHECKS["bns"](solutions.bns) is None


prove(slides.test_best_node_search_from_given_ends, "3.2", "BNS alfa, beta dados (X1,X2,X3)")


@slide("3.2", "BNS tres o más subárboles")
def test_three_subtrees_and_more():
    for tree, depth in slides.trees(40, seed=41):
        found = gambito.search("tree", json.dumps(tree), "bns", depth=depth)
        best = slides.truth(tree, depth)
        assert minimax(tree[found.action], depth - 1, False, Count()) == best


@pytest.mark.parametrize("name", ["pvs", "negascout"])
def test_the_exercises_accept_the_texts_of_the_slides(name):
    assert CHECKS[name](getattr(solutions, f"lecture_{name}")) is None
