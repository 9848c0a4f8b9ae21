"""One chooser: the API, the terminal, the page and players ask the same search the same question."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

import gambito
from gambito.cli.main import cli
from gambito.game.registry import game_classes
from gambito.players import read_player
from gambito.players.analysis import analyse
from gambito.players.levels import LEVELS, LevelPlayer
from gambito.players.match import Match
from gambito.search import request
from gambito.search.algorithm import algorithms
from gambito.search.chooser import lesson, solver, strongest
from gambito.search.limits import Stop
from gambito.web.answers import Answers
from gambito.web.server_limits import ServerLimits
from tests.support import AIMA, UltimateTicTacToe

GAMES = [n for n, kind in game_classes().items() if kind.__module__.startswith("gambito.games")]


class Asked(BaseException):
    """The question that a search would have begun with."""


@pytest.fixture
def asked(monkeypatch):
    """Ask for a search, and get its question instead: the algorithm, the limits, the options, the threads."""

    def stopped(chosen, question, limits, *rest):
        options = {n: v for n, v in question.options.items() if n != "memory"}
        raise Asked(chosen.name, limits, options, question.threads, question.rules.show(question.state))

    for kind in request.RUNNERS:
        monkeypatch.setitem(request.RUNNERS, kind, stopped)

    def ask(call):
        with pytest.raises(Asked) as caught:
            call()
        return caught.value.args

    return ask


def page_plays(name: str) -> None:
    question = {"do": "go", "game": name, "player": {"level": len(LEVELS)}}
    Answers(ServerLimits()).answer(question, lambda *news: None, Stop())


@pytest.mark.parametrize("name", GAMES)
def test_the_terminal_the_page_and_the_api_ask_the_same(asked, name):
    game = gambito.load(name)
    here = asked(lambda: gambito.search(game))
    assert here[0] == strongest(game)
    assert asked(lambda: CliRunner().invoke(cli, ["best", name], catch_exceptions=False)) == here
    assert asked(lambda: read_player("strongest").choose(game, game.initial())) == here
    player = game.player(game.initial())
    if player != gambito.CHANCE:
        assert asked(lambda: LevelPlayer(len(LEVELS)).choose(game, game.initial())) == here
        seen = game.show(game.observe(game.initial(), player))  # the page gives a player no more than this
        assert asked(lambda: page_plays(name)) == (*here[:-1], seen)


@pytest.mark.parametrize("name", GAMES)
def test_what_is_chosen_fits(name):
    game = gambito.load(name)
    solving = () if game.hidden else (solver(game),)
    for chosen in (strongest(game), *solving, lesson(game)):
        assert not algorithms()[chosen].misfit(game)


def test_a_tree_is_a_lesson():
    assert strongest(gambito.load("tree")) == "alpha-beta"
    assert gambito.search("tree", AIMA).algorithm == "alpha-beta"


def test_a_game_says_what_plays_it():
    assert strongest(gambito.load("go")) == "mcts"
    assert strongest(gambito.load("chess")) == "engine"


class Heap(gambito.Game):
    """Take one to three from a heap; it has no evaluation."""

    def __init__(self, heap: int = 30) -> None:
        self.heap = self.longest = heap

    def initial(self):
        return (self.heap, 0)

    def player(self, state):
        return state[1]

    def actions(self, state):
        yield from range(1, min(3, state[0]) + 1)

    def result(self, state, action):
        return (state[0] - action, 1 - state[1])

    def is_terminal(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return -1 if player == state[1] else 1


def test_a_long_game_without_evaluation_is_played_by_simulations():
    assert strongest(UltimateTicTacToe()) == "mcts"
    assert strongest(Heap()) == "engine"  # its end is seen
    assert strongest(Heap(heap=100)) == "mcts"
    unknown = Heap()
    unknown.longest = None
    assert strongest(unknown) == "mcts"
    judged = UltimateTicTacToe()
    judged.evaluate = lambda state, player: 0
    assert strongest(judged) == "engine"
    assert solver(UltimateTicTacToe()) == "engine"


def test_the_top_level_asks_the_chooser(asked):
    game = UltimateTicTacToe()
    for who in (LevelPlayer(len(LEVELS)), LevelPlayer(3), read_player("strongest")):
        assert asked(lambda: who.choose(game, game.initial()))[0] == "mcts"  # noqa: B023
    heap = Heap()
    assert asked(lambda: LevelPlayer(3).choose(heap, (30, 0)))[0] == "engine"
    heap.compiles = False  # in the Python gear, a level reaches its depth sooner with alpha-beta
    assert asked(lambda: LevelPlayer(3).choose(heap, (30, 0)))[0] == "alpha-beta"
    assert asked(lambda: LevelPlayer(8).choose(heap, (30, 0)))[0] == "engine"


@pytest.mark.slow
def test_the_strongest_beats_a_few_simulations_without_evaluation():
    standing = Match(UltimateTicTacToe(), "strongest:seconds=0.05", "mcts:nodes=300", games=8).run()
    assert standing.tally.wins > 2 * standing.tally.losses


def test_every_answer_names_its_algorithm():
    game = gambito.load("tic-tac-toe")
    assert analyse(game, game.initial(), depth=1).algorithm == "engine"
    answers = Answers(ServerLimits())
    for do in ("go", "analyse", "review"):
        question = {"do": do, "game": "tic-tac-toe", "moves": ["5"], "seconds": 0.1}
        if do == "go":
            question = {"do": do, "game": "tic-tac-toe", "player": {"level": 2}}
        found = answers.answer(question, lambda *news: None, Stop())[0]
        assert (found.get("found") or found)["algorithm"] == "engine", do
