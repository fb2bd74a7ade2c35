"""Advice from one hand: which card to play, seeing what a player sees in the middle of the play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from sgtmajor.advice import Answer, Effort, Worth
from sgtmajor.cards import BySeat, Card, Hand, Trump
from sgtmajor.deal import Position, beats
from sgtmajor.engine import Engine
from sgtmajor.kitty import runs_between
from sgtmajor.knowledge import Fact
from sgtmajor.moment import Moment, learn_in_play, read_moment
from sgtmajor.question import Question
from sgtmajor.race import LEAST_SAMPLES, Outcome, Stage
from sgtmajor.record import Record
from sgtmajor.rules import Rules
from sgtmajor.sampling import FEW, Layouts, Samples
from sgtmajor.values import values_after
from sgtmajor.view import write_seen
from sgtmajor.yardstick import By, check_yardstick

# At the table there is less time for a card than for the announcement.
DEFAULT_SECONDS = 5.0

# A run of cards that do the same: the highest first.
_Run = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardOption(Worth):
    """A card, and what it is worth: the tricks of the whole deal, those taken before included.

    Attributes:
        card: The highest card of its run.
        equals: The other cards of the run, which do the same wherever the unseen cards lie.
    """

    card: Card
    equals: tuple[Card, ...]

    def choice_to_dict(self) -> dict[str, object]:
        """Returns the JSON form of what is chosen, without what it is worth."""
        return {"card": str(self.card), "equals": [str(card) for card in self.equals]}


@dataclass(frozen=True, slots=True)
class CardAdvice(Answer[CardOption]):
    """The answer to :func:`recommend_card`.

    Attributes:
        moment: What was written of the deal and the play.
    """

    moment: Moment

    @property
    def hand(self) -> Hand:
        """The cards that the seat still holds."""
        return self.knowledge.hand - Hand.of(self.moment.play)

    @property
    def seen(self) -> str:
        """The cards that the seat still holds, and what it knows to be laid aside, as a deal."""
        hands = BySeat.of(lambda seat: self.hand if seat is self.seat else None)
        return write_seen(hands, self.knowledge.kitty)

    def question_to_dict(self) -> dict[str, object]:
        """Returns the JSON form of what only answers to this question have."""
        return {
            "trump": str(self.moment.named),
            "taken": self.moment.taken.to_dict(),
            "trick": [str(card) for card in self.moment.trick],
        }


def recommend_card(
    view: Moment | Record | str,
    *,
    by: By = "share",
    rules: Rules | str | None = None,
    trump: Trump | None = None,
    facts: Iterable[Fact] = (),
    returned: Sequence[Card] = (),
    effort: Effort | None = None,
    progress: Callable[[Stage], None] | None = None,
) -> CardAdvice:
    """Ranks the cards of the seat whose turn it is, from what it sees: its hand and the cards played.

    Nothing is concluded from how the others have played but what they must hold or lack; of the announcer's
    discard another seat knows nothing.

    Args:
        view: What is seen, with ``play`` or ``trick``: a moment, a record, or the text of either. Of a record
            in which everything is written only what the seat sees is looked at.
        by: The yardstick: ``share`` or ``guaranteed`` of the seat that asks.
        rules: Rules, or their text; those of the view if not given.
        trump: The trump; that of the view if not given.
        facts: What is known of unseen cards: see :func:`parse_holds` and :func:`parse_lacks`; K is what was
            laid aside.
        returned: What came back for the gifts of the seat, in order, where the view does not show it.
        effort: How much work it may take; five seconds if nothing is said.
        progress: Called from time to time.

    Raises:
        InputError: If something is wrong with the input, or what is known contradicts itself.
        SearchStopped: If time ran out before the first sample was solved.
        Interrupted: On Ctrl-C, if samples were solved by then: its ``result`` is the advice so far.
    """
    check_yardstick(by)
    moment = _moment_of(view, rules, trump)
    knowledge = learn_in_play(moment, facts=facts, returned=returned)
    effort = effort or Effort()
    if effort.samples is None and effort.seconds is None:
        effort = replace(effort, seconds=DEFAULT_SECONDS)
    choices = _choices(moment, knowledge.hand, knowledge.unseen)
    if len(choices) == 1 and effort.samples is None:
        # There is nothing to compare: what it is worth is soon known well enough.
        effort = replace(effort, samples=LEAST_SAMPLES)
    samples = Samples(Layouts(knowledge), effort.seed, effort.samples or FEW)
    return _CardQuestion(moment, knowledge, by, samples, effort, moment).advice(choices, progress)


def _moment_of(view: Moment | Record | str, rules: Rules | str | None, trump: Trump | None) -> Moment:
    given: dict[str, Any] = {"rules": Rules.parse(rules) if isinstance(rules, str) else rules, "trump": trump}
    fields = {key: value for key, value in given.items() if value is not None}
    if isinstance(view, str):
        return read_moment(view, **fields)
    if isinstance(view, Record):
        return Moment.of(replace(view, **fields))
    return replace(view, **fields)


def _choices(moment: Moment, hand: Hand, unseen: Hand) -> list[_Run]:
    """Returns the legal cards, those together that do the same wherever the unseen cards lie.

    Cards that were played separate no more, but for the one that is winning the trick.
    """
    played = Hand.of(moment.play)
    left = hand - played
    legal, winning = left, Hand()
    if moment.trick:
        legal = left.suit(moment.trick[0].suit) or left
        best = reduce(lambda one, two: two if beats(two, one, moment.named) else one, moment.trick)
        winning = Hand.of([best])
    return list(runs_between(legal, (unseen - played) | winning))


@dataclass(frozen=True, slots=True)
class _CardQuestion(Question):
    """How cards are valued on the samples."""

    moment: Moment

    def position(self, number: int) -> Position:
        """Returns the moment with the unseen cards as they lie in a sample."""
        played = Hand.of(self.moment.play)
        hands = self.deal(number).hands
        return Position(
            BySeat.of(lambda seat: hands[seat] - played),
            self.moment.named,
            self.moment.trick_leader,
            self.moment.trick,
        )

    def values(self, engine: Engine, number: int, runs: Sequence[_Run]) -> list[float]:
        """Values cards on a sample: the tricks of the seat in the whole deal."""
        position, taken = self.position(number), self.moment.taken[self.seat]
        return [taken + self._after(engine, position, run[0]) for run in runs]

    def _after(self, engine: Engine, position: Position, card: Card) -> float:
        if self.by == "guaranteed":
            won = position.winner_after(card) is self.seat
            return float(engine.bounds(position.after(card), self.seat).lower + won)
        return values_after(engine, position, card).share[self.seat]

    def advice(self, choices: Sequence[_Run], progress: Callable[[Stage], None] | None) -> CardAdvice:
        """Races the cards and makes an advice of how they end."""

        def make(outcome: Outcome[_Run], fields: dict[str, Any]) -> CardAdvice:
            options = [
                CardOption(
                    *self.worth(standing, fields["exact"]), standing.candidate[0], standing.candidate[1:]
                )
                for standing in outcome.standings
            ]
            return CardAdvice(**fields, options=tuple(options), moment=self.moment)

        return self.answer(
            # Of equally good cards the lowest is the one to play.
            sorted(choices, key=lambda run: run[-1].rank),
            self.values,
            make,
            group=lambda _: None,
            # The announcer has chosen what to lay aside: it is not as likely to be one card as another.
            all_looked_at=not self.moment.hides_discard,
            less="--by guaranteed",
            progress=progress,
        )
