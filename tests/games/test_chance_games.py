"""Pig, EinStein and Nannon: the rules, the published figures, and search beside the truth."""

import pytest

import gambito
from gambito.chance.value_iteration import Solution
from gambito.game.gears import gears
from tests.support import minimax_truth

SMALL = ("pig:target=8", "pig-turn", "nannon", "einstein", "backgammon")


def test_one_turn_of_pig():
    """Hold at 20; a turn brings 8.14 points (Neller & Presser 2004)."""
    game = gambito.load("pig-turn")
    solution = Solution(game, game.initial(), 1000)
    solution.solve()
    assert solution.values[0] == pytest.approx(8.14, abs=0.005)
    holds = [t for t in range(2, 40) if solution.value(game.parse(f"{t}")) == pytest.approx(t, abs=1e-12)]
    assert holds[0] == 20 and holds == list(range(20, 40))
    assert gambito.search(game, "19", "expectimax", depth=5).words() == ["roll"]
    assert gambito.search(game, "21", "expectimax", depth=5).words() == ["hold"]


def test_the_first_player_of_pig():
    found = gambito.solve("pig:target=12")
    assert found.algorithm == "value-iteration" and found.exact and 0 < found.value < 1


def test_nannon_is_solved():
    game = gambito.load("nannon")
    solution = Solution(game, game.initial(), 100_000)
    solution.solve()
    assert solution.values[0] == pytest.approx(0, abs=1e-9)  # the opening roll is fair
    assert len(solution.states) == 32901
    assert solution.value(game.parse("1XX..OO1 white 3")) == pytest.approx(0.30139, abs=1e-5)
    alone = gambito.solve(game, "0X....O0 white").value
    assert alone == pytest.approx(solution.value(game.parse("0X....O0 white")), abs=1e-9)
    decisions = [s for s, player in zip(solution.states, solution.players, strict=True) if player == 0]
    errors = {
        depth: [abs(gambito.search(game, s, depth=depth).value - solution.value(s)) for s in decisions[::500]]
        for depth in (1, 7)
    }
    assert sum(errors[7]) < 0.8 * sum(errors[1])  # the further it looks, the nearer to the truth


@pytest.mark.parametrize("spec", ["nannon", "pig:target=8", "einstein"])
def test_stars_are_expectiminimax(spec):
    game = gambito.load(spec)
    texts = {
        "nannon": "1XX..OO1 white 3",
        "pig:target=8": "3-4 second 2",
        "einstein": "1..../...2./6...A/...B./.C..D white 3",
    }
    state = gears(game).cast(game.parse(texts[spec]))
    truth = minimax_truth(game, state, 5) * (-1 if game.player(state) == 1 else 1)
    for name in ("expectiminimax", "star1", "star2"):
        assert gambito.search(game, state, name, depth=5).value == pytest.approx(truth, abs=1e-9)


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("pig", "40 first"),
        ("pig", "100-100 first 0"),
        ("pig-turn", "x"),
        ("nannon", "1XX..OO1 white 7"),
        ("nannon", "3XX..OO1 white"),
        ("nannon", "XXOO white"),
        ("einstein", "1..../1..../...../...../....A white"),
        ("einstein", "1..../...../...../...../....A white 9"),
        ("einstein", "...../...../..1../...../..... white setting 1"),
        ("backgammon", "4HPwATDgc/ABM"),
        ("backgammon", "4HPwATDgc/ABMA 7-1"),
        ("backgammon", "//////////////"),
        ("backgammon", "4HPwATDgc/ABMA red 3-1"),
    ],
)
def test_impossible_positions_and_dice(spec, text):
    with pytest.raises(gambito.PositionError) as told:
        gambito.load(spec).parse(text)
    assert "\n" not in str(told.value) and len(str(told.value)) < 200
