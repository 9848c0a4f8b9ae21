"""How strong a network is: matches against its younger self and against plain Monte-Carlo tree search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gambito.players.match import Match
from gambito.players.rating import elo as difference
from gambito.words import say

NODES, PLAIN = 50, 1000  # simulations a move: of networks, and of plain mcts
MAX_ELO = 800.0  # Elo of a match that is won or lost as a whole


@dataclass(frozen=True)
class Measure:
    """Elo of a network over its younger self, and over mcts; NaN where nothing was measured."""

    younger: float = math.nan
    mcts: float = math.nan


def measure(spec: str, path: Path, younger: Path | None, games: int, seed: int) -> Measure:
    """Play both matches; a network without a younger self is measured against mcts only."""
    here = f"mcts:nodes={NODES},network={path}"
    before = math.nan
    if younger is not None:
        before = elo(spec, here, f"mcts:nodes={NODES},network={younger}", games, seed)
    return Measure(before, elo(spec, here, f"mcts:nodes={PLAIN}", games, seed))


def elo(spec: str, first: str, second: str, games: int, seed: int) -> float:
    """The Elo of the first player over the second, from a match."""
    standing = Match(spec, first, second, games=games, seed=seed, cluster="threads:1").run()
    return max(-MAX_ELO, min(MAX_ELO, difference(standing.tally.score or 0.5)))


def draw_curve(label: str, curve: Sequence[Sequence[float]], is_rounds: int) -> str:
    """Draw the Elo over mcts, and the sum of all gains over younger selves."""
    from gambito.draw.chart import Line, draw_chart  # not needed by most commands

    gains, total = [], 0.0
    for line in curve:
        total += 0.0 if math.isnan(line[5]) else line[5]
        gains.append((line[0], total))
    lines = [
        Line(say("over mcts"), [(line[0], line[6]) for line in curve], 1),
        Line(say("over its first self"), gains, 2),
    ]
    below = say(
        "Elo of the network with {} simulations, against mcts with {} and its younger selves", NODES, PLAIN
    )
    return draw_chart(
        say("Learning {}", label),
        below,
        say("rounds" if is_rounds else "minutes"),
        "Elo",
        lines,
        kind="plain",
    )
