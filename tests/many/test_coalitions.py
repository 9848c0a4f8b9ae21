"""Views for many players: paranoid is alpha-beta of the coalition, best reply one answer to each move."""

from __future__ import annotations

import pickle
from typing import NamedTuple

import pytest

import gambito
from gambito import Game
from gambito.game.coalitions import against, best_reply, best_reply_plus, teams
from gambito.game.gears import gears
from gambito.search.chooser import strongest
from tests.many.forests import Forest, Node

GEARS = ("python", "native")


class Coalition(Forest):
    """The coalition written by hand: player 0 is `one`, player 1 is everybody else."""

    def __init__(self, players: int, one: int) -> None:
        super().__init__(players)
        self.one, self.seats, self.players = one, players, 2
        self.lowest, self.highest = -self.highest, self.highest

    def player(self, state):
        return 0 if self.number(state, 7, self.seats) == self.one else 1

    def worth(self, state, player):
        game = Forest(self.seats)
        value = game.worth(state, self.one)
        return value if player == 0 else -value


@pytest.mark.parametrize("players", [3, 4])
def test_paranoid_is_alpha_beta_of_the_coalition_node_for_node(players):
    game = Forest(players)
    for seed in range(60):
        state = Node(seed, 0, 5)
        by_hand = Coalition(players, game.player(state))
        found = gambito.search(game, state, "paranoid", depth=5, gear="python")
        truth = gambito.search(by_hand, state, "alpha-beta", depth=5, gear="python")
        for fact in ("value", "action", "line", "nodes", "evaluations", "depth"):
            assert getattr(found, fact) == getattr(truth, fact), (fact, seed)
        assert found.game is game and not found.exact


def test_both_gears_agree():
    game = Forest(3)
    for seed in range(12):
        state = Node(seed, 0, 5)
        for name in ("paranoid", "best-reply", "best-reply-plus"):
            plain, compiled = (gambito.search(game, state, name, depth=4, gear=gear) for gear in GEARS)
            for fact in ("value", "action", "line", "nodes", "evaluations"):
                assert getattr(plain, fact) == getattr(compiled, fact), (name, fact, seed)


class Turns(NamedTuple):
    turn: int  # the names of rules and traits
    player: int
    players: int


class Named(Game):
    """Take one or two of seven stones; its states have fields with the names of rules."""

    players, lowest, highest, longest = 3, 0, 1, 7
    zero_sum = False

    def initial(self):
        return Turns(7, 0, 3)

    def player(self, state):
        return state.player

    def actions(self, state):
        for taken in range(1, min(2, state.turn) + 1):
            yield taken

    def result(self, state, action):
        following = sum([self.player(s) + 1 for s in (state,)]) % state.players
        return Turns(state.turn - action, following, self.players)

    def is_terminal(self, state):
        return state.turn == 0

    def utility(self, state, player):
        return 1 if player == state.player else 0


@pytest.mark.parametrize("gear", GEARS)
def test_a_state_may_have_fields_with_the_names_of_rules(gear):
    game = Named()
    found = gambito.search(game, algorithm="paranoid", depth=7, gear=gear)
    alone = gambito.search(game, algorithm="max-n", depth=7, gear=gear)
    assert found.value in (0, 1) and alone.value in (0, 1)
    assert against(game, 1).player(game.initial()) == 1


def test_one_compilation_serves_every_player():
    game = Forest(3)
    native = [gears(against(game, player)).in_gear("native") for player in range(3)]
    assert len({view.identity for view in native}) == 1


def test_every_search_for_two_takes_a_view():
    game = Forest(3)
    for seed in range(15):
        state = Node(seed, 0, 4)
        view = against(game, game.player(state))
        truth = gambito.search(view, state, "minimax", depth=4, gear="python").value
        for name in ("negamax", "alpha-beta", "pvs", "mtd-f", "negascout"):
            assert gambito.search(view, state, name, depth=4, gear="python").value == truth
        found = gambito.search(game, state, "paranoid-engine", depth=4, gear="python", memory=1)
        assert found.value == truth


def reply_value(game, state, depth, one, is_mine):
    """Best reply by definition: the player moves, then one of the others, whichever hurts most."""
    if game.is_terminal(state):
        return game.utility(state, one)
    if depth == 0:
        return game.evaluate(state, one)
    if is_mine:
        children = [game.result(state, a) for a in game.actions(state)]
        return max(reply_value(game, c, depth - 1, one, game.player(c) == one) for c in children)
    values = []
    for other in set(range(game.players)) - {one}:
        turned = game.give_turn(state, other)
        if game.player(turned) == other:
            for action in game.actions(turned):
                after = game.result(turned, action)
                after = after if game.is_terminal(after) else game.give_turn(after, one)
                values.append(reply_value(game, after, depth - 1, one, game.player(after) == one))
    return min(values)


