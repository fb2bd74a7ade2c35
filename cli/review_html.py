"""What the command ``review`` writes as a page: one file that needs no script and loads nothing.

The page is built as a tree of elements, so whatever a record says is escaped; it is written in ASCII, so that
it survives any terminal and any pipe.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import TracebackType
from xml.etree import ElementTree

import click

from sgtmajor.cards import Card, Hand, Seat, Suit
from sgtmajor.cli.reading import Entry
from sgtmajor.cli.render import plural
from sgtmajor.cli.review_text import (
    ACCOUNT,
    MISTAKES,
    PLAYERS,
    account,
    announcement_lines,
    conditions,
    given_cells,
    number_text,
    split_name,
    steps,
    title,
    tricks,
)
from sgtmajor.cli.solve_text import two_numbers
from sgtmajor.errors import SgtMajorError
from sgtmajor.mistakes import Review, ReviewedCard
from sgtmajor.values import CardValue
from sgtmajor.yardstick import other_than, split_by, worth

Element = ElementTree.Element

_UNIT = {"share": "of share", "equilibrium": "expected tricks"}

_STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1c1e21; --soft: #5b6168; --line: #d9dce0;
  --band: #f4f5f7; --red: #b3172a; --bad: #9a3b00; --bad-band: #fdeadb; }
@media (prefers-color-scheme: dark) { :root { --paper: #17191c; --ink: #e6e8ea; --soft: #a0a7af;
  --line: #3a3f45; --band: #202327; --red: #ff8a8a; --bad: #ffb878; --bad-band: #46301c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 16px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 .4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 1.8rem 0 .5rem; }
article + article { border-top: 3px solid var(--line); margin-top: 2.5rem; padding-top: 1.5rem; }
p { margin: .3rem 0; overflow-wrap: anywhere; }
.soft, small { color: var(--soft); }
.red { color: var(--red); }
.table { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem 1rem; max-width: 36rem; margin: 1rem 0; }
.hand { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .75rem; background: var(--band); }
.hand h3 { margin: 0 0 .2rem; font-size: .95rem; }
.hand div { white-space: nowrap; letter-spacing: .04em; }
.dealer { grid-column: 1 / 3; justify-self: center; min-width: 50%; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .22rem .5rem; text-align: right; white-space: nowrap; }
th { font-weight: 600; color: var(--soft); }
tbody tr { border-top: 1px solid var(--line); }
tbody tr:nth-child(even) { background: var(--band); }
.left { text-align: left; }
.first, .group { padding-left: 1.1rem; }
.group { text-align: center; }
.played { text-align: left; }
.played b { font-weight: 400; color: var(--soft); padding-right: .2em; }
.played.wins b { color: inherit; font-weight: 700; }
.played.mistake, .mistake > p:first-child { color: var(--bad); }
.played.mistake { background: var(--bad-band); font-weight: 700; }
.played.mistake a { color: inherit; }
.played.forced { opacity: .6; }
section.mistake { border-left: 4px solid var(--bad); padding: .1rem 0 .1rem .75rem; margin: .75rem 0; }
section.mistake:target { background: var(--bad-band); }
summary { cursor: pointer; color: var(--soft); }
.error { color: var(--bad); }
@media (max-width: 40rem) {
  body { padding: .75rem; font-size: 15px; }
  th, td { padding: .2rem .16rem; font-size: .8rem; }
  th { white-space: normal; }
  .first, .group { padding-left: .4rem; }
  .hand { padding: .4rem .5rem; }
  .table { gap: .5rem; }
}
"""


def _e(tag: str, *children: Element | str, **attributes: str) -> Element:
    """Makes an element; ``class_`` is its class."""
    element = Element(tag, {key.rstrip("_"): value for key, value in attributes.items() if value})
    last: Element | None = None
    for child in children:
        if isinstance(child, Element):
            element.append(child)
            last = child
        elif last is None:
            element.text = (element.text or "") + child
        else:
            last.tail = (last.tail or "") + child
    return element


class HtmlWriter:
    """Writes one page with all reviews; it ends with the with-block, whatever ends that."""

    def __init__(self) -> None:
        self._count = 0

    def __enter__(self) -> HtmlWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._count:
            click.echo("</body>\n</html>")

    def result(self, entry: Entry, result: Review) -> None:
        """Writes a review."""
        self._write(_article(title(entry, result), result, f"r{self._count + 1}"))

    def failure(self, entry: Entry, error: SgtMajorError) -> None:
        """Writes what is wrong with a record."""
        self._write(
            _e("article", _e("h1", entry.id), _e("p", entry.text), _e("p", str(error), class_="error"))
        )

    def _write(self, article: Element) -> None:
        if not self._count:
            click.echo('<!DOCTYPE html>\n<html lang="en">\n' + _html(_head()) + "\n<body>")
        self._count += 1
        click.echo(_html(article))


