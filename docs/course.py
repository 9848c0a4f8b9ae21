"""The order of the pages: the sections, their names in both languages, and their pages."""

from __future__ import annotations

COURSE: tuple[tuple[tuple[str, str], tuple[str, ...]], ...] = (
    (
        ("Begin", "Para empezar"),
        ("index", "installing", "your-own-game", "your-own-board", "web", "worked-examples", "lectures"),
    ),
    (
        ("Games", "Los juegos"),
        ("history", "algorithms/kinds-of-games", "algorithms/formal-definition"),
    ),
    (
        ("Searching a tree", "Buscar en un árbol"),
        (
            "algorithms/minimax",
            "algorithms/alpha-beta",
            "ordering",
            "algorithms/negamax",
            "algorithms/null-window",
            "algorithms/scout",
            "algorithms/pvs",
            "algorithms/negascout",
            "algorithms/mtd-f",
            "algorithms/sss-star",
            "algorithms/bns",
            "algorithms/b-star",
            "algorithms/df-pn",
        ),
    ),
    (
        ("Time and the horizon", "El tiempo y el horizonte"),
        (
            "algorithms/iterative-deepening",
            "algorithms/real-time",
            "algorithms/quiescence",
            "horizon",
            "algorithms/extensions",
        ),
    ),
    (
        ("What makes it strong", "Lo que la hace fuerte"),
        (
            "algorithms/forward-pruning",
            "algorithms/probcut",
            "algorithms/killers-and-history",
            "algorithms/null-move",
            "algorithms/transposition-table",
            "algorithms/partition",
            "algorithms/engine",
        ),
    ),
    (
        ("Knowledge", "El conocimiento"),
        ("books", "endgames", "evaluation-scale", "learning", "learning-network", "nnue"),
    ),
    (
        ("Chance", "El azar"),
        (
            "algorithms/expectiminimax",
            "algorithms/star",
            "algorithms/rollout",
            "algorithms/value-iteration",
            "long-run",
        ),
    ),
    (
        ("Many players", "Muchos jugadores"),
        ("algorithms/max-n", "algorithms/paranoid", "algorithms/best-reply", "algorithms/coalitions"),
    ),
    (("Monte Carlo", "Montecarlo"), ("algorithms/mcts", "monte-carlo", "trap", "algorithms/alphazero")),
    (
        ("Hidden information", "Información oculta"),
        (
            "algorithms/information-sets",
            "algorithms/mixed-strategies",
            "algorithms/best-response",
            "algorithms/cfr",
            "algorithms/cfr-sampling",
            "algorithms/determinization",
            "algorithms/ismcts",
            "card-play",
            "holdem",
        ),
    ),
    (
        ("Puzzles", "Los puzles"),
        (
            "puzzles",
            "algorithms/a-star",
            "algorithms/ida-star",
            "algorithms/bidirectional",
            "algorithms/beam",
        ),
    ),
    (
        ("Guides", "Guías"),
        (
            "your-own-dice",
            "your-own-cards",
            "making-it-fast",
            "own-algorithm",
            "experiments",
            "many-machines",
            "embedding",
            "export",
            "other-libraries",
            "teaching",
            "matches",
            "uci",
            "gtp",
            "hub-nboard",
            "notebooks",
            "how-it-works",
        ),
    ),
    (("Reference", "Consulta"), ("command-line", "options", "game-contract", "reference", "glossary")),
)
