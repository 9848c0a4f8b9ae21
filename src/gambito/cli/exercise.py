"""`gambito exercise`: exercises in game search, with automatic checks.

The exercises are imported inside the functions, so that other commands do not load them.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gambito.cli import phrases
from gambito.cli.check import PROBLEMS
from gambito.cli.command_result import CommandResult, answering
from gambito.words import LANGUAGES, say, translate
from gambito.words import language as process_language
from gambito.words.sentence import Sentence

if TYPE_CHECKING:
    from gambito.exercises import Verdict, Wrong

WIDTH = 100
language = click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    help="Language of the texts.  [default: that of the command line]",
)


class Exercises(click.Group):
    """The group of commands. Without a command, it lists the exercises."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        from gambito.errors import ExerciseError

        try:
            return super().invoke(ctx)
        except ExerciseError as problem:
            raise click.ClickException(say(problem.sentence)) from None


@click.group(cls=Exercises, invoke_without_command=True, short_help="Exercises with automatic checks.")
@click.pass_context
@language
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def exercise(ctx: click.Context, language: str | None, as_json: bool) -> None:
    """Exercises in game search, in the order of a course. You write a function, and it is checked.

    \b
    gambito exercise                               the list
    gambito exercise show minimax                  the task
    gambito exercise start minimax                 create minimax.py, the file to complete
    gambito exercise check minimax minimax.py      show the first position where it is wrong
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(catalogue, language=language, as_json=as_json)


@exercise.command("list", short_help="List all exercises, in the order of the course.")
@language
@answering
def catalogue(language: str | None) -> CommandResult:
    """List all exercises, in the order of the course."""
    from gambito.exercises.course import COURSE

    tongue = language or process_language()
    told = [(one.name, translate(one.title, tongue)) for one in COURSE]
    return CommandResult({"exercises": [one.as_dict(tongue) for one in COURSE]}, phrases.rows(told))


@exercise.command(short_help="Show the task and what is checked.")
@click.argument("name", metavar="EXERCISE")
@language
@answering
def show(name: str, language: str | None) -> CommandResult:
    """Show the task: what to write, what is checked, a hint, and the page to read."""
    from gambito.exercises.student import find

    one, tongue = find(name), language or process_language()
    told = one.as_dict(tongue)
    facts = [(translate(word, tongue), told[word]) for word in ("checked", "hint", "lesson") if told[word]]
    width = max((len(word) for word, _ in facts), default=0) + 2
    parts = [click.style(told["title"], bold=True)]
    parts += [textwrap.fill(part, WIDTH) for part in told["task"].split("\n\n")]
    parts += [
        "\n".join(
            textwrap.fill(text, WIDTH, initial_indent=f"{word:<{width}}", subsequent_indent=" " * width)
            for word, text in facts
        )
    ]
    return CommandResult(told, "\n\n".join(filter(None, parts)))


@exercise.command(short_help="Create the file to complete.")
@click.argument("name", metavar="EXERCISE")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File to create.  [default: EXERCISE.py]",
)
@language
@answering
def start(name: str, output: Path | None, language: str | None) -> CommandResult:
    """Create the file to complete. An existing file is never overwritten."""
    from gambito.exercises.student import find

    one, tongue = find(name), language or process_language()
    path = output or Path(f"{one.name.replace('-', '_')}.py")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(one.beginning(tongue))
    except FileExistsError:
        raise click.UsageError(say("{} already exists; --output FILE creates another one", path)) from None
    next_step = f"gambito exercise check {name} {path}"
    return CommandResult(
        {"exercise": one.name, "file": str(path), "check": next_step}, f"{path}\n{next_step}"
    )


@exercise.command(short_help="Check a student's function against the oracle.")
@click.argument("name", metavar="EXERCISE")
@click.argument("file", metavar="FILE.py[:FUNCTION]")
@click.option(
    "--seconds", type=float, metavar="S", help="Time limit for one position.  [default: that of the exercise]"
)
@language
@answering
def check(name: str, file: str, seconds: float | None, language: str | None) -> CommandResult:
    """Compare a function with the oracle, and show the smallest position where it is wrong.

    EXERCISE is a name, or TEACHER.py:NAME. The exit status is 1 if the function is wrong.

    \b
    gambito exercise check minimax minimax.py
    gambito exercise check minimax homework.py:my_minimax --language es
    gambito exercise check teacher.py:EXERCISE student.py
    """
    from gambito.exercises.apart import check_file

    if seconds is not None and not seconds > 0:
        raise click.ClickException(say("seconds must be a number above zero, not {:g}", seconds))
    tongue = language or process_language()
    verdict = check_file(name, file, seconds)
    return CommandResult(verdict.as_dict(tongue), _text(verdict, tongue), 0 if verdict.right else PROBLEMS)


def _text(verdict: Verdict, tongue: str) -> str:
    ended = translate("right" if verdict.right else "not right yet", tongue)
    tried = translate(Sentence("positions tried: {:,}", verdict.positions), tongue)
    parts = [f"{click.style(verdict.exercise, bold=True)}: {ended} ({tried})"]
    if verdict.wrong is not None:
        parts += _wrong_text(verdict.wrong, verdict.file, tongue)
    if verdict.elsewhere is not None:
        parts.append(
            translate("right where the players take turns; where one moves twice it is not:", tongue)
        )
        parts += _wrong_text(verdict.elsewhere, verdict.file, tongue)
    if verdict.printed:
        parts.append(
            translate("printed", tongue) + ":\n" + textwrap.indent(verdict.printed.rstrip("\n"), "  ")
        )
    return "\n\n".join(filter(None, parts))


def _wrong_text(wrong: Wrong, file: str, tongue: str) -> list[str]:
    shown = {name: "" if value is None else _number(value) for name, value in vars(wrong).items()}
    facts = [
        ("reason", translate(wrong.reason, tongue)),
        ("line", f"{file}, {wrong.line}" if wrong.line else ""),
        ("position", shown["position"]),
        ("given", shown["given"]),
        ("returned", "" if wrong.kind == "leaves" else shown["gave"]),  # the reason says how many
        ("correct", "" if wrong.kind == "leaves" else shown["right"]),
        ("looks like", translate(wrong.mistake, tongue)),
    ]
    return [
        phrases.rows([(translate(name, tongue), text) for name, text in facts]),
        wrong.drawing,
        wrong.command,
    ]


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
