"""What GTP's boards show while a program thinks: `lz-analyze` of Leela Zero, `kata-analyze` of KataGo.

    lz-analyze B 50             info move D4 visits 81 winrate 5210 prior 1620 lcb 4950 order 0 pv D4 C3 …
    kata-analyze interval 50    info move D4 visits 81 winrate 0.5210 prior 0.1620 lcb 0.4950 order 0 pv D4 …

A line comes at every interval, in hundredths of a second, until the next command. Shares of wins are those of
the player to move. Without a network, the prior is the share of the visits.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gambito
from gambito.errors import GtpError
from gambito.game.contract import Game
from gambito.game.line import write_line
from gambito.players.error_sentences import sentence
from gambito.search.limits import Progress, Stop
from gambito.search.monitor import NO_LIMIT
from gambito.search.search_result import SearchResult

LEELA, KATA = "lz", "kata"
COLOURS = ("b", "w", "black", "white")
USUAL_INTERVAL, LONGEST = 1.0, 3600.0  # seconds between two lines
MOST_SHOWN = 361  # moves in a line
SURE = 1.96  # standard errors below the mean: the bound that holds in 97.5 % of all cases
SWITCHES = ("interval", "minmoves", "maxmoves", "rootInfo", "ownership", "ownershipStdev", "movesOwnership",
            "movesOwnershipStdev", "pvVisits", "pvEdgeVisits", "noResultValue")  # fmt: skip


@dataclass(frozen=True)
class Wishes:
    """What an analysis is asked to show."""

    interval: float = USUAL_INTERVAL  # seconds
    most: int = MOST_SHOWN  # moves in a line


def read_wishes(words: list[str]) -> tuple[Wishes, str | None]:
    """Read what follows `lz-analyze`: a colour, an interval, pairs of a name and a value; in that order.

    Pairs that mean nothing here are skipped, and so are `avoid` and `allow`, which have three values.
    """
    rest, colour, given = list(words), None, dict[str, str]()
    if rest and rest[0].lower() in COLOURS:
        colour = rest.pop(0).lower()
    if rest and rest[0].isdecimal():
        given["interval"] = rest.pop(0)
    while rest:
        name = rest.pop(0)
        if name in ("avoid", "allow") and len(rest) >= 3:
            del rest[:3]
        elif name in SWITCHES and rest:
            given[name] = rest.pop(0)
        else:
            raise GtpError("syntax error")
    interval = _whole(given.get("interval", "100")) / 100
    most = _whole(given.get("maxmoves", str(MOST_SHOWN)))
    return Wishes(min(max(interval, 0.01), LONGEST), max(1, min(most, MOST_SHOWN))), colour


def _whole(word: str) -> int:
    if not word.isdecimal() or len(word) > 9:
        raise GtpError("syntax error")
    return int(word)


class Analysis:
    """A search that tells what it finds until it is ended. It begins with `start`, after its answer."""

    def __init__(
        self,
        game: Game,
        state: Any,
        kept: dict[str, Any],
        wishes: Wishes,
        style: str,
        say: Callable[[str], None],
    ) -> None:
        self.game, self.state, self.kept = game, state, kept
        self.wishes, self.style, self.say = wishes, style, say
        self._stop, self._next = Stop(), 0.0
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()

    def end(self) -> None:
        """End the search, and wait for its last line."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            found = gambito.search(
                self.game,
                self.state,
                "mcts",
                nodes=NO_LIMIT,
                stop=self._stop,
                progress=self._tell,
                **self.kept,
            )
            self._say(found)
        except Exception as problem:
            self.say(f"# {sentence(problem)}\n")

    def _tell(self, now: Progress) -> None:
        if now.found is not None and now.seconds >= self._next:
            self._next = now.seconds + self.wishes.interval
            self._say(now.found)

    def _say(self, found: SearchResult) -> None:
        told = self.line(self.game, self.state, found, self.wishes, self.style)
        if told:
            self.say(told + "\n")

    @staticmethod
    def line(game: Game, state: Any, found: SearchResult, wishes: Wishes, style: str) -> str:
        """The moves that a search has looked at, the best first, on one line."""
        looked = [each for each in found.candidates if each.visits]
        total, words = sum(each.visits for each in looked) or 1, list[str]()
        for order, each in enumerate(looked[: wishes.most]):
            share = (1.0 + each.mean) / 2
            error = math.sqrt(share * (1.0 - share) / each.visits)
            prior = each.visits / total if each.prior is None else float(each.prior)
            numbers = [share, prior, min(max(share - SURE * error, 0.0), 1.0)]
            shown = [str(round(10_000 * n)) if style == LEELA else f"{n:.4f}" for n in numbers]
            line = found.line if found.line and found.line[0] == each.action else [each.action]
            words.append(
                f"info move {game.write(state, each.action)} visits {each.visits} winrate {shown[0]} "
                f"prior {shown[1]} lcb {shown[2]} order {order} pv {' '.join(write_line(game, state, line))}"
            )
        return " ".join(words)
