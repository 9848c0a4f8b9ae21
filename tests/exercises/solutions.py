"""A right solution of every exercise, as a student would write it, and some that do it another way."""

import heapq
from functools import cache
from itertools import count
from math import exp, inf, log, sqrt, tanh


class Nim:
    def __init__(self, heaps):
        self.heaps = heaps

    def initial(self):
        return tuple(self.heaps), 0

    def player(self, state):
        return state[1]

    def actions(self, state):
        for heap, size in enumerate(state[0]):
            for taken in range(1, size + 1):
                yield 10 * heap + taken

    def result(self, state, action):
        heaps = list(state[0])
        heaps[action // 10] -= action % 10
        return tuple(heaps), 1 - state[1]

    def is_terminal(self, state):
        return not any(state[0])

    def utility(self, state, player):
        return -1 if player == state[1] else 1


class TicTacToe:
    lines = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def initial(self):
        return "." * 9

    def player(self, state):
        return (9 - state.count(".")) % 2

    def actions(self, state):
        return [square for square in range(9) if state[square] == "."]

    def result(self, state, action):
        return state[:action] + "XO"[self.player(state)] + state[action + 1 :]

    def has_line(self, state, mark):
        return any(all(state[square] == mark for square in line) for line in self.lines)

    def is_terminal(self, state):
        return "." not in state or self.has_line(state, "X") or self.has_line(state, "O")

    def utility(self, state, player):
        value = self.has_line(state, "X") - self.has_line(state, "O")
        return value if player == 0 else -value


def minimax(game, state):
    if game.is_terminal(state):
        return game.utility(state, 0)
    values = [minimax(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.player(state) == 0 else min(values)


def negamax(game, state, depth):
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)
    best = -inf
    for action in game.actions(state):
        child = game.result(state, action)
        value = negamax(game, child, depth - 1)
        best = max(best, value if game.player(child) == player else -value)
    return best


def alpha_beta(game, state, depth, alpha, beta):
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)
    best = -inf
    for action in game.actions(state):
        child = game.result(state, action)
        if game.player(child) == player:
            value = alpha_beta(game, child, depth - 1, max(alpha, best), beta)
        else:
            value = -alpha_beta(game, child, depth - 1, -beta, -max(alpha, best))
        best = max(best, value)
        if best >= beta:
            return best
    return best


def fail_hard(game, state, depth, alpha, beta):
    """Alpha-beta whose results never leave the window."""
    player = game.player(state)
    if game.is_terminal(state) or depth == 0:
        value = (game.utility if game.is_terminal(state) else game.evaluate)(state, player)
        return max(alpha, min(beta, value))
    for action in game.actions(state):
        child = game.result(state, action)
        if game.player(child) == player:
            value = fail_hard(game, child, depth - 1, alpha, beta)
        else:
            value = -fail_hard(game, child, depth - 1, -beta, -alpha)
        if value >= beta:
            return beta
        alpha = max(alpha, value)
    return alpha


def move_ordering(game, state, actions):
    player = game.player(state)

    def promise(action):
        child = game.result(state, action)
        return game.utility(child, player) if game.is_terminal(child) else game.evaluate(child, player)

    return sorted(actions, key=promise, reverse=True)


def null_window(game, state, depth, gamma):
    return alpha_beta(game, state, depth, gamma - 1, gamma)


def test(game, state, depth, bound, or_equal):
    if game.is_terminal(state) or depth == 0:
        value = game.utility(state, 0) if game.is_terminal(state) else game.evaluate(state, 0)
        return value >= bound if or_equal else value > bound
    answers = (test(game, game.result(state, a), depth - 1, bound, or_equal) for a in game.actions(state))
    return any(answers) if game.player(state) == 0 else all(answers)


test.__test__ = False  # not one of pytest's


def scout(game, state, depth):
    if game.is_terminal(state):
        return game.utility(state, 0)
    if depth == 0:
        return game.evaluate(state, 0)
    first, *rest = [game.result(state, action) for action in game.actions(state)]
    best = scout(game, first, depth - 1)
    for child in rest:
        if game.player(state) == 0:
            is_better = test(game, child, depth - 1, best, False)
        else:
            is_better = not test(game, child, depth - 1, best, True)
        if is_better:
            best = scout(game, child, depth - 1)
    return best


def pvs(game, state, depth, alpha, beta):
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)

    def search(child, low, high):
        if game.player(child) == player:
            return pvs(game, child, depth - 1, low, high)
        return -pvs(game, child, depth - 1, -high, -low)

    best = -inf
    for place, action in enumerate(game.actions(state)):
        child = game.result(state, action)
        low = max(alpha, best)
        if place == 0:
            value = search(child, alpha, beta)
        else:
            value = search(child, low, low + 1)
            if low < value < beta:
                value = search(child, value, beta)
        best = max(best, value)
        if best >= beta:
            break
    return best


