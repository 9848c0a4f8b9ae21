"""Session 4, artificial intelligence for games: what each slide says, run."""

import math

import gambito
from gambito.exercises.course import COURSE
from gambito.exercises.trees import trees
from tests.chance import test_scale as scale
from tests.chance import test_search as chance
from tests.games import test_backgammon as backgammon
from tests.lectures.proofs import EXAMPLES, asked, command, prove, searched, slide, told, traced
from tests.search import test_horizon as horizon
from tests.search import test_slides as slides
from tests.support import AIMA

COINS = '[{"chance":[[0.5,[3,9]],[0.5,[4,8]]]},{"chance":[[0.5,[-9,9]],[0.5,[9,8,7]]]}]'
BISHOP = f"{EXAMPLES}/doomed_bishop.py:DoomedBishop"
CHECKS = {one.name: one.check for one in COURSE}


# ---- minimax -----------------------------------------------------------------------------------------
@slide("S4", "MINIMAX definición", "ejemplo 3-12-8", "algoritmo MINIMAX-DECISION")
def test_minimax_on_the_tree_of_the_slide():
    found = searched("tree", AIMA, "minimax")
    assert (found.value, found.words()[0], found.evaluations) == (3, "a", 9)

    def max_value(game, state):
        if game.is_terminal(state):
            return game.utility(state, 0)
        below = [max_value(game, game.result(state, action)) for action in game.actions(state)]
        return max(below) if game.player(state) == 0 else min(below)

    assert CHECKS["minimax"](max_value) is None


@slide("S4", "completo? óptimo?")
def test_minimax_ends_and_nobody_does_better_against_it():
    """Complete on finite trees; optimal: whatever MIN answers, MAX gets the value at least."""
    game = gambito.load("tree")
    for text in trees(40):
        root = game.parse(text)
        here = game.at(root)
        found = gambito.search(here, root, "minimax") if not here.is_terminal(root) else None
        if found is not None and root.player == 0:
            after = here.result(root, found.action)
            replies = [after] if not after.moves or after.player == 0 else after.moves
            for reply in replies:
                sign = 1 if reply.player == 0 else -1
                worth = reply.value
                if reply.moves:
                    worth = sign * gambito.search(here, reply, "minimax").value
                assert worth >= found.value
    told("algorithms/minimax", ("complete?", "optimal?"), ("¿completo?", "¿óptimo?"))


@slide("S4", "O(b^m), O(bm)", "MINIMAX es una búsqueda en profundidad")
def test_minimax_visits_every_node_in_depth_first_order():
    for branching, depth in ((2, 4), (3, 3)):
        game = gambito.load(f"uniform-tree:branching={branching},depth={depth}")
        found = gambito.search(game, algorithm="minimax", gear="python")
        assert found.evaluations == branching**depth
        assert found.nodes == sum(branching**ply for ply in range(depth + 1))
    record = traced("tree", AIMA, "minimax")
    assert [node.visits[0].order for node in record.nodes] == list(range(1, 14))


@slide("S4", "ajedrez b=35 m=100")
def test_chess_is_too_large_to_be_solved_so():
    counts = [gambito.load("chess").legal(s) for s in (gambito.load("chess").initial(),)]
    assert len(counts[0]) == 20
    assert math.floor(100 * math.log10(35)) == 154
    told("algorithms/minimax", ("b ≈ 35 and m ≈ 100", "35¹⁰⁰ ≈ 10¹⁵⁴"), ("b ≈ 35 y m ≈ 100", "35¹⁰⁰ ≈ 10¹⁵⁴"))


# ---- alpha-beta --------------------------------------------------------------------------------------
@slide("S4", "alfa-beta idea", "x,y desconocidos", "algoritmo ALPHA-BETA")
def test_two_leaves_need_not_be_known():
    assert (searched("tree", AIMA, "alpha-beta").nodes, searched("tree", AIMA, "alpha-beta").evaluations) == (
        11,
        7,
    )
    for unknown in ("null", "99", "-99"):
        text = f"[[3,12,8],[2,{unknown},{unknown}],[14,5,2]]"
        found = searched("tree", text, "alpha-beta")
        assert (found.value, found.words()[0]) == (3, "a")


@slide("S4", "alfa y beta definiciones")
def test_alpha_and_beta_are_what_each_player_is_sure_of():
    record = traced("tree", AIMA, "alpha-beta")
    windows = [(v.alpha, v.beta) for node in record.nodes if node.children for v in node.visits]
    assert windows == [(None, None), (None, None), (3, None), (3, None)]


