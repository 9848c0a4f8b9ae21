"""The answers to the questions of clients, computed in a worker with the public interface and the players."""

from __future__ import annotations

import gc
import random
import threading
import time
from collections.abc import Callable
from typing import Any

import gambito
from gambito.errors import SearchError
from gambito.game.contract import CHANCE, Game
from gambito.game.line import write_line
from gambito.game.puzzle import Puzzle
from gambito.players.analysis import Analysis, analyse
from gambito.players.clock import Clock
from gambito.players.levels import LEVELS, LevelPlayer
from gambito.players.match import Match, is_repeated
from gambito.players.player import GreedyPlayer, RandomPlayer
from gambito.search.algorithm import find
from gambito.search.chooser import strongest
from gambito.search.found import Found
from gambito.search.limits import Progress, Stop
from gambito.web.catalogue import RESERVED, TEXTS, Catalogue
from gambito.web.compare import plain_minimax
from gambito.web.questions import MOST_LINES
from gambito.web.record import pack
from gambito.web.server_limits import SEARCHING, ServerLimits
from gambito.web.setup import MatchSetup, drawn, one_of_games, plain_number, view
from gambito.web.words import translate_in

GAP = 0.05  # seconds between two messages of one stream
USUAL_SECONDS = 1.0
REVIEW_SECONDS = 0.3  # for each position
SIMPLE = {"random": RandomPlayer, "greedy": GreedyPlayer}
MARKS = ((0.20, "??"), (0.10, "?"), (0.05, "?!"))  # by the share of a win that a move loses

Tell = Callable[[dict[str, Any]], None]


