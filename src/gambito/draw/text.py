"""A search tree as indented text, for a terminal, a log or a doctest."""

from __future__ import annotations

from gambito.draw.facts import EVALUATED, conclusions, conclusions_at, facts_at, touched
from gambito.draw.labels import (
    cut_sentence,
    facts_words,
    flat,
    headline,
    mark,
    name,
    returned,
    shorten,
    signed,
    summary,
    who,
    window,
)
from gambito.draw.trim import Twig, trim, trim_note
from gambito.search.trace.record import Node, Record, Visit
from gambito.words import count, say, tell

TEXT_LIMIT = 1000
POSITION_LETTERS = 200


def draw_text(record: Record, limit: int | None = TEXT_LIMIT) -> str:
    """The record as text: the tree with one node per line, then the result, then the numbered conclusions.

    A line shows: action, who moves, name, window at entry, value, visiting order, ✓ if evaluated, numbers of
    the conclusions drawn there. If a tree has more than `limit` nodes, only a part is drawn, with a note
    (None: all).
    """
    twigs = trim(record, limit)
    badges = conclusions_at(record)
    lines = [headline(record), *_lines(shorten(record.position, POSITION_LETTERS)), ""]
    lines += _tree(record, twigs, badges)
    lines += [line for note in (tell(record.note), trim_note(record, twigs)) for line in _lines(note)]
    lines.append("")
    lines += [f"{word:<10} {value}" for word, value in summary(record)]
    steps = conclusions(record)
    if steps:
        lines += ["", say("conclusions")]
        lines += [f"[{step.conclusion}] {name(record, step.node)}: {flat(tell(step.text))}" for step in steps]
    return "\n".join(lines) + "\n"


def _tree(record: Record, twigs: list[Twig], badges: dict[int, list[int]]) -> list[str]:
    """One line for each twig, with a rail before it for each ancestor that has more children to come."""
    lines: list[str] = []
    facts = {node: facts_words(step) for node, step in facts_at(record).items()}
    facts |= {node: say("visited") for node in touched(record) if node not in facts}
    rails = [""] * len(twigs)  # the prefix of the children of a twig
    for index, twig in enumerate(twigs):
        elbow = ""
        if twig.parent is not None:
            is_last = twigs[twig.parent].children[-1] == index
            elbow = rails[twig.parent] + ("└─ " if is_last else "├─ ")
            rails[index] = rails[twig.parent] + ("   " if is_last else "│  ")
        if twig.hidden:
            lines.append(f"{elbow}… {count(twig.hidden, 'node')}")
        else:
            told = facts.get(twig.node, say("not visited"))
            lines.append(elbow + _node(record, record.nodes[twig.node], told, badges.get(twig.node, [])))
    return lines


def _node(record: Record, node: Node, told: str, badges: list[int]) -> str:
    """A node on one line: its stays, later ones after `again`; if it has none, what is known about it."""
    words = [flat(node.action)] if node.action else []
    if node.children or not node.label:
        words.append(f"{mark(record, node.player)} {who(record, node.player)}")
    if node.label:
        words.append(signed(flat(node.label)))
    if node.cut is not None:
        words.append(f"✂ {say('pruned: {}', flat(cut_sentence(record, node.cut)))}")
    elif not node.visits:
        words.append(told)
    words += [(say("again ") if visit.again else "") + _visit(visit) for visit in node.visits]
    if badges:
        words.append(" ".join(f"[{number}]" for number in badges))
    return "  ".join(words)


def _visit(visit: Visit) -> str:
    tick = " ✓" if visit.leaf in EVALUATED else f" {say(visit.leaf)}" if visit.leaf else ""
    value = returned(visit) or say("no value")
    return f"{window(visit.alpha, visit.beta)}  {value}  #{visit.order}{tick}"


def _lines(words: str) -> list[str]:
    return [flat(words)] if words else []