@slide("S4", "O(b^{m/2})", "O(b^{3m/4})")
def test_the_order_decides_the_exponent():
    """In the best order b^⌈m/2⌉ + b^⌊m/2⌋ − 1 leaves; in random order in between."""
    branching, depth = 3, 6

    def grow(left, value, is_max):
        if left == 0:
            return value
        rest = [grow(left - 1, value + (-1 if is_max else 1) * k, not is_max) for k in range(1, branching)]
        return [grow(left - 1, value, not is_max), *rest]

    best = gambito.search("tree", str(grow(depth, 0, True)), "alpha-beta")
    assert best.evaluations == 2 * branching ** (depth // 2) - 1
    leaves = [
        gambito.search(f"uniform-tree:branching=3,depth=6,seed={seed}", algorithm="alpha-beta", gear="python")
        for seed in range(4)
    ]
    mean = sum(found.evaluations for found in leaves) / len(leaves)
    assert best.evaluations < mean < branching**depth


prove(
    slides.test_the_order_of_the_lecture_acts_wherever_it_is_set,
    "S4",
    "orden a priori (captura, amenaza, avanza)",
)


@slide("S4", "transposición ~ explored set")
def test_repeated_states_are_kept_as_in_an_explored_set():
    plain, table = (
        searched("tic-tac-toe", "X.O/.../...", "alpha-beta", 7, **o) for o in ({}, {"table": True})
    )
    assert table.value == plain.value and table.nodes < plain.nodes


# ---- real time ---------------------------------------------------------------------------------------
@slide(
    "S4",
    "H-MINIMAX cutoff",
    "Cutoff-Test en alfa-beta",
    "α-β con Cutoff-Test y profundidad máxima según el tiempo",
)
def test_at_the_cutoff_a_state_is_worth_its_evaluation():
    text = '[{"value":4,"moves":[3,5]},{"value":6,"moves":[9,1]}]'
    for algorithm in ("minimax", "alpha-beta"):
        assert searched("tree", text, algorithm, 1).value == 6
        assert searched("tree", text, algorithm, 2).value == 3
    found = gambito.search("connect-four", None, "alpha-beta", seconds=0.05)
    assert found.depth > 1 and found.seconds < 2


@slide("S4", "función de evaluación ordena terminales", "features, lineal")
def test_the_evaluation_of_tic_tac_toe_orders_the_ends():
    assert "100.0% of pairs in the right order" in command(
        "evaluate", "check", "tic-tac-toe", "--games", "40"
    )
    assert "open lines" in command("evaluate", "show", "tic-tac-toe", "--position", "51")


@slide("S4", "dos alfiles")
def test_two_bishops_are_worth_more_than_twice_one():
    """And a bishop is worth more at the end of the game."""
    terms = {term.name: term for term in gambito.load("chess:evaluation=hand").form.terms}
    assert terms["bishop pair"].middle[0] > 0 and terms["bishop pair"].end[0] > 0
    kinds = terms["material"]
    assert kinds.end[2] != kinds.middle[2]


@slide("S4", "aprendida")
def test_an_evaluation_is_learned_from_games():
    learned, hand = (gambito.load(f"othello:evaluation={name}") for name in ("learned", "hand"))
    state = learned.parse("f5d6c3")
    assert learned.is_learned and learned.evaluate(state, 0) != hand.evaluate(state, 0)


@slide("S4", "IDS robusto", "tiempo de respuesta")
def test_a_search_answers_in_the_time_it_is_given():
    found = gambito.search("connect-four", "44", "alpha-beta", seconds=0.05)
    assert found.action is not None and found.depth >= 1 and found.seconds < 2


prove(
    horizon.test_two_checks_with_pawns_seem_to_save_a_bishop,
    "S4",
    "ejemplo horizonte: alfil, peones e5 f4, 7 plys",
)


@slide("S4", "ejemplo horizonte: alfil, peones e5 f4, 7 plys", "extensión singular")
def test_seven_plies_do_not_see_the_bishop_lost_unless_singular_moves_are_extended():
    plain = {"aspiration": 0, "bounds": False, "order": False, "quiescence": False, "memory": 1}
    blind = traced(BISHOP, None, "engine", 7, table="off", **plain)
    sees = traced(BISHOP, None, "engine", 7, table="same-depth", singular_extension=1, deepen=True, **plain)
    assert (blind.value, blind.line[:3]) == (-4, ["f3+", "Kxf3", "e4+"])
    assert (sees.value, "Rxa2" in sees.line) == (-5, True)
    told("horizon", ("figure 5.9", "the pawns on f4 and e5"), ("figura 5.9", "los peones de f4 y e5"))


# ---- chance ------------------------------------------------------------------------------------------
@slide("S4", "juegos estocásticos", "backgammon", "nodos chance", "21 tiradas 1/36 1/18", "n=21,b=20, 3 plys")
def test_dice_are_twenty_one_outcomes():
    game = gambito.load("backgammon")
    state = game.initial()
    state = state if game.player(state) == -1 else game.result(state, game.legal(state)[0])
    while game.player(state) == -1 and len(list(game.chances(state))) != 21:  # the first roll has no doubles
        state = game.result(state, next(iter(game.chances(state)))[0])
        state = game.result(state, game.legal(state)[0])
    shares = sorted(share for _, share in game.chances(state))
    assert len(shares) == 21 and math.isclose(sum(shares), 1)
    assert [round(36 * share) for share in shares] == [1] * 6 + [2] * 15


@slide("S4", "figura de árbol backgammon", "ver el árbol de azar escrito en Observar")
def test_watch_offers_expectiminimax_where_there_is_chance():
    coins = asked("about", game="tree", start=COINS)
    assert {"expectiminimax", "star1", "star2"} <= set(coins["algorithms"])
    assert "alpha-beta" not in coins["algorithms"]
    assert "alpha-beta" in asked("about", game="tree", start=AIMA)["algorithms"]
    assert "expectiminimax" in asked("about", game="backgammon")["algorithms"]
    shown = asked("trace", game="tree", start=COINS, moves=[], algorithm="expectiminimax", options={})
    assert shown["record"]["value"] == 3.5


@slide("S4", "EXPECTIMINIMAX")
def test_chance_takes_the_expectation():
    found = searched("tree", COINS, "expectiminimax")
    assert (found.value, found.words()[0]) == (3.5, "a")

    def expectiminimax(game, state):
        if game.is_terminal(state):
            return game.utility(state, 0)
        if game.player(state) == -1:
            return sum(p * expectiminimax(game, game.result(state, r)) for r, p in game.chances(state))
        below = [expectiminimax(game, game.result(state, a)) for a in game.actions(state)]
        return max(below) if game.player(state) == 0 else min(below)

    assert CHECKS["expectiminimax"](expectiminimax) is None


@slide("S4", "escala de evaluación", "proporcional a prob. ganar")
def test_a_change_of_scale_changes_the_choice():
    small = searched("tree", '[{"chance":[[0.9,2],[0.1,3]]},{"chance":[[0.9,1],[0.1,4]]}]', "expectiminimax")
    large = searched(
        "tree", '[{"chance":[[0.9,20],[0.1,30]]},{"chance":[[0.9,1],[0.1,400]]}]', "expectiminimax"
    )
    assert (small.words()[0], large.words()[0]) == ("a", "b")
    assert (round(small.value, 1), round(large.value, 1)) == (2.1, 40.9)


prove(scale.test_an_order_preserving_change_changes_the_choice, "S4", "escala de evaluación")


@slide("S4", "O(b^m n^m)")
def test_chance_nodes_multiply_the_leaves():
    def grow(left, is_chance):
        if left == 0:
            return "1"
        if is_chance:
            return '{"chance":[' + ",".join(f"[{1 / 3!r},{grow(left, False)}]" for _ in range(3)) + "]}"
        return "[" + ",".join(grow(left - 1, True) if left > 1 else "1" for _ in range(2)) + "]"

    for plies in (2, 3):
        found = gambito.search("tree", grow(plies, False), "expectiminimax")
        assert found.evaluations == 2**plies * 3 ** (plies - 1)


prove(chance.test_star_cuts, "S4", "podar con cotas")
prove(backgammon.test_star2_needs_a_quarter_of_the_leaves, "S4", "podar con cotas")


@slide("S4", "Montecarlo alternativa", "RL alternativa")
def test_the_alternatives_are_there():
    listed = command("algorithms")
    assert "\nrollout " in listed and "\nmcts " in listed
    found = gambito.search("tree", COINS, "mcts", nodes=400, gear="python", seed=1, reward="score")
    assert found.words()[0] == "a"
    assert "learns from each game of a round (TD)" in " ".join(command("train", "--help").split())
