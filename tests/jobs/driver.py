"""A process that gives out jobs to a crew and keeps the results; the tests strike it, and its workers.

python -m tests.jobs.driver CREW JOBS SECONDS FOLDER: a line of FOLDER/results is a result; what is there is
not done again.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from gambito.errors import GambitoError
from gambito.jobs import done, read_executor
from tests.jobs import works


def main(executor: str, count: str, seconds: str, folder: str) -> None:
    path, marks = Path(folder, "results"), Path(folder, "marks")
    marks.mkdir(exist_ok=True)
    whole = path.read_text().splitlines() if path.exists() else []
    known = {json.loads(line)["number"] for line in whole}
    jobs = [
        {"number": n, "seconds": float(seconds), "folder": str(marks)}
        for n in range(int(count))
        if n not in known
    ]

    def tell(news: object) -> None:
        for note in news.notes:  # type: ignore[attr-defined]
            print(note, file=sys.stderr, flush=True)

    with open(path, "a") as kept:
        for _, result in done(read_executor(executor), works.counted, jobs, tell):
            kept.write(json.dumps(result) + "\n")
            kept.flush()
            os.fsync(kept.fileno())


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except GambitoError as problem:
        sys.exit(f"Error: {problem}")
