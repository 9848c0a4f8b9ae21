"""The layout of a record on a plane, shared by all pictures: the contents and place of each node.

Lengths are pixels at natural size. A level is a band: shapes hang from its upper edge, their words are beside
them inside the band, and edges run only between bands, so that no edge crosses a word. This module does not
depend on any markup.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from functools import cache

from gambito.draw.facts import (
    conclusions_at,
    cuts_at,
    dropped,
    facts_at,
    is_evaluated,
    preorder,
    principal,
    touched,
)
from gambito.draw.labels import cut_label, facts_words, result, returned, shorten, signed, window
from gambito.draw.tidy import tidy
from gambito.draw.trim import PICTURE_LIMIT, Twig, trim, trim_note
from gambito.search.trace.record import ALONE, Node, Record
from gambito.words import count, say

SHAPES = {0: "max", 1: "min", -1: "chance", ALONE: "state"}
SHAPE_WIDTH, SHAPE_HEIGHT = 40.0, 34.0
LEAF_SIZE = 28.0
SMALL = 0.6  # the scale of a node that was never entered and has no words
VALUE_FONT, WORD_FONT = 15.0, 11.0
VALUE_LINE, WORD_LINE = 17.0, 13.0
BADGE_HEIGHT = 17.0  # of a conclusion's number with the space around it
BADGES_ABREAST, BADGES_SHOWN = 2, 4
VISITS_SHOWN = 3
SIBLING_GAP = 7.0  # between neighbours on a level
COUSINS = 8.0  # additional space between neighbours of different parents
EDGE_HEIGHT, EDGE_HEIGHT_MOST = 64.0, 150.0
PICTURE_WIDTH = 10_000.0  # a wider picture cannot be read
SHRINK = 0.95  # the largest share of its items that a picture that is too wide keeps, so that the loop ends
LEAST_ITEMS = 3  # the root, a branch and a stub are always drawn
EDGE_SLOPE = 0.14  # a level grows with its widest branch, so that edges do not lie flat
ACTION_LETTERS = 10
ACTION_AT = 0.79  # how far down its edge an action is written
FACT_LETTERS = 40
INSIDE_LETTERS, CAPTION_LETTERS, ONE_LINE_LETTERS, WORD_LETTERS = 9, 13, 17, 20


@dataclass(slots=True)
class Item:
    """One drawn object: a node of the record, or a stub for hidden branches."""

    node: int  # as in Twig
    parent: int | None
    level: int
    hidden: int
    children: list[int]
    shape: str  # "max", "min", "chance", "state", "leaf", "other" (a leaf not evaluated), "stub"
    state: str  # "seen", "dropped" by a cut-off, "unseen"
    on_line: bool  # on the principal line
    width: float  # of the shape
    height: float
    inside: str = ""  # short text in the shape
    action: str = ""  # on the edge that leads here
    value: str = ""  # beside the shape, large
    beside: list[str] = field(default_factory=list)  # beside it, small: one line for each visit
    cuts: list[str] = field(default_factory=list)  # beside it, small: why branches of it were dropped
    below: str = ""  # under a leaf, small
    badges: list[int] = field(default_factory=list)  # numbers of conclusions; 0 is “more”
    left: float = 0.0  # how far it extends from its middle, with its words and the space around it
    right: float = 0.0
    x: float = 0.0  # the middle of the shape
    y: float = 0.0  # its upper edge

    @property
    def bottom(self) -> float:
        return self.y + self.height


@dataclass(slots=True)
class Layout:
    """A tree with its layout; the upper left corner is (0, 0)."""

    items: list[Item]  # in preorder
    width: float
    height: float
    floors: list[float]  # for each level, the lower edge of its band: edges to the next level start here
    note: str  # what was left out; empty if nothing


def lay_out(
    record: Record, limit: int | None = PICTURE_LIMIT, widest: float | None = PICTURE_WIDTH
) -> Layout:
    """Lay out at most `limit` nodes of a record, or fewer if they would be wider than `widest`.

    None removes a limit. A limit that is not positive is an error.
    """
    if widest is not None and widest <= 0:
        raise ValueError(f"a drawing's greatest width is positive, not {widest}")
    layout = _lay_out(record, trim(record, limit))
    while widest is not None and layout.width > widest and len(layout.items) > LEAST_ITEMS:
        fewer = max(LEAST_ITEMS, int(len(layout.items) * min(SHRINK, widest / layout.width)))
        layout = _lay_out(record, trim(record, fewer))
    return layout


def _lay_out(record: Record, twigs: list[Twig]) -> Layout:
    items = _items(record, twigs)
    if not items:
        return Layout([], 0.0, 0.0, [], "")
    for item in items:
        item.left, item.right = _left(item), _right(item)
    left, right = [item.left for item in items], [item.right for item in items]
    for item, x in zip(items, tidy([item.children for item in items], left, right, COUSINS), strict=True):
        item.x = x
    floors = _stack_levels(items)
    width = max(item.x + item.right for item in items)
    return Layout(items, width, floors[-1], floors, trim_note(record, twigs))


def text_width(text: str, size: float) -> float:
    """The approximate width of a sans-serif text; never much too small."""
    return size * sum(map(_letter_width, text)) if text else 0.0


@cache
def _letter_width(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    if letter in " .,:;'|!()[]ijlIft":
        return 0.36
    return 0.85 if letter in "mwMW…∞" else 0.6 if letter.islower() or letter.isdigit() else 0.68


def _items(record: Record, twigs: list[Twig]) -> list[Item]:
    """What to draw for each twig, without positions."""
    gone = dropped(record, preorder(record))
    line = set(principal(record))
    badges = conclusions_at(record)
    cuts = cuts_at(record)
    facts = facts_at(record)
    seen = touched(record)
    kept = {twig.node for twig in twigs if not twig.hidden}
    items = []
    for twig in twigs:
        node = record.nodes[twig.node]
        if twig.hidden:
            items.append(_stub(twig, node, gone, kept))
            continue
        said = facts_words(facts[twig.node]) if twig.node in facts else ""
        item = _item(twig, node, twig.node in gone, twig.node in seen, twig.node in line, said)
        item.action = shorten(node.action, ACTION_LETTERS)
        item.badges = _badges(badges.get(twig.node, []))
        for cut in cuts.get(twig.node, []):
            item.cuts += _two_lines(cut_label(record, cut))
        items.append(item)
    return items


def _stub(twig: Twig, node: Node, gone: set[int], kept: set[int]) -> Item:
    """A stub is dropped if everything that it hides is."""
    text = f"… {count(twig.hidden, 'node')}"
    state = "dropped" if all(c in gone for c in node.children if c not in kept) else "seen"
    wide = text_width(text, WORD_FONT) + 10
    return Item(
        twig.node, twig.parent, twig.level, twig.hidden, twig.children, "stub", state, False, wide, 20.0, text
    )


def _item(twig: Twig, node: Node, is_dropped: bool, is_seen: bool, on_line: bool, facts: str) -> Item:
    """A node with its words; a leaf has its value inside, an inner node beside it."""
    state = "dropped" if is_dropped else "seen" if node.visits or is_seen else "unseen"
    is_leaf = not node.children and bool(node.label or any(visit.leaf for visit in node.visits))
    is_leaf = is_leaf and node.player != ALONE
    shape = SHAPES.get(node.player, "chance")
    if is_leaf:
        shape = "leaf" if is_evaluated(node) or not node.visits else "other"
    item = Item(
        twig.node, twig.parent, twig.level, 0, twig.children, shape, state, on_line, SHAPE_WIDTH, SHAPE_HEIGHT
    )
    if is_leaf:
        _fill_leaf(item, node)
    elif node.visits or node.label or node.children or facts:
        _fill_inner(item, node)
    else:
        item.width, item.height = SMALL * SHAPE_WIDTH, SMALL * SHAPE_HEIGHT
    if facts:
        item.beside.append(shorten(facts, FACT_LETTERS))
    return item


def _fill_leaf(item: Item, node: Node) -> None:
    """The number in the box, with a sign only if it is a bound; the visits below it."""
    shown = result(node.visits)
    item.inside = shorten(shown.removeprefix("= ") or signed(node.label), INSIDE_LETTERS)
    item.width = max(LEAF_SIZE, text_width(item.inside, WORD_FONT + 2) + 14)
    item.height = LEAF_SIZE
    orders = [f"#{visit.order}" for visit in node.visits]
    item.below = " ".join(orders if len(orders) <= 2 else [orders[0], f"×{len(orders)}"])
    if item.shape == "other":
        item.below += f" {say(node.visits[-1].leaf)}"


def _fill_inner(item: Item, node: Node) -> None:
    """The value beside the shape, and each visit with its window; its result too, if there are several."""
    if text_width(node.label, WORD_FONT) <= SHAPE_WIDTH / 2:
        item.inside = node.label
    item.value = result(node.visits)
    if node.label and not item.inside:
        item.value = f"{shorten(node.label, CAPTION_LETTERS)} {item.value}".strip()
    several = len(node.visits) > 1
    for visit in node.visits:
        gave = f" {returned(visit)}" if several else ""
        item.beside.append(f"#{visit.order} {window(visit.alpha, visit.beta)}{gave}")
    if len(item.beside) > VISITS_SHOWN:
        item.beside[1:-1] = [say("… {} more visits", len(item.beside) - 2)]


def _two_lines(label: str) -> list[str]:
    """A short label as it is; a longer one broken before its last `by`."""
    by = say("{}-cut by {}", "", "").strip().rpartition(" ")[2]
    kind, found, ancestor = label.rpartition(f" {by} ")
    if not found or len(label) <= ONE_LINE_LETTERS:
        return [shorten(label, WORD_LETTERS)]
    return [kind, shorten(f"{by} {ancestor}", WORD_LETTERS)]


def _badges(numbers: list[int]) -> list[int]:
    return numbers if len(numbers) <= BADGES_SHOWN else [*numbers[: BADGES_SHOWN - 1], 0]


def badge_width(item: Item) -> float:
    """The width of one number of an item with the space around it: a circle, or a pill from 100 on."""
    return 5.0 + 6.0 * max(2, len(str(max(item.badges, default=0))))


def words_height(item: Item) -> float:
    """The height of the words beside a shape."""
    return VALUE_LINE * bool(item.value) + WORD_LINE * (len(item.beside) + len(item.cuts))


def _left(item: Item) -> float:
    half = _half(item)
    if not item.badges:
        return half + SIBLING_GAP
    abreast = min(len(item.badges), BADGES_ABREAST)
    return max(half, item.width / 2 + abreast * badge_width(item)) + SIBLING_GAP


def _right(item: Item) -> float:
    words = [text_width(text, WORD_FONT) for text in [*item.beside, *item.cuts]]
    widest = max(text_width(item.value, VALUE_FONT), *words, 0.0)
    beside = item.width / 2 + (widest + 5 if widest else 0)
    return max(beside, _half(item)) + SIBLING_GAP


def _half(item: Item) -> float:
    """Half the width of the middle part: the shape, the words below it, the action above it."""
    action = text_width(item.action, WORD_FONT) / ACTION_AT
    return max(item.width, text_width(item.below, WORD_FONT), action) / 2


def _stack_levels(items: list[Item]) -> list[float]:
    """Set the y of every item and return the lower edge of every band."""
    depth = max(item.level for item in items) + 1
    tall = [0.0] * depth
    reach = [0.0] * depth  # how far the widest branch below a level extends sideways
    for item in items:
        rows = -(-len(item.badges) // BADGES_ABREAST) * BADGE_HEIGHT
        height = max(item.height, words_height(item), rows) + WORD_LINE * bool(item.below)
        tall[item.level] = max(tall[item.level], height)
        if item.parent is not None:
            above = items[item.parent]
            reach[above.level] = max(reach[above.level], abs(item.x - above.x))
    tops, floors, y = [], [], 0.0
    for level in range(depth):
        tops.append(y)
        floors.append(y + tall[level])
        y = floors[-1] + min(EDGE_HEIGHT_MOST, max(EDGE_HEIGHT, EDGE_SLOPE * reach[level]))
    for item in items:
        item.y = tops[item.level]
    return floors
