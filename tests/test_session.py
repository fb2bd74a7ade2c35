"""A session: its points, what is owed, its winner, its errors; and a whole one played through the library."""

from __future__ import annotations

import copy
import json
import pickle
import re
from random import Random
from typing import Any

import oracle
import pytest
from hypothesis import given, settings, strategies as st
from stored import random_deal

from sgtmajor.cards import BySeat, Hand, Seat, Trump
from sgtmajor.errors import InputError, InputErrors
from sgtmajor.giving import exchange
from sgtmajor.record import Record
from sgtmajor.rules import PRESETS, Rules
from sgtmajor.session import Score, Session, SessionDeal, score
from sgtmajor.trump import analyze

PLAYERS = ("Ann", "Ben", "Cat")


def session(*deals: str, rules: str = "classic") -> str:
    """Returns the text of a session that Ann deals first."""
    lines = [f"dealer={PLAYERS[place % 3]} tricks={deal}" for place, deal in enumerate(deals)]
    return "\n".join([f"players=Ann,Ben,Cat rules={rules}", *lines])


# Points, next dealer, exchange: worked by hand.


def test_points_are_tricks_minus_the_target_of_the_seat_that_moves_with_the_deal() -> None:
    # Targets: the dealer 8, the next player 5, the third 3.
    result = score(session("9,4,3", "6,6,4", "5,3,8"))
    assert [dict(deal.points) for deal in result.deals] == [
        {"Ann": 1, "Ben": -1, "Cat": 0},
        {"Ann": 3, "Ben": -2, "Cat": -1},
        {"Ann": 0, "Ben": 0, "Cat": 0},
    ]
    assert [dict(deal.totals) for deal in result.deals] == [
        {"Ann": 1, "Ben": -1, "Cat": 0},
        {"Ann": 4, "Ben": -3, "Cat": -1},
        {"Ann": 4, "Ben": -3, "Cat": -1},
    ]
    assert result.next_dealer == "Ann"


@pytest.mark.parametrize(
    ("deals", "rules", "owed"),
    [
        (["9,4,3"], "classic", ["Ann gives 1 to Ben"]),
        (["8,5,3"], "classic", []),
        # The next player clockwise is served first.
        (["11,3,2"], "classic", ["Ann gives 2 to Ben", "Ann gives 1 to Cat"]),
        (["7,4,5"], "classic", ["Cat gives 1 to Ann", "Cat gives 1 to Ben"]),
        # Ann and Cat were up: of the new deal, in which Ben deals, Cat has target 5 and Ann 3.
        (["10,2,4"], "classic", ["Cat gives 1 to Ben", "Ann gives 2 to Ben"]),
        (["10,2,4"], "pickup", ["Ann gives 2 to Ben", "Cat gives 1 to Ben"]),
        # By polish rules D 3, L 8, R 5: in the next deal Ben has target 3, Cat 8, Ann 5.
        (["5,5,6"], "polish", ["Cat gives 1 to Ben", "Ann gives 2 to Ben"]),
        (["9,4,3"], "classic,exchange=none", []),
        # Cat deals next: Ann has target 5, Ben 3.
        (["8,5,3", "4,9,3"], "classic", ["Ann gives 1 to Cat", "Ben gives 1 to Cat"]),
        (["8,5,3", "4,9,3"], "pickup", ["Ann gives 1 to Cat", "Ben gives 1 to Cat"]),
    ],
)
def test_what_is_owed_goes_by_the_seats_of_the_next_deal(
    deals: list[str], rules: str, owed: list[str]
) -> None:
    result = score(session(*deals, rules=rules))
    assert list(map(str, result.deals[-1].exchange)) == owed


# The winner: worked by hand.


