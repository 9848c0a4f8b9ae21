"""The version of Gambito; the package is built with it."""

__version__ = "0.2.0"
