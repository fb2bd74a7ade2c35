"""Deals, positions and records in a notebook: every card in its place, nothing of a name taken as HTML."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from hypothesis import given
from strategies import records

from sgtmajor import Record
from sgtmajor.cards import Hand, Seat, Suit


class Words(HTMLParser):
    """Collects the words that are shown, and checks that what is opened is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: object) -> None:
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += re.findall(r"[^\s]+", data.replace("\xa0", " "))


@given(records())
def test_a_record_shows_the_hands_it_has(record: Record) -> None:
    words = Words(record._repr_html_()).words
    for seat in Seat:
        start = len(words) - words[::-1].index(str(seat)) - 1
        assert shown(words[start + 1 : start + 9]) == record.deal.hands[seat]
    assert ("kitty" in words) == bool(record.deal.kitty)


def shown(words: list[str]) -> Hand:
    symbols = [suit.symbol for suit in Suit]
    assert words[0::2] == symbols
    return Hand.parse(".".join(word.replace("-", "") for word in words[1::2]))


def test_a_name_is_text() -> None:
    html = Record.parse("D:A... K... Q... trump=N id=<script>")._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_a_position_says_who_leads_and_what_lies_on_the_table() -> None:
    position = Record.parse("D:AK... 2... QJ... trump=S lead=L trick=S3").position
    assert "trump S, lead L, trick S3" in position._repr_html_()
    assert Words(position._repr_html_()).words
    assert "caption" not in Record.parse("D:A... K... Q...").deal._repr_html_()
