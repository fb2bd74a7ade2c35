"""Writes the output of every example in the documents, and docs/cli.md from the help texts: `make docs`.

A block that starts with ```console holds commands after `$ ` and, behind each, what it prints.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = (
    "solve",
    "analyze",
    "batch",
    "deal",
    "stats",
    "recommend",
    "recommend trump",
    "recommend discard",
    "recommend exchange",
    "recommend card",
    "exchange",
    "review",
    "play",
    "score",
    "rules",
    "completion",
)


def documents() -> list[Path]:
    """Returns the documents with examples."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def run(command: str) -> str:
    """Returns what a command line that starts with `sgtmajor` prints, errors included."""
    program, *arguments = shlex.split(command)
    if program != "sgtmajor":
        raise ValueError(f"the documents run sgtmajor only, not {program}")
    done = subprocess.run(
        [sys.executable, "-m", "sgtmajor", *arguments],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return "\n".join(line.rstrip() for line in done.stdout.rstrip().splitlines())


def updated(text: str) -> str:
    """Returns a document with the output of its examples as it is now."""

    def renew(block: re.Match[str]) -> str:
        commands = re.findall(r"^\$ (.*)$", block[1], re.MULTILINE)
        return "```console\n" + "\n".join(f"$ {command}\n{run(command)}" for command in commands) + "\n```"

    return re.sub(r"```console\n(.*?)\n```", renew, text, flags=re.DOTALL)


def reference() -> str:
    """Returns docs/cli.md."""
    parts = ["# The commands\n\nWritten by `make docs` from the help texts."]
    for command in ("", *COMMANDS):
        name = f"sgtmajor {command}".strip()
        parts.append(f"## {name}\n\n```console\n$ {name} --help\n```")
    return updated("\n\n".join(parts) + "\n")


def main() -> None:
    """Rewrites the documents."""
    (ROOT / "docs" / "cli.md").write_text(reference(), encoding="utf-8")
    for path in documents():
        path.write_text(updated(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
