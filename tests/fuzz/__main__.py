"""Fuzz without end, or for some games or seconds: every seed is one drawn game, the same on every machine.

python -m tests.fuzz                                 until Ctrl-C; tells where to go on
python -m tests.fuzz --from 5000 --games 1000        some seeds
python -m tests.fuzz --only puzzles --gear python    one kind of drawing, in one gear
"""

from __future__ import annotations

import argparse
import sys

from tests.fuzz.asking import EXCLUDED
from tests.fuzz.soak import GEARS, SUBJECTS, soak


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--from", type=int, default=0, dest="first", metavar="SEED", help="the first seed")
    parser.add_argument("--games", type=int, help="how many seeds; without it, no end")
    parser.add_argument("--seconds", type=float, help="begin no game after this time")
    parser.add_argument(
        "--only", choices=list(SUBJECTS), help="what is drawn; without it, everything in turn"
    )
    parser.add_argument(
        "--gear", choices=GEARS, default="both", help="both: the native gear in one of four games"
    )
    parser.add_argument("--without", default="", help="algorithms that are not asked: bns,mtd-f")
    given = parser.parse_args()
    EXCLUDED.update(given.without.split(","))
    tally = soak(given.first, given.games, given.seconds, given.only, given.gear)
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
