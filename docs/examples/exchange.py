"""A tree with an exchange: moves that begin with `x` are captures, which quiescence follows."""

from collections.abc import Iterable

from gambito.games.tree import Tree, TreeNode

TEXT = """
{"xp": {"value": 1, "moves": {"xQ": {"value": -8, "moves": {"xR": {"value": -3, "moves": [-3]}}}, "h6": 1}},
 "h3": {"value": 0, "moves": {"h6": 0, "a6": 0}}}
"""


class Exchange(Tree):
    """Take a pawn and lose the queen for a rook, or make a quiet move."""

    def __init__(self) -> None:
        super().__init__(self.parse(TEXT))

    def noisy(self, state: TreeNode) -> Iterable[int]:
        return (place for place, word in enumerate(state.names) if word.startswith("x"))
