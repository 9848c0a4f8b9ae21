"""The web page: a small server on this machine, workers that search, and a page of plain modules."""
