"""A tree in which several lines lead to the same position: nodes with the same name are one position."""

from gambito.games.tree import Tree, TreeNode

TEXT = """
{"a": {"x": {"name": "P", "moves": [4, 6]}, "y": {"name": "Q", "moves": [7, 5]}},
 "b": {"x": {"name": "P", "moves": [4, 6]}, "z": [8, 9]},
 "c": {"y": {"name": "Q", "moves": [7, 5]}, "z": [2, 6]}}
"""


class Joined(Tree):
    """A tree in which P and Q are reached twice."""

    prefers_fast_win = False

    def __init__(self) -> None:
        super().__init__(self.parse(TEXT))

    def key(self, state: TreeNode) -> int:
        return ord(state.name) << 8 if state.name else state.number
