"""Where tricks were lost in a play, and who gained them: every card of it valued with all cards open.

A card changes what the three seats have. It never raises what its own seat is sure of, and never lowers what
another is sure of, so the share of its own seat never rises; the changes of the shares add up to 0. From the
value at the start, the changes by all cards lead to the tricks that were taken.

To lose is not yet a mistake. What a seat is sure of can always be kept, but its share cannot always be: each
of its cards may give something to one of the others. A mistake is what the best card would have kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from sgtmajor.cards import BySeat, Card, Seat, Trump
from sgtmajor.deal import Position
from sgtmajor.engine import DEFAULT_MEMORY_MB, Engine
from sgtmajor.errors import InputError, Interrupted, SearchStopped
from sgtmajor.kitty import By, DiscardValue, Yardstick, check_yardstick, score, values_if_better
from sgtmajor.play import Turn, play_out, turns
from sgtmajor.race import rounded
from sgtmajor.record import Record
from sgtmajor.trump import Analysis, Progress, analyze
from sgtmajor.values import (
    CardValue,
    Change,
    Solver,
    Values,
    runs,
    seat_values,
    values_after,
    with_trick,
)
from sgtmajor.workers import run_on

# Why a card was no choice: it was the only legal one, or all legal cards were equal.
Forced = Literal["only", "equal"]
_NOTHING = BySeat(0, 0, 0)


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
        best_share: What the card leads to that keeps most of the seat's share: ``after`` if none keeps more.
        better: The card to play instead, best by the yardstick; None if none is better by that.
        by: The yardstick.
    """

    turn: Turn
    position: Position
    taken: BySeat[int]
    before: Values
    after: Values
    forced: Forced | None
    best_share: Values
    better: CardValue | None
    by: By

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
    def lost_share(self) -> float:
        """How much more share the best card for that would have kept."""
        seat = self.turn.seat
        return self.best_share.since(self.before).share[seat] - self.change.share[seat]

    @property
    def mistake(self) -> float:
        """What the seat has lost against the best card, by the yardstick; 0 if nothing."""
        return self.lost if self.by == "guaranteed" else self.lost_share

    @property
    def given(self) -> BySeat[float]:
        """What the mistake has changed for each seat against the better card, by the yardstick."""
        if self.better is None:
            return BySeat(0.0, 0.0, 0.0)
        return gains(self.after.since(self.better.values), self.by)

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
            "mistake": {"guaranteed": self.lost, "share": rounded(self.lost_share)},
            "better": self.better and self.better.to_dict(turn.seat, self.before),
        }


