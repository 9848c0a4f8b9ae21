"""Activity 29, search with an adversary: what each part says, run."""

import gambito
from gambito.draw.boxes import boxes
from gambito.exercises.course import COURSE
from gambito.exercises.trees import trees
from tests.draw import test_boxes
from tests.evaluate import test_show
from tests.lectures.proofs import asked, command, command_json, kqk, prove, searched, slide, told, traced
from tests.support import LECTURE

FOUR = "[[2,7],[1,8]]"
CHECKS = {one.name: one.check for one in COURSE}


# ---- history -----------------------------------------------------------------------------------------
@slide("C29", "Babbage", "Shannon, Turing, Samuel historia")
def test_the_history_is_told():
    told(
        "history",
        ("Charles Babbage", "Analytical Engine", "Claude Shannon", "Alan Turing", "Arthur Samuel"),
        ("Charles Babbage", "máquina analítica", "Claude Shannon", "Alan Turing", "Arthur Samuel"),
    )


@slide("C29", "35^100")
def test_the_tree_of_chess_has_35_to_the_100_lines():
    assert len(str(35**100)) == 155
    told("history", ("35¹⁰⁰", "155 digits"), ("35¹⁰⁰", "155 cifras"))


@slide("C29", "generar y probar")
def test_a_better_generator_and_a_better_tester_each_help_alone():
    """Ordering improves the generator: fewer nodes, the same value. Evaluation improves the tester."""
    plain = searched("othello", "f5d6c3", "alpha-beta", 4)
    ordered = searched("othello", "f5d6c3", "alpha-beta", 4, order="game")
    assert ordered.value == plain.value and ordered.nodes < plain.nodes
    blind, judged = (
        searched(spec, None, "minimax", 2) for spec in ("tic-tac-toe", "tic-tac-toe:evaluation=lines")
    )
    assert (blind.value, judged.words()[0]) == (0, "5")
    told("history", ("*generate and test*",), ("*generación y prueba*",))


