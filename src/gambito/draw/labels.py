"""How drawings write numbers, windows, bounds, names and reasons, the same in every format.

The text is plain, and not yet escaped for any markup.
"""

from __future__ import annotations

import math
import re

from gambito.search.trace.record import ALONE, INFINITE, Cut, Record, Step, Visit
from gambito.words import digits, say, tell

SIGN = {"exact": "=", "lower": "≥", "upper": "≤"}
WHO = {0: "MAX", 1: "MIN", -1: "CHANCE", ALONE: "STATE"}
MARK = {0: "▲", 1: "▼", -1: "●", ALONE: "○"}
GREEK = {"alpha": "α", "beta": "β"}
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")


def number(value: float | None) -> str:
    """A value with at most three decimals and a proper minus sign; `?` if there is none."""
    if value is None or value != value:
        return "?"
    if isinstance(value, float) and math.isinf(value):
        return "+∞" if value > 0 else "−∞"
    if isinstance(value, float) and abs(value) >= 1e12:
        text = digits(f"{value:.4g}")
    elif isinstance(value, float):
        text = digits(f"{value:.3f}".rstrip("0").rstrip("."))
    else:
        text = str(int(value))
    return "0" if text == "-0" else text.replace("-", "−")


def flat(text: str) -> str:
    """The text on one line without control characters, so that it cannot break a drawing or a terminal."""
    return _CONTROL.sub("\ufffd", " ".join(text.split()))


def signed(text: str) -> str:
    """A label as drawn: with a proper minus sign if it is a negative number."""
    return "−" + text[1:] if text.startswith("-") and text[1:2].isdigit() else text


def shorten(text: str, letters: int) -> str:
    """The text on one line, cut to at most `letters` letters."""
    text = flat(text)
    return text if len(text) <= letters else text[: letters - 1] + "…"


def window(alpha: float | None, beta: float | None) -> str:
    """A window as (α, β), where `None` is infinite."""
    return f"({_end(alpha, '−∞')}, {_end(beta, '+∞')})"


def _end(value: float | None, open_end: str) -> str:
    if value is None:
        return open_end
    return number(value if abs(value) < INFINITE else math.copysign(math.inf, value))


def returned(visit: Visit) -> str:
    """The result of a stay with its kind: `= 3`, `≥ 3`, `≤ 3`; empty if it never returned."""
    if visit.value is None:
        return ""
    if visit.values:
        return f"({', '.join(map(number, visit.values))})"
    return f"{SIGN.get(visit.bound, '')} {number(visit.value)}".strip()


def result(visits: list[Visit]) -> str:
    """The result of the last stay that returned; empty if none did."""
    return next((text for visit in reversed(visits) if (text := returned(visit))), "")


def who(record: Record, player: int) -> str:
    """MAX, MIN or CHANCE; players for themselves by number, as in the game's text: 1, 2, 3 …"""
    if record.is_many and player >= 0:
        return say("PLAYER {}", player + 1)
    return say(WHO[player]) if player in WHO else say("PLAYER {}", player + 1)


def mark(record: Record, player: int) -> str:
    """The sign of a node of that player."""
    return "■" if record.is_many and player >= 0 else MARK.get(player, "●")


def name(record: Record, node: int) -> str:
    """The name of a node in a sentence: its own name, else the root, else its first visit."""
    one = record.nodes[node]
    if one.label and one.children:
        return flat(one.label)
    if one.parent is None:
        return say("the root")
    if one.visits:
        return f"#{one.visits[0].order}"
    return flat(one.action) or say("node {}", node)


def cause(record: Record, cut: Cut) -> str:
    """Whose bound cut: the name of an ancestor, or the window of the search."""
    return say("the given window") if cut.by is None else name(record, cut.by)


def cut_sentence(record: Record, cut: Cut) -> str:
    """The reason for a cut in full: `β cut-off at #4, by the bound of the root, deep cut-off`."""
    if cut.reason not in GREEK:
        told = say("{} at {}", say(cut.reason), name(record, cut.at))
        return told + (f": {tell(cut.text)}" if cut.text else "")
    bound = cause(record, cut) if cut.by is None else say("the bound of {}", cause(record, cut))
    deep = say(", deep cut-off") if cut.deep else ""
    return say("{} cut-off at {}, by {}{}", GREEK[cut.reason], name(record, cut.at), bound, deep)


def cut_label(record: Record, cut: Cut) -> str:
    """The reason for a cut in a few words, for a picture: `deep β-cut by #4`."""
    if cut.reason not in GREEK:
        return say("cut: {}", say(cut.reason))
    return say("deep {}-cut by {}" if cut.deep else "{}-cut by {}", GREEK[cut.reason], cause(record, cut))


def facts_words(step: Step) -> str:
    """The named numbers of a step: `f 7, g 3, h 4`."""
    return ", ".join(f"{flat(tell(fact))} {number(value)}" for fact, value in step.facts.items())


def headline(record: Record) -> str:
    """What was searched, in one line."""
    return flat(say("{} on {}, depth {}", record.algorithm, record.game, record.depth))


def summary(record: Record) -> list[tuple[str, str]]:
    """The result as pairs of a word and a value, in reading order."""
    return [
        (say("value"), number(record.value)),
        (say("action"), flat(record.action) or say("none")),
        (say("line"), flat(" ".join(record.line)) or say("none")),
        (say("visited"), digits(f"{record.visited:,}")),
        (say("evaluated"), digits(f"{record.evaluations:,}")),
        (say("cut-offs"), digits(f"{record.cutoffs:,}")),
    ]