class Answers:
    """Answers questions, one at a time."""

    def __init__(self, server: ServerLimits) -> None:
        self.server = server
        self.catalogue = Catalogue(server)
        self.setup = MatchSetup(self.catalogue)

    def answer(self, question: dict[str, Any], tell: Tell, stop: Stop) -> tuple[dict[str, Any], bytes | None]:
        """Return the answer and the bytes that follow it, if any. `tell` streams intermediate results."""
        answer = getattr(self, f"_{question['do']}")(question, _Stream(tell), stop)
        return answer if isinstance(answer, tuple) else (answer, None)

    # ---- the rules -------------------------------------------------------------------------------
    def _hello(self, question: dict[str, Any], stream: _Stream, stop: Stop) -> dict[str, Any]:
        server = self.server
        most = {n: getattr(server, n) for n in ("seconds", "depth", "threads", "memory", "nodes")}
        told = self.catalogue.as_dict() | {"most": most}
        return translate_in(told, question.get("lang", "en"), TEXTS)

    def _view(self, question: dict[str, Any], stream: _Stream, stop: Stop) -> dict[str, Any]:
        seen = view(self.setup.match(question))
        return translate_in(seen, question.get("lang", "en"), TEXTS)

    def _chance(self, question: dict[str, Any], stream: _Stream, stop: Stop) -> dict[str, Any]:
        match = self.setup.match(question)
        if match.is_over or match.player != CHANCE:
            raise SearchError("chance does not decide here")
        return {"move": _written(match, RandomPlayer().choose(match.game, match.state).action)}

    def _shuffle(self, question: dict[str, Any], stream: _Stream, stop: Stop) -> dict[str, Any]:
        """Return a position of a puzzle to begin with."""
        game = self.catalogue.load(question["game"])
        if not isinstance(game, Puzzle):
            raise SearchError("{} is no puzzle: its first position is always the same", game.label())
        return {"start": game.text(game.shuffled(random.getrandbits(32)))}

    def _save(self, question: dict[str, Any], stream: _Stream, stop: Stop) -> dict[str, Any]:
        match, headers = self.setup.match(question), question.get("headers", {})
        text = match.game.write_headed(match.states[0], match.actions, headers)
        return {"text": text, "ending": match.game.record_ending}

    def _load(self, question: dict[str, Any], stream: _Stream, stop: Stop) -> dict[str, Any]:
        named = self.catalogue.load(question["game"])
        text, games = one_of_games(named, question["text"], question.get("number", 1))
        game = named.of_record(text)
        start, actions = game.read_game(text)
        match = Match(game.at(start), start)
        for action in actions:
            match.play(action)
        is_usual = game.text(start) == game.text(game.initial())
        loaded = {"start": "" if is_usual else game.text(start), "moves": match.names()}
        beside = {
            "game": "" if game is named else game.label(),
            "headers": game.headers(text),
            "games": games if games > 1 else 0,
        }
        return loaded | {name: told for name, told in beside.items() if told}

    def _edit(self, question: dict[str, Any], stream: _Stream, stop: Stop) -> dict[str, Any]:
        match = self.setup.match(question)
        edited = match.game.edit(match.state, question["path"], question.get("value"))
        return {"start": match.game.text(edited)}

    # ---- searches --------------------------------------------------------------------------------
    def _go(self, question: dict[str, Any], stream: _Stream, stop: Stop) -> dict[str, Any]:
        match, player = self.setup.match(question), dict(question["player"])
        clock = Clock(**question["clock"]) if question.get("clock", {}).get("left") else None
        if match.is_over:
            raise SearchError("the game is over")
        self._check_player(match.game, player)
        stream.tell({"phase": "preparing"})
        name = "random" if match.player == CHANCE else player.get("name")
        if name is not None:
            chosen = SIMPLE[name]().choose(match.game, match.state).action
            return {"move": _written(match, chosen), "found": None}
        level = None if isinstance(match.game, Puzzle) else player.pop("level", None)
        if level is not None and LEVELS[level - 1].depth is not None:
            return self._play_level(match, level, clock, stream, stop)
        found = self._search(match, player, clock, stream, stop)
        if found.action is None or (stop.is_set() and not found.nodes):
            return _play_at_once(match)
        return {"move": _written(match, found.action), "found": _info(match.game, found)}

    def _check(self, question: dict[str, Any], stream: _Stream, stop: Stop) -> dict[str, Any]:
        """Check a player before a game, as `go` would."""
        self._check_player(self.catalogue.load(question["game"]), question["player"])
        return {}

    def _check_player(self, game: Game, player: dict[str, Any]) -> None:
        """Refuse a player that cannot play this game, and options that a player does not use."""
        level, name = player.get("level"), player.get("name")
        if name is not None:
            if name not in SIMPLE:
                raise SearchError("unknown player '{}'; accepted: {}", name, ", ".join(SIMPLE))
            _refuse_others(player, ("name",), name)
            return
        chosen = find(player.get("algorithm") or strongest(game))
        if misfit := chosen.misfit(game):
            raise SearchError(misfit)
        if level is not None:
            is_highest = LEVELS[level - 1].depth is None
            used = ("level", "seconds", "nodes", "threads") if is_highest else ("level",)
            _refuse_others(player, used, f"level:{level}")
        else:
            self._options(chosen.name, player.get("options", {}))

    def _play_level(
        self, match: Match, level: int, clock: Clock | None, stream: _Stream, stop: Stop
    ) -> dict[str, Any]:
        """Play a move of a level below the highest. The stream shows the best move, the answer the one that
        the level chose."""
        seen: list[Analysis] = []

        def shown(action: int | None = None) -> dict[str, Any] | None:
            """What was found about an action; without one, about the best."""
            told = _candidates(match, seen[-1], MOST_LINES) if seen else {"candidates": []}
            named = [c for c in told["candidates"] if action is None or c["move"] == _written(match, action)]
            counts = ("algorithm", "nodes", "seconds", "nps")
            return named[0] | {n: told[n] for n in counts} if named else None

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
        return {"move": _written(match, choice.action), "found": shown(choice.action)}

    def _warm(self, question: dict[str, Any], stream: _Stream, stop: Stop) -> dict[str, Any]:
        """Compile the engine of the game that a page begins with, before a client needs it."""
        game = self.catalogue.load(self.catalogue.usual)
        gambito.search(game, nodes=1)
        return {}

    def _search(
        self, match: Match, player: dict[str, Any], clock: Clock | None, stream: _Stream, stop: Stop
    ) -> Found:
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
                stream.tell(_info(match.game, now.found) | _counts(now) | {"depth": now.depth})

        options = self._options(algorithm, player.get("options", {}))
        given = {"threads": player.get("threads", 1), "stop": stop, "progress": progress, **options}
        given["past"] = match.states[:-1]
        return gambito.search(match.game, match.state, algorithm, **limits, **given)

    def _prepare(self, match: Match, algorithm: str, options: dict[str, Any], stream: _Stream) -> None:
        """Compile what searches of this game need, before their time counts."""
        gambito.search(match.game, match.states[0], algorithm, nodes=1, **options)
        stream.tell({"phase": SEARCHING})

    def _options(self, algorithm: str, given: dict[str, Any]) -> dict[str, Any]:
        """Return the given options of the algorithm, with memory limited to what the server allows."""
        settings = find(algorithm).read_options(given)
        for name in RESERVED:
            if name in given:
                raise SearchError("the option {} is not for clients", name)
        if settings.get("memory", 0) > self.server.memory:
            return given | {"memory": self.server.memory}
        return given

    def _analyse(self, question: dict[str, Any], stream: _Stream, stop: Stop) -> dict[str, Any]:
        match, lines = self.setup.match(question), question.get("lines", MOST_LINES)
        _check_opponent(match.game)
        algorithm = question.get("algorithm") or strongest(match.game)
        nodes = question.get("nodes")
        seconds = question.get("seconds", USUAL_SECONDS if nodes is None else self.server.seconds)
        stream.tell({"phase": "preparing"})

        def progress(so_far: Analysis) -> None:
            if stream.is_due():
                stream.tell(_candidates(match, so_far, lines))

        options = self._options(algorithm, question.get("options", {}))
        if question.get("depth") != 1:  # one ply is evaluated, not searched
            self._prepare(match, algorithm, {"threads": question.get("threads", 1), **options}, stream)
        found = analyse(
            match.game,
            match.state,
            algorithm,
            question.get("depth"),
            seconds,
            nodes,
            threads=question.get("threads", 1),
            past=match.states[:-1],
            stop=stop,
            progress=progress,
            options=options,
        )
        return _candidates(match, found, lines)

    def _review(self, question: dict[str, Any], stream: _Stream, stop: Stop) -> dict[str, Any]:
        """Value every position of the game for the first player, and compute what each move lost."""
        match = self.setup.match(question)
        _check_opponent(match.game)
        game, algorithm = match.game, question.get("algorithm") or strongest(match.game)
        options = self._options(algorithm, question.get("options", {}))
        session = gambito.Session()
        stream.tell({"phase": "preparing"})
        self._prepare(match, algorithm, options, stream)
        plies: list[dict[str, Any]] = []
        for ply, state in enumerate(match.states):
            if stop.is_set():
                break
            seconds = question.get("seconds", REVIEW_SECONDS)
            given = {"past": match.states[:ply], "stop": stop, "session": session, **options}
            valued = _valued(game, state, algorithm, seconds, given)
            plies.append({"ply": ply, **valued})
            stream.tell(
                {"ply": ply, "value": valued["value"], "expectation": valued["expectation"]}, whole=True
            )
        _mark(match, plies)
        return {"plies": plies, "algorithm": algorithm}

    def _trace(self, question: dict[str, Any], stream: _Stream, stop: Stop) -> tuple[dict[str, Any], bytes]:
        match, algorithm = self.setup.match(question), question["algorithm"]
        game, state = match.game, match.state
        stream.tell({"phase": SEARCHING})
        options = self._options(algorithm, question.get("options", {}))
        gc.disable()  # a record has many objects, all of them in use and without reference cycles
        try:
            with _Alarm(stop, self.server.seconds):
                record = gambito.trace(game, state, algorithm, question.get("depth"), stop=stop, **options)
            stream.tell({"phase": "drawing"})
            plain = None
            if question.get("compare", True) and record.depth and not isinstance(game, Puzzle):
                plain = plain_minimax(game, state, record.depth, stop)
            header, body = pack(record, plain)
        finally:
            gc.enable()
        return {"record": header}, body


