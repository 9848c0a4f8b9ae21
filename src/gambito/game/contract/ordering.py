"""What a game may add for ordering and pruning: hints for the engine and for quiescence."""

from __future__ import annotations

from collections.abc import Iterable

from gambito.game.contract.kinds import MOST_ACTIONS, Buffer, State, Value
from gambito.game.contract.searching import Searching


class Ordering(Searching):
    """Ordering and pruning.

    The engine and quiescence ask these. With them a search looks at good actions first, leaves out those
    that cannot matter, and sees more of the game in the same time. `gambito fit probcut` finds the rows of
    `probcut_model`.
    """

    orders_itself: bool = False  # `priority` and the order of `actions` decide alone: no killers, no history
    probcut_model: tuple[tuple[float, ...], ...] = ()  # rows of stage, depth, shallow depth, a, b, sigma, t

    def priority(self, state: State, action: int) -> int:
        """A hint for ordering: higher is tried first; 0 is a quiet action, below 0 one that seems to lose."""
        return 0

    def lecture_priority(self, state: State, action: int) -> int:
        """The kind of an action in the order of the lectures: 4 a check, 3 a capture, 2 a threat, 1 a move
        forward, 0 backward. Alpha-beta asks, with the option `order=lecture`."""
        return 0

    def is_losing(self, state: State, action: int) -> bool:
        """Does an action with a priority above 0 lose something after all? Asked just before it is tried."""
        return False

    def exchange_value(self, state: State, action: int) -> Value:
        """What an action wins, or loses if below 0, if both sides keep exchanging while that pays. The engine
        asks, with the option `exchange`."""
        return 0

    def action_kind(self, action: int) -> int:
        """The kind of an action, such as the piece and where it goes: the engine learns which kinds are good
        replies to which, with the option `replies`. Kinds beyond 1,023 share the numbers below."""
        return action

    def structure_key(self, state: State) -> int:
        """A number above 0 that similar states share, as those with the same pawns: the engine learns how far
        the static value is wrong there, with the option `correction`."""
        return 0

    def noisy(self, state: State) -> Iterable[int]:
        """The actions that can change the static value at once, as captures; quiescence follows them."""
        for action in range(0):
            yield action

    def gain(self, state: State, action: int) -> Value:
        """The most that an action wins at once; quiescence asks, with the option `delta`."""
        return self.highest - self.lowest

    def collect_noisy(self, state: State, buffer: Buffer, place: int) -> int:
        """As `collect`, only the noisy actions."""
        end = place + MOST_ACTIONS
        for action in self.noisy(state):
            if place < end:
                buffer[place] = action
            place += 1
        return place

    def collect_quiet(self, state: State, buffer: Buffer, place: int) -> int:
        """As `collect`, only the actions that are not noisy; the engine asks, with the option `staged`."""
        end = place + MOST_ACTIONS
        for action in self.actions(state):
            is_noisy = False
            for other in self.noisy(state):
                if other == action:
                    is_noisy = True
            if not is_noisy:
                if place < end:
                    buffer[place] = action
                place += 1
        return place

    def worthwhile(self, state: State, buffer: Buffer, place: int) -> int:
        """As `collect`, only the actions worth a search; one of the best is always among them.

        In a game that hurries, one of those that win soonest or lose latest. If there are none, every action
        has the lower value of `bounds`.
        """
        return self.collect(state, buffer, place)

    def pass_turn(self, state: State) -> State:
        """The state with the other player to move, for the null move; the same state: no pass."""
        return state

    def is_answer(self, state: State, action: int, threat: int) -> bool:
        """Does an action answer what the opponent would do after a pass, as by moving the piece that would be
        taken? The engine asks, with the option `threats`."""
        return False

    def is_zugzwang_likely(self, state: State) -> bool:
        """Could it be a disadvantage to have to move? Then a null move proves nothing."""
        return False

    def is_urgent(self, state: State) -> bool:
        """Must the player to move answer a threat at once, as a check in chess?"""
        return False

    def is_forcing(self, state: State, action: int) -> bool:
        """Must the opponent answer this action at once, as a check in chess?"""
        return False

    def stage(self, state: State) -> int:
        """The phase of the game: 0, 1, 2 … `probcut_model` has rows for each."""
        return 0

    def is_nearly_over(self, state: State) -> bool:
        """May `solve_ending` search the rest of the game?"""
        return False

    def solve_ending(self, state: State, alpha: Value, beta: Value) -> tuple[Value, int]:
        """The value for the player to move, exact if it lies between alpha and beta, and the states visited.

        Asked only where `is_nearly_over`, of terminal states too, and only in games that do not hurry.
        """
        return self.lowest, 0
