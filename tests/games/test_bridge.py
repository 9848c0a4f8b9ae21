"""Bridge: the rules beside OpenSpiel's, auctions, texts, what is seen, and the system of bidding."""

from __future__ import annotations

import random

import pytest

import gambito
from gambito import NOBODY
from gambito.errors import GameError, PositionError
from gambito.game.registry import load
from gambito.game_tools.bridge.contracts import call_name
from gambito.game_tools.bridge.system import meanings, suggest
from gambito.game_tools.bridge.tables import DoubleDummy
from gambito.games.tricks.bridge_partners import described
from gambito.games.tricks.cards import read_hand
from gambito.hidden.determinized import Worlds
from gambito.players.levels import LevelPlayer
from gambito.players.player import Engine

CALL = 52
MANY = 1 << 40  # nodes: a limit instead of the usual seconds


def their_card(card: int) -> int:
    """A card as OpenSpiel numbers it: by rank, then by suit."""
    return 4 * (card % 13) + card // 13


def same_game(rng: random.Random, game, theirs) -> int:
    """Play a random game in both, compare everything, and return the calls and cards played."""
    state, played = game.initial(), 0
    while not game.is_terminal(state):
        assert not theirs.is_terminal()
        if game.player(state) >= 0:
            assert int(game.player(state)) == theirs.current_player()
            played += 1
        actions = game.legal(state)
        told = [a if a >= CALL else their_card(a) for a in actions]
        assert sorted(told) == sorted(theirs.legal_actions())
        is_pass = CALL in actions and rng.random() < 0.6
        action = CALL if is_pass else rng.choice(actions[:12] if actions[0] >= CALL else actions)
        theirs.apply_action(action if action >= CALL else their_card(action))
        state = game.result(state, action)
    assert theirs.is_terminal()
    assert [game.utility(state, player) for player in range(4)] == theirs.returns()
    return played


def compare(games: int, seed: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    rng, played = random.Random(seed), 0
    for _ in range(games):
        dealer, others = rng.random() < 0.5, rng.random() < 0.5
        given = {"use_double_dummy_result": False, "dealer_vul": dealer, "non_dealer_vul": others}
        vulnerable = {(0, 0): "None", (1, 0): "NS", (0, 1): "EW", (1, 1): "All"}[dealer, others]
        game = load(f"bridge:dealer=S,vulnerable={vulnerable}")
        played += same_game(rng, game, pyspiel.load_game("bridge", given).new_initial_state())
    assert played > 20 * games


def test_auctions_and_plays_are_those_of_open_spiel():
    compare(15, 1)


@pytest.mark.slow
def test_a_thousand_games_are_those_of_open_spiel():
    compare(1000, 2)


def dealt(game, seed: int = 0):
    rng, state = random.Random(seed), game.initial()
    while game.player(state) < 0:
        state = game.result(state, rng.choice(game.legal(state)))
    return state


def after(game, state, calls: str):
    for word in calls.split():
        state = game.result(state, game.read(state, word))
    return state


@pytest.mark.parametrize(
    ("calls", "contract", "declarer"),
    [
        ("1H P 2H P P P", "2H", 2),
        ("P 1H P 4H P P P", "4H", 3),
        ("1NT X XX P P P", "1NTXX", 2),
        ("1C 1S X P 1NT P P P", "1NT", 2),
        ("1S P 2S P 3S X P P P", "3SX", 2),
        ("1D P 1S P 2S P P P", "2S", 0),
        ("P P P P", "Pass", 2),
    ],
)
def test_contracts_and_declarers(calls, contract, declarer):
    """North deals; the declarer is who named the strain first."""
    game = load("bridge")
    state = after(game, dealt(game), calls)
    found = game.contract(state)
    assert (str(found), found.declarer) == (contract, declarer)
    assert game.calls(state) == [game.read(s, w) - CALL for s, w in walked(game, calls)]


def walked(game, calls: str):
    """Each call with the state before it."""
    state = dealt(game)
    for word in calls.split():
        yield state, word
        state = game.result(state, game.read(state, word))


def test_calls_come_back_from_every_auction():
    """The passes of an auction follow from its bids and doubles."""
    game, rng = load("bridge:dealer=E"), random.Random(6)
    for seed in range(40):
        state, made = dealt(game, seed), []
        while not game.is_terminal(state) and not game.is_play(state):
            actions = game.legal(state)
            action = CALL if rng.random() < 0.5 else rng.choice(actions[:6])
            made.append(action - CALL)
            state = game.result(state, action)
            assert game.calls(state) == made, list(map(call_name, made))


def test_the_declarer_plays_the_dummy_which_all_see():
    game = load("bridge")
    state = after(game, dealt(game), "1NT P P P")
    assert game.player(state) == 3  # East leads
    assert int(game.observe(state, 1).hand_0) == 0
    state = game.result(state, game.legal(state)[0])
    assert (int(state.mover), game.player(state)) == (0, 2)
    for player in (NOBODY, 1, 2, 3):
        assert game.observe(state, player).hand_0 == state.hand_0
    assert int(game.observe(state, 3).hand_2) == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no position of bridge"),
        ("call - - - -", "no position of bridge"),
        ("deal AK... - - -", "dealt one by one"),
        ("deal A... A... - -", "every card is there once"),
        ("call ?13 ?13 ?13 ?13 1C-1C", "cannot be called there"),
        ("call ?13 ?13 ?13 ?13 8C", "no position of bridge"),
        ("call ?13 ?13 ?13 ?12 1C", "take turns"),
        ("call ?13 ?13 ?13 ?13 1C-P-P-P", "the play follows the auction"),
        ("play ?13 ?13 ?13 ?13 1C -,-,-,- E: 0 -,-,-,-", "the play follows the auction"),
        ("play ?13 ?13 ?13 ?13 1C-P-P-P -,-,-,- W: 0 -,-,-,-", "the player after the declarer leads"),
        ("play ?13 ?13 ?13 ?13 1C-P-P-P -,-,-,- E: 1 -,-,-,-", "0 tricks were played"),
        ("play AKQJT98765432... ?13 ?13 ?12 1C-P-P-P -,-,-,.2.. E:2H 0 s,-,-,-", "holds what it lacks"),
        ("play ?13 ?13 ?13 ?12 1C-P-P-P -,-,-,.2.. E:3H 0 -,-,-,-", "a trick has four cards"),
    ],
)
def test_impossible_positions_are_refused_in_one_sentence(text, says):
    with pytest.raises(PositionError, match=says):
        load("bridge").parse(text)


