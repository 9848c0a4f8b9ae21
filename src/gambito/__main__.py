"""`python -m gambito` is the command `gambito`."""

from gambito.cli.main import main

if __name__ == "__main__":
    main()