@pytest.mark.parametrize(
    ("deals", "rules", "winner", "decided_by"),
    [
        (["9,4,3"], "classic", "Ann", "total"),
        (["8,4,4"], "classic", "Cat", "total"),
        # totals +1 +1 -2; Ben has +2 in the last deal, Ann 0
        (["9,4,3", "3,10,3"], "classic", "Ben", "last deal"),
        # totals 0 0 0; Ann has +1 in the last deal, Ben 0, Cat -1
        (["7,5,4", "4,8,4"], "classic", "Ann", "last deal"),
        # all three level on everything: the last trick
        (["8,5,3 won=AAAABBBBAAAABCCC"], "classic", "Cat", "last trick"),
        (["8,5,3 won=AAAABBBBAAAACCCB"], "classic", "Ben", "last trick"),
        # Ann and Ben level at +1: the 16th trick was Cat's, the 15th Ben's
        (["9,6,1 won=AAAAAAAAABBBBBBC"], "classic", "Ben", "latest trick"),
        (["9,6,1 won=AAAAAAAABBBBBBCA"], "classic", "Ann", "latest trick"),
        (["9,6,1 won=cbbbbbbaaaaaaaaa"], "classic", "Ann", "latest trick"),
        # the mixed case: totals 0 0 0, Ann and Ben share the best last deal with +1 each
        (["7,4,5", "4,9,3 won=BBBBBBBBBAAACCAC"], "classic", "Ann", "latest trick"),
        (["7,4,5", "4,9,3 won=AAAABBBBBBBBBCCC"], "classic", "Ben", "latest trick"),
        # twelve tricks win at once, whatever the totals: here Cat has +7, Ben -1
        (["5,0,11", "0,12,4"], "eldest", "Ben", "instant win"),
        (["5,0,11", "0,12,4"], "classic", "Cat", "total"),
        (["5,0,11", "0,12,4"], "classic,instant_win=13", "Cat", "total"),
        (["13,3,0"], "classic,instant_win=13", "Ann", "instant win"),
    ],
)
def test_the_winner_and_what_decides_it(deals: list[str], rules: str, winner: str, decided_by: str) -> None:
    result = score(session(*deals, rules=rules))
    assert (result.winner, result.decided_by, result.undecided) == (winner, decided_by, None)


@pytest.mark.parametrize(
    ("deals", "names"),
    [
        (["8,5,3"], "Ann, Ben and Cat are level"),
        (["9,6,1"], "Ann and Ben are level"),
        (["7,4,5", "4,9,3"], "Ann and Ben are level"),
    ],
)
def test_without_the_record_of_the_tricks_that_a_tie_needs_there_is_no_guess(
    deals: list[str], names: str
) -> None:
    result = score(session(*deals))
    assert (result.winner, result.decided_by) == (None, None)
    assert result.undecided
    assert f"{names}: add won= to the last deal (line {len(deals) + 1})" in result.undecided


def test_players_who_are_level_without_a_trick_in_the_last_deal_stay_level() -> None:
    deals = ["0,8,8", "0,10,6", "0,6,10", "16,0,0 won=" + 16 * "A"]
    result = score(session(*deals, rules="targets=8-4-4"))
    assert dict(result.deals[-1].totals) == {"Ann": -8, "Ben": 4, "Cat": 4}
    assert (result.winner, result.decided_by) == (None, None)
    assert result.undecided
    assert "Ben and Cat are level: neither won a trick in the last deal" in result.undecided


def test_a_session_that_was_won_at_once_has_no_next_deal() -> None:
    result = score(session("5,0,11", "0,12,4", rules="eldest"))
    assert result.next_dealer is None
    assert result.deals[-1].exchange == ()


# Properties.


CHANGES = [(0, 0, 0), (1, -1, 0), (0, 1, -1), (-1, 0, 1), (1, 1, -2), (-2, 1, 1)]


@st.composite
def sessions(draw: st.DrawFn) -> Session:
    """Sessions in which ties are common: few deals, tricks close to the targets."""
    rules = draw(st.sampled_from([PRESETS["classic"], PRESETS["polish"], Rules.parse("targets=6-5-5")]))
    deals = []
    for place in range(draw(st.integers(1, 4))):
        seats = [PLAYERS[(place + step) % 3] for step in range(3)]
        changes = draw(
            st.sampled_from([(0, 0, 0), (1, -1, 0), (0, 1, -1), (-1, 0, 1), (1, 1, -2), (-2, 1, 1)])
        )
        won = dict(zip(seats, map(sum, zip(rules.targets.values(), changes, strict=True)), strict=True))
        letters = draw(st.permutations("".join("ABC"[i] * won[name] for i, name in enumerate(PLAYERS))))
        tricks = (won["Ann"], won["Ben"], won["Cat"])
        deals.append(SessionDeal(seats[0], tricks, "".join(letters)))
    return Session(PLAYERS, tuple(deals), rules)


