"""The record of a search: what a drawing shows, and the watches that write it."""