def test_wrong_boards_are_refused():
    with pytest.raises(GameError, match="a dealer is S, W, N, E, not 'X'"):
        load("bridge:dealer=X")
    with pytest.raises(GameError, match="vulnerable are None, NS, EW, All, not 'both'"):
        load("bridge:vulnerable=both")


def test_texts_come_back_as_every_player_sees_them():
    game, rng = load("bridge:vulnerable=All"), random.Random(9)
    state = dealt(game, 4)
    while not game.is_terminal(state):
        for player in (NOBODY, 0, 1, 2, 3):
            seen = game.observe(state, player)
            assert game.parse(game.text(seen)) == seen
        actions = game.legal(state)
        action = CALL if CALL in actions and rng.random() < 0.7 else rng.choice(actions)
        state = game.result(state, action)
    assert gambito.load("bridge").player(state) in range(4)


# ---- records -----------------------------------------------------------------------------------------
DEAL = "N:KQJ4.853.96.8753 AT862.Q9.KQT32.6 93.KT762.J854.AK 75.AJ4.A7.QJT942"
RECORD = f"""[Event "A club"]
[Board "2"]
[Dealer "E"]
[Vulnerable "NS"]
[Deal "{DEAL}"]
[Auction "E"]
1S Pass 2C Pass
2D Pass 3NT AP
[Play "N"]
D9 D2 D4 DA
D6 DK DJ D7 {{a comment}}
*
"""


def test_a_record_is_read():
    game = load("bridge").of_record(RECORD)
    assert game.label() == "bridge:dealer=E,vulnerable=NS"
    start, actions = game.read_game(RECORD)
    state = start
    for action in actions:
        state = game.result(state, action)
    assert [call_name(call) for call in game.calls(state)] == [
        "1S",
        "Pass",
        "2C",
        "Pass",
        "2D",
        "Pass",
        "3NT",
        "Pass",
        "Pass",
        "Pass",
    ]
    assert (str(game.contract(state)), game.contract(state).declarer, int(state.tricks)) == ("3NT", 1, 0)
    assert game.player(state) == 1  # West plays the dummy, which won with the king
    assert game.headers(RECORD) == {"Event": "A club", "Board": "2"}