def judged(game: Session, totals: dict[str, int]) -> tuple[str, str]:
    """The tie-breaks as the rules tell them, one sentence after the other."""
    last = game.deals[-1]
    points = score(game).deals[-1].points
    top = [name for name in PLAYERS if all(totals[name] >= totals[other] for other in PLAYERS)]
    if len(top) == 1:
        return top[0], "total"
    better = [name for name in top if all(points[name] > points[other] for other in top if other != name)]
    if better:
        return better[0], "last deal"
    assert last.won
    if len(top) == 3 and points["Ann"] == points["Ben"] == points["Cat"]:
        return PLAYERS["ABC".index(last.won[15])], "last trick"
    two = [name for name in top if all(points[name] >= points[other] for other in top)]
    for trick in range(15, -1, -1):
        name = PLAYERS["ABC".index(last.won[trick])]
        if name in two:
            return name, "latest trick"
    raise AssertionError("two players of a session of these targets always won a trick")


@settings(max_examples=300)
@given(sessions())
def test_points_sum_to_nothing_and_what_is_owed_is_what_was_up_and_down(game: Session) -> None:
    result = score(game)
    totals = dict.fromkeys(PLAYERS, 0)
    for deal in result.deals:
        assert sum(deal.points.values()) == 0
        totals = {name: totals[name] + deal.points[name] for name in PLAYERS}
        assert deal.totals == totals
        for name in PLAYERS:
            gives = sum(debt.count for debt in deal.exchange if debt.giver == name)
            gets = sum(debt.count for debt in deal.exchange if debt.receiver == name)
            assert (gives, gets) == (max(0, deal.points[name]), max(0, -deal.points[name]))
    assert (result.winner, result.decided_by) == judged(game, totals)


@given(sessions())
def test_a_session_reads_back_from_its_file(game: Session) -> None:
    lines = [f"players={','.join(game.players)} rules={game.rules}"]
    lines += [
        f"dealer={deal.dealer} tricks={','.join(map(str, deal.tricks))} won={deal.won}" for deal in game.deals
    ]
    read = Session.parse("# a comment\n\n" + "\n".join(lines))
    assert (read.players, read.rules) == (game.players, game.rules)
    assert [(each.dealer, each.tricks, each.won) for each in read.deals] == [
        (each.dealer, each.tricks, each.won) for each in game.deals
    ]
    assert [deal.line for deal in read.deals] == list(range(4, 4 + len(game.deals)))


@given(st.text(max_size=80) | st.text("players=,dealertricks won=ABC0123456789 \n#", max_size=120))
def test_no_text_does_anything_but_read_or_raise_errors_of_one_line_each(text: str) -> None:
    try:
        errors: tuple[InputError, ...] = ()
        result: Score | None = score(text)
    except InputErrors as found:
        errors, result = found.errors, None
    assert bool(errors) != bool(result)
    assert all(str(error).isprintable() for error in errors)


# The form of the answer.


def test_a_score_has_the_keys_of_the_output_contract() -> None:
    written = json.loads(json.dumps(score(session("9,4,3", "6,6,4")).to_dict()))
    assert written["players"] == ["Ann", "Ben", "Cat"]
    assert written["deals"][1] == {
        "dealer": "Ben",
        "tricks": {"Ann": 6, "Ben": 6, "Cat": 4},
        "points": {"Ann": 3, "Ben": -2, "Cat": -1},
        "totals": {"Ann": 4, "Ben": -3, "Cat": -1},
        "exchange": ["Ann gives 2 to Ben", "Ann gives 1 to Cat"],
    }
    assert (written["winner"], written["decided_by"]) == ("Ann", "total")
    level = json.loads(json.dumps(score(session("8,5,3")).to_dict()))
    assert (level["winner"], level["decided_by"]) == (None, None)
    assert "won=" in level["undecided"]


# Errors: all of a file in one run.

