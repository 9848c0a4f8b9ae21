"""Playthroughs: a stored game of each built-in game, with what the rules say of every state on the way.

`python tests/games/playthroughs.py` makes them again, about a minute in all; names of games choose some. The
rules run in the Python gear: nothing is compiled but what makes backgammon's tables, once.
"""

from __future__ import annotations

import hashlib
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import gambito
from gambito import CHANCE, Game
from gambito.game.registry import game_classes

FOLDER = Path(__file__).parent / "playthroughs"
LONGEST = 120  # plies of a stored game
SEEDS = 20  # games that are tried, until one comes to its end
OPENING = 8  # plies whose actions are listed
EVERY = 12  # after them every so many plies; the actions of the others have a digest
GREEDY = 0.6  # the share of moves that go by the evaluation, so that games come to an end


def names() -> list[str]:
    """The games that come with the package."""
    return [name for name, kind in game_classes().items() if kind.__module__.startswith("gambito.games")]


def load(name: str) -> Game:
    """The game, with the tables that its evaluation reads."""
    game = gambito.load(name)
    game.prepare()
    return game


def play(game: Game) -> list[int]:
    """The actions of the first game that comes to its end, or of the first of all."""
    games = [_play(game, random.Random(1))]
    for seed in range(2, SEEDS + 1):
        if len(games[-1]) < LONGEST:
            return games[-1]
        games.append(_play(game, random.Random(seed)))
    return games[0]


def _play(game: Game, rng: random.Random) -> list[int]:
    """The actions of a game between players who choose by the evaluation, or at random."""
    state, actions = game.initial(), []
    while len(actions) < LONGEST and not game.is_terminal(state):
        legal, player = game.legal(state), game.player(state)
        if player == CHANCE:
            outcomes, weights = zip(*game.chances(state), strict=True)
            action = int(rng.choices(outcomes, weights)[0])
        elif rng.random() < GREEDY:
            worth = [_worth(game, game.result(state, action), player) for action in legal]
            action = legal[worth.index(max(worth))]
        else:
            action = rng.choice(legal)
        actions.append(action)
        state = game.result(state, action)
    return actions


def tell(game: Game, actions: Sequence[int]) -> str:
    """The playthrough: the game that begins with these actions, state by state."""
    lines, state = [f"game: {game.label()}"], game.initial()
    for ply in range(len(actions) + 1):
        is_last = ply == len(actions)
        lines += ["", f"ply: {ply}", *_short(game, state)]
        if ply < OPENING or ply % EVERY == 0 or is_last:
            lines += _choices(game, state)
        else:
            lines += [f"{line.partition(':')[0]}: {_digest(line)}" for line in _choices(game, state)]
        if ply % EVERY == 0 or is_last or not game.text(state):
            lines += ["show:", *(f"  {line}".rstrip() for line in game.show(state).splitlines())]
        if not is_last:
            lines.append(f"played: {actions[ply]} {game.write(state, actions[ply])}")
            state = game.result(state, actions[ply])
    return "\n".join(lines) + "\n"


def played(text: str) -> list[int]:
    """The actions of a playthrough."""
    return [int(line.split()[1]) for line in text.splitlines() if line.startswith("played: ")]


def _worth(game: Game, state: Any, player: int) -> float:
    return game.utility(state, player) if game.is_terminal(state) else game.evaluate(state, player)


def _short(game: Game, state: Any) -> Iterator[str]:
    """The lines that every state has."""
    if game.text(state):
        yield f"text: {game.text(state)}"
    yield f"player: {game.player(state)}, key: {int(game.key(state)):016x}"
    kind, asked = ("utility", game.utility) if game.is_terminal(state) else ("evaluation", game.evaluate)
    yield f"{kind}: {' '.join(f'{float(asked(state, player)):.6g}' for player in range(game.players))}"


def _choices(game: Game, state: Any) -> Iterator[str]:
    """The numbers of the actions, and how they are written."""
    if game.is_terminal(state):
        return
    if game.player(state) == CHANCE:
        pairs = [f"{game.write(state, a)} ({float(p):.6g})" for a, p in game.chances(state)]
        yield f"outcomes: {_runs([int(a) for a, _ in game.chances(state)])}: {', '.join(pairs)}"
    else:
        legal = game.legal(state)
        yield f"actions: {_runs(legal)}: {', '.join(game.write(state, action) for action in legal)}"


def _digest(line: str) -> str:
    """What stands for a list of actions that is not printed."""
    return f"digest {hashlib.blake2s(line.encode(), digest_size=8).hexdigest()}"


def _runs(numbers: Sequence[int]) -> str:
    """The numbers in their order; those that follow upon each other as 3-7."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return " ".join(f"{first}-{last}" if last > first else str(first) for first, last in runs)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or names():
        game = load(name)
        (FOLDER / f"{name}.txt").write_text(tell(game, play(game)), encoding="utf-8")