@pytest.mark.parametrize("seed", range(6))
def test_records_come_back(seed):
    game, rng = load("bridge:dealer=W,vulnerable=EW"), random.Random(seed)
    state, actions = game.initial(), []
    end = rng.randrange(52, 130)
    while not game.is_terminal(state) and len(actions) < end:
        legal = game.legal(state)
        action = CALL if CALL in legal and rng.random() < 0.6 else rng.choice(legal)
        actions.append(action)
        state = game.result(state, action)
    text = game.write_headed(game.initial(), actions, {"Event": "x"})
    again = load("bridge").of_record(text)
    start, found = again.read_game(text)
    assert again.label() == game.label() and found == actions[52:]
    assert again.write_headed(start, found, again.headers(text)) == text


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("KQJ4.853", "KQJ.853", "no deal of 52 cards"),
        ("KQJ4.853", "AQJ4.853", "no deal of 52 cards"),
        ('[Dealer "E"]', '[Dealer "X"]', "a dealer is"),
        ('"NS"', '"SN"', "vulnerable are"),
        ("1S Pass 2C", "1S Pass 1C", "'1C' is not a move here"),
        ("3NT AP", "3NT", "cards are played after an auction"),
        ('[Play "N"]', '[Play "E"]', "the player after the declarer leads"),
        ("D9 D2", "H8 D2", "is not a move here"),
        ("AP", "AP Pass", "is called after the auction"),
    ],
)
def test_malformed_records_are_refused_in_one_sentence(old, new, says):
    text = RECORD.replace(old, new)
    assert text != RECORD
    with pytest.raises(PositionError, match=says) as refused:
        load("bridge").of_record(text).read_game(text)
    assert "\n" not in str(refused.value)


# ---- players -----------------------------------------------------------------------------------------
def played_down(game, cards: int, seed: int):
    """A board after the auction 1NT, pass, 3NT, with so many cards left in each hand."""
    rng = random.Random(seed)
    state = after(game, dealt(game, seed), "1NT P 3NT P P P")
    while int(state.gone).bit_count() < 4 * (13 - cards):
        state = game.result(state, rng.choice(game.legal(state)))
    return state


@pytest.mark.parametrize("algorithm", ["pimc", "alpha-mu"])
def test_no_search_sees_more_than_its_player(algorithm):
    """The law of no leak: the same answer from the state and from what its player sees."""
    game = load("bridge")
    for seed in range(2):
        state = played_down(game, 4, seed)
        seen = game.observe(state, game.player(state))
        answers = [
            gambito.search(game, given, algorithm, worlds=4, seed=7, nodes=MANY) for given in (state, seen)
        ]
        assert answers[0].action == answers[1].action
        assert answers[0].value == answers[1].value


def test_in_one_deal_alpha_mu_is_double_dummy():
    """Where there is one world, nothing is fused: opponents and partners play as with open cards."""
    game, movers = load("bridge"), set()
    for seed in range(12):
        state = played_down(game, 3, seed)
        movers.add((int(game.player(state)) - int(state.declarer)) % 2)
        given = {"worlds": 1, "nodes": MANY}
        deep = gambito.search(game, state, "alpha-mu", moves=3, **given).candidates
        plain = gambito.search(game, state, "pimc", **given).candidates
        assert {each.action: each.value for each in deep} == {each.action: each.value for each in plain}
    assert movers == {0, 1}


def test_cuts_leave_the_value_of_alpha_mu_alone(monkeypatch):
    game = load("bridge")
    states = [played_down(game, 3, seed) for seed in range(4)]
    given = {"worlds": 5, "moves": 3, "nodes": MANY}
    found = [gambito.search(game, state, "alpha-mu", **given) for state in states]
    unsolved = property(lambda worlds: False, lambda worlds, told: None)
    monkeypatch.setattr(Worlds, "is_solved", unsolved, raising=False)
    whole = [gambito.search(game, state, "alpha-mu", **given) for state in states]
    assert [each.value for each in found] == [each.value for each in whole]
    assert sum(each.nodes for each in found) < sum(each.nodes for each in whole)


