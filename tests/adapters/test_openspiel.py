"""OpenSpiel both ways: its games are searched here, and Gambito's games and players run there."""

import pickle
import random

import numpy as np
import pytest

import gambito
from gambito.game.registry import spec_of

pyspiel = pytest.importorskip("pyspiel")
minimax = pytest.importorskip("open_spiel.python.algorithms.minimax")
their_mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")

from gambito.adapters.openspiel import IMAGINED, as_bot, as_pyspiel  # noqa: E402

QUICK = ("tic_tac_toe", "kuhn_poker", "matrix_rps", "catch", "goofspiel(num_cards=3)")
# Games of every kind: boards, dice, cards, moves at the same time, one player, many players.
CHECKED = (
    *QUICK, "2048", "blackjack", "blotto", "breakthrough",
    "clobber", "coin_game", "connect_four", "dark_hex", "deep_sea", "dots_and_boxes",
    "einstein_wurfelt_nicht", "go(board_size=5)", "havannah(board_size=3)", "hex(board_size=5)",
    "leduc_poker", "liars_dice", "lines_of_action", "mancala", "matching_pennies_3p", "matrix_bos",
    "matrix_mp", "matrix_pd", "matrix_sh", "misere(game=tic_tac_toe())", "mnk", "nim",
    "oshi_zumo(coins=4,size=1)", "othello", "pentago", "phantom_ttt", "tiny_bridge_2p", "tiny_hanabi",
    "ultimate_tic_tac_toe", "y(board_size=5)",
)  # fmt: skip
SOLVED = (
    "tic_tac_toe", "nim(pile_sizes=2;3;4)", "connect_four(rows=4,columns=4,x_in_row=3)",
    "hex(board_size=3)", "mnk(m=3,n=3,k=3)", "breakthrough(rows=4,columns=3)",
    "dots_and_boxes(num_rows=1,num_cols=2)", "clobber(rows=3,columns=3)", "y(board_size=3)",
    "havannah(board_size=2)", "go(board_size=2)", "misere(game=tic_tac_toe())",
)  # fmt: skip
GAMES = 30  # against their search
OURS = (
    "tic-tac-toe", "connect-four", "kuhn-poker", "leduc-poker", "breakthrough", "pig", "liars-dice",
    "hex:size=4", "nim", "kalah", "dots-and-boxes", "goofspiel", "tic-tac-toe-3", "hearts", "einstein",
    "prisoners-dilemma",
)  # fmt: skip


@pytest.mark.parametrize("name", QUICK)
def test_check_passes(name):
    assert gambito.check(f"openspiel:{name}", games=5).problems == []


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKED)
def test_check_passes_on_many(name):
    assert gambito.check(f"openspiel:{name}", games=3).problems == []


@pytest.mark.parametrize("name", SOLVED[2:4])
def test_values_are_openspiels(name):
    value, _ = minimax.alpha_beta_search(pyspiel.load_game(name))
    found = gambito.search(f"openspiel:{name}", algorithm="alpha-beta", depth=60)
    assert found.exact and found.value == value


@pytest.mark.slow
@pytest.mark.parametrize("name", SOLVED)
def test_solved_values_are_openspiels(name):
    value, _ = minimax.alpha_beta_search(pyspiel.load_game(name))
    for found in (
        gambito.solve(f"openspiel:{name}"),
        gambito.search(f"openspiel:{name}", algorithm="alpha-beta", depth=100),
    ):
        assert found.exact and found.value == value


def test_hidden_and_dice():
    """Kuhn poker is worth -1/18 to the first player; a fair game of stones and scissors nothing."""
    kuhn = gambito.solve("openspiel:kuhn_poker")
    assert kuhn.value == pytest.approx(-1 / 18, abs=1e-4)
    assert gambito.solve("openspiel:matrix_rps").value == pytest.approx(0, abs=1e-6)
    game = gambito.load("openspiel:kuhn_poker")
    state = game.parse("0 2")  # the first player has the lowest card
    assert gambito.search(game, state, "ismcts", nodes=500).action in (0, 1)
    assert game.observe(state, 0) == game.observe(game.parse("0 1"), 0)
    assert game.observe(state, 0) != game.observe(game.parse("1 2"), 0)


def test_text_reads_back_and_objects_travel():
    game = gambito.load("openspiel:tic_tac_toe")
    state = game.parse("4 0")
    assert game.text(state) == "4 0" and game.parse("x(1,1) o(0,0)") == state
    assert game.read(state, game.token(state, 8)) == 8 and game.write(state, 8) == "x(2,2)"
    assert spec_of(game) == "openspiel:tic_tac_toe"
    again, copy = pickle.loads(pickle.dumps((game, state)))
    assert again.label() == game.label() and copy == state and again.show(copy) == game.show(state)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("openspiel:chess_of_mine", "OpenSpiel has no game 'chess_of_mine'; accepted: 2048"),
        ("openspiel:", "OpenSpiel has no game ''"),
        ("openspiel:tic_tac_toe(size=4)", "OpenSpiel cannot make 'tic_tac_toe(size=4)': Unknown parameter"),
        ("openspiel:mfg_garnet", "mfg_garnet is a game of a whole population"),
        ("openspiel:crossword", "the actions of crossword in OpenSpiel are no numbers"),
        ("openspiel:morpion_solitaire", "OpenSpiel crashes when it copies a state of morpion_solitaire"),
        ("openspiel:negotiation", "OpenSpiel draws the chances of negotiation in secret"),
    ],
)
def test_what_is_wrong_is_told(name, told):
    with pytest.raises(gambito.GameError, match="^" + told.replace("(", r"\(").replace(")", r"\)")):
        gambito.load(name)


