"""How often players visit each square of Monopoly in the long run: from the chain of squares, and by playing.

A player who does not own anything is a Markov chain: its square, the doubles it has rolled in a row, its turn
in jail. The probabilities are read off the rules, one roll at a time, so nothing about the board is said
twice. A visit is where a roll ends, after cards. In jail a player either leaves at once or stays as long as
it may. It does not depend on any search.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from gambito.errors import SearchError
from gambito.game.contract import CHANCE
from gambito.game.gears import gears
from gambito.native import int64, native
from gambito.native.random import new_random

from .board import (
    AUCTION,
    BUY,
    CASH,
    DECLINE,
    GO_ON,
    GO_TO_JAIL,
    IN_JAIL,
    JAIL,
    PAY_BAIL,
    ROLL,
    SQUARES,
    STOCK,
    TURN,
    State,
)
from .rules import DOUBLES, Monopoly

STRATEGIES = ("leave", "stay")
PLACES = (*SQUARES[:JAIL], "Just visiting", *SQUARES[JAIL + 1 :], "In jail")  # 40 squares, and the jail
CELL = len(SQUARES)  # the place of the jail among them
RICH = 10_000_000  # nobody goes bankrupt
_States = list[tuple[int, int, int]]  # square, doubles, turn in jail


@cache
def long_run(strategy: str = "leave") -> tuple[float, ...]:
    """The share of rolls that end on each of PLACES, exactly."""
    states, chain = chain_of(strategy)
    size = len(states)
    # The shares stay the same after a roll, and add up to 1.
    equations = np.vstack([chain.T - np.eye(size), np.ones(size)])
    shares = np.linalg.lstsq(equations, np.append(np.zeros(size), 1.0), rcond=None)[0]
    found = np.zeros(len(PLACES))
    for share, (square, _, turn) in zip(shares, states, strict=True):
        found[CELL if turn else square] += share
    return tuple(float(share) for share in found)


def chain_of(strategy: str) -> tuple[_States, np.ndarray]:
    """The states of the chain, and the probability of each to follow each within one roll."""
    if strategy not in STRATEGIES:
        raise SearchError("unknown strategy '{}'; accepted: {}", strategy, ", ".join(STRATEGIES))
    game = Monopoly(2, RICH, 1000)
    squares = [square for square in range(len(SQUARES)) if square != GO_TO_JAIL]
    states: _States = [(square, doubles, 0) for square in squares for doubles in range(DOUBLES)]
    states += [(JAIL, 0, turn) for turn in range(1, DOUBLES + 1)]
    place = {state: number for number, state in enumerate(states)}
    chain = np.zeros((len(states), len(states)))
    for row, (square, doubles, turn) in enumerate(states):
        purse = RICH << CASH | turn << IN_JAIL | square
        phase = TURN if turn else ROLL
        others = (RICH << CASH, 0, 0, 0, 0, 0, 0, 0, STOCK, 0, 0, 0)
        waiting = [(State(purse, *others, 0, phase, 0, doubles, 0, 0, 2), 1.0)]
        while waiting:
            state, share = waiting.pop()
            if state.rolls and state.phase in (TURN, ROLL):
                after = int(state.doubles) if state.mover == 0 else 0
                at, jail = int(game.square(state, 0)), int(game.jail_turn(state, 0))
                chain[row, place[at, 0 if jail else after, jail]] += share
            elif game.player(state) == CHANCE:
                for outcome, chance in game.chances(state):
                    waiting.append((game.result(state, outcome), share * chance))
            else:
                action = walk_on(game, state, strategy == "stay")
                waiting.append((game.result(state, action), share))
    return states, chain


def walk_on(game, state, stays):
    """What a player who owns nothing decides: it buys nothing, and leaves jail at once or stays."""
    if state.phase in (BUY, AUCTION):
        return int64(DECLINE)
    return int64(GO_ON if stays or game.jail_turn(state, state.mover) == 0 else PAY_BAIL)


@native
def walk(game, start, stays, rolls, rng, counts):
    """Play that many rolls, and count where each ends."""
    state, mover = start, start.mover
    while state.rolls < rolls:
        if state.phase == ROLL:
            mover, before = state.mover, state.rolls
            state = game.result(state, game.random_outcome(state, rng))
            while state.rolls == before + 1 and state.phase != ROLL and state.phase != TURN:
                if game.player(state) == CHANCE:
                    state = game.result(state, game.random_outcome(state, rng))
                else:
                    state = game.result(state, walk_on(game, state, stays))
            in_jail = game.jail_turn(state, mover) > 0
            counts[CELL if in_jail else game.square(state, mover)] += 1
        else:
            state = game.result(state, walk_on(game, state, stays))
    return state


def count_visits(
    strategy: str = "leave", rolls: int = 1_000_000, players: int = 2, seed: int = 1
) -> np.ndarray:
    """How many rolls of games that are played end on each of PLACES."""
    if strategy not in STRATEGIES:
        raise SearchError("unknown strategy '{}'; accepted: {}", strategy, ", ".join(STRATEGIES))
    rules: Any = Monopoly(players, RICH, 1_000_000)
    counts = np.zeros(len(PLACES), np.int64)
    both = gears(rules)
    inner = both.in_gear(both.default())
    walk(inner, both.cast(rules.initial()), strategy == "stay", rolls, new_random(seed), counts)
    return counts
