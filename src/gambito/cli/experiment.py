"""`gambito experiment`: many searches, or a tournament, from a file; the results become a table."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import click

from gambito.cli import options
from gambito.cli.command_result import CommandResult, answering
from gambito.cli.progress import Gauge
from gambito.errors import PlayerError
from gambito.native.files import naming
from gambito.words import count, say

INTERRUPTED = 130  # exit status


@click.command(short_help="Run many searches or a tournament from a file.")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="CSV file of the results.  [default: FILE with .csv at its end, in this folder]",
)
@click.option(
    "--svg", type=click.Path(path_type=Path, dir_okay=False), help="File for the cross-table of a tournament."
)
@options.jobs
@options.cluster
@answering
def experiment(
    file: Path, output: Path | None, svg: Path | None, jobs: int | None, cluster: str | None
) -> CommandResult:
    """Run an experiment and write its table.

    FILE is TOML, or Python with a dictionary `experiment`. With `algorithms`, every algorithm searches every
    position with all options and seeds; with `players`, all pairs of players play a tournament. An experiment
    that was interrupted continues where it stopped. It uses all cores, unless --jobs or --cluster says
    otherwise.

    \b
    gambito experiment mtd-f.toml
    gambito experiment tournament.toml --svg table.svg
    """
    from gambito.jobs import choose_executor
    from gambito.players.experiments.experiment_plan import TournamentPlan, read_plan
    from gambito.players.experiments.running import run_plan
    from gambito.players.experiments.table import ResultTable
    from gambito.players.experiments.text import summary, summary_text

    plan, output = read_plan(file), output or Path(f"{file.stem}.csv")
    if isinstance(plan, TournamentPlan):
        return _tournament(plan, output, svg, jobs, cluster)
    if svg is not None:
        raise PlayerError("--svg is for tournaments, and {} has searches", file)
    rows: list[dict[str, Any]] = []
    with Gauge("searches", plan.count()) as gauge, ResultTable(output) as table:
        try:
            executor = choose_executor(jobs, cluster)
            rows = list(run_plan(plan, table, executor, lambda done, _: gauge.show(done, ""), gauge.hear))
        except KeyboardInterrupt:
            return CommandResult(
                {"output": str(output), "searches": len(table.rows)},
                say("{}: to be continued", output),
                INTERRUPTED,
            )
    data = {"name": plan.name, "output": str(output), "searches": len(rows), "summary": summary(rows)}
    return CommandResult(data, f"{summary_text(rows)}\n\n{output}: {count(len(rows), 'search', 'searches')}")


def _tournament(
    plan: Any, output: Path, svg: Path | None, jobs: int | None, cluster: str | None
) -> CommandResult:
    from gambito.players.experiments.tournament import Tournament

    tournament = Tournament(plan, output.with_suffix(".jsonl"), jobs, cluster)
    status = play(tournament)
    rows = tournament.rows()
    with naming(output), open(output, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return answer(tournament, svg, status)


def play(tournament: Any) -> int:
    """Play the games of a tournament with a gauge; return the exit status."""
    with Gauge("games", tournament.wanted) as gauge:
        gauge.show(tournament.done, "")
        try:
            tournament.run(lambda: gauge.show(tournament.done, ""), gauge.hear)
        except KeyboardInterrupt:
            return INTERRUPTED
    return 0


def answer(tournament: Any, svg: Path | None, status: int) -> CommandResult:
    """The result of a tournament: its cross-table."""
    from gambito.draw.cross_table import Entry, draw_cross_table
    from gambito.players.experiments.text import cross_table

    plan, order, ratings = tournament.plan, tournament.order(), tournament.ratings()
    head = say("{0}: {1:,} {1:game|games}, {2}; ± is 95 %", plan.game, tournament.done, say(plan.pairing))
    if svg is not None:
        entries = [
            Entry(
                plan.players[who],
                ratings[who].elo,
                ratings[who].error,
                [tournament.points(who, other) for other in order],
            )
            for who in order
        ]
        with naming(svg):
            svg.write_text(draw_cross_table(plan.name or plan.game, head, entries), encoding="utf-8")
    return CommandResult(tournament.as_dict(), f"{head}\n\n{cross_table(tournament)}", status)
