"""Exceptions as one sentence for the user: what was wrong, and what is accepted."""

from __future__ import annotations

import click

import gambito
from gambito.players import error_sentences
from gambito.words import language, say, translate


def sentence(problem: Exception) -> str:
    """Return the message of an exception as one line, without a full stop."""
    if isinstance(problem, click.UsageError):
        text = _usage_words(problem)
    elif isinstance(problem, click.ClickException):
        text = problem.format_message()
    elif isinstance(problem, gambito.CompileError) and "python" not in str(problem):
        text = say(
            "{}; --gear python runs the rules without compiling them, "
            "and so does `compiles = False` in the class",
            problem.sentence,
        )
    else:
        return translate(error_sentences.sentence(problem), language())
    return " ".join(text.split()).rstrip(".")


def _usage_words(problem: click.UsageError) -> str:
    """Return the message of a Click error as one sentence that refers to the help of the command."""
    first, *others = problem.format_message().strip().rstrip(".").split(". ")
    text = "; ".join([part[:1].lower() + part[1:] for part in (first, *others)])
    if ";" in text or problem.ctx is None:
        return text
    return say("{}; see {} --help", text, problem.ctx.command_path)
