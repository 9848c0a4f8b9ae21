"""How a player that is no person chooses a move: at random, by a level, or by a search."""

from __future__ import annotations

from typing import Any

import gambito
from gambito.errors import SearchError
from gambito.game.contract import CHANCE, Game
from gambito.game.puzzle import Puzzle
from gambito.players.analysis import Analysis
from gambito.players.clock import Clock
from gambito.players.levels import LEVELS, LevelPlayer, is_learned
from gambito.players.player import GreedyPlayer, RandomPlayer
from gambito.players.running_game import RunningGame
from gambito.search.algorithm import find
from gambito.search.chooser import strongest
from gambito.search.limits import Progress, Stop
from gambito.search.search_result import SearchResult
from gambito.web.catalogue import RESERVED
from gambito.web.networks import networks_of, with_path
from gambito.web.requests import MOST_LINES
from gambito.web.result_json import candidates, counts, info
from gambito.web.server_limits import SEARCHING, ServerLimits
from gambito.web.stream import Stream

SIMPLE = {"random": RandomPlayer, "greedy": GreedyPlayer}


class Choosing:
    """Lets players choose, within the limits of a server."""

    def __init__(self, server: ServerLimits) -> None:
        self.server, self.networks = server, networks_of(server)

    def choose(
        self, match: RunningGame, player: dict[str, Any], clock: Clock | None, stream: Stream, stop: Stop
    ) -> dict[str, Any]:
        """Return the move of a player, and what was found. It knows no more than the player to move sees."""
        player = dict(player)
        if match.is_over:
            raise SearchError("the game is over")
        self.check(match.game, player)
        stream.tell({"phase": "preparing"})
        if match.player == CHANCE:
            return {
                "move": written(match, RandomPlayer().choose(match.game, match.state).action),
                "found": None,
            }
        match = blinded(match)
        if stop.is_set():
            return _play_at_once(match)
        name = player.get("name")
        if name is not None:
            chosen = SIMPLE[name]().choose(match.game, match.state).action
            return {"move": written(match, chosen), "found": None}
        level = None if isinstance(match.game, Puzzle) else player.pop("level", None)
        if level is not None and (LEVELS[level - 1].depth is not None or is_learned(match.game)):
            return self._play_level(match, level, clock, stream, stop)
        found = self._search(match, player, clock, stream, stop)
        if found.action is None or (stop.is_set() and not found.nodes):
            return _play_at_once(match)
        return {"move": written(match, found.action), "found": info(match.game, found)}

    def check(self, game: Game, player: dict[str, Any]) -> None:
        """Refuse a player that cannot play this game, and options that a player does not use."""
        level, name = player.get("level"), player.get("name")
        if name is not None:
            if name not in SIMPLE:
                raise SearchError("unknown player '{}'; accepted: {}", name, ", ".join(SIMPLE))
            _refuse_others(player, ("name",), name)
            if name == "greedy" and game.hidden:
                raise SearchError("{} needs the whole state, and {} hides a part of it", name, game.label())
            return
        chosen = find(player.get("algorithm") or strongest(game))
        if misfit := chosen.misfit(game):
            raise SearchError(misfit)
        if level is not None:
            is_highest = LEVELS[level - 1].depth is None
            used = ("level", "seconds", "nodes", "threads") if is_highest else ("level",)
            _refuse_others(player, used, f"level:{level}")
        else:
            self.options(chosen.name, player.get("options", {}))

    def _play_level(
        self, match: RunningGame, level: int, clock: Clock | None, stream: Stream, stop: Stop
    ) -> dict[str, Any]:
        """Play a move of a level below the highest, or of one that plays what was learned. The stream shows
        the best move, the answer the one that the level chose."""
        seen: list[Analysis] = []

        def shown(action: int | None = None) -> dict[str, Any] | None:
            """What was found about an action; without one, about the best."""
            told = candidates(match, seen[-1], MOST_LINES) if seen else {"candidates": []}
            named = [c for c in told["candidates"] if action is None or c["move"] == written(match, action)]
            kept = ("algorithm", "nodes", "seconds", "nps")
            return named[0] | {n: told[n] for n in kept} if named else None

        def progress(so_far: Analysis) -> None:
            seen[:] = [so_far]
            best = stream.is_due() and shown()
            if best:
                stream.tell(best)

        player = LevelPlayer(level, stop=stop, progress=progress)
        player.prepare(match.game, match.state)
        stream.tell({"phase": SEARCHING})
        choice = player.choose(match.game, match.state, clock, match.states[:-1])
        if choice.action is None:
            return _play_at_once(match)
        return {"move": written(match, choice.action), "found": shown(choice.action)}

    def _search(
        self, match: RunningGame, player: dict[str, Any], clock: Clock | None, stream: Stream, stop: Stop
    ) -> SearchResult:
        limits: dict[str, Any] = {n: player[n] for n in ("depth", "seconds", "nodes") if n in player}
        if clock is not None:
            limits |= clock.limits().given()
        algorithm = player.get("algorithm") or strongest(match.game)

        is_told: list[bool] = []

        def progress(now: Progress) -> None:
            if not is_told:
                is_told.append(True)
                stream.tell({"phase": SEARCHING})
            if now.seconds > self.server.seconds:  # compilation does not count
                stop.set()
            if now.found is not None:
                stream.tell(info(match.game, now.found) | counts(now) | {"depth": now.depth})

        options = self.options(algorithm, player.get("options", {}))
        given = {"threads": player.get("threads", 1), "stop": stop, "progress": progress, **options}
        given["past_states"] = match.states[:-1]
        return gambito.search(match.game, match.state, algorithm, **limits, **given)

    def prepare(self, match: RunningGame, algorithm: str, options: dict[str, Any], stream: Stream) -> None:
        """Compile what searches of this game need, before their time counts."""
        gambito.search(match.game, match.states[0], algorithm, nodes=1, **options)
        stream.tell({"phase": SEARCHING})

    def options(self, algorithm: str, given: dict[str, Any]) -> dict[str, Any]:
        """Return the given options of the algorithm, with memory limited to what the server allows."""
        settings = find(algorithm).read_options(given)
        for name in RESERVED:
            if name in given:
                raise SearchError("the option {} is not for clients", name)
        given = with_path(self.networks, given)
        if settings.get("memory", 0) > self.server.memory:
            return given | {"memory": self.server.memory}
        return given


def blinded(match: RunningGame) -> RunningGame:
    """Return a match as its player to move has seen it."""
    if not match.game.hidden:
        return match
    blind = RunningGame(match.game, match.state)
    blind.states = [match.game.observe(state, match.player) for state in match.states]
    return blind


def _refuse_others(player: dict[str, Any], used: tuple[str, ...], who: str) -> None:
    """Refuse the options that a player does not use, instead of ignoring them."""
    for name in player:
        if name not in used:
            accepted = ", ".join(each for each in used if each != "level") or "none"
            raise SearchError("'{}' takes no {}; accepted: {}", who, name, accepted)


def _play_at_once(match: RunningGame) -> dict[str, Any]:
    """Choose by looking one ply ahead: a search that was stopped before it began has found nothing.

    If something is hidden, nobody knows what a move leads to, and the choice is random.
    """
    hasty = RandomPlayer() if match.game.hidden else GreedyPlayer()
    return {"move": written(match, hasty.choose(match.game, match.state).action), "found": None}


def written(match: RunningGame, action: int | None) -> str | None:
    return None if action is None else match.game.write(match.state, action)
