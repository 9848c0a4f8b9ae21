"""ProbCut's model: the line is found again that samples were made of, and files are read as written."""

import json
import random

import pytest
from click.testing import CliRunner

import gambito
from gambito.cli.main import cli
from gambito.learn.probcut import LEAST_DEPTH, Samples, fit, sample, shallow_depths, write
from gambito.search.probcut_model import (
    CUT,
    DEPTHS,
    SHALLOW,
    THRESHOLD,
    TRIES,
    USUAL_THRESHOLD,
    probcut_table,
    read_probcut_model,
    tries_of,
)
from tests.learn.small import PLAIN


def test_the_line_is_found_again():
    rng, samples = random.Random(2), Samples(4)
    for _ in range(3000):
        first, second = rng.gauss(0, 10), rng.gauss(0, 10)
        values = [first, second, 0.9 * first + 2 + rng.gauss(0, 3), 1.1 * second - 1 + rng.gauss(0, 1)]
        samples.add(rng.randint(0, 1), values)
    rows = {(row.stage, row.depth): row for row in fit(samples)}
    assert set(rows) == {(0, 3), (0, 4), (1, 3), (1, 4)}
    for (_, depth), row in rows.items():
        slope, offset, sigma = (0.9, 2, 3) if depth == 3 else (1.1, -1, 1)
        assert row.shallow == depth - 2
        assert row.slope == pytest.approx(slope, abs=0.03)
        assert row.offset == pytest.approx(offset, abs=0.3)
        assert row.sigma == pytest.approx(sigma, rel=0.1)
        assert row.threshold == pytest.approx(1.5, abs=0.15)  # the errors are normal


def test_the_threshold_leaves_as_few_errors_outside_as_normal_ones():
    """Errors of one side only: sigma alone would cut off wrongly there more often than agreed."""
    rng, samples = random.Random(5), Samples(3)
    for _ in range(4000):
        value = rng.gauss(0, 10)
        samples.add(0, [value, 0.0, value - (20 if rng.random() < 0.08 else 0)])
    (row,) = fit(samples)
    wrong = [v for v in samples.stages[0] if v[2] < row.slope * v[0] + row.offset - row.threshold * row.sigma]
    assert row.threshold > 3
    assert len(wrong) / samples.count < 0.07


def test_each_stage_depth_and_try_has_its_own_threshold(tmp_path):
    """The lecture's table: param[stage][height][try] with d, t, a, b, sigma; d is -1 if there is no try."""
    rng, samples = random.Random(7), Samples(6)
    for _ in range(600):
        stage, value = rng.randint(0, 1), rng.gauss(0, 10)
        samples.add(stage, [value + rng.expovariate(1 / (1 + stage + depth)) for depth in range(6)])
    rows = fit(samples)
    path = tmp_path / "model.json"
    write(path, gambito.load("othello:size=4"), rows)
    param = json.loads(path.read_text())["param"]
    assert [len(param), len(param[0]), len(param[0][0])] == [2, 7, 2]
    assert [each["d"] for each in param[1][6]] == list(shallow_depths(6))
    assert all(each["d"] == -1 for each in param[0][2])
    assert set(param[1][6][0]) == {"d", "t", "a", "b", "sigma"}
    thresholds = {each["t"] for heights in param for tries in heights for each in tries if each["d"] >= 0}
    assert len(thresholds) == len(rows)
    table, stages = probcut_table(read_probcut_model(str(path)))
    shaped = table.reshape(stages, DEPTHS, TRIES, CUT)
    assert shaped[1, 6, 1, THRESHOLD] == param[1][6][1]["t"]


def test_a_model_without_thresholds_has_the_usual_one(tmp_path):
    path = tmp_path / "old.json"
    path.write_text('{"game": "othello", "forecasts": [[0, 3, 1, 1.04, 1.07, 2.72]]}')
    for rows in (read_probcut_model(str(path)), [(0, 3, 1, 1.04, 1.07, 2.72)]):
        table, _ = probcut_table(rows)
        assert list(table.reshape(1, DEPTHS, TRIES, CUT)[0, 3, 0]) == [1, 1.04, 1.07, 2.72, USUAL_THRESHOLD]