class _Stream:
    """Sends intermediate results, at limited frequency. The last result is always sent."""

    def __init__(self, tell: Tell) -> None:
        self._tell, self._last = tell, 0.0

    def tell(self, news: dict[str, Any], whole: bool = False) -> None:
        """Send a message. With `whole`, no message of the stream may be left out."""
        if "phase" in news or whole or self.is_due():
            self._last = time.perf_counter()
            self._tell(news)

    def is_due(self) -> bool:
        """Would an intermediate result be sent now?"""
        return time.perf_counter() - self._last >= GAP


class _Alarm:
    """Sets a stop after a number of seconds, unless the work ends before; for work that compiles nothing."""

    def __init__(self, stop: Stop, seconds: float) -> None:
        self.timer = threading.Timer(seconds, stop.set)
        self.timer.daemon = True

    def __enter__(self) -> None:
        self.timer.start()

    def __exit__(self, *_: object) -> None:
        self.timer.cancel()


def _refuse_others(player: dict[str, Any], used: tuple[str, ...], who: str) -> None:
    """Refuse the options that a player does not use, instead of ignoring them."""
    for name in player:
        if name not in used:
            accepted = ", ".join(each for each in used if each != "level") or "none"
            raise SearchError("'{}' takes no {}; accepted: {}", who, name, accepted)


