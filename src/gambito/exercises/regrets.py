"""Exercises: regret matching and counterfactual regrets. Holds also the cases of games with hidden
information, whose policies are keyed by what a player sees."""

from __future__ import annotations

import copy
import dataclasses
import random
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from gambito.exercises.counted import CountedGame
from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.trial import (
    PlainArguments,
    Rounded,
    StudentAnswer,
    Trial,
    equal,
    is_number,
    rounded,
    shortened,
    with_mistakes,
    wrong_type,
)
from gambito.game.contract import CHANCE
from gambito.game.registry import load
from gambito.words.sentence import Sentence

ABSOLUTE = "a negative regret counts with its absolute value"
NOT_CUT = "negative regrets are not replaced by 0"
BEST_ONLY = "only the action with the highest regret is played"
NOT_UNIFORM = "if no regret is positive, the probabilities are not uniform"
NOT_SHARED = "the positive regrets are not divided by their sum"

Policy = dict[str, list[float]]


def _matching(regrets: list[float], mistake: str = "") -> list[float]:
    """Regret matching with a mistake."""
    count = len(regrets)
    if mistake == BEST_ONLY:
        best = regrets.index(max(regrets))
        return [float(place == best) for place in range(count)]
    if mistake == ABSOLUTE:
        leads = [abs(regret) for regret in regrets]
    elif mistake == NOT_CUT:
        leads = list(regrets)
    else:
        leads = [max(regret, 0.0) for regret in regrets]
    total = sum(leads)
    if mistake == NOT_SHARED and total > 0:
        return leads
    if total == 0 or (total < 0 and mistake != NOT_CUT):
        return [0.0 if mistake == NOT_UNIFORM else 1 / count] * count
    return [lead / total for lead in leads]


def _judge_matching(case: PlainArguments, answer: StudentAnswer) -> Wrong | None:
    value = answer.value
    if not isinstance(value, list) or not all(is_number(share) for share in value):
        return wrong_type(value, "a list of probabilities")
    right = rounded(_matching(*case.args))
    if len(value) != len(right):
        return Wrong("there must be one probability for each action", gave=shortened(value), right=right)
    if all(equal(one, other) for one, other in zip(value, right, strict=True)):
        return None
    return Wrong("the probabilities are wrong", gave=shortened(value), right=right)


def _regret_lists() -> list[PlainArguments]:
    rng = random.Random(31)
    lists = [[1.0], [-1.0], [0.0, 0.0], [1.0, 3.0], [-1.0, -3.0], [2.0, -2.0], [0.0, -1.0]]
    for count in (2, 2, 3, 3, 4, 5) * 10:
        lists.append([float(rng.randint(-9, 9)) for _ in range(count)])
    return [Rounded((regrets,), f"regrets={regrets}") for regrets in sorted(lists, key=len)]


REGRET_MATCHING = Exercise(
    name="regret-matching",
    title="Regret matching: from regrets to the probabilities of the actions.",
    task="""Write regret_matching(regrets). regrets is a list: for each action, how much more it would have \
won than what was played. It returns a list with the probability of each action.

An action with a positive regret is played in proportion to it, any other is not played. If no regret is \
positive, all actions have the same probability.""",
    checked="The probabilities, for one to five actions.",
    hint="Replace negative regrets by 0 before adding up. Look at the sum before dividing by it.",
    lesson="algorithms/mixed-strategies.md",
    start='''"""Regret matching: from regrets to the probabilities of the actions."""


def regret_matching(regrets):
    """A list with the probability of each action."""
    return [1.0] + [0.0] * (len(regrets) - 1)


if __name__ == "__main__":
    print(regret_matching([1.0, -2.0, 3.0]))  # [0.25, 0.0, 0.75]
''',
    check=Trial(
        _regret_lists,
        _judge_matching,
        with_mistakes(_matching, (ABSOLUTE, NOT_CUT, BEST_ONLY, NOT_UNIFORM, NOT_SHARED)),
    ),
)


# ---- games with hidden information ---------------------------------------------------------------
@cache
def _loaded(name: str) -> Any:
    return load(name)


def seen_by(game: Any, state: Any, player: int) -> str:
    """What a player sees of a state, as text: the name of the information set."""
    return str(game.text(game.observe(state, player)))


def _sets(game: Any, state: Any) -> dict[str, int]:
    """The information sets from a state on, with the number of actions of each."""
    found: dict[str, int] = {}
    if not game.is_terminal(state):
        actions = list(game.actions(state))
        if game.player(state) != CHANCE:
            found[seen_by(game, state, game.player(state))] = len(actions)
        for action in actions:
            found |= _sets(game, game.result(state, action))
    return found


@dataclasses.dataclass(frozen=True)
class Hidden:
    """A state of a game with hidden information, a policy of both players, and one of the players."""

    game: str
    place: str
    policy: Policy
    player: int

    @property
    def text(self) -> str:
        return f"{self.game} {self.place}"

    @property
    def given(self) -> str:
        return f"policy={self.policy}, player={self.player}"

    def ask(self, function: Callable[..., Any]) -> StudentAnswer:
        game = _loaded(self.game)
        state, policy = game.parse(self.place), copy.deepcopy(self.policy)
        return StudentAnswer(rounded(function(CountedGame(game), state, policy, self.player)))

    def smaller(self) -> Iterable[Hidden]:
        game = _loaded(self.game)
        state = game.parse(self.place)
        if not game.is_terminal(state):
            for action in game.actions(state):
                child = game.result(state, action)
                known = {key: self.policy[key] for key in _sets(game, child)}
                yield dataclasses.replace(self, place=game.text(child), policy=known)

    def shown(self) -> tuple[str, str]:
        return "", ""


