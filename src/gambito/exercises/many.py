"""Exercises for more than two players: max^n, paranoid, best reply, and a coalition."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.seated import PLAYERS, Seated, boards, vector_trees
from gambito.exercises.trial import (
    Function,
    StudentAnswer,
    Trial,
    equal,
    is_number,
    with_mistakes,
    wrong_type,
)

NUMBER = "a number"

FOR_ROOT = "everybody takes what is best for the player at the root"
AGAINST_ROOT = "the others take what is worst for the player at the root"
HIGHEST_SUM = "the values of all players are added up, and the highest sum is taken"
LAST_BEST = "among equals the last action is taken, not the first"
IN_TURN = "it assumes that the players move in turn, but a player may move twice"
FIRST_ONLY = "only the first action is looked at: the return stands inside the loop"
ALL_MAX = "the others are treated as MAX"
ALL_MIN = "the player itself is treated as MIN"
FOR_MOVER = "the utility is taken for the player to move, not for the one who asks"
EACH_OWN = "the others take what is best for themselves"
NEXT_ONLY = "only the player whose turn it is replies"
NO_TURN = "the turn is not given back after a reply"
ALL_REPLY = "all others move before the player moves again"
EARLY = "the search stops one ply too early"
MOVER_ONLY = "only the utility of the player to move is counted, not that of all members"
EVERYBODY = "the utilities of all players are added up, also those of the others"
ALONE = "only the first member is treated as MAX"


# ---- max^n ---------------------------------------------------------------------------------------
def max_n(game: Any, state: Any, root: int | None = None, ply: int = 0, mistake: str = "") -> Any:
    """Max^n with a mistake."""
    if game.is_terminal(state):
        return [game.utility(state, player) for player in range(game.players)]
    mover = game.player(state)
    root = mover if root is None else root
    mover = (root + ply) % game.players if mistake == IN_TURN else mover
    vectors = [max_n(game, game.result(state, a), root, ply + 1, mistake) for a in game.actions(state)]
    if mistake == FIRST_ONLY:
        return vectors[0]
    if mistake == LAST_BEST:
        vectors.reverse()
    if mistake == HIGHEST_SUM:
        return max(vectors, key=sum)
    if mistake == FOR_ROOT:
        return max(vectors, key=lambda values: values[root])
    if mistake == AGAINST_ROOT and mover != root:
        return min(vectors, key=lambda values: values[root])
    return max(vectors, key=lambda values: values[mover])


def _judge_vector(case: Seated, answer: StudentAnswer) -> Wrong | None:
    value = answer.value
    is_list = isinstance(value, list | tuple)
    if not is_list or len(value) != PLAYERS or not all(map(is_number, value)):
        return wrong_type(value, "a list with a value for each player")
    right = case.ask(max_n).value
    if all(map(equal, value, right)):
        return None
    return Wrong("the values are wrong", gave=list(value), right=right)


def _nothing(rng: random.Random) -> tuple[tuple[str, Any], ...]:
    return ()


MAX_N = Exercise(
    name="max-n",
    title="Max^n: everybody takes what is best for itself.",
    task="""Write max_n(game, state) for any number of players, game.players. It returns a list with the \
value of the state for each player, when the game is played to its end: whoever moves takes the action \
whose list has the highest value at its own place, and the first of equals.