def negascout(game, state, depth, alpha, beta):
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)

    def search(child, low, high):
        if game.player(child) == player:
            return negascout(game, child, depth - 1, low, high)
        return -negascout(game, child, depth - 1, -high, -low)

    a, b = alpha, beta
    for place, action in enumerate(game.actions(state)):
        child = game.result(state, action)
        value = search(child, a, b)
        if place and a < value < beta:
            value = search(child, value, beta)
        a = max(a, value)
        if a >= beta:
            break
        b = a + 1
    return a


# ---- as the lectures write them: the players take turns ----------------------------------------------
def value_for_max(game, node):
    return game.utility(node, 0) if game.is_terminal(node) else game.evaluate(node, 0)


def lecture_negamax(game, node, depth, color):
    if depth == 0 or game.is_terminal(node):
        return color * value_for_max(game, node)
    value = -inf
    for action in game.actions(node):
        value = max(value, -lecture_negamax(game, game.result(node, action), depth - 1, -color))
    return value


def lecture_pvs(game, node, depth, alpha, beta, color):
    if depth == 0 or game.is_terminal(node):
        return color * value_for_max(game, node)
    for place, action in enumerate(game.actions(node)):
        child = game.result(node, action)
        if place == 0:
            score = -lecture_pvs(game, child, depth - 1, -beta, -alpha, -color)
        else:
            score = -lecture_pvs(game, child, depth - 1, -alpha - 1, -alpha, -color)
            if alpha < score < beta:
                score = -lecture_pvs(game, child, depth - 1, -beta, -score, -color)
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    return alpha


def lecture_negascout(game, p, depth, alpha, beta, color):
    """The first text, whose second search begins at t, and only above the last ply."""
    if depth == 0 or game.is_terminal(p):
        return color * value_for_max(game, p)
    a, b = alpha, beta
    for i, action in enumerate(game.actions(p), 1):
        child = game.result(p, action)
        t = -lecture_negascout(game, child, depth - 1, -b, -a, -color)
        if t > a and t < beta and i > 1 and depth > 1:
            a = -lecture_negascout(game, child, depth - 1, -beta, -t, -color)
        a = max(a, t)
        if a >= beta:
            return a
        b = a + 1
    return a


def mtd_f(search, first):
    g, upper, lower = first, inf, -inf
    while lower < upper:
        beta = g + 1 if g == lower else g
        g = search(beta - 1, beta)
        if g < beta:
            upper = g
        else:
            lower = g
    return g


def bns(count, better, alpha, beta):
    left, best = count, 0
    while True:
        test = alpha + (beta - alpha) * (left - 1) / left
        passed = [child for child in range(count) if better(child, test)]
        if passed:
            best, alpha = passed[-1], test
            left = max(2, len(passed))
        else:
            beta = test
        if len(passed) == 1 or beta - alpha < 1:
            return best


def b_star(bounds, expand, strategy):
    held = list(bounds)
    while True:
        best, other = sorted(range(len(held)), key=lambda action: -held[action][1])[:2]
        if held[best][0] >= held[other][1]:
            return best
        pair = [best, other] if strategy == "prove-best" else [other, best]
        chosen = next(action for action in pair if held[action][0] < held[action][1])
        held[chosen] = expand(chosen)


def history(game, state, depth, alpha, beta, table):
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)
    best = -inf
    for action in sorted(game.actions(state), key=lambda action: -table.get(action, 0)):
        child = game.result(state, action)
        if game.player(child) == player:
            value = history(game, child, depth - 1, max(alpha, best), beta, table)
        else:
            value = -history(game, child, depth - 1, -beta, -max(alpha, best), table)
        best = max(best, value)
        if best >= beta:
            table[action] = table.get(action, 0) + 2**depth
            break
    return best


