"""Fingerprints: (game, algorithm, depth) → nodes and value. A change that moves one says why."""

import pytest

import gambito
from tests.support import LECTURE

TABLE = {
    ("tree", LECTURE, 3, "alpha-beta"): (27, 16, 5),
    ("tree", LECTURE, 3, "b-star"): (34, 21, 5),
    ("tree", LECTURE, 3, "bns"): (93, 47, 5),
    ("tree", LECTURE, 3, "df-pn"): (12, 3, 1),
    ("tree", LECTURE, 3, "dual-star"): (45, 17, 5),
    ("tree", LECTURE, 3, "minimax"): (40, 27, 5),
    ("tree", LECTURE, 3, "mtd-f"): (45, 17, 5),
    ("tree", LECTURE, 3, "negamax"): (40, 27, 5),
    ("tree", LECTURE, 3, "negascout"): (36, 22, 5),
    ("tree", LECTURE, 3, "pvs"): (37, 23, 5),
    ("tree", LECTURE, 3, "scout"): (44, 28, 5),
    ("tree", LECTURE, 3, "sss-star"): (40, 18, 5),
    ("connect-four", "444333", 8, "alpha-beta"): (12714, 5979, 0),
    ("connect-four", "444333", 8, "b-star"): (108546, 28764, 0),
    ("connect-four", "444333", 8, "bns"): (65037, 32219, 0),
    ("connect-four", "444333", 8, "df-pn"): (31707, 1217, 0),
    ("connect-four", "444333", 8, "dual-star"): (4445, 1432, 0),
    ("connect-four", "444333", 8, "minimax"): (6200592, 5301637, 0),
    ("connect-four", "444333", 8, "mtd-f"): (4393, 1430, 0),
    ("connect-four", "444333", 8, "negamax"): (6200592, 5301637, 0),
    ("connect-four", "444333", 8, "negascout"): (11216, 5255, 0),
    ("connect-four", "444333", 8, "pvs"): (11216, 5255, 0),
    ("connect-four", "444333", 8, "scout"): (11216, 5255, 0),
    ("connect-four", "444333", 8, "sss-star"): (4461, 1267, 0),
    ("tic-tac-toe", "5", 6, "alpha-beta"): (1141, 541, 0),
    ("tic-tac-toe", "5", 6, "b-star"): (1400, 440, 0),
    ("tic-tac-toe", "5", 6, "bns"): (3197, 1713, 0),
    ("tic-tac-toe", "5", 6, "df-pn"): (1297, 198, 0),
    ("tic-tac-toe", "5", 6, "dual-star"): (701, 173, 0),
    ("tic-tac-toe", "5", 6, "minimax"): (23825, 16656, 0),
    ("tic-tac-toe", "5", 6, "mtd-f"): (613, 160, 0),
    ("tic-tac-toe", "5", 6, "negamax"): (23825, 16656, 0),
    ("tic-tac-toe", "5", 6, "negascout"): (1064, 494, 0),
    ("tic-tac-toe", "5", 6, "pvs"): (1065, 495, 0),
    ("tic-tac-toe", "5", 6, "scout"): (1099, 518, 0),
    ("tic-tac-toe", "5", 6, "sss-star"): (737, 169, 0),
    ("uniform-tree:branching=4,depth=6,seed=1", None, 6, "alpha-beta"): (1259, 799, -360),
    ("uniform-tree:branching=4,depth=6,seed=1", None, 6, "b-star"): (2373, 1428, -360),
    ("uniform-tree:branching=4,depth=6,seed=1", None, 6, "bns"): (4299, 2503, -426),
    ("uniform-tree:branching=4,depth=6,seed=1", None, 6, "df-pn"): (2254, 360, -1),
    ("uniform-tree:branching=4,depth=6,seed=1", None, 6, "dual-star"): (1212, 631, -360),
    ("uniform-tree:branching=4,depth=6,seed=1", None, 6, "minimax"): (5461, 4096, -360),
    ("uniform-tree:branching=4,depth=6,seed=1", None, 6, "mtd-f"): (1643, 688, -360),
    ("uniform-tree:branching=4,depth=6,seed=1", None, 6, "negamax"): (5461, 4096, -360),
    ("uniform-tree:branching=4,depth=6,seed=1", None, 6, "negascout"): (1007, 616, -360),
    ("uniform-tree:branching=4,depth=6,seed=1", None, 6, "pvs"): (1017, 626, -360),
    ("uniform-tree:branching=4,depth=6,seed=1", None, 6, "scout"): (1029, 637, -360),
    ("uniform-tree:branching=4,depth=6,seed=1", None, 6, "sss-star"): (2388, 740, -360),
    ("tree", LECTURE, 3, "engine"): (58, 32, 5),
    ("connect-four", "444333", 8, "engine"): (5557, 2892, 0),
    ("tic-tac-toe", "5", 6, "engine"): (910, 474, 0),
    ("uniform-tree:branching=4,depth=6,seed=1", None, 6, "engine"): (1558, 899, -360),
}


@pytest.mark.parametrize(("spec", "position", "depth", "name"), TABLE)
def test_fingerprint(spec, position, depth, name):
    found = gambito.search(spec, position, name, depth=depth)
    assert (found.nodes, found.evaluations, found.value) == TABLE[spec, position, depth, name]
