"""The analysis of every action: the values are those of a search of each."""

import random

import pytest

import gambito
from gambito.errors import SearchError
from gambito.players.analysis import analyse
from gambito.players.levels import LevelPlayer
from gambito.players.running_game import RunningGame
from tests.support import on_the_clock, random_state


def test_every_candidate_has_the_value_of_its_own_search():
    game, rng = gambito.load("tic-tac-toe"), random.Random(5)
    for _ in range(20):
        state = random_state(game, rng, rng.randrange(8))
        found = analyse(game, state, "alpha-beta")
        values = [candidate.value for candidate in found.candidates]
        assert values == sorted(values, reverse=True) and all(c.exact for c in found.candidates)
        assert values[0] == gambito.solve(game, state, "minimax").value
        assert sorted(c.action for c in found.candidates) == sorted(game.legal(state))
        for candidate in found.candidates:
            assert candidate.line[0] == candidate.action


def test_a_player_who_moves_twice_is_valued_for_the_one_who_chooses():
    game = gambito.load("tree")
    state = game.parse('[{"player": "max", "moves": [3, 9]}, [4, 5]]')
    values = {c.action: c.value for c in analyse(game.at(state), state, "minimax").candidates}
    assert values == {0: 9, 1: 4}


@on_the_clock
def test_the_time_is_kept_and_a_stop_is_heard():
    game, stop = gambito.load("connect-four"), gambito.Stop()
    analyse(game, game.initial(), depth=2)
    found = analyse(game, game.initial(), seconds=0.3)
    assert found.seconds < 1.0 and found.depth > 4
    told = []
    analyse(
        game,
        game.initial(),
        stop=stop,
        progress=lambda now: told.append(now.depth) or (len(told) > 30 and stop.set()),
    )
    assert len(told) < 200


class Tempo(gambito.Game):
    """A chain of free choices whose evaluation favours whoever moved last: odd depths look better."""

    name = "tempo"
    lowest, highest, longest = -100, 100, 12

    def initial(self):
        return (0, 0)  # plies, and a mix of the choices so far

    def player(self, state):
        return state[0] % 2

    def actions(self, state):
        yield from range(4)

    def result(self, state, action):
        return (state[0] + 1, (state[1] * 5 + action + 1) % 23)

    def is_terminal(self, state):
        return state[0] == 12

    def utility(self, state, player):
        return self.evaluate(state, player)

    def evaluate(self, state, player):
        lead = state[1] - 11
        value = lead if state[0] % 2 else -lead
        return (value if player == 0 else -value) + (50 if player != state[0] % 2 else -50)


def test_values_of_one_depth_are_ranked():
    """Wherever the nodes run out, no value is older than another, and the best is that of its depth."""
    game, given = Tempo(), {"options": {"gear": "python"}}
    best: dict[int, set[int]] = {}
    for depth in range(1, 6):
        values = {c.action: c.value for c in analyse(game, (0, 0), "alpha-beta", depth, **given).candidates}
        best[depth] = {a for a, value in values.items() if value == max(values.values())}
    ended = set()
    for nodes in range(2, 400, 7):
        told: list[set[int]] = []
        found = analyse(
            game,
            (0, 0),
            "alpha-beta",
            nodes=nodes,
            progress=lambda now: told.append({c.depth for c in now.candidates}),  # noqa: B023
            **given,
        )
        assert {c.depth for c in found.candidates} == {found.depth} and all(len(d) == 1 for d in told)
        assert found.candidates[0].action in best[found.depth]
        ended.add(found.depth)
    assert len(ended) >= 3


def test_a_stop_before_the_first_value_leaves_one():
    stop = gambito.Stop()
    stop.set()
    found = analyse(Tempo(), (0, 0), "alpha-beta", stop=stop, options={"gear": "python"})
    assert found.depth == 1 and all(c.value is not None for c in found.candidates)


def test_what_finds_no_value_is_refused():
    game = gambito.load("tic-tac-toe")
    with pytest.raises(SearchError, match="b-star finds an action, not its value"):
        analyse(game, game.initial(), "b-star")


# A queen against a king that goes to and fro; the queen's side is to move.
SHUFFLE = "1k6/8/8/8/q7/8/8/7K b - - 0 1"
TO_AND_FRO = ["Qa5", "Kh2", "Qa6", "Kh1", "Qa5", "Kh2", "Qa6"]


def shuffled(*last: str) -> tuple[gambito.Game, RunningGame]:
    game = gambito.load("chess")
    match = RunningGame(game, game.parse(SHUFFLE))
    for word in [*TO_AND_FRO, *last]:
        match.play(game.read(match.state, word))
    assert not match.is_repeated
    return game, match


def test_a_candidate_that_repeats_the_position_a_third_time_is_a_draw():
    game, match = shuffled("Kh1")
    queen = game.read(match.state, "Qa5")
    for past_states, is_draw in ((match.states[:-1], True), ((), False)):
        found = {c.action: c for c in analyse(game, match.state, depth=1, past_states=past_states).candidates}
        assert (found[queen].value == 0, found[queen].exact) == (is_draw, is_draw)
        assert all(c.value > 0 for action, c in found.items() if action != queen and c.line)


def test_the_opponents_third_repetition_is_seen():
    game, match = shuffled("Kg1")
    queen = game.read(match.state, "Qa5")
    for past_states, is_draw in ((match.states[:-1], True), ((), False)):
        given = {"past_states": past_states, "options": {"gear": "python"}}
        found = {c.action: c for c in analyse(game, match.state, "alpha-beta", 2, **given).candidates}
        assert (found[queen].value == 0) == is_draw


def test_a_level_knows_what_was_played():
    game, match = shuffled("Kh1")
    queen, seen = game.read(match.state, "Qa5"), []
    LevelPlayer(1, progress=seen.append).choose(game, match.state, past_states=match.states[:-1])
    assert next(c.value for c in seen[-1].candidates if c.action == queen) == 0


def test_nodes_and_threads_are_kept():
    game = gambito.load("tic-tac-toe")
    few = analyse(game, game.initial(), "alpha-beta", nodes=2000)
    assert 0 < few.nodes <= 2000 and few.depth >= 2
    assert analyse(game, game.initial(), "alpha-beta", 6).nodes > 2000
    assert analyse(game, game.initial(), "mcts", nodes=300).nodes == 300
    with pytest.raises(SearchError, match="alpha-beta runs on one thread, not on 2"):
        analyse(game, game.initial(), "alpha-beta", 3, threads=2)


@pytest.mark.thorough
def test_the_lines_on_the_way_can_be_played_where_a_view_is_searched():
    game, told = gambito.load("chinese-checkers:players=3"), []
    first = game.initial()
    analyse(game, first, "best-reply", depth=3, lines=2, progress=told.append)
    assert told[-1].depth == 3
    for each in (each for so_far in told for each in so_far.candidates):
        state = first
        for action in each.line:
            assert action in game.legal(state)
            state = game.result(state, action)
