"""Backgammon as text: GNU Backgammon's position ID, plays such as `8/5 6/5` and `bar/22*`, and the board.

A position ID is 80 bits in base 64, the lowest bit first. For the opponent and then for the player on roll,
from the ace point to the bar, it has a 1 for each checker and a 0 after each point.
"""

from __future__ import annotations

import base64
import re
from collections import Counter

from gambito.errors import PositionError
from gambito.game.contract import Game, quoted
from gambito.words import say
from gambito.words.sentence import Sentence

from .board import BAR, CHECKERS, Checkers, hits, move, pack, unpack
from .plays import BITS, POINT, SMALL_FIRST
from .rules import State, board_of

START = "4HPwATDgc/ABMA"
ACCEPTED = Sentence(
    "a GNU Backgammon position ID, then perhaps black, then perhaps a roll: {} black 6-1", START
)


# ---- positions -------------------------------------------------------------------------------------
def encode(mover: list[int], other: list[int]) -> str:
    """The position ID for both players' counts of the points 1 to 24 and the bar."""
    bits, place = 0, 0
    for points in (other, mover):
        for count in points[:BAR]:
            bits |= ((1 << count) - 1) << place
            place += count + 1
    return base64.b64encode(bits.to_bytes(10, "little")).decode().rstrip("=")


def decode(text: str) -> tuple[list[int], list[int]]:
    """The 26 counts of the player on roll and of the opponent."""
    try:
        raw = base64.b64decode(text + "==", validate=True)
    except ValueError:  # binascii.Error and the error for letters beyond ASCII are both ValueErrors
        raw = b""
    if len(text) != 14 or len(raw) != 10:
        raise PositionError(
            "{} is no position ID, which has 14 letters; accepted: {}", quoted(text), ACCEPTED
        )
    bits, sides = int.from_bytes(raw, "little"), []
    for _ in range(2):
        points = []
        for _ in range(BAR):
            count = 0
            while bits & 1:
                count, bits = count + 1, bits >> 1
            bits >>= 1
            points.append(count)
        sides.append(points)
    if bits:
        raise PositionError("{} is no position ID: it says more than 25 points of each player", quoted(text))
    for points in sides:
        if sum(points) > CHECKERS:
            raise PositionError(
                "{} has a player with {} checkers, and there are 15", quoted(text), sum(points)
            )
        points.append(CHECKERS - sum(points))
    other, mover = sides
    if any(mover[p] and other[23 - p] for p in range(24)):
        raise PositionError("{} has checkers of both players on one point", quoted(text))
    if sum(mover[:BAR]) == 0 and sum(other[:BAR]) == 0:
        raise PositionError("{} has no checker on the board", quoted(text))
    return mover, other


def parse(text: str) -> tuple[int, ...]:
    """Return the fields of the state."""
    words = text.split()
    if words == [] or words == ["opening"] or words == [START, "opening"]:
        near, far = pack(decode(START)[0])
        return near, far, near, far, 2, 0, 0
    mover, other = decode(words.pop(0))
    turn = 0
    if words and words[0].lower() in ("white", "black"):
        turn = int(words.pop(0).lower() == "black")
    high = low = 0
    if words:
        roll = re.fullmatch(r"([1-6])-?([1-6])", "-".join(words))
        if roll is None:
            raise PositionError("{} is no roll of two dice; accepted: {}", quoted(" ".join(words)), ACCEPTED)
        high, low = max(int(roll[1]), int(roll[2])), min(int(roll[1]), int(roll[2]))
    first, second = (other, mover) if turn else (mover, other)
    if first[BAR] == CHECKERS or second[BAR] == CHECKERS:
        high = low = 0
    return (*pack(first), *pack(second), turn, high, low)


def text(state: State) -> str:
    first, second = unpack(state.near, state.far), unpack(state.other_near, state.other_far)
    if state.turn == 2:
        return f"{encode(first, second)} opening"
    if state.turn == 1:
        first, second = second, first
    words = [encode(first, second), "black" if state.turn == 1 else "", roll(state)]
    return " ".join(filter(None, words))


def roll(state: State) -> str:
    return f"{state.high}-{state.low}" if state.high else ""


