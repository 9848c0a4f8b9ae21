"""A match: one game from its first state to the current one, with undo. It does not know who plays.

A player, or a spectator, is shown what `observe` gives. When the game is over, everybody is shown everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gambito.errors import GameError
from gambito.game.contract import CHANCE, NOBODY, Game
from gambito.game.puzzle import Puzzle
from gambito.players.seating import place
from gambito.search.monte_carlo.trees import same
from gambito.words.sentence import Sentence

SECRET = "?"  # the name of an action that a player does not know
MOST_TRIED = 1000  # actions that are tried to find the one that explains an observation
REPEATS = 3  # the third occurrence of a position is a draw, in games with `cycles`
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")


class RunningGame:
    """The states of a game so far, and the actions between them."""

    def __init__(self, game: Game, state: Any) -> None:
        self.game = game
        self.states = [state]
        self.actions: list[int] = []
        self.keys: list[int] = []  # of the states, as far as they were asked for

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def player(self) -> int:
        return int(self.game.player(self.state))

    @property
    def is_over(self) -> bool:
        return bool(self.game.is_terminal(self.state))

    def play(self, action: int | None) -> None:
        """Play an action; None is the choice of a player who finds none, and raises an error."""
        if action is None:
            raise GameError(
                "{} has no action in a state that is not terminal; `check` shows more", self.game.label()
            )
        state = self.game.result(self.state, action)
        self.states.append(state)
        self.actions.append(action)

    def undo(self) -> None:
        """Take the last action back."""
        self.states.pop()
        self.actions.pop()
        del self.keys[len(self.states) :]

    def restart(self) -> None:
        """Go back to the first state."""
        del self.states[1:]
        del self.keys[1:]
        self.actions.clear()

    def seen(self, player: int) -> Any:
        """The current state as a player sees it; NOBODY: as a spectator does."""
        return self.state if self.is_over else seen(self.game, self.state, player)

    def names(self, player: int | None = None) -> list[str]:
        """The actions in the game's notation; those that a player does not get to know are `?`."""
        game, taken = self.game, zip(self.states, self.actions, strict=False)
        if player is None or not game.hidden or self.is_over:
            return [game.write(state, action) for state, action in taken]
        names = []
        for before, action, after in zip(self.states, self.actions, self.states[1:], strict=False):
            was, now = game.observe(before, player), game.observe(after, player)
            is_own = player != NOBODY and game.player(before) == player
            known = action if is_own else explain(game, was, now, player)
            names.append(SECRET if known is None else game.write(was, known))
        return names

    def is_noticed(self, player: int) -> bool:
        """Does a player, or a spectator, see that the last action was taken?"""
        if not self.game.hidden or self.is_over:
            return True
        was, now = (self.game.observe(state, player) for state in self.states[-2:])
        return not same(was, now)

    @property
    def is_repeated(self) -> bool:
        """Has the current position occurred too often?"""
        if not self.game.cycles or isinstance(self.game, Puzzle):
            return False
        del self.keys[len(self.states) :]
        self.keys += [int(self.game.key(state)) for state in self.states[len(self.keys) :]]
        return self.keys.count(self.keys[-1]) >= REPEATS

    def utilities(self) -> list[Any]:
        """The final score of each player."""
        score = self.game.utility if self.is_over else self.game.repetition
        return [score(self.state, player) for player in range(self.game.players)]

    def points(self) -> list[str]:
        """What each player has in the end: the score if it counts, else 1 for a win, ½ if shared, else 0."""
        scores = self.utilities()
        if self._is_counted or not self.game.zero_sum:
            return [f"{score:+}" if self.game.zero_sum else str(score) for score in scores]
        return [{1.0: "1", 0.5: "½"}.get(place(scores, player), "0") for player in range(len(scores))]

    def verdict(self) -> Sentence:
        """The result of the game and its reason, in words."""
        if isinstance(self.game, Puzzle):
            return Sentence("the goal is reached")
        reason = self.game.reason(self.state) if self.is_over else Sentence("the position came three times")
        return Sentence("{}: {}", self._result(), reason) if reason else self._result()

    @property
    def _is_counted(self) -> bool:
        """Does a score tell how much was won? In a unit that is counted, or if nothing else is told."""
        unit, size = self.game.measure
        if unit:
            return unit != "wins" and size == 1
        return self.game.highest != 1 and not self.game.reason(self.state)

    def _result(self) -> Sentence:
        scores = self.utilities()
        if self.game.zero_sum and self.game.players == 2:
            if scores[0] == scores[1]:
                return Sentence("a draw")
            winner = 0 if scores[0] > scores[1] else 1
            if not self._is_counted:
                return Sentence("{} wins", side(self.game, winner))
            return Sentence("{} wins ({:+})", side(self.game, winner), scores[winner])
        if not self.game.zero_sum:
            return _points("{}: {}", self.game, scores)
        winners = [player for player, score in enumerate(scores) if score == max(scores)]
        if len(winners) == len(scores):
            return Sentence("a draw")
        names = [side(self.game, each) for each in winners]
        won = Sentence("{} wins", *names)
        if len(names) > 1:
            won = Sentence("{} share the win", Sentence(", ".join(["{}"] * len(names)), *names))
        return Sentence("{} ({})", won, _points("{} {:+}", self.game, scores)) if self._is_counted else won


def _points(pattern: str, game: Game, scores: Sequence[Any]) -> Sentence:
    """The points of every player, each in a pattern for its name and its points."""
    said = (part for player, score in enumerate(scores) for part in (side(game, player), score))
    return Sentence(", ".join([pattern] * len(scores)), *said)


def seen(game: Game, state: Any, player: int) -> Any:
    """A state as a player sees it; NOBODY: as a spectator does."""
    return game.observe(state, player) if game.hidden else state


def explain(game: Game, before: Any, after: Any, player: int) -> int | None:
    """The only action that leads from one observation of a player to the next; None if there are others.

    It is worked out from the observations, never from the action itself, so it cannot tell more than they do.
    """
    found: int | None = None
    try:
        is_chance = game.player(before) == CHANCE
        actions = (outcome for outcome, _ in game.chances(before)) if is_chance else game.actions(before)
        for tried, action in enumerate(actions):
            if tried == MOST_TRIED:
                return None
            if same(game.observe(game.result(before, action), player), after):
                if found is not None:
                    return None
                found = int(action)
    except Exception:  # the rules need not accept blanks where somebody else moves
        return None
    return found


def is_repeated(game: Game, state: Any, past_states: Sequence[Any]) -> bool:
    """Is a game with these states over because a position occurred too often? A puzzle never is."""
    if not game.cycles or isinstance(game, Puzzle):
        return False
    key = int(game.key(state))
    return 1 + sum(int(game.key(before)) == key for before in past_states) >= REPEATS


def side(game: Game, player: int) -> Sentence:
    """The name of a player of a game."""
    if player < len(game.sides):
        return Sentence(game.sides[player])
    return Sentence("the {} player", Sentence(seat(player)))


def seat(player: int) -> str:
    """Player 0 is the first, player 1 the second."""
    return PLACES[player] if player < len(PLACES) else f"{player + 1}th"
