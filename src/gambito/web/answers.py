"""The answers to the questions of clients, computed in a worker with the public interface and the players."""

from __future__ import annotations

import gc
import random
from typing import Any

import gambito
from gambito.draw import boxed
from gambito.errors import PositionError, SearchError
from gambito.evaluate.compare import compare, evaluations_of
from gambito.game.contract import CHANCE, Game
from gambito.game.gears import gears
from gambito.game.puzzle import Puzzle
from gambito.memory.endgame_tables import endings_of
from gambito.players.analysis import Analysis, analyse
from gambito.players.clock import Clock
from gambito.players.ownership import Ownership, ownership
from gambito.players.player import RandomPlayer
from gambito.players.running_game import RunningGame, is_repeated
from gambito.search.algorithm import DepthSearch, find
from gambito.search.chooser import strongest
from gambito.search.engine.endgame_tables import probe_tables
from gambito.search.limits import Stop
from gambito.web import position_editor
from gambito.web.beliefs import analyse_seen
from gambito.web.catalogue import TEXTS, Catalogue
from gambito.web.choosing import Choosing, written
from gambito.web.compare import plain_minimax
from gambito.web.deals import imagined_deals, open_deal
from gambito.web.opening import Openings
from gambito.web.plain_tree import is_tree, read_plain, write_plain
from gambito.web.quick_trace import Alarm, trace_soon
from gambito.web.record import pack
from gambito.web.requests import MOST_LINES
from gambito.web.result_json import candidates
from gambito.web.seats import Answering, SeatAnswers
from gambito.web.server_limits import SEARCHING, ServerLimits
from gambito.web.setup import MatchSetup, one_of_games, plain_number, position, view
from gambito.web.stream import Stream, Tell
from gambito.web.variations import has_more, read_rows, write_rows
from gambito.words import translate_in

USUAL_SECONDS = 1.0
MORE_THAN_UCB1 = ("rave", "bias", "widening", "implicit")
REVIEW_SECONDS = 0.3  # for each position
FOR_ALL = "max-n"  # gives a value for every player
MARKS = ((0.20, "??"), (0.10, "?"), (0.05, "?!"))  # by the share of a win that a move loses