@pytest.mark.parametrize("algorithm", ["pimc", "alpha-mu"])
def test_a_stop_ends_the_search_of_an_open_deal(algorithm):
    """A whole deal takes 100,000 nodes and more; the session serves the next search."""
    game, stop, session = load("bridge"), gambito.Stop(), gambito.Session()
    state = after(game, dealt(game, 1), "1NT P 3NT P P P")
    stop.set()
    found = gambito.search(game, state, algorithm, stop=stop, session=session)
    assert found.action in game.legal(state) and found.nodes < 1000
    found = gambito.search(game, played_down(game, 4, 1), algorithm, worlds=2, nodes=MANY, session=session)
    assert {each.visits for each in found.candidates} == {2}


def test_open_cards_are_worth_what_the_play_says():
    """The value of a deal that is seen whole is the score of its double-dummy result."""
    game = load("bridge")
    solver = DoubleDummy("NT")
    state = played_down(game, 4, 3)
    points = game.open_value(state, 0, lambda rules, given: solver.value(given))
    assert points == float(game.points(state, solver.value(game.opened(state))))
    assert game.open_value(state, 1, lambda rules, given: solver.value(given)) == -points
    end = state
    while not game.is_terminal(end):
        end = game.result(end, game.legal(end)[0])
    assert game.open_value(end, 0, lambda rules, given: 0) == game.utility(end, 0)


@pytest.mark.parametrize(
    ("hand", "calls", "says"),
    [
        ("AQ4.K53.AJ42.K86", "", "1NT"),
        ("AQ974.K5.AJ42.86", "", "1S"),
        ("4.KQJ974.T42.865", "", "2H"),
        ("84.7432.T42.8652", "", "Pass"),
        ("K84.Q732.T42.A65", "1S P", "2S"),
        ("K84.KQ32.A42.J65", "1S P", "4S"),
        ("84.KQ32.A42.J653", "1C P", "1H"),
        ("84.K32.A42.J6532", "1NT P", "2NT"),
        ("84.K32.AQ2.K6532", "1NT P", "3NT"),
        ("KQJ84.K32.42.865", "1D", "1S"),
        ("KQ84.AJ32.4.A865", "1D", "X"),
        ("K84.KQ84.42.AQ65", "1C P 1H P", "2H"),
    ],
)
def test_the_system_bids(hand, calls, says):
    """North deals; the hand is that of the player to call."""
    game = load("bridge")
    words = [game.read(*pair) - CALL for pair in walked(game, calls)]
    assert call_name(suggest(described(read_hand(hand)), words, 2)) == says


def test_what_a_call_tells():
    shown = meanings([17, 0], 2)  # 3NT would be 17; it tells nothing as an opening
    assert shown[2].points == (0, 40)
    shown = meanings([7, 0, 12], 2)  # 1NT, pass, 2NT
    assert (shown[2].points, shown[2].balanced, shown[0].points) == ((15, 17), True, (8, 9))


def test_imagined_deals_fit_the_calls():
    """South sees 15 to 17 points told by North: a deal with 16 there is likelier than one with 6."""
    game = load("bridge")
    strong, weak = "AKQ2.K43.K43.432", "J765.QJ65.QJ.765"
    rest = "T98.AT9.AT98.AT9 43.872.7652.KQJ8"
    kept = [f"call {rest.split()[0]} {weak} {strong} {rest.split()[1]} 1NT-Pass"]
    kept.append(f"call {rest.split()[0]} {strong} {weak} {rest.split()[1]} 1NT-Pass")
    likely = [game.likelihood(game.parse(text), 0) for text in kept]
    assert 1.0 >= likely[0] > 10 * likely[1]


def test_levels_bid_and_play():
    """A level prepares before the cards are dealt, keeps to the system, and plays legal cards."""
    game, level = load("bridge"), LevelPlayer(2, seed=1)
    level.prepare(game, game.initial())
    state = dealt(game, 2)
    seen = game.observe(state, game.player(state))
    assert level.choose(game, seen).action == game.agreed(seen, game.player(state))
    state = played_down(game, 4, 5)
    assert level.choose(game, game.observe(state, game.player(state))).action in game.legal(state)


def test_a_search_of_worlds_plays_matches_of_games_that_are_dealt():
    game, player = load("kuhn-poker"), Engine("pimc", options={"worlds": 2})
    player.prepare(game, game.initial())
    player.begin(game)