def test_best_reply_by_definition():
    game = Forest(3)
    for seed in range(40):
        state = Node(seed, 0, 4)
        one = game.player(state)
        found = gambito.search(game, state, "best-reply", depth=4, gear="python")
        assert found.value == reply_value(game, state, 4, one, True), seed
        assert found.action in game.legal(state)


class Count(NamedTuple):
    total: int
    mover: int
    turns: int


class Adding(Game):
    """Three players add 1 or 2 in turn; after 6 turns, the player whose number is the rest wins."""

    name = "adding"
    players = 3
    lowest, highest = -1, 2
    longest = 6
    most_actions = 2

    def initial(self):
        return Count(0, 0, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for added in range(1, 3):
            yield added

    def result(self, state, action):
        return Count(state.total + action, (state.mover + 1) % self.players, state.turns + 1)

    def is_terminal(self, state):
        return state.turns == 6

    def utility(self, state, player):
        return 2 if state.total % self.players == player else -1

    def priority(self, state, action):
        return action

    def give_turn(self, state, player):
        return Count(state.total, player, state.turns)


def test_the_rules_of_a_game_keep_their_own_players():
    """`self.players` in the rules of a game is its own, not the two of the view."""
    game = Adding()
    view = against(game, 1)
    assert (view.players, game.players) == (2, 3)
    state, seen = view.initial(), []
    while not view.is_terminal(state):
        seen.append((state.mover, view.player(state)))
        state = view.result(state, 1)
    assert seen == [(0, 1), (1, 0), (2, 1)] * 2
    assert view.utility(state, 0) == game.utility(state, 1) == -view.utility(state, 1)
    assert view.label() == game.label() == "adding"


def test_best_reply_plus_plays_usual_actions():
    """After the first player, two actions of the third and two of the second: each with 2 by the other."""
    view = best_reply_plus(Adding(), 0)
    after = view.result(view.initial(), 1)
    assert [view.write(after, a) for a in view.actions(after)] == ["1: 1", "1: 2", "2: 1", "2: 2"]
    children = [view.result(after, a) for a in view.actions(after)]
    assert [(c.total, c.mover, c.turns) for c in children] == [(4, 0, 3), (5, 0, 3), (4, 0, 3), (5, 0, 3)]


def test_best_reply_leaves_turns_out():
    view = best_reply(Adding(), 0)
    after = view.result(view.initial(), 1)
    children = [view.result(after, a) for a in view.actions(after)]
    assert [(c.total, c.mover, c.turns) for c in children] == [(2, 0, 2), (3, 0, 2)] * 2


def test_a_record_of_best_reply_names_who_answers():
    record = gambito.trace(Adding(), None, "best-reply", depth=2)
    words = {node.action for node in record.nodes}
    assert {"1", "2", "1: 1", "2: 2"} <= words
    assert record.nodes[0].player == 0 and record.line


class Partners(Adding):
    """Four players, the first and the third together."""

    name = "partners"
    players = 4
    teams = (0, 1, 0, 1)
    lowest, highest = -1, 1

    def utility(self, state, player):
        return 1 if state.total % 2 == player % 2 else -1


@pytest.mark.parametrize("gear", GEARS)
def test_teams_are_two_players(gear):
    view = teams(Partners())
    assert view.players == 2
    found = gambito.search(view, None, "alpha-beta", depth=6, gear=gear)
    assert found.value == -2  # the other team has the last move, and makes the total odd
    assert [view.player(view.parse(" ".join("1" * n))) for n in range(4)] == [0, 1, 0, 1]


def test_a_view_is_copied_to_another_process():
    view = pickle.loads(pickle.dumps(against(gambito.load("tic-tac-toe"), 1)))
    assert view.player(view.initial()) == 1


def test_what_does_not_fit_is_refused():
    with pytest.raises(gambito.SearchError, match="for three players or more, and tic-tac-toe has 2"):
        gambito.search("tic-tac-toe", None, "paranoid", depth=2)

    class Fixed(Adding):
        give_turn = Game.give_turn

    with pytest.raises(gambito.SearchError, match="no rule give_turn"):
        gambito.search(Fixed(), None, "best-reply", depth=2)
    with pytest.raises(gambito.GambitoError, match="does not have two teams"):
        teams(Adding())
    with pytest.raises(gambito.GambitoError, match="has no player 3"):
        against(Adding(), 3)


def test_what_plays_by_default():
    """A game for many that a search can evaluate is searched; without `give_turn`, all others are one."""

    class Judged(Adding):
        def evaluate(self, state, player):
            return 0

    class InTurn(Judged):
        give_turn = Game.give_turn

    assert strongest(Judged()) == "best-reply" and strongest(InTurn()) == "paranoid"
    assert strongest(gambito.load("tic-tac-toe-3")) == "max-n"
    assert strongest(gambito.load("chinese-checkers:players=4")) == "best-reply"
    assert strongest(gambito.load("chinese-checkers:players=2")) == "engine"
