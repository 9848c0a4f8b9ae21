"""Two players of cards at bridge on duplicate boards: the difference in tricks and points.

    python bench/bridge_match.py --first pimc --second greedy --boards 20 --worlds 8
    python bench/bridge_match.py --first alpha-mu --second pimc --boards 500 --processes 16 --save match.txt
    python bench/bridge_match.py --merge match.txt other.txt

All bid by the system. At one table the first player sits South and North, at the other West and East, with
the same cards and the same auction. Board k of a seed is the same in every run, so runs of other boards
(`--skip`) can be merged. The greedy player leads its highest card of the longest suit, wins as cheaply as it
can unless its partner wins already, and else plays its lowest card.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import random
import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import gambito
from gambito.games.tricks.cards import RANK as RANKS
from gambito.games.tricks.cards import SEATS, card_at, trick_of, trick_size, trick_winner

game: Any = gambito.load("bridge")
GREEDY = "greedy"


class Gain(NamedTuple):
    """What the first player gains on a board, both tables together."""

    board: int
    tricks: int
    points: int


def dealt(rng: random.Random) -> Any:
    """A board after its auction; boards that are passed out are dealt again."""
    while True:
        state = game.initial()
        while game.player(state) < 0:
            state = game.result(state, rng.choice(game.legal(state)))
        while not game.is_terminal(state) and not game.is_play(state):
            state = game.result(state, game.agreed(game.observe(state, state.mover), state.mover))
        if game.is_play(state):
            return state


def greedy(state: Any) -> int:
    cards, hand = game.legal(state), int(game.hand(state, state.mover))
    size = len(on_table(state))
    if size == 0:
        lengths = [(hand >> RANKS * suit & (1 << RANKS) - 1).bit_count() for suit in range(4)]
        longest = max(range(4), key=lambda suit: lengths[suit])
        return max(card for card in cards if card // RANKS == longest)
    winning = [card for card in cards if wins(state, card)]
    if not is_partners(state) and winning:
        return min(winning, key=lambda card: card % RANKS)
    return min(cards, key=lambda card: (card // RANKS == int(game.trump(state)), card % RANKS))


def on_table(state: Any) -> list[int]:
    """The cards of the trick that is being played."""
    size = int(trick_size(state.trick))
    return [int(card_at(state.trick, place)) for place in range(size % SEATS)]


def best_place(state: Any, cards: list[int]) -> int:
    return int(trick_winner(trick_of(cards), game.trump(state)))


def wins(state: Any, card: int) -> bool:
    cards = [*on_table(state), card]
    return best_place(state, cards) == len(cards) - 1


def is_partners(state: Any) -> bool:
    cards = on_table(state)
    return len(cards) >= 2 and best_place(state, cards) == len(cards) - 2


def played(state: Any, players: Sequence[str], limits: dict[str, float]) -> Any:
    """The end of a board; `players` are those of South and North, and of West and East."""
    sessions = [gambito.Session() for _ in players]
    while not game.is_terminal(state):
        player, cards = int(game.player(state)), game.legal(state)
        name = players[player % 2]
        if len(cards) == 1:
            action = cards[0]
        elif name == GREEDY:
            action = greedy(state)
        else:
            seen, session = game.observe(state, player), sessions[player % 2]
            action = gambito.search(game, seen, name, session=session, **limits).action
        state = game.result(state, action)
    return state


def board(number: int, players: Sequence[str], seed: int, limits: dict[str, float]) -> Gain:
    """Play one board at two tables."""
    state = dealt(random.Random(f"{seed} {number}"))
    first, second = (played(state, order, limits) for order in (players, players[::-1]))
    tricks, points = first.tricks - second.tricks, game.utility(first, 0) - game.utility(second, 0)
    return Gain(number, int(tricks), int(points))


def match(numbers: Sequence[int], play: Any, processes: int, seconds: float) -> list[Gain]:
    """Play boards until all are done or the time is over."""
    end, context = time.monotonic() + seconds, multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context) as pool:
        waiting = [pool.submit(play, number) for number in numbers]
        found = list[Gain]()
        for each in as_completed(waiting):
            if not each.cancelled():
                found.append(each.result())
            if time.monotonic() > end:
                pool.shutdown(wait=False, cancel_futures=True)
    return sorted(found)


def told(gains: Sequence[Gain]) -> str:
    """The means with one standard error each; a board has two tables, so a side gains half of it."""
    if len(gains) < 2:
        return "at least two boards are needed"
    parts = []
    for name in ("tricks", "points"):
        values = [getattr(gain, name) / 2 for gain in gains]
        error = statistics.stdev(values) / math.sqrt(len(values))
        parts.append(f"{statistics.mean(values):+.3f} ± {error:.3f} {name} a board and side")
    return f"{', '.join(parts)}; {len(gains)} boards"


def read(paths: Sequence[Path]) -> list[Gain]:
    lines = {line for path in paths for line in path.read_text().splitlines()}
    return sorted(Gain(*map(int, line.split())) for line in lines)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    asked.add_argument("--first", default="pimc")
    asked.add_argument("--second", default=GREEDY)
    asked.add_argument("--boards", type=int, default=20)
    asked.add_argument("--skip", type=int, default=0, help="boards before the first")
    asked.add_argument("--seed", type=int, default=28)
    asked.add_argument("--worlds", type=int, default=8)
    asked.add_argument("--card", type=float, default=1.0, help="seconds of a search for a card")
    asked.add_argument("--processes", type=int, default=1)
    asked.add_argument("--seconds", type=float, default=600.0, help="no board begins later")
    asked.add_argument("--save", type=Path, help="a file for the gains, board by board")
    asked.add_argument("--merge", type=Path, nargs="+", help="files of other runs: play nothing")
    given = asked.parse_args()
    if given.merge:
        print(told(read(given.merge)))
        return
    players, limits = (given.first, given.second), {"worlds": given.worlds, "seconds": given.card}
    play = partial(board, players=players, seed=given.seed, limits=limits)
    play(given.skip)  # compiles
    numbers = range(given.skip, given.skip + given.boards)
    found = match(numbers, play, given.processes, given.seconds)
    if given.save:
        given.save.write_text("".join(f"{g.board} {g.tricks} {g.points}\n" for g in found))
    asked_of = f"{given.worlds} worlds, {given.card:g} s a card"
    print(f"{given.first} against {given.second}, {asked_of}: {told(found)}")


if __name__ == "__main__":
    main()
