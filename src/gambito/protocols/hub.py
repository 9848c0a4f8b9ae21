"""Hub, version 2: the protocol of engines for draughts, such as Scan. A session as of UCI, in other words.

    hub                                  id …, param …, wait
    set-param name=hash value=128
    init                                 ready
    pos pos=Wbbb…www moves="32-28"
    level move-time=1
    go think                             info depth=9 score=0.12 … pv="32-28 17-22"
                                         done move=32-28 ponder=17-22

A position is the side to move and one letter for each square. A capture names its first and last square and
then those of the captured pieces, in any order.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import gambito
from gambito.errors import PositionError, SearchError, quoted
from gambito.game.contract import Game
from gambito.players.error_sentences import sentence
from gambito.protocols.background_search import Report
from gambito.protocols.dialect import UGI
from gambito.protocols.session import LARGEST_NUMBER, ProtocolSession
from gambito.search.limits import Progress

MAN = 100  # the value of a man in the games of draughts
WON = 100.0  # the score of a game that is won at once; each ply costs a hundredth
ARGUMENT = re.compile(r'([^\s="]+)(?:=(?:"([^"]*)"|(\S*)))?')
NUMBERS = {"depth": int, "nodes": int, "moves": int, "move-time": float, "time": float, "inc": float}
PARAMETERS = {
    "hash": "Hash", "threads": "Threads", "book-file": "Book File", "book-depth": "Book Depth",
    "table-path": "Table Path",
}  # fmt: skip
MODES = ("think", "ponder", "analyze")


class HubSession(ProtocolSession):
    """A session with a program that uses Hub."""

    def __init__(self, game: Game, say: Callable[[str], None]) -> None:
        if not hasattr(game, "place_of"):
            raise SearchError("hub is for games of draughts, not for {}", game.label())
        super().__init__(game, say, UGI)
        self.limits: dict[str, float] = {}  # of the next search
        self.is_infinite = False
        self._is_asked = True  # a search has used these limits

    def hear(self, line: str) -> bool:
        """Answer a line; return False at the end of the session. What is not understood is ignored."""
        words = line.strip().split(maxsplit=1)
        if not words or words[0] not in self._hub_commands():
            return True
        if words[0] == "quit":
            self.close()
            return False
        found = ARGUMENT.finditer(words[1] if len(words) > 1 else "")
        try:
            self._hub_commands()[words[0]]({m[1]: m[2] if m[2] is not None else m[3] or "" for m in found})
        except Exception as problem:  # a session continues after any line
            self._complain(sentence(problem))
        return True

    def _hub_commands(self) -> dict[str, Callable[[dict[str, str]], None]]:
        return {
            "hub": self._introduce,
            "set-param": self._set_parameter,
            "init": self._initialise,
            "new-game": lambda given: self._begin([]),
            "pos": self._put,
            "level": self._level,
            "go": self._think,
            "stop": lambda given: self._stop([]),
            "ponder-hit": lambda given: self._hit([]),
            "ping": lambda given: self.say("pong"),
            "quit": lambda given: None,
        }

    # ---- what is said ----------------------------------------------------------------------------
    def note(self, text: str) -> None:
        """Say nothing: Hub has no line for it."""

    def _complain(self, text: str) -> None:
        plain = text.replace('"', "'")
        self.say(f'error message="{plain}"')

    def tell_progress(self, now: Progress) -> None:
        self.say(f"info depth={now.depth} nodes={now.nodes} time={now.seconds:.3f}")

    def tell_end(self, state: Any) -> None:
        """Say nothing: Hub never asks about a game that is over."""

    def report(self, told: Report) -> None:
        if told.number > 1:
            return
        line, state = [], told.found.state
        for action in told.ranked.line:
            line.append(hub_move(self.game, state, action))
            state = self.game.result(state, action)
        self.say(
            f"info depth={told.found.depth} score={self._score(told):.2f} nodes={told.nodes} "
            f'time={told.seconds:.3f} nps={told.pace / 1e6:.3f} pv="{" ".join(line)}"'
        )

    def _score(self, told: Report) -> float:
        """In men; a forced end is told by its plies."""
        value, plies = told.ranked.value or 0, told.ranked.ends_in
        if plies is not None and abs(value) == self.game.highest:
            return (WON - plies / 100) * (1 if value > 0 else -1)
        return float(value) / MAN

    def answer(self, state: Any, action: int | None, reply: int | None) -> None:
        if action is None:
            self._complain("the game is over")
            return
        text = f"done move={hub_move(self.game, state, action)}"
        if reply is not None:
            text += f" ponder={hub_move(self.game, self.game.result(state, action), reply)}"
        self.say(text)

    # ---- commands ---------------------------------------------------------------------------------
    def _introduce(self, given: dict[str, str]) -> None:
        self.say(f'id name=Gambito version={gambito.__version__} author="the Gambito authors"')
        self.say('param name=variant value=normal type=enum values="normal"')
        for name, own in PARAMETERS.items():
            option, value = self.choices.options[own], self.choices.values[own]
            if isinstance(option.default, int):
                kind = f"type=int min={option.low} max={option.high}"
            else:
                kind = "type=string"
            self.say(f'param name={name} value="{value}" {kind}')
        self.say("wait")

    def _set_parameter(self, given: dict[str, str]) -> None:
        name, value = given.get("name", ""), given.get("value", "")
        if name == "variant":
            if value != "normal":
                raise SearchError("variant must be normal, not {}", quoted(value))
        elif name in PARAMETERS:
            self._set(["name", PARAMETERS[name], "value", value or "<empty>"])
        else:
            accepted = ", ".join(("variant", *PARAMETERS))
            raise SearchError("there is no parameter {}; accepted: {}", quoted(name), accepted)

    def _initialise(self, given: dict[str, str]) -> None:
        try:
            self.prepare()
        finally:
            self.say("ready")

    def _put(self, given: dict[str, str]) -> None:
        if self._is_thinking():
            raise SearchError("a search is running; send stop first")
        states = [read_position(self.game, given.get("pos", ""))]
        for word in given.get("moves", "").split():
            states.append(self.game.result(states[-1], read_move(self.game, states[-1], word)))
        self.states = states
        is_start = self.game.text(states[0]) == self.game.text(self.game.initial())
        self.plies = len(states) - 1 if is_start else LARGEST_NUMBER

    def _level(self, given: dict[str, str]) -> None:
        if self._is_asked:
            self.limits, self.is_infinite, self._is_asked = {}, False, False
        for name, text in given.items():
            if name == "infinite":
                self.is_infinite = True
            elif name in NUMBERS:
                try:
                    number = NUMBERS[name](text)
                    if math.isnan(number):
                        raise ValueError
                    self.limits[name] = min(max(number, 0), LARGEST_NUMBER)
                except (ValueError, OverflowError):
                    raise SearchError("{} must be a number, not {}", name, quoted(text)) from None

    def _think(self, given: dict[str, str]) -> None:
        mode = next((name for name in given if name in MODES), "")
        if not mode:
            raise SearchError("go is followed by one of {}", ", ".join(MODES))
        self._is_asked = True
        self.choices.values["UCI_AnalyseMode"] = mode == "analyze"
        limits, words = self.limits, list[str]()
        for name in ("depth", "nodes"):
            if name in limits:
                words += [name, str(int(limits[name]))]
        who = self.dialect.who(int(self.game.player(self.states[-1])))
        times = {"move-time": "movetime", "time": f"{who}time", "inc": f"{who}inc"}
        for name, own in times.items():
            if name in limits:
                given_first = limits.get("inc", 0.0) if name == "time" else 0.0  # it comes before the move
                words += [own, str(round(1000 * (limits[name] + given_first)))]
        if "moves" in limits:
            words += ["movestogo", str(int(limits["moves"]))]
        if mode == "ponder":
            words.append("ponder")
        elif self.is_infinite:
            words.append("infinite")
        self._go(words)


def read_position(game: Any, text: str) -> Any:
    """The position that Hub's letters show."""
    accepted = f"W or B, and {game.squares} letters of w, b, W, B and e"
    if len(text) != game.squares + 1 or text[:1] not in ("W", "B") or set(text[1:]) - set("wbWBe"):
        raise PositionError("{} is no position; accepted: {}", quoted(text), accepted)
    sides: dict[str, list[str]] = {"W": [], "B": []}
    for square, letter in enumerate(text[1:], 1):
        if letter != "e":
            sides[letter.upper()].append(f"{'K' if letter.isupper() else ''}{square}")
    return game.parse(f"{text[0]}:W{','.join(sides['W'])}:B{','.join(sides['B'])}")


