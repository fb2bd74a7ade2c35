"""What the command ``recommend card`` prints for reading."""

from __future__ import annotations

from sgtmajor.cards import Seat
from sgtmajor.cli.reading import Entry
from sgtmajor.cli.recommend_text import TextWriter, kitty_lines
from sgtmajor.cli.render import Column, cards_text, trumps_text
from sgtmajor.recommend_play import CardAdvice, CardOption


class CardsWriter(TextWriter[CardAdvice]):
    """Prints advice on which card to play."""

    def title(self, entry: Entry, advice: CardAdvice) -> str:
        """Returns the trick, and whose turn it is."""
        moment = advice.moment
        number = len(moment.play) // len(Seat) + 1
        turn = "to play" if moment.trick else "leads"
        trump, rules = trumps_text(moment.named), advice.rules
        return f"{entry.prefix}trick {number}, {trump}, {advice.seat} {turn}, rules {rules}"

    def seen(self, advice: CardAdvice) -> list[str]:
        """Returns the hand as it is now, the trick in progress, and what the seat has laid aside."""
        moment = advice.moment
        current = moment.turns[len(moment.turns) - len(moment.trick) :]
        lines = [f"  {advice.seat}      {cards_text(advice.hand)}"]
        if current:
            lines.append(
                f"  trick  {'  '.join(f'{turn.seat} {cards_text([turn.card])}' for turn in current)}"
            )
        return [*lines, *kitty_lines(advice, "aside")]

    def name(self, advice: CardAdvice, option: CardOption) -> str:
        """Writes the card with its equals."""
        return cards_text([option.card, *option.equals])

    def assumptions(self, advice: CardAdvice) -> list[str]:
        """Returns what was taken so far, and what nothing is concluded from."""
        taken = ", ".join(f"{seat} {tricks}" for seat, tricks in advice.moment.taken.items())
        lines = [f"Counted are all tricks of the deal; taken so far: {taken}."]
        lines.append("Nothing is concluded from how the others have played, but what they must hold or lack.")
        if advice.moment.hides_discard:
            announcer = advice.rules.announcer
            lines.append(
                f"What {announcer} has laid aside was chosen, and is not known: all deals that fit are taken"
                " as equally likely."
            )
        if advice.moment.lacks_discard:
            lines.append(
                f"What {advice.seat} has laid aside is not told: it is dealt like all unseen cards."
                " Write K: and discard= in a record."
            )
        if advice.entered == 1:
            lines.append("There is no choice: one card, or all of them do the same.")
        return lines

    def choice_columns(self, advice: CardAdvice) -> list[Column]:
        """Returns the column of the card."""
        return [Column("card", left=True)]

    def choice_cells(self, advice: CardAdvice, option: CardOption) -> list[str]:
        """Returns the card with its equals."""
        return [self.name(advice, option)]

    def advised(self, advice: CardAdvice) -> str:
        """Returns the answer in a line."""
        best = "Best" if len(advice.options) == advice.entered else "Best of those looked at"
        return f"{best}: {advice.seat} plays {self.name(advice, advice.best)}"

    def all_deals(self, advice: CardAdvice) -> str:
        """Returns that nothing was left out."""
        return ": the numbers are exact"
