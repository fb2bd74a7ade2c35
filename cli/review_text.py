"""What the command ``review`` prints for reading."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from sgtmajor.cards import BySeat, Seat
from sgtmajor.cli.reading import Entry
from sgtmajor.cli.render import (
    Column,
    cards_text,
    diagram,
    plural,
    seat_columns,
    show,
    show_table,
    trumps_text,
)
from sgtmajor.cli.solve_text import changes, two_numbers
from sgtmajor.equilibrium import NEUTRAL
from sgtmajor.errors import SgtMajorError
from sgtmajor.kitty import DiscardValue
from sgtmajor.mistakes import Announcement, Review, ReviewedCard
from sgtmajor.values import CardValue, Change, Values
from sgtmajor.yardstick import Yardstick, other_than, split_by, worth

MISTAKES = "The mistakes, the worst first"
PLAYERS = "What the players have lost by mistakes, and who has it"
ACCOUNT = "From the start to the end: what all cards have changed"

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
        show(conditions(result))
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
    start = review.record.start
    tricks = plural(start.tricks, "trick")
    return f"{entry.prefix}{tricks}, {trumps_text(start.trump)}, {start.leader} leads, all cards open"


def conditions(review: Review) -> list[str]:
    """Says how much was played, how many mistakes there were, and what is missing if time was up."""
    played, reviewed = len(review.record.play), len(review.cards)
    found = plural(len(review.mistakes), "mistake") if review.mistakes else "no mistake"
    part = f", {reviewed} of them reviewed" if reviewed < played else ""
    ties = "" if review.ties == NEUTRAL else f", ties {review.ties}"
    lines = [
        f"{plural(played, 'card')} played{part}, {found} by {review.by}{ties}.{_of_announcement(review)}"
    ]
    return lines if review.complete else [*lines, f"INCOMPLETE: time was up. {_unreviewed(review)}"]


def _of_announcement(review: Review) -> str:
    """Says what the announcement has lost, or why that cannot be told."""
    announcement = review.announcement
    if announcement:
        lost = announcement.lost_by_discard + announcement.lost_by_trump
        return f" The announcement lost {lost:.2f}, see below." if lost else ""
    record = review.record
    if review.announcement_wanted and record.deal.kitty and not record.discard:
        return " The announcement is not reviewed: what was laid aside is not told, discard=."
    return ""


def _unreviewed(review: Review) -> str:
    """Says what of a review is missing."""
    missing = []
    if late := len(review.record.play) - len(review.cards):
        missing.append(f"the last {plural(late, 'card')} of the play")
    if review.announcement_wanted and review.record.discard and not review.announcement:
        missing.append("the announcement")
    if missing:
        return f"Not reviewed: {' and '.join(missing)}."
    return "Not all discards were looked at: there may be a better one."


def card_text(card: ReviewedCard) -> str:
    """Writes a card: ``?`` marks a mistake, brackets a card that was no choice."""
    text = cards_text([card.turn.card])
    if card.better:
        return f"{text}?"
    return f"({text})" if card.forced else text


def _show_tricks(review: Review) -> None:
    """Prints a row for each trick: the cards, and what each seat then has and is sure of."""
    columns = [Column("trick"), *(Column("", left=True) for _ in range(3)), Column("wins", left=True)]
    columns += [*seat_columns("sure of in all", 2), *seat_columns(f"{split_name(review)} in all", 5)]
    split = split_by(review.by)
    rows = [["start", "", "", "", "", *two_numbers(review.start, split)]]
    for number, cards in tricks(review):
        played = [f"{card.turn.seat} {card_text(card)}" for card in cards]
        last = cards[-1]
        rows.append(
            [
                str(number),
                *(played + [""] * (3 - len(played))),
                str(last.turn.winner or ""),
                *two_numbers(last.after.with_taken(last.taken), split),
            ]
        )
    show_table(columns, rows)
    show("  (? a mistake; in brackets: no choice, the only card or all of them equal)")


def split_name(review: Review) -> str:
    """Returns the name of the number that splits all tricks among the seats."""
    return "expected" if review.by == "equilibrium" else "share"


def tricks(review: Review) -> list[tuple[int, list[ReviewedCard]]]:
    """Returns the cards reviewed, trick by trick."""
    return [(number, list(cards)) for number, cards in groupby(review.cards, lambda card: card.turn.trick)]


def _show_cards(review: Review, all_cards: bool) -> None:
    """Prints a row for each mistake, against the better card, or for each card, against the moment before."""
    cards: Sequence[ReviewedCard] = review.cards if all_cards else review.mistakes
    if not cards:
        show(f"No mistake by {review.by}.")
        return
    show("The cards, in the order of play" if all_cards else MISTAKES, bold=True)
    columns = [Column("trick"), Column("seat", left=True), Column("card", left=True)]
    columns += [Column("better", left=True)]
    # Mostly one card is the best by both yardsticks.
    two = any(card.other for card in cards)
    if two:
        columns.append(Column(f"by {other_than(review.by)}", left=True))
    columns += [Column("sure", "lost", 4), Column(split_name(review), width=5)]
    columns += [*seat_columns("sure of in all", 3), *seat_columns(f"gains by {review.by}", 5)]
    rows = [
        [
            str(card.turn.trick),
            str(card.turn.seat),
            card_text(card) if all_cards else cards_text([card.turn.card]),
            cards_text(card.better.run) if card.better else "",
            *([cards_text(card.other.run) if card.other else ""] if two else []),
            str(card.lost or "-"),
            number_text(card.lost_split),
            *steps(card, None if all_cards else card.better),
            *changes(worth(card.change if all_cards else card.given, review.by)),
        ]
        for card in cards
    ]
    show_table(columns, rows)
    against = "the moment before" if all_cards else "the better card"
    show(f"  (sure of, and gains: against {against})")


def number_text(number: float) -> str:
    """Writes a number of tricks, a dash for none."""
    return f"{number:.2f}" if abs(number) > _LEAST else "-"


def steps(card: ReviewedCard, better: CardValue | None = None) -> list[str]:
    """Writes what each seat was sure of before a card, or with a better one, and after it: ``7>6``."""
    before = (better.values if better else card.before).with_taken(card.taken)
    after = card.after.with_taken(card.taken)
    pairs = zip(before.guaranteed.values(), after.guaranteed.values(), strict=True)
    return [str(was) if was == now else f"{was}>{now}" for was, now in pairs]


def _show_players(review: Review) -> None:
    """Prints what each player has lost by mistakes, and the account of all three."""
    show(PLAYERS, bold=True)
    columns = [Column("", left=True), Column("cards"), Column("choices"), Column("mistakes")]
    columns += [Column("sure", "lost", 4), Column(split_name(review), width=5)]
    columns += [*seat_columns(f"to, by {review.by}", 5)]
    rows = [
        [
            str(seat),
            str(player.cards),
            str(player.choices),
            str(player.mistakes),
            str(player.lost or "-"),
            number_text(player.lost_split),
            *given_cells(seat, player.given, review.by),
        ]
        for seat, player in review.players.items()
    ]
    show_table(columns, rows)
    show("")
    show(ACCOUNT, bold=True)
    rows = [[name, *cells] for name, cells in account(review)]
    numbers = [*seat_columns("sure of", 5), *seat_columns(split_name(review), 5)]
    show_table([Column("", left=True), *numbers], rows)


def given_cells(seat: Seat, given: Change, by: Yardstick) -> list[str]:
    """Writes what the others have of what a seat has lost."""
    cells = zip(Seat, changes(worth(given, by)), strict=True)
    return ["" if each is seat else cell for each, cell in cells]


def account(review: Review) -> list[tuple[str, list[str]]]:
    """Returns what adds up: the values at the start, the changes by each seat's cards, and the end."""
    split = split_by(review.by)
    rows = [("at the start", two_numbers(review.start, split))]
    for seat, player in review.players.items():
        cells = [f"{number:+d}" if number else "-" for number in player.change.guaranteed.values()]
        rows.append((f"by the cards of {seat}", [*cells, *changes(worth(player.change, split))]))
    over = not review.left.tricks
    end = "taken" if over else f"taken, and of {plural(review.left.tricks, 'trick')} left"
    return [*rows, (end, two_numbers(review.left.with_taken(review.taken), split))]


def announcement_lines(announcement: Announcement) -> list[str]:
    """Says what was announced and laid aside, and what would have been best."""
    analysis = announcement.analysis
    seat, by = analysis.rules.announcer, announcement.by
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
