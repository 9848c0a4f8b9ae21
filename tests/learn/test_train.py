"""Training: the same file from the same seed, after kills too; and it has learned something."""

import json

import numpy as np
import pytest

import gambito
from gambito.errors import EvaluationError
from gambito.learn import fit as fitting
from gambito.learn.self_play import SelfPlay, SelfPlayPlan, generate, read_chunk, seeds_of
from gambito.learn.stages import StagedFit
from gambito.learn.train import FitTraining, read_recipe
from gambito.players import Match
from tests.learn.small import SPEC


class Killed(Exception):
    """Simulates a kill."""


def train(folder, output, kill_after=None, seed=0, jobs=1, **said):
    """Train, and simulate a kill after a number of steps."""
    steps = 0

    def progress(*_):
        nonlocal steps
        steps += 1
        if kill_after is not None and steps > kill_after:
            raise Killed

    recipe = read_recipe(gambito.load(SPEC), **said)
    return FitTraining(SPEC, folder, recipe, seed, jobs).run(output, progress)


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["fit", "td", "td-leaf", "samuel"])
def test_a_training_that_was_killed_ends_with_the_same_bytes(tmp_path, method):
    train(tmp_path / "whole", tmp_path / "whole.eval", method=method)
    for kill_after in range(0, 14, 3):
        try:
            train(tmp_path / "broken", tmp_path / "broken.eval", kill_after, method=method)
        except Killed:
            continue
    train(tmp_path / "broken", tmp_path / "broken.eval", method=method)
    whole, broken = ((tmp_path / f"{name}.eval").read_bytes() for name in ("whole", "broken"))
    assert whole == broken
    train(tmp_path / "other", tmp_path / "other.eval", method=method, seed=1)
    assert (tmp_path / "other.eval").read_bytes() != whole


@pytest.mark.parametrize("method", ["td", "td-leaf", "samuel"])
def test_what_was_learned_wins(tmp_path, method):
    """By its evaluation alone, one ply ahead, against one that sees only the end."""
    train(tmp_path / "t", tmp_path / "t.eval", method=method)
    learned = f"alpha-beta:depth=1,gear=python,evaluation={tmp_path / 't.eval'}"
    contest = Match(SPEC, learned, "alpha-beta:depth=1,gear=python,evaluation=hand", games=60, plies=1)
    assert contest.run().tally.score > 0.55


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_gate_holds_back_what_wins_nothing(tmp_path, jobs):
    """With this many nodes both play without a mistake. The second time, all games are there already."""
    for _ in range(2):
        with pytest.raises(EvaluationError, match="passed its gate"):
            train(tmp_path / "t", tmp_path / "t.eval", gate=50, games=50, jobs=jobs)
        assert len((tmp_path / "t" / "gate-0.jsonl").read_text().splitlines()) == 1 + 80


@pytest.mark.parametrize("games", [40, pytest.param(100, marks=pytest.mark.slow)])
def test_two_rounds(tmp_path, games):
    """The games of the second are played by the weights of the first."""
    told = train(tmp_path / "t", tmp_path / "t.eval", rounds=2, games=games)
    assert [one["passed"] for one in told["rounds"]] == [True, True]
    assert "<svg" in (tmp_path / "t" / "fit-0.svg").read_text()


def test_a_folder_belongs_to_one_training(tmp_path):
    train(tmp_path / "t", tmp_path / "t.eval", games=50)
    with pytest.raises(EvaluationError, match="belongs to another training"):
        train(tmp_path / "t", tmp_path / "t.eval", games=100)


def test_one_training_at_a_time_runs_in_a_folder(tmp_path):
    pytest.importorskip("fcntl")
    refused = []

    def start_another(*_):
        with pytest.raises(EvaluationError, match="is the folder of a training that is running"):
            train(tmp_path / "t", tmp_path / "other.eval", games=50)
        refused.append(True)

    recipe = read_recipe(gambito.load(SPEC), games=50)
    FitTraining(SPEC, tmp_path / "t", recipe, 0, 1).run(tmp_path / "t.eval", start_another)
    assert refused and not (tmp_path / "other.eval").exists()
    assert not list((tmp_path / "t").glob(".*"))


def test_what_cannot_be_trained_is_refused():
    with pytest.raises(EvaluationError, match="no evaluation that can be trained"):
        read_recipe(gambito.load("nim"))
    with pytest.raises(EvaluationError, match="method must be fit"):
        read_recipe(gambito.load(SPEC), method="guess")
    with pytest.raises(EvaluationError, match="patterns and linear sums"):
        read_recipe(gambito.load("chess"), method="td-leaf")


