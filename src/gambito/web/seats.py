"""The answers about a game that the server keeps, each for one seat of it.

The server keeps a game that hides something, and one that several people play on pages of their own. It adds
to a question all that it knows of the game: its moves, its players, whose key was sent. An answer holds what
that seat sees and nothing else, until the game is over; then everybody sees everything. The fields `moves`
and `next` of an answer are for the server alone, which adds the moves to the game.
"""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable
from typing import Any

from gambito.errors import GambitoError, GameError, PositionError, SearchError
from gambito.game.contract import CHANCE, NOBODY
from gambito.game_tools.bridge.claims import claim, tricks_left
from gambito.players.clock import Clock
from gambito.players.player import RandomPlayer
from gambito.players.running_game import RunningGame
from gambito.search.limits import Stop
from gambito.web.beliefs import analyse_seen
from gambito.web.catalogue import TEXTS
from gambito.web.choosing import Choosing
from gambito.web.deals import imagined_deals
from gambito.web.observations import Sight, sights
from gambito.web.setup import MatchSetup, ShownMatch, actions, copy_of, position, view
from gambito.web.stream import Stream
from gambito.words import translate_in

Answering = Callable[[dict[str, Any], Stream, Stop], Any]  # a question becomes its answer
SEVERAL = 2  # people: each has a page, and the server keeps their game
LONGEST_GO = 10.0  # seconds after which an answer is given, though the seat has noticed nothing yet
HINT = {"level": 8}