Players need not move in turn: game.player(state) says who moves.""",
    checked="The list, on small trees for three where a player may move twice, and near the end of \
tic-tac-toe for three.",
    hint="A terminal state is worth [game.utility(state, player) for player in range(game.players)].",
    lesson="algorithms/max-n.md",
    start='''"""Max^n: everybody takes what is best for itself."""


def max_n(game, state):
    """A list with the value of the state for each player."""
    if game.is_terminal(state):
        return [game.utility(state, player) for player in range(game.players)]
    return [0] * game.players


if __name__ == "__main__":
    import gambito

    game = gambito.load("tic-tac-toe-3:size=3")
    print(max_n(game, game.parse("XOS/XOS/...")))  # [200, -100, -100]
''',
    check=Trial(
        lambda: [*vector_trees(_nothing), *boards(_nothing, (2, 3, 4))],
        _judge_vector,
        with_mistakes(
            lambda game, state, mistake: max_n(game, state, mistake=mistake),
            (FOR_ROOT, AGAINST_ROOT, HIGHEST_SUM, LAST_BEST, IN_TURN, FIRST_ONLY),
        ),
    ),
)


# ---- paranoid ------------------------------------------------------------------------------------
def paranoid(game: Any, state: Any, player: int, mistake: str = "") -> Any:
    """Paranoid with a mistake."""
    if mistake == EACH_OWN:
        return max_n(game, state)[player]
    mover = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, mover if mistake == FOR_MOVER else player)
    values = [paranoid(game, game.result(state, a), player, mistake) for a in game.actions(state)]
    if mistake == FIRST_ONLY:
        return values[0]
    is_max = {ALL_MAX: True, ALL_MIN: False}.get(mistake, mover == player)
    return max(values) if is_max else min(values)


def _judge_number(right: Function) -> Callable[[Seated, StudentAnswer], Wrong | None]:
    def judge(case: Seated, answer: StudentAnswer) -> Wrong | None:
        if not is_number(answer.value):
            return wrong_type(answer.value, NUMBER)
        wanted = case.ask(right).value
        if equal(answer.value, wanted):
            return None
        return Wrong("the value is wrong", gave=answer.value, right=wanted)

    return judge


def _one(rng: random.Random) -> tuple[tuple[str, Any], ...]:
    return (("player", rng.randrange(PLAYERS)),)


PARANOID = Exercise(
    name="paranoid",
    title="Paranoid: all others play as one against a player.",
    task="""Write paranoid(game, state, player). It returns the value of the state for that player, when the \
game is played to its end: the player takes the highest value, and each of the others takes the lowest, \
always of the same player.

Any player may be asked for, not only the one to move.""",
    checked="The value for each player, on small trees for three where a player may move twice, and near \
the end of tic-tac-toe for three.",
    hint="It is minimax with the player as MAX and everybody else as MIN.",
    lesson="algorithms/paranoid.md",
    start='''"""Paranoid: all others play as one against a player."""


def paranoid(game, state, player):
    """The value of the state for the player if all others are against it."""
    if game.is_terminal(state):
        return game.utility(state, player)
    return 0


if __name__ == "__main__":
    import gambito

    game = gambito.load("tic-tac-toe-3:size=3")
    print(paranoid(game, game.parse("XOS/XOS/..."), 1))  # -100
''',
    check=Trial(
        lambda: [*vector_trees(_one), *boards(_one, (2, 3, 4))],
        _judge_number(paranoid),
        with_mistakes(paranoid, (ALL_MAX, ALL_MIN, EACH_OWN, FOR_MOVER, FIRST_ONLY)),
    ),
)


# ---- best reply ----------------------------------------------------------------------------------
def best_reply(game: Any, state: Any, player: int, depth: int, mistake: str = "") -> Any:
    """Best reply with a mistake."""
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0 or (mistake == EARLY and depth == 1):
        return game.evaluate(state, player)
    mover = game.player(state)
    if mover == player:
        children = [game.result(state, action) for action in game.actions(state)]
        return max(best_reply(game, child, player, depth - 1, mistake) for child in children)
    others = [other for other in range(game.players) if other != player]
    values = []
    for other in [mover] if mistake in (NEXT_ONLY, ALL_REPLY) else others:
        turned = game.give_turn(state, other)
        for action in game.actions(turned):
            after = game.result(turned, action)
            if mistake not in (NO_TURN, ALL_REPLY) and not game.is_terminal(after):
                after = game.give_turn(after, player)
            values.append(best_reply(game, after, player, depth - 1, mistake))
    return max(values) if mistake == ALL_MAX else min(values)


def _deep(rng: random.Random) -> tuple[tuple[str, Any], ...]:
    return (("player", rng.randrange(PLAYERS)), ("depth", rng.randint(1, 3)))


BEST_REPLY = Exercise(
    name="best-reply",
    title="Best reply: after each move of a player, only one of the others answers.",
    task="""Write best_reply(game, state, player, depth). It returns the value of the state for that player, \
