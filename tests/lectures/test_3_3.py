"""Lecture 3.3, optimisations in adversarial search: what each slide says, run."""

import json
import random

import numpy as np
import pytest

import gambito
from gambito.draw.facts import preorder
from gambito.exercises.course import COURSE
from gambito.game.zobrist import zobrist_change, zobrist_key, zobrist_numbers
from gambito.games.chess.board import PIECE_KEYS, TURN_KEY
from gambito.learn import probcut
from gambito.search.probcut_model import param_of
from tests.books import test_growth as growth
from tests.endgames import test_board_games as boards
from tests.lectures.proofs import EXAMPLES, command, command_json, kqk, prove, searched, slide, told, traced
from tests.memory import test_table as table
from tests.search import test_horizon as horizon
from tests.search import test_slides as slides
from tests.support import LECTURE

OTHELLO = ("othello", "f5d6c3")
BISHOP = f"{EXAMPLES}/doomed_bishop.py:DoomedBishop"
EXCHANGE = f"{EXAMPLES}/exchange.py:Exchange"
GUESSES = f"{EXAMPLES}/guesses.py:Guesses"
THREATS = f"{EXAMPLES}/threats.py:Threats"
PLAIN = {"aspiration": 0, "bounds": False, "table": "off", "order": False}
CHECKS = {one.name: one.check for one in COURSE}
FOUR_STONES = ("connect-four:width=4,height=4", None)


# ---- search in games in practice -------------------------------------------------------------------
@slide("3.3", "heurísticas para valorar sin nodo terminal", "función de evaluación guía")
def test_a_position_that_is_not_over_is_valued():
    record = traced("tic-tac-toe:evaluation=lines", None, "minimax", 2)
    leaves = [node for node in record.nodes if not node.children]
    assert {visit.leaf for node in leaves for visit in node.visits} == {"horizon"}
    assert (record.value, record.line[0]) == (1, "5")


@slide("3.3", "reordenación de nodos")
def test_the_order_of_the_nodes_decides_how_many_are_searched():
    best, worst = (
        searched("tree", text, "alpha-beta")
        for text in ("[[3,12,8],[2,4,6],[2,5,14]]", "[[14,5,2],[6,4,2],[12,8,3]]")
    )
    assert (best.value, worst.value) == (3, 3)
    assert (best.evaluations, worst.evaluations) == (5, 9)


@slide("3.3", "forward pruning", "N-best", "N-best compromiso")
def test_only_the_n_best_moves_are_searched():
    """The fewer moves, the fewer nodes, and the greater the risk: see the next test."""
    nodes = [searched(GUESSES, None, "engine", 3, n_best=n, **PLAIN).nodes for n in (1, 2, 0)]
    assert nodes == [24, 32, 49]
    assert traced(GUESSES, None, "engine", 3, n_best=2, **PLAIN).visited < 49


@slide("3.3", "forward pruning riesgo")
def test_the_best_move_may_be_pruned():
    """The winning column of Connect Four does not look best: with n_best the engine misses it."""
    position = "6455345262665515332232"
    options = {"bounds": False, "check_extension": True}
    whole = searched("connect-four", position, "engine", 4, **options)
    narrow = searched("connect-four", position, "engine", 4, n_best=1, **options)
    assert whole.words()[0] == "6" and narrow.words()[0] == "3" and narrow.nodes < whole.nodes


@slide("3.3", "usar movimientos mejores anteriores", "dos movimientos por profundidad")
@slide("3.3", "los dos killers se prueban antes que el resto")
def test_the_last_two_moves_that_cut_come_first():
    plain = searched(*OTHELLO, "alpha-beta", 5)
    killers = searched(*OTHELLO, "alpha-beta", 5, killers=True)
    assert killers.value == plain.value and killers.nodes < plain.nodes


@slide("3.3", "evitar estados repetidos", "tabla de transposición caché")
def test_a_state_that_is_known_is_not_searched_again():
    plain, known = (searched(*FOUR_STONES, "alpha-beta", 7, **o) for o in ({}, {"table": True}))
    assert known.value == plain.value and known.nodes < 0.7 * plain.nodes


@slide("3.3", "ajuste dinámico de la ordenación", "history heuristic idea")
def test_moves_that_cut_are_tried_first_elsewhere():
    plain, history = (searched(*OTHELLO, "alpha-beta", 5, **o) for o in ({}, {"history": "2^depth"}))
    assert history.value == plain.value and history.nodes < plain.nodes


