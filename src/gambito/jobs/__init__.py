"""Jobs: work in many small pieces, done in this process, by processes beside it, or by a cluster.

A job is plain data that says what to do: a game, a seed, a number, limits. Its result depends on nothing
else, so it is the same wherever the job is done, and a job that was lost is done again. This package knows no
game and no search.
"""

from typing import TYPE_CHECKING

from gambito.lazy_imports import lazy_imports

if TYPE_CHECKING:
    from gambito.jobs.dispatch import NO_JOB_YET, JobProgress, done
    from gambito.jobs.executor import Executor, choose_executor, read_executor
    from gambito.jobs.rounds import Rounds

__all__ = ["NO_JOB_YET", "Executor", "JobProgress", "Rounds", "choose_executor", "done", "read_executor"]

__getattr__ = lazy_imports(
    __name__,
    {
        "Executor": "gambito.jobs.executor",
        "JobProgress": "gambito.jobs.dispatch",
        "Rounds": "gambito.jobs.rounds",
        "NO_JOB_YET": "gambito.jobs.dispatch",
        "choose_executor": "gambito.jobs.executor",
        "done": "gambito.jobs.dispatch",
        "read_executor": "gambito.jobs.executor",
    },
)
