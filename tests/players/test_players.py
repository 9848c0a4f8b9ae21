"""Players and the match they sit at."""

from __future__ import annotations

from collections import Counter

import pytest

import gambito
from gambito.players import Clock, read_player
from gambito.players.player import Engine, RandomPlayer
from gambito.players.running_game import RunningGame, seat
from gambito.search.limits import Limits


@pytest.fixture
def match() -> RunningGame:
    game = gambito.load("tic-tac-toe")
    return RunningGame(game, game.initial())


def test_a_match_goes_on_and_back(match):
    for word in "519":
        match.play(match.game.read(match.state, word))
    assert match.names() == ["5", "1", "9"] and match.player == 1 and not match.is_over
    match.undo()
    assert match.names() == ["5", "1"] and match.player == 0
    match.restart()
    assert match.names() == [] and match.state == match.game.initial()


@pytest.mark.parametrize(
    ("position", "verdict"),
    [
        ("XXX/OO./...", "X wins: a line of 3"),
        ("OOO/XX./X..", "O wins: a line of 3"),
        ("XOX/XOO/OXX", "a draw: the board is full"),
    ],
)
def test_verdicts(position, verdict):
    game = gambito.load("tic-tac-toe")
    ended = RunningGame(game, game.parse(position))
    assert ended.is_over and ended.verdict() == verdict and sum(ended.utilities()) == 0


def test_verdict_of_a_game_that_is_not_zero_sum(match):
    match.game.zero_sum = False
    match.states[-1] = match.game.parse("XXX/OO./...")
    assert match.verdict() == "X: 1, O: -1: a line of 3"


@pytest.mark.parametrize(
    ("name", "position", "verdict"),
    [
        ("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "a draw: stalemate"),
        ("chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "White wins: checkmate"),
        ("chess", "7k/8/6K1/8/8/8/8/8 b - - 0 1", "a draw: no mate is possible"),
        ("chess", "7k/8/6K1/8/8/8/8/R7 b - - 100 90", "a draw: fifty moves without progress"),
        ("checkers", "B:W5:B", "White wins: no pieces are left"),
        ("nine-mens-morris", "WW....../......../......BB B 0 0", "White wins: fewer than 3 men"),
        (
            "go:size=3",
            ".../.X./... O - 2 3",
            "Black wins: both have passed; Black has 1.5 points more",
        ),
    ],
)
def test_a_verdict_has_a_reason(name, position, verdict):
    game = gambito.load(name)
    assert RunningGame(game, game.parse(position)).verdict() == verdict


def test_a_puzzle_may_go_back():
    game = gambito.load("sliding-tiles")
    match = RunningGame(game, game.parse("1 2 3 4 5 6 0 7 8"))
    for move in "77777777":
        match.play(game.read(match.state, move))
    assert not match.is_repeated and not match.is_over


def test_no_action_is_a_complaint(match):
    with pytest.raises(gambito.GameError, match="no action"):
        match.play(None)


def test_a_position_for_the_third_time_ends_a_game_that_can_run_in_circles(match):
    match.states.append(match.state)
    assert not match.is_repeated
    match.states.append(match.state)
    assert not match.is_repeated
    match.game.cycles = True
    assert match.is_repeated and match.verdict() == "a draw: the position came three times"
    match.states.pop()
    assert not match.is_repeated


def test_seats():
    assert [seat(player) for player in (0, 1, 7)] == ["first", "second", "8th"]


def test_an_engine_chooses_what_it_found():
    game = gambito.load("tree")
    choice = Engine("minimax", Limits(depth=2)).choose(game, game.initial())
    assert choice.action == 0 and choice.found is not None and choice.found.value == 3


def test_an_engine_complains_before_it_plays():
    game = gambito.load("tree")
    Engine(limits=Limits(seconds=60)).prepare(game, game.initial())
    for engine in (Engine("x"), Engine(limits=Limits(nodes=0)), Engine(options={"x": 1}), Engine(gear="x")):
        with pytest.raises(gambito.SearchError):
            engine.prepare(game, game.initial())


def test_an_engine_keeps_its_memory_for_one_game():
    game, engine = gambito.load("connect-four"), read_player("engine:depth=9")
    engine.begin(game)
    first, again = (engine.choose(game, game.initial()).found.nodes for _ in range(2))
    engine.begin(game)
    assert again < first == engine.choose(game, game.initial()).found.nodes


def test_memory_is_what_the_game_can_fill():
    game, engine = gambito.load("connect-four"), read_player("engine")
    engine.begin(game, clock=Clock(0.1, 0.01))
    assert engine.size == {"memory": 32}
    engine.begin(game, clock=Clock(60))
    assert engine.size == {"memory": 64}
    for text in ("engine:memory=2", "engine:depth=3", "alpha-beta"):
        engine = read_player(text)
        engine.begin(game)
        assert engine.size == {}


def test_a_greedy_player_takes_what_is_best_now():
    game = gambito.load("tic-tac-toe")
    state = game.parse("XX./OO./...")
    assert {read_player(f"greedy:seed={s}").choose(game, state).action for s in range(9)} == {2}
    chosen = {read_player(f"greedy:seed={s}").choose(game, game.initial()).action for s in range(99)}
    assert chosen == set(range(9))


def test_a_random_player_is_fair_and_repeatable(match):
    chosen = [RandomPlayer(seed).choose(match.game, match.state).action for seed in range(300)]
    assert chosen == [RandomPlayer(seed).choose(match.game, match.state).action for seed in range(300)]
    assert set(chosen) == set(range(9)) and max(Counter(chosen).values()) < 70


def test_chance_follows_its_probabilities():
    class Coin(gambito.Game):
        chance = True

        def initial(self):
            return 0

        def player(self, state):
            return gambito.CHANCE

        def chances(self, state):
            return [(4, 0.9), (7, 0.1)]

    coin = RandomPlayer(0)
    thrown = Counter(coin.choose(Coin(), 0).action for _ in range(1000))
    assert set(thrown) == {4, 7} and 850 < thrown[4] < 950


def test_the_end_of_a_game_for_many():
    """Points are told where they count; else who has won."""
    race = gambito.load("tic-tac-toe-3")
    won = RunningGame(race, race.parse("XXX./OO../SS../...."))
    assert won.verdict() == "X wins: three in a row" and won.points() == ["1", "0", "0"]
    poker = gambito.load("kuhn-poker:players=3")
    match = RunningGame(poker, poker.initial())
    while not match.is_over:
        chances = [int(o) for o, _ in poker.chances(match.state)] if match.player < 0 else [0]
        match.play(chances[-1])
    assert sum(map(float, match.points())) == 0 and "wins (" in match.verdict()
    dilemma = gambito.load("prisoners-dilemma")
    end = RunningGame(dilemma, dilemma.parse("st"))
    assert end.verdict() == "First: 0, Second: 5: one talks" and end.points() == ["0", "5"]
    full = RunningGame(gambito.load("tic-tac-toe-3:size=3"), None)
    full.states = [full.game.parse("XOS/SXO/OSX")]
    assert full.is_over and full.points() == ["1", "0", "0"]
    full.states = [full.game.parse("XOX/SXO/OSS")]
    assert full.verdict().startswith("a draw") and full.points() == ["½", "½", "½"]
