"""Are a game's numbers sound? The part of the conformance check that endgame tables rely on.

It takes random numbers of a few small slices. The number of a real state must lead back to the state or to
an equal one, and `unmoves` must give exactly the states that lead to it. No table is needed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.words.sentence import Sentence

SLICES, TRIES, REAL = 2, 400, 10  # slices, numbers tried in each, and real states that are enough
PIECES = (2, 3, 4, 6)  # tried in turn, until a game has slices with at most this many pieces


def number_problems(game: Game, rng: random.Random) -> Iterator[str]:
    """The problems of the numbers of a game that gives them, as sentences."""
    if type(game).index is Game.index:
        return
    for name, code in _slices(game):
        size, seen = int(game.slice_size(code)), 0
        for _ in range(TRIES if size > 0 else 0):
            number = rng.randrange(size)
            state = _state(game, code, number)
            if seen >= REAL:
                break
            if not _is_real(game, state, code):
                continue
            seen += 1
            yield from _problems(
                game, state, code, number, size, Sentence("the number {} of slice {}", number, name)
            )


def _slices(game: Game) -> list[tuple[str, int]]:
    if game.players == 1:
        return [("all", 0)]
    names = next(filter(None, map(game.slice_names, PIECES)), [])
    return [(name, int(game.slice_code(name))) for name in names[-SLICES:]]


def _state(game: Game, code: int, number: int) -> Any:
    return gears(game).cast(game.unindex(code, number))


def _is_real(game: Game, state: Any, code: int) -> bool:
    return bool(game.is_real(state)) and int(game.signature(state)) == code


def _problems(game: Game, state: Any, code: int, number: int, size: int, what: str) -> Iterator[str]:
    own = int(game.index(state))
    if not 0 <= own < size:
        yield Sentence("index gives {} for {}, and it has {} numbers", own, what, size)
    elif own != number:
        if int(game.index(_state(game, code, own))) != own:
            yield Sentence("index gives {} for {}, and another number for the state of {}", own, what, own)
    elif type(game).unmoves is not Game.unmoves:
        for child in _children(game, state, code):
            if child >= 0:
                before = {int(game.index(b)) for b in game.unmoves(_state(game, code, child))}
                if number not in before:
                    yield Sentence(
                        "unmoves of the number {} do not lead back to {}, which leads there", child, what
                    )
        for before in game.unmoves(state):
            if _is_real(game, before, code) and not game.is_terminal(before):
                children = _children(game, before, code)
                if number not in children and UNHELD not in children:
                    other = int(game.index(before))
                    yield Sentence(
                        "unmoves of {} lead to the number {}, which does not lead there", what, other
                    )


UNHELD, OTHER = -1, -2  # instead of a number: no slice holds the state; another slice holds it


def _children(game: Game, state: Any, code: int) -> set[int]:
    """The numbers of the states that actions lead to."""
    found = set()
    for action in game.legal(state):
        child = gears(game).cast(game.result(state, action))
        held = int(game.signature(child))
        found.add(int(game.index(child)) if held == code else UNHELD if held < 0 else OTHER)
    return found
