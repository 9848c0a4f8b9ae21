"""`gambito equity`: the share of the pot that hands or ranges of hold'em win if nobody bets any more."""

from __future__ import annotations

import click

from gambito.cli import phrases
from gambito.cli.command_result import CommandResult, answering
from gambito.game_tools.poker.cards import card_name, read_board
from gambito.game_tools.poker.equity import SAMPLES
from gambito.game_tools.poker.equity import equity as equity_of
from gambito.game_tools.poker.ranges import read_range
from gambito.words import digits, say


@click.command(short_help="Compute equities of hold'em hands and ranges.")
@click.argument("ranges", nargs=-1, required=True, metavar="RANGE RANGE...")
@click.option("--board", default="", metavar="CARDS", help="Three to five cards, as in 'Ks Th 7s'.")
@click.option("--exact/--sampled", default=None, help="Count every deal, or draw deals at random.")
@click.option("--samples", type=int, default=SAMPLES, metavar="N", help="Number of random deals.")
@click.option("--seed", type=int, default=1, metavar="N", help="Seed of the random deals.")
@answering
def equity(ranges: tuple[str, ...], board: str, exact: bool | None, samples: int, seed: int) -> CommandResult:
    """Compute the share of the pot that each of 2 to 10 players wins on average if nobody bets any more.

    A range names hands: 22+ and A2s+ with all that are higher, 99-66, AhKd, QQ:0.5 with a weight, random.
    Without --exact or --sampled, every deal is counted if that takes seconds; else deals are drawn at random,
    and the standard error is printed.

    \b
    gambito equity AhKh QsQd
    gambito equity '22+,A2s+,KTo+' random
    gambito equity AA KQs 76s --board 'Ks Th 7s'
    """
    cards = read_board(board)
    found = equity_of([read_range(text) for text in ranges], cards, exact=exact, samples=samples, seed=seed)
    lines = []
    for player, text in enumerate(ranges):
        error = "" if found.errors is None else digits(f" ± {100 * found.errors[player]:.3f}")
        part = say("wins {:.3f} %, ties {:.3f} %", 100 * found.wins[player], 100 * found.ties[player])
        lines.append((text, digits(f"{100 * found.shares[player]:.3f} %") + f"{error}   {part}"))
    counted = say("all {0:,} {0:deal|deals}", found.deals)
    if found.errors is not None:
        counted = say("{0:,} random {0:deal|deals}", found.deals)
    lines.append((say("counted"), counted))
    data = {"ranges": list(ranges), "board": [card_name(card) for card in cards], **found.as_dict()}
    return CommandResult(data, phrases.rows(lines))
