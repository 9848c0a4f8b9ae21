"""Ten fixed spots on the river, with every hand that the board leaves on both sides or on one."""

from __future__ import annotations

from gambito.game_tools.poker.spots.spot import Spot, read_spot

OPEN = "22+,A2s+,K5s+,Q8s+,J8s+,T8s+,97s+,86s+,75s+,65s,A5o+,K9o+,Q9o+,J9o+,T9o"
CALL = "22-JJ,A2s-AQs,K8s+,Q9s+,J9s+,T8s+,97s+,87s,76s,65s,A9o-AQo,KTo+,QTo+,JTo"
RIVERS = [  # board, pot, stack, first, second
    ("Ks Th 7s 4d 2c", 100, 300, "random", "random"),
    ("As Kd Qh Jc 2s", 100, 150, "random", "random"),
    ("7h 7d 2c 2s Kh", 60, 400, "random", "random"),
    ("9s 8s 7s 2d Ac", 100, 100, "random", "random"),
    ("Qh Jh Th 3h 2h", 100, 500, "random", "random"),
    ("6c 5d 4s 3h Kc", 50, 500, "random", "random"),
    ("Ah Ad As Kc Kd", 100, 300, "random", "random"),
    ("Jc 8d 5h 4c Ts", 80, 250, OPEN, CALL),
    ("Kh 9d 6c 6h 2d", 120, 240, CALL, OPEN),
    ("Tc 9c 4h 3s Qd", 200, 350, OPEN, "random"),
]


def rivers() -> list[Spot]:
    form = "board: {}\npot: {}\nstack: {}\nfirst: {}\nsecond: {}\n"
    return [read_spot(form.format(*facts)) for facts in RIVERS]
