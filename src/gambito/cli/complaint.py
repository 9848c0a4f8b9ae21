"""An exception as one sentence for the person at the keyboard: what was wrong, and what is accepted."""

from __future__ import annotations

import click

import gambito
from gambito.players import complaint


def sentence(problem: Exception) -> str:
    """One line, without a full stop at its end."""
    if isinstance(problem, click.UsageError):
        text = _usage_words(problem)
    elif isinstance(problem, click.ClickException):
        text = problem.format_message()
    elif isinstance(problem, gambito.CompileError) and "python" not in str(problem):
        text = f"{problem}; --gear python runs rules as they are, and so does `compiles = False` in the class"
    else:
        return complaint.sentence(problem)
    return " ".join(text.split()).rstrip(".")


def _usage_words(problem: click.UsageError) -> str:
    """Click's own sentences, joined to one and pointing to the help of the command."""
    first, *others = problem.format_message().strip().rstrip(".").split(". ")
    text = "; ".join([part[:1].lower() + part[1:] for part in (first, *others)])
    if ";" in text or problem.ctx is None:
        return text
    return f"{text}; see {problem.ctx.command_path} --help"
