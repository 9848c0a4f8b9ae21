"""Spots: against a linear program, against play over all deals, and in the time that is promised."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

from gambito import CHANCE
from gambito.errors import GambitoError
from gambito.game_tools.poker.cards import HIGH, LOW, SETS
from gambito.game_tools.poker.spots.files import resume, save_solver
from gambito.game_tools.poker.spots.solver import SpotSolver, memory_needed
from gambito.game_tools.poker.spots.spot import read_spot
from gambito.game_tools.poker.spots.tree import Line, measure, options
from gambito.game_tools.poker.spots.walk import FOLLOW, RESPOND
from tests.game_tools.poker.naive import best
from tests.game_tools.poker.spots.rivers import rivers
from tests.hidden.sequence_form import solve_by_program

SMALL = """
board: Ks Th 7s 4d 2c
pot: 10
stack: 15
first: KK,QhJh,9d8d:0.5,AhTd,6h5h
second: AcKd,TcTd,JdJc,9h8h,6c5c:0.25
bets: 50% all-in
raises: all-in
"""
TURN = SMALL.replace(" 2c\n", "\n").replace("50% all-in", "all-in").replace("KK,QhJh", "KdKc,QhJh")


class Deals:
    """A spot as a game of single deals, which knows neither vectors nor the package's hands."""

    def __init__(self, text):
        self.spot = read_spot(text)
        self.missing = 5 - len(self.spot.board)
        self.deals = {}
        for one in np.flatnonzero(self.spot.first):
            for other in np.flatnonzero(self.spot.second):
                cards = (*self.cards(one), *self.cards(other), *self.spot.board)
                if len(set(cards)) == len(cards):
                    self.deals[int(one), int(other)] = self.spot.first[one] * self.spot.second[other]

    def cards(self, hand):
        return int(LOW[hand]), int(HIGH[hand])

    def initial(self):
        return (None, self.spot.board, (), Line(0, (0.0, 0.0)), None)

    def player(self, state):
        deal, _, _, line, _ = state
        return CHANCE if deal is None or line is None else line.player

    def chances(self, state):
        deal, board, _, _, _ = state
        if deal is None:
            total = sum(self.deals.values())
            return [(each, weight / total) for each, weight in self.deals.items()]
        used = {*self.cards(deal[0]), *self.cards(deal[1]), *board}
        left = [card for card in range(52) if card not in used]
        return [(card, 1 / len(left)) for card in left]

    def legal(self, state):
        return list(range(len(options(self.spot, state[3]))))

    def result(self, state, action):
        deal, board, past, line, _ = state
        if deal is None:
            return (action, board, past, line, None)
        if line is None:
            return (deal, (*board, action), (*past, f"card {action}"), Line(0, state[4][1]), None)
        chosen = options(self.spot, line)[action]
        past = (*past, chosen.name)
        if chosen.folds:
            return (deal, board, past, line, ("fold", chosen.paid))
        if chosen.line is not None:
            return (deal, board, past, chosen.line, None)
        return (deal, board, past, line if len(board) == 5 else None, ("end", chosen.paid))

    def is_terminal(self, state):
        return state[4] is not None and state[3] is not None

    def utility(self, state, player):
        deal, board, _, line, (kind, paid) = state
        if kind == "fold":
            won = self.spot.pot / 2 + paid[line.player]
            return won if player != line.player else -won
        mine, theirs = (best((*self.cards(deal[each]), *board)) for each in (player, 1 - player))
        stake = self.spot.pot / 2 + paid[0]
        return stake * ((mine > theirs) - (mine < theirs))

    def observe(self, state, player):
        return state[0][player], state[1], state[2]


def solved(text, algorithm="dcfr", iterations=1500, **given):
    solver = SpotSolver(read_spot(text), algorithm, **given)
    solver.iterate(iterations)
    return solver


