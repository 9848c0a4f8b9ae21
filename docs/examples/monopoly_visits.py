"""How often rolls end on each square of Monopoly in the long run, as bars, and as colours on the board.

python docs/examples/monopoly_visits.py
python docs/examples/monopoly_visits.py --strategy stay --svg visits.svg
python docs/examples/monopoly_visits.py --rolls 1000000
"""

import argparse
from pathlib import Path

import gambito
from gambito.draw.position import draw_heat

BAR = 40  # the width of the longest bar


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--strategy", choices=("leave", "stay"), default="leave", help="what players in jail do"
    )
    parser.add_argument(
        "--rolls", type=int, help="play so many rolls instead of solving the chain of squares"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the dice and cards")
    parser.add_argument("--svg", type=Path, help="a file for the picture of the board")
    given = parser.parse_args()
    game = gambito.load("monopoly")
    visits = sorted(game.visits(given.strategy, given.rolls, given.seed), key=lambda visit: -visit[2])
    for name, _, share in visits:
        if share:
            print(f"{name:<22} {100 * share:7.4f} %  {'█' * round(BAR * share / visits[0][2])}".rstrip())
    if given.svg:
        cells: dict[int, float] = {}
        for _, cell, share in visits:
            cells[cell] = cells.get(cell, 0.0) + share
        given.svg.write_text(
            draw_heat(game, cells, f"The share of rolls on each square ({given.strategy})") or ""
        )


if __name__ == "__main__":
    main()