def hidden_cases() -> list[Hidden]:
    """Random policies of rock-paper-scissors and Kuhn poker, for each player."""
    rng = random.Random(12)
    cases = []
    for name, count in (("rock-paper-scissors", 8), ("kuhn-poker", 12), ("kuhn-poker:cards=4", 2)):
        game = _loaded(name)
        state = game.initial()
        sets = _sets(game, state)
        for number in range(count):
            policy = {key: _shares(rng, actions, number == count - 1) for key, actions in sets.items()}
            cases += [Hidden(name, game.text(state), policy, player) for player in (0, 1)]
    return cases


def _shares(rng: random.Random, count: int, is_uniform: bool) -> list[float]:
    """Probabilities in quarters, some of them 0; or all the same."""
    if is_uniform:
        return [1 / count] * count
    marks = [0, *sorted(rng.randint(0, 4) for _ in range(count - 1)), 4]
    return [(high - low) / 4 for low, high in zip(marks, marks[1:], strict=False)]


# ---- counterfactual regrets ----------------------------------------------------------------------
UNWEIGHTED = "regrets are not weighted by the probability that chance and the other player lead to the state"
OWN_TOO = "the weight includes the probabilities of the player's own actions"
NO_CHANCE = "the weight leaves out chance"
TO_BEST = "actions are compared with the best one, not with the value of the policy"
LAST_STATE = "an information set keeps only the regrets of its last state"
FOR_FIRST = "the utility is taken for player 0, whoever the player is"


def _regrets(game: Any, state: Any, policy: Policy, player: int, mistake: str = "") -> Policy:
    """Counterfactual regrets with a mistake."""
    found: Policy = {}

    def walk(state: Any, others: float, mine: float) -> float:
        if game.is_terminal(state):
            return float(game.utility(state, 0 if mistake == FOR_FIRST else player))
        mover = game.player(state)
        if mover == CHANCE:
            return sum(
                p * walk(game.result(state, o), others if mistake == NO_CHANCE else p * others, mine)
                for o, p in game.chances(state)
            )
        seen = seen_by(game, state, mover)
        values = []
        for action, share in zip(game.actions(state), policy[seen], strict=True):
            reach = (others, share * mine) if mover == player else (share * others, mine)
            values.append(walk(game.result(state, action), *reach))
        value = sum(share * each for share, each in zip(policy[seen], values, strict=True))
        if mover == player:
            kept = found.get(seen) if mistake != LAST_STATE else None
            weight = {UNWEIGHTED: 1.0, OWN_TOO: mine * others}.get(mistake, others)
            level = max(values) if mistake == TO_BEST else value
            found[seen] = [
                before + weight * (each - level)
                for before, each in zip(kept or [0.0] * len(values), values, strict=True)
            ]
        return value

    walk(state, 1.0, 1.0)
    return found


def _judge_regrets(case: Hidden, answer: StudentAnswer) -> Wrong | None:
    value = answer.value
    if not isinstance(value, dict):
        return wrong_type(value, "a dictionary")
    right = case.ask(_regrets).value
    for seen in value:
        if seen not in right:
            return Wrong(Sentence("{} is no information set of this player", shortened(seen)), gave=value)
    for seen, regrets in right.items():
        gave = value.get(seen, [0.0] * len(regrets))  # a set that is never reached may be left out
        if gave != regrets:
            reason = Sentence("the regrets of {} are wrong", seen)
            return Wrong(reason, gave=shortened(value.get(seen)), right=regrets)
    return None


COUNTERFACTUAL_REGRETS = Exercise(
    name="cfr",
    title="Counterfactual regrets: one iteration of CFR, for one player.",
    task="""Write counterfactual_regrets(game, state, policy, player). The game begins at the state. It \
returns a dictionary: for each information set of the player, a list with the regret of each action.

An information set has as its name what the player to move sees, as text: \
game.text(game.observe(state, game.player(state))). policy is a dictionary of the same form for both \
players: policy[name] is a list of probabilities, in the order of game.actions(state).

In one state, the regret of an action is its value for the player minus the value of the state, if both \
players follow the policy from there on. The regret in an information set is the sum over its states, each \
weighted by the probability that chance and the other player lead there.""",
    checked="The regrets of every information set of rock-paper-scissors and Kuhn poker, for random policies \
and both players.",
    hint="Walk over the tree with the probability that the others lead to the state. Only chance and the \
other player change it. Several states add to the same list.",
    lesson="algorithms/cfr.md",
    function="counterfactual_regrets",
    start='''"""Counterfactual regrets: one iteration of CFR, for one player."""


def counterfactual_regrets(game, state, policy, player):
    """For each information set of the player, the regret of each action."""
    regrets = {}
    return regrets


if __name__ == "__main__":
    import gambito

    game = gambito.load("rock-paper-scissors")
    state = game.initial()
    policy = {"--": [1.0, 0.0, 0.0], "?-": [0.0, 0.5, 0.5]}
    print(counterfactual_regrets(game, state, policy, 1))  # {'?-': [0.0, 1.0, -1.0]}
''',
    check=Trial(
        hidden_cases,
        _judge_regrets,
        with_mistakes(_regrets, (UNWEIGHTED, OWN_TOO, NO_CHANCE, TO_BEST, LAST_STATE, FOR_FIRST)),
    ),
)
