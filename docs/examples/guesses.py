"""The three-ply tree with static values: the value of an inner node is the mean of the leaves below it."""

from gambito.games.tree import Tree, TreeNode

TEXT = "[[[8,7,3],[9,1,6],[2,4,1]],[[1,3,5],[3,9,2],[6,5,2]],[[1,2,3],[9,7,2],[16,6,4]]]"


class Guesses(Tree):
    """A tree in which a search that stops early finds static values."""

    prefers_fast_win = False
    probcut_model = ((0, 2, 1, 1.0, 0.0, 1.0),)  # two plies find the value of one ply, ± 1

    def __init__(self) -> None:
        root = self.parse(TEXT)
        for node in root.below():
            if node.moves:
                leaves = _leaves(node)
                node.value = round(sum(leaves) / len(leaves))
        super().__init__(root)


def _leaves(node: TreeNode) -> list[float]:
    return [one.value for one in node.below() if not one.moves and one.value is not None]
