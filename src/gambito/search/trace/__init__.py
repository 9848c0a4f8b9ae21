"""The record of a search, from which it is drawn, and the monitors that write it."""
