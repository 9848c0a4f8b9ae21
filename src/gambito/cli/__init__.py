"""The command line: every command over the public interface, for a person or, with --json, for a program."""
