"""A tree with moves that must be answered, whose names end in `+`, and with forced replies."""

from gambito.games.tree import Tree, TreeNode

TEXT = """
{"q": {"value": 3, "moves": {"u": 3, "v": 4}},
 "t+": {"value": 0, "moves": {"r": {"value": 0, "moves": {"w": 9, "x": 2}},
                              "s": {"value": 0, "moves": {"w": 7, "x": 1}}}},
 "f": {"value": 0, "moves": {"r": {"value": 0, "moves": {"w": 8, "x": 2}}}}}
"""


class Threats(Tree):
    """A search of two plies sees nothing in `t+` and `f`; three plies see that both win."""

    prefers_fast_win = False

    def __init__(self) -> None:
        super().__init__(self.parse(TEXT))

    def is_urgent(self, state: TreeNode) -> bool:
        above = state.parent
        return above is not None and above.names[above.moves.index(state)].endswith("+")
