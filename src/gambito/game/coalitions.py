"""A game for many as a game for two: one player against all others, two teams, or one player and one reply.

Each is a view of the game (`game/game_view.py`), in which player 0 is the one who asks and player 1 is
everybody else. So every search for two players, with its tables and its ordering, serves games for many.

    against(game, player)       the others play as one, and want that player to have little (paranoid)
    teams(game)                 the two teams that the trait `teams` names; partners add up their values
    best_reply(game, player)    after each move of the player, only one of the others moves (BRS)
    best_reply_plus(...)        the others move in turn; one of them chooses, and for each of the rest its
                                action of the highest `priority` is played (BRS+)

What a game knows about values for its own players (bounds, endings, symmetries) is left out of the views.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gambito.errors import GameError
from gambito.game.contract import CHANCE, NO_ACTION, Game
from gambito.game.contract.many import Many
from gambito.game.contract.ordering import Ordering
from gambito.game.contract.searching import Searching
from gambito.game.game_view import view_of
from gambito.native import Memory, mix, uint64


class _Neutral:
    """What every view leaves out, because it is true of the game's own players only."""

    bounds, symmetries, turn = Searching.bounds, Searching.symmetries, Searching.turn
    pass_turn, worthwhile = Ordering.pass_turn, Ordering.worthwhile
    is_nearly_over, solve_ending = Ordering.is_nearly_over, Ordering.solve_ending
    banked, unbanked = Many.banked, Many.unbanked

    def slice_size(self, signature):
        return 0

    if TYPE_CHECKING:  # the view has the rules and traits of its game

        def __getattr__(self, name: str) -> Any: ...


class _Against(_Neutral):
    """The lens of `against`. The number of the player is memory, so that one compilation serves all.

    Values are that player's, so another player's view has other keys in a table.
    """

    def key(self, state):
        return uint64(self.own_key(state)) ^ uint64(self.salt[0])

    def player(self, state):
        mover = self.own_player(state)
        if mover == CHANCE:
            return mover
        return 0 if mover == self.viewer[0] else 1

    def utility(self, state, player):
        value = self.own_utility(state, self.viewer[0])
        return value if player == 0 else -value

    def evaluate(self, state, player):
        value = self.own_evaluate(state, self.viewer[0])
        return value if player == 0 else -value

    def repetition(self, state, player):
        value = self.own_repetition(state, self.viewer[0])
        return value if player == 0 else -value


class _Teams(_Neutral):
    """The lens of `teams`."""

    def player(self, state):
        mover = self.own_player(state)
        if mover == CHANCE:
            return mover
        return self.team_of[mover]

    def utility(self, state, player):
        value = self.own_utility(state, 0) * 0
        for member in range(self.own_players):
            if self.team_of[member] == player:
                value += self.own_utility(state, member)
        return value

    def evaluate(self, state, player):
        value = self.own_evaluate(state, 0) * 0
        for member in range(self.own_players):
            if self.team_of[member] == player:
                value += self.own_evaluate(state, member)
        return value

    def repetition(self, state, player):
        value = self.own_repetition(state, 0) * 0
        for member in range(self.own_players):
            if self.team_of[member] == player:
                value += self.own_repetition(state, member)
        return value