class SeatAnswers:
    """Answers the questions of seats."""

    def __init__(self, setup: MatchSetup, choosing: Choosing) -> None:
        self.setup, self.choosing = setup, choosing
        self.table: dict[str, Answering] = {
            "begin": self._begin,
            "seat_view": self._seat_view,
            "seat_move": self._seat_move,
            "seat_go": self._seat_go,
            "seat_hint": self._seat_hint,
            "seat_analyse": self._seat_analyse,
            "seat_claim": self._seat_claim,
            "seat_sampled": self._seat_sampled,
        }

    def answer(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        """Answer a question. What rules say when they fail is not told: it may hold what is hidden."""
        try:
            answer: dict[str, Any] = self.table[question["do"]](question, stream, stop)
            return answer
        except GambitoError:
            raise
        except Exception as problem:
            if os.environ.get("GAMBITO_DEBUG"):
                traceback.print_exc()
            name = type(problem).__name__
            raise SearchError("the rules raise {} in this game; GAMBITO_DEBUG=1 shows where", name) from None

    def _begin(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        """Check a game before the server begins it."""
        game, players = self.setup.catalogue.load(question["game"]), question["players"]
        if not game.hidden and players.count(None) < SEVERAL:
            raise GameError("{} hides nothing: a page keeps such a game itself", game.label())
        if question.get("clock") and game.hidden:
            raise GameError("{} hides something: a clock would tell of moves that are not seen", game.label())
        if len(players) != game.players:
            raise GameError("{} has {} players, not {}", game.label(), game.players, len(players))
        for player in players:
            if player is not None:
                self.choosing.check(game, player)
        self.setup.match({"game": question["game"], "start": question.get("start", "")})
        return {}

    def _seat_view(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        match, ply = self.setup.match(question["table"]), question.get("ply")
        if is_over(match):
            last = len(match.actions)
            told = view(copy_of(match, last if ply is None else min(ply, last)))
            told |= {"length": last, "seat": None, "moves": match.names(), "finished": True}
            told |= {"start": question["table"]["start"]}
        elif not match.game.hidden:
            told = open_view(match, question["seat"], ply)
        else:
            told = seat_view(match, question["seat"], ply)
        return translate_in(told, question.get("lang", "en"), TEXTS)

    def _seat_move(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        match, seat = self.setup.match(question["table"]), question["seat"]
        if is_over(match):
            raise SearchError("the game is over")
        seen = seen_by(match, seat) if match.game.hidden else whole_game(match)
        if match.player != seat or len(seen) - 1 != question["ply"]:
            raise PositionError("it is not your turn")
        action = match.game.read(seen[-1].state, question["move"])
        after = match.game.result(match.state, action)
        next_side = NOBODY if match.game.is_terminal(after) else int(match.game.player(after))
        return {"moves": [match.game.write(match.state, action)], "next": next_side}

    def _seat_go(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        """Let chance and the computer play until the seat notices something or a person has to move."""
        known, seat = self.setup.match(question["table"]), question["seat"]
        match, players = copy_of(known, len(known.actions)), question["table"]["players"]
        clock = Clock(**question["clock"]) if question.get("clock", {}).get("left") else None
        see = seen_by if match.game.hidden else whole_game
        first, began = len(see(match, seat)), time.monotonic()
        stream.tell({"phase": "preparing"})
        while not is_over(match) and (match.player == CHANCE or players[match.player] is not None):
            match.play(self._choose(match, players, clock, stop))
            is_late = stop.is_set() or time.monotonic() - began > LONGEST_GO
            if is_late or len(see(match, seat)) > first:
                break
        next_side = NOBODY if is_over(match) else match.player
        return {"moves": match.names()[len(known.actions) :], "next": next_side}

    def _seat_hint(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        match = self.setup.match(question["table"])
        if is_over(match) or match.player != question["seat"]:
            raise PositionError("it is not your turn")
        if not match.game.hidden:
            raise SearchError("the others play too: the analysis waits until the game is over")
        return self.choosing.choose(match, HINT, None, stream, stop)

    def _seat_analyse(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        match, seat = self.setup.match(question["table"]), question["seat"]
        if is_over(match):
            raise SearchError("the game is over")
        if not match.game.hidden:
            raise SearchError("the others play too: the analysis waits until the game is over")
        seen = seen_by(match, seat)
        here = seen[min(question.get("ply", len(seen) - 1), len(seen) - 1)].state
        return analyse_seen(match.game, here, seat, question, self.choosing, stream, stop)

    def _seat_claim(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        """Judge a claim; if it holds, the rest is played. `told` is for the client."""
        match, seat = self.setup.match(question["table"]), question["seat"]
        if is_over(match):
            raise SearchError("the game is over")
        if match.player != seat or len(seen_by(match, seat)) - 1 != question["ply"]:
            raise PositionError("it is not your turn")
        stream.tell({"phase": "preparing"})
        verdict, game = claim(match.game, match.state, seat, question["tricks"]), match.game
        moves, state = list[str](), match.state
        for card in verdict.cards:
            moves.append(game.write(state, card))
            state = game.result(state, card)
        told = {"accepted": verdict.is_accepted, "deals": verdict.deals, "short": verdict.short}
        return {"moves": moves, "next": NOBODY if verdict.is_accepted else seat, "told": told}

    def _seat_sampled(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        match, seat = self.setup.match(question["table"]), question["seat"]
        if is_over(match):
            raise SearchError("the game is over")
        seen = seen_by(match, seat)
        here = seen[min(question.get("ply", len(seen) - 1), len(seen) - 1)].state
        return imagined_deals(match.game, here, seat, stream, stop)

    def _choose(self, match: RunningGame, players: list[Any], clock: Clock | None, stop: Stop) -> int | None:
        """Return the action of chance, or of a player. Nothing of its search is told to anybody."""
        game, state = match.game, match.state
        if match.player == CHANCE:
            return RandomPlayer().choose(game, state).action
        silent = Stream(lambda news: None)
        move = self.choosing.choose(match, players[match.player], clock, silent, stop)["move"]
        return None if move is None else game.read(game.observe(state, match.player), move)


def is_over(match: RunningGame) -> bool:
    return match.is_over or match.is_repeated


def seen_by(match: ShownMatch, seat: int) -> list[Sight]:
    """Return what a seat has seen of a game, and keep it for the next question."""
    match.noticed[seat] = sights(match, seat, match.noticed.get(seat, []))
    return match.noticed[seat]


def whole_game(match: ShownMatch, seat: int = NOBODY) -> list[Sight]:
    """Return all positions of a game that hides nothing, as every seat sees them."""
    return [Sight(ply, state) for ply, state in enumerate(match.states)]


def open_view(match: ShownMatch, seat: int, ply: int | None = None) -> dict[str, Any]:
    """Return what the page shows to a seat of a game that hides nothing and is not over."""
    last = len(match.actions)
    at = last if ply is None else min(ply, last)
    told = view(copy_of(match, at))
    if at < last or seat != match.player:
        told["actions"] = []
    return told | {"length": last, "seat": seat}


def seat_view(match: ShownMatch, seat: int, ply: int | None = None) -> dict[str, Any]:
    """Return everything that the page shows to a seat of a game that is not over.

    Plies are counted as the seat has noticed them.
    """
    seen = seen_by(match, seat)
    at = len(seen) - 1 if ply is None else min(ply, len(seen) - 1)
    game, here = match.game, seen[at]
    mover, is_last = int(game.player(here.state)), at == len(seen) - 1
    return {
        **position(game, here.state, _thrown(match, seen, at)),
        "initial": game.text(seen[0].state),
        "player": mover,
        "ply": at,
        "over": False,
        "verdict": "",
        "utilities": None,
        "cost": None,
        "actions": actions(game, here.state) if is_last and seat == mover != CHANCE else [],
        "played": [sight.move for sight in seen[1 : at + 1]],
        "length": len(seen) - 1,
        "seat": seat,
        "claims": tricks_left(game, here.state) if is_last and seat == mover else 0,
    }


def _thrown(match: RunningGame, seen: list[Sight], at: int) -> list[Any]:
    """Return the pieces that show what chance has just given, if the seat knows it."""
    here = seen[at]
    if not at or here.action is None or match.game.player(seen[at - 1].state) != CHANCE:
        return []
    return match.game.thrown(here.state, here.action)