def show(state: State) -> str:
    """The board as White sees it."""
    white, black = unpack(state.near, state.far), unpack(state.other_near, state.other_far)
    count = [white[p] - black[23 - p] for p in range(24)]

    def cell(point: int, row: int) -> str:
        here = count[point - 1]
        mark = "X" if here > 0 else "O"
        return f"{abs(here):>3}" if row == 4 and abs(here) > 5 else f"  {mark if abs(here) > row else ' '}"

    def half(points: list[int], row: int) -> str:
        return "".join(cell(p, row) for p in points[:6]) + "  |" + "".join(cell(p, row) for p in points[6:])

    upper, lower = list(range(13, 25)), list(range(12, 0, -1))

    def names(points: list[int]) -> str:
        return "".join(f"{p:>3}" for p in points[:6]) + "   " + "".join(f"{p:>3}" for p in points[6:])

    turn = say("the opening roll") if state.turn == 2 else say("{0} to play", "XO"[int(state.turn)])
    lines = [names(upper), *(half(upper, row) for row in range(5))]
    lines += ["", *(half(lower, row) for row in reversed(range(5))), names(lower)]
    lines.append(
        say("X: {} on the bar, {} off   O: {} on the bar, {} off", white[24], white[25], black[24], black[25])
    )
    lines.append(f"{turn}{' ' + roll(state) if state.high else ''}")
    return "\n".join(line.rstrip() for line in lines)


# ---- plays -----------------------------------------------------------------------------------------
Step = tuple[int, int, bool]  # from, to (0: off), does it hit?


def steps(board: Checkers, play: int, high: int, low: int) -> list[Step]:
    """The single moves of a play, in an order in which they can be played."""
    if high == low:
        order = [((play >> (BITS * n)) & POINT, high) for n in range(4) if (play >> (BITS * n)) & POINT]
    else:
        order = [(p, d) for p, d in (((play >> BITS) & POINT, high), (play & POINT, low)) if p]
        if play & SMALL_FIRST:
            order.reverse()
    found = []
    for point, die in order:
        found.append((point, max(point - die, 0), bool(hits(board, point, die))))
        board = move(board, point, die)
    return found


def write(board: Checkers, play: int, high: int, low: int) -> str:
    """A play as players write it: moves of one checker joined, equal moves counted, hits marked with *."""
    if play == 0:
        return "pass"
    chains: list[list[Step]] = []
    for step in steps(board, play, high, low):
        joined = next((c for c in chains if c[-1][1] == step[0] and step[0]), None)
        if joined is None:
            chains.append([step])
        else:
            joined.append(step)
    words = []
    for chain in sorted(chains, key=lambda c: (-c[0][0], -c[-1][1])):
        word = "bar" if chain[0][0] == BAR else str(chain[0][0])
        for place, (_, to, is_hit) in enumerate(chain):
            if is_hit or place == len(chain) - 1:
                word += f"/{to or 'off'}{'*' if is_hit else ''}"
        words.append(word)
    counted = Counter(words)
    return " ".join(f"{word}({n})" if n > 1 else word for word, n in counted.items())


def read(game: Game, state: State, given: str) -> int:
    """The play or roll that a text names; a play may be written in any order, step by step or joined."""
    named = {game.write(state, a): int(a) for a in game.legal(state)}
    said = " ".join(given.lower().split())
    if said in named:
        return named[said]
    if state.high:
        net = _net(said)
        matching = [a for name, a in named.items() if net is not None and _net(name) == net]
        if len(matching) > 1:  # they differ in what is hit on the way
            board, dice = board_of(state), (int(state.high), int(state.low))
            lands = {a: {to for _, to, _ in steps(board, a, *dice)} for a in matching}
            matching = [a for a in matching if _landings(said) <= lands[a]]
        if len(matching) > 1:
            matching = [a for name, a in named.items() if a in matching and _stars(name) == _stars(said)]
        if len(matching) == 1:
            return matching[0]
    some = ", ".join(list(named)[:12]) or Sentence("none, the game is over")
    raise PositionError("{} is not a move here; accepted: {}", quoted(given), some)


def _net(text: str) -> Counter[int] | None:
    """How many checkers a play adds to each point or takes from it; None if the text is not a play."""
    net: Counter[int] = Counter()
    for word in text.split():
        parts = re.fullmatch(r"((?:bar|[0-9]{1,2})(?:/(?:[0-9]{1,2}|off)\*?)+)(?:\(([0-9])\))?", word)
        if parts is None:
            return None
        stops = [{"bar": BAR, "off": 0}.get(p, p) for p in parts[1].replace("*", "").split("/")]
        times = int(parts[2] or 1)
        net[int(stops[0])] -= times
        net[int(stops[-1])] += times
    return Counter({point: count for point, count in net.items() if count})


def _landings(text: str) -> set[int]:
    return {int(point) for point in re.findall(r"/([0-9]{1,2})", text)}


def _stars(text: str) -> set[str]:
    return set(re.findall(r"/([0-9]{1,2})\*", text))
