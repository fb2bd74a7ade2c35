"""What the command ``review`` prints for reading."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from sgtmajor.cards import BySeat, Seat
from sgtmajor.cli.reading import Entry
from sgtmajor.cli.render import (
    Column,
    Table,
    cards_text,
    diagram,
    plural,
    seat_columns,
    show,
    trumps_text,
)
from sgtmajor.cli.solve_text import changes
from sgtmajor.errors import SgtMajorError
from sgtmajor.kitty import DiscardValue, Yardstick
from sgtmajor.mistakes import Announcement, Review, ReviewedCard, worth
from sgtmajor.values import Values

_LEAST = 1e-9


class TextWriter:
    """Prints for each record the hands, the tricks, the mistakes, and what each player has lost.

    Args:
        all_cards: Whether to list all cards, in the order of play, in place of the mistakes.
    """

    def __init__(self, *, all_cards: bool) -> None:
        self._all_cards = all_cards
        self._started = False

    def result(self, entry: Entry, result: Review) -> None:
        """Prints a review."""
        if self._started:
            show("")
        self._started = True
        show(title(entry, result), bold=True)
        show(_conditions(result))
        show("")
        start, leader = result.record.start, result.record.leader
        show(diagram(start.hands, BySeat.of(lambda seat: "leads" if seat is leader else "")))
        show("")
        _show_tricks(result)
        show("")
        _show_cards(result, self._all_cards)
        show("")
        _show_players(result)
        if result.announcement:
            show(["", *announcement_lines(result.announcement)])

    def failure(self, entry: Entry, error: SgtMajorError) -> None:
        """Prints nothing: there is nothing but the error."""


def title(entry: Entry, review: Review) -> str:
    """Returns the heading of a review."""
    name = "" if entry.source is None and entry.id == "1" else f"{entry.id}: "
    start = review.record.start
    tricks = plural(start.tricks, "trick")
    return f"{name}{tricks}, {trumps_text(start.trump)}, {start.leader} leads, all cards open"


def _conditions(review: Review) -> list[str]:
    lines = [f"{plural(len(review.cards), 'card')} played, {_count(review)} by {review.by}."]
    if not review.complete:
        lines.append(f"INCOMPLETE: time was up. {unreviewed(review)}")
    return lines


def _count(review: Review) -> str:
    return plural(len(review.mistakes), "mistake") if review.mistakes else "no mistake"


def unreviewed(review: Review) -> str:
    """Says what of a review is missing."""
    missing = len(review.record.play) - len(review.cards)
    if missing:
        return f"The last {plural(missing, 'card')} of the play and the announcement are not reviewed."
    return "Not all discards were looked at: there may be a better one."


def totals(values: Values, taken: BySeat[int]) -> Values:
    """Returns what a moment is worth with the tricks that were taken before it."""
    guaranteed = BySeat.of(lambda seat: values.guaranteed[seat] + taken[seat])
    return Values(values.tricks + sum(taken.values()), guaranteed)


def card_text(card: ReviewedCard) -> str:
    """Writes a card: ``?`` marks a mistake, brackets a card that was no choice."""
    text = cards_text([card.turn.card])
    if card.better:
        return f"{text}?"
    return f"({text})" if card.forced else text


def _show_tricks(review: Review) -> None:
    """Prints a row for each trick: the cards, and what each seat then has and is sure of."""
    columns = [Column("trick"), *(Column("", left=True) for _ in range(3)), Column("wins", left=True)]
    columns += [*seat_columns("sure of in all", 2), *seat_columns("share in all", 5)]
    rows = [["start", "", "", "", "", *_numbers(review.start)]]
    for number, cards in tricks(review):
        played = [f"{card.turn.seat} {card_text(card)}" for card in cards]
        last = cards[-1]
        rows.append(
            [
                str(number),
                *(played + [""] * (3 - len(played))),
                str(last.turn.winner or ""),
                *_numbers(totals(last.after, last.taken)),
            ]
        )
    table = Table(columns, rows)
    show(table.header(), bold=True)
    show(table.row(row) for row in rows)
    show("  (? a mistake; in brackets: no choice, the only card or all of them equal)")


def tricks(review: Review) -> list[tuple[int, list[ReviewedCard]]]:
    """Returns the cards reviewed, trick by trick."""
    return [(number, list(cards)) for number, cards in groupby(review.cards, lambda card: card.turn.trick)]


def _numbers(values: Values) -> list[str]:
    return [
        *map(str, values.guaranteed.values()),
        *(f"{share:.2f}" for share in values.share.values()),
    ]


def _show_cards(review: Review, all_cards: bool) -> None:
    """Prints a row for each mistake, or for each card."""
    cards: Sequence[ReviewedCard] = review.cards if all_cards else review.mistakes
    if not cards:
        show(f"No mistake by {review.by}.")
        return
    show("The cards, in the order of play" if all_cards else "The mistakes, the worst first", bold=True)
    columns = [Column("trick"), Column("seat", left=True), Column("card", left=True)]
    columns += [Column("better", left=True), Column("sure", "lost", 4), Column("share", width=5)]
    columns += [*seat_columns("sure of in all", 3), *seat_columns("gains by share", 5)]
    rows = [
        [
            str(card.turn.trick),
            str(card.turn.seat),
            card_text(card) if all_cards else cards_text([card.turn.card]),
            cards_text(card.better.run) if card.better else "",
            str(card.lost or "-"),
            number_text(card.lost_share),
            *steps(card),
            *changes(card.change.share),
        ]
        for card in cards
    ]
    table = Table(columns, rows)
    show(table.header(), bold=True)
    show(table.row(row) for row in rows)


def number_text(number: float) -> str:
    """Writes a number of tricks, a dash for none."""
    return f"{number:.2f}" if abs(number) > _LEAST else "-"


def steps(card: ReviewedCard) -> list[str]:
    """Writes what each seat was sure of before and after a card, with what it had: ``7>6``."""
    before, after = totals(card.before, card.taken), totals(card.after, card.taken)
    return [
        str(was) if was == now else f"{was}>{now}"
        for was, now in zip(before.guaranteed.values(), after.guaranteed.values(), strict=True)
    ]


def _show_players(review: Review) -> None:
    """Prints what each player has lost by mistakes, and the account of all three."""
    show("What the players have lost by mistakes, and who has it", bold=True)
    columns = [Column("", left=True), Column("cards"), Column("choices"), Column("mistakes")]
    columns += [Column("sure", "lost", 4), Column("share", width=5), *seat_columns(f"to, by {review.by}", 5)]
    rows = [
        [
            str(seat),
            str(player.cards),
            str(player.choices),
            str(player.mistakes),
            str(player.lost or "-"),
            number_text(player.lost_share),
            *("" if each is seat else given for each, given in zip(Seat, changes(player.given), strict=True)),
        ]
        for seat, player in review.players.items()
    ]
    table = Table(columns, rows)
    show(table.header(), bold=True)
    show(table.row(row) for row in rows)
    show("")
    show("From the start to the end: what all cards have changed", bold=True)
    rows = [[name, *cells] for name, cells in account(review)]
    table = Table([Column("", left=True), *seat_columns("sure of", 5), *seat_columns("share", 5)], rows)
    show(table.header(), bold=True)
    show(table.row(row) for row in rows)


def account(review: Review) -> list[tuple[str, list[str]]]:
    """Returns what adds up: the values at the start, the changes by each seat's cards, and the end."""
    rows = [("at the start", _numbers(review.start))]
    for seat, player in review.players.items():
        guaranteed = BySeat.of(lambda each: float(player.change.guaranteed[each]))  # noqa: B023
        cells = [f"{number:+.0f}" if number else "-" for number in guaranteed.values()]
        rows.append((f"by the cards of {seat}", [*cells, *changes(player.change.share)]))
    over = not review.left.tricks
    end = "taken" if over else f"taken, and of {plural(review.left.tricks, 'trick')} left"
    return [*rows, (end, _numbers(totals(review.left, review.taken)))]


