"""The exercises in the order of a course."""

from __future__ import annotations

from gambito.exercises.alpha_beta import ALPHA_BETA, ORDERING
from gambito.exercises.chance import EXPECTIMINIMAX, STAR1
from gambito.exercises.deepening import DEEPENING
from gambito.exercises.drivers import BNS, MTD_F
from gambito.exercises.evaluation import EVALUATION
from gambito.exercises.exercise import Exercise
from gambito.exercises.forward import NULL_MOVE, PROBCUT
from gambito.exercises.history import HISTORY
from gambito.exercises.many import BEST_REPLY, COALITION, MAX_N, PARANOID
from gambito.exercises.minimax import MINIMAX, NEGAMAX
from gambito.exercises.monte_carlo import BACKUP, UCB1
from gambito.exercises.negascout import NEGASCOUT
from gambito.exercises.policies import POLICY_STEP, PUCT
from gambito.exercises.proving import B_STAR
from gambito.exercises.pushing import PUSH_FOLD
from gambito.exercises.puzzles import A_STAR, HEURISTIC
from gambito.exercises.quiescence import QUIESCENCE
from gambito.exercises.regrets import COUNTERFACTUAL_REGRETS, REGRET_MATCHING
from gambito.exercises.responses import BEST_RESPONSE
from gambito.exercises.retrograde import RETROGRADE
from gambito.exercises.rules import NIM, TIC_TAC_TOE
from gambito.exercises.shooter import BATTLESHIP_SHOOTER
from gambito.exercises.solving import PROOF_NUMBERS, SOLVING
from gambito.exercises.tables import TABLE, ZOBRIST
from gambito.exercises.training import TRAINING_STEP
from gambito.exercises.tricks import DOUBLE_DUMMY
from gambito.exercises.windows import NULL_WINDOW, PVS, SCOUT

COURSE: tuple[Exercise, ...] = (
    NIM, TIC_TAC_TOE, MINIMAX, NEGAMAX, ALPHA_BETA, ORDERING, NULL_WINDOW, SCOUT, PVS, NEGASCOUT,
    MTD_F, BNS, B_STAR, SOLVING, PROOF_NUMBERS, DEEPENING, QUIESCENCE, PROBCUT, HISTORY, NULL_MOVE,
    TABLE, ZOBRIST, RETROGRADE, EVALUATION, TRAINING_STEP,
    EXPECTIMINIMAX, STAR1, MAX_N, PARANOID, BEST_REPLY, COALITION, DOUBLE_DUMMY, UCB1, BACKUP,
    PUCT, POLICY_STEP, REGRET_MATCHING, COUNTERFACTUAL_REGRETS, BEST_RESPONSE, PUSH_FOLD, BATTLESHIP_SHOOTER,
    A_STAR, HEURISTIC,
)  # fmt: skip