@slide(
    "3.3", "libros de aperturas", "libro: mejores jugadas", "libro: estadística de partidas", "libro con hash"
)
@slide("3.3", "fuera del libro, búsqueda")
def test_a_book_counts_the_moves_of_games_and_then_the_search_begins(tmp_path):
    games, book = tmp_path / "games.txt", str(tmp_path / "four.book")
    games.write_text("4 4 3 5 1-0\n4 4 3 3 1-0\n1 4 2 5 0-1\n")
    command("book", "build", "connect-four", str(games), "--output", book)
    shown = command_json("book", "show", book)
    assert [(move["action"], move["games"]) for move in shown["moves"]] == [("4", 2), ("1", 1)]
    assert "the book has no move here" in command("book", "show", book, "--position", "33")
    rules = gambito.load("connect-four")
    player = gambito.Player(rules, player=f"engine:depth=2,book={book}")
    assert rules.write(rules.initial(), player.move()) in ("4", "1")
    beyond = rules.parse("33")
    assert player.move(beyond) in rules.legal(beyond)  # the book has nothing here, so it searches


prove(growth.test_a_growing_book_is_minimax_over_its_leaves, "3.3", "libro: análisis de máquinas")


@slide("3.3", "IDS")
def test_iterations_can_be_stopped_and_help_the_next_one():
    record = traced("tree", "[[3,12,8],[2,4,6],[14,5,2]]", "alpha-beta", deepen=True)
    assert len(record.nodes[0].visits) == 2
    found = gambito.search("connect-four", "44", "alpha-beta", nodes=300, gear="python")
    assert found.depth >= 1 and found.action is not None


@slide("3.3", "movimientos forzados")
def test_a_forced_move_costs_no_depth():
    plain, forced = (
        searched(
            THREATS,
            None,
            "engine",
            2,
            one_reply_extension=on,
            check_extension=False,
            quiescence=False,
            **PLAIN,
        )
        for on in (False, True)
    )
    assert (plain.value, forced.value) == (3, 8)


# ---- the horizon and quiescence ----------------------------------------------------------------------
@slide("3.3", "efecto horizonte, definición", "inevitable pero postergable")
def test_a_loss_that_can_be_put_off_disappears_beyond_the_horizon():
    near, far = (searched(BISHOP, None, "alpha-beta", depth) for depth in (7, 8))
    assert near.words()[:3] == ["f3+", "Kxf3", "e4+"] and "Rxa2" not in near.words()
    assert (near.value, far.value) == (-4, -5) and "Rxa2" in far.words()


@slide("3.3", "remedio: posiciones tranquilas", "profundidad variable")
def test_quiescence_goes_on_where_the_position_is_not_quiet():
    plain, quiet = (searched(BISHOP, None, "engine", 7, quiescence=on, **PLAIN) for on in (False, True))
    assert (plain.value, quiet.value) == (-4, -5)
    record = traced(EXCHANGE, None, "negascout", 1, form="second")
    depths = {}
    for number in preorder(record):
        parent = record.nodes[number].parent
        depths[number] = 0 if parent is None else depths[parent] + 1
    assert max(depths[n] for n in depths if record.nodes[n].visits) == 3  # two plies beyond the depth of one


@slide("3.3", "standing pat", "pseudocódigo Quiesce")
def test_the_text_of_the_slide_is_a_right_quiescence():
    def quiesce(game, state, alpha, beta):
        player = game.player(state)
        if game.is_terminal(state):
            return game.utility(state, player)
        stand_pat = game.evaluate(state, player)
        if stand_pat >= beta:
            return beta
        alpha = max(alpha, stand_pat)
        for capture in game.noisy(state):
            child = game.result(state, capture)
            if game.player(child) == player:
                score = quiesce(game, child, alpha, beta)
            else:
                score = -quiesce(game, child, -beta, -alpha)
            if score >= beta:
                return beta
            alpha = max(alpha, score)
        return alpha

    assert CHECKS["quiescence"](quiesce) is None
    assert searched(EXCHANGE, None, "engine", 1, quiescence=True).value == 0  # nothing has to be taken


# ---- ProbCut -----------------------------------------------------------------------------------------
def samples():
    """Values of searches to depths 1 … 4, of which each predicts the next: v(4) = 1.2 · v(2) + 3 ± 0.5."""
    rng = np.random.default_rng(1)
    two = rng.normal(0, 10, 400)
    four = 1.2 * two + 3 + rng.normal(0, 0.5, 400)
    return probcut.Samples(4, {0: np.stack([two, two, four, four], axis=1).tolist()}, 400)


@slide("3.3", "ProbCut idea correlación", "ProbCut V_D=aV_s+b+e", "aprender a,b,sigma")
def test_a_model_is_fitted_to_searches_of_two_depths():
    (row,) = (one for one in probcut.fit(samples()) if (one.depth, one.shallow) == (4, 2))
    assert row.slope == pytest.approx(1.2, abs=0.02) and row.offset == pytest.approx(3, abs=0.1)
    assert row.sigma == pytest.approx(0.5, abs=0.1) and row.correlation > 0.99


