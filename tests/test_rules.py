"""House rules: presets, options, who announces and leads, the kitty, the score."""

from __future__ import annotations

import dataclasses
import pickle

import pytest
from hypothesis import given, strategies as st
from strategies import deals, read_or_refuse, rules

from sgtmajor.cards import BySeat, Hand, Seat, Trump, parse_cards
from sgtmajor.deal import Deal
from sgtmajor.errors import InputError
from sgtmajor.rules import PRESETS, Rules


@given(rules)
def test_rules_read_back_from_their_text(house: Rules) -> None:
    assert Rules.parse(str(house)) == house
    assert Rules.parse(f" {house} ".upper().replace(",", " , ").replace("=", " = ")) == house
    assert pickle.loads(pickle.dumps(house)) == house
    assert " " not in str(house)


@given(rules)
def test_the_announcer_has_the_highest_target_and_no_seat_before_him_has_it(house: Rules) -> None:
    highest = max(house.targets.values())
    assert house.targets[house.announcer] == highest
    assert all(house.targets[seat] < highest for seat in Seat if seat.index < house.announcer.index)
    assert house.first_leader in (house.announcer, house.announcer.next)


@given(st.integers(0, 16), st.integers(0, 16))
def test_the_points_of_a_whole_deal_sum_to_zero(first: int, second: int) -> None:
    tricks = BySeat(first, second, 16 - first - second)
    assert sum(PRESETS["classic"].points(tricks).values()) == 0


@given(rules, deals(max_size=8, kitty=st.integers(0, 4)), st.data())
def test_the_announcer_swaps_as_many_cards_as_the_kitty_has(
    house: Rules, deal: Deal, data: st.DataObject
) -> None:
    assert deal.kitty is not None
    held = deal.hands[house.announcer]
    choice = held | deal.kitty if house.kitty == "pickup" else held
    if len(choice) >= len(deal.kitty):
        discard = tuple(data.draw(st.permutations(list(choice)))[: len(deal.kitty)])
        after = house.take_kitty(deal, discard)
        assert after.hands[house.announcer] == (held | deal.kitty) - Hand.of(discard)
        assert after.kitty == Hand.of(discard)
        assert after.size == deal.size
        assert all(after.hands[s] == deal.hands[s] for s in Seat if s is not house.announcer)


@given(st.text() | st.text("clasi,=leadr -8532SHDCN"))
def test_no_text_does_anything_but_read_as_rules_or_raise_an_input_error_of_one_line(text: str) -> None:
    house = read_or_refuse(Rules.parse, text)
    assert house is None or Rules.parse(str(house)) == house


@pytest.mark.parametrize(
    ("name", "announcer", "leader", "contracts", "instant_win"),
    [
        ("classic", "D", "D", "SHDC", 0),
        ("eldest", "D", "L", "SHDC", 12),
        ("pickup", "D", "L", "SHDC", 12),
        ("polish", "L", "L", "SHDCN", 0),
    ],
)
def test_a_preset_is_the_house_it_is_named_after(
    name: str, announcer: str, leader: str, contracts: str, instant_win: int
) -> None:
    house = Rules.parse(name)
    assert house is PRESETS[name]
    assert str(house) == name
    assert (str(house.announcer), str(house.first_leader)) == (announcer, leader)
    assert "".join(map(str, house.contracts)) == contracts
    assert house.instant_win == instant_win
    assert house.kitty == ("blind" if name in ("classic", "eldest") else "pickup")
    assert house.exchange == ("after" if name == "polish" else "before")
    assert house.exchange_order == ("most_up" if name == "pickup" else "target")


def test_classic_is_what_rules_are_without_options() -> None:
    assert Rules() == PRESETS["classic"] == Rules.parse(" Classic ")


def test_presets_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        PRESETS["classic"] = Rules()  # type: ignore[index]
    with pytest.raises(dataclasses.FrozenInstanceError):
        PRESETS["classic"].leader = "second"  # type: ignore[misc]


def test_options_change_a_preset_one_by_one() -> None:
    house = Rules.parse("eldest,targets=9-5-2,contracts=NCS,exchange-order=most-up")
    assert house.targets == BySeat(9, 5, 2)
    assert house.contracts == (Trump.S, Trump.C, Trump.N)
    assert house.exchange_order == "most_up"
    assert house.leader == "second"
    assert str(house) == "eldest,targets=9-5-2,contracts=SCN,exchange_order=most_up"


def test_options_without_a_preset_change_classic() -> None:
    assert str(Rules.parse("leader=second")) == "classic,leader=second"


def test_an_option_that_a_preset_has_anyway_is_not_written() -> None:
    assert str(Rules.parse("eldest,leader=second,instant_win=12")) == "eldest"


def test_the_first_of_two_equal_targets_announces() -> None:
    assert Rules.parse("targets=4-8-4").announcer is Seat.L
    assert Rules.parse("targets=4-6-6").announcer is Seat.L
    assert Rules.parse("targets=6-4-6").announcer is Seat.D