@pytest.mark.parametrize("algorithm", ["dcfr", "cfr+", "lcfr"])
def test_a_river_has_the_value_of_its_linear_program(algorithm):
    value, _ = solve_by_program(Deals(SMALL))
    solver = solved(SMALL, algorithm)
    low, high = -solver.value(1, RESPOND), solver.value(0, RESPOND)
    assert low - 1e-6 <= value <= high + 1e-6 and high - low < 0.02
    assert solver.value(0) == pytest.approx(value, abs=0.02)
    assert solver.exploitability() == pytest.approx(100 * (high - low) / 2 / 10)


def test_both_gears_learn_the_same():
    small = SMALL.replace("KK,QhJh", "KhKd,QhJh")
    one, other = solved(small, iterations=5), solved(small, iterations=5, how="python")
    assert np.allclose(one.public.average, other.public.average, rtol=1e-5)
    assert one.exploitability() == pytest.approx(other.exploitability(), rel=1e-5)


def respond(game, policy, player):
    """What a best response wins, hand by hand and deal by deal, and the response itself."""
    chosen = {}

    def settle(states):
        """Follow chance and the other player until the walking player decides or the game ends."""
        done, waiting = [], list(states)
        while waiting:
            state, weight = waiting.pop()
            mover = None if game.is_terminal(state) else game.player(state)
            if mover == CHANCE:
                waiting += [(game.result(state, o), weight * p) for o, p in game.chances(state)]
            elif mover is not None and mover != player:
                waiting += [(game.result(state, a), weight * s) for a, s in policy(state).items() if s]
            else:
                done.append((state, weight))
        return done

    def best_of(states):
        total, groups = 0.0, {}
        for state, weight in settle(states):
            if game.is_terminal(state):
                total += weight * game.utility(state, player)
            else:
                groups.setdefault(game.observe(state, player), []).append((state, weight))
        for seen, group in groups.items():
            actions = game.legal(group[0][0])
            worth = [best_of([(game.result(s, a), w) for s, w in group]) for a in actions]
            chosen[seen] = actions[int(np.argmax(worth))]
            total += max(worth)
        return total

    return best_of([(game.initial(), 1.0)]), chosen


def play_all(game, policy, chosen, player):
    """What a pure strategy wins over all deals, with each action as likely as the policies say."""
    total, waiting = 0.0, [(game.initial(), 1.0)]
    while waiting:
        state, weight = waiting.pop()
        if game.is_terminal(state):
            total += weight * game.utility(state, player)
        elif game.player(state) == CHANCE:
            waiting += [(game.result(state, o), weight * p) for o, p in game.chances(state)]
        elif game.player(state) == player:
            waiting.append((game.result(state, chosen[game.observe(state, player)]), weight))
        else:
            waiting += [(game.result(state, a), weight * s) for a, s in policy(state).items() if s]
    return total


@pytest.mark.parametrize("text", [SMALL, pytest.param(TURN, marks=pytest.mark.slow)], ids=["river", "turn"])
@pytest.mark.parametrize("kind", ["uniform", "calling"])
@pytest.mark.parametrize("player", [0, 1])
def test_a_best_response_wins_its_value_over_all_deals(text, kind, player):
    game, solver = Deals(text), SpotSolver(read_spot(text))
    if kind == "calling":
        for node, _ in solver.tree.lines():
            row = [solver.tree.names[child] in ("check", "call") for child in solver.tree.children(node)]
            begin = solver.tree.place[node] + row.index(True) * len(solver.hands)
            solver.public.average[begin : begin + len(solver.hands)] = 1

    def policy(state):
        found = options(game.spot, state[3])
        if kind == "uniform":
            return {number: 1 / len(found) for number in range(len(found))}
        return {number: float(each.name in ("check", "call")) for number, each in enumerate(found)}

    value, chosen = respond(game, policy, player)
    assert solver.value(player, RESPOND) == pytest.approx(value, abs=1e-9)
    assert play_all(game, policy, chosen, player) == pytest.approx(value, abs=1e-9)


