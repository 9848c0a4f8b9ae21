"""Fingerprints of what users get: each game searched with its own preferences.

A line is (game, position, depth or simulations) → nodes, evaluations, value and action. A change that moves
one says why.
"""

import pytest

import gambito

# fmt: off
ENGINE = {
    ("chess", None, 9): (12022, 8860, 13, "d4"),
    ("chess", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 9):
        (25520, 18989, -83, "Bxa6"),
    ("chess:evaluation=learned", None, 9): (9293, 6911, 9, "Nf3"),
    ("chess", "8/3b2k1/3p1p2/1p1P4/1P2PK2/P4BP1/8/8 w - - 0 46", 16): (43240, 23180, 458, "Bg4"),
    ("othello", "f5d6c3", 12): (75652, 50374, -6, "g5"),
    ("othello", "------------------XXXX----XXOOO---XOOOO--XX-OXO---X------------- X", 11):
        (74638, 51432, -10, "e7"),
    ("othello", "--X--XOX--XXXOO-OOXXOXO-OXOOXXO-OXXXXXO-OXXOOOO-OXXXOOO---XOOOOO X", 14):
        (33633, 16650, -3, "h4"),
    ("checkers", None, 11): (460573, 197475, -1, "11-15"),
    ("checkers", "B:W19,21,22,27,28,29,30,31,32:B1,2,4,5,8,11,12,14,18", 11): (509894, 220129, -13, "18x25"),
    ("checkers", "W:W5,22,24,27:B9,12,16,20", 17): (150549, 60893, 18, "22-18"),
    ("draughts", None, 11): (295937, 136891, 0, "35-30"),
    ("draughts", "W:W30,31,33,34,36,39,40,43,44,45,46,47,48,49,50:B1,2,3,4,5,6,7,8,9,10,12,15,19,20,21", 11):
        (819765, 449833, -6, "30-25"),
    ("draughts", "W:W29,31,32,42,46,47,49,50:B1,2,3,4,10,19,21,22", 11): (373766, 191469, 3, "31-26"),
    ("connect-four", None, 14): (201048, 95294, 0, "4"),
    ("connect-four", "......./......./......./......./O....../XOOXXXO", 18): (582184, 210678, 0, "4"),
    ("connect-four", "......./......./.O.X.../.XXO.../OOOX.../XOOXXXO", 26): (1333352, 121047, 0, "2"),
    ("nine-mens-morris", None, 7): (170205, 132859, 14, "d6"),
    ("nine-mens-morris", "BBWWWBWW/......../...B.... W 4 4", 9): (141226, 90928, 94, "b4"),
    ("nine-mens-morris", "..W.W..W/.B.WBWBW/.WBBB.BW W 0 0 3", 9): (209199, 155759, 10000, "d2-d3"),
}
STAR2 = {
    ("backgammon", "4HPwATDgc/ABMA 3-1", 3): (1052, 697, 0.15377071168687606, "8/5 6/5"),
    ("backgammon", "4POGATDMzsIBMA black 3-3", 3): (7416, 4705, 0.4989728132883708, "13/7(2)"),
    ("backgammon", "c28DCASLbRsAGA black 5-1", 3): (1375, 769, -0.44250766436258954, "7/6 7/2"),
}
# The last number is the visits of the action: the simulations are given, so the nodes say little.
MCTS = {
    ("go", None, 2000): (2000, 2000, 3.1941495806325597, "G4", 228),
    ("go", "..X...X.X/.XO.X.OXX/.XOOXXXO./OXXOXO.O./XOXXOO.O./"
        "..OOO.OX./.....XX.X/..O.OX.X./.O..XOOX. X - 0 50", 2000):
        (2000, 2000, 117.69182711398594, "G6", 873),
    ("hex", None, 3000): (3000, 3000, 14.306699587123747, "f9", 263),
    ("hex", ".........../......B..../.........../.........../.....B...../.........../"
        ".......W.../.BW......../.WBW......./WB...W...../B.......... B", 3000):
        (3000, 3000, 22.885201509212695, "d8", 1868),
    ("breakthrough", None, 3000): (3000, 3000, 1.872976557834468, "a2b3", 179),
    ("breakthrough", "BBBB.BBB/..B...../.B.B..B./.B..BB../.W....../.WWWW..W/W....W.W/W.W..WWW W", 3000):
        (3000, 3000, 1.2933255898348728, "c3c4", 1750),
}
# fmt: on


@pytest.fixture(autouse=True)
def no_tables(monkeypatch, tmp_path):
    """Endgame tables that this machine has would change the nodes."""
    monkeypatch.setenv("GAMBITO_TABLES", str(tmp_path))


def fingerprint(found):
    return found.nodes, found.evaluations, found.value, found.words()[0]


@pytest.mark.thorough
@pytest.mark.parametrize(("spec", "position", "depth"), ENGINE)
def test_engine(spec, position, depth):
    found = gambito.search(spec, position, "engine", depth=depth)
    assert fingerprint(found) == ENGINE[spec, position, depth]


@pytest.mark.parametrize(("spec", "position", "depth"), STAR2)
def test_star2(spec, position, depth):
    found = gambito.search(spec, position, "star2", depth=depth)
    nodes, evaluations, value, action = STAR2[spec, position, depth]
    assert fingerprint(found) == (nodes, evaluations, pytest.approx(value, rel=1e-9), action)


@pytest.mark.thorough
@pytest.mark.parametrize(("spec", "position", "simulations"), MCTS)
def test_mcts(spec, position, simulations):
    found = gambito.search(spec, position, "mcts", nodes=simulations, seed=1)
    *counts, value, action, visits = MCTS[spec, position, simulations]
    assert fingerprint(found) == (*counts, pytest.approx(value, rel=1e-9), action)
    assert found.candidates[0].visits == visits
