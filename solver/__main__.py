"""Runs the command line: ``python -m sgtmajor``."""

from sgtmajor.cli.main import main

if __name__ == "__main__":
    main()