@slide("3.3", "a,b,sigma por fase", "Multi-ProbCut varias pruebas crecientes", "Multi-ProbCut alturas")
def test_the_model_of_othello_has_rows_for_stages_heights_and_tries():
    model = gambito.load("othello").probcut_model
    assert len({row[0] for row in model}) > 3 and len({row[1] for row in model}) > 3
    tries = [row[2] for row in model if row[0] == model[0][0] and row[1] == 8]
    assert len(tries) == 2 and tries == sorted(tries)
    table = param_of([tuple(row) if len(row) == 7 else (*row, 1.5) for row in model])
    assert set(table[0][8][0]) == {"d", "t", "a", "b", "sigma"}


@slide("3.3", "T=1.5", "ProbCut pseudo: D=8, DP=4 fijos")
def test_the_slides_depths_and_threshold_are_the_defaults():
    options = command("algorithms", "alpha-beta")
    assert "deep=8" in options and "shallow=4" in options
    game, root = slides.rooted(slides.valued(random.Random(13), 2, 9, 6))
    usual, said = (
        gambito.search(game, root, "alpha-beta", depth=9, probcut="one", **given)
        for given in ({}, {"deep": 8, "shallow": 4, "certainty": 1.5})
    )
    assert (usual.value, usual.nodes) == (said.value, said.nodes)


prove(
    slides.test_probcut_as_on_the_slide,
    "3.3",
    "ProbCut pseudo: D=8, DP=4 fijos",
    "ProbCut: prueba beta y alfa",
    "ProbCut round",
    "la poda por cotas del modelo: fuera de (α − b − Tσ, β − b + Tσ)",
)
prove(
    slides.test_multi_probcut_has_a_threshold_for_each_stage_depth_and_try,
    "3.3",
    "Multi-ProbCut umbral t por fase/altura",
    "Multi-ProbCut alturas",
)


# ---- evaluations -------------------------------------------------------------------------------------
@slide("3.3", "construida a mano / pesos", "combinación lineal", "pesos: expertos / automático")
def test_a_sum_of_weights_set_by_hand():
    shown = command_json("evaluate", "show", "checkers:evaluation=shannon", "--position", "B:B10:W14,15,32")
    (one,) = shown["evaluations"]
    total = sum(part["amount"] * part["weights"][0] for part in one["coefficients"])
    assert total == one["value"] == -204
    names = [e["evaluation"] for e in command_json("evaluate", "compare", "othello")["evaluations"]]
    assert names == ["hand", "learned"]  # by experts, and by the machine


@slide("3.3", "aprendida con redes/RL/supervisado", "no lineal")
def test_evaluations_that_were_learned():
    forms = {
        name: command_json("evaluate", "show", name)["evaluations"][0]["form"]
        for name in ("chess", "othello")
    }
    assert forms["chess"].startswith("wide") and forms["othello"] == "patterns"
    assert "td, td-leaf, samuel, network or alphazero" in " ".join(command("train", "--help").split())


@slide("3.3", "propiedad 1 terminales", "propiedad 2 rápida", "propiedad 3 precisa")
def test_the_three_properties_are_measured():
    found = command_json("evaluate", "check", "tic-tac-toe", "--games", "60")
    assert found["ordered"] == 1.0 and found["nanoseconds"] < 1000
    assert 0 < found["error"] < 0.3 and len(found["bins"]) > 2


@slide("3.3", "pesos varían en la partida")
def test_a_term_of_chess_has_a_weight_for_the_middle_game_and_one_for_the_end():
    game = gambito.load("chess:evaluation=hand")
    assert any(term.middle != term.end for term in game.form.terms)
    middle, end = (
        game.evaluate(game.parse(text), 0)
        for text in (
            "rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 1",
            "4k3/p7/8/8/8/8/8/4K3 w - - 0 1",
        )
    )
    assert middle < 0 and end < 0 and middle != end  # a pawn less is not worth the same


# ---- history and the null move -----------------------------------------------------------------------
@slide("3.3", "tabla indexada origen-destino")
def test_history_knows_a_move_by_its_squares():
    """In chess the index of a move holds its piece and its target."""
    game = gambito.load("chess")
    state = game.parse("4k3/8/8/8/8/8/8/R3K2R w - - 0 1")
    kinds = {game.write(state, action): int(game.action_kind(action)) for action in game.legal(state)}
    assert kinds["Rd1"] != kinds["Rc1"] and len(set(kinds.values())) > 10


prove(slides.test_history_as_on_the_slide, "3.3", "+2^depth", "pseudocódigo AlphaBeta con historia")
prove(
    slides.test_the_null_move_as_on_the_slide,
    "3.3",
    "movimiento nulo idea",
    "observación del movimiento nulo",
    "R=2",
    "in_check / null_ok",
    "pseudo plano sin condiciones extra",
)


