"""Write the pseudo-code that the Watch page shows, from the pages of the algorithms.

`python tools/lectures.py` writes the files; `--check` reports those that are out of date. The pages of the
documentation hold it in both languages. For each algorithm, MARKS says which line stands for a
step of a recorded search, by a piece of the English line.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "src" / "gambito" / "web" / "page" / "lectures"
LANGUAGES = ("en", "es")
INSIDE = ("enter", "leaf", "leave", "note", "cut", "value")  # steps of a search that is only called
LEAF, BEST, RETURN = "return its value", "best ← max(best, v)", "  return best"

AGAIN = {"enter again": "(again)"}
SECOND_SEARCH = {**AGAIN, "enter test": "(test)"}
HARD = {  # alpha is the best so far
    "leaf": LEAF,
    "value": "α ← max(α, v)",
    "alpha": "α ← max(α, v)",
    "beta": "α ← max(α, v)",
    "cut": "(cut-off)",
    "leave": "\n  return α\n",
}
SOFT = {
    "leaf": LEAF,
    "value": BEST,
    "alpha": "α ← max(α, best)",
    "beta": "α ← max(α, best)",
    "cut": "(cut-off)",
    "leave": "\n  return best\n",
}

# The page, the blocks of its pseudo-code, and the line of each kind of step. A kind may be narrowed by the
# kind of node (root, max, min, chance), by what the value is (lower, upper), by the window (test), or if the
# node was entered before (again). A name may say for which option it is, as `pvs:form=alpha`; `alpha-beta+`
# is for any of the options in the margin of its lines. Of several pieces, the first that is shown is meant.
MARKS: dict[str, tuple[str, tuple[int, ...], dict[str, str | tuple[str, ...]]]] = {
    "minimax": (
        "minimax",
        (0,),
        {
            "enter": "MINIMAX(state, depth)",
            "leaf": "return its value for MAX",
            "value max": BEST,
            "value min": "best ← min(best, v)",
            "leave": RETURN,
        },
    ),
    "negamax": (
        "negamax",
        (0,),
        {"enter": "NEGAMAX(state, depth)", "leaf": LEAF, "value": BEST, "leave": RETURN},
    ),
    "alpha-beta": (
        "alpha-beta",
        (0,),
        {
            "enter": "ALPHA-BETA(state, depth, α, β)",
            "leaf": LEAF,
            "value": BEST,
            "alpha": "α ← max(α, best)",
            "beta": "α ← max(α, best)",
            "cut": "(cut-off)",
            "leave": "  return best\n",
        },
    ),
    "alpha-beta+": (
        "alpha-beta",
        (1,),
        {
            "enter": "ALPHA-BETA(state, depth, α, β)",
            "leaf": LEAF,
            "note": "if the table has bounds low, high",
            "value": BEST,
            "alpha": "low′ ← max(low′, best)",
            "beta": "low′ ← max(low′, best)",
            "pass": "v ← −ALPHA-BETA(PASS(state)",
            "pass cut": "(null-move cut-off)",
            "fail high": "γ ← round((β − b + t",
            "fail high cut": "(high enough)",
            "fail low": "γ ← round((α − b − t",
            "fail low cut": "(low enough)",
            "order": ("killers of this ply first", "more history[action] first", "in the order of the game"),
            "credit": "history[action] ← history[action]",
            "kill": "action is a killer of this ply",
            "cut": "(cut-off)\n",
            "leave": "  return best\n",
        },
    ),
    "pvs": ("pvs", (0,), {"enter": "PVS(state, depth, α, β)", **SECOND_SEARCH, **HARD}),
    "pvs:form=alpha": ("pvs", (1,), {"enter": "PVS(state, depth, α, β)", **SECOND_SEARCH, **SOFT}),
    "negascout": ("negascout", (0,), {"enter": "NEGASCOUT(state, depth, α, β)", **AGAIN, **HARD}),
    "negascout:form=second": (
        "negascout",
        (1,),
        {"enter": "NEGASCOUT(state, depth, α, β)", **AGAIN, **HARD, "leaf": "return QUIESCE(state, α, β)"},
    ),
    **dict.fromkeys(
        ("negascout:form=shallow", "negascout:form=quiescence"),
        ("negascout", (2,), {"enter": "NEGASCOUT(state, depth, α, β)", **AGAIN, **SOFT}),
    ),
    "test": (
        "null-window",
        (0,),
        {
            "enter": "NULL-WINDOW(state, depth, γ)",
            "leaf": LEAF,
            "value": BEST,
            "cut": "(yes: enough)",
            "leave": "(no: all seen)",
        },
    ),
    "scout": (
        "scout",
        (0,),
        {
            "enter": "EVAL(state, depth)",
            "enter test": "TEST(state, bound, >)",
            "leaf": "return its value for MAX",
            "leaf test": "return its value > bound",
            "value": "best ← EVAL(child, depth − 1)",
            "cut": "return true",
            "leave": RETURN,
            "leave test": "return MIN moves",
        },
    ),
    "mtd-f": (
        "mtd-f",
        (0, 1),
        {
            "enter": "ALPHA-BETA-WITH-MEMORY(state, depth, α, β)",
            "enter root": "v ← ALPHA-BETA-WITH-MEMORY(state",
            "leaf": "best ← its value",
            "note": "if the table knows state",
            "value": "best ← the same loop",
            "cut": "best ← the same loop",
            "leave": "\n  return best\n",
            "leave root lower": "low ← v",
            "leave root upper": "high ← v",
            "bounds": "return low",
        },
    ),
    "sss-star": (
        "sss-star",
        (0,),
        {
            **dict.fromkeys(INSIDE, "v ← ALPHA-BETA-WITH-MEMORY(state"),
            "leave root upper": "(lower, never higher)",
            "leave root lower": "return v\n",
            "bounds": "return v\n",
        },
    ),
    "dual-star": (
        "sss-star",
        (0,),
        {
            **dict.fromkeys(INSIDE, "\n    v ← ALPHA-BETA-WITH-MEMORY(state"),
            "leave root lower": "    γ ← v + step",
            "leave root upper": "if v < γ",
            "bounds": "if v < γ",
        },
    ),
    "bns": (
        "bns",
        (0,),
        {
            **dict.fromkeys(INSIDE, "if its value ≥ γ"),
            "enter root": "γ ← NEXT-GUESS(α, β, count)",
            "leave root lower": "α ← γ",
            "leave root upper": "β ← γ",
            "bounds": "  return best\n",
        },
    ),
    "mcts": (
        "mcts",
        (0,),
        {
            "begin": "node ← root",
            "select": "node ← the child with the largest",
            "expand": "give node its children",
            "simulate": "r ← reward of a random",
            "backup": "visits ← visits + 1",
        },
    ),
    **dict.fromkeys(
        (
            "a-star",
            "weighted-a-star",
            "greedy-best-first",
            "uniform-cost",
            "breadth-first",
            "depth-first",
        ),
        (
            "a-star",
            (0,),
            {
                "open": "put c into open with f(c)",
                "close": "n ← the state of open with the least f",
                "path": "if n is a goal: return the path to n",
            },
        ),
    ),
    "ida-star": (
        "ida-star",
        (0,),
        {
            "bound": "bound ← t",
            "open": "t ← BELOW(c,",
            "beyond": "      nearest ← min(nearest, f)",
            "path": "if t = found: return the path",
        },
    ),
    **dict.fromkeys(
        ("expectiminimax", "expectimax"),
        (
            "expectiminimax",
            (0,),
            {
                "enter": "function EXPECTIMINIMAX(state, depth)",
                "leaf": "if state is terminal",
                "value": "best ← max(best, v) if MAX moves",
                "leave": "  return best\n",
                "leave chance": "return Σ P(outcome)",
            },
        ),
    ),
    **dict.fromkeys(
        ("star1", "star2"),
        (
            "star",
            (0,),
            {
                "enter": "v ← STAR(child i",
                "cut": "if v ≤ αᵢ",
                "leave": "Lᵢ ← Uᵢ ← v",
                "leave chance": "return L",
            },
        ),
    ),
    "b-star": (
        "b-star",
        (0,),
        {
            "enter": "node ← its child with the highest",
            "leaf": "    EXPAND(node)",
            "bounds": "    BACK-UP(node)",
            "leave": "    BACK-UP(node)",
        },
    ),
    "df-pn": (
        "df-pn",
        (0,),
        {
            "enter": "PROVE(state, proof-limit, disproof-limit)",
            "leaf": "keep 0, ∞ if won",
            "leave": "keep pn, dn",
            "bounds": "keep pn, dn",
        },
    ),
    "cfr": (
        "cfr",
        (0,),
        {
            "iteration": "function WALK(state",
            "chance": "return Σ P(o) · WALK(",
            "regret": "regret(I, a) ← regret(I, a)",
            "average": "average(I, a) ← average(I, a)",
        },
    ),
    "ismcts": (
        "ismcts",
        (0,),
        {
            "begin": "until time is up:",
            "imagine": "state ← imagine(seen, player)",
            "select": "else: choose an action by UCB1",
            "expand": "if node is new:",
            "simulate": "add it, choose an action, play out",
            "backup": "add the reward to all actions",
        },
    ),
    "pimc": (
        "determinization",
        (0,),
        {
            "begin": "for each of a number of worlds:",
            "imagine": "world ← imagine(seen, player)",
            "weigh": "sum[action] ← sum[action] + SEARCH",
            "vote": "return the action with the highest sum",
        },
    ),
    "paranoid": (
        "paranoid",
        (0,),
        {
            "enter": "PARANOID(state, depth, α, β)",
            "leaf": "return its value for the player",
            "alpha": "α ← max(α, best)",
            "beta": "β ← min(β, best)",
            "cut": "(cut-off)",
            "leave": "\n  return best\n",
        },
    ),
    "best-reply": (
        "best-reply",
        (0,),
        {
            "enter": "BEST-REPLY(state, depth)",
            "enter min": "give that player the turn",
            "leaf": "return its value for the player",
            "alpha": "return the highest value",
            "beta": "return the lowest value",
            "cut": "return the lowest value",
            "leave": "return the lowest value",
            "leave max": "return the highest value",
            "leave root": "return the highest value",
        },
    ),
    "max-n": (
        "max-n",
        (0,),
        {"enter": "MAX-N(state, depth)", "leaf": LEAF, "value": "best ← v", "leave": "  return best"},
    ),
}


def blocks(page: str, language: str) -> list[str]:
    """The blocks of plain text of a page."""
    text = (ROOT / "docs" / language / "algorithms" / f"{page}.md").read_text(encoding="utf-8")
    return re.findall(r"```text\n(.*?)```", text, re.DOTALL)


def lecture(name: str, language: str) -> dict[str, object]:
    page, chosen, pieces = MARKS[name]
    english = "\n".join(blocks(page, "en")[number] for number in chosen)
    text = "\n".join(blocks(page, language)[number] for number in chosen)
    if len(text.splitlines()) != len(english.splitlines()):
        raise SystemExit(f"{page}: the pseudo-code of {language} has other lines than the English one")
    marks = {
        kind: line_of(name, english, piece)
        if isinstance(piece, str)
        else [line_of(name, english, one) for one in piece]
        for kind, piece in pieces.items()
    }
    made: dict[str, object] = {"code": text.rstrip(), "marks": marks}
    if name.endswith("+"):
        made["margin"] = min(len(line) - len(line.lstrip()) for line in text.splitlines() if line[0] == " ")
    return made


def line_of(name: str, english: str, piece: str) -> int:
    """The number of the line that has a piece; one that begins with a line's end is searched from the end."""
    place = english.rfind(piece) if piece.startswith("\n") else english.find(piece)
    if place < 0:
        raise SystemExit(f"{name}: no line of the pseudo-code has {piece!r}")
    return english.count("\n", 0, place + len(piece) - len(piece.lstrip("\n")))


def main() -> int:
    is_check, stale = "--check" in sys.argv[1:], []
    for language in LANGUAGES:
        made = {name: lecture(name, language) for name in sorted(MARKS)}
        text = json.dumps(made, ensure_ascii=False, indent=1) + "\n"
        file = PAGE / f"{language}.json"
        if is_check and (not file.exists() or file.read_text(encoding="utf-8") != text):
            stale.append(file.name)
        elif not is_check:
            file.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"{name} is out of date: python tools/lectures.py makes it again")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