def null_move(game, state, depth, alpha, beta, may_pass):
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth <= 0:
        return game.evaluate(state, player)
    if may_pass and game.pass_turn(state) != state:
        value = -null_move(game, game.pass_turn(state), depth - 3, -beta, 1 - beta, False)
        if value >= beta:
            return value
    for action in game.actions(state):
        child = game.result(state, action)
        if game.player(child) == player:
            value = null_move(game, child, depth - 1, alpha, beta, True)
        else:
            value = -null_move(game, child, depth - 1, -beta, -alpha, True)
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return alpha


def probcut(game, state, depth, alpha, beta, model):
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)
    if depth == model.deep:
        margin = model.t * model.sigma
        bound = round((margin + beta - model.b) / model.a)
        if probcut(game, state, model.shallow, bound - 1, bound, model) >= bound:
            return beta
        bound = round((-margin + alpha - model.b) / model.a)
        if probcut(game, state, model.shallow, bound, bound + 1, model) <= bound:
            return alpha
    for action in game.actions(state):
        child = game.result(state, action)
        if game.player(child) == player:
            value = probcut(game, child, depth - 1, alpha, beta, model)
        else:
            value = -probcut(game, child, depth - 1, -beta, -alpha, model)
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return alpha


def solve(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player) > 0
    answers = (solve(game, game.result(state, action), player) for action in game.actions(state))
    return any(answers) if game.player(state) == player else all(answers)


def proof_numbers(is_or, children):
    proofs, disproofs = zip(*children, strict=True)
    return (min(proofs), sum(disproofs)) if is_or else (sum(proofs), min(disproofs))


def iterative_deepening(search, nodes):
    best = None
    for depth in count(1):
        if nodes <= 0:
            return best
        found = search(depth, nodes)
        if not found.finished:
            return best
        best, nodes = found.action, nodes - found.nodes
        if found.whole:
            return best


def quiescence(game, state, alpha, beta):
    player = game.player(state)
    if game.is_terminal(state):
        return game.utility(state, player)
    best = game.evaluate(state, player)
    if best >= beta:
        return best
    for action in game.noisy(state):
        child, low = game.result(state, action), max(alpha, best)
        if game.player(child) == player:
            value = quiescence(game, child, low, beta)
        else:
            value = -quiescence(game, child, -beta, -low)
        best = max(best, value)
        if best >= beta:
            break
    return best


def transposition_table(game, state, depth):
    table = {}

    def search(state, depth):
        player = game.player(state)
        if game.is_terminal(state):
            return game.utility(state, player)
        if depth == 0:
            return game.evaluate(state, player)
        key = game.key(state), depth
        if key not in table:
            values = []
            for action in game.actions(state):
                child = game.result(state, action)
                value = search(child, depth - 1)
                values.append(value if game.player(child) == player else -value)
            table[key] = max(values)
        return table[key]

    return search(state, depth)


class Zobrist:
    def __init__(self, cells, kinds, rng):
        self.numbers = [[rng.getrandbits(64) for _ in range(kinds)] for _ in range(cells)]

    def key(self, board):
        key = 0
        for cell, kind in enumerate(board):
            key ^= self.numbers[cell][kind]
        return key

    def change(self, key, cell, before, after):
        return key ^ self.numbers[cell][before] ^ self.numbers[cell][after]


def retrograde(moves, player, winner):
    known = {**dict.fromkeys(moves), **winner}
    for _ in moves:
        for state, following in moves.items():
            values = {known[other] for other in following}
            if player[state] in values:
                known[state] = player[state]
            elif values == {1 - player[state]}:
                known[state] = 1 - player[state]
    return known


def evaluation(board, player):
    other = "O" if player == "X" else "X"
    total = 0
    for line in TicTacToe.lines:
        marks = [board[square] for square in line]
        worth = {0: 0, 1: 1, 2: 5, 3: 1000}
        if other not in marks:
            total += worth[marks.count(player)]
        if player not in marks:
            total -= worth[marks.count(other)]
    return total


def expectiminimax(game, state):
    if game.is_terminal(state):
        return game.utility(state, 0)
    if game.player(state) == -1:
        return sum(p * expectiminimax(game, game.result(state, o)) for o, p in game.chances(state))
    values = [expectiminimax(game, game.result(state, action)) for action in game.actions(state)]
    return max(values) if game.player(state) == 0 else min(values)