def test_a_move_that_is_wrong():
    game = gambito.load("openspiel:tic_tac_toe")
    with pytest.raises(gambito.PositionError, match=r"'z' is not a move here; accepted: o\(0,0\)"):
        game.parse("4 z")


@pytest.mark.thorough
def test_imagined_worlds_are_openspiels():
    """The list of games whose hidden part OpenSpiel imagines is what this version of OpenSpiel can do."""
    for name in IMAGINED:
        state = pyspiel.load_game(name).new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        state.resample_from_infostate(state.current_player(), random.random)


@pytest.mark.parametrize("name", OURS[:3])
def test_ours_pass_openspiels_test(name):
    pyspiel.random_sim_test(as_pyspiel(name), 2, True, False)


@pytest.mark.slow
@pytest.mark.parametrize("name", OURS)
def test_many_of_ours_pass_openspiels_test(name):
    pyspiel.random_sim_test(as_pyspiel(name), 5, True, False)


def test_a_registered_game_is_the_same_game():
    game = as_pyspiel("connect-four")
    assert pyspiel.load_game("gambito_connect_four").num_distinct_actions() == 7
    state = game.new_initial_state()
    for action in (3, 0, 3, 0, 3, 0, 3):
        state.apply_action(action)
    assert state.is_terminal() and state.returns() == [18.0, -18.0]
    assert as_pyspiel("connect-four").get_type().short_name == "gambito_connect_four"
    with pytest.raises(gambito.GameError, match="pancakes is a puzzle"):
        as_pyspiel("pancakes")


def test_an_endless_game_is_cut():
    game = as_pyspiel("nine-mens-morris", most_plies=6)
    state, rng = game.new_initial_state(), random.Random(1)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    assert len(state.history()) == 6 and state.returns() == [0.0, 0.0]


def test_their_algorithms_run_on_ours():
    """Their minimax and their regret minimisation find the values that Gambito finds."""
    value, _ = minimax.alpha_beta_search(as_pyspiel("tree"))
    assert value == gambito.solve("tree").value == 3
    kuhn = as_pyspiel("kuhn-poker")
    solver = pyspiel.CFRSolver(kuhn)
    for _ in range(50):
        solver.evaluate_and_update_policy()
    scores = pyspiel.expected_returns(kuhn.new_initial_state(), solver.average_policy(), -1, True)
    assert scores[0] == pytest.approx(-1 / 18, abs=0.02)


def play(game, bots, seed):
    state, rng = game.new_initial_state(), random.Random(seed)
    for bot in bots:
        bot.restart()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return state.returns()


def mcts(game, seed, simulations=20):
    """Their bot in C++; in Python for a game in Python, on which the other one crashes, also with theirs."""
    if not game.get_type().short_name.startswith("gambito_"):
        rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
        return pyspiel.MCTSBot(game, rollouts, 2.0, simulations, 10, False, seed, False)
    rng = np.random.RandomState(seed)
    rollouts = their_mcts.RandomRolloutEvaluator(1, rng)
    return their_mcts.MCTSBot(game, 2.0, simulations, rollouts, random_state=rng)


@pytest.mark.parametrize("where", ["theirs", "ours"])
def test_bots_play_each_other(where):
    """Our player as a bot never loses at tic-tac-toe, in their game and in ours."""
    game = pyspiel.load_game("tic_tac_toe") if where == "theirs" else as_pyspiel("tic-tac-toe")
    ours = as_bot(game, "alpha-beta:depth=4,gear=python")
    assert play(game, [ours, mcts(game, 1)], 1)[0] >= 0
    assert play(game, [mcts(game, 2), ours], 2)[1] >= 0


@pytest.mark.slow
@pytest.mark.parametrize("where", ["theirs", "ours"])
def test_games_against_their_mcts(where):
    """The engine five plies deep on our game; on theirs our simulations, in the Python gear."""
    game = as_pyspiel("connect-four") if where == "ours" else pyspiel.load_game("connect_four")
    player = "engine:depth=5" if where == "ours" else "mcts:nodes=60"
    points = 0.0
    for number in range(GAMES):
        ours, theirs = as_bot(game, player), mcts(game, number)
        seat = number % 2
        scores = play(game, [ours, theirs] if seat == 0 else [theirs, ours], number)
        points += 0.5 + 0.5 * ((scores[seat] > 0) - (scores[seat] < 0))
    print(f"{points} of {GAMES}")
    assert points > GAMES / 2