def test_pairs_are_alike_odd_or_even():
    for depth in range(LEAST_DEPTH, DEPTHS):
        pairs = shallow_depths(depth)
        assert 1 <= len(pairs) <= TRIES
        assert all(0 < shallow < depth and (depth - shallow) % 2 == 0 for shallow in pairs)


def test_a_model_keeps_the_order_of_its_tries_and_has_no_more_than_it_can(tmp_path):
    path = tmp_path / "model.json"
    numbers = {"t": 1.0, "a": 1.0, "b": 0.0, "sigma": 1.0}
    for count in (TRIES, TRIES + 1):
        tries = [{"d": 1 + number % 2, **numbers} for number in range(count)]
        path.write_text(json.dumps({"game": "tree", "param": [[[], [], [], tries]]}))
        rows = read_probcut_model(str(path))
        if count > TRIES:
            with pytest.raises(gambito.SearchError, match="at most 4 tries for a depth"):
                probcut_table(rows)
        else:
            table, _ = probcut_table(rows)
            assert list(table.reshape(1, DEPTHS, TRIES, CUT)[0, 3, :, SHALLOW]) == [1, 2, 1, 2]
            assert [tries_of(choice, table) for choice in ("off", "one", "multi")] == [0, 1, TRIES]


def test_a_stage_without_samples_takes_its_neighbours():
    samples = Samples(3)
    for number in range(40):
        samples.add(2, [number, 0.0, number + 1.0])
    assert [row.stage for row in fit(samples)] == [0, 1, 2]


def test_a_file_is_read_as_it_was_written(tmp_path):
    samples = Samples(3)
    for number in range(40):
        samples.add(0, [number, 0.0, 2.0 * number + number % 3])
    rows = fit(samples)
    path = tmp_path / "model.json"
    write(path, gambito.load("othello:size=4"), rows)
    read = read_probcut_model(str(path))
    assert read == [row.numbers() for row in rows]
    table, stages = probcut_table(read)
    assert stages == 1
    assert table.reshape(1, DEPTHS, TRIES, CUT)[0, 3, 0, 0] == 1
    assert table.reshape(1, DEPTHS, TRIES, CUT)[0, 23, 0, 0] == 21


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"forecasts": [[1]]}',
        '{"forecasts": [["x", 1, 2]]}',
        '{"param": [[[{"d": 1}]]]}',
        '{"param": [[3]]}',
        '{"param": [[["x"]]]}',
    ],
)
def test_a_file_that_holds_something_else(tmp_path, text):
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(gambito.SearchError, match="is not a ProbCut model"):
        read_probcut_model(str(path))


def test_what_cannot_be_fitted():
    with pytest.raises(gambito.GameError, match="no evaluation"):
        next(sample(gambito.load("nim"), 1, 4))
    with pytest.raises(gambito.SearchError, match="depth must be"):
        next(sample(gambito.load("othello"), 1, 2))


def test_samples_of_a_small_board():
    game = gambito.load("othello:size=4")
    game.compiles = False  # a few small searches
    *_, samples = sample(game, 3, 4)
    assert samples.count == 3
    assert all(len(values) == 4 for rows in samples.stages.values() for values in rows)
    assert json.dumps([row.numbers() for row in fit(samples)])


def test_the_command(tmp_path):
    words = [
        "fit",
        "probcut",
        PLAIN,
        "--positions",
        "7",
        "--depth",
        "3",
        "--output",
        str(tmp_path / "it.json"),
    ]
    answer = CliRunner().invoke(cli, [*words, "--jobs", "1", "--json"])
    assert answer.exit_code == 0, answer.output
    assert json.loads(answer.stdout)["positions"] == 7
    assert read_probcut_model(str(tmp_path / "it.json"))
    answer = CliRunner().invoke(cli, [*words, "--cluster", "nobody"])
    assert answer.exit_code == 2 and "'nobody' is not an executor; accepted: threads:N" in answer.stderr