def star1(game, state, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state, 0)
    player = game.player(state)
    if player == -1:
        done, left = 0, 1
        for outcome, p in game.chances(state):
            left -= p
            low = (alpha - done - left * game.highest) / p
            high = (beta - done - left * game.lowest) / p
            value = star1(game, game.result(state, outcome), low, high)
            if value <= low:
                return done + p * value + left * game.highest
            if value >= high:
                return done + p * value + left * game.lowest
            done += p * value
        return done
    best = -inf if player == 0 else inf
    for action in game.actions(state):
        value = star1(game, game.result(state, action), alpha, beta)
        if player == 0:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def ucb1(totals, visits, c):
    everything = sum(visits)
    scores = [
        inf if n == 0 else total / n + c * sqrt(log(everything) / n)
        for total, n in zip(totals, visits, strict=True)
    ]
    return scores.index(max(scores))


def backup(path, reward):
    for node in path:
        node.visits += 1
        node.total += reward if node.mover == 0 else -reward


def puct(totals, visits, priors, c):
    everything = sum(visits)
    usual = sum(totals) / everything if everything else 0
    scores = [
        (total / n if n else usual) + c * prior * sqrt(everything) / (1 + n)
        for total, n, prior in zip(totals, visits, priors, strict=True)
    ]
    return scores.index(max(scores))


def policy_step(weights, worth, cells, visits, result, rate):
    logits = [sum(w * x for w, x in zip(row, cells, strict=True)) for row in weights]
    powers = [0 if cell else exp(logit) for logit, cell in zip(logits, cells, strict=True)]
    steps = [
        0 if cell else rate * (n / sum(visits) - power / sum(powers))
        for n, power, cell in zip(visits, powers, cells, strict=True)
    ]
    value = tanh(sum(w * x for w, x in zip(worth, cells, strict=True)))
    move = rate * (result - value) * (1 - value**2)
    return (
        [
            [w + step * x for w, x in zip(row, cells, strict=True)]
            for row, step in zip(weights, steps, strict=True)
        ],
        [w + move * x for w, x in zip(worth, cells, strict=True)],
    )


def a_star(puzzle, state, h):
    number = count()
    waiting = [(h(state), next(number), 0, state)]
    costs = {state: 0}
    while waiting:
        _, _, cost, state = heapq.heappop(waiting)
        if cost > costs[state]:
            continue
        if puzzle.is_goal(state):
            return cost
        for action in puzzle.actions(state):
            child = puzzle.result(state, action)
            other = cost + puzzle.cost(state, action)
            if other < costs.get(child, inf):
                costs[child] = other
                heapq.heappush(waiting, (other + h(child), next(number), other, child))
    return None