class Answers:
    """Answers questions, one at a time."""

    def __init__(self, server: ServerLimits) -> None:
        self.server = server
        self.catalogue = Catalogue(server)
        self.setup = MatchSetup(self.catalogue)
        self.choosing = Choosing(server)
        self.openings = Openings(server)
        self.seats = SeatAnswers(self.setup, self.choosing)
        self.table: dict[str, Answering] = {
            "hello": self._hello,
            "about": self._about,
            "view": self._view,
            "chance": self._chance,
            "shuffle": self._shuffle,
            "save": self._save,
            "load": self._load,
            "edit": self._edit,
            "arrange": self._arrange,
            "opening": self._opening,
            "opinions": self._opinions,
            "go": self._go,
            "check": self._check,
            "warm": self._warm,
            "analyse": self._analyse,
            "threat": self._threat,
            "owners": self._owners,
            "deal": self._deal,
            "sampled": self._sampled,
            "review": self._review,
            "trace": self._trace,
            "plain": self._plain,
            **dict.fromkeys(self.seats.table, self.seats.answer),
        }

    def answer(self, question: dict[str, Any], tell: Tell, stop: Stop) -> tuple[dict[str, Any], bytes | None]:
        """Return the answer and the bytes that follow it, if any. `tell` streams intermediate results."""
        answer = self.table[question["do"]](question, Stream(tell), stop)
        return answer if isinstance(answer, tuple) else (answer, None)

    # ---- the rules -------------------------------------------------------------------------------
    def _hello(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        server = self.server
        most = {n: getattr(server, n) for n in ("seconds", "depth", "threads", "memory", "nodes")}
        told = self.catalogue.as_dict() | {"most": most}
        return translate_in(told, question.get("lang", "en"), TEXTS)

    def _about(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        """Describe a game with parameters, as `hello` describes those without; or one from a position on, if
        that decides what fits it."""
        is_placed = "start" in question or "moves" in question
        match = self.setup.match(question) if is_placed else None
        rules = None if match is None else match.game.at(match.state)
        return translate_in(self.catalogue.game(question["game"], rules), question.get("lang", "en"), TEXTS)

    def _view(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        match = self.setup.match(question)
        seen = view(match)
        if question.get("seen") and match.game.hidden and match.player != CHANCE and not seen["over"]:
            seen |= position(match.game, match.game.observe(match.state, match.player))
        return translate_in(seen, question.get("lang", "en"), TEXTS)

    def _chance(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        match = self.setup.match(question)
        if match.is_over or match.player != CHANCE:
            raise SearchError("chance does not decide here")
        return {"move": written(match, RandomPlayer().choose(match.game, match.state).action)}

    def _shuffle(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        """Return a position of a puzzle to begin with."""
        game = self.catalogue.load(question["game"])
        if not isinstance(game, Puzzle):
            raise SearchError("{} is no puzzle: its first position is always the same", game.label())
        return {"start": game.text(game.shuffled(random.getrandbits(32)))}

    def _save(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        match, headers = self.setup.match(question), question.get("headers", {})
        game, start = match.game, match.states[0]
        if "tree" in question:
            score = read_rows(game, start, question["tree"], headers)
            has_own = type(game).write_tree is not Game.write_tree
            text = game.write_tree(score) if has_own else write_plain(game, score)
        else:
            text = game.write_headed(start, match.actions, headers)
        return {"text": text, "ending": game.record_ending}

    def _load(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        named = self.catalogue.load(question["game"])
        try:
            text, games = one_of_games(named, question["text"], question.get("number", 1))
            game = named.of_record(text)
            score = game.read_tree(text)
        except PositionError:
            if type(named).read_tree is not Game.read_tree or not is_tree(question["text"]):
                raise
            text, games, game = question["text"], 1, named
            score = read_plain(game, text)
        start = score.start
        match = RunningGame(game.at(start), start)
        for action in score.actions:
            match.play(action)
        is_usual = game.text(start) == game.text(game.initial())
        loaded = {"start": "" if is_usual else game.text(start), "moves": match.names()}
        beside = {
            "game": "" if game is named else game.label(),
            "headers": game.headers(text),
            "tree": write_rows(game, score) if has_more(score) else None,
            "games": games if games > 1 else 0,
        }
        return loaded | {name: told for name, told in beside.items() if told}

    def _edit(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        match = self.setup.match(question)
        edited = match.game.edit(match.state, question["path"], question.get("value"))
        return {"start": match.game.text(edited)}

    def _arrange(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        """Tell what stands on the cells, to be changed; with `cells`, the position that they make."""
        if "cells" in question:
            game = self.catalogue.load(question["game"])
            return position_editor.finish(game, question["cells"], question.get("fields", []))
        match = self.setup.match(question)
        return position_editor.begin(match.game, match.state)

    def _opening(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        return self.openings.describe(self.setup.match(question), question.get("lang", "en"))

    def _opinions(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        """Tell what each evaluation of the game says, the strongest first, which orders the moves."""
        match = self.setup.match(question)
        game, state = match.game, match.state
        found = compare(game, state, evaluations_of(game)[::-1])
        moves = sorted(found[0].moves, key=lambda action: -found[0].moves[action])
        return {
            "names": [opinion.evaluation for opinion in found],
            "values": [opinion.value for opinion in found],
            "moves": [
                {"move": game.write(state, action), "values": [opinion.moves[action] for opinion in found]}
                for action in moves
            ],
        }

    # ---- searches --------------------------------------------------------------------------------
    def _go(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        match = self.setup.match(question)
        clock = Clock(**question["clock"]) if question.get("clock", {}).get("left") else None
        return self.choosing.choose(match, question["player"], clock, stream, stop)

    def _check(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        """Check a player before a game, as `go` would."""
        self.choosing.check(self.catalogue.load(question["game"]), question["player"])
        return {}

    def _warm(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        """Compile the engine of the game that a page begins with, before a client needs it."""
        game = self.catalogue.load(self.catalogue.usual)
        gambito.search(game, nodes=1)
        return {}

    def _analyse(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        match, lines = self.setup.match(question), question.get("lines", MOST_LINES)
        _check_opponent(match.game)
        if match.game.hidden:
            seat = match.player
            seen = match.game.observe(match.state, seat)
            return analyse_seen(match.game, seen, seat, question, self.choosing, stream, stop)
        algorithm = question.get("algorithm") or strongest(match.game)
        nodes = question.get("nodes")
        seconds = question.get("seconds", USUAL_SECONDS if nodes is None else self.server.seconds)
        stream.tell({"phase": "preparing"})

        def progress(so_far: Analysis) -> None:
            if stream.is_due():
                stream.tell(candidates(match, so_far, lines))

        options = self.choosing.options(algorithm, question.get("options", {}))
        if question.get("depth") != 1:  # one ply is evaluated, not searched
            if isinstance(find(algorithm), DepthSearch):  # shown while the search is compiled
                looked = analyse(
                    match.game, match.state, algorithm, 1, lines=lines, past_states=match.states[:-1]
                )
                stream.tell(candidates(match, looked, lines), whole=True)
            self.choosing.prepare(
                match, algorithm, {"threads": question.get("threads", 1), **options}, stream
            )
        known = _from_tables(match)
        found = analyse(
            match.game,
            match.state,
            algorithm,
            question.get("depth"),
            seconds,
            nodes,
            lines=lines,
            threads=question.get("threads", 1),
            past_states=match.states[:-1],
            stop=stop,
            progress=progress,
            options=options,
        )
        return candidates(match, found, lines) | known

    def _threat(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        """Tell what the opponent would play if it were to move: the analysis after a pass."""
        match = self.setup.match(question)
        _check_opponent(match.game)
        game, state = match.game, match.state
        passed = game.pass_turn(state)
        if not match.is_over and game.is_urgent(state):
            raise SearchError("a threat must be answered here: no pass is possible")
        if match.is_over or match.player == CHANCE or game.key(passed) == game.key(state):
            raise SearchError("{} has no pass here, which would show a threat", game.label())
        stream.tell({"phase": "preparing"})
        after = RunningGame(game, passed)
        self.choosing.prepare(match, strongest(game), {}, stream)
        seconds = question.get("seconds", USUAL_SECONDS)
        found = analyse(game, passed, seconds=seconds, lines=1, stop=stop)
        return candidates(after, found, 1)

    def _owners(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        """Tell who will own the cells of the board, by playouts."""
        match = self.setup.match(question)

        def told(so_far: Ownership) -> dict[str, Any]:
            cells = [round(share, 3) for share in so_far.cells]
            lead = so_far.lead - getattr(match.game, "komi", 0.0)
            return {"cells": cells, "lead": round(lead, 2), "playouts": so_far.playouts}

        def progress(so_far: Ownership) -> None:
            if stream.is_due():
                stream.tell(told(so_far))

        seconds = question.get("seconds", USUAL_SECONDS)
        return told(ownership(match.game, match.state, seconds, stop, progress))

    def _deal(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        """Tell what a deal of bridge is worth with open cards."""
        match = self.setup.match(question)
        stream.tell({"phase": "preparing"})
        return open_deal(match.game, match.state)

    def _sampled(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        """Tell what the cards of the player to move take in deals that fit what it sees."""
        match = self.setup.match(question)
        return imagined_deals(match.game, match.state, match.player, stream, stop)

    def _review(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        """Value every position of the game for the first player, and compute what each move lost.

        If one player does not win what the other loses, positions are valued for everybody.
        """
        match = self.setup.match(question)
        _check_opponent(match.game)
        if match.game.hidden:
            raise SearchError("{} hides something, so no value tells how good a move was", match.game.label())
        game, algorithm = match.game, question.get("algorithm") or strongest(match.game)
        options = self.choosing.options(algorithm, question.get("options", {}))
        if not _is_opposed(game) and algorithm != FOR_ALL and not find(FOR_ALL).misfit(game):
            algorithm, options = FOR_ALL, {}
        session = gambito.Session()
        stream.tell({"phase": "preparing"})
        self.choosing.prepare(match, algorithm, options, stream)
        plies: list[dict[str, Any]] = []
        for ply, state in enumerate(match.states):
            if stop.is_set():
                break
            seconds = question.get("seconds", REVIEW_SECONDS)
            given = {"past_states": match.states[:ply], "stop": stop, "session": session, **options}
            valued = _valued(game, state, algorithm, seconds, given)
            plies.append({"ply": ply, **valued})
            stream.tell(
                {"ply": ply, "value": valued["value"], "expectation": valued["expectation"]}, whole=True
            )
        _mark(match, plies)
        return {"plies": plies, "algorithm": algorithm}

    def _trace(self, question: dict[str, Any], stream: Stream, stop: Stop) -> tuple[dict[str, Any], bytes]:
        match, algorithm = self.setup.match(question), question["algorithm"]
        game, state = match.game, match.state
        stream.tell({"phase": SEARCHING})
        options = self.choosing.options(algorithm, question.get("options", {}))
        depth = question.get("depth")
        gc.disable()  # a record has many objects, all of them in use and without reference cycles
        try:
            if depth is None and isinstance(find(algorithm), DepthSearch):
                record = trace_soon(game, state, algorithm, stop, options)
            else:
                with Alarm(stop, self.server.seconds):
                    record = gambito.trace(game, state, algorithm, depth, stop=stop, **options)
            if question.get("boxes"):
                record = boxed(record)
            stream.tell({"phase": "drawing"})
            header, body = pack(record)
            header["exploration"] = _exploration(game, algorithm, options)
        finally:
            gc.enable()
        return {"record": header}, body

    def _plain(self, question: dict[str, Any], stream: Stream, stop: Stop) -> dict[str, Any]:
        """Return what plain minimax costs to the same depth. It may have to be compiled, so that a watched
        search is shown before."""
        match = self.setup.match(question)
        _check_opponent(match.game)
        return {"plain": plain_minimax(match.game, match.state, question["depth"], stop)}


def _exploration(game: Game, algorithm: str, options: dict[str, Any]) -> float | None:
    """The constant of UCB1, if that alone chooses the children in a Monte-Carlo search."""
    given = find(algorithm).read_options(options, game)
    is_plain = given.get("select") == "ucb1" and not any(given.get(name) for name in MORE_THAN_UCB1)
    return float(given["exploration"]) if is_plain else None


def _from_tables(match: RunningGame) -> dict[str, Any]:
    """What endgame tables say about the position, for the player to move, if there are any that hold it."""
    game, tables = match.game, endings_of(match.game)
    if tables is None or match.is_over:
        return {}
    known = probe_tables(gears(game).in_gear("python"), tables, gears(game).cast(match.state))
    if known is None:
        return {}
    plies = abs(known) - 1 if known and tables.counts_ends else None
    return {"table": {"value": (known > 0) - (known < 0), "plies": plies}}


def _check_opponent(game: Game) -> None:
    """Refuse puzzles: an analysis needs a game with opponents."""
    if isinstance(game, Puzzle):
        raise SearchError("{} is a puzzle, whose solution Watch shows; analyses are of games", game.label())


def _is_opposed(game: Game) -> bool:
    """Does the value for one player tell that for the other?"""
    return game.players == 2 and game.zero_sum


def _valued(
    game: Game,
    state: Any,
    algorithm: str,
    seconds: float,
    given: dict[str, Any],
) -> dict[str, Any]:
    """Return the data of one position of a review."""
    everybody, values = range(game.players), []
    if game.is_terminal(state):
        values, best = [game.utility(state, player) for player in everybody], None
    elif is_repeated(game, state, given["past_states"]):
        values, best = [game.repetition(state, player) for player in everybody], None
    elif game.player(state) == CHANCE:
        return {"value": None, "expectation": None, "best": None}
    else:
        found = gambito.search(game, state, algorithm, seconds=seconds, **given)
        if not _is_opposed(game):
            values = found.values
        elif found.value is not None:
            values = [found.value, -found.value] if game.player(state) == 0 else [-found.value, found.value]
        best = None if found.action is None else game.write(state, found.action)
    if not values:
        return {"value": None, "expectation": None, "best": best}
    shares = [game.expectation(value) for value in values]
    told = {"value": plain_number(values[0]), "expectation": shares[0], "best": best}
    return told if _is_opposed(game) else told | {"shares": shares}


def _mark(match: RunningGame, plies: list[dict[str, Any]]) -> None:
    """Add what the move after each position lost for its player, as a share of a win, and its mark."""
    for before, after, state in zip(plies, plies[1:], match.states, strict=False):
        mover = match.game.player(state)
        if mover == CHANCE or before["expectation"] is None or after["expectation"] is None:
            continue
        had, has = (_share(position, mover) for position in (before, after))
        played = match.game.write(state, match.actions[before["ply"]])
        lost = 0.0 if played == before["best"] else had - has
        before["loss"] = max(0.0, lost)
        before["mark"] = next((mark for least, mark in MARKS if lost >= least), "")


def _share(position: dict[str, Any], player: int) -> float:
    """A player's share of a win in a position of a review."""
    if "shares" in position:
        return float(position["shares"][player])
    return float(position["expectation"] if player == 0 else 1 - position["expectation"])
