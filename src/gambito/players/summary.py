"""The results of a match in words: the same on a terminal and in a notebook."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gambito.players.crosstable import rating_of
from gambito.players.rating import Gain, Rating
from gambito.search.summary import count

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
        ("game", f"{match.rules.label()}" + (f", clock {match.control}" if match.control else "")),
        ("games", f"{tally.games}: {tally.wins} won, {tally.draws} drawn, {tally.losses} lost"),
        ("pairs", "" if match.seats > 2 else f"{' '.join(map(str, tally.pairs))}  (0, ½, 1, 1½, 2 points)"),
        ("score", "" if standing.score is None else f"{100 * standing.score:.1f} %"),
        ("a game", gain_words(standing) if is_counted else ""),
        *(table_words(standing) if match.seats > 2 else ()),
        *seat_words(standing),
        ("Elo", "" if rating is None else f"{elo_words(rating)}  (95 %, for {match.names[0]})"),
        ("superior", "" if rating is None else f"{100 * rating.superiority:.1f} % likely"),
        ("test", _test_words(standing)),
        *_ends(standing),
    ]


def _ends(standing: Standing) -> list[tuple[str, str]]:
    """The games that were lost on time and by faults, and the file."""
    match = standing.match
    return [
        *(("on time", f"{count(standing.lost_on_time(name), 'game')} lost by {name}")
          for name in dict.fromkeys(match.names) if match.control),
        *(("fault", f"game {c['number'] + 1}: {c['loser']} {c['reason']}, {c['problem']}")
          for c in standing.crashes[:FAULTS]),
        ("faults", f"{len(standing.crashes)} in all" if len(standing.crashes) > FAULTS else ""),
        ("file", "" if match.path is None else str(match.path)),
    ]  # fmt: skip


def _alone(standing: Standing) -> list[tuple[str, str]]:
    """The scores of players who do not meet: each plays the same deals alone."""
    match = standing.match
    scores = [
        ("score", f"{mean_words(gain)}  (95 %, {count(gain.deals, 'game')} of {name})")
        for name, gain in zip(match.names, standing.scores, strict=True)
        if gain.mean is not None
    ]
    is_compared = standing.gain.mean is not None
    difference = f"{mean_words(standing.gain, '+.4g')}  (95 %, {' − '.join(match.names[:2])})"
    return [
        ("game", match.rules.label() + (f", clock {match.control}" if match.control else "")),
        ("games", str(len(standing.done))),
        *scores,
        ("difference", difference if is_compared else ""),
        *_ends(standing),
    ]


def mean_words(gain: Gain, form: str = ".4g") -> str:
    """A mean with its error: 12.3 ± 0.4; "" if there is none."""
    if gain.mean is None:
        return ""
    error = "∞" if gain.error is None else f"{gain.error:.3g}"
    return f"{gain.mean:{form}} ± {error}"


def elo_words(rating: Rating) -> str:
    """A difference in rating with its error: +35 ± 12."""
    error = f"{rating.error:.0f}" if math.isfinite(rating.error) else "∞"
    return f"{round(rating.elo):+d} ± {error}" if math.isfinite(rating.elo) else f"{rating.elo:+} ± {error}"


def gain_words(standing: Standing) -> str:
    """What the first player wins in a game, with its error: +0.12 ± 0.05; "" before the first deal."""
    told = mean_words(standing.gain, "+.3g")
    return f"{told}  (95 %, for {standing.match.names[0]})" if told else ""


def table_words(standing: Standing) -> list[tuple[str, str]]:
    """The points of every pair of players with their error."""
    names, table = standing.match.names, standing.table
    rows = []
    for (one, two), gain in table.pairs.items():
        rating = rating_of(gain)
        if gain.mean is not None:
            error = "∞" if gain.error is None else f"{100 * gain.error:.1f}"
            strength = "" if rating is None else f", Elo {elo_words(rating)}"
            rows.append(("pair", f"{names[one]} – {names[two]}: {100 * gain.mean:.1f} ± {error} %{strength}"))
    return rows


def seat_words(standing: Standing) -> list[tuple[str, str]]:
    """The points of every player in each seat."""
    names, table, rows = standing.match.names, standing.table, []
    for seat in range(standing.match.seats):
        means = [(name, table.seats[who, seat].mean) for who, name in enumerate(names)]
        told = [f"{name} {100 * mean:.1f} %" for name, mean in means if mean is not None]
        rows.append((f"seat {seat + 1}", ", ".join(told)))
    return rows


def _test_words(standing: Standing) -> str:
    sprt = standing.match.sprt
    if sprt is None:
        return ""
    low, high = sprt.bounds
    verdict = {
        "elo1": f"accepted: Elo {sprt.elo1:+g} rather than {sprt.elo0:+g}",
        "elo0": f"accepted: Elo {sprt.elo0:+g} rather than {sprt.elo1:+g}",
        "": "open",
    }[standing.verdict]
    return f"{verdict}  (LLR {sprt.ratio(standing.tally):+.2f}, from {low:.2f} to {high:+.2f})"
