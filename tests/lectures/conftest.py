"""The page of the web tests, for the slides that are opened in a browser."""

from tests.web.conftest import browser, new_page, server  # noqa: F401
