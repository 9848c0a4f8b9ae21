"""What a game is: its rules, what it may add to them, its traits and its text.

A game is a class. Its rules are plain methods on an immutable state; its parameters are those of
`__init__`; whatever `__init__` puts on the object is a constant that the rules may read. The words are
Russell and Norvig's. It knows no search, no file and no screen.
"""

from __future__ import annotations

import inspect
import math
import re
import warnings
from collections.abc import Iterable
from typing import Any

from gambito.errors import PositionError
from gambito.game.line import write_line
from gambito.game.picture import Board, Piece
from gambito.game.records import decode, split_ending, split_lines
from gambito.native import mix
from gambito.words.sentence import Sentence

CHANCE = -1  # the player where dice or cards decide
NO_ACTION = -1  # actions are 0 or more
UNKNOWN = 1 << 30  # plies left, where nobody knows

RULES = ("initial", "player", "actions", "result", "is_terminal", "utility")
TEXT = (
    "show", "parse", "write", "read", "text", "caption", "at", "parameters", "label", "legal", "token",
    "picture", "pieces", "touch", "title", "sides", "scale", "editable", "edit", "write_game", "read_game",
    "expectation", "unit", "claims", "relaxed", "patterns", "backward", "closed", "cell_of", "goal",
    "furnish", "slice_names", "slice_code", "conversions", "form", "recipe", "judged_by", "one_evaluation",
    "schools", "split_games", "read_record",
)  # fmt: skip


RENAMED = {"finish": "solve_ending", "forecasts": "probcut_model"}  # old names, accepted for one version


def quoted(text: str) -> str:
    """What somebody wrote, fit for one line of a message."""
    plain = "".join(c if c.isprintable() else "�" for c in text)
    return f"'{plain}'" if len(plain) <= 60 else f"'{plain[:57]}…'"


