"""What a game with a client's parameters costs: it is measured before the server offers it.

No list says which parameters are too large: the game is made, a few moves are played, and what that takes is
compared with what a page can show and a search can hold.
"""

from __future__ import annotations

import contextlib
import itertools
import random
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

from gambito.errors import GameError
from gambito.game.contract import CHANCE, Game
from gambito.words.sentence import Sentence

SECONDS = 4.0  # for making the game and playing the moves
PLIES = 12  # moves that are played
MOST_ACTIONS = 4_000  # of a position
MOST_CELLS = 5_000  # of a board
LONGEST_TEXT = 100_000  # characters of a position


class _TooLong(BaseException):
    """The time is over. Rules may catch every Exception."""


def make_within_limits(name: str, make: Callable[[], Game]) -> Game:
    """Make a game; raise a GameError if it costs more than a client may ask for."""
    try:
        with _alarm(SECONDS):
            game = make()
            reason = _excess(game)
    except _TooLong:
        reason = Sentence("more than {:g} seconds for its first moves", SECONDS)
    except MemoryError:
        reason = Sentence("more memory than there is")
    if reason:
        raise GameError("{} is too large for this server, with {}", name, reason)
    return game


def _excess(game: Game) -> Sentence | None:
    """What is too large in the first positions of a game; None if nothing is."""
    board = game.picture()
    if board is not None and len(board.cells) > MOST_CELLS:
        return Sentence("more than {} cells", MOST_CELLS)
    state, rng = game.initial(), random.Random(0)
    for _ in range(PLIES):
        if len(game.text(state)) > LONGEST_TEXT:
            return Sentence("positions of more than {} characters", LONGEST_TEXT)
        if game.is_terminal(state):
            break
        actions = list(itertools.islice(_moves(game, state), MOST_ACTIONS + 1))
        if len(actions) > MOST_ACTIONS:
            return Sentence("more than {} moves in a position", MOST_ACTIONS)
        if not actions:
            break
        state = game.result(state, rng.choice(actions))
    return None


def _moves(game: Game, state: Any) -> Iterator[Any]:
    if game.player(state) == CHANCE:
        return (outcome for outcome, _ in game.chances(state))
    return iter(game.actions(state))


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise _TooLong after these seconds. Only the main thread can be interrupted; a worker answers there."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
