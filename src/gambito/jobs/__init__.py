"""Jobs: work in many small pieces, done in this process, by processes beside it, or by a cluster.

A job is plain data that says what to do: a game, a seed, a number, limits. Its result depends on nothing
else, so it is the same wherever the job is done, and a job that was lost is done again. This package knows no
game and no search.
"""

from typing import TYPE_CHECKING

from gambito.later import later

if TYPE_CHECKING:
    from gambito.jobs.crew import Crew, choose_crew, read_crew
    from gambito.jobs.feed import WAIT, News, done
    from gambito.jobs.rounds import Rounds

__all__ = ["WAIT", "Crew", "News", "Rounds", "choose_crew", "done", "read_crew"]

__getattr__ = later(
    __name__,
    {
        "Crew": "gambito.jobs.crew",
        "News": "gambito.jobs.feed",
        "Rounds": "gambito.jobs.rounds",
        "WAIT": "gambito.jobs.feed",
        "choose_crew": "gambito.jobs.crew",
        "done": "gambito.jobs.feed",
        "read_crew": "gambito.jobs.crew",
    },
)
