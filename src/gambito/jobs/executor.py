"""The executors there are, each with its name: `threads:1`, `processes:8`, `ray:HOST:PORT`,
`dask:HOST:PORT`."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass

from gambito.errors import JobError, quoted
from gambito.jobs.pool import Pool, Threads
from gambito.jobs.processes import Processes
from gambito.words import say

CLUSTER = "GAMBITO_CLUSTER"  # the variable that names an executor where no option does
KINDS = "threads:N, processes:N, ray:HOST:PORT, ray:auto, dask:HOST:PORT"
MAX_WORKERS = 1024  # threads or processes
ADDRESS = r"([^\s/:@]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}"


@dataclass(frozen=True)
class Executor:
    """Who does the jobs, and how they are called together."""

    text: str
    open: Callable[[], Pool]

    @property
    def is_here(self) -> bool:
        """Are the workers threads of this process?"""
        return self.text.startswith("threads:")

    @property
    def is_cluster(self) -> bool:
        """May the workers be on other machines, with other files and another clock?"""
        return not self.text.startswith(("threads:", "processes:"))

    @property
    def here(self) -> Executor:
        """As many threads of this process, for jobs that no other process can do."""
        return read_executor(f"threads:{self.text.partition(':')[2]}")

    def at_most(self, count: int) -> Executor:
        """The executor with no more than so many workers; a cluster as it is."""
        kind, _, number = self.text.partition(":")
        return self if self.is_cluster or int(number) <= count else read_executor(f"{kind}:{count}")

    def warn_of_time(self) -> None:
        """Warn that results depend on the machine; called where a limit is a time."""
        if self.is_cluster:
            warnings.warn(
                say(
                    "the machines of a cluster differ in speed; with limits in nodes all give the same "
                    "results"
                ),
                stacklevel=3,
            )


def read_executor(text: str) -> Executor:
    """The executor that a text names."""
    kind, _, rest = text.strip().partition(":")
    if (
        kind in ("threads", "processes")
        and re.fullmatch(r"[1-9][0-9]{0,3}", rest)
        and int(rest) <= MAX_WORKERS
    ):
        pool = Threads if kind == "threads" else Processes
        return Executor(text.strip(), lambda: pool(int(rest)))
    if kind in ("ray", "dask") and (re.fullmatch(ADDRESS, rest) or (kind, rest) == ("ray", "auto")):
        return Executor(text.strip(), lambda: _cluster(kind, rest))
    raise JobError("{} is not an executor; accepted: {}", quoted(text), KINDS)


def _cluster(kind: str, address: str) -> Pool:
    from gambito.jobs.clusters import DaskPool, RayPool  # nobody else needs what they import

    return RayPool(address) if kind == "ray" else DaskPool(address)


def choose_executor(
    jobs: int | None = None, cluster: str | None = None, usual: int | None = None
) -> Executor:
    """The executor of a command: a cluster, or else processes of this machine; one job at a time is done
    here.

    The variable GAMBITO_CLUSTER names the cluster if neither is given. `usual` is the number of jobs at a
    time if nothing is given at all; None: one for each core.
    """
    named = cluster or (os.environ.get(CLUSTER) if jobs is None else None)
    if named:
        return read_executor(named)
    count = jobs or usual or os.cpu_count() or 1
    return read_executor("threads:1" if count == 1 else f"processes:{count}")