def test_games_do_not_depend_on_who_plays_them(tmp_path):
    """Two processes, one process, and a chunk alone: the same positions."""
    plan = SelfPlayPlan(games=60, depth=1, chunk=20, loose=3)
    spec = f"{SPEC}:evaluation=hand"
    alone = SelfPlay(gambito.load(spec), plan).play(
        seeds_of(plan, 5, 2)
    )  # first: its compiled code serves all
    paths = generate(spec, plan, tmp_path / "two", 5, jobs=2)
    assert read_chunk(paths[2]).facts.tolist() == alone.facts.tolist()
    assert read_chunk(paths[2]).kept.tolist() == alone.kept.tolist()
    assert len({tuple(row) for row in alone.facts[:, 2:].tolist()}) == len(alone), "no ply of a game twice"


def test_the_outcome_is_that_of_the_player_to_move():
    playing = SelfPlay(gambito.load(f"{SPEC}:evaluation=hand"), SelfPlayPlan(games=40, depth=2, loose=2))
    facts = playing.play(seeds_of(SelfPlayPlan(games=40), 0, 0)).facts
    for game in range(40):
        rows = facts[facts[:, 3] == game]
        signed = rows[:, 1] * np.where(rows[:, 2] % 2 == 0, 1, -1)
        assert len(set(signed.tolist())) <= 1


def test_a_fit_finds_the_weights_that_made_the_goals():
    game = gambito.load(f"{SPEC}:evaluation=blank")
    chunk = SelfPlay(gambito.load(f"{SPEC}:evaluation=hand"), SelfPlayPlan(games=400, depth=1, loose=9)).play(
        seeds_of(SelfPlayPlan(games=400, chunk=400), 0, 0)
    )
    rule = fitting.Fitting(loss="squares", rate=1.0, batch=64, epochs=60)
    examples = fitting.read_examples(game, fitting.gather([chunk]), rule)
    true = np.random.default_rng(3).normal(0, 10, game.form.size)
    rows = examples.rows
    for place in range(len(examples)):
        pairs = slice(rows.starts[place], rows.starts[place + 1])
        examples.goals[place] = rows.amounts[pairs] @ true[rows.numbers[pairs]]
    fit = fitting.Fit(game, examples, rule, 0, np.zeros(game.form.size))
    fit.run()
    assert fit.course.best < 1e-2 * np.var(examples.goals)
    assert fit.course.held[0] > fit.course.best


def test_stages_are_fitted_each_for_itself(tmp_path):
    """One at a time or several, killed or not, the weights are the same."""
    game = gambito.load("connect-four:evaluation=blank")
    plan = SelfPlayPlan(games=60, depth=1, loose=6)
    hand = gambito.load("connect-four:evaluation=hand")
    positions = fitting.gather([SelfPlay(hand, plan).play(seeds_of(plan, 0, 0))])
    rule = fitting.Fitting(rate=1.0, batch=64, epochs=3)
    alone, two = StagedFit(game, positions, rule, 0, 1), StagedFit(game, positions, rule, 0, 2)
    weights = alone.run(tmp_path / "alone.npz")
    assert (weights == two.run(tmp_path / "two.npz")).all()
    (tmp_path / "two-1.npz").unlink()
    assert (weights == two.run(tmp_path / "two.npz")).all()
    assert two.advance == (game.form.stages, game.form.stages)
    assert alone.course.held == two.course.held and len(alone.course.held) == 3
    whole = fitting.read_examples(game, positions, rule).rows.numbers
    counts = [len(alone.examples(stage)) for stage in range(game.form.stages)]
    assert sum(counts) == len(positions)
    assert max(alone.examples(2).rows.numbers) < game.form.table < max(whole)


def test_a_slope_of_zero_is_listed_once():
    """Two positions whose slopes cancel out exactly: the list of what a batch touched has no more room."""
    game = gambito.load(f"{SPEC}:evaluation=blank")
    inner = gambito.game.gears.gears(game).in_gear("native")
    rows = fitting.Rows(
        kept=np.zeros(1, np.uint8), starts=np.arange(5), numbers=np.zeros(4, np.int32),
        amounts=np.array([1, -1, 1, -1], np.float32), buffer=np.zeros(4, np.int64),
    )  # fmt: skip
    zeros = {name: np.zeros(1) for name in ("values", "origin", "slopes", "first", "second")}
    guard = np.array([-7, -7], np.int64)
    weights = fitting.Weights(
        steps=np.zeros(1, np.int64), touched=guard, marks=np.zeros(1, np.uint8), **zeros
    )
    knobs = np.array([0.1, 0.0, 0.0])
    fitting.descend(inner, rows, weights, np.ones(4), np.arange(4), 0, 4, knobs)
    assert guard.tolist() == [0, -7]


def test_the_command(tmp_path):
    from click.testing import CliRunner

    from gambito.cli.main import cli

    output = tmp_path / "lines.eval"
    said = [
        "train",
        SPEC,
        "--games",
        "60",
        "--jobs",
        "1",
        "--folder",
        str(tmp_path / "t"),
        "--output",
        str(output),
    ]
    answer = CliRunner().invoke(cli, [*said, "--json"])
    assert answer.exit_code == 0, answer.output
    assert json.loads(answer.stdout)["file"] == str(output)
