"""What a game may add for learning: the inputs of an evaluation that is trained."""

from __future__ import annotations

from typing import Any, Self

from gambito.errors import PositionError
from gambito.game.contract.kinds import Buffer, PythonOnly, Sets, State, Value
from gambito.game.contract.searching import Searching


class Learning(Searching):
    """Learning.

    `gambito fit` and `gambito train` ask these, and find the weights of an evaluation from games played.
    """

    form: PythonOnly[Any] = None  # the form of the learned evaluation: linear, patterns or a network
    network: PythonOnly[Any] = None  # the form of another evaluation, a wide network over `sets`
    weights: Any  # the weights of that form, as memory
    is_learned: bool = False  # `evaluate` uses the weights
    is_wide: bool = False  # they are those of a wide network, whose sums the engine carries from node to node
    schools: PythonOnly[tuple[str, ...]] = ()  # the names of its other evaluations
    silent: PythonOnly[bool] = False  # its usual evaluation gives no static value
    one_evaluation: PythonOnly[bool] = False  # the same weights serve all values of the other parameters
    recipe: PythonOnly[dict[str, Any]] = {}  # noqa: RUF012  # how `gambito train` trains it by default
    network_recipe: PythonOnly[dict[str, Any]] = {}  # noqa: RUF012  # the same for its network

    def inputs(self, state: State, buffer: Buffer, place: int) -> int:
        """Write what the learned evaluation sees of a state, for its `mover`; return the place behind it.

        It is written in pairs: the number of an input, and how often it counts.
        """
        return place

    def sets(self, state: State) -> Sets:
        """The sets of squares that a position is made of: those of player 0, then the same ones of player 1.

        Squares are bits 0 to 63. The order does not depend on the player to move. A set that belongs to
        neither player is listed for both.
        """
        return ()

    def carried(self, state: State, player: int, row: int, slots: int) -> Value:
        """`evaluate`, where the engine keeps memory from node to node: at `slots`, by the row of the node."""
        return self.evaluate(state, player)

    def across(self, square: int) -> int:
        """A square as player 1 sees it from the other side of the board; by default both see the same."""
        return square

    def explain(self, state: State) -> list[tuple[str, float, float | None]]:
        """What one of its `schools` counts in a state, for the player to move: a name, an amount, and the
        coefficient of that amount, if it has one."""
        return []

    def worded(self, value: Value, player: int) -> str:
        """A value of the evaluation, for a player, as people write it."""
        return f"{value:+.5g}"

    def judged_by(self, evaluation: str) -> Self:
        """The same game with another evaluation, for games with several."""
        given = self.parameters()
        if "evaluation" not in given:
            raise PositionError("{} has no parameter evaluation", self.label())
        return type(self)(**{**given, "evaluation": evaluation})