def test_values_add_up_to_nothing():
    solver = solved(SMALL, iterations=30)
    assert solver.value(0, FOLLOW) + solver.value(1, FOLLOW) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("spot", rivers(), ids=lambda spot: str(spot.board))
def test_rivers_are_solved_in_a_second(spot):
    """To 0.1 % of the pot, with up to 1,081 hands on each side."""
    solver = SpotSolver(spot)
    solver.iterate(1)  # compiles
    began = time.process_time()
    assert solver.solve(1000, 0.1) <= 0.1
    assert time.process_time() - began < 1


def test_a_turn_is_solved():
    solver = SpotSolver(read_spot(TURN))
    assert solver.solve(400, 0.5) <= 0.5
    assert measure(solver.spot).nodes == len(solver.tree.kind)
    assert measure(solver.spot).actions * len(solver.hands) == solver.tree.room


def test_the_memory_is_told_before_it_is_taken():
    flop = read_spot("board: Ks Th 7s\npot: 10\nstack: 100\nfirst: random\nsecond: random\n")
    needed = memory_needed(flop)
    assert needed > 1 << 33
    with pytest.raises(GambitoError, match=r"needs .* MiB of memory, more than 100 MiB"):
        SpotSolver(flop, mebibytes=100)


def test_a_strategy_is_kept_and_learning_goes_on(tmp_path):
    path = tmp_path / "river.strategy"
    one, straight = solved(SMALL, iterations=20), solved(SMALL, iterations=30)
    save_solver(one, path)
    again = resume(path)
    again.iterate(10)
    assert again.spot.text() == one.spot.text()
    assert (again.public.average == straight.public.average).all()
    data = path.read_bytes()
    for damaged in (b"", data[:-5], data.replace(b"dcfr", b"cfr+"), data[: len(data) // 2]):
        path.write_bytes(damaged)
        with pytest.raises(GambitoError, match="damaged"):
            resume(path)


def test_the_strategy_of_a_decision():
    solver = solved(SMALL, iterations=200)
    root = solver.strategy(0)
    assert np.allclose(root.sum(0), 1) and root.shape == (3, len(solver.hands))
    node = solver.find("check, bet 5")
    assert solver.tree.kind[node] == 0 and solver.reach(node).sum() <= solver.weights[0].sum()
    for line, said in (("dance", "there is no 'dance'"), ("check, check", "nobody decides")):
        with pytest.raises(GambitoError, match=said):
            solver.find(line)
    turn = SpotSolver(read_spot(TURN))
    with pytest.raises(GambitoError, match="a card follows"):
        turn.find("check, check")
    held = turn.reach(turn.find("check, check, 2c"))
    assert not held[(SETS[turn.hands] & 1) != 0].any()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("Ks Th", "Ks Ks"), "twice"),
        (("board: Ks Th 7s 4d 2c", "board: Ks Th"), "no board"),
        (("board: Ks Th 7s 4d 2c", "board:"), "three to five"),
        (("pot: 10", "pot: 0"), "above 0"),
        (("pot: 10", "pot: x"), "no number"),
        (("stack: 15", ""), "no line 'stack'"),
        (("bets:", "bet:"), "no line of a spot"),
        (("50%", "50"), "no size"),
        (("raises: all-in", "bets: 20%"), "one line"),
        (("AcKd,TcTd,JdJc,9h8h,6c5c:0.25", "KsTh"), "shares a card"),
    ],
)
def test_bad_spots_are_refused_in_one_sentence(change, said):
    with pytest.raises(ValueError, match=said) as told:
        read_spot(SMALL.replace(*change))
    assert len(str(told.value).splitlines()) == 1


def test_a_spot_is_read_as_it_was_written():
    spot = read_spot(SMALL)
    assert read_spot(spot.text()).text() == spot.text()
    assert math.isclose(read_spot(spot.text()).second.sum(), spot.second.sum())