WRONG = """\
players=Ann,Ben,Cat rules=eldest

dealer=Ann tricks=9,4,3            # line 3 is right
dealer=Cat tricks=6,6,5 won=ABX
dealer=Al tricks=6,6 tricks=1,2,13
dealer=Ann tricks=12,1,3 won=ABC foo=3
dealer=Ann tricks=2,2,12 won=AABBCCCCCCCCCCCC boo
dealer=Ben tricks=8,5,3 won=AAAAAAAAAAAAAAAA
won=ABC
"""
FAULTS = """\
s.txt:4:8: Cat deals after Ann, expected Ben: the deal moves clockwise
s.txt:4:19: 6,6,5 are 17 tricks, expected 16 in all
s.txt:4:31: 'X' is no player, expected A B C for the players in their order
s.txt:5:8: unknown player 'Al', expected one of Ann Ben Cat
s.txt:5:18: '6,6' are no tricks, expected three numbers such as 9,4,3
s.txt:5:22: tricks is given twice
s.txt:6:30: 3 letters, expected 16, one for each trick
s.txt:6:34: unknown key 'foo', expected one of dealer tricks won
s.txt:7:1: Ann has won the session in line 6 with 12 tricks (instant_win=12), expected no more deals
s.txt:7:8: Ann deals after Ann, expected Ben: the deal moves clockwise
s.txt:7:47: unexpected 'boo', expected key=value
s.txt:8:1: Ann has won the session in line 6 with 12 tricks (instant_win=12), expected no more deals
s.txt:8:29: A 16, B 0, C 0 by these letters, expected tricks=8,5,3 as given
s.txt:9:1: dealer= is missing, expected a deal such as 'dealer=Ann tricks=9,4,3'
s.txt:9:1: tricks= is missing, expected a deal such as 'dealer=Ann tricks=9,4,3'
s.txt:9:1: Ann has won the session in line 6 with 12 tricks (instant_win=12), expected no more deals
s.txt:9:5: 3 letters, expected 16, one for each trick
"""


def test_everything_that_is_wrong_with_a_file_is_found_in_one_run_with_its_place() -> None:
    with pytest.raises(InputErrors) as caught:
        Session.read(WRONG.encode().splitlines(keepends=True), "s.txt")
    assert "".join(f"{error}\n" for error in caught.value.errors) == FAULTS
    first = "s.txt:4:8: Cat deals after Ann, expected Ben: the deal moves clockwise (and 16 more)"
    assert str(caught.value) == first
    for again in (copy.copy(caught.value), pickle.loads(pickle.dumps(caught.value))):
        assert list(map(str, again.errors)) == list(map(str, caught.value.errors))
        assert str(again) == first


