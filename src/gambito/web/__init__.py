"""The web page: a small local server, worker processes that search, and plain JavaScript modules."""
