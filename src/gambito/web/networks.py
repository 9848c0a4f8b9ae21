"""The networks of a server by name: files of trained networks, or folders with the younger selves of one.

`learned` is the network that comes with Gambito for a game.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from gambito.errors import SearchError
from gambito.evaluate.files import LEARNED
from gambito.evaluate.policy.files import SUFFIX
from gambito.web.server_limits import ServerLimits

OPTION = "network"  # of mcts: the server's networks, by name


def networks_of(server: ServerLimits) -> dict[str, str]:
    """The paths of the networks by name; those of a folder from the youngest on."""
    found = {LEARNED: LEARNED}
    for given in map(Path, server.networks):
        inside = sorted(given.glob(f"*{SUFFIX}"), key=_age) if given.is_dir() else [given]
        for path in inside:
            name = path.stem if path.stem not in found else f"{path.parent.name}/{path.stem}"
            found[name] = str(path)
    return found


def _age(path: Path) -> tuple[int, str]:
    number = re.search(r"[0-9]{1,9}$", path.stem)
    return (int(number[0]) if number else 0, path.stem)


def with_path(networks: dict[str, str], given: dict[str, Any]) -> dict[str, Any]:
    """Options in which the name of a network has become its path."""
    name = given.get(OPTION, "")
    if not name:
        return given
    if name not in networks:
        raise SearchError("unknown network '{}'; accepted: {}", str(name)[:60], ", ".join(networks))
    return {**given, OPTION: networks[name]}


def listed(networks: dict[str, str], option: dict[str, Any]) -> dict[str, Any]:
    """The option as the page shows it: a choice of names."""
    return {**option, "choices": ["", *networks]}
