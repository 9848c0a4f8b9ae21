"""The results of a match in words: the same on a terminal and in a notebook."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gambito.players.crosstable import rating_of
from gambito.players.rating import Gain, Rating
from gambito.words import count, digits, say

if TYPE_CHECKING:
    from gambito.players.standing import Standing

FAULTS = 5  # the most faults that are listed


def facts(standing: Standing) -> list[tuple[str, str]]:
    """The standing as pairs of a name and a text; an empty text means that there is nothing to show."""
    match, tally, rating = standing.match, standing.tally, standing.tally.rating()
    if match.is_alone:
        return _alone(standing)
    is_counted = match.rules.chance or match.rules.hidden or match.seats > 2
    return [
        (say("game"), _game_words(standing)),
        (
            say("games"),
            say("{}: {} won, {} drawn, {} lost", tally.games, tally.wins, tally.draws, tally.losses),
        ),
        (
            say("pairs"),
            "" if match.seats > 2 else say("{}  (0, ½, 1, 1½, 2 points)", " ".join(map(str, tally.pairs))),
        ),
        (say("score"), "" if standing.score is None else digits(f"{100 * standing.score:.1f} %")),
        (say("a game"), gain_words(standing) if is_counted else ""),
        *(table_words(standing) if match.seats > 2 else ()),
        *seat_words(standing),
        ("Elo", "" if rating is None else say("{}  (95 %, for {})", elo_words(rating), match.names[0])),
        (say("superior"), "" if rating is None else say("{:.1f} % likely", 100 * rating.superiority)),
        (say("test"), _test_words(standing)),
        *_ends(standing),
    ]


def _ends(standing: Standing) -> list[tuple[str, str]]:
    """The games that were lost on time and by faults, and the file."""
    match = standing.match
    return [
        *((say("on time"), say("{0:,} {0:game|games} lost by {1}", standing.lost_on_time(name), name))
          for name in dict.fromkeys(match.names) if match.control),
        *((say("fault"), _fault(crash)) for crash in standing.crashes[:FAULTS]),
        (say("faults"), say("{} in all", len(standing.crashes)) if len(standing.crashes) > FAULTS else ""),
        (say("file"), "" if match.path is None else str(match.path)),
    ]  # fmt: skip


def _fault(crash: dict[str, Any]) -> str:
    number, loser, reason = crash["number"] + 1, crash["loser"], crash["reason"]
    return say("game {}: {} {}, {}", number, loser, say(reason), crash["problem"])


def _alone(standing: Standing) -> list[tuple[str, str]]:
    """The scores of players who do not meet: each plays the same deals alone."""
    match = standing.match
    scores = [
        (say("score"), say("{}  (95 %, {} of {})", mean_words(gain), count(gain.deals, "game"), name))
        for name, gain in zip(match.names, standing.scores, strict=True)
        if gain.mean is not None
    ]
    is_compared = standing.gain.mean is not None
    difference = f"{mean_words(standing.gain, '+.4g')}  (95 %, {' − '.join(match.names[:2])})"
    return [
        (say("game"), _game_words(standing)),
        (say("games"), str(len(standing.done))),
        *scores,
        (say("difference"), difference if is_compared else ""),
        *_ends(standing),
    ]


def _game_words(standing: Standing) -> str:
    match = standing.match
    label = match.rules.label()
    return say("{}, clock {}", label, match.control) if match.control else label


def mean_words(gain: Gain, form: str = ".4g") -> str:
    """A mean with its error: 12.3 ± 0.4; "" if there is none."""
    if gain.mean is None:
        return ""
    error = "∞" if gain.error is None else f"{gain.error:.3g}"
    return digits(f"{gain.mean:{form}} ± {error}")


def elo_words(rating: Rating) -> str:
    """A difference in rating with its error: +35 ± 12."""
    error = f"{rating.error:.0f}" if math.isfinite(rating.error) else "∞"
    return f"{round(rating.elo):+d} ± {error}" if math.isfinite(rating.elo) else f"{rating.elo:+} ± {error}"


def gain_words(standing: Standing) -> str:
    """What the first player wins in a game, with its error: +0.12 ± 0.05; "" before the first deal."""
    told = mean_words(standing.gain, "+.3g")
    return say("{}  (95 %, for {})", told, standing.match.names[0]) if told else ""


def table_words(standing: Standing) -> list[tuple[str, str]]:
    """The points of every pair of players with their error."""
    names, table = standing.match.names, standing.table
    rows = []
    for (one, two), gain in table.pairs.items():
        rating = rating_of(gain)
        if gain.mean is not None:
            error = "∞" if gain.error is None else f"{100 * gain.error:.1f}"
            strength = "" if rating is None else f", Elo {elo_words(rating)}"
            points = digits(f"{100 * gain.mean:.1f} ± {error} %")
            rows.append((say("pair"), f"{names[one]} – {names[two]}: {points}{strength}"))
    return rows


def seat_words(standing: Standing) -> list[tuple[str, str]]:
    """The points of every player in each seat."""
    names, table, rows = standing.match.names, standing.table, []
    for seat in range(standing.match.seats):
        means = [(name, table.seats[who, seat].mean) for who, name in enumerate(names)]
        told = [f"{name} " + digits(f"{100 * mean:.1f} %") for name, mean in means if mean is not None]
        rows.append((say("seat {}", seat + 1), ", ".join(told)))
    return rows


def _test_words(standing: Standing) -> str:
    sprt = standing.match.sprt
    if sprt is None:
        return ""
    low, high = sprt.bounds
    kept, other = (sprt.elo1, sprt.elo0) if standing.verdict == "elo1" else (sprt.elo0, sprt.elo1)
    verdict = say("accepted: Elo {:+g} rather than {:+g}", kept, other) if standing.verdict else say("open")
    return say("{}  (LLR {:+.2f}, from {:.2f} to {:+.2f})", verdict, sprt.ratio(standing.tally), low, high)
