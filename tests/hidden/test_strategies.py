"""Strategies as things: files, going on from one, players, the command line, and what is refused."""

from __future__ import annotations

import json
import random

import pytest
from click.testing import CliRunner

import gambito
from gambito.cli.main import cli
from gambito.game.gears import gears
from gambito.hidden.game_tree import set_key, unroll
from gambito.hidden.strategy import read_strategy
from gambito.players.player_text import read_player

GAME = "kuhn-poker"


def run(*words):
    return CliRunner().invoke(cli, [str(word) for word in words])


def learned(path, iterations=50, **options):
    found = gambito.solve(GAME, algorithm="cfr+", iterations=iterations, gear="python", **options)
    found.strategy.save(path)
    return found


def test_a_strategy_survives_its_file(tmp_path):
    game, path = gambito.load(GAME), tmp_path / "kuhn"
    found = learned(path)
    again = read_strategy(path, game)
    for text in ("J?", "?Q b", "K? pb"):
        state = game.parse(text)
        policy = again.at(state)
        assert policy == found.strategy.at(state) and sum(policy.values()) == pytest.approx(1)
    assert again.at(game.parse("??")) is None and again.at(game.initial()) is None
    assert again.facts["exploitability"] == found.exploitability
    assert gambito.exploit(game, path, gear="python").exploitability == found.exploitability


def test_the_same_seed_gives_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        found = gambito.solve(GAME, algorithm="external-sampling", iterations=40, seed=3, gear="python")
        found.strategy.save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("algorithm", ["cfr", "pcfr+", "dcfr", "external-sampling", "fictitious-play"])
def test_learning_goes_on_as_if_it_had_not_stopped(tmp_path, algorithm):
    line = ["solve", GAME, "--algorithm", algorithm, "--gear", "python", "--iterations"]
    assert run(*line, 23, "--save", tmp_path / "parts").exit_code == 0
    assert run(*line, 60, "--save", tmp_path / "parts").exit_code == 0
    assert run(*line, 60, "--save", tmp_path / "whole").exit_code == 0
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()


def test_what_the_command_line_tells(tmp_path):
    path, picture = tmp_path / "s", tmp_path / "curve.svg"
    options = ("--iterations", 100, "--save", path, "--curve", picture, "--gear", "python", "--json")
    told = json.loads(run("solve", GAME, "--algorithm", "cfr+", *options).stdout)
    assert told["exploitability"] == pytest.approx(0.001194404101, abs=1e-11) and told["iterations"] == 100
    assert told["low"] <= -1 / 18 <= told["high"] and told["low"] < told["value"] < told["high"]
    assert {"seconds", "value"} <= set(told)
    assert picture.read_text().startswith("<svg") and "exploitability" in picture.read_text()
    worth = json.loads(run("exploit", GAME, "--strategy", path, "--gear", "python", "--json").stdout)
    assert worth["exploitability"] == told["exploitability"] and worth["low"] == told["low"]
    assert worth["nash_conv"] == pytest.approx(2 * worth["exploitability"])


def test_best_of_a_position_as_its_player_sees_it():
    """With the king the second player always bets after a bet; with the jack it never does."""
    for text, action in (("?K b", "bet"), ("?J b", "pass")):
        options = ("--algorithm", "cfr+", "--option", "iterations=200", "--gear", "python", "--json")
        told = json.loads(run("best", GAME, "--position", text, *options).stdout)
        assert told["action"] == action and told["policy"][action] > 0.99


def test_the_policy_of_the_first_player_is_the_known_family():
    """Kuhn 1950: bluff with the jack a third as often as the king bets; the queen never bets first."""
    found = gambito.solve(GAME, algorithm="cfr+", iterations=3000, gear="python").strategy
    game = gambito.load(GAME)
    bets = {card: found.at(game.parse(f"{card}?"))[1] for card in "JQK"}
    assert bets["J"] == pytest.approx(bets["K"] / 3, abs=0.01) and bets["Q"] < 0.01
    calls = found.at(game.parse("Q? pb"))[1]
    assert calls == pytest.approx(bets["J"] + 1 / 3, abs=0.01)
    assert found.at(game.parse("?J p"))[1] == pytest.approx(1 / 3, abs=0.01)
    assert found.at(game.parse("?Q b"))[1] == pytest.approx(1 / 3, abs=0.01)


