"""A tree with passes: a branch called `pass` is not a move; it is what follows if the player does nothing.

After `b` MIN does well in any case. After `c` MIN would do well only by passing: every move loses.
"""

from collections.abc import Iterable

from gambito.games.tree import Tree, TreeNode

TEXT = """
{"a": 3,
 "b": {"value": 1, "moves": {
    "x": {"value": 1, "moves": [{"value": 1, "moves": [0, 1]}, {"value": 2, "moves": [2, 3]}]},
    "y": {"value": 2, "moves": [{"value": 1, "moves": [1, 2]}, {"value": 2, "moves": [2, 4]}]},
    "pass": {"value": 2, "moves": [2]}}},
 "c": {"value": 1, "moves": {
    "x": {"value": 6, "moves": [{"value": 6, "moves": [6, 7]}, {"value": 5, "moves": [5, 8]}]},
    "y": {"value": 7, "moves": [{"value": 7, "moves": [7, 9]}, {"value": 5, "moves": [4, 6]}]},
    "pass": {"value": 2, "moves": [2]}}}}
"""


class Passes(Tree):
    """MIN is in zugzwang after `c`."""

    prefers_fast_win = False

    def __init__(self) -> None:
        super().__init__(self.parse(TEXT))

    def actions(self, state: TreeNode) -> Iterable[int]:
        return (place for place, word in enumerate(state.names) if word != "pass")

    def pass_turn(self, state: TreeNode) -> TreeNode:
        return state.moves[state.names.index("pass")] if "pass" in state.names else state

    def is_zugzwang_likely(self, state: TreeNode) -> bool:
        return True