class _BestReply(_Against):
    """The lens of `best_reply`. An action of the others is `action * players + player`."""

    plies_left = Searching.plies_left

    def actions(self, state):
        if self.own_player(state) == self.viewer[0]:
            for action in self.own_actions(state):
                yield action
        else:
            any_reply = False
            for other in range(self.own_players):
                if other != self.viewer[0]:
                    turned = self.give_turn(state, other)
                    if self.own_player(turned) == other:
                        for action in self.own_actions(turned):
                            any_reply = True
                            yield action * self.own_players + other
            if not any_reply:  # nobody can move: the turn goes back
                yield self.viewer[0]

    def result(self, state, action):
        viewer = self.viewer[0]
        if self.own_player(state) == viewer:
            return self.own_result(state, action)
        other = action % self.own_players
        if other == viewer:
            return self.give_turn(state, viewer)
        after = self.own_result(self.give_turn(state, other), action // self.own_players)
        return after if self.is_terminal(after) else self.give_turn(after, viewer)

    def priority(self, state, action):
        if self.own_player(state) == self.viewer[0]:
            return self.own_priority(state, action)
        other = action % self.own_players
        if other == self.viewer[0]:
            return 0
        return self.own_priority(self.give_turn(state, other), action // self.own_players)

    def write(self, state, action):
        if self.own_player(state) == self.viewer[0]:
            return self.own_write(state, action)
        other = action % self.own_players
        if other == self.viewer[0]:
            return "-"
        turned = self.give_turn(state, other)
        return f"{other}: {self.own_write(turned, action // self.own_players)}"


class _BestReplyPlus(_BestReply):
    """The lens of `best_reply_plus`: as `_BestReply`, but every player moves in turn."""

    def usual_action(self, state):
        """The action of the highest priority, the first of equals."""
        chosen, highest = NO_ACTION, 0
        for action in self.own_actions(state):
            hint = self.own_priority(state, action)
            if chosen == NO_ACTION or hint > highest:
                chosen, highest = action, hint
        return chosen

    def before(self, state, other):
        """The state in which that player moves, after usual actions of those before; a state of another
        player if it does not come to move."""
        turns = 0
        while turns < self.own_players and not self.is_terminal(state):
            mover = self.own_player(state)
            if mover == other or mover == self.viewer[0]:
                break
            state = self.own_result(state, self.usual_action(state))
            turns += 1
        return state

    def actions(self, state):
        if self.own_player(state) == self.viewer[0]:
            for action in self.own_actions(state):
                yield action
        else:
            for other in range(self.own_players):
                if other != self.viewer[0]:
                    turned = self.before(state, other)
                    if not self.is_terminal(turned) and self.own_player(turned) == other:
                        for action in self.own_actions(turned):
                            yield action * self.own_players + other

    def result(self, state, action):
        viewer = self.viewer[0]
        if self.own_player(state) == viewer:
            return self.own_result(state, action)
        other = action % self.own_players
        turned = self.before(state, other)
        return self.before(self.own_result(turned, action // self.own_players), viewer)

    def priority(self, state, action):
        if self.own_player(state) == self.viewer[0]:
            return self.own_priority(state, action)
        other = action % self.own_players
        return self.own_priority(self.before(state, other), action // self.own_players)

    def write(self, state, action):
        if self.own_player(state) == self.viewer[0]:
            return self.own_write(state, action)
        other = action % self.own_players
        return f"{other}: {self.own_write(self.before(state, other), action // self.own_players)}"


LENSES = (_Against, _BestReply, _BestReplyPlus)


def against(game: Game, player: int) -> Game:
    """The game of one player, who is player 0, against all others, who play as one."""
    return _one_against(game, _Against, against, player)


def best_reply(game: Game, player: int) -> Game:
    """The game in which one player, player 0, moves in turn with one of the others, whichever hurts most.

    The game's rule `give_turn` lets players move out of turn.
    """
    return _one_against(game, _BestReply, best_reply, player)


def best_reply_plus(game: Game, player: int) -> Game:
    """As `best_reply`, but no turn is left out: the others play usual actions, and one of them chooses."""
    return _one_against(game, _BestReplyPlus, best_reply_plus, player)


def _one_against(game: Game, lens: type, make: Any, player: int) -> Game:
    if not 0 <= player < game.players:
        raise GameError("{} has no player {}", game.label(), player)
    most = max(abs(game.lowest), abs(game.highest))
    plain = make is against
    return view_of(
        game,
        _whole(lens),
        make,
        player,
        players=2,
        zero_sum=True,
        lowest=-most,
        highest=most,
        longest=game.longest if plain else None,
        most_actions=game.most_actions if plain else None,
        probcut_model=(),
        viewer=Memory(np.array([player], np.int64)),
        salt=Memory(np.array([mix((LENSES.index(lens), player))], np.uint64)),
    )


def teams(game: Game) -> Game:
    """The game of the two teams that its trait `teams` names."""
    if sorted(set(game.teams)) != [0, 1] or len(game.teams) != game.players:
        raise GameError("{} does not have two teams, numbered 0 and 1, of all its players", game.label())
    most = max(abs(game.lowest), abs(game.highest)) * max(map(game.teams.count, (0, 1)))
    sums = {"players": 2, "zero_sum": True, "lowest": -most, "highest": most, "probcut_model": ()}
    return view_of(game, _whole(_Teams), teams, teams=(), team_of=tuple(game.teams), **sums)


def _whole(lens: type) -> type:
    """A lens with all rules of its bases in one class."""
    rules: dict[str, Any] = {}
    for base in reversed(lens.__mro__[:-1]):
        rules |= {n: rule for n, rule in vars(base).items() if not n.startswith("__")}
    return type(lens.__name__, (), rules)