class OtherKuhn(type(gambito.load(GAME))):
    """Kuhn poker in which the second player sees both cards."""

    name = GAME

    def observe(self, state, player):
        return state if player == 1 else super().observe(state, player)


def test_a_file_for_other_rules_is_refused(tmp_path):
    path = tmp_path / "kuhn"
    learned(path)
    with pytest.raises(
        gambito.SearchError, match=r"is a strategy for other rules of kuhn-poker: learn it again"
    ):
        read_strategy(path, OtherKuhn())
    for command in (("exploit", "leduc-poker", "--strategy", path), ("solve", "leduc-poker", "--save", path)):
        told = run(*command)
        assert told.exit_code == 2
        assert told.stderr.strip().endswith("is a strategy for kuhn-poker, not for leduc-poker")
    told = run("solve", GAME, "--algorithm", "cfr", "--save", path, "--gear", "python")
    assert told.exit_code == 2 and "was learned by cfr+ with seed 1" in told.stderr
    assert run("exploit", GAME, "--strategy", tmp_path / "none").exit_code == 2


def test_damage_is_told_in_one_line(tmp_path):
    path, game = tmp_path / "kuhn", gambito.load(GAME)
    learned(path)
    data, rng = path.read_bytes(), random.Random(3)
    for _ in range(300):
        spoiled = bytearray(data)
        for _ in range(rng.randrange(1, 4)):
            spoiled[rng.randrange(len(spoiled))] = rng.randrange(256)
        path.write_bytes(spoiled[: rng.randrange(len(spoiled))] if rng.random() < 0.3 else spoiled)
        if path.read_bytes() == data:
            continue
        with pytest.raises(gambito.SearchError) as told:
            read_strategy(path, game)
        assert "\n" not in str(told.value)


def test_a_player_plays_its_strategy(tmp_path):
    path, game = tmp_path / "kuhn", gambito.load(GAME)
    learned(path, 500)
    player = read_player(f"strategy:{path},seed=4")
    player.prepare(game, game.initial())
    player.begin(game)
    seen = [player.choose(game, game.parse("?K b")).action for _ in range(20)]
    assert seen == [1] * 20
    bluffs = [player.choose(game, game.parse("?J p")).action for _ in range(600)]
    assert sum(bluffs) / 600 == pytest.approx(1 / 3, abs=0.08)
    with pytest.raises(gambito.PlayerError, match="needs its file"):
        read_player("strategy:")
    with pytest.raises(gambito.PlayerError, match="a whole number"):
        read_player("strategy:file,seed=x")


def test_strategies_of_ones_own_are_judged():
    """Always passing loses a chip to the player who always bets."""
    found = gambito.exploit(GAME, lambda seen: {0: 1.0, 1: 0.0}, gear="python")
    assert found.responses == pytest.approx((1.0, 1.0))
    with pytest.raises(gambito.SearchError, match="must add up to 1"):
        gambito.exploit(GAME, lambda seen: {0: 0.7, 1: 0.7}, gear="python")


def test_information_sets_have_the_same_keys_in_both_gears():
    """The tree is unrolled in compiled code, and positions are looked up in Python."""
    game = gambito.load("liars-dice:sides=4")
    tree = unroll(game, "native", 64)
    state = gears(game).cast(game.parse("2/? 1-2 1-3"))
    assert tree.find(set_key(game, state, 0)) is not None


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("solve", "tic-tac-toe", "--iterations", 5), "is for algorithms that learn strategies: cfr"),
        (("solve", GAME, "--algorithm", "engine"), "engine is for games without chance"),
        (("solve", "tic-tac-toe", "--algorithm", "cfr"), "cfr is for games that hide something"),
        (("solve", GAME, "--position", "J-", "--gear", "python"), "asked at the beginning of the game"),
        (("solve", GAME, "--position", "?? p", "--gear", "python"), "cannot be in this position: ?? p"),
        (("solve", GAME, "--threads", 2), "runs on one thread"),
        (("solve", GAME, "--iterations", -3), "option iterations must be a whole number from 0"),
    ],
)
def test_bad_input_ends_with_one_sentence(words, told):
    found = run(*words)
    assert found.exit_code == 2 and told in found.stderr and len(found.stderr.strip().splitlines()) == 1
