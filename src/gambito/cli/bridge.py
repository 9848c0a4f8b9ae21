"""`gambito bridge`: the tricks of every declarer in every strain with open cards, and par."""

from __future__ import annotations

from typing import Any

import click

from gambito.cli.command_result import CommandResult, answering
from gambito.game_tools.bridge.contracts import SEATS, STRAINS, VULNERABLE
from gambito.game_tools.bridge.par import par
from gambito.game_tools.bridge.tables import WHOLE, DoubleDummy, cards_of, results
from gambito.words import say

NAMES = {"N": "North", "E": "East", "S": "South", "W": "West"}


@click.command(short_help="Solve a deal of bridge with open cards.")
@click.argument("deal", metavar="DEAL")
@click.option(
    "--dealer", type=click.Choice(list("NESW"), case_sensitive=False), default="N", help="Who deals."
)
@click.option(
    "--vulnerable",
    type=click.Choice(VULNERABLE, case_sensitive=False),
    default="None",
    help="The sides that are vulnerable.",
)
@click.option(
    "--strain",
    type=click.Choice(STRAINS, case_sensitive=False),
    help="Show instead the tricks that every card of the first hand takes, in this strain.",
)
@answering
def bridge(deal: str, dealer: str, vulnerable: str, strain: str | None) -> CommandResult:
    """Compute the tricks that each hand takes in each strain with open cards, and par.

    DEAL is a deal as in PBN: a seat, and four hands clockwise from it, of any number of cards. With --strain
    the first hand leads, or plays next if the cards of a trick follow the hands.

    \b
    gambito bridge "N:KQJ4.853.96.8753 AT862.Q9.KQT32.6 93.KT762.J854.AK 75.AJ4.A7.QJT942"
    gambito bridge "W:A5.2.. 43.3.. K2.A.. QJ.K.." --strain S
    """
    if strain is not None:
        return every_card(deal, strain)
    table = results(deal)
    lines = [f"{'':6}" + "".join(f"{strain:>4}" for strain in reversed(STRAINS))]
    for seat, name in NAMES.items():
        lines.append(f"{say(name):6}" + "".join(f"{table[strain][seat]:4}" for strain in reversed(STRAINS)))
    data: dict[str, Any] = {"deal": deal, "tricks": table, "dealer": dealer, "vulnerable": vulnerable}
    if cards_of(deal) == WHOLE:
        best = par(table, SEATS.index(dealer), VULNERABLE.index(vulnerable))
        by = say(" by {}", say(NAMES[SEATS[best.contract.declarer]])) if best.contract.level else ""
        lines += ["", say("par   {}{}, {:+} for North and South", best.contract, by, best.points)]
        data |= {"par": best.points, "contract": f"{best.contract}{by}"}
    return CommandResult(data, "\n".join(lines))


def every_card(deal: str, strain: str) -> CommandResult:
    """What every card of the hand to play takes."""
    solver = DoubleDummy(strain)
    state = solver.rules.parse(deal)
    found = {solver.rules.write(state, card): tricks for card, tricks in solver.cards(state).items()}
    ranked = sorted(found.items(), key=lambda one: -one[1])
    text = "\n".join(f"{card}  {tricks}" for card, tricks in ranked)
    return CommandResult({"deal": deal, "strain": strain, "cards": found}, text)