def announcement_lines(announcement: Announcement) -> list[str]:
    """Says what was announced and laid aside, and what would have been best."""
    analysis = announcement.analysis
    seat, by = analysis.rules.announcer, analysis.by
    aside = cards_text(announcement.discard)
    lines = [
        f"{seat} named {trumps_text(announcement.trump)} and laid aside {aside}:"
        f" {_worth(announcement.values, by, seat)}"
    ]
    if announcement.lost_by_discard and announcement.best_discard:
        lines.append(
            f"  best to lay aside: {_choice(announcement.best_discard, by, seat)};"
            f" {announcement.lost_by_discard:.2f} lost"
        )
    if announcement.lost_by_trump and analysis.best.best:
        lines.append(
            f"  best to name: {trumps_text(analysis.best.trump)}, lay aside"
            f" {_choice(analysis.best.best, by, seat)}; {announcement.lost_by_trump:.2f} lost"
        )
    if len(lines) == 1:
        lines.append("  nothing would have been better")
    return lines


def _choice(best: DiscardValue, by: Yardstick, seat: Seat) -> str:
    return f"{cards_text(best.discard)}, {_worth(best.values, by, seat)}"


def _worth(values: Values, by: Yardstick, seat: Seat) -> str:
    number = worth(values, by)[seat]
    return f"sure of {number:.0f}" if by == "guaranteed" else f"{by} {number:.2f}"
