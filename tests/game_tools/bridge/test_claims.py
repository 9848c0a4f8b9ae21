"""Claims at bridge, and deals that fit what a player knows."""

from __future__ import annotations

import pytest

import gambito
from gambito.errors import PositionError
from gambito.game.registry import load
from gambito.game_tools.bridge.claims import claim, tricks_left
from gambito.game_tools.bridge.sampled import sample
from gambito.game_tools.bridge.tables import DoubleDummy
from tests.games.test_bridge import MANY, played_down


def finished(game, state, cards):
    for card in cards:
        assert card in game.legal(state)
        state = game.result(state, card)
    assert game.is_terminal(state)
    return int(state.tricks)


@pytest.mark.parametrize("seed", range(6))
def test_a_claim_is_kept_to(seed):
    """What open cards give is the most that is accepted, and the play ends with what was claimed."""
    game = load("bridge")
    state = played_down(game, 4, seed)
    player, left = int(game.player(state)), tricks_left(game, state)
    total = DoubleDummy("NT").value(game.opened(state)) - int(state.tricks)
    best = total if player % 2 == 0 else left - total
    verdicts = [claim(game, state, player, tricks) for tricks in range(left + 1)]
    accepted = [tricks for tricks, verdict in enumerate(verdicts) if verdict.is_accepted]
    assert accepted == list(range(len(accepted))) and accepted[-1] <= best
    ends = []
    for tricks in accepted:
        total = finished(game, state, verdicts[tricks].cards) - int(state.tricks)
        ends.append(total if player % 2 == 0 else left - total)
        assert tricks <= ends[-1] <= best
    assert ends[-1] == accepted[-1] or accepted[-1] == 0
    assert all(not verdict.cards for verdict in verdicts[len(accepted) :])


def test_claims_that_nobody_can_make():
    game = load("bridge")
    state = played_down(game, 4, 1)
    player = int(game.player(state))
    with pytest.raises(PositionError, match="by the player whose turn it is"):
        claim(game, state, (player + 1) % 4, 1)
    with pytest.raises(PositionError, match="from 0 to 4, not 5"):
        claim(game, state, player, 5)
    assert tricks_left(game, game.initial()) == tricks_left(load("hearts"), load("hearts").initial()) == 0


def test_sampled_deals_are_those_of_pimc():
    game = load("bridge")
    for seed in range(4):
        state = played_down(game, 4, seed)
        seen = game.observe(state, game.player(state))
        found = sample(game, seen, int(game.player(state)), 6, seed=seed)
        said = gambito.search(game, state, "pimc", worlds=6, seed=seed, nodes=MANY).candidates
        means = {each.card: sum(each.points) / 6 for each in found.cards}
        assert means == pytest.approx({each.action: each.value for each in said})
        assert all(game.observe(deal, game.player(state)) == seen for deal in found.deals)
