"""How long a person waits for the first answer about a game, in seconds.

    GAMBITO_CACHE=$(mktemp -d) python -m tests.web.first_answers [game…]     with nothing compiled

    play     until the reply of level 3 is played
    analyse  until the first candidates with their values are shown
    watch    until the search is there, of the algorithm and depth that the page begins with

The questions are those that the page asks, and they are answered as a worker of the server answers them.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from gambito.game.contract import CHANCE
from gambito.game.puzzle import Puzzle
from gambito.search import background_compile
from gambito.search.limits import Stop
from gambito.web.answers import Answers
from gambito.web.server_limits import ServerLimits
from tests.support import wait_until

PAGES = ("play", "analyse", "watch")
LEVEL = 3
SEEN = ("candidates", "policy", "deals", "move", "record")  # what makes a message an answer


class Person:
    """Somebody who opens the pages of a game, one after the other."""

    def __init__(self) -> None:
        background_compile.enable()
        self.answers = Answers(ServerLimits())

    def first_answers(self, game: str) -> dict[str, float]:
        """The seconds until each page shows an answer."""
        question = {"game": game, "moves": self._until_somebody_moves(game)}
        asked = {"play": {"do": "go", "player": {"level": LEVEL}}, "watch": self._trace(game)}
        if not isinstance(self.answers.catalogue.load(game), Puzzle):
            asked["analyse"] = {"do": "analyse", "seconds": 60.0, "lines": 3}
        took = {page: self._wait(question | asked[page]) for page in PAGES if page in asked}
        wait_until(lambda: all(child.done() for child in background_compile._children.values()), 300)
        return took

    def _wait(self, question: dict[str, Any]) -> float:
        began, first, stop = time.perf_counter(), [], Stop()

        def hear(told: dict[str, Any]) -> None:
            if any(told.get(name) for name in SEEN) and not first:
                first.append(time.perf_counter() - began)
                stop.set()

        answer, _ = self.answers.answer(question, hear, stop)
        assert first or any(answer.get(name) for name in SEEN), sorted(answer)
        return first[0] if first else time.perf_counter() - began

    def _until_somebody_moves(self, game: str) -> list[str]:
        """The moves of chance with which a game begins."""
        moves: list[str] = []
        while (view := self._ask("view", game, moves))["player"] == CHANCE or view["over"]:
            moves = [] if view["over"] else [*moves, self._ask("chance", game, moves)["move"]]
        return moves

    def _ask(self, what: str, game: str, moves: list[str]) -> dict[str, Any]:
        return self.answers.answer({"do": what, "game": game, "moves": moves}, lambda told: None, Stop())[0]

    def _trace(self, game: str) -> dict[str, Any]:
        return {"do": "trace", "algorithm": self.answers.catalogue.game(game)["lesson"]}


def main() -> None:
    person = Person()
    for game in sys.argv[1:] or person.answers.catalogue.specs:
        took = person.first_answers(game)
        print(game, *(f"{page} {seconds:.2f}" for page, seconds in took.items()), flush=True)


if __name__ == "__main__":
    main()
