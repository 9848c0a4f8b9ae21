"""Tutorial 6, heuristics and adversarial search: what each slide says, run."""

import heapq
import itertools
import math

import gambito
from gambito.exercises.course import COURSE
from gambito.puzzle.heuristics import guided
from tests.lectures.proofs import EXAMPLES, asked, command, prove, searched, slide, told, traced
from tests.puzzle import test_relaxed as relaxed
from tests.support import AIMA

CHECKS = {one.name: one.check for one in COURSE}
EIGHT = ("sliding-tiles:goal=spiral", "2 8 3 1 6 4 7 0 5")


def estimate(puzzle, name, state):
    version = guided(puzzle, name)
    return version.puzzle.guess(version.memory("python"), state)


# ---- A* ----------------------------------------------------------------------------------------------
def a_star(puzzle, start, h):
    """The text of the slide: Open is reordered when a better way to a state is found."""
    g = {start: 0}
    parent = {start: None}
    count = itertools.count()
    frontier = [(h(start), next(count), start)]
    while frontier:
        f, _, u = heapq.heappop(frontier)
        if f > g[u] + h(u):
            continue
        if puzzle.is_goal(u):
            return g[u]
        for action in puzzle.actions(u):
            v = puzzle.result(u, action)
            cost = g[u] + puzzle.cost(u, action)
            if cost >= g.get(v, math.inf):
                continue
            parent[v], g[v] = u, cost
            heapq.heappush(frontier, (cost + h(v), next(count), v))
    return None


@slide(
    "A6", "A* pseudocódigo", "reordenar Open / reinsertar", "A*: reinsertar con mejor coste cambia el padre"
)
def test_the_text_of_the_slide_is_a_right_a_star():
    assert CHECKS["a-star"](a_star) is None
    found = gambito.search("graph", None, "a-star")
    assert found.exact and found.cost == gambito.search("graph", None, "uniform-cost").cost
    lazy = gambito.search("graph", None, "a-star", eager=False)
    assert lazy.cost == found.cost


@slide("A6", "¿qué es heurística? h(s)")
def test_a_heuristic_gives_a_number_for_each_state():
    puzzle = gambito.load("grid-map")
    assert estimate(puzzle, "octile", puzzle.goal(puzzle.initial())) == 0
    assert estimate(puzzle, "octile", puzzle.initial()) > 0


@slide("A6", "ejemplos cotidianos")
def test_heuristics_of_every_day_are_told():
    told("puzzles", ("umbrella", "reviewed badly", "packaging"), ("paraguas", "malas opiniones", "envase"))


@slide("A6", "euclídea", "Manhattan")
def test_distances_are_heuristics():
    puzzle = gambito.load("grid-map:directions=4")
    state = puzzle.parse("S../.../..G")
    puzzle = puzzle.at(state)
    assert estimate(puzzle, "manhattan", state) == 4
    assert estimate(puzzle, "euclidean", state) == 3  # √8, rounded up where costs are whole numbers


@slide("A6", "admisibilidad", "grafo A,B,C h*(A)=12")
def test_a_heuristic_that_never_exceeds_the_true_cost():
    """h(A) ≤ 12, h(B) ≤ 2 and h(C) ≤ 16, as in the slide's graph; with h(B) = 3 it is refused."""
    graph = gambito.load("graph")
    roads = "A>B 10, B>G 2, A>C 4, C>G 16; A=12 B={} C=16 G=0; A to G"
    for h, is_admissible in ((2, True), (3, False)):
        state = graph.parse(roads.format(h))
        found = gambito.check_heuristic(graph.at(state), "estimate")
        assert bool(found.admissible) == is_admissible
        if is_admissible:
            assert gambito.search(graph.at(state), state, "a-star").cost == 12


@slide("A6", "8-puzle 283/164/7_5 Manhattan")
def test_the_8_puzzle_of_the_slide():
    puzzle = gambito.load(EIGHT[0])
    assert estimate(puzzle, "manhattan", puzzle.parse(EIGHT[1])) == 5
    assert gambito.search(*EIGHT, "a-star", heuristic="manhattan").cost == 5


@slide(
    "A6", "consistencia dos condiciones", "ejemplo consistente / inconsistente", "h(s) = 0 en los objetivos"
)
def test_consistency_is_checked_and_a_counter_example_is_shown():
    assert "consistent  yes, proven" in command("heuristic", "check", "grid-map", "--heuristic", "octile")
    wrong = command("heuristic", "check", "grid-map", "--heuristic", "manhattan")
    assert "not consistent: h = 13, the action SE costs 1.41421, and behind it h = 11" in wrong
    puzzle = gambito.load("sliding-tiles")
    assert all(estimate(puzzle, name, puzzle.finished) == 0 for name in ("manhattan", "misplaced"))


@slide("A6", "consistente implica admisible", "A* óptimo con admisible")
def test_what_is_consistent_is_admissible_and_then_a_star_is_optimal():
    for name in ("octile", "euclidean", "chebyshev", "manhattan", "relaxed"):
        found = gambito.check_heuristic("grid-map", name)
        assert found.admissible or not found.consistent
        if found.admissible:
            assert math.isclose(
                gambito.search("grid-map", None, "a-star", heuristic=name).cost,
                gambito.search("grid-map", None, "uniform-cost").cost,
            )


