"""Where a fixed depth and a null move are wrong, and what helps: the positions of docs/en/horizon.md."""

from pathlib import Path

import pytest

import gambito
from gambito.search.algorithm import find

CONNECT_FOUR = "6455345262665515332232"
OTHELLO = "c4b4a1d4a3a2a4c1"
PINNED = "3rr1k1/5ppp/8/8/2B5/4Q3/6PP/4K3 w - - 0 1"
DOOMED = "6k1/7p/8/4p3/5p2/1P6/b1P1K2P/7R b - - 0 1"  # the bishop on a2 is lost
EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
EXCHANGE = f"{EXAMPLES}/exchange.py:Exchange"
BISHOP = f"{EXAMPLES}/doomed_bishop.py:DoomedBishop"


def found(game, position, depth, **options):
    return gambito.search(game, position, "engine", depth=depth, gear="python", memory=1, **options)


def worth(spec, position, word):
    """What a move is really worth to the player who makes it."""
    game = gambito.load(spec)
    state = game.parse(position)
    gear = "python" if spec == "othello:size=4" else "native"  # so few nodes are not worth compiling for
    return -gambito.solve(game, game.result(state, game.read(state, word)), gear=gear, memory=16).value


def test_an_extension_sees_beyond_the_horizon():
    plain = found("connect-four", CONNECT_FOUR, 4, bounds=False)
    extended = found("connect-four", CONNECT_FOUR, 4, bounds=False, check_extension=True)
    truth = gambito.solve("connect-four", CONNECT_FOUR, memory=16)
    assert (plain.value, plain.words()[0]) == (0, "3")
    assert (extended.value, extended.words()) == (8, ["6", "4", "4", "4", "3"])
    assert truth.value == extended.value
    assert worth("connect-four", CONNECT_FOUR, "3") == -2
    assert worth("connect-four", CONNECT_FOUR, "6") == 8


def test_with_the_games_knowledge_three_plies_are_enough():
    plain, extended = (found("connect-four", CONNECT_FOUR, 3, check_extension=on) for on in (False, True))
    assert (plain.value, plain.words()[0]) == (0, "3")
    assert (extended.value, extended.words()[0]) == (8, "6")


def test_a_fixed_depth_sees_it_once_it_is_deep_enough():
    assert found("connect-four", CONNECT_FOUR, 5, bounds=False).value == 8


def test_quiescence_sees_the_end_of_an_exchange():
    for is_quiet, value, word in ((False, 1, "xp"), (True, 0, "h3")):
        answer = found(EXCHANGE, None, 1, quiescence=is_quiet)
        assert (answer.value, answer.words()[0]) == (value, word)
    assert found(EXCHANGE, None, 4).value == 0


def test_a_check_hides_the_loss_of_a_queen():
    """The queen is pinned and lost for a rook; a bishop's sacrifice with check only puts that off."""
    game = gambito.load("chess")
    plain = {**find("engine").sound_options(), "check_extension": False, "aspiration": 0}
    for is_quiet in (False, True):
        answer = found(game, PINNED, 3, quiescence=is_quiet, quiescence_evasions=False, **plain)
        assert (answer.words()[0] == "Bxf7+") == (not is_quiet)
        assert (answer.value > 300) == (not is_quiet)


def test_two_checks_with_pawns_seem_to_save_a_bishop():
    """With seven plies Black gives up both pawns; with eight it sees that the bishop is lost all the same."""
    game = gambito.load("chess:evaluation=turing")
    seen, deeper = (gambito.search(game, DOOMED, "alpha-beta", depth=depth) for depth in (7, 8))
    line = seen.words()
    assert line[:2] == ["f3+", "Kxf3"] and line[4:6] == ["e4+", "Kxe4"]
    state = game.parse(DOOMED)
    for action in seen.line:
        state = game.result(state, action)
    assert "b" in game.text(state).split()[0] and "p" in game.text(state).split()[0]
    assert seen.value > deeper.value and deeper.words()[0] != "f3+"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "remedy", [{"quiescence": True}, {"singular_extension": 8}, {"check_extension": True}]
)
def test_what_helps_the_bishops_search_at_seven_plies(remedy):
    game = gambito.load("chess:evaluation=turing")
    plain = {**find("engine").sound_options(), "live": True, "aspiration": 0, "quiescence": False}
    plain |= {"quiescence_evasions": False, "singular_extension": 0, "check_extension": False}
    blind, cured = (
        gambito.search(game, DOOMED, "engine", depth=7, **{**plain, **more}) for more in ({}, remedy)
    )
    assert blind.words()[0] == "f3+" and cured.words()[0] != "f3+"
    assert cured.value < blind.value


@pytest.mark.parametrize(
    ("options", "depth", "value", "word"),
    [
        ({"quiescence": False}, 6, -4, None),
        ({"quiescence": False}, 7, -4, None),
        ({"quiescence": False}, 8, -5, "Kg7"),
        ({"quiescence": True}, 6, -4, None),
        ({"quiescence": True}, 7, -5, "Kg7"),
        ({"quiescence": False, "check_extension": True}, 7, -5, "Kg7"),
        ({"quiescence": False, "singular_extension": 1, "table": "same-depth"}, 6, -4, None),
        ({"quiescence": False, "singular_extension": 1, "table": "same-depth"}, 7, -5, "Kg7"),
    ],
)
def test_the_moves_that_matter_to_the_bishop(options, depth, value, word):
    """The same in a tree of 29 nodes: each remedy sees at seven plies what a plain search sees at eight."""
    plain = {
        "aspiration": 0,
        "bounds": False,
        "table": "off",
        "order": False,
        "check_extension": False,
        "singular_extension": 0,
    }
    answer = found(BISHOP, None, depth, **{**plain, **options})
    assert answer.value == value and word in (None, answer.words()[0])
    line = answer.words()
    assert ("Rxa2" in line) == (value == -5)


def test_a_null_move_is_blind_to_zugzwang():
    options = {"solve_ending": False, "presort": 0}
    plain = found("othello:size=4", OTHELLO, 8, null_move=0, **options)
    blind = found("othello:size=4", OTHELLO, 8, null_move=2, null_move_verification=False, **options)
    verified = found("othello:size=4", OTHELLO, 8, null_move=2, null_move_verification=True, **options)
    assert (blind.value, blind.words()[0]) == (-2, "d3")
    assert (plain.value, plain.words()[0]) == (verified.value, verified.words()[0]) == (6, "d2")
    assert worth("othello:size=4", OTHELLO, "d3") == -8
    assert worth("othello:size=4", OTHELLO, "d2") == 6


def test_the_zugzwang_is_one():
    """After the right move the opponent would win by doing nothing, and loses because of having to move."""
    game = gambito.load("othello:size=4")
    state = game.parse(OTHELLO)
    child = game.result(state, game.read(state, "d2"))
    assert game.is_zugzwang_likely(child)
    assert gambito.solve(game, child, gear="python").value == -6
    assert -gambito.solve(game, game.pass_turn(child), gear="python").value == 8
