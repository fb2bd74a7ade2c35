"""Where tricks were lost in a play, and who gained them: every card of it valued with all cards open.

A card changes what the three seats have. It never raises what its own seat is sure of, and never lowers what
another is sure of, so the share of its own seat never rises; the changes of the shares add up to 0. From the
value at the start, the changes by all cards lead to the tricks that were taken.

To lose is not yet a mistake. What a seat is sure of can always be kept, but its share cannot always be: each
of its cards may give something to one of the others. A mistake is what the best card would have kept.

By equilibrium every loss is a mistake: what a seat can expect before its card is what the best card leads to.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from sgtmajor.cards import BySeat, Card, Seat, Trump
from sgtmajor.deal import Position
from sgtmajor.engine import DEFAULT_MEMORY_MB, Engine, Listing
from sgtmajor.equilibrium import DEFAULT_EQUILIBRIUM_MB, NEUTRAL, Expect, Ties
from sgtmajor.errors import InputError, Interrupted, SearchStopped
from sgtmajor.kitty import DiscardValue, values_if_better
from sgtmajor.play import Turn, play_out, tricks_won, turns
from sgtmajor.race import rounded
from sgtmajor.record import Record
from sgtmajor.tabular import by_seat, flat
from sgtmajor.trump import Analysis, Progress, analyze, analyze_record
from sgtmajor.values import (
    CardValue,
    Change,
    Solver,
    Values,
    ranked,
    runs,
    seat_values,
    values_after,
    with_trick,
)
from sgtmajor.workers import time_limit
from sgtmajor.yardstick import By, Yardstick, check_yardstick, other_than, split_by, worth

# Why a card was no choice: it was the only legal one, or all legal cards were equal.
Forced = Literal["only", "equal"]
_NOTHING = BySeat(0, 0, 0)
# Expected tricks that differ by less are equal.
_LEAST = 1e-8

COLUMNS = (
    *("by", "trick", "seat", "card", "wins", "forced", "better", "other"),
    *("mistake_guaranteed", "mistake_share"),
    *(f"given_{name}_{seat}" for name in ("guaranteed", "share") for seat in "DLR"),
    *(f"taken_{seat}" for seat in "DLR"),
    *(
        f"{name}_{when}_{seat}"
        for name in ("guaranteed", "ceiling", "share")
        for when in ("before", "after")
        for seat in "DLR"
    ),
    "complete",
)
EQUILIBRIUM_COLUMNS = (
    *("ties", "mistake_equilibrium"),
    *(f"given_equilibrium_{seat}" for seat in "DLR"),
    *(f"equilibrium_{when}_{seat}" for when in ("before", "after") for seat in "DLR"),
)


@dataclass(frozen=True, slots=True)
class ReviewedCard:
    """A card of the play, and what it has changed.

    Attributes:
        turn: Whose card it is, and to which trick.
        position: The moment before it.
        taken: The tricks that each seat had won before it.
        before: What was still to be won then.
        after: What that became by the card, the same tricks counted: as in :class:`CardValue`.
        forced: Why it was no choice, None if it was one.
        better: The card to play instead, best by the yardstick; None if none is better by that.
        other: The best card by the other yardstick, if ``better`` is not as good by that, or is None, and the
            card played is not either: one card may keep most of the share, and another what is guaranteed.
        by: The yardstick.
    """

    turn: Turn
    position: Position
    taken: BySeat[int]
    before: Values
    after: Values
    forced: Forced | None
    better: CardValue | None
    other: CardValue | None
    by: Yardstick

    @property
    def change(self) -> Change:
        """What each seat has gained, or lost, by the card."""
        return self.after.since(self.before)

    @property
    def left(self) -> Values:
        """What is still to be won after the card."""
        return with_trick(self.after, self.turn.winner, -1)

    @property
    def lost(self) -> int:
        """The guaranteed tricks that the seat has lost by the card: another one would have kept them."""
        return -self.change.guaranteed[self.turn.seat]

    @property
    def lost_split(self) -> float:
        """How much more share, or by equilibrium how many more expected tricks, the best card had kept."""
        named = [card.values.since(self.after) for card in (self.better, self.other) if card]
        return max((0.0, *(worth(change, split_by(self.by))[self.turn.seat] for change in named)))

    @property
    def mistake(self) -> float:
        """What the seat has lost against the best card, by the yardstick; 0 if nothing."""
        return self.lost if self.by == "guaranteed" else self.lost_split

    @property
    def given(self) -> Change:
        """What the mistake has changed for each seat against the better card; nothing if it was none."""
        return self.after.since(self.better.values) if self.better else _no_change(self.by)

    def row(self) -> dict[str, object]:
        """Returns the card as a row of a table, with some of :data:`COLUMNS`."""
        numbers = {
            f"{name}_{when}": each
            for when, values in (("before", self.before), ("after", self.after))
            for name, each in values.to_dict().items()
        }
        if self.better:
            numbers |= {f"given_{name}": each for name, each in self.given.to_dict().items()}
        turn = self.turn
        return {
            "trick": turn.trick,
            "seat": str(turn.seat),
            "card": str(turn.card),
            "wins": turn.winner and str(turn.winner),
            "forced": self.forced,
            "better": self.better and " ".join(map(str, self.better.run)),
            "other": self.other and " ".join(map(str, self.other.run)),
            "mistake_guaranteed": self.lost,
            f"mistake_{split_by(self.by)}": _rounded(self.lost_split, self.by),
            **by_seat("taken", self.taken.to_dict()),
            **flat(numbers),
        }

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form."""
        turn = self.turn
        return {
            "trick": turn.trick,
            "seat": str(turn.seat),
            "card": str(turn.card),
            "wins": turn.winner and str(turn.winner),
            "forced": self.forced,
            "taken": self.taken.to_dict(),
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "gains": self.change.to_dict(),
            "mistake": _lost_to_dict(self.lost, self.lost_split, self.by),
            "better": self.better and self.better.to_dict(turn.seat, self.before),
            "given": self.given.to_dict() if self.better else None,
            "other": self.other and self.other.to_dict(turn.seat, self.before),
        }


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """How a seat has played.

    Attributes:
        seat: The seat.
        cards: The cards it has played.
        choices: Those that were a choice.
        mistakes: Those for which a card would have been better, by the yardstick.
        lost: The guaranteed tricks lost by the mistakes.
        lost_split: The share lost by them, or the expected tricks if the yardstick is the equilibrium.
        given: What the mistakes have changed for each seat, against the better cards.
        change: What all its cards have changed for each seat.
    """

    seat: Seat
    cards: int
    choices: int
    mistakes: int
    lost: int
    lost_split: float
    given: Change
    change: Change

    @classmethod
    def of(cls, seat: Seat, cards: Iterable[ReviewedCard], by: Yardstick) -> PlayerReview:
        """Sums up the cards of a seat."""
        own = [card for card in cards if card.turn.seat is seat]
        mistakes = [card for card in own if card.better]
        return cls(
            seat,
            len(own),
            sum(card.forced is None for card in own),
            len(mistakes),
            sum(card.lost for card in mistakes),
            sum(card.lost_split for card in mistakes),
            sum((card.given for card in mistakes), _no_change(by)),
            sum((card.change for card in own), _no_change(by)),
        )

    def to_dict(self, by: Yardstick) -> dict[str, object]:
        """Returns the JSON form, by a yardstick."""
        given = worth(self.given, by)
        return {
            "cards": self.cards,
            "choices": self.choices,
            "mistakes": self.mistakes,
            "lost": _lost_to_dict(self.lost, self.lost_split, by),
            "to": {str(each): _rounded(gain, by) for each, gain in given.items() if each is not self.seat},
            "gains": self.change.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Announcement:
    """The trump and the discard of a record, held against the best with all cards open.

    Attributes:
        analysis: The contracts with their best discards.
        trump: The trump that was named.
        discard: The cards that were laid aside.
        values: What that was worth at the start of the play.
        by: The yardstick.
    """

    analysis: Analysis
    trump: Trump
    discard: tuple[Card, ...]
    values: Values
    by: By

    @property
    def best_discard(self) -> DiscardValue | None:
        """The best discard for the trump that was named; None if time was up before one was valued."""
        return next(each.best for each in self.analysis.contracts if each.trump is self.trump)

    @property
    def lost_by_discard(self) -> float:
        """What the announcer has lost by the discard, by the yardstick."""
        return self._lost(self.values, self.best_discard)

    @property
    def lost_by_trump(self) -> float:
        """What he would have lost by the trump with the best discard, by the yardstick."""
        named = self.best_discard
        return self._lost(named.values, self.analysis.best.best) if named else 0.0

    def _lost(self, values: Values, best: DiscardValue | None) -> float:
        if best is None:
            return 0.0
        # Time may have been up before what was laid aside was looked at.
        return max(0.0, worth(best.values.since(values), self.by)[self.analysis.rules.announcer])

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form."""
        analysis = self.analysis.to_dict()
        return {
            "seat": analysis["announcer"],
            "trump": str(self.trump),
            "discard": [str(card) for card in self.discard],
            **self.values.to_dict(),
            "lost_by_discard": round(self.lost_by_discard, 3),
            "lost_by_trump": round(self.lost_by_trump, 3),
            "trumps": analysis["trumps"],
            "best": analysis["best"],
            "complete": analysis["complete"],
        }


@dataclass(frozen=True, slots=True)
class Review:
    """The answer to :func:`review`.

    Attributes:
        record: The record, its cards played from whole hands.
        by: The yardstick of what is a mistake.
        start: What the deal is worth before the first card.
        cards: The cards, in the order of play; not all if time was up.
        announcement_wanted: Whether what was announced and laid aside was to be looked at.
        announcement: What it was against the best, if it was to be looked at, is known and there was time.
        complete: Whether everything was valued: false if time was up.
        nodes: Cards played by the search.
        seconds: Wall-clock time.
        ties: What indifferent seats do, if the yardstick is the equilibrium.
    """

    record: Record
    by: Yardstick
    start: Values
    cards: tuple[ReviewedCard, ...]
    announcement_wanted: bool
    announcement: Announcement | None
    complete: bool
    nodes: int
    seconds: float
    ties: Ties = NEUTRAL

    @property
    def mistakes(self) -> tuple[ReviewedCard, ...]:
        """The cards for which another would have been better, the worst first."""
        found = (card for card in self.cards if card.better)
        return tuple(sorted(found, key=lambda card: (-card.mistake, -card.lost, -card.lost_split)))

    @property
    def players(self) -> BySeat[PlayerReview]:
        """What each seat has done."""
        return BySeat.of(lambda seat: PlayerReview.of(seat, self.cards, self.by))

    @property
    def taken(self) -> BySeat[int]:
        """The tricks that each seat has won by the cards reviewed."""
        return tricks_won(card.turn for card in self.cards)

    @property
    def left(self) -> Values:
        """What is still to be won after the cards reviewed."""
        return self.cards[-1].left if self.cards else self.start

    def rows(self) -> list[dict[str, object]]:
        """Returns a row of a table for each card, with :data:`COLUMNS`; one if there is no card."""
        head: dict[str, object] = {"by": self.by, "ties": str(self.ties), "complete": self.complete}
        return [head | card.row() for card in self.cards] or [head]

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form of the output contract."""
        result: dict[str, object] = {"id": self.record.id, "record": str(self.record), "by": self.by}
        if self.by == "equilibrium":
            result["ties"] = str(self.ties)
        result |= {"tricks": self.start.tricks, "start": self.start.to_dict()}
        result["cards"] = [card.to_dict() for card in self.cards]
        result |= {"taken": self.taken.to_dict(), "left": self.left.to_dict()}
        result["players"] = {str(seat): player.to_dict(self.by) for seat, player in self.players.items()}
        if self.announcement_wanted:
            result["announcement"] = self.announcement and self.announcement.to_dict()
        result |= {"complete": self.complete, "nodes": self.nodes, "seconds": round(self.seconds, 3)}
        return result


def _no_change(by: Yardstick) -> Change:
    return Change(_NOTHING, BySeat(0.0, 0.0, 0.0) if by == "equilibrium" else None)


def _rounded(number: float, by: Yardstick) -> float:
    """Returns a number of the yardstick as it is written out."""
    return round(number, 6) + 0.0 if by == "equilibrium" else rounded(number)


def _lost_to_dict(lost: int, lost_split: float, by: Yardstick) -> dict[str, float]:
    return {"guaranteed": lost, split_by(by): _rounded(lost_split, by)}


def review(
    record: Record | str,
    *,
    by: Yardstick = "share",
    announcement: bool = True,
    ties: Ties = NEUTRAL,
    jobs: int = 1,
    memory_mb: int = DEFAULT_MEMORY_MB,
    equilibrium_mb: int = DEFAULT_EQUILIBRIUM_MB,
    seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
    announcement_progress: Callable[[Progress], None] | None = None,
    listing: Callable[[Callable[[], Listing]], None] | None = None,
) -> Review:
    """Values every card of a play, with all cards open.

    Args:
        record: A record with ``play``, or ``trick``, or the text of one; it must name the trump.
        by: The yardstick of what is a mistake, and which card is better: ``share`` or ``guaranteed`` - the
            other one decides between equals - or ``equilibrium``: one enumeration answers for the whole play.
        announcement: Whether to hold the trump and the discard against the best, too, if the record has a
            ``discard``; by share, if the yardstick is the equilibrium. That takes longer than all the rest.
        ties: What indifferent seats do in the equilibrium.
        jobs: Threads for both.
        memory_mb: MiB for the tables.
        equilibrium_mb: MiB for the positions of the equilibrium.
        seconds: Time limit for all of it.
        progress: Called with the cards reviewed and all cards.
        announcement_progress: Called as by :func:`analyze`.
        listing: Called, before positions are enumerated for the equilibrium, with what says how far that is,
            until the first card has been reviewed.

    Raises:
        EnumerationFull: If the positions do not fit into the memory that they may take.
        InputError: If the record is wrong, or a card may not be played.
        SearchStopped: If time ran out before the start was valued; its ``bounds`` are what was proven.
        Interrupted: On Ctrl-C, if something was valued by then, which is its ``result``.
    """
    record = Record.parse(record) if isinstance(record, str) else record
    found = _Found(record, by, announcement, ties)
    with Solver(memory_mb, equilibrium_mb=equilibrium_mb, jobs=jobs, ties=ties) as solver:
        expect = solver.expect(by == "equilibrium")
        if expect and listing:
            listing(solver.listing)
        try:
            solver.run(lambda engine: found.value(engine, progress, expect), seconds)
        except SearchStopped:
            if found.start is None:
                raise
        except KeyboardInterrupt:
            raise found.interrupted() from None
    if found.announcement_next:
        try:
            found.announced(
                partial(
                    analyze,
                    jobs=jobs,
                    memory_mb=memory_mb,
                    seconds=found.left(seconds),
                    progress=announcement_progress,
                )
            )
        except KeyboardInterrupt:
            raise found.interrupted() from None
    return found.review()


def review_record(
    engine: Engine,
    record: Record,
    *,
    by: By = "share",
    announcement: bool = True,
    seconds: float | None = None,
) -> Review:
    """Reviews a play on an engine, in the calling thread: see :func:`review`."""
    found = _Found(record, by, announcement)
    try:
        with time_limit(engine, seconds):
            found.value(engine)
    except SearchStopped:
        if found.start is None:
            raise
    if found.announcement_next:
        found.announced(partial(analyze_record, engine, seconds=found.left(seconds)))
    return found.review()


class _Found:
    """What a review has found so far; checks what it is asked."""

    def __init__(self, record: Record, by: Yardstick, announcement: bool, ties: Ties = NEUTRAL) -> None:
        if by != "equilibrium":
            check_yardstick(by)
        record = record.from_whole_hands()
        if not record.play:
            raise InputError("there is no play to review, expected play= and the cards in the order of play")
        self.start: Values | None = None
        self.complete = False
        self._announcement_wanted = announcement
        self._record = record
        self._by = by
        self._ties = ties
        self._begun = time.perf_counter()
        self._positions = play_out(record.start, record.play)
        self._cards: list[ReviewedCard] = []
        self._announcement: Announcement | None = None
        self._nodes = 0

    def value(
        self,
        engine: Engine,
        progress: Callable[[int, int], None] | None = None,
        expect: Expect | None = None,
    ) -> None:
        """Values card by card, on one engine: what it has stored for one position serves the next."""
        start = self._positions[0]
        before = self.start = seat_values(engine, start, expect)
        taken = _NOTHING
        for turn, position in zip(
            turns(self._record.play, start.trump, start.leader), self._positions, strict=False
        ):
            card = _reviewed(engine, turn, position, taken, before, self._by, expect)
            self._cards.append(card)
            before = card.left
            if turn.winner:
                taken = taken.replace(turn.winner, taken[turn.winner] + 1)
            self._nodes = engine.stats().plays
            if progress:
                progress(len(self._cards), len(self._record.play))
        self.complete = True

    @property
    def announcement_next(self) -> bool:
        """Whether all cards are valued, and the announcement is to be."""
        return self.complete and self._announcement_wanted and bool(self._record.discard)

    def left(self, seconds: float | None) -> float | None:
        """Returns what is left of a time limit."""
        return None if seconds is None else max(0.0, seconds - (time.perf_counter() - self._begun))

    def announced(self, analysis_of: Callable[..., Analysis]) -> None:
        """Holds the announcement against the best, given what analyzes a record; the play is complete."""
        record, start = self._record, self.start
        assert record.trump is not None, "a record without a trump has no play"
        assert start is not None, "the play is complete"
        contracts = dict.fromkeys([*record.rules.contracts, record.trump])
        self.complete = False
        # By equilibrium each discard would take as long as the whole play.
        by: By = "share" if self._by == "equilibrium" else self._by
        analysis = analysis_of(record, by=by, trumps=tuple(contracts))
        self._nodes += analysis.nodes
        self.complete = analysis.complete
        if analysis.best.best is not None:
            self._announcement = Announcement(analysis, record.trump, record.discard, start, by)

    def review(self) -> Review:
        """Returns what there is, at least the value at the start."""
        assert self.start is not None, "nothing was valued"
        return Review(
            self._record,
            self._by,
            self.start,
            tuple(self._cards),
            self._announcement_wanted,
            self._announcement,
            self.complete,
            self._nodes,
            time.perf_counter() - self._begun,
            self._ties,
        )

    def interrupted(self) -> KeyboardInterrupt:
        """Returns what to raise on Ctrl-C: with what there is, if there is something."""
        return KeyboardInterrupt() if self.start is None else Interrupted(self.review())


def review_last_card(solver: Solver, record: Record, *, by: By = "share") -> ReviewedCard:
    """Reviews the last card that was played, on a solver that may know the moments before it already.

    Args:
        solver: Answers.
        record: A record with at least one card in ``play``.
        by: The yardstick of what is a mistake.
    """
    earlier = replace(record, play=record.play[:-1])
    start, position = record.start, earlier.position
    turn = list(turns(record.play, start.trump, start.leader))[-1]
    before = solver.solve(position)
    return solver.run(lambda engine: _reviewed(engine, turn, position, earlier.tricks_taken, before, by))


def _reviewed(
    engine: Engine,
    turn: Turn,
    position: Position,
    taken: BySeat[int],
    before: Values,
    by: Yardstick,
    expect: Expect | None = None,
) -> ReviewedCard:
    """Values what a card has changed; only if it has changed something, others may be better."""
    after = values_after(engine, position, turn.card, expect)
    better = other = None
    if changed := after.since(before):
        if by == "equilibrium":
            better = _best_expected(engine, position, after, expect) if expect else None
        else:
            better = _better(engine, position, turn.card, after, by)
        second = other_than(by)
        if second == "share" or changed.guaranteed[turn.seat]:
            other = _better(engine, position, turn.card, after, second)
        if other and expect:
            other = replace(other, values=values_after(engine, position, other.card, expect))
        if better and other and not worth(other.values.since(better.values), second)[turn.seat]:
            other = None
    return ReviewedCard(turn, position, taken, before, after, _forced(position, turn.card), better, other, by)


def _best_expected(engine: Engine, position: Position, after: Values, expect: Expect) -> CardValue | None:
    """Returns the card by which the seat to play can expect most, if that is more than after another one."""
    seat = position.to_play
    expected = {
        run: expect(position.after(run[0]))[seat] + (position.winner_after(run[0]) is seat)
        for run in runs(position)
    }
    best = max(expected.values())
    if after.equilibrium and best - after.equilibrium[seat] < _LEAST:
        return None
    leading = [run for run, each in expected.items() if best - each < _LEAST]
    found = [CardValue(run[0], run[1:], values_after(engine, position, run[0], expect)) for run in leading]
    return ranked(found, seat, "share", expect.ties)[0]


def _better(engine: Engine, position: Position, card: Card, after: Values, by: By) -> CardValue | None:
    """Returns the best card by a yardstick, if it is better by that, and not only by the other one."""
    best = _best_instead(engine, position, card, after, by)
    return best if best and worth(best.values.since(after), by)[position.to_play] else None


def _best_instead(engine: Engine, position: Position, card: Card, after: Values, by: By) -> CardValue | None:
    """Returns the best card by a yardstick, if it is better than the one played.

    Args:
        engine: The engine.
        position: The moment before the card.
        card: The card that was played.
        after: What it has led to.
        by: The yardstick; the other one decides between equals, then the lowest card is best.
    """
    best, found = after, None
    for run in sorted(runs(position), key=lambda run: run[-1].rank):
        if card in run:
            continue
        winner = position.winner_after(run[0])
        beat = with_trick(best, winner, -1)
        values = values_if_better(engine, position.after(run[0]), position.to_play, by, beat)
        if values:
            best = with_trick(values, winner, 1)
            found = CardValue(run[0], run[1:], best)
    return found


def _forced(position: Position, card: Card) -> Forced | None:
    """Says why a card is no choice, if it is none."""
    legal = len(position.legal())
    if legal == 1:
        return "only"
    return "equal" if legal == 1 + len(position.equals(card)) else None
