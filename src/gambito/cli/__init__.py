"""The command line. Every command uses the public interface and prints text, or JSON with --json."""
