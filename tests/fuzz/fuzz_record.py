"""A fuzz target for the reader of records: any bytes give records or bad records, never another error.

Usage: python fuzz_record.py SECONDS SEED file ...    replays the files, then mutates them for that long.

An input that breaks a promise is left in the file crash-record.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from random import Random

from sgtmajor.errors import InputError
from sgtmajor.record import BadRecord, Record, read_records

MAX_INPUT = 2000
# Bits of records that random bytes would hardly find.
WORDS = [
    *(
        "D:",
        "L:",
        "R:",
        "K:",
        " K:?",
        "?",
        "...",
        ".",
        " ",
        "\t",
        "\n",
        "\r\n",
        "#",
        "=",
        ",",
        "\0",
        "{",
        "}",
        '"',
    ),
    *("trump=", "lead=", "discard=", "trick=", "play=", "up=", "give=", "id=", "rules=", "record", "deal"),
    *("SA", "10", "♠A", "sa", "HT", "C2", "D>L:S2", "D:+3,L:-1,R:-2", "classic", "polish", "targets=9-5-2"),
    *(
        '{"record": "',
        '{"deal": "',
        '"id": 7',
        "[",
        "]",
        "null",
        "1e999",
        "NaN",
        "\\ud800",
        "-",
        "\ufeff",
        "·",
    ),
    *("AKQJT98765432", "N", "SHDCN", ",leader=second", "99999999999999999999", "\u2028", "\x85", "\x1c", "é"),
]


def check(data: bytes) -> None:
    """Reads bytes as a file of records.

    Raises:
        AssertionError: If a promise is broken.
    """
    lines = data.split(b"\n")
    for number, found in read_records([line + b"\n" for line in lines], "fuzz"):
        assert 1 <= number <= len(lines)
        if isinstance(found, BadRecord):
            check_bad(found, number)
        else:
            check_record(found)


def check_bad(bad: BadRecord, number: int) -> None:
    error = bad.error
    assert bad.line == error.line == number
    assert error.source == "fuzz"
    assert str(error).startswith(f"fuzz:{number}:")
    assert str(error).isprintable(), str(error)
    assert len(error.message) < 500, error.message
    assert error.column is None or error.column >= 1
    bad.text.encode()


def check_record(record: Record) -> None:
    text = str(record)
    assert text.isprintable(), text
    assert Record.parse(text) == record, text
    assert str(Record.parse(text)) == text
    values = json.loads(json.dumps(record.to_dict()))
    assert Record.from_dict(values) == record
    assert Record.from_dict({"record": text}) == record
    assert next(read_records([text], "again"))[1] == record
    assert record.named(3).id is not None
    if record.trump is None:
        refuse_position(record)
        return
    won = sum(record.tricks_taken.values())
    assert won + record.position.tricks == record.start.tricks
    assert record.position.tricks == 0 or record.position.legal()


def refuse_position(record: Record) -> None:
    try:
        _ = record.position
    except InputError:
        return
    raise AssertionError("a position without a trump")


def mutate(rng: Random, corpus: list[bytes]) -> bytes:
    """Changes a few places of an input: bytes, words, parts of other inputs."""
    data = bytearray(rng.choice(corpus))
    for _ in range(rng.randint(1, 5)):
        at = rng.randint(0, len(data))
        length = rng.choice([0, 0, 1, 1, 2, 5, 20])
        kind = rng.randrange(5)
        if kind == 0:
            new = rng.randbytes(rng.randint(1, 3))
        elif kind == 1:
            new = rng.choice(WORDS).encode()
        elif kind == 2:
            other = rng.choice(corpus)
            start = rng.randint(0, len(other))
            new = other[start : start + rng.randint(1, 40)]
        elif kind == 3:
            new = bytes(data[at : at + rng.randint(1, 30)]) * 2
        else:
            new = b""
            length = rng.randint(1, 8)
        data[at : at + length] = new
    return bytes(data[:MAX_INPUT])


def main(seconds: float, seed: int, files: list[str]) -> None:
    corpus = [Path(file).read_bytes() for file in files]
    rng = Random(seed)
    end = time.monotonic() + seconds
    runs = 0
    data = b""
    try:
        for data in corpus:
            check(data)
        while time.monotonic() < end:
            data = mutate(rng, corpus)
            check(data)
            runs += 1
    except BaseException:
        Path("crash-record").write_bytes(data)
        print(f"fuzz_record.py: seed {seed}, input left in crash-record", file=sys.stderr)
        raise
    print(f"{len(corpus)} files replayed, {runs} mutations, seed {seed}")


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