NO_PLAYERS = "no players, expected a first line such as 'players=Ann,Ben,Cat rules=classic'"


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("", [NO_PLAYERS]),
        ("# nothing", [NO_PLAYERS]),
        ("players=A,B,C", ["no deals, expected lines such as 'dealer=Ann tricks=9,4,3'"]),
        (
            "dealer=A tricks=9,4,3",
            [f"line 1, column 1: {NO_PLAYERS}"],
        ),
        (
            "players=A,B rules=x\ndealer=A tricks=9,4\ndealer=A tricks=9,4,3",
            [
                "line 1, column 9: 2 players, expected three, in clockwise order",
                "line 1, column 19: unknown rules 'x', expected one of classic eldest pickup polish",
                "line 2, column 17: '9,4' are no tricks, expected three numbers such as 9,4,3",
            ],
        ),
        ("foo", [f"line 1, column 1: {NO_PLAYERS}"]),
        (
            '{"players": "A,B,C"}',
            [f"line 1, column 1: a session is text, not JSON, {NO_PLAYERS.removeprefix('no players, ')}"],
        ),
        (
            "players=Anne Marie,Ben,Cat rules=classic\ndealer=Ben tricks=9,4,4",
            [
                "line 1, column 13: a name cannot hold a blank, expected names such as players=Ann,Ben,Cat",
                "line 2, column 19: 9,4,4 are 17 tricks, expected 16 in all",
            ],
        ),
        (
            "rules=classic,targets=5-3-2\ndealer=Ben tricks=9,4,4",
            [
                f"line 1, column 1: {NO_PLAYERS}",
                "line 2, column 19: 9,4,4 are 17 tricks, expected 10 in all",
            ],
        ),
        (
            "players=A,B,C rules=x\ndealer=C tricks=9,4,4",
            [
                "line 1, column 21: unknown rules 'x', expected one of classic eldest pickup polish",
                "line 2, column 17: 9,4,4 are 17 tricks, expected 16 in all",
            ],
        ),
        (
            "players=A,B,C rules=x,targets=5-3-2\ndealer=C tricks=5,3,2",
            ["line 1, column 21: unknown rules 'x', expected one of classic eldest pickup polish"],
        ),
        (
            "players=A,B,A\ndealer=A tricks=9,4,3",
            ["line 1, column 13: A plays twice, expected three different players"],
        ),
        (
            f"players=A,,{30 * 'x'}\ndealer=A tricks=9,4,3",
            ["line 1, column 11: '' is no name, expected 1 to 20 printable characters"],
        ),
        (
            "players=A,B,C\ndealer=B tricks=9,4,3\nplayers=A,B,C",
            [
                "line 3, column 1: unknown key 'players', expected one of dealer tricks won",
            ],
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_line_and_column(text: str, errors: list[str]) -> None:
    with pytest.raises(InputErrors) as caught:
        Session.parse(text)
    assert list(map(str, caught.value.errors)) == errors


def test_bytes_that_are_no_text_are_named_with_their_place() -> None:
    with pytest.raises(InputErrors) as caught:
        Session.read([b"players=A,B,C\n", b"dealer=A tricks=\xff\n", b"dealer=B tricks=1\n"], "s.txt")
    assert [str(error) for error in caught.value.errors] == [
        "s.txt:2:17: byte 0xff is not UTF-8, expected text",
        "s.txt:3:17: '1' are no tricks, expected three numbers such as 9,4,3",
    ]


def test_a_session_that_is_built_is_checked_like_one_that_is_read() -> None:
    good = SessionDeal("Ann", (9, 4, 3))
    with pytest.raises(InputError, match="9,4,4 are 17 tricks"):
        Session(PLAYERS, (SessionDeal("Ann", (9, 4, 4)),))
    with pytest.raises(InputError, match="Ann deals after Ann"):
        Session(PLAYERS, (good, good))
    with pytest.raises(InputError, match="no deals"):
        Session(PLAYERS, ())
    with pytest.raises(InputError, match="Ann plays twice"):
        Session(("Ann", "Ann", "Ben"), (good,))
    assert SessionDeal("Ann", (9, 4, 3), "abc").won == "ABC"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (("Ann", (17, -1, 0)), "'17,-1,0' are no tricks, expected three numbers"),
        (("Ann", (8, 8)), "'8,8' are no tricks"),
        (("Ann", None), "None are no tricks"),
        (("Ann", ("9", "4", "3")), "are no tricks"),
        ((None, (9, 4, 3)), "None is no player"),
        (("Ann", (9, 4, 3), "ABX"), "'X' is no player"),
        (("Ann", (9, 4, 3), 5), "5 is no text"),
    ],
)
def test_a_deal_that_cannot_be_is_refused_whatever_the_players(fields: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        SessionDeal(*fields)


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (("Ann,Ben", "Cat"), "2 players, expected three"),
        (("Ann", "Ben", "Cat Stevens"), "'Cat Stevens' is no name"),
        (("Ann", "Ben", None), "None is no name"),
        (("Ann", "Ben", "Zoe\u0301"), "expected one without blanks and commas, in normal form C"),
        (("Ann", "Ben", "ANN"), "ANN and Ann differ in capitals only"),
    ],
)
def test_players_that_no_file_could_name_are_refused(players: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Session(players, (SessionDeal("Ann", (9, 4, 3)),))


def test_names_that_look_the_same_are_the_same() -> None:
    read = Session.parse("players=Zo\u00e9,Ben,Cat\ndealer=Zoe\u0301 tricks=9,4,3")
    assert read.deals[0].dealer == read.players[0]
    with pytest.raises(InputError, match="plays twice"):
        Session.parse("players=Zo\u00e9,Zoe\u0301,Cat\ndealer=Cat tricks=9,4,3")


# A whole session.


@pytest.mark.parametrize("rules", ["targets=2-1-1", "pickup,targets=2-1-1", "polish,targets=1-2-1"])
def test_a_whole_session_runs_through_the_library(rules: str) -> None:
    rng = Random(rules)
    house = Rules.parse(rules)
    lines = [f"players=Ann,Ben,Cat rules={rules}"]
    totals = dict.fromkeys(PLAYERS, 0)
    points = dict.fromkeys(PLAYERS, 0)
    exchanged = 0
    for place in range(9):
        at = {seat: PLAYERS[(place + seat.index) % 3] for seat in Seat}
        record = Record(random_deal(rng, 4, 1), up=BySeat(*(points[at[seat]] for seat in Seat)), rules=house)
        all_cards = cards_of(record)
        record = announce_first(record) if house.exchange == "after" else record
        made = record.trump is not Trump.N
        record = give_all(record)
        for seat in Seat:
            assert sum(gift.giver is seat for gift in record.give) == made * max(0, points[at[seat]])
            assert sum(gift.receiver is seat for gift in record.give) == made * max(0, -points[at[seat]])
        exchanged += len(record.give)
        record = announce(record)
        assert cards_of(record) == all_cards
        assert record.start.tricks == 4
        assert len({len(hand) for hand in record.start.hands.values()}) == 1
        record, won = play(record, rng)
        assert Record.parse(str(record)) == record
        assert record.position.tricks == 0
        tricks = {at[seat]: won.count(seat) for seat in Seat}
        assert record.tricks_taken == BySeat.of(won.count)
        points = {at[seat]: won.count(seat) - house.targets[seat] for seat in Seat}
        totals = {name: totals[name] + points[name] for name in PLAYERS}
        letters = "".join("ABC"[PLAYERS.index(at[seat])] for seat in won)
        numbers = ",".join(str(tricks[name]) for name in PLAYERS)
        lines.append(f"dealer={at[Seat.D]} tricks={numbers} won={letters}")
        check_score(score("\n".join(lines)), points, totals, PLAYERS[(place + 1) % 3])
    assert exchanged > 5


def cards_of(record: Record) -> Hand:
    """Returns all cards of a deal, the kitty included."""
    assert record.deal.kitty is not None
    hands = record.deal.hands
    return hands.D | hands.L | hands.R | record.deal.kitty


def announce_first(record: Record) -> Record:
    """Names a trump before the exchange."""
    best = analyze(record, memory_mb=1).best
    return Record(record.deal, best.trump, up=record.up, rules=record.rules)


def give_all(record: Record) -> Record:
    """Gives what is owed, one giver after the other, and plays it out card by card."""
    while record.owed:
        best = exchange(record, memory_mb=1).options[0].giving
        own = [gift for gift in best.gifts if gift.giver is record.owed[0].giver or gift in record.give]
        record = Record(record.deal, record.trump, up=record.up, give=tuple(own), rules=record.rules)
    return record


def announce(record: Record) -> Record:
    """Names the best trump, unless it is named already, and lays the best cards aside."""
    analysis = analyze(record, trumps=[record.trump] if record.trump else None, memory_mb=1)
    assert analysis.best.best
    assert record.rules.exchange == "after" or analysis.owed == ()
    discard = analysis.best.best.discard
    return Record(
        record.deal,
        analysis.best.trump,
        discard=discard,
        up=record.up,
        give=record.give,
        rules=record.rules,
    )


def play(record: Record, rng: Random) -> tuple[Record, list[Seat]]:
    """Plays random legal cards; who wins each trick is said by the oracle."""
    position = record.start
    assert position.leader is record.rules.first_leader
    played, won = [], []
    while position.tricks:
        leader, trick = position.leader, []
        for _ in range(3):
            card = rng.choice(list(position.legal()))
            trick.append(card)
            position = position.after(card)
        trump = record.trump or Trump.N
        best = oracle.winner(oracle.read_cards(",".join(map(str, trick))), trump.index)
        won.append(list(Seat)[(leader.index + best) % 3])
        assert position.leader is won[-1]
        played += trick
    done = Record(
        record.deal,
        record.trump,
        discard=record.discard,
        play=tuple(played),
        up=record.up,
        give=record.give,
        rules=record.rules,
    )
    return done, won


def check_score(result: Score, points: dict[str, int], totals: dict[str, int], dealer: str) -> None:
    assert dict(result.deals[-1].points) == points
    assert dict(result.deals[-1].totals) == totals
    assert result.next_dealer == dealer
    given = {name: sum(d.count for d in result.deals[-1].exchange if d.giver == name) for name in PLAYERS}
    assert given == {name: max(0, points[name]) for name in PLAYERS}
    assert result.winner in [name for name in PLAYERS if totals[name] == max(totals.values())]
