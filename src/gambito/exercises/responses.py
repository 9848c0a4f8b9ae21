"""Exercise: the value of a best response."""

from __future__ import annotations

from typing import Any

from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.regrets import FOR_FIRST, Hidden, Policy, hidden_cases, seen_by
from gambito.exercises.trial import StudentAnswer, Trial, equal, is_number, with_mistakes, wrong_type
from gambito.game.contract import CHANCE

NUMBER = "a number"
SEES_ALL = "the player chooses in each state apart, as if it saw what is hidden"
OWN_POLICY = "the player follows its own policy instead of the best actions"
UNIFORM = "the other player's actions are all taken as equally likely"
AS_MIN = "the other player is treated as MIN; its policy is not used"
EVEN_STATES = "the states of an information set are all taken as equally likely"


def _response(game: Any, state: Any, policy: Policy, player: int, mistake: str = "") -> float:
    """The value of the best response with a mistake."""

    def value(waiting: list[tuple[Any, float]]) -> float:
        """What the player wins from states with weights, of which it sees only a part."""
        total, sets = 0.0, dict[Any, list[tuple[Any, float]]]()
        while waiting:
            state, weight = waiting.pop()
            mover = game.player(state)
            if game.is_terminal(state):
                total += weight * game.utility(state, 0 if mistake == FOR_FIRST else player)
            elif mover == player:
                name = state if mistake == SEES_ALL else seen_by(game, state, mover)
                sets.setdefault(name, []).append((state, weight))
            elif mover == CHANCE:
                waiting += [(game.result(state, o), p * weight) for o, p in game.chances(state)]
            else:
                actions = game.actions(state)
                shares = policy[seen_by(game, state, mover)]
                if mistake == UNIFORM:
                    shares = [1 / len(actions)] * len(actions)
                children = [game.result(state, action) for action in actions]
                waiting += [(child, p * weight) for child, p in zip(children, shares, strict=True)]
        return total + sum(map(chosen, sets.values()))

    def chosen(held: list[tuple[Any, float]]) -> float:
        """The value of the player's choice in an information set."""
        actions = game.actions(held[0][0])
        following = [[(game.result(state, a), weight) for state, weight in held] for a in actions]
        if mistake == EVEN_STATES:
            even = [value([(state, 1.0) for state, _ in states]) for states in following]
            return value(following[even.index(max(even))])
        values = [value(states) for states in following]
        if mistake == OWN_POLICY:
            shares = policy[seen_by(game, held[0][0], player)]
            return sum(p * each for p, each in zip(shares, values, strict=True))
        return max(values)

    return _minimax(game, state, player) if mistake == AS_MIN else value([(state, 1.0)])


def _minimax(game: Any, state: Any, player: int) -> float:
    """The value if both players see everything and play as well as they can."""
    if game.is_terminal(state):
        return float(game.utility(state, player))
    mover = game.player(state)
    if mover == CHANCE:
        return sum(p * _minimax(game, game.result(state, o), player) for o, p in game.chances(state))
    values = [_minimax(game, game.result(state, action), player) for action in game.actions(state)]
    return max(values) if mover == player else min(values)


def _judge(case: Hidden, answer: StudentAnswer) -> Wrong | None:
    if not is_number(answer.value):
        return wrong_type(answer.value, NUMBER)
    right = case.ask(_response).value
    if equal(answer.value, right):
        return None
    return Wrong("the value is wrong", gave=answer.value, right=right)


BEST_RESPONSE = Exercise(
    name="best-response",
    title="Best response: the most that a player can win against a known policy.",
    task="""Write best_response(game, state, policy, player). The game begins at the state, and the other \
player follows policy. It returns how much the player wins on average if it plays as well as it can.

policy is a dictionary of both players' policies. policy[name] is a list of probabilities, in the order of \
game.actions(state), and name is what the player to move sees: \
game.text(game.observe(state, game.player(state))).

The player knows the policy, but it does not see what is hidden: in all states with the same name it must \
choose the same action.""",
    checked="The value in rock-paper-scissors and Kuhn poker, for random policies and both players.",
    hint="Walk with a list of states and the probability of each. Where the player moves, collect the states \
by name, and try each action in all states of a name at once.",
    lesson="algorithms/best-response.md",
    start='''"""Best response: the most that a player can win against a known policy."""


def best_response(game, state, policy, player):
    """What the player wins on average by the best actions against the policy."""
    if game.is_terminal(state):
        return game.utility(state, player)
    return 0


if __name__ == "__main__":
    import gambito

    game = gambito.load("rock-paper-scissors")
    state = game.initial()
    policy = {"--": [0.5, 0.5, 0.0], "?-": [1.0, 0.0, 0.0]}
    print(best_response(game, state, policy, 1))  # 0.5
''',
    check=Trial(
        hidden_cases,
        _judge,
        with_mistakes(_response, (SEES_ALL, OWN_POLICY, UNIFORM, AS_MIN, EVEN_STATES, FOR_FIRST)),
    ),
)