def test_points_are_tricks_minus_targets() -> None:
    assert PRESETS["classic"].points(BySeat(9, 4, 3)) == BySeat(1, -1, 0)
    assert PRESETS["polish"].points(BySeat(8.5, 4.0, 3.5)) == BySeat(5.5, -4.0, -1.5)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "unknown rules '', expected one of classic eldest pickup polish"),
        ("bridge", 1, "unknown rules 'bridge', expected one of classic eldest pickup polish"),
        ("classic,eldest", 9, "unexpected 'eldest', expected option=value after the preset"),
        ("classic,", 9, "unexpected ''"),
        ("leader=second,classic", 15, "unexpected 'classic'"),
        ("classic,leader=left", 9, "unknown leader 'left', expected one of announcer second"),
        ("classic,kitty=open", 9, "unknown kitty 'open', expected one of blind pickup"),
        ("classic,exchange=never", 9, "unknown exchange 'never', expected one of before after none"),
        ("classic,exchange_order=up", 9, "unknown exchange_order 'up', expected one of target most_up"),
        ("classic,instant_win=14", 9, "unknown instant_win '14', expected one of 0 12 13"),
        ("classic,instant_win=" + "9" * 9999, 9, "unknown instant_win '9999"),
        ("classic,dealer=L", 9, "unknown option 'dealer', expected one of targets leader kitty contracts"),
        ("classic,name=eldest", 9, "unknown option 'name'"),
        ("classic,=second", 9, "unknown option ''"),
        ("classic,leader=second,leader=second", 23, "leader is given twice"),
        ("classic,targets=8-5", 9, "'8-5' are no targets, expected three numbers D-L-R such as 8-5-3"),
        ("classic,targets=8-5-3-1", 9, "'8-5-3-1' are no targets"),
        ("classic,targets=8--5-13", 9, "'8--5-13' are no targets"),
        ("classic,targets=8-5-" + "3" * 9999, 9, "are no targets"),
        ("classic,targets=8-5-٣", 9, "are no targets"),
        ("classic,targets=0-0-0", 9, "targets 0-0-0 cannot be, expected a sum of 1 to 17 tricks"),
        ("classic,targets=8-5-5", 9, "targets 8-5-5 cannot be, expected a sum of 1 to 17 tricks"),
        ("classic,contracts=", 9, "'' are no contracts, expected some of S H D C N, each once"),
        ("classic,contracts=SHS", 9, "'SHS' are no contracts"),
        ("classic,contracts=SHX", 9, "unknown trump 'X', expected one of S H D C N"),
    ],
)
def test_what_is_wrong_with_rules_is_named_with_its_column(text: str, column: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Rules.parse(text)
    assert message in caught.value.message
    assert caught.value.column == column


@pytest.mark.parametrize(
    "text",
    [
        "must-trump",
        "must_trump=yes",
        "MUST BEAT=1",
        "contracts=misère",
        "misere",
        "counter-clockwise",
        "play=anticlockwise",
    ],
)
def test_house_rules_that_are_not_covered_are_refused_by_name(text: str) -> None:
    with pytest.raises(
        InputError, match="is not covered: must-trump, must-beat, misère and counter-clockwise play"
    ):
        Rules.parse(f"classic,{text}")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "mine"}, "unknown name 'mine', expected one of classic eldest pickup polish"),
        ({"leader": "left"}, "unknown leader 'left'"),
        ({"instant_win": 7}, "unknown instant_win '7'"),
        ({"targets": BySeat(9, 9, -2)}, "targets 9-9--2 cannot be"),
        ({"contracts": ()}, "expected some of S H D C N, in this order, each once"),
        ({"contracts": (Trump.H, Trump.S)}, "expected some of S H D C N, in this order, each once"),
        ({"contracts": (Trump.S, Trump.S)}, "expected some of S H D C N, in this order, each once"),
    ],
)
def test_rules_are_checked_when_they_are_made(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        dataclasses.replace(Rules(), **changes)  # type: ignore[arg-type]
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("house", "deal", "discard", "message"),
    [
        ("classic", "D:A... K... Q...", "SA", "D cannot lay cards aside: the kitty is unknown"),
        ("classic", "D:A... K... Q... K:J...", "SA,S2", "D lays 2 cards aside, expected 1 different ones"),
        ("classic", "D:A... K... Q... K:J...", "SK", "D cannot lay aside SK: expected cards of A..."),
        ("classic", "D:A... K... Q... K:J...", "SJ", "D cannot lay aside SJ: expected cards of A..."),
        ("pickup", "D:A... K... Q... K:J...", "SK", "D cannot lay aside SK: expected cards of AJ..."),
        ("polish", "D:A... K... Q... K:J...", "SA", "L cannot lay aside SA: expected cards of KJ..."),
    ],
)
def test_cards_that_cannot_be_laid_aside_are_refused(
    house: str, deal: str, discard: str, message: str
) -> None:
    with pytest.raises(InputError) as caught:
        Rules.parse(house).take_kitty(Deal.parse(deal), parse_cards(discard))
    assert message in str(caught.value)


def test_only_after_picking_the_kitty_up_can_a_card_of_it_be_laid_aside() -> None:
    deal = Deal.parse("D:A... K... Q... K:J...")
    assert PRESETS["pickup"].take_kitty(deal, parse_cards("SJ")) == deal
    with pytest.raises(InputError, match="cannot lay aside SJ"):
        PRESETS["classic"].take_kitty(deal, parse_cards("SJ"))
