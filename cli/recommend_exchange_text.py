"""What the command ``recommend exchange`` prints for reading."""

from __future__ import annotations

from sgtmajor.cli.exchange_text import owed_text, to_each
from sgtmajor.cli.recommend_text import TextWriter
from sgtmajor.cli.render import Column, cards_text
from sgtmajor.recommend_gifts import ExchangeAdvice, WayToGive

# So many more cards than gifts are named as likely to come back, by the number of receivers.
_MORE_LIKELY = {1: 2, 2: 1}


class WaysWriter(TextWriter[ExchangeAdvice]):
    """Prints advice on what to give."""

    def name(self, advice: ExchangeAdvice, option: WayToGive) -> str:
        """Writes what is given."""
        return to_each(option.gifts, [gift.card for gift in option.gifts])

    def assumptions(self, advice: ExchangeAdvice) -> list[str]:
        """Returns what is owed, how the others choose, and what was compared."""
        lines = [f"Owed: {owed_text(advice.owed)}."]
        if advice.view.give:
            lines.append(f"Given already: {','.join(map(str, advice.view.give))}.")
        others = {due.giver for due in advice.owed} - {advice.seat}
        lines += [f"{other} is taken to give by rule of thumb." for other in others]
        lines.append(
            f"{advice.rules.announcer} is then taken to name, and to lay aside, what looks best from his own"
            " cards alone."
        )
        if len(advice.options) < advice.ways:
            count = len(advice.options)
            most = "most promising one" if count == 1 else f"{count} most promising"
            lines.append(f"Compared: the {most} of {advice.ways} ways to give.")
        return lines

    def choice_columns(self, advice: ExchangeAdvice) -> list[Column]:
        """Returns the columns of what is given and what comes back."""
        return [Column("give", left=True), Column("likely to come back", left=True), Column("stronger")]

    def choice_cells(self, advice: ExchangeAdvice, option: WayToGive) -> list[str]:
        """Returns what is given, the likeliest cards to come back, and how many are stronger."""
        return [self.name(advice, option), _likely(option), f"{option.stronger:.2f}"]

    def advised(self, advice: ExchangeAdvice) -> str:
        """Returns the answer in a line."""
        return f"Best: {advice.seat} gives {self.name(advice, advice.best)}"

    def all_deals(self, advice: ExchangeAdvice) -> str:
        """Returns nothing: how the others choose is an assumption."""
        return ""


def _likely(option: WayToGive) -> str:
    """Writes the cards likeliest to come back from each receiver."""
    receivers = list(dict.fromkeys(gift.receiver for gift in option.gifts))
    parts = []
    for receiver in receivers:
        count = sum(gift.receiver is receiver for gift in option.gifts) + _MORE_LIKELY[len(receivers)]
        cards = [(card, chance) for (seat, card), chance in option.received.items() if seat is receiver]
        shown = " ".join(f"{cards_text([card])} {chance:.0%}" for card, chance in cards[:count])
        parts.append(f"{receiver} {shown}" if len(receivers) > 1 else shown)
    return ", ".join(parts)
