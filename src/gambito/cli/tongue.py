"""The help of commands, and what Click says itself, in the language of the process."""

from __future__ import annotations

import copy
import re
import sys
from inspect import cleandoc
from typing import Any, TypeVar

import click

from gambito.words import catalogue, language, speak, translate

AS_IT_STANDS = "\b"  # Click's mark of a paragraph that is not wrapped

Held = TypeVar("Held", bound=click.Command)


def use(name: str) -> None:
    """Speak a language from now on, and have Click speak it."""
    speak(name)
    if name != "en":
        for held, module in list(sys.modules.items()):
            if held.startswith("click.") and hasattr(module, "_"):
                module.__dict__["_"] = _said
                module.__dict__["ngettext"] = _counted


def _said(message: str) -> str:
    return catalogue(language()).get(message, message)


def _counted(one: str, many: str, number: int) -> str:
    return _said(one if number == 1 else many)


def in_language(command: Held) -> Held:
    """The command with all of its help in the language of the process."""
    if language() == "en":
        return command
    told = copy.copy(command)
    told.help = prose(command.help)
    told.short_help = prose(command.short_help)
    told.options_metavar = translate(command.options_metavar or "", language())
    told.params = [_param(param) for param in command.params]
    if isinstance(told, click.Group) and isinstance(command, click.Group):
        told.subcommand_metavar = translate(command.subcommand_metavar, language())
        told.commands = {name: in_language(sub) for name, sub in command.commands.items()}
    return told


def _param(param: Any) -> click.Parameter:
    told: Any = copy.copy(param)
    kind = "" if isinstance(param.type, click.Choice) or getattr(param, "is_flag", False) else param.type.name
    if param.metavar or kind:
        told.metavar = translate(param.metavar or kind.upper(), language())
    if isinstance(param, click.Option):
        told.help = prose(param.help)
    return told


def prose(text: str | None) -> str | None:
    """A text with its paragraphs translated one by one."""
    if not text:
        return text
    return "\n\n".join(
        AS_IT_STANDS * is_set + ("\n" if is_set else "") + translate(told, language())
        for is_set, told in paragraphs(text)
    )


def paragraphs(text: str) -> list[tuple[bool, str]]:
    """The paragraphs of a text, each on one line, or as it stands where Click's mark says so."""
    found = []
    for block in re.split(r"\n\s*\n", cleandoc(text).strip("\n")):
        is_set = block.startswith(AS_IT_STANDS)
        found.append((is_set, block.removeprefix(AS_IT_STANDS).strip("\n") if is_set else _joined(block)))
    return found


def _joined(block: str) -> str:
    """The lines of a paragraph as one; two spaces before a default remain."""
    return " ".join(line.strip() for line in block.splitlines())
