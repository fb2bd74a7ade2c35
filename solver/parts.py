"""Ways to split a number into parts of limited size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def splits(count: int, room: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yields each way to split ``count`` into parts, one for each entry of ``room`` and at most as large."""
    if not room:
        if count == 0:
            yield ()
        return
    for part in range(max(0, count - sum(room[1:])), min(count, room[0]) + 1):
        for rest in splits(count - part, room[1:]):
            yield (part, *rest)