def heuristic(tiles):
    total = 0
    for place, tile in enumerate(tiles):
        if tile:
            total += abs(place % 3 - (tile - 1) % 3) + abs(place // 3 - (tile - 1) // 3)
    return total


def training_step(rows, begin, totals, inputs, result, rate):
    sums = [first + sum(rows[i][unit] for i in inputs) for unit, first in enumerate(begin)]
    cut = [min(max(s, 0), 1) for s in sums]
    value = sum(total * c * c for total, c in zip(totals, cut, strict=True))
    step = rate * (result - 1 / (1 + exp(-value)))
    moves = [step * t * 2 * c if 0 < c < 1 else 0 for t, c in zip(totals, cut, strict=True)]
    shifts = [moves if number in inputs else [0] * len(totals) for number in range(len(rows))]
    return (
        [[w + m for w, m in zip(row, shift, strict=True)] for row, shift in zip(rows, shifts, strict=True)],
        [first + m for first, m in zip(begin, moves, strict=True)],
        [total + step * c * c for total, c in zip(totals, cut, strict=True)],
    )


def regret_matching(regrets):
    positive = [max(regret, 0) for regret in regrets]
    if not any(positive):
        return [1 / len(regrets) for _ in regrets]
    return [regret / sum(positive) for regret in positive]


def counterfactual_regrets(game, state, policy, player):
    regrets = {}

    def walk(state, others):
        if game.is_terminal(state):
            return game.utility(state, player)
        mover = game.player(state)
        if mover == -1:
            return sum(p * walk(game.result(state, o), p * others) for o, p in game.chances(state))
        name = game.text(game.observe(state, mover))
        shares, children = policy[name], [game.result(state, a) for a in game.actions(state)]
        if mover != player:
            return sum(p * walk(child, p * others) for p, child in zip(shares, children, strict=True))
        values = [walk(child, others) for child in children]
        value = sum(p * each for p, each in zip(shares, values, strict=True))
        kept = regrets.setdefault(name, [0.0] * len(values))
        for place, each in enumerate(values):
            kept[place] += others * (each - value)
        return value

    walk(state, 1.0)
    return regrets


def double_dummy(hands, trump, leader):
    def play(hands, leader, table):
        player = (leader + len(table)) % 4
        if len(table) == 4:

            def strength(place):
                suit, rank = table[place]
                return (suit == trump) * 200 + (suit == table[0][0]) * 100 + rank

            winner = (leader + max(range(4), key=strength)) % 4
            return (winner % 2 == first % 2) + play(hands, winner, ())
        if not hands[player]:
            return 0
        follow = [card for card in hands[player] if table and card[0] == table[0][0]]
        values = []
        for card in follow or hands[player]:
            left = [[c for c in hand if c != card] for hand in hands]
            values.append(play(left, leader, (*table, card)))
        return max(values) if player % 2 == first % 2 else min(values)

    first = leader
    return play(hands, leader, ())


def push_fold(stack, equity, odds, call):
    def pushed(row):
        called = sum(p * c * stack * (2 * e - 1) for e, p, c in zip(row, odds, call, strict=True))
        return called + sum(p * (1 - c) for p, c in zip(odds, call, strict=True))

    return [pushed(row) > -0.5 for row in equity]


def best_response(game, state, policy, player):
    sets = {}  # the states of each information set of the player, with their probabilities

    def collect(state, p):
        mover = game.player(state)
        if game.is_terminal(state):
            return
        name = game.text(game.observe(state, mover)) if mover != -1 else ""
        if mover == player:
            sets.setdefault(name, []).append((state, p))
        shares = dict(game.chances(state)).values() if mover == -1 else policy[name]
        for action, share in zip(game.actions(state), shares, strict=True):
            collect(game.result(state, action), p if mover == player else p * share)

    def value(state):
        mover = game.player(state)
        if game.is_terminal(state):
            return game.utility(state, player)
        if mover == player:
            return value(game.result(state, choice(game.text(game.observe(state, player)))))
        if mover == -1:
            return sum(p * value(game.result(state, o)) for o, p in game.chances(state))
        shares = policy[game.text(game.observe(state, mover))]
        return sum(p * value(game.result(state, a)) for a, p in zip(game.actions(state), shares, strict=True))

    @cache
    def choice(name):
        held = sets[name]
        return max(game.actions(held[0][0]), key=lambda a: sum(p * value(game.result(s, a)) for s, p in held))

    collect(state, 1.0)
    return value(state)


def shoot(board, ships):
    cells = [(row, column) for row in range(5) for column in range(5)]
    counts = {cell: 0 for cell in cells if board[cell[0]][cell[1]] == "?"}
    for length in ships:
        for row, column in cells:
            for down, right in ((0, 1), (1, 0)):
                way = [(row + down * step, column + right * step) for step in range(length)]
                marks = [board[r][c] for r, c in way if r < 5 and c < 5]
                if len(marks) == length and set(marks) <= {"?", "X"}:
                    for cell in way:
                        if cell in counts:
                            counts[cell] += 1 + 1000 * marks.count("X")
    return max(counts, key=counts.get)


def max_n(game, state):
    everybody = range(game.players)
    if game.is_terminal(state):
        return [game.utility(state, player) for player in everybody]
    best, mover = None, game.player(state)
    for action in game.actions(state):
        values = max_n(game, game.result(state, action))
        if best is None or values[mover] > best[mover]:
            best = values
    return best


def paranoid(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player)
    best = max if game.player(state) == player else min
    return best(paranoid(game, game.result(state, action), player) for action in game.actions(state))


def best_reply(game, state, player, depth):
    if game.is_terminal(state):
        return game.utility(state, player)
    if depth == 0:
        return game.evaluate(state, player)
    if game.player(state) == player:
        results = (game.result(state, action) for action in game.actions(state))
        return max(best_reply(game, each, player, depth - 1) for each in results)
    worst = inf
    for other in range(game.players):
        if other != player:
            turned = game.give_turn(state, other)
            for action in game.actions(turned):
                after = game.result(turned, action)
                if not game.is_terminal(after):
                    after = game.give_turn(after, player)
                worst = min(worst, best_reply(game, after, player, depth - 1))
    return worst


def coalition(game, state, members):
    if game.is_terminal(state):
        return sum(game.utility(state, player) for player in members)
    values = [coalition(game, game.result(state, action), members) for action in game.actions(state)]
    return max(values) if game.player(state) in members else min(values)
