"""The record of a search, from which it is drawn, and the watches that write it."""