def _html(element: Element) -> str:
    text: bytes = ElementTree.tostring(element, encoding="us-ascii", method="html")
    return text.decode("ascii")


def _head() -> Element:
    return _e(
        "head",
        _e("meta", charset="us-ascii"),
        _e("meta", name="viewport", content="width=device-width, initial-scale=1"),
        _e("title", "sgtmajor review"),
        _e("style", _STYLE),
    )


def _article(heading: str, review: Review, key: str) -> Element:
    played, *incomplete = conditions(review)
    parts = [_e("h1", *_coloured(heading)), _e("p", played, class_="soft")]
    parts += [_e("p", line, class_="error") for line in incomplete]
    parts += [_hands(review), _e("h2", "Trick by trick"), *_tricks(review, key)]
    parts += [_e("h2", MISTAKES), *_mistakes(review, key)]
    parts += [_e("h2", PLAYERS), _players(review)]
    parts += [_e("h2", ACCOUNT), _account(review)]
    if review.announcement:
        parts.append(_e("h2", "The announcement"))
        parts += [_e("p", *_coloured(line.strip())) for line in announcement_lines(review.announcement)]
    parts += [_e("h2", "Card by card"), _all_cards(review)]
    parts.append(_e("p", _e("small", f"Record: {review.record}")))
    return _e("article", *parts)


def _coloured(text: str) -> list[Element | str]:
    """Splits text at the symbols of red suits, with the ranks behind them."""
    parts: list[Element | str] = []
    for word in text.split(" "):
        parts.append(" " if parts else "")
        parts.append(_e("span", word, class_="red") if word[:1] in "♥♦" and word else word)
    return parts


def _card(card: Card) -> Element:
    red = "red" if card.suit in (Suit.H, Suit.D) else ""
    return _e("span", f"{card.suit.symbol}{str(card)[1]}", class_=red)


def _cards(cards: Iterable[Card]) -> list[Element | str]:
    parts: list[Element | str] = []
    for card in cards:
        parts += [" ", _card(card)] if parts else [_card(card)]
    return parts


def _hands(review: Review) -> Element:
    """Draws the table: L and R beyond, the dealer before."""
    start = review.record.start
    boxes = []
    for seat in (Seat.L, Seat.R, Seat.D):
        role = ", leads" if seat is start.leader else ""
        boxes.append(_hand(f"{seat}{role}", start.hands[seat], "hand dealer" if seat is Seat.D else "hand"))
    aside = review.record.discard
    if aside:
        boxes.append(_e("p", "Laid aside: ", *_cards(sorted(aside)), class_="soft"))
    return _e("div", *boxes, class_="table")


def _hand(name: str, hand: Hand, style: str) -> Element:
    rows = []
    for suit in Suit:
        ranks = " ".join(str(card)[1] for card in hand.suit(suit)) or "-"
        red = "red" if suit in (Suit.H, Suit.D) else ""
        rows.append(_e("div", _e("span", suit.symbol, class_=red), f" {ranks}"))
    return _e("div", _e("h3", name), *rows, class_=style)


def _seat_heads(*groups: str) -> list[Element]:
    """Returns the headings above groups of three seats."""
    return [_e("th", group, colspan="3", class_="group") for group in groups]


def _seats(count: int) -> list[Element]:
    return [
        _e("th", str(seat), class_="first" if seat is Seat.D else "") for _ in range(count) for seat in Seat
    ]


def _number_cells(cells: Sequence[str]) -> list[Element]:
    return [_e("td", cell, class_="" if place % 3 else "first") for place, cell in enumerate(cells)]


def _grid(heads: Sequence[Element], names: Sequence[Element], rows: Sequence[Element]) -> Element:
    head = _e("thead", _e("tr", *heads), _e("tr", *names))
    return _e("div", _e("table", head, _e("tbody", *rows)), class_="scroll")


def _tricks(review: Review, key: str) -> list[Element]:
    rows = [
        _e(
            "tr",
            _e("td", "start", colspan="4", class_="left"),
            *_number_cells(two_numbers(review.start, split_by(review.by))),
        )
    ]
    names = {id(card): f"{key}-{place}" for place, card in enumerate(review.mistakes, start=1)}
    for number, cards in tricks(review):
        last = cards[-1]
        played = [_played(card, names.get(id(card)), last.turn.winner) for card in cards]
        played += [_e("td") for _ in range(3 - len(played))]
        numbers = _number_cells(two_numbers(last.after.with_taken(last.taken), split_by(review.by)))
        rows.append(_e("tr", _e("td", str(number)), *played, *numbers))
    heads = [_e("th"), _e("th", colspan="3"), *_seat_heads("sure of in all", f"{split_name(review)} in all")]
    names_row = [_e("th"), _e("th", "cards", colspan="3", class_="left"), *_seats(2)]
    legend = (
        "Marked: mistakes, which lead to what is said of them. Pale: no choice, the only card or all equal."
    )
    return [_grid(heads, names_row, rows), _e("p", f"{legend} The winner's letter is bold.", class_="soft")]