class Game:
    """The contract. The six rules are a game's own; everything else has a neutral default."""

    # ---- traits ----------------------------------------------------------------------------------
    name: str = ""  # how `load` finds it; "" is the class's name in lower case with hyphens
    players: int = 2
    zero_sum: bool = True
    chance: bool = False  # dice or cards decide somewhere
    rolls_between: bool = False  # chance decides between any two moves, and `evaluate` does not see the roll
    hidden: bool = False  # a player does not see everything
    cycles: bool = False  # a position can come back
    symmetric: bool = False  # a puzzle's actions can be taken back
    compiles: bool = True  # the rules can be compiled
    usual_gear: str = "native"  # if nobody says; "python": a search is done before rules are compiled
    value: type = int  # of utilities and evaluations: int, or float
    lowest: Any = -1  # bounds of every utility and evaluation
    highest: Any = 1
    step: Any = 1  # the smallest difference between two values: the width of a null window
    infinity: Any = 1 << 40  # more than every value
    longest: int | None = None  # plies of the longest game, if there is one
    most_actions: int | None = None  # in any state
    most_outcomes: int = 64  # in any chance state
    orders_itself: bool = False  # `priority` and the actions' own order say all: no killers, no history
    hurries: bool = True  # among equal values a sooner win is better; False where the score says how soon
    probcut_model: tuple[tuple[float, ...], ...] = ()  # ProbCut's: (stage, depth, shallow depth, a, b, sigma)
    preferences: dict[str, dict[str, Any]] = {}  # noqa: RUF012  # options that suit the game, by algorithm
    played_by: str = ""  # the algorithm that plays it best; "": the strongest that fits
    usual_depth: int | None = None  # how deep to search when nobody says; None: for a second
    title: str = ""  # how a page calls it; "": by its name
    sides: tuple[str, ...] = ()  # how the players are called: ("Black", "White"); (): by their number
    scale: float | None = None  # a value that is worth three quarters of a win; None: a third of the highest
    editable: bool = False  # the values of a position's leaves can be edited
    form: Any = None  # of its learned evaluation: one of those of `evaluate/`
    weights: Any  # of that form, as memory
    is_learned: bool = False  # `evaluate` goes by the weights
    schools: tuple[str, ...] = ()  # other evaluations that it knows by name
    one_evaluation: bool = False  # it does not depend on the other parameters
    recipe: dict[str, Any] = {}  # noqa: RUF012  # how that is trained, where nobody says
    closed: tuple[str, ...] = ()  # parameters that a page's clients must not set: files, and what takes much

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        for old, new in RENAMED.items():
            if old in vars(cls) and new not in vars(cls):
                warnings.warn(f"{cls.__name__}.{old} is now called {new}", DeprecationWarning, stacklevel=2)
                setattr(cls, new, vars(cls)[old])
        if cls.value is float and "infinity" not in vars(cls):
            cls.infinity = math.inf

    # ---- the rules -------------------------------------------------------------------------------
    def initial(self) -> Any:
        """The first state."""
        raise NotImplementedError(f"{type(self).__name__} has no rule 'initial'")

    def player(self, state: Any) -> int:
        """Who moves: 0 or 1, also in a terminal state; CHANCE where dice or cards decide."""
        raise NotImplementedError(f"{type(self).__name__} has no rule 'player'")

    def actions(self, state: Any) -> Iterable[int]:
        """The legal actions, each an int of 0 or more; in a chance state its outcomes."""
        raise NotImplementedError(f"{type(self).__name__} has no rule 'actions'")

    def result(self, state: Any, action: int) -> Any:
        """The next state."""
        raise NotImplementedError(f"{type(self).__name__} has no rule 'result'")

    def is_terminal(self, state: Any) -> bool:
        """Is the game over?"""
        raise NotImplementedError(f"{type(self).__name__} has no rule 'is_terminal'")

    def utility(self, state: Any, player: int) -> Any:
        """The final score of a terminal state for that player."""
        raise NotImplementedError(f"{type(self).__name__} has no rule 'utility'")

    # ---- what a game may add ---------------------------------------------------------------------
    def furnish(self) -> None:
        """Have ready what takes time to make, such as tables; called once, before the first search."""

    def evaluate(self, state: Any, player: int) -> Any:
        """The static value of a state that is not terminal, for that player."""
        return 0

    def key(self, state: Any) -> Any:
        """A 64-bit hash of the state."""
        return mix(state)

    def priority(self, state: Any, action: int) -> int:
        """A hint for ordering: higher is tried first; 0 is quiet, and below 0 it seems to lose something."""
        return 0

    def noisy(self, state: Any) -> Iterable[int]:
        """The actions that quiescence follows."""
        for action in range(0):
            yield action

    def pass_turn(self, state: Any) -> Any:
        """The state with the other player to move (for the null move); the same state: it cannot be done."""
        return state

    def is_zugzwang_likely(self, state: Any) -> bool:
        """Might it be a disadvantage to have to move? Then a null move proves nothing."""
        return False

    def is_urgent(self, state: Any) -> bool:
        """Must the player to move answer a threat at once, as a check in chess?"""
        return False

    def is_forcing(self, state: Any, action: int) -> bool:
        """Must the opponent answer this action at once, as a check in chess?"""
        return False

    def meets(self, state: Any, action: int, threat: int) -> bool:
        """Does the action meet the threat, what the opponent would play if one passed?"""
        return action == threat

    def chances(self, state: Any) -> Iterable[tuple[int, float]]:
        """The outcomes of a chance state with their probabilities."""
        for outcome in range(0):
            yield outcome, 0.0

    def stage(self, state: Any) -> int:
        """The phase of the game: 0, 1, 2 …"""
        return 0

    def bounds(self, state: Any) -> tuple[Any, Any]:
        """The lowest and the highest value still possible in a state that is not terminal, for its player.

        In a chance state for player 0; and there no evaluation further on may lie outside.
        """
        return self.lowest, self.highest

    def repetition(self, state: Any, player: int) -> Any:
        """What a position that came back is worth, where positions can come back."""
        return 0

    def reversible(self, state: Any) -> int:
        """How many plies ago a position that came back can have been at most."""
        return UNKNOWN

    def symmetries(self, state: Any) -> Iterable[Any]:
        """States that are this one seen otherwise (turned, mirrored), itself not among them."""
        for _ in range(0):
            yield state

    def turn(self, action: int, view: int, back: bool) -> int:
        """An action as it is in the `view`-th of the symmetries (1, 2 …), or back again from there."""
        return NO_ACTION

    def count(self, state: Any) -> int:
        """How many actions there are in a state that is not terminal."""
        number = 0
        for _ in self.actions(state):
            number += 1
        return number

    def is_stuck(self, state: Any) -> bool:
        """Is there no action to count? Perft asks: where a game is drawn though it has moves, they count."""
        return self.is_terminal(state)

    def collect(self, state: Any, buffer: Any, place: int) -> int:
        """Write all actions into `buffer` from `place` on; returns the place behind them."""
        for action in self.actions(state):
            buffer[place] = action
            place += 1
        return place

    def collect_noisy(self, state: Any, buffer: Any, place: int) -> int:
        """As `collect`, the noisy ones."""
        for action in self.noisy(state):
            buffer[place] = action
            place += 1
        return place

    def collect_quiet(self, state: Any, buffer: Any, place: int) -> int:
        """As `collect`, those that are not noisy."""
        for action in self.actions(state):
            is_noisy = False
            for other in self.noisy(state):
                if other == action:
                    is_noisy = True
            if not is_noisy:
                buffer[place] = action
                place += 1
        return place

    def is_losing(self, state: Any, action: int) -> bool:
        """Does an action of a priority above 0 lose something after all? Asked when its turn has come."""
        return False

    def gain(self, state: Any, action: int) -> Any:
        """What an action wins at once, at most."""
        return self.highest - self.lowest

    def worthwhile(self, state: Any, buffer: Any, place: int) -> int:
        """As `collect`, but only actions worth a look; one of the best is always among them.

        None at all means that every action is worth the lower one of `bounds`.
        """
        return self.collect(state, buffer, place)

    def plies_left(self, state: Any) -> int:
        """How many plies the game can still last at most; more than any depth where that is not known."""
        return UNKNOWN

    def is_nearly_over(self, state: Any) -> bool:
        """May the rest be left to `solve_ending`?"""
        return False

    def solve_ending(self, state: Any, alpha: Any, beta: Any) -> tuple[Any, int]:
        """The value for the player to move as far as it lies between alpha and beta, and the states visited.

        Asked only where `is_nearly_over`, of terminal states too; games that hurry are not asked.
        """
        return self.lowest, 0

    def random_action(self, state: Any, rng: Any) -> int:
        """An action for a random playout: any, each as likely; what nobody would play may be left out."""
        chosen = NO_ACTION
        for before, action in enumerate(self.actions(state)):
            if rng.below(before + 1) == 0:
                chosen = action
        return chosen

    def reply(self, state: Any, before: int, rng: Any) -> int:
        """What a playout plays at once after the action `before`; NO_ACTION: nothing in particular."""
        return NO_ACTION

    def random_outcome(self, state: Any, rng: Any) -> int:
        """An outcome of a chance state, each as likely as it is."""
        chosen, left = NO_ACTION, rng.fraction()
        for outcome, probability in self.chances(state):
            if left >= 0.0 or chosen == NO_ACTION:
                chosen = outcome
            left -= probability
        return chosen

    def playout(self, state: Any, rng: Any, plies: int) -> tuple[Any, int]:
        """A random game of so many plies at most: the state that it comes to, and the plies played."""
        played = 0
        while played < plies and not self.is_terminal(state):
            if self.chance and self.player(state) == CHANCE:
                state = self.result(state, self.random_outcome(state, rng))
            else:
                state = self.result(state, self.random_action(state, rng))
            played += 1
        return state, played

    def mover(self, state: Any) -> int:
        """The player to move; where chance decides first, the one who moves then."""
        player = self.player(state)
        if self.chance and player == CHANCE:
            for outcome in self.actions(state):
                player = self.player(self.result(state, outcome))
                break
        return player

    def observe(self, state: Any, player: int) -> Any:
        """What that player can see of the state."""
        return state

    # ---- an evaluation that is learned -----------------------------------------------------------
    def inputs(self, state: Any, buffer: Any, place: int) -> int:
        """Write what a learned evaluation sees of a state, for its `mover`: pairs of a number and
        how often it counts. Returns the place behind them."""
        return place

    # ---- numbers, for endgame tables ---------------------------------------------------------------
    # States are numbered slice by slice: a slice holds the states of one material. Numbers may have holes,
    # and several numbers one state: a number counts if its state is real and has that very number.
    def signature(self, state: Any) -> int:
        """The slice that a state lies in, as a number of 0 or more; below 0: no slice can hold it.

        States that are equal but for colours may share a slice: `index` turns them.
        """
        return 0

    def slice_size(self, signature: int) -> int:
        """How many numbers a slice has; 0 where states have no numbers."""
        return 0

    def index(self, state: Any) -> int:
        """The number of a state in its slice, from 0 to its size - 1; the same for states that are equal
        but for symmetry. A state that is not real may have any number that is not a real one's."""
        return 0

    def unindex(self, signature: int, number: int) -> Any:
        """A state of that number; one that is not real where there is none."""
        return self.initial()

    def is_real(self, state: Any) -> bool:
        """Can the state that a number stands for be met? Two pieces on one square cannot."""
        return True

    def unmoves(self, state: Any) -> Iterable[Any]:
        """The states of the same slice that an action leads from to this one; unreal ones do no harm.

        Where this is not given, tables are built forward.
        """
        for _ in range(0):
            yield state

    def slice_names(self, limit: int) -> list[str]:
        """The slices of up to so many pieces, each behind those that it converts to."""
        return []

    def slice_code(self, name: str) -> int:
        """The signature of the slice of that name; a PositionError says which names are accepted."""
        raise PositionError("{} is no slice of {}", quoted(name), self.label())

    def conversions(self, name: str) -> list[str]:
        """The slices that an action can lead to directly from this one, besides itself."""
        return []

    # ---- text ------------------------------------------------------------------------------------
    def show(self, state: Any) -> str:
        """The board drawn for a person."""
        return str(state)

    def text(self, state: Any) -> str:
        """The position in one line that `parse` reads; "" where the game has no such notation."""
        return ""

    def caption(self, state: Any) -> str:
        """What stands in the state's node when a search is drawn: a few characters, or nothing."""
        return ""

    def parse(self, text: str) -> Any:
        """The state that a position's text describes. By default: the moves played, separated by spaces."""
        state = self.initial()
        for word in text.replace(",", " ").split():
            state = self.result(state, self.read(state, word))
        return state

    def write(self, state: Any, action: int) -> str:
        """An action as people of this game write it."""
        return str(action)

    def read(self, state: Any, text: str) -> int:
        """The action that `text` names in this state."""
        named = {self.write(state, a): int(a) for a in self.legal(state)}
        if text.strip() not in named:
            some = ", ".join(list(named)[:12]) or Sentence("none, the game is over")
            raise PositionError("{} is not a move here; accepted: {}", quoted(text), some)
        return named[text.strip()]

    def token(self, state: Any, action: int) -> str:
        """An action as programs write it to each other: one word, which `read` reads."""
        return self.write(state, action)

    def write_game(self, start: Any, actions: Iterable[int]) -> str:
        """A whole game, which `read_game` reads. By default its moves, behind the position in brackets.

        Moves of several words are ended by semicolons.
        """
        words = write_line(self, start, actions)
        opening = f"[{self.text(start)}]" if self.text(start) != self.text(self.initial()) else ""
        end = ";" if any(" " in word for word in words) else ""
        return " ".join(filter(None, (opening, *(word + end for word in words))))

    def read_game(self, text: str) -> tuple[Any, list[int]]:
        """The first state and the actions of a game."""
        opening = re.match(r"\s*\[(.*)\]([^\]]*)\Z", text, re.DOTALL)
        start = self.parse(opening[1]) if opening else self.initial()
        state, actions = start, []
        moves = opening[2] if opening else text
        words = filter(str.strip, moves.split(";")) if ";" in moves else moves.split()
        for number, word in enumerate(words, 1):
            try:
                action = self.read(state, word)
            except PositionError as problem:
                raise PositionError("move {}: {}", number, problem) from None
            actions.append(action)
            state = self.result(state, action)
        return start, actions

    def split_games(self, data: bytes) -> Iterable[str]:
        """The games of a collection, each a text that `read_record` reads. By default one a line."""
        return split_lines(decode(data))

    def read_record(self, text: str) -> tuple[Any, list[int], float | None]:
        """A game of a collection: its first state, its actions, and player 0's points, 1, ½ or 0.

        None where its result is not told. By default it may stand behind the moves, as 1-0 or 40-24.
        """
        moves, points = split_ending(text)
        return (*self.read_game(moves), points)

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self) -> Board | None:
        """Where pieces stand; None: the position is shown as text, and actions by their names."""
        return None

    def pieces(self, state: Any) -> list[Piece]:
        """What stands on the board; a position with a piece on no cell of it is shown as text."""
        return []

    def touch(self, state: Any, action: int) -> tuple[int | tuple[int, ...], ...]:
        """The cells that a person touches in turn to make an action: (from, to), (cell,); () is a button.

        A tuple among them holds cells of which any will do; the first is where the action is marked.
        """
        return ()

    def edit(self, state: Any, moves: Iterable[str], value: Any) -> Any:
        """The position with another value at the leaf that these moves lead to, where it is `editable`."""
        raise PositionError("the values of {} cannot be edited", self.label())

    # ---- what follows from the above -------------------------------------------------------------
    def expectation(self, value: Any) -> float:
        """The share of a win, between 0 and 1, that a value promises to its player."""
        return 1.0 / (1.0 + 3.0 ** -max(-40.0, min(40.0, value / self.unit())))

    def unit(self) -> float:
        """A value that is worth three quarters of a win."""
        return self.scale or max(abs(self.highest), abs(self.lowest)) / 3 or 1.0

    def legal(self, state: Any) -> list[int]:
        """The actions as a list; none in a terminal state."""
        return [] if self.is_terminal(state) else [int(a) for a in self.actions(state)]

    def at(self, state: Any) -> Game:
        """The game as it is from this state on; a game whose traits depend on the position answers here."""
        return self

    def parameters(self) -> dict[str, Any]:
        """The parameters that this object was made with."""
        names = inspect.signature(type(self)).parameters
        return {n: getattr(self, n) for n in names if hasattr(self, n)}

    def judged_by(self, evaluation: str) -> Game:
        """The same game with another evaluation, where it has several."""
        given = self.parameters()
        if "evaluation" not in given:
            raise PositionError("{} has no parameter evaluation", self.label())
        return type(self)(**{**given, "evaluation": evaluation})

    def label(self, without: str = "") -> str:
        """The name that `load` takes, parameters at their default left out: `connect-four:width=9`."""
        known = inspect.signature(type(self)).parameters
        given = [f"{n}={v}" for n, v in self.parameters().items() if n != without and v != known[n].default]
        return game_name(type(self)) + (":" + ",".join(given) if given else "")


def game_name(kind: type) -> str:
    """The name of a class of games: its own, or `MyGame` as `my-game`."""
    own = vars(kind).get("name", "")
    return own or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", kind.__name__).lower()


def adapt(thing: Any) -> Game:
    """Any object with the rules of a game or a puzzle: what it lacks, it gets with its neutral default."""
    from gambito.game.puzzle import PUZZLE_RULES, Puzzle

    if isinstance(thing, type):
        thing = thing()
    if isinstance(thing, Game):
        return thing
    base, rules = (Puzzle, PUZZLE_RULES) if hasattr(thing, "is_goal") else (Game, RULES)
    missing = [rule for rule in rules if not callable(getattr(thing, rule, None))]
    if missing:
        raise TypeError(f"{type(thing).__name__} is not a game: it has no rule {', '.join(missing)}")
    own = {"__module__": type(thing).__module__, "name": vars(type(thing)).get("name", "")}
    kind = type(type(thing).__name__, (type(thing), base), own)
    game: Game = object.__new__(kind)
    vars(game).update(vars(thing))
    return game
