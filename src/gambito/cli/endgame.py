"""`gambito endgame`: tables of positions near the end, with the outcome and distance of every position."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import gambito
from gambito.cli import options, phrases
from gambito.cli.check import PROBLEMS
from gambito.cli.command_result import CommandResult, answering
from gambito.cli.progress import Gauge
from gambito.endgames.builder import METRICS, is_numbered
from gambito.endgames.files import TableFile
from gambito.endgames.folders import folder, place_of
from gambito.endgames.graph import Building, Verifying
from gambito.endgames.places import LISTED
from gambito.endgames.tables import SUFFIX, Known, Tables, TableSet, open_table, paths_of
from gambito.errors import StaleTable
from gambito.game.line import write_line
from gambito.game.registry import game_classes
from gambito.jobs import JobProgress, choose_executor
from gambito.words import digits, say

OPENING = 0.5  # approximate share of a build that its first pass takes
FADING = 0.9  # approximate share of the remaining work that is left after each further pass
HEAD = ("slice", "positions", "wins", "draws", "losses", "longest", "metric", "size")

where = click.option(
    "--tables",
    "where",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder of the tables.  [default: GAMBITO_TABLES, or the user's data folder]",
)


@click.group(short_help="Tables of positions near the end: build, verify, probe, longest, list.")
def endgame() -> None:
    """Endgame tables: the outcome and the distance of every position with few pieces.

    Searches use the tables automatically. Each table holds one slice: all positions with the same material,
    such as KQK. A game with few positions and no slices has one table of all its positions.
    """


def _done(building: Building, finished: list[str]) -> int:
    """The approximate number of positions that are done, with those of the tables that are being built."""
    total = sum(building.sizes[name] for name in finished)
    for now in list(building.now.values()):
        part = now.done / now.size if now.size else 0.0
        share = OPENING * part if now.level == 0 else 1 - (1 - OPENING) * FADING**now.level
        total += int(share * building.sizes.get(now.name, 0))
    return total


@endgame.command(short_help="Build tables.")
@options.game
@click.argument("slices", nargs=-1, metavar="[SLICE]...")
@click.option("--men", type=int, metavar="N", help="Build all slices of up to N pieces.")
@click.option(
    "--metric",
    type=click.Choice(METRICS),
    default=METRICS[0],
    help="The event that distances count to.  [default: end]",
)
@options.threads
@options.jobs
@options.cluster
@where
@answering
def build(
    game: str,
    slices: tuple[str, ...],
    men: int | None,
    metric: str,
    threads: int,
    jobs: int | None,
    cluster: str | None,
    where: Path | None,
) -> CommandResult:
    """Build tables, and also the missing tables that they convert to. Tables of older rules are built again.

    A build that was interrupted continues where it stopped. Distances are plies to the end of the game, or to
    the next conversion: a capture or a promotion, after which another table applies.

    With --jobs several tables are built at the same time, each in a process and by --threads threads. A table
    waits for those that it converts to, and until there is memory for it.

    \b
    gambito endgame build chess KQK
    gambito endgame build chess --men 4 --jobs 2
    gambito endgame build tic-tac-toe
    """
    rules = gambito.load(game)
    building = Building(game, _wanted(rules, slices, men), where, metric, threads)
    executor = choose_executor(jobs, cluster, usual=1)
    shelf, missing = building.shelf, building.missing
    wanted = max(building.memory.values(), default=0)
    if missing:
        what = ", ".join(missing) if len(missing) <= 12 else phrases.count(len(missing), "table")
        memory = say(": at most {} of memory", phrases.size(wanted)) if wanted else ""
        each = say(" each") if len(missing) > 1 and memory else ""
        click.echo(say("building {}{}{}", what, memory, each), err=True)
    seconds: dict[str, float] = {}
    with Gauge("positions", sum(building.sizes.values())) as gauge:

        def hear(news: JobProgress) -> None:
            plies = ", ".join(say("{} ply {}", now.name, now.level) for now in list(building.now.values()))
            gauge.show(_done(building, list(seconds)), plies or phrases.count(len(seconds), "table"))
            gauge.hear(news)

        for name, took in building.run(executor, hear):
            seconds[name] = took
    tables = [{**_facts(TableFile(shelf.path(name))), "seconds": seconds[name]} for name in missing]
    data = {"game": rules.label(), "folder": str(shelf.place), "tables": tables, "memory": wanted}
    if not missing:
        return CommandResult(data, say("{}: already built, in {}", ", ".join(building.names), shelf.place))
    return CommandResult(data, _table(tables, seconds=True) + say("\n\nin {}", shelf.place))


def _wanted(rules: gambito.Game, slices: tuple[str, ...], men: int | None) -> list[str]:
    """Return the requested slices, or the one table of a game that has no slices."""
    if not is_numbered(rules) or rules.players == 1:
        return list(slices) or [LISTED]
    if men is not None and slices:
        raise click.UsageError(say("give slices or --men, not both"))
    names = list(slices) if men is None else rules.slice_names(men)
    if not names:
        some = ", ".join((rules.slice_names(3) or rules.slice_names(4))[:6])
        raise click.UsageError(
            say("which tables of {}? accepted: slices such as {}, or --men N", rules.label(), some)
        )
    return names


@endgame.command(short_help="Verify every value of tables.")
@options.game
@click.argument("slices", nargs=-1, metavar="[SLICE]...")
@options.threads
@options.jobs
@options.cluster
@where
@answering
def verify(
    game: str,
    slices: tuple[str, ...],
    threads: int,
    jobs: int | None,
    cluster: str | None,
    where: Path | None,
) -> CommandResult:
    """Read every block of the tables, and derive every value again from its successors.

    Without slices, the command verifies all existing tables of the game. The exit status is 1 if a value is
    wrong. With --jobs several processes share the numbers of each table.
    """
    rules = gambito.load(game)
    shelf, there = TableSet(rules, where), paths_of(rules, where)
    names = [shelf.full_name(name) for name in slices] or list(there)
    if not names:
        raise gambito.EndgameError("there is no endgame table of {} in {}", rules.label(), shelf.place)
    verifying = Verifying(game, names, where, threads)
    looked = 0
    with Gauge("positions", verifying.size) as gauge:
        for name, count in verifying.run(choose_executor(jobs, cluster, usual=1), gauge.hear):
            looked += count
            gauge.show(looked, name)
    checked, lines = [], []
    for name in names:
        found = verifying.verdicts[name]
        checked.append({"slice": name, "positions": found.real, "wrong": found.wrong})
        verdict = say("right")
        if found.wrong is not None:
            verdict = say("WRONG: the value of number {} does not follow", found.wrong)
        lines.append((name, ", ".join((phrases.count(found.real, "position"), verdict))))
    is_good = all(table["wrong"] is None for table in checked)
    data = {"game": rules.label(), "tables": checked, "ok": is_good}
    return CommandResult(data, phrases.rows(lines), 0 if is_good else PROBLEMS)


@endgame.command(short_help="Show the outcome and distance of a position.")
@options.game
@click.argument(say("position"), metavar="POSITION")
@where
@answering
def probe(game: str, position: str, where: Path | None) -> CommandResult:
    """Show the outcome and distance of a position and of each of its moves, for the player to move.

    \b
    gambito endgame probe chess '8/8/8/8/8/2k5/8/KQ6 w - - 0 1'
    """
    rules = gambito.load(game)
    tables = Tables(rules, where)
    state = tables.both.cast(rules.parse(position))
    known = tables.known(state)
    if known is None and tables.stale:
        raise next(iter(tables.stale.values()))
    if known is None:
        there = ", ".join(tables.files) or say("none")
        raise gambito.EndgameError(
            "no endgame table of {} holds this position; the tables that are there: {}", rules.label(), there
        )
    moves = [(rules.write(state, action), then) for action, then in tables.moves(state) if then is not None]
    line = write_line(rules, state, tables.line(state))
    data = {
        "game": rules.label(),
        "position": rules.text(state) or position,
        "outcome": known.outcome,
        "distance": known.distance,
        "metric": known.metric,
        "action": moves[0][0] if moves else None,
        "line": line,
        "moves": [{"action": a, "outcome": then.outcome, "distance": then.distance} for a, then in moves],
    }
    facts = [
        (say("outcome"), say(known.outcome)),
        (say("distance"), _distance(known)),
        (say("action"), rules.spoken(moves[0][0]) if moves else say("none, the game is over")),
        (say("line"), " ".join(map(rules.spoken, line))),
    ]
    listed = [(rules.spoken(action), say(then.outcome) + _far(then.distance)) for action, then in moves]
    return CommandResult(
        data, f"{rules.show(state)}\n\n{phrases.rows(facts)}\n\n{phrases.rows(listed, 2)}".rstrip()
    )


@endgame.command(short_help="Show a position that takes longest to win.")
@options.game
@click.argument("name", metavar="SLICE")
@where
@answering
def longest(game: str, name: str, where: Path | None) -> CommandResult:
    """Show a won position of a table that is farthest from its end, and the line of best play.

    \b
    gambito endgame longest chess KQK
    """
    rules = gambito.load(game)
    tables = Tables(rules, where)
    state, known, count = tables.longest(TableSet(rules, where).full_name(name))
    line = write_line(rules, state, tables.line(state))
    data = {
        "game": rules.label(),
        "slice": name,
        "position": rules.text(state),
        "distance": known.distance,
        "metric": known.metric,
        "positions": count,
        "line": line,
    }
    facts = [
        (say("position"), rules.text(state)),
        (say("distance"), _distance(known)),
        (say("as far"), phrases.count(count, "position", "positions")),
        (say("line"), " ".join(map(rules.spoken, line))),
    ]
    return CommandResult(data, f"{rules.show(state)}\n\n{phrases.rows(facts)}")


def _distance(known: Known) -> str:
    if known.distance is None:
        return ""
    to = "" if known.metric == METRICS[0] else say(" to the {}", say(known.metric))
    return phrases.count(known.distance, "ply", "plies") + to


def _far(distance: int | None) -> str:
    return "" if distance is None else say(" in {}", distance)


@endgame.command(name="list", short_help="List the tables on disk.")
@click.argument("game", metavar="[GAME]", required=False)
@where
@answering
def list_tables(game: str | None, where: Path | None) -> CommandResult:
    """List the tables on disk, of one game or of all games.

    A table that was built for other rules of the game is marked as stale: searches do not use it. Without
    GAME, rules in files of your own are not loaded, so their tables are not compared with the rules.
    """
    base = where or folder()
    found: list[tuple[gambito.Game | None, str, Path]]
    if game:
        rules = gambito.load(game)
        found = [(rules, name, path) for name, path in paths_of(rules, where).items()]
    else:
        found = [(_owner(path), path.stem, path) for path in sorted(base.glob(f"*/*{SUFFIX}"))]
    tables = [_listed(*each) for each in found]
    data = {"folder": str(base), "tables": tables}
    notes = [f"{table['stale']}\n" for table in tables if table["stale"]]
    return CommandResult(
        data, (_table(tables) + "\n\n" if tables else say("no tables ")) + "".join(notes) + say("in {}", base)
    )


def _owner(path: Path) -> gambito.Game | None:
    """Return the game of a table, if it is found by its name and its tables are in this folder."""
    try:
        label = TableFile(path).facts["game"]
        if label.partition(":")[0] not in game_classes():  # no file may name code that is then run
            return None
        rules = gambito.load(label)
        return rules if place_of(rules, path.parent.parent) == path.parent else None
    except gambito.GambitoError:
        return None


def _listed(rules: gambito.Game | None, name: str, path: Path) -> dict[str, Any]:
    """Return the facts of a table, and in one sentence why it is stale, if it is."""
    stale = ""
    try:
        file = TableFile(path) if rules is None else open_table(rules, name, path)
    except StaleTable as problem:
        stale = say(problem.sentence)
        try:
            file = TableFile(path)
        except StaleTable:  # of another version, which nothing else is known of
            unknown = dict.fromkeys(("positions", "wins", "draws", "losses", "longest"), 0)
            size = path.stat().st_size
            return {
                "game": path.parent.name,
                "slice": name,
                **unknown,
                "metric": "",
                "bytes": size,
                "stale": stale,
            }
    return {**_facts(file), "stale": stale}


def _facts(file: TableFile) -> dict[str, Any]:
    facts = file.facts
    decided = facts["wins"] + facts["losses"]
    return {
        "game": facts["game"],
        "slice": facts["name"],
        "positions": facts["real"],
        "wins": facts["wins"],
        "draws": facts["real"] - decided,
        "losses": facts["losses"],
        "longest": facts["longest"],
        "metric": facts["metric"],
        "bytes": file.path.stat().st_size,
    }


def _table(tables: list[dict[str, Any]], seconds: bool = False) -> str:
    head = (*HEAD, "seconds") if seconds else HEAD
    lines = [tuple(map(say, head))]
    for t in tables:
        numbers = [digits(f"{t[n]:,}") for n in ("positions", "wins", "draws", "losses", "longest")]
        last = [digits(f"{t['seconds']:.2f}")] if seconds else []
        lines.append((t["slice"], *numbers, say(t["metric"]), phrases.size(t["bytes"]), *last))
    widths = [max(len(line[place]) for line in lines) for place in range(len(head))]
    rows = [[c.rjust(w) for c, w in zip(line, widths, strict=True)] for line in lines]
    return "\n".join(
        "  ".join((line[0].ljust(widths[0]), *row[1:])) for line, row in zip(lines, rows, strict=True)
    )