def _check_opponent(game: Game) -> None:
    """Refuse puzzles: an analysis needs a game with opponents."""
    if isinstance(game, Puzzle):
        raise SearchError("{} is a puzzle, whose solution Watch shows; analyses are of games", game.label())


def _play_at_once(match: Match) -> dict[str, Any]:
    """Choose by looking one ply ahead: a search that was stopped before it began has found nothing."""
    return {"move": _written(match, GreedyPlayer().choose(match.game, match.state).action), "found": None}


def _written(match: Match, action: int | None) -> str | None:
    return None if action is None else match.game.write(match.state, action)


def _info(game: Game, found: Found) -> dict[str, Any]:
    """Return the result of a search as it is streamed."""
    told = found.as_dict()
    names = (
        "depth",
        "value",
        "line",
        "low",
        "high",
        "exact",
        "ends_in",
        "evaluations",
        "nodes",
        "seconds",
        "algorithm",
    )
    value = found.value
    return {
        **{name: told[name] for name in names},
        "nps": _pace(found.nodes, found.seconds),
        "expectation": None if value is None else game.expectation(value),
        "compile_seconds": found.compile_seconds,
        "action": told["action"],
    }


def _counts(now: Progress) -> dict[str, Any]:
    return {"nodes": now.nodes, "seconds": now.seconds, "nps": _pace(now.nodes, now.seconds)}


def _pace(nodes: int, seconds: float) -> float:
    return nodes / seconds if seconds > 0 else 0.0


def _candidates(match: Match, found: Analysis, lines: int) -> dict[str, Any]:
    game, state = match.game, match.state
    listed = [
        {
            "move": game.write(state, candidate.action),
            **drawn(game, state, candidate.action),
            "value": plain_number(candidate.value),
            "expectation": game.expectation(candidate.value),
            "depth": candidate.depth,
            "exact": candidate.exact,
            "ends_in": candidate.ends_in,
            "line": write_line(game, state, candidate.line) if place < lines else [],
        }
        for place, candidate in enumerate(found.candidates)
        if candidate.value is not None
    ]
    counts = {"nodes": found.nodes, "seconds": found.seconds, "nps": _pace(found.nodes, found.seconds)}
    return {"candidates": listed, "algorithm": found.algorithm, "depth": found.depth, **counts}


def _valued(
    game: Game,
    state: Any,
    algorithm: str,
    seconds: float,
    given: dict[str, Any],
) -> dict[str, Any]:
    """Return the data of one position of a review."""
    if game.is_terminal(state):
        value, best = game.utility(state, 0), None
    elif is_repeated(game, state, given["past"]):
        value, best = game.repetition(state, 0), None
    elif game.player(state) == CHANCE:
        return {"value": None, "expectation": None, "best": None}
    else:
        found = gambito.search(game, state, algorithm, seconds=seconds, **given)
        value = found.value if game.player(state) == 0 or found.value is None else -found.value
        best = None if found.action is None else game.write(state, found.action)
    if value is None:
        return {"value": None, "expectation": None, "best": best}
    return {"value": plain_number(value), "expectation": game.expectation(value), "best": best}


def _mark(match: Match, plies: list[dict[str, Any]]) -> None:
    """Add what the move after each position lost for its player, as a share of a win, and its mark."""
    for before, after, state in zip(plies, plies[1:], match.states, strict=False):
        mover = match.game.player(state)
        if mover == CHANCE or before["expectation"] is None or after["expectation"] is None:
            continue
        sign = 1 if mover == 0 else -1
        played = match.game.write(state, match.actions[before["ply"]])
        lost = 0.0 if played == before["best"] else sign * (before["expectation"] - after["expectation"])
        before["loss"] = max(0.0, lost)
        before["mark"] = next((mark for least, mark in MARKS if lost >= least), "")