@dataclass(frozen=True, slots=True)
class PlayerReview:
    """How a seat has played.

    Attributes:
        seat: The seat.
        cards: The cards it has played.
        choices: Those that were a choice.
        mistakes: Those for which a card would have been better, by the yardstick.
        lost: The guaranteed tricks lost.
        lost_share: The share lost against the best cards.
        given: Who has what was lost by the mistakes, by the yardstick, as the others may have lost, too.
        change: What all its cards have changed for each seat.
    """

    seat: Seat
    cards: int
    choices: int
    mistakes: int
    lost: int
    lost_share: float
    given: BySeat[float]
    change: Change

    @classmethod
    def of(cls, seat: Seat, cards: Iterable[ReviewedCard]) -> PlayerReview:
        """Sums up the cards of a seat."""
        own = [card for card in cards if card.turn.seat is seat]
        return cls(
            seat,
            len(own),
            sum(card.forced is None for card in own),
            sum(card.better is not None for card in own),
            sum(card.lost for card in own),
            sum(card.lost_share for card in own),
            BySeat.of(lambda each: sum(card.given[each] for card in own)),
            sum((card.change for card in own), Change(_NOTHING)),
        )

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form."""
        return {
            "cards": self.cards,
            "choices": self.choices,
            "mistakes": self.mistakes,
            "lost": {"guaranteed": self.lost, "share": rounded(self.lost_share)},
            "to": {str(each): rounded(gain) for each, gain in self.given.items() if each is not self.seat},
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
    """

    analysis: Analysis
    trump: Trump
    discard: tuple[Card, ...]
    values: Values

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
        seat, by = self.analysis.rules.announcer, self.analysis.by
        if best is None:
            return 0.0
        # Time may have been up before what was laid aside was looked at.
        return max(0.0, worth(best.values, by)[seat] - worth(values, by)[seat])

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
        announcement: What was announced and laid aside against the best, if that was asked for and is known.
        complete: Whether everything was valued: false if time was up.
        nodes: Cards played by the search.
        seconds: Wall-clock time.
    """

    record: Record
    by: By
    start: Values
    cards: tuple[ReviewedCard, ...]
    announcement: Announcement | None
    complete: bool
    nodes: int
    seconds: float

    @property
    def mistakes(self) -> tuple[ReviewedCard, ...]:
        """The cards for which another would have been better, the worst first."""
        found = (card for card in self.cards if card.better)
        return tuple(sorted(found, key=lambda card: (-round(card.mistake, 9), -card.lost, -card.lost_share)))

    @property
    def players(self) -> BySeat[PlayerReview]:
        """What each seat has done."""
        return BySeat.of(lambda seat: PlayerReview.of(seat, self.cards))

    @property
    def taken(self) -> BySeat[int]:
        """The tricks that each seat has won by the cards reviewed."""
        won = [card.turn.winner for card in self.cards]
        return BySeat.of(won.count)

    @property
    def left(self) -> Values:
        """What is still to be won after the cards reviewed."""
        return self.cards[-1].left if self.cards else self.start

    def to_dict(self) -> dict[str, object]:
        """Returns the JSON form of the output contract."""
        result: dict[str, object] = {"id": self.record.id, "record": str(self.record), "by": self.by}
        result |= {"tricks": self.start.tricks, "start": self.start.to_dict()}
        result["cards"] = [card.to_dict() for card in self.cards]
        result |= {"taken": self.taken.to_dict(), "left": self.left.to_dict()}
        result["players"] = {str(seat): player.to_dict() for seat, player in self.players.items()}
        result["announcement"] = self.announcement and self.announcement.to_dict()
        result |= {"complete": self.complete, "nodes": self.nodes, "seconds": round(self.seconds, 3)}
        return result


def gains(change: Change, by: By) -> BySeat[float]:
    """Returns a change by a yardstick."""
    if by == "share":
        return change.share
    return BySeat.of(lambda seat: float(change.guaranteed[seat]))


def worth(values: Values, by: Yardstick) -> BySeat[float]:
    """Returns the yardstick for each seat, in tricks."""
    if by == "equilibrium" and values.equilibrium:
        return values.equilibrium
    if by == "share":
        return values.share
    return BySeat.of(lambda seat: float(values.guaranteed[seat]))


def review(
    record: Record | str,
    *,
    by: By = "share",
    announcement: bool = True,
    jobs: int = 1,
    memory_mb: int = DEFAULT_MEMORY_MB,
    seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
    announcement_progress: Callable[[Progress], None] | None = None,
) -> Review:
    """Values every card of a play, with all cards open.

    Args:
        record: A record with ``play``, or ``trick``, or the text of one; it must name the trump.
        by: The yardstick of what is a mistake, and which card is better: ``share`` or ``guaranteed``; the
            other one decides between equals.
        announcement: Whether to hold the trump and the discard against the best, too, if the record has a
            ``discard``. That takes longer than all the rest.
        jobs: Threads for that.
        memory_mb: MiB for the tables.
        seconds: Time limit for all of it.
        progress: Called with the cards reviewed and all cards.
        announcement_progress: Called as by :func:`analyze`.

    Raises:
        InputError: If the record is wrong, or a card may not be played.
        SearchStopped: If time ran out before the start was valued; its ``bounds`` are what was proven.
        Interrupted: On Ctrl-C, if something was valued by then, which is its ``result``.
    """
    check_yardstick(by)
    record = (Record.parse(record) if isinstance(record, str) else record).from_whole_hands()
    if not record.play:
        raise InputError("there is no play to review, expected play= and the cards in the order of play")
    begun = time.perf_counter()
    found = _Found(record, by, begun)
    with Engine(memory_mb) as engine:
        try:
            run_on(engine, lambda: found.value(engine, progress), seconds)
        except SearchStopped:
            if found.start is None:
                raise
        except KeyboardInterrupt:
            raise found.interrupted() from None
    if announcement and record.discard and found.complete:
        left = None if seconds is None else max(0.0, seconds - (time.perf_counter() - begun))
        try:
            found.announced(jobs, memory_mb, left, announcement_progress)
        except KeyboardInterrupt:
            raise found.interrupted() from None
    return found.review()


class _Found:
    """What a review has found so far."""

    def __init__(self, record: Record, by: By, begun: float) -> None:
        self.start: Values | None = None
        self.complete = False
        self._record = record
        self._by = by
        self._begun = begun
        self._positions = play_out(record.start, record.play)
        self._cards: list[ReviewedCard] = []
        self._announcement: Announcement | None = None
        self._nodes = 0

    def value(self, engine: Engine, progress: Callable[[int, int], None] | None) -> None:
        """Values card by card, on one engine: what it has stored for one position serves the next."""
        start = self._positions[0]
        before = self.start = seat_values(engine, start)
        taken = _NOTHING
        for turn, position in zip(
            turns(self._record.play, start.trump, start.leader), self._positions, strict=False
        ):
            card = _reviewed(engine, turn, position, taken, before, self._by)
            self._cards.append(card)
            before = card.left
            if turn.winner:
                taken = taken.replace(turn.winner, taken[turn.winner] + 1)
            self._nodes = engine.stats().plays
            if progress:
                progress(len(self._cards), len(self._record.play))
        self._nodes = engine.stats().plays
        self.complete = True

    def announced(
        self,
        jobs: int,
        memory_mb: int,
        seconds: float | None,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        """Holds the announcement against the best; the play is complete."""
        record, start = self._record, self.start
        assert record.trump is not None, "a record without a trump has no play"
        assert start is not None, "the play is complete"
        contracts = dict.fromkeys([*record.rules.contracts, record.trump])
        self.complete = False
        analysis = analyze(
            record,
            by=self._by,
            trumps=tuple(contracts),
            jobs=jobs,
            memory_mb=memory_mb,
            seconds=seconds,
            progress=progress,
        )
        self._nodes += analysis.nodes
        self.complete = analysis.complete
        if analysis.best.best is not None:
            self._announcement = Announcement(analysis, record.trump, record.discard, start)

    def review(self) -> Review:
        """Returns what there is, at least the value at the start."""
        assert self.start is not None, "nothing was valued"
        return Review(
            self._record,
            self._by,
            self.start,
            tuple(self._cards),
            self._announcement,
            self.complete,
            self._nodes,
            time.perf_counter() - self._begun,
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
    engine: Engine, turn: Turn, position: Position, taken: BySeat[int], before: Values, by: By
) -> ReviewedCard:
    """Values what a card has changed; only if it has changed something, others may be better."""
    seat, card = turn.seat, turn.card
    after = best_share = values_after(engine, position, card)
    better = None
    if after.since(before):
        kept = _best_instead(engine, position, card, after, "share")
        best_share = kept.values if kept else after
        better = kept if by == "share" else _best_instead(engine, position, card, after, by)
    if better and not gains(better.values.since(after), by)[seat]:
        # It is better only by the other yardstick.
        better = None
    return ReviewedCard(turn, position, taken, before, after, _forced(position, card), best_share, better, by)


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


def ranked(options: Iterable[CardValue], seat: Seat, by: By) -> tuple[CardValue, ...]:
    """Ranks cards for the seat that plays them, best first by a yardstick; of equals the order stays."""
    return tuple(sorted(options, key=lambda each: -score(each.values, seat, by)))


def _forced(position: Position, card: Card) -> Forced | None:
    """Says why a card is no choice, if it is none."""
    legal = len(position.legal())
    if legal == 1:
        return "only"
    return "equal" if legal == 1 + len(position.equals(card)) else None