looking depth plies ahead; at depth 0 a state that is not terminal is worth game.evaluate(state, player).

If it is the player's turn, it takes the highest value. If not, one of the others replies, whichever makes \
the value lowest: any of them, with any action that it has if it is given the turn, \
game.give_turn(state, other). After a reply the turn goes back to the player, unless the game is over.""",
    checked="The value for each player at depths 1 to 3, in tic-tac-toe for three.",
    hint="Where the player does not move, loop over the other players, and over the actions of each in the \
state that give_turn returns.",
    lesson="algorithms/best-reply.md",
    start='''"""Best reply: after each move of a player, only one of the others answers."""


def best_reply(game, state, player, depth):
    """The value of the state for the player, looking depth plies ahead."""
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)
    return 0


if __name__ == "__main__":
    import gambito

    game = gambito.load("tic-tac-toe-3:size=3")
    print(best_reply(game, game.parse("XOS/X../..."), 1, 1))  # 6
''',
    check=Trial(
        lambda: boards(_deep, (2, 3, 4, 5, 6), count=100),
        _judge_number(best_reply),
        with_mistakes(best_reply, (NEXT_ONLY, NO_TURN, ALL_REPLY, ALL_MAX, EARLY)),
    ),
)


# ---- a coalition ---------------------------------------------------------------------------------
def coalition(game: Any, state: Any, members: Sequence[int], mistake: str = "") -> Any:
    """The value for a coalition, with a mistake."""
    mover = game.player(state)
    if game.is_terminal(state):
        counted: Sequence[int] = range(game.players) if mistake == EVERYBODY else members
        return sum(game.utility(state, player) for player in ([mover] if mistake == MOVER_ONLY else counted))
    values = [coalition(game, game.result(state, a), members, mistake) for a in game.actions(state)]
    if mistake == FIRST_ONLY:
        return values[0]
    is_max = mover in (members[:1] if mistake == ALONE else members)
    return max(values) if is_max or mistake == ALL_MAX else min(values)


def _members(rng: random.Random) -> tuple[tuple[str, Any], ...]:
    return (("members", sorted(rng.sample(range(PLAYERS), rng.randint(1, 2)))),)


COALITION = Exercise(
    name="coalition",
    title="A coalition: some players play as one, against all others.",
    task="""Write coalition(game, state, members), where members is a list of players. It returns the value \
of the state for all members together, when the game is played to its end. At the end they have the sum of \
their utilities. A member takes the action of the highest value, everybody else that of the lowest.""",
    checked="The value for coalitions of one and two players, on small trees for three where a player may \
move twice, and near the end of tic-tac-toe for three.",
    hint="Whoever moves is MAX if it is in members, and MIN if it is not.",
    lesson="algorithms/coalitions.md",
    start='''"""A coalition: some players play as one, against all others."""


def coalition(game, state, members):
    """The value of the state for all members together."""
    if game.is_terminal(state):
        return sum(game.utility(state, player) for player in members)
    return 0


if __name__ == "__main__":
    import gambito

    game = gambito.load("tic-tac-toe-3:size=3")
    print(coalition(game, game.parse("XOS/XOS/..."), [1, 2]))  # -200
''',
    check=Trial(
        lambda: [*vector_trees(_members), *boards(_members, (2, 3, 4))],
        _judge_number(coalition),
        with_mistakes(coalition, (ALONE, EVERYBODY, MOVER_ONLY, ALL_MAX, FIRST_ONLY)),
    ),
)
