"""`gambito book`: opening books, made from played games and from the engine's own analysis."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import numpy as np

import gambito
from gambito.books.asking import Asking
from gambito.books.book import Book, merge, new_pages, open_own
from gambito.books.collection import PLIES, Collection
from gambito.books.entries import EXACT, count_positions
from gambito.books.files import changing, write_pages
from gambito.books.growth import WEIGHT, Growth, settled
from gambito.books.polyglot import check_chess, make_book, write_book
from gambito.cli import options, phrases
from gambito.cli.command_result import CommandResult, answering
from gambito.cli.progress import Gauge
from gambito.endgames.remote_files import tables_to_send
from gambito.game.line import write_line
from gambito.jobs import choose_executor
from gambito.search.limits import Limits
from gambito.words import digits, say

INTERRUPTED = 130  # exit status
TOLD = 5  # skipped games that are listed
NODES = 100_000  # for each move, if no limit is given
KEPT = 20.0  # minimum seconds between two saves of a growing book
SHARE = 20  # the interval is also at least this many times the duration of a save
HEAD = ("move", "games", "won", "drawn", "lost", "value", "depth")

file = click.Path(dir_okay=False, path_type=Path)
output = click.option("--output", type=file, required=True, metavar="FILE", help="File to write the book to.")
of_game = click.option(
    "--game",
    metavar="GAME",
    help="The game of the book, if the name in the book is not enough: rules.py:MyGame.",
)


@click.group(short_help="Opening books: build, show, extend, merge, export.")
def book() -> None:
    """Opening books: how often each move was played, how those games ended, and the engine's analysis.

    A player plays from a book while the book has a move: engine:seconds=1,book=FILE.
    """


@book.command(short_help="Build a book from played games.")
@options.game
@click.argument("files", nargs=-1, required=True, type=file, metavar="FILE...")
@output
@click.option(
    "--plies",
    type=int,
    default=PLIES,
    show_default=True,
    metavar="N",
    help="Number of plies of each game that are counted.",
)
@answering
def build(game: str, files: tuple[Path, ...], output: Path, plies: int) -> CommandResult:
    """Count the moves in collections of games, and how the games ended.

    Accepted files are PGN for chess, PDN for checkers and draughts, SGF for Go, WTHOR's .wtb and lists of
    moves for Othello, and for any game a text with one game per line, with or without its result at the end
    of the line. Games that cannot be read are reported and skipped.

    \b
    gambito book build chess games.pgn --output chess.book
    gambito book build othello WTH_1980.wtb list.txt --output othello.book --plies 30
    """
    rules = gambito.load(game)
    collection = Collection(rules, plies)
    with Gauge("games") as gauge:
        for path in files:
            for number in collection.read(path):
                gauge.show(number, say("{}: {}", path.name, phrases.count(number, "game")))
    pages = collection.pages()
    if not pages.facts.games:
        first = f": {collection.skipped[0].reason}" if collection.skipped else ""
        raise gambito.BookError("there is no game of {} in {}{}", rules.label(), files[0], first)
    with changing(output):
        write_pages(output, pages)
    skipped = [vars(game) for game in collection.skipped]
    facts = [
        *_fact_rows(Book(pages, str(output))),
        *(
            (say("skipped"), say("game {} of {}: {}", s["number"], s["file"], s["reason"]))
            for s in skipped[:TOLD]
        ),
        ("", say("{} skipped in total", len(skipped)) if len(skipped) > TOLD else ""),
    ]
    return CommandResult({**_facts(Book(pages, str(output))), "skipped": skipped}, phrases.rows(facts))


def _skipped(game: dict[str, Any]) -> str:
    return say("game {} of {}: {}", game["number"], game["file"], game["reason"])


@book.command(short_help="Show the contents of a book.")
@click.argument("path", type=file, metavar="BOOK")
@options.position
@of_game
@answering
def show(path: Path, position: str | None, game: str | None) -> CommandResult:
    """Show the game and the size of a book, and what it contains about a position and its moves.

    \b
    gambito book show chess.book
    gambito book show othello.book --position f5d6
    """
    known, rules = _open(path, game)
    state = rules.initial() if position is None else rules.parse(position)
    moves = _moves(known, rules, state)
    data = {**_facts(known), "position": rules.text(state) or position or "", "moves": moves}
    facts = phrases.rows(_fact_rows(known))
    return CommandResult(data, f"{facts}\n\n{rules.show(state)}\n\n{_table(rules, moves)}")


@book.command(short_help="Add positions that the engine analyses.")
@click.argument("path", type=file, metavar="BOOK")
@click.option("--positions", type=int, required=True, metavar="N", help="Number of positions to add.")
@options.depth
@options.seconds
@click.option(
    "--nodes",
    type=int,
    metavar="N",
    help=f"States to visit for each move of a position.  [default: {NODES:,}]",
)
@options.threads
@options.jobs
@options.cluster
@options.position
@click.option(
    "--together",
    type=int,
    default=1,
    show_default=True,
    metavar="N",
    help="Number of positions to add at a time. All their moves are searched together, and the book "
    "depends on this number.",
)
@click.option(
    "--weight", type=float, default=WEIGHT, show_default=True, metavar="W",
    help="Cost, in plies, of a move that loses one unit of value. With a low cost, weak lines grow too.",
)  # fmt: skip
@click.option("--game", metavar="GAME", help="Start a new book of this game if the file does not exist.")
@answering
def extend(
    path: Path,
    positions: int,
    threads: int,
    jobs: int | None,
    cluster: str | None,
    position: str | None,
    together: int,
    weight: float,
    game: str | None,
    **limits: Any,
) -> CommandResult:
    """Add positions that the engine analyses move by move, starting with the best play of both sides.

    The next position to add is the cheapest one to reach: each ply costs 1, and a move that is worse than
    the best one costs more. Values are minimaxed. Ctrl-C ends the command; the book keeps what was found,
    and the next run continues from there.

    With --jobs the moves of a position are searched at the same time, each in a process. With limits in nodes
    or depth, and one thread, the book is the same for any number of jobs.

    \b
    gambito book extend othello.book --game othello --positions 1000 --nodes 200000
    gambito book extend chess.book --positions 100 --seconds 0.2 --threads 2
    """
    if positions < 1:
        raise click.UsageError(say("--positions must be 1 or more, not {}", positions))
    if not 0 <= weight < 1e6:
        raise click.UsageError(say("--weight must be 0 or more, not {:g}", weight))
    if together < 1:
        raise click.UsageError(say("--together must be 1 or more, not {}", together))
    given = options.given(**limits) or {"nodes": NODES}
    executor = choose_executor(jobs, cluster, usual=1)
    with changing(path):
        if game is not None and not path.exists():
            rules = gambito.load(game)
            pages = new_pages(rules)
        else:
            known, rules = _open(path, game)
            pages = known.pages()
        start = None if position is None else rules.parse(position)
        tables = [tables_to_send(rules)]
        with (
            Gauge(say("positions"), positions) as gauge,
            closing(
                Asking(rules, Limits(**given), threads, executor=executor, tell=gauge.hear, files=tables)
            ) as ask,
        ):
            growth = Growth(rules, pages, ask, start, weight, together)
            status, added = _grow(growth, path, positions, gauge)
    root = growth.root
    made = Book(growth.kept(), str(path))
    line = write_line(rules, growth.start, growth.line())
    value = None if root is None else root.value
    is_exact = root is not None and root.is_exact
    data = {**_facts(made), "added": added, "value": value, "exact": is_exact, "line": line}
    proven = say(", proven") if is_exact else ""
    rest = "" if added == positions or status else say(", and there is nothing left to add")
    facts = [
        *_fact_rows(made),
        (say("added"), phrases.count(added, "position") + rest),
        (say("value"), "" if value is None else phrases.signed(value) + proven),
        (say("line"), " ".join(map(rules.spoken, line))),
    ]
    return CommandResult(data, phrases.rows(facts), status)


def _grow(growth: Growth, path: Path, positions: int, gauge: Gauge) -> tuple[int, int]:
    """Grow a book and save it from time to time; return the exit status and the number of added positions."""
    status, before = 0, len(growth.positions)
    due = time.monotonic() + KEPT
    try:
        for added, _ in enumerate(growth.grow(positions), 1):
            root = growth.root
            gauge.show(added, "" if root is None else say("value {}", phrases.signed(root.value)))
            if time.monotonic() >= due and added < positions:
                began = time.monotonic()
                write_pages(path, growth.kept())
                due = time.monotonic() + max(KEPT, SHARE * (time.monotonic() - began))
    except KeyboardInterrupt:
        status = INTERRUPTED
    write_pages(path, growth.kept())
    return status, len(growth.positions) - before


@book.command(name="merge", short_help="Merge several books into one.")
@click.argument("paths", nargs=-1, required=True, type=file, metavar="BOOK...")
@output
@of_game
@answering
def merge_books(paths: tuple[Path, ...], output: Path, game: str | None) -> CommandResult:
    """Merge several books of the same game: the counts of games are added and the analyses are joined.

    \b
    gambito book merge games.book analysis.book --output both.book
    """
    with changing(output):
        books = [open_own(path) for path in paths]
        pages = merge(books)
        if not np.isnan(pages.entries["value"]).all():
            pages = settled(_game_of(books[0], game), pages)
        write_pages(output, pages)
    made = Book(pages, str(output))
    return CommandResult(_facts(made), phrases.rows(_fact_rows(made)))


@book.command(short_help="Export a chess book for other programs.")
@click.argument("path", type=file, metavar="BOOK")
@output
@answering
def export(path: Path, output: Path) -> CommandResult:
    """Write a chess book in the Polyglot format, which other programs read.

    The weight of a move is 2 for each game won and 1 for each draw. In positions that the engine has
    analysed, only moves that are nearly as good as the best one are written.
    """
    known, rules = _open(path, None)
    check_chess(rules)
    entries = make_book(rules, ((state, known.moves(rules, state)) for state, _ in known.walk(rules)))
    write_book(output, entries)
    data = {"game": rules.label(), "book": str(output), "entries": len(entries)}
    return CommandResult(
        data, phrases.rows([(say("book"), str(output)), (say("entries"), digits(f"{len(entries):,}"))])
    )


# ---- what is told ------------------------------------------------------------------------------------


def _open(path: Path, game: str | None) -> tuple[Book, gambito.Game]:
    known = open_own(path)
    return known, _game_of(known, game)


def _game_of(known: Book, game: str | None) -> gambito.Game:
    rules = gambito.load(game or known.facts.game)
    known.check(rules)
    return rules


def _facts(known: Book) -> dict[str, Any]:
    facts, entries = known.facts, known.entries()
    return {
        "game": facts.game,
        "book": known.name,
        "games": facts.games,
        "positions": count_positions(entries),
        "entries": len(entries),
        "analysed": count_positions(entries[~np.isnan(entries["value"])]),
    }


def _fact_rows(known: Book) -> list[tuple[str, str]]:
    data = _facts(known)
    analysed = say(", {:,} analysed", data["analysed"]) if data["analysed"] else ""
    return [
        (say("book"), say("{}, of {}", data["book"], data["game"])),
        (say("games"), digits(f"{data['games']:,}")),
        (say("positions"), digits(f"{data['positions']:,}") + analysed),
        (say("moves"), digits(f"{data['entries']:,}")),
    ]


def _moves(known: Book, rules: gambito.Game, state: Any) -> list[dict[str, Any]]:
    """Return the moves of a position, the best first: sorted by value, then by number of games."""
    found = []
    for entry in known.find(rules, state):
        is_analysed = not np.isnan(entry["value"])
        found.append(
            {
                "action": rules.write(state, int(entry["action"])),
                "games": int(entry["count"]),
                "wins": int(entry["wins"]),
                "draws": int(entry["draws"]),
                "losses": int(entry["losses"]),
                "value": rules.value(entry["value"]) if is_analysed else None,
                "depth": int(entry["depth"]) if is_analysed else None,
                "exact": bool(entry["flags"] & EXACT),
            }
        )
    return sorted(found, key=lambda m: (m["value"] is None, -(m["value"] or 0), -m["games"], m["action"]))


def _table(rules: gambito.Game, moves: list[dict[str, Any]]) -> str:
    if not moves:
        return say("the book has no move here")
    lines = [tuple(map(say, HEAD))]
    for m in moves:
        told = m["wins"] + m["draws"] + m["losses"]
        shares = [f"{100 * m[name] / told:.0f} %" if told else "" for name in ("wins", "draws", "losses")]
        proven = say(" proven") if m["exact"] else ""
        value = "" if m["value"] is None else phrases.signed(m["value"]) + proven
        depth = "" if m["depth"] is None else str(m["depth"])
        lines.append(
            (
                rules.spoken(m["action"]),
                digits(f"{m['games']:,}") if m["games"] else "",
                *shares,
                value,
                depth,
            )
        )
    widths = [max(len(line[place]) for line in lines) for place in range(len(HEAD))]
    kept = [place for place in range(len(HEAD)) if any(line[place] for line in lines[1:])]
    return "\n".join("  ".join(line[p].rjust(widths[p]) for p in kept) for line in lines)
