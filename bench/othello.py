"""Othello beside the best programs' published figures: end games solved, and perft.

The end games are numbers 40 to 44 of the FFO set (20 to 23 empty squares), one thread, each from an empty
table. On a quiet core Zebra takes 7.2 s for the five at 13 to 20 million nodes/s, Edax without its evaluation
file 17.4 s at 27; Edax counts 340 million leaves/s in perft.

    python bench/othello.py
"""

from __future__ import annotations

import time

import gambito

POSITIONS = {
    40: ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38, {"a2"}),
    41: ("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0, {"h4"}),
    42: ("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6, {"g2"}),
    43: ("--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12, {"c7", "g3"}),
    44: ("--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14, {"d2", "b8"}),
}
MIDDLE_GAME, DEPTH = "f5d6c3d3c4f4f6f3e6e7", 12
PERFT = 10


def line(name: str, nodes: int, seconds: float, said: str = "") -> None:
    print(f"{name:<16}{nodes:>14,} nodes{seconds:>8.2f} s{nodes / seconds / 1e6:>8.1f} M/s  {said}")


def main() -> None:
    nodes, seconds = 0, 0.0
    for number, (position, value, moves) in POSITIONS.items():
        found = gambito.solve("othello", position)
        move = found.words()[0]
        is_right = found.value == value and found.exact and move in moves
        line(
            f"FFO {number}",
            found.nodes,
            found.seconds,
            f"{found.value:+d} {move}{'' if is_right else ' WRONG'}",
        )
        nodes, seconds = nodes + found.nodes, seconds + found.seconds
    line("FFO 40 to 44", nodes, seconds)

    found = gambito.search("othello", MIDDLE_GAME, "engine", depth=DEPTH, deepen=True)
    line(f"depth {DEPTH}", found.nodes, found.seconds, f"{found.value:+d} {found.words()[0]}")

    gambito.perft("othello", depth=1)  # compiles
    began = time.perf_counter()
    leaves = gambito.perft("othello", depth=PERFT)
    line(f"perft({PERFT})", leaves, time.perf_counter() - began)


if __name__ == "__main__":
    main()
