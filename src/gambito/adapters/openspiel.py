"""OpenSpiel's games as games of Gambito, in the Python gear: `openspiel:tic_tac_toe`,
`openspiel:hex(board_size=3)`.

A state is known by the actions that lead to it, so no two ways lead to the same state. Games in which
everybody moves at the same time become games in turn, as OpenSpiel does it. In a game that hides something a
view has what OpenSpiel calls the information state of its player.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from gambito.adapters.peers import peer
from gambito.errors import GameError, PositionError, quoted
from gambito.game.contract import CHANCE, MOST_ACTIONS, NOBODY, Game

PREFIX = "openspiel"  # of the names of these games
IN_TURN = "turn_based_simultaneous_game"  # a game in which everybody moved at the same time
STEP = 1e-6  # between two values: OpenSpiel does not say what the smallest difference is
# Games whose hidden part OpenSpiel can imagine. Others raise an error, after a line on standard error.
IMAGINED = frozenset(
    (
        "bargaining", "blackjack", "bridge", "colored_trails", "euchre", "gin_rummy", "hearts", "kuhn_poker",
        "leduc_poker", "oh_hell", "universal_poker",
    )
)  # fmt: skip
# Games whose information state does not tell the order of what its player saw and did.
FORGETFUL = frozenset(("dark_hex", "dark_hex_ir", "go_fish", "liars_dice_ir", "phantom_ttt_ir"))
CRASHING = frozenset(("morpion_solitaire",))  # a copy of its states ends the program, in OpenSpiel 2.0
MOST_NAMED = 12  # moves that a message lists


def pyspiel() -> Any:
    return peer("pyspiel", "OpenSpiel", PREFIX)


@dataclass(frozen=True, eq=False, repr=False)
class SpielState:
    """A state of OpenSpiel, and the actions that lead to it."""

    inner: Any
    played: tuple[int, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpielState) and self.played == other.played

    def __hash__(self) -> int:
        return hash(self.played)

    def __repr__(self) -> str:
        return f"<{' '.join(map(str, self.played))}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _replay, (str(self.inner.get_game()), self.played)


def _replay(rules: str, played: tuple[int, ...]) -> SpielState:
    inner = pyspiel().load_game(rules).new_initial_state()
    for action in played:
        inner.apply_action(action)
    return SpielState(inner, played)


@dataclass(frozen=True)
class SpielView:
    """What a player sees of a state: its information state, and its actions if it is the one to move."""

    player: int
    seen: str
    mover: int
    actions: tuple[int, ...] = ()
    returns: tuple[float, ...] = ()  # of a game that is over
    # Only OpenSpiel reads it, to imagine a state that looks the same to the player.
    inner: Any = field(default=None, compare=False, repr=False)


class OpenSpielGame(Game):
    """A game of OpenSpiel, by its name and parameters there."""

    name = PREFIX
    compiles = False
    value = float
    step = STEP

    def __init__(self, rules: str = "tic_tac_toe") -> None:
        self.rules = rules.strip()
        inner = _load(self.rules)
        kind, modes = inner.get_type(), pyspiel().GameType
        self._inner = inner
        self.title = kind.long_name
        self.players = inner.num_players()
        self.zero_sum = kind.utility == modes.Utility.ZERO_SUM and self.players > 1
        self.chance = kind.chance_mode != modes.ChanceMode.DETERMINISTIC
        self.hidden = kind.information == modes.Information.IMPERFECT_INFORMATION
        self._is_told_all = kind.provides_information_state_string
        self.recalls = self._is_told_all and self.rules.partition("(")[0] not in FORGETFUL
        if self.hidden and not (self._is_told_all or kind.provides_observation_string):
            raise GameError("OpenSpiel does not say what the players of {} see", self.rules)
        self.lowest, self.highest = inner.min_utility(), inner.max_utility()
        if self.chance:
            self.most_outcomes = inner.max_chance_outcomes()
        if kind.short_name != IN_TURN:  # whose lengths are those of the game before it was converted
            chances = inner.max_chance_nodes_in_history() if self.chance else 0
            self.longest = inner.max_game_length() + chances
        distinct = max(inner.num_distinct_actions(), self.most_outcomes if self.chance else 0)
        self.most_actions = distinct if distinct <= MOST_ACTIONS else None

    def label(self, without: str = "") -> str:
        return f"{PREFIX}:{self.rules}"

    def __getstate__(self) -> dict[str, Any]:
        return {"rules": self.rules}

    def __setstate__(self, held: dict[str, Any]) -> None:
        self.__init__(**held)  # type: ignore[misc]

    # ---- the six rules ---------------------------------------------------------------------------
    def initial(self) -> SpielState:
        return SpielState(self._inner.new_initial_state())

    def player(self, state: Any) -> int:
        if isinstance(state, SpielView):
            return state.mover
        inner = state.inner
        return 0 if inner.is_terminal() else CHANCE if inner.is_chance_node() else inner.current_player()

    def actions(self, state: Any) -> Iterable[int]:
        return state.actions if isinstance(state, SpielView) else state.inner.legal_actions()

    def result(self, state: Any, action: int) -> SpielState:
        return SpielState(state.inner.child(action), (*state.played, int(action)))

    def is_terminal(self, state: Any) -> bool:
        return bool(state.returns) if isinstance(state, SpielView) else state.inner.is_terminal()

    def utility(self, state: Any, player: int) -> float:
        returns = state.returns if isinstance(state, SpielView) else state.inner.returns()
        return float(returns[player])

    # ---- what searches ask ------------------------------------------------------------------------
    def chances(self, state: Any) -> Iterable[tuple[int, float]]:
        return state.inner.chance_outcomes()

    def evaluate(self, state: Any, player: int) -> float:
        return 0.0 if self.zero_sum else (self.lowest + self.highest) / 2

    def key(self, state: Any) -> int:
        return _hashed(repr(state))

    # ---- what players see -------------------------------------------------------------------------
    def observe(self, state: Any, player: int) -> Any:
        if isinstance(state, SpielView):
            is_mine = player == state.player
            return state if is_mine else SpielView(NOBODY, "", state.mover, (), state.returns)
        if not self.hidden:
            return state
        inner, mover = state.inner, self.player(state)
        returns = tuple(inner.returns()) if inner.is_terminal() else ()
        if player == NOBODY:
            return SpielView(NOBODY, "", mover, (), returns)
        tell = inner.information_state_string if self._is_told_all else inner.observation_string
        actions = tuple(inner.legal_actions()) if mover == player and not returns else ()
        return SpielView(player, tell(player), mover, actions, returns, inner)

    def seen_key(self, state: Any, player: int) -> int:
        return _hashed(repr(self.observe(state, player)))

    # ---- text -------------------------------------------------------------------------------------
    def show(self, state: Any) -> str:
        return state.seen if isinstance(state, SpielView) else str(state.inner)

    def text(self, state: Any) -> str:
        """The numbers of the actions so far, as OpenSpiel writes a history."""
        return "" if isinstance(state, SpielView) else " ".join(map(str, state.played))

    def parse(self, text: str) -> SpielState:
        """The state after some actions, by their numbers or their names."""
        words = text.split() if "(" in text else text.replace(",", " ").split()
        state = self.initial()
        for word in words:
            action = int(word) if word.isdecimal() else -1
            if action not in self.legal(state):
                action = self.read(state, word)
            state = self.result(state, action)
        return state

    def write(self, state: Any, action: int) -> str:
        return self._names(state).get(action, str(action))

    def token(self, state: Any, action: int) -> str:
        return "_".join(self.write(state, action).split())

    def read(self, state: Any, text: str) -> int:
        wanted = "_".join(text.split())
        for action, name in self._names(state).items():
            if wanted == "_".join(name.split()):
                return action
        if wanted.isdecimal() and int(wanted) in self.legal(state):
            return int(wanted)
        accepted = ", ".join(list(self._names(state).values())[:MOST_NAMED]) or "none, the game is over"
        raise PositionError("{} is not a move here; accepted: {}", quoted(text), accepted)

    def _names(self, state: Any) -> dict[int, str]:
        """The names of the legal actions; their numbers, if two have the same name or one has none."""
        legal, inner = self.legal(state), state.inner
        if inner is None:
            return {action: str(action) for action in legal}
        names = [" ".join(inner.action_to_string(inner.current_player(), a).split()) for a in legal]
        if not all(names) or len(set(names)) < len(names):
            names = [str(action) for action in legal]
        return dict(zip(legal, names, strict=True))


class ImaginedSpielGame(OpenSpielGame):
    """A game whose hidden part OpenSpiel can imagine."""

    name = PREFIX

    def imagine(self, seen: Any, player: int, rng: Any) -> SpielState:
        world = seen.inner.resample_from_infostate(player, rng.fraction)
        return SpielState(world, tuple(world.history()))


def make(rules: str) -> OpenSpielGame:
    """The game that OpenSpiel calls so, with its parameters: `hex(board_size=3)`."""
    kind = ImaginedSpielGame if rules.partition("(")[0].strip() in IMAGINED else OpenSpielGame
    return kind(rules)


def _load(rules: str) -> Any:
    """Load a game of OpenSpiel, with its moves in turn."""
    spiel = pyspiel()
    name = rules.partition("(")[0].strip()
    known = spiel.registered_names()
    if name not in known:
        raise GameError("OpenSpiel has no game {}; accepted: {}", quoted(name), ", ".join(sorted(known)))
    if name in CRASHING:
        raise GameError("OpenSpiel crashes when it copies a state of {}", name)
    try:
        game = spiel.load_game(rules)
    except (spiel.SpielError, RuntimeError, ValueError, TypeError) as problem:
        told = " ".join(str(problem).split()).removesuffix(": ")
        raise GameError("OpenSpiel cannot make {}: {}", quoted(rules), told) from None
    kind, modes = game.get_type(), spiel.GameType
    if kind.dynamics == modes.Dynamics.SIMULTANEOUS:
        game = spiel.convert_to_turn_based(game)
    elif kind.dynamics != modes.Dynamics.SEQUENTIAL:
        raise GameError("{} is a game of a whole population, which no search here plays", name)
    if kind.chance_mode == modes.ChanceMode.SAMPLED_STOCHASTIC:
        raise GameError("OpenSpiel draws the chances of {} in secret, so no search can weigh them", name)
    try:
        game.new_initial_state().legal_actions()
    except spiel.SpielError:
        raise GameError("the actions of {} in OpenSpiel are no numbers", name) from None
    return game


def _hashed(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


# ---- the other way --------------------------------------------------------------------------------------


def as_pyspiel(game: Any, most_plies: int | None = None) -> Any:
    """A game of Gambito as a game of OpenSpiel, which `pyspiel.load_game` then finds as `gambito_NAME`.

    Its actions are numbered as `adapters/numbering.py` says. A game that can be endless is cut off, as a
    draw, after `most_plies` plies.
    """
    pyspiel()
    from gambito.adapters import openspiel_side

    return openspiel_side.as_pyspiel(game, most_plies)


def as_bot(game: Any, player: Any = "strongest", level: int | None = None) -> Any:
    """A player of Gambito as a bot of OpenSpiel, for a game of theirs or one from `as_pyspiel`.

    player   as for `gambito match`: "engine:depth=4", "mcts:nodes=1000", or your own object
    level    instead of a player: from 1 to 8
    """
    pyspiel()
    from gambito.adapters import openspiel_side

    return openspiel_side.PlayerBot(game, player, level)