def _played(card: ReviewedCard, name: str | None, winner: Seat | None) -> Element:
    styles = ["played"]
    if card.turn.seat is winner:
        styles.append("wins")
    if card.forced:
        styles.append("forced")
    shown = _card(card.turn.card)
    if name:
        styles.append("mistake")
        shown = _e("a", shown, "?", href=f"#{name}")
    return _e("td", _e("b", str(card.turn.seat)), shown, class_=" ".join(styles))


def _mistakes(review: Review, key: str) -> list[Element]:
    if not review.mistakes:
        return [_e("p", f"No mistake by {review.by}.")]
    return [_mistake(card, f"{key}-{place}") for place, card in enumerate(review.mistakes, start=1)]


def _mistake(card: ReviewedCard, name: str) -> Element:
    assert card.better is not None, "it is a mistake"
    seat = card.turn.seat
    sure = plural(card.lost, "guaranteed trick") if card.lost else "no guaranteed trick"
    lost = f"lost {sure} and {number_text(card.lost_split)} {_UNIT[split_by(card.by)]}"
    cells = zip(Seat, given_cells(seat, card.given, card.by), strict=True)
    gained = ", ".join(f"{each} {given}" for each, given in cells if given not in ("", "-"))
    also = [f"; by {other_than(card.by)}, ", *_cards(card.other.run)] if card.other else []
    return _e(
        "section",
        _e(
            "p",
            _e("strong", f"Trick {card.turn.trick}: {seat} played ", _card(card.turn.card)),
            ", better was ",
            *_cards(card.better.run),
            *also,
        ),
        _e("p", f"{seat} {lost}. The others, by {card.by}: {gained or 'nothing'}."),
        _comparison(card, *(each for each in (card.better, card.other) if each)),
        id=name,
        class_="mistake",
    )


def _comparison(card: ReviewedCard, *better: CardValue) -> Element:
    """Tells what the card and the better ones lead to."""
    rows = [
        _e(
            "tr",
            _e("td", *_cards(cards), class_="left"),
            *_number_cells(two_numbers(values.with_taken(card.taken), split_by(card.by))),
        )
        for cards, values in (([card.turn.card], card.after), *((each.run, each.values) for each in better))
    ]
    heads = [_e("th"), *_seat_heads("sure of in all", f"{split_by(card.by)} in all")]
    return _grid(heads, [_e("th", "card", class_="left"), *_seats(2)], rows)


def _players(review: Review) -> Element:
    rows = []
    for seat, player in review.players.items():
        given = given_cells(seat, player.given, review.by)
        # In one cell, so that the table has room on a phone.
        cells = [f"{player.choices} of {player.cards}", str(player.mistakes)]
        cells += [str(player.lost or "-"), number_text(player.lost_split)]
        rows.append(
            _e(
                "tr",
                _e("td", str(seat), class_="left"),
                *(_e("td", cell) for cell in cells),
                *_number_cells(given),
            )
        )
    heads = [
        _e("th", colspan="3"),
        _e("th", "lost", colspan="2", class_="group"),
        *_seat_heads(f"to, by {review.by}"),
    ]
    names = [_e("th", name) for name in ("", "choices", "mistakes", "sure", split_name(review))]
    return _grid(heads, [*names, *_seats(1)], rows)


def _account(review: Review) -> Element:
    rows = [_e("tr", _e("td", name, class_="left"), *_number_cells(cells)) for name, cells in account(review)]
    return _grid([_e("th"), *_seat_heads("sure of", split_name(review))], [_e("th"), *_seats(2)], rows)


def _all_cards(review: Review) -> Element:
    rows = [_card_row(card) for card in review.cards]
    heads = [_e("th", colspan="5"), _e("th", "lost", colspan="2", class_="group")]
    split = split_name(review)
    heads += _seat_heads("sure of in all", f"{split} before", f"{split} after")
    names = [
        _e("th", name, class_="left")
        for name in ("trick", "", "card", "better", f"by {other_than(review.by)}")
    ]
    names += [_e("th", "sure"), _e("th", split), *_seats(3)]
    return _e("details", _e("summary", "all cards, before and after"), _grid(heads, names, rows))


def _card_row(card: ReviewedCard) -> Element:
    before, after = card.before.with_taken(card.taken), card.after.with_taken(card.taken)
    shares = [
        f"{each:.2f}" for values in (before, after) for each in worth(values, split_by(card.by)).values()
    ]
    return _e(
        "tr",
        _e("td", str(card.turn.trick)),
        _e("td", str(card.turn.seat), class_="left"),
        _e("td", _card(card.turn.card), f" {card.forced}" if card.forced else "", class_="left"),
        *(_e("td", *(_cards(each.run) if each else ()), class_="left") for each in (card.better, card.other)),
        _e("td", str(card.lost or "-")),
        _e("td", number_text(card.lost_split)),
        *_number_cells([*steps(card), *shares]),
    )