prove(relaxed.test_a_maze_without_walls_is_a_distance, "A6", "laberinto sin paredes = Manhattan")
prove(
    relaxed.test_heuristics_of_the_8_puzzle_are_costs_of_its_supergraphs,
    "A6",
    "relajación 8-puzle",
    "relajación: supergrafo",
)


@slide("A6", "relajación: supergrafo", "laberinto sin paredes = Manhattan", "relajación 8-puzle")
def test_leaving_a_rule_out_gives_a_supergraph():
    """Every path of the maze is a path of the map without walls, which is never longer."""
    puzzle = gambito.load("grid-map:directions=4")
    (free,) = puzzle.relaxed()
    for cell in range(len(puzzle.ground)):
        assert int(puzzle.ways[cell]) & ~int(free.ways[cell]) == 0
    state = puzzle.initial()
    assert estimate(puzzle, "relaxed", state) == estimate(puzzle, "manhattan", state) == 13
    assert gambito.search(puzzle, state, "a-star", heuristic="relaxed").cost == 17
    assert "yes, proven" in command("heuristic", "check", "grid-map:directions=4", "--heuristic", "relaxed")
    tiles = gambito.load(f"{EXAMPLES}/relaxed_tiles.py:Jumping")
    assert estimate(tiles, "relaxed", tiles.shuffled(1)) == estimate(tiles, "misplaced", tiles.shuffled(1))
    told("puzzles", ("supergraph",), ("supergrafo",))


# ---- games -------------------------------------------------------------------------------------------
@slide("A6", "suma cero / info perfecta", "gato, conecta-4, ajedrez")
def test_three_games_of_perfect_information():
    for name in ("tic-tac-toe", "connect-four", "chess"):
        game = gambito.load(name)
        assert (game.players, game.zero_sum, game.hidden, game.chance) == (2, True, False, False)
    game = gambito.load("tic-tac-toe")
    won = game.parse("14253")
    assert game.is_terminal(won) and game.utility(won, 0) == -game.utility(won, 1) == 1


@slide("A6", "tablero nodo, jugada arco")
def test_boards_are_nodes_and_moves_are_arcs():
    record = traced("tic-tac-toe", "X.O/.X./O..", "minimax", 2)
    assert [record.nodes[n].action for n in record.nodes[0].children] == ["2", "4", "6", "8", "9"]


@slide("A6", "Max y Min", "minimax con (utility, move)", "cálculo paso a paso", "retorno: hijo izquierdo 8")
def test_max_and_min_and_the_move_of_the_value():
    text = "[[8,[9,12]],[[3,11],5]]"
    found = searched("tree", text, "minimax")
    assert (found.value, found.words()[0]) == (8, "a")  # the left child
    record = traced("tree", text, "minimax")
    values = [step for step in record.steps if step.kind == "value"]
    assert values and {node.player for node in record.nodes if node.children} == {0, 1}
    shown = asked("trace", game="tree", start=text, moves=[], algorithm="minimax", options={})
    assert shown["record"]["value"] == 8


@slide("A6", "10^44 estados")
def test_the_number_of_positions_of_chess_is_told():
    assert gambito.perft("chess", depth=2, gear="python") == 400
    told("algorithms/kinds-of-games", ("10⁴⁴",), ("10⁴⁴",))


@slide("A6", "podar / acotar")
def test_a_tree_can_be_pruned_or_cut_off():
    whole = searched("tree", AIMA, "minimax")
    assert searched("tree", AIMA, "alpha-beta").nodes < whole.nodes
    assert searched("tree", AIMA, "minimax", 1).nodes < whole.nodes


@slide("A6", "cota superior beta ejemplo x>=10", "cota inferior alfa ejemplo")
def test_the_two_bounds_of_the_slides():
    upper = traced("tree", "min [8,[10,null,null]]", "alpha-beta")
    lower = traced("tree", "[8,[3,null,null]]", "alpha-beta")
    cuts = [[step.text for step in one.steps if step.kind == "cut"] for one in (upper, lower)]
    assert cuts == [
        ["value ≥ 10: β cut-off: the root has 8 already"],
        ["value ≤ 3: α cut-off: the root has 8 already"],
    ]


@slide("A6", "PODA pseudocódigo 4e")
def test_the_text_of_the_slide_is_a_right_alpha_beta():
    """(utility, move) pairs, for MAX; the exercise asks for the value of the player to move."""

    def value(game, state, depth, alpha, beta, is_max):
        if game.is_terminal(state):
            return game.utility(state, 0)
        if depth == 0:
            return game.evaluate(state, 0)
        v = -math.inf if is_max else math.inf
        for a in game.actions(state):
            child = game.result(state, a)
            v2 = value(game, child, depth - 1, alpha, beta, game.player(child) == 0)
            if is_max and v2 > v:
                v = v2
                alpha = max(alpha, v)
            elif not is_max and v2 < v:
                v = v2
                beta = min(beta, v)
            if v >= beta if is_max else v <= alpha:
                return v
        return v

    def alpha_beta(game, state, depth, alpha, beta):
        if game.player(state) == 0:
            return value(game, state, depth, alpha, beta, True)
        return -value(game, state, depth, -beta, -alpha, False)

    assert CHECKS["alpha-beta"](alpha_beta) is None


@slide("A6", "función de evaluación", "veamos código")
def test_an_evaluation_limits_the_height_and_there_is_code_to_see():
    found = searched("tic-tac-toe:evaluation=lines", None, "alpha-beta", 2)
    assert (found.value, found.words()[0]) == (1, "5")
    assert "negamax" in command("exercise", "list")
