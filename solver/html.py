"""Hand diagrams in HTML, for notebooks: L and R beyond, the dealer before, the kitty beside him."""

from __future__ import annotations

from html import escape

from sgtmajor.cards import BySeat, Hand, Seat, Suit

_CELL = "border:none;text-align:left;vertical-align:top;padding:0.4em 2em 0.4em 0"
_RED = "color:#c00"


def diagram_html(hands: BySeat[Hand], kitty: Hand | None = None, caption: str = "") -> str:
    """Returns a table of the hands.

    Args:
        hands: The hands.
        kitty: The kitty, None if it is unknown.
        caption: What to say above, as plain text.
    """
    left, right, dealer = (_hand(str(seat), hands[seat]) for seat in (Seat.L, Seat.R, Seat.D))
    aside = _hand("kitty", kitty) if kitty else ""
    above = f'<caption style="text-align:left">{escape(caption)}</caption>' if caption else ""
    body = "".join(map(_row, [(left, "", right), ("", dealer, aside)]))
    return f'<table style="border:none">{above}{body}</table>'


def _row(cells: tuple[str, ...]) -> str:
    inner = "".join(f'<td style="{_CELL}">{cell}</td>' for cell in cells)
    return f'<tr style="background:none">{inner}</tr>'


def _hand(title: str, hand: Hand) -> str:
    lines = [f"<b>{title}</b>", *(_suit(hand, suit) for suit in Suit)]
    return "<br>".join(lines)


def _suit(hand: Hand, suit: Suit) -> str:
    ranks = "".join(str(card)[1] for card in hand.suit(suit)) or "-"
    symbol = f'<span style="{_RED}">{suit.symbol}</span>' if suit in (Suit.H, Suit.D) else suit.symbol
    return f"{symbol}&nbsp;{ranks}"