def write_position(game: Any, state: Any) -> str:
    """A position in Hub's letters."""
    turn, *sides = game.text(state).split(":")
    letters = ["e"] * game.squares
    for side in sides[:2]:
        for word in filter(None, side[1:].split(",")):
            is_king = word.startswith("K")
            letters[int(word.lstrip("K")) - 1] = side[0] if is_king else side[0].lower()
    return turn + "".join(letters)


def hub_move(game: Any, state: Any, action: int) -> str:
    """A move as Hub writes it: `32-28`, `28x19x23`."""
    squares = re.split(r"[-x:]", game.token(state, action))
    child = game.result(state, action)
    taken = int(state.theirs) & ~(int(child.mine) | int(child.theirs))
    captured = [str(n) for n in range(1, game.squares + 1) if taken >> game.place_of(n) & 1]
    return "x".join([squares[0], squares[-1], *captured]) if captured else "-".join([squares[0], squares[-1]])


def read_move(game: Any, state: Any, text: str) -> int:
    """The action that Hub's text names; captured pieces may come in any order."""
    squares = re.split(r"[-x:]", text)
    wanted = (squares[:2], sorted(squares[2:]), "x" in text or ":" in text)
    every = {action: hub_move(game, state, action) for action in game.legal(state)}
    for action, name in every.items():
        known = name.split("x") if "x" in name else name.split("-")
        if (known[:2], sorted(known[2:]), "x" in name) == wanted:
            return action
    raise PositionError(
        "{} is not a move here; accepted: {}", quoted(text), ", ".join(list(every.values())[:12])
    )
