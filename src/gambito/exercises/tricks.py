"""Exercise: double dummy, the last tricks of a deal with open cards."""

from __future__ import annotations

import random

from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.trial import PlainArguments, StudentAnswer, Trial, with_mistakes, wrong_type

ANY_CARD = "a player may play any card, but suit must be followed"
TRUMPS_LOSE = "a trump does not beat the suit that was led"
HIGHEST_RANK = "the highest card takes the trick, whatever its suit"
ONE_LEADER = "the first leader leads every trick, not who took the last one"
ALONE = "the partner plays against the leader"
NO_CHOICE = "the first card that may be played is played, without a choice"

Card = tuple[str, int]
SUITS, RANKS = "SHDC", range(2, 15)


def _tricks(hands: list[list[Card]], trump: str, leader: int, mistake: str = "") -> int:
    """The tricks of the leader's side, with a mistake."""
    side = leader & 1

    def best(hands: list[list[Card]], leader: int, table: list[Card]) -> int:
        if len(table) == len(hands):
            winner = (leader + _winner(table, trump, mistake)) % len(hands)
            taken = int(winner & 1 == side)
            return taken + best(hands, leader if mistake == ONE_LEADER else winner, [])
        player = (leader + len(table)) % len(hands)
        if not hands[player]:
            return 0
        cards = hands[player]
        if table and mistake != ANY_CARD:
            cards = [card for card in cards if card[0] == table[0][0]] or cards
        values = []
        for card in cards[:1] if mistake == NO_CHOICE else cards:
            rest = [[c for c in hand if c != card] for hand in hands]
            values.append(best(rest, leader, [*table, card]))
        is_friend = player == leader if mistake == ALONE else player & 1 == side
        return max(values) if is_friend else min(values)

    return best(hands, leader, [])


def _winner(table: list[Card], trump: str, mistake: str) -> int:
    """The place in the trick of the card that takes it."""
    led = table[0][0]

    def strength(card: Card) -> tuple[bool, bool, int]:
        if mistake == HIGHEST_RANK:
            return False, False, card[1]
        return card[0] == trump and mistake != TRUMPS_LOSE, card[0] == led, card[1]

    return max(range(len(table)), key=lambda place: strength(table[place]))


def _judge(case: PlainArguments, answer: StudentAnswer) -> Wrong | None:
    value, right = answer.value, _tricks(*case.args)
    if isinstance(value, bool) or not isinstance(value, int):
        return wrong_type(value, "a whole number")
    return None if value == right else Wrong("the number of tricks is wrong", gave=value, right=right)


def _cases() -> list[PlainArguments]:
    rng, found = random.Random(28), list[PlainArguments]()
    deck = [(suit, rank) for suit in SUITS for rank in RANKS]
    for number in range(90):
        count = 1 + number // 30
        dealt = rng.sample([card for card in deck if card[1] > 8], 4 * count)
        hands = [sorted(dealt[count * player : count * (player + 1)]) for player in range(4)]
        trump, leader = rng.choice(("", *SUITS)), rng.randrange(4)
        told = f"hands={hands}, trump={trump!r}, leader={leader}"
        found.append(PlainArguments((hands, trump, leader), told))
    return found


DOUBLE_DUMMY = Exercise(
    name="double-dummy",
    title="Double dummy: the tricks that a side takes when all cards are open.",
    task="""Write double_dummy(hands, trump, leader). hands is a list of four lists of cards, for the \
players 0 to 3 clockwise; 0 and 2 are partners, and so are 1 and 3. A card is a pair of its suit and its \
rank: ("S", 14) is the ace of spades. trump is a suit, or "" if there is none. The leader plays the first \
card.

Return how many tricks the leader's side takes if everybody sees all cards and plays as well as possible. \
Players follow the suit that was led if they can. The highest trump takes the trick, or else the highest \
card of the suit led; who takes a trick leads the next one.""",
    checked="The number of tricks, for hands of one to three cards.",
    hint="It is minimax for two sides of two: the leader's side takes the maximum, the other side the \
minimum. The cards on the table belong to the state.",
    lesson="algorithms/partition.md",
    start='''"""Double dummy: the tricks that a side takes when all cards are open."""


def double_dummy(hands, trump, leader):
    """How many tricks the leader's side takes."""
    return 0


if __name__ == "__main__":
    hands = [[("S", 14), ("H", 2)], [("S", 3), ("H", 13)], [("S", 2), ("H", 14)], [("S", 13), ("H", 3)]]
    print(double_dummy(hands, "", 0))  # 2
''',
    check=Trial(
        _cases,
        _judge,
        with_mistakes(_tricks, (ANY_CARD, TRUMPS_LOSE, HIGHEST_RANK, ONE_LEADER, ALONE, NO_CHOICE)),
    ),
)
