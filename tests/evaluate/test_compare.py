"""Several evaluations asked about one position, without a search."""

import pytest

import gambito
from gambito.errors import GambitoError
from gambito.evaluate.compare import compare, evaluations_of


def test_what_comes_with_gambito():
    known = {name: evaluations_of(gambito.load(name)) for name in ("chess", "othello", "nim")}
    assert known == {
        "chess": ["turing", "shannon", "hand", "learned", "network"],
        "othello": ["hand", "learned"],
        "nim": [],
    }


@pytest.mark.parametrize(("name", "position"), [("othello", "f5d6c3"), ("chess", None)])
def test_values_are_those_of_the_game_with_each_evaluation(name, position):
    game = gambito.load(name)
    state = game.parse(position) if position else game.initial()
    for opinion in compare(game, state, ["hand", "learned"]):
        judged = gambito.load(f"{name}:evaluation={opinion.evaluation}")
        player = judged.player(state)
        assert opinion.value == judged.evaluate(state, player)
        assert opinion.moves == {
            a: judged.evaluate(judged.result(state, a), player) for a in judged.legal(state)
        }


def test_a_mate_is_worth_the_utility_and_dice_their_expectation():
    chess = gambito.load("chess")
    state = chess.parse("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    (opinion,) = compare(chess, state, ["network"])
    assert opinion.moves[chess.read(state, "Ra8#")] == chess.highest
    dice = gambito.load("backgammon:evaluation=hand")
    state = dice.parse("4HPwATDgc/ABMA 3-1")
    (opinion,) = compare(dice, state, ["hand"])
    for action, value in opinion.moves.items():
        after = dice.result(state, action)
        expected = sum(p * dice.evaluate(dice.result(after, roll), 0) for roll, p in dice.chances(after))
        assert value == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "position", "message"),
    [
        ("kuhn-poker", None, "kuhn-poker has no evaluations to compare"),
        ("nim", None, "nim has no evaluations to compare"),
        ("chess", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "a player is to move"),
    ],
)
def test_what_cannot_be_compared(name, position, message):
    game = gambito.load(name)
    state = game.parse(position) if position else game.initial()
    with pytest.raises(GambitoError, match=message):
        compare(game, state, ["hand"])