@slide("C29", "Turing B/N")
def test_turings_evaluation_is_a_quotient():
    shown = command("evaluate", "show", "chess:evaluation=turing", "--position", "e4,d5,exd5")
    assert "White's pieces      41" in shown and "Black's pieces      40" in shown and "1.025" in shown
    game = gambito.load("chess:evaluation=turing")
    even = game.parse("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    assert game.worded(game.evaluate(game.initial(), 0), 0) == "1.000" and game.evaluate(even, 0) > 0


@slide("C29", "Shannon c1..c3 damas")
def test_shannons_sum_for_draughts_has_three_coefficients():
    for name in ("draughts", "checkers"):
        (one,) = command_json("evaluate", "show", f"{name}:evaluation=shannon")["evaluations"]
        assert [part["name"] for part in one["coefficients"]] == ["pieces", "advance", "double threats"]
        assert [part["weights"] for part in one["coefficients"]] == [[100.0], [4.0], [20.0]]
    told("history", ("c₁ ·",), ("c₁ ·", "amenazas dobles"))


prove(test_show.test_learned_coefficients_are_read_from_their_files, "C29", "Samuel aprende pesos")


@slide("C29", "Samuel aprende pesos", "asignación de crédito")
def test_samuels_coefficients_can_be_printed():
    shown = command("evaluate", "show", str(test_show.SAMUEL))
    assert "king in the middle" in shown and "blank" in shown
    told("learning", ("**Credit assignment.**", "after 160 games"), ("**La asignación de crédito.**",))


@slide("C29", "aperturas y finales")
def test_openings_and_endings_are_looked_up(tmp_path):
    games, book = tmp_path / "games.txt", str(tmp_path / "own.book")
    games.write_text("5 1 9 3 1/2-1/2\n5 3 1/2-1/2\n")
    command("book", "build", "tic-tac-toe", str(games), "--output", book)
    assert command_json("book", "show", book)["moves"][0]["action"] == "5"
    position = "k7/8/1K6/8/8/8/7Q/8 w - - 0 1"
    known = command_json("endgame", "probe", "chess", position, "--tables", kqk()[0])
    assert (known["outcome"], known["distance"], known["action"]) == ("win", 1, known["line"][0])


# ---- minimax -----------------------------------------------------------------------------------------
@slide("C29", "árbol de estados fig 1")
def test_boards_and_moves_are_a_tree():
    record = traced("tic-tac-toe", "X.O/.X./O..", "minimax", 2)
    assert len(record.nodes[0].children) == 5 and record.nodes[1].action == "2"


@slide("C29", "evaluador estático", "maximizador/minimizador", "fig 2/3 2-7-1-8", "principio alfa-beta")
@slide("C29", "+100 o −100 en el último nodo no cambia nada")
def test_the_four_leaves_of_the_figure():
    assert (searched("tree", FOUR, "minimax").value, searched("tree", FOUR, "minimax").evaluations) == (2, 4)
    found = searched("tree", FOUR, "alpha-beta")
    assert (found.value, found.words()[0], found.evaluations) == (2, "a", 3)
    for last in ("100", "-100", "null"):
        assert searched("tree", f"[[2,7],[1,{last}]]", "alpha-beta").value == 2


# ---- alpha-beta --------------------------------------------------------------------------------------
@slide("C29", "16 de 27", "la mejor jugada es la rama intermedia", "mismo movimiento que MINIMAX")
@slide("C29", "se evita evaluar 11 hojas y dos generaciones de movimientos")
def test_winstons_tree_needs_sixteen_evaluations():
    whole, pruned = (searched("tree", LECTURE, name) for name in ("minimax", "alpha-beta"))
    assert (whole.evaluations, pruned.evaluations) == (27, 16)
    assert (pruned.value, pruned.words()[0]) == (whole.value, whole.words()[0]) == (5, "b")
    record = traced("tree", LECTURE, "alpha-beta")
    never = [node for node in record.nodes if node.cut is not None]
    right = record.nodes[0].children[2]
    assert sum(node.parent == right for node in never) == 2  # two more generations of moves saved


prove(test_boxes.test_the_39_boxes_of_the_lecture, "C29", "39 pasos numerados")


@slide("C29", "39 pasos numerados")
def test_winstons_tree_is_walked_in_thirty_nine_steps():
    found = boxes(traced("tree", LECTURE, "alpha-beta"))
    assert len(found) == 39
    assert "39" in command("trace", "tree", "--position", LECTURE, "--algorithm", "alpha-beta", "--boxes")
    shown = asked(
        "trace", game="tree", start=LECTURE, moves=[], algorithm="alpha-beta", options={}, boxes=True
    )
    assert shown["record"]["value"] == 5


@slide("C29", "cortes profundos")
def test_a_deep_cut_looks_further_up_than_one_level():
    record = traced("tree", "[5,[[[4,9],7],8]]", "alpha-beta")
    (cut,) = (step for step in record.steps if step.kind == "cut")
    above = record.nodes[cut.node].parent
    assert cut.value <= 5 and above != 0 and record.nodes[above].parent != 0  # the bound is the root's


@slide("C29", "procedimiento ALFA-BETA devuelve alfa/beta")
def test_the_procedure_that_returns_alpha_or_beta_is_right():
    def procedure(game, state, depth, alpha, beta):
        player = game.player(state)
        if game.is_terminal(state):
            return game.utility(state, player)
        if depth == 0:
            return game.evaluate(state, player)
        for action in game.actions(state):
            child = game.result(state, action)
            if game.player(child) == player:
                alpha = max(alpha, procedure(game, child, depth - 1, alpha, beta))
            else:
                alpha = max(alpha, -procedure(game, child, depth - 1, -beta, -alpha))
            if alpha >= beta:
                break
        return alpha

    assert CHECKS["alpha-beta"](procedure) is None


@slide("C29", "alfa no decrece, beta no crece", "regla a, corte alfa", "regla b, corte beta")
def test_bounds_move_in_one_direction_and_two_rules_cut():
    """On random trees: α of a MAX node never falls, β of a MIN node never rises; a cut below MIN is by α."""
    game, cuts = gambito.load("tree"), set()
    for text in [LECTURE, *trees(60)]:
        root = game.parse(text)
        if not root.moves:
            continue
        record = gambito.trace(game.at(root), root, "alpha-beta")
        for number, node in enumerate(record.nodes):
            is_max = node.player == 0
            steps = [step for step in record.steps if step.node == number]
            course = [step.value for step in steps if step.kind == ("alpha" if is_max else "beta")]
            assert course == sorted(course, reverse=not is_max)
            for step in steps:
                if step.kind == "cut" and step.cut:
                    cuts.add((is_max, "β cut-off" in step.text))
                    assert step.value >= step.beta if is_max else step.value <= step.alpha
    assert cuts == {(True, True), (False, False)}
    told("algorithms/alpha-beta", ("**Rule a.**", "**alpha cut**"), ("**Regla a.**", "**corte alfa**"))


@slide("C29", "primero en profundidad")
def test_alpha_beta_goes_down_first():
    record = traced("tree", LECTURE, "alpha-beta")
    entered = [step.node for step in record.steps if step.kind == "enter"]
    assert entered[:4] == [0, 1, 2, 3] and entered == sorted(entered)
