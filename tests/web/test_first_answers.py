"""Nobody waits longer than three seconds for the first answer about a game, with nothing compiled."""

from __future__ import annotations

import os
import sys

import pytest

from gambito.game.registry import game_classes
from gambito.search.algorithm import algorithms
from gambito.search.limits import Stop
from gambito.web.answers import Answers
from gambito.web.catalogue import Catalogue
from gambito.web.server_limits import ServerLimits
from tests.support import on_the_clock, run

LONGEST = 3.0  # seconds
TRIES = 3  # on a busy machine one of them is undisturbed
FEW = ("connect-four", "leduc-poker", "sliding-tiles")


def late(games: list[str], cache: str) -> dict[str, str]:
    """The games that somebody waits for too long, with the times of their pages."""
    environment = os.environ | {"GAMBITO_CACHE": cache}
    told = run(sys.executable, "-m", "tests.web.first_answers", *games, env=environment, seconds=1200)
    assert told.returncode == 0, told.stderr
    times = {line.split()[0]: line.split()[1:] for line in told.stdout.splitlines()}
    assert list(times) == games
    return {game: " ".join(t) for game, t in times.items() if max(map(float, t[1::2])) > LONGEST}


def soon(games: list[str], folder: object) -> None:
    """Check that everything is answered soon, the late ones again."""
    for number in range(TRIES):
        slow = late(games, f"{folder}/{number}")
        games = list(slow)
        if not games:
            return
    pytest.fail(str(slow))


def test_first_answers_of_a_few_games(tmp_path):
    soon(list(FEW), tmp_path)


@pytest.mark.slow
def test_first_answers_of_every_game(tmp_path):
    soon(list(game_classes()), tmp_path)


@on_the_clock
def test_watch_begins_with_a_search_that_is_there_soon_and_a_depth_is_kept():
    answers, heard = Answers(ServerLimits()), []
    asked = {"do": "trace", "game": "gomoku", "algorithm": "alpha-beta"}
    header = answers.answer(asked, heard.append, Stop())[0]["record"]
    assert header["depth"] <= 2 and header["steps"] > 0  # 0: on a busy machine the first one may not end
    header = answers.answer(asked | {"game": "nim", "depth": 4}, heard.append, Stop())[0]["record"]
    assert header["depth"] == 4
    stopped = Stop()
    stopped.set()
    assert answers.answer(asked, heard.append, stopped)[0]["record"]["depth"] <= 1


def test_watch_names_no_algorithm_that_keeps_no_record():
    catalogue = Catalogue(ServerLimits())
    traced = {a["name"] for a in catalogue.as_dict()["algorithms"] if a["traces"]}
    assert set(algorithms()) - traced == {"alpha-mu", "rollout", "value-iteration"}
    for name in game_classes():
        assert catalogue.game(name)["lesson"] in traced, name