@slide("3.3", "movimiento nulo idea", "R=2", "observación del movimiento nulo")
def test_a_pass_that_is_good_enough_cuts():
    plain, null = (searched(*OTHELLO, "alpha-beta", 5, **o) for o in ({}, {"null_move": 2}))
    assert null.nodes < plain.nodes and not null.exact
    assert CHECKS["null-move"](dict(CHECKS["null-move"].mistakes)["no null move is tried"]) is not None


@slide("3.3", "detección de amenazas y ordenación")
def test_what_answers_a_pass_orders_the_moves():
    """The engine's option `threats`: the move that refutes a null move is a threat, and is met first."""
    assert "threat_ordering" in command("algorithms", "engine")
    base = {"null_move": 2, "null_move_verification": False, "quiescence": False, "order": True, "memory": 1}
    plain, threats = (
        gambito.search("othello", "f5d6c3", "engine", depth=5, gear="python", threat_ordering=on, **base)
        for on in (False, True)
    )
    assert plain.value == threats.value


prove(horizon.test_a_null_move_is_blind_to_zugzwang, "3.3", "zugzwang")
prove(slides.test_a_null_move_of_the_slide_is_blind_to_zugzwang, "3.3", "zugzwang")
prove(horizon.test_two_checks_with_pawns_seem_to_save_a_bishop, "3.3", "efecto horizonte, definición")


# ---- the table and its keys --------------------------------------------------------------------------
@slide("3.3", "hash", "consulta constante", "memoria")
def test_the_table_has_a_fixed_size_and_is_asked_by_a_key():
    small, large = (
        gambito.search("connect-four", "44", "mtd-f", depth=6, memory=memory) for memory in (1, 16)
    )
    assert small.value == large.value
    game = gambito.load("connect-four")
    assert game.key(game.parse("4453")) == game.key(game.parse("4354"))


prove(table.test_the_less_used_entry_goes, "3.3", "borrar menos usadas")


@slide("3.3", "Zobrist idea", "Zobrist XOR", "Zobrist incremental", "Zobrist colisiones")
def test_a_key_is_an_exclusive_or_and_is_updated():
    numbers = zobrist_numbers(cells=6, kinds=3)
    rng, board, key = random.Random(2), [0] * 6, 0
    seen = {}
    for _ in range(300):
        cell, kind = rng.randrange(6), rng.randrange(3)
        key = int(zobrist_change(numbers, key, cell, board[cell], kind))
        board[cell] = kind
        assert key == int(zobrist_key(numbers, board))
        assert seen.setdefault(key, tuple(board)) == tuple(board)  # no collision


@slide("3.3", "Zobrist pseudo black_to_move", "ejemplo peón reemplazado por torre")
def test_a_capture_is_a_pawn_out_a_rook_in_and_a_rook_out():
    chess = gambito.load("chess")
    state = chess.parse("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1")
    after = chess.result(state, chess.read(state, "Rxa7"))
    pawn_out, rook_in, rook_out = (PIECE_KEYS[n] for n in (384 + 48, 64 * 3 + 48, 64 * 3))
    assert int(after.key) == int(state.key ^ pawn_out ^ rook_in ^ rook_out ^ TURN_KEY)
    other = chess.parse("4k3/p7/8/8/8/8/8/R3K3 b - - 0 1")
    assert int(state.key ^ other.key) == int(TURN_KEY)
    told("algorithms/transposition-table", ("black_to_move", "the rook on a1 goes out"), ("mueven_negras",))


# ---- books and tables --------------------------------------------------------------------------------
@slide("3.3", "tablas de finales", "valor teórico + distancia", "análisis retrógrado", "memoria de tablas")
def test_a_table_holds_the_outcome_and_the_distance_of_every_position():
    where, built = kqk()
    assert (built["wins"], built["longest"]) == (18_081, 20) and built["bytes"] < 1 << 20
    told_by = command_json("endgame", "probe", "chess", "8/8/8/8/8/2k5/8/KQ6 w - - 0 1", "--tables", where)
    assert (told_by["outcome"], told_by["distance"]) == ("win", 11)


@slide("3.3", "cambios en teoría de finales")
def test_tables_that_corrected_theory():
    where, _ = kqk()
    longest = command_json("endgame", "longest", "chess", "KQK", "--tables", where)
    assert longest["distance"] == 19
    told("endgames", ("Kling and Horwitz", "78 moves", "35 moves"), ("Kling y Horwitz", "78 jugadas"))


prove(boards.test_checkers_of_two_and_three_pieces, "3.3", "damas y molino")
prove(boards.test_morris_positions_up_to_symmetry, "3.3", "damas y molino")


def test_winstons_tree_is_the_one_of_the_lectures():
    assert json.loads(LECTURE)[0][0] == [8, 7, 3]
