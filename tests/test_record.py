"""Records: the round trip, the order of the fields, files, and every way in which a line can be wrong."""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Iterable
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from strategies import positions, read_or_refuse, records

from sgtmajor.cards import BySeat, Card, Hand, Seat, Trump, parse_cards
from sgtmajor.deal import Deal, Position
from sgtmajor.errors import InputError
from sgtmajor.reading import MAX_LINE
from sgtmajor.record import BadRecord, Record, read_records

slow = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None)
FULL = "D:AT76.K8.AJ842.KJ763 K8.973.KT763.AQ9542 QJ9543.AQJT654.Q5.8"
SMALL = "D:A2.5.. K.4.3. QJ.6.. K:3..."


@slow
@given(records())
def test_a_record_reads_back_from_its_text_and_its_keys(record: Record) -> None:
    assert Record.parse(str(record)) == record
    assert str(Record.parse(str(record))) == str(record)
    assert Record.from_dict(record.to_dict()) == record
    assert Record.from_dict(json.loads(json.dumps(record.to_dict()))) == record
    assert Record.from_dict({"record": str(record)}) == record
    assert pickle.loads(pickle.dumps(record)) == record


@slow
@given(records(), st.randoms())
def test_the_fields_of_a_record_come_in_any_order_with_any_spaces_and_a_comment(
    record: Record, random: st.DataObject
) -> None:
    texts = record.to_dict()
    fields = [f"{key}={text}" for key, text in texts.items() if key != "deal"]
    random.shuffle(fields)  # type: ignore[attr-defined]
    assert Record.parse("  ".join([" " + texts["deal"], *fields, "# trump=X\n"])) == record


@slow
@given(records())
def test_a_file_gives_back_its_records_as_text_and_as_json(record: Record) -> None:
    lines = f"# a comment\n\n{record}\n{json.dumps(record.to_dict())}\n  # another\n"
    for stream in (io.StringIO(lines), io.BytesIO(lines.encode())):
        assert list(read_records(stream, "deals.txt")) == [(3, record), (4, record)]


@given(positions())
def test_the_text_of_a_position_is_a_record_of_it(position: Position) -> None:
    record = Record.parse(str(position))
    assert record.position == record.start == position
    assert record.leader == position.leader


@slow
@given(records())
def test_the_tricks_taken_and_those_to_come_are_all_there_are(record: Record) -> None:
    if record.trump is not None:
        assert sum(record.tricks_taken.values()) + record.position.tricks == record.start.tricks


@given(st.text() | st.text("DLRK: .A23=trumplaydn#,?\t\n\0>S+-"))
def test_no_text_does_anything_but_read_or_raise_an_input_error_of_one_line(text: str) -> None:
    for line in (text, f"{SMALL} {text}"):
        record = read_or_refuse(Record.parse, line)
        assert record is None or Record.parse(str(record)) == record


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)
keys = st.sampled_from(["deal", "record", "trump", "lead", "trick", "play", "up", "give", "id", "rules", "x"])


@given(st.dictionaries(keys, json_values | st.just(SMALL)))
def test_a_json_object_reads_as_a_record_or_is_refused(values: dict[str, object]) -> None:
    with suppress(InputError):
        record = Record.from_dict(values)
        assert Record.from_dict(record.to_dict()) == record


@given(st.lists(st.binary() | st.text() | st.just(SMALL)))
def test_no_line_stops_the_reading_of_a_file(lines: list[bytes | str]) -> None:
    found = list(read_records(lines, "deals.txt"))
    assert [number for number, _ in found] == sorted({number for number, _ in found})
    for number, record in found:
        if isinstance(record, BadRecord):
            assert record.line == number
            assert str(record.error).startswith(f"deals.txt:{number}:")
            assert str(record.error).isprintable()
            record.text.encode()
    good = [number for number, line in enumerate(lines, start=1) if line == SMALL]
    assert {number for number, record in found if isinstance(record, Record)} >= set(good)


def errors(lines: Iterable[bytes | str]) -> list[str]:
    return [str(bad.error) for _, bad in read_records(lines, "deals.txt") if isinstance(bad, BadRecord)]


def test_what_is_not_written_has_its_default() -> None:
    record = Record.parse(SMALL)
    assert (record.trump, record.lead, record.id, record.up) == (None, None, None, None)
    assert record.discard == record.trick == record.play == ()
    assert record.give == ()
    assert str(record) == SMALL
    assert record == Record(Deal.parse(SMALL))


def test_a_record_is_written_with_its_keys_in_one_order() -> None:
    fields = "rules=ELDEST id=x-7 give=d>l:s2 up=R:0,L:-1,D:1 play=S2,sq,♠A,Ks discard=5h lead=l trump=♥"
    written = "trump=H lead=L discard=H5 play=S2,SQ,SA,SK up=D:+1,L:-1,R:0 give=D>L:S2 id=x-7 rules=eldest"
    assert str(Record.parse(f"{SMALL} {fields}")) == f"{SMALL} {written}"


def test_the_leader_is_the_one_given_else_that_of_the_rules() -> None:
    assert Record.parse(SMALL).leader is Seat.D
    assert Record.parse(f"{SMALL} rules=eldest").leader is Seat.L
    assert Record.parse(f"{SMALL} rules=eldest lead=R").leader is Seat.R


def test_give_comes_before_discard_and_discard_before_play() -> None:
    record = Record.parse(f"{SMALL} trump=N give=D>L:S2 discard=SK play=S3")
    assert str(record.start) == "D:A3.5.. 2.4.3. QJ.6.. trump=N lead=D"
    assert str(record.position) == "D:A.5.. 2.4.3. QJ.6.. trump=N lead=D trick=S3"


def test_without_a_discard_the_kitty_is_out_of_play() -> None:
    assert str(Record.parse(f"{SMALL} trump=S").position) == "D:A2.5.. K.4.3. QJ.6.. trump=S lead=D"


def test_with_scores_alone_the_hands_are_as_dealt() -> None:
    record = Record.parse(f"{SMALL} trump=S up=D:+1,L:-1,R:0")
    assert record.up == BySeat(1, -1, 0)
    assert record.position.hands == record.deal.hands


def test_the_cards_of_the_trick_have_left_the_hands() -> None:
    record = Record.parse("D:2.5.. K.4.3. QJ.6.. trump=N trick=SA")
    assert record.position == record.start
    assert str(record.position) == "D:2.5.. K.4.3. QJ.6.. trump=N lead=D trick=SA"
    assert str(Record.parse("D:2.5.. K.4.3. J.6.. trump=N lead=R trick=SQ,SA").position.to_play) == "L"


def test_a_trick_after_an_exchange_and_a_discard_is_played_from_the_hands_they_leave() -> None:
    record = Record.parse("D:2.5.. K.4.3. QJ.6.. K:3... trump=N trick=SA give=D>L:S2 discard=SK")
    assert str(record.position) == "D:3.5.. 2.4.3. QJ.6.. trump=N lead=D trick=SA"


def test_the_last_trick_may_be_in_progress() -> None:
    assert Record.parse("D:... ... 2... trump=N trick=SA,SK").position.legal() == Hand.parse("2...")


def test_a_kitty_is_filled_in_where_it_is_forced() -> None:
    assert Record.parse(f"{FULL} trump=H id=7") == Record.parse(f"{FULL} K:? trump=H id=7")
    assert str(Record.parse(FULL)) == f"{FULL} K:2.2.9.T"


def test_a_whole_deal_may_be_played() -> None:
    record = Record.parse(f"{SMALL} trump=H lead=R play=SQ,SA,SK,S2,H4,SJ,D3,H6,H5")
    assert record.tricks_taken == BySeat(1, 1, 1)
    assert record.position.tricks == 0
    assert record.start.tricks == 3


def test_an_unnamed_record_takes_the_number_of_its_line_as_its_id() -> None:
    assert Record.parse(SMALL).named(3).id == "3"
    assert Record.parse(f"{SMALL} id=x").named(3).id == "x"


def test_an_id_may_hold_signs_that_mean_something_elsewhere() -> None:
    record = Record.parse(f"{SMALL} id=a#b=c:é♠")
    assert record.id == "a#b=c:é♠"
    assert Record.from_dict({"deal": SMALL, "id": "#7"}) == Record.parse(f"{SMALL} id=#7")


def test_json_takes_lists_numbers_for_ids_and_null_for_nothing() -> None:
    values = {"deal": SMALL, "trump": "N", "lead": None, "id": 7, "discard": ["H5"], "play": ["SA", "SK"]}
    assert str(Record.from_dict(values)) == f"{SMALL} trump=N discard=H5 play=SA,SK id=7"
    assert Record.from_dict({"record": SMALL, "trump": "H"}).trump is Trump.H


def test_a_file_may_start_with_a_byte_order_mark_and_end_lines_like_windows() -> None:
    lines = [b"\xef\xbb\xbf" + SMALL.encode() + b"\r\n", SMALL.encode() + b"\r\n"]
    assert [record for _, record in read_records(lines, "x")] == [Record.parse(SMALL)] * 2


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "column 1: no record, expected a deal such as"),
        (" # only a comment", "column 1: no record"),
        ("trump=S", "column 1: '' is no deal"),
        ("nonsense", "column 1: 'nonsense' is no deal"),
        ("D:A... K... Q...\ntrump=S", "column 1: a record is one line, found a line break"),
        ("D:A... K... A... trump=S", "column 13: SA is held by both D and R"),
        (f"{SMALL} trump=X", "column 37: unknown trump 'X', expected one of S H D C N"),
        (f"{SMALL} trump=", "column 37: unknown trump ''"),
        (f"{SMALL} trump", "column 31: unexpected 'trump'"),
        (f"{SMALL} trump = S", "column 37: unknown key ''"),
        (f"{SMALL} lead=D trump", "column 38: unexpected 'trump', expected key=value"),
        (
            f"{SMALL} trumps=S",
            "column 31: unknown key 'trumps', expected one of trump lead discard trick play",
        ),
        (f"{SMALL} trump=S trump=S", "column 39: trump is given twice"),
        (f"{SMALL} lead=S", "column 36: unknown seat 'S', expected one of D L R"),
        (f"{SMALL} discard=SA,XX", "column 42: 'XX' is no card"),
        (f"{SMALL} discard=", "column 39: an empty list, expected to be left out"),
        (f"{SMALL} discard=SA,S2", "column 39: D lays 2 cards aside, expected 1 different ones"),
        (f"{SMALL} discard=SK", "column 39: D cannot lay aside SK: expected cards of A2.5.."),
        (f"{SMALL} play=SA", "column 36: the trump is not given, expected trump="),
        (f"{SMALL} trump=N play=SA,SA", "column 44: trick 1: L cannot play SA: L holds K.4.3."),
        (f"{SMALL} trump=N play=SK", "column 44: trick 1: D cannot play SK: D holds A2.5.."),
        (f"{SMALL} trump=N play=SA,H4", "column 44: trick 1: L cannot play H4: L holds SK of the suit led"),
        (f"{SMALL} trump=N play=SA,SK,SJ,SK", "column 44: trick 2: D cannot play SK: D holds 2.5..; L has"),
        (f"{SMALL} trump=N play=SA,SK,SJ,SQ", "column 44: trick 2: D cannot play SQ"),
        (
            f"{SMALL} play=SQ,SA,SK,S2,H4,SJ,D3,H6,H5,C2 lead=R trump=H",
            "column 36: trick 4: R cannot play C2: the play is over",
        ),
        (f"{SMALL} trick=SA", "column 37: SA is in the trick in progress and held by D"),
        (f"{SMALL} trick=S3", "column 37: S3 is in the trick in progress and held by the kitty"),
        (
            f"{SMALL} trick=C3",
            "column 37: the hands have D 3, L 3, R 3 cards, expected one less for each seat",
        ),
        ("D:2.5.. K.4.3. QJ.6.. lead=L trick=SA", "column 36: the hands have D 2, L 3, R 3 cards"),
        ("D:2.5.. K.4.3. QJ.6..", "column 3: the hands have D 2, L 3, R 3 cards, expected as many in each"),
        ("D:2.5.. K.. QJ.6.. trick=SA", "column 9: a hand has four groups"),
        ("D:2.5.. .K.. QJ.6.. trick=S3", "column 9: the hands have D 2, L 1, R 3 cards, expected sizes"),
        ("D:2.5.. K.4.. QJ.6.. trick=SA,D3", "column 28: L cannot play D3: L holds SK of the suit led"),
        ("D:2... K... Q... trick=SA,S3,S4", "column 24: a trick in progress of 3 cards, expected 1 or 2"),
        (
            "D:2... K3... Q4... trick=SA play=SA trump=N",
            "column 26: trick and play are both given, expected one",
        ),
        (f"{SMALL} up=D:+3", "column 34: 'D:+3' leaves a seat out"),
        (f"{SMALL} up=D:+3,L:+3,R:+3", "column 34: D:+3,L:+3,R:+3 cannot be, expected scores"),
        (f"{SMALL} give=D>L:SK", "column 36: D>L:SK: D does not hold SK"),
        (f"{SMALL} give=D>L", "column 36: 'D>L' is no gift, expected one such as D>L:S2"),
        (f"{SMALL} up=D:0,L:0,R:0 give=D>L:S2", "column 51: D>L:S2: D was not up in the last deal"),
        (f"{SMALL} id=", "column 34: '' is no id, expected printable characters without spaces"),
        (f"{SMALL} id=\0", r"column 34: '\x00' is no id"),
        (f"{SMALL} id=\udc80", r"column 34: '\udc80' is no id"),
        (
            f"{SMALL} rules=bridge",
            "column 37: unknown rules 'bridge', expected one of classic eldest pickup polish",
        ),
        (f"{SMALL} rules=classic,leader=left", "column 45: unknown leader 'left'"),
        ("D:" + "9" * 10**5, "column 100003: only 1 of three hands"),
        ("D:" + "9" * 10**5 + " A... K...", "column 3: a hand has four groups"),
    ],
)
def test_what_is_wrong_with_a_record_is_named_with_its_column(text: str, error: str) -> None:
    with pytest.raises(InputError) as caught:
        Record.parse(text)
    assert str(caught.value).startswith(error)


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({}, "there is no deal, expected the key deal or record"),
        ({"deal": None}, "there is no deal"),
        ({"deal": SMALL, "trumps": "S"}, "unknown key 'trumps', expected one of deal record trump"),
        ({"deal": 7}, "deal: expected a text, found int"),
        ({"deal": SMALL, "id": True}, "id: expected a text, found bool"),
        ({"deal": SMALL, "play": [1]}, "play: expected texts, found int as number 1 of the list"),
        ({"deal": SMALL, "trump": {"S": 1}}, "trump: expected a text, found dict"),
        ({"deal": SMALL, "id": "a b"}, "id, column 1: 'a b' is no id"),
        ({"deal": "D:A... K... A..."}, "deal, column 13: SA is held by both D and R"),
        ({"deal": SMALL, "discard": "SK"}, "discard: D cannot lay aside SK"),
        ({"deal": SMALL, "trump": "N", "play": ["SK"]}, "play: trick 1: D cannot play SK"),
        ({"record": SMALL, "deal": SMALL}, "deal is given twice, in the record and beside it"),
        ({"record": f"{SMALL} trump=S", "trump": "S"}, "trump is given twice"),
        ({"record": f"{SMALL} trump=X"}, "record, column 37: unknown trump 'X'"),
    ],
)
def test_what_is_wrong_with_an_object_is_named_with_its_key(values: dict[str, object], error: str) -> None:
    with pytest.raises(InputError) as caught:
        Record.from_dict(values)
    assert str(caught.value).startswith(error)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b"D:A... K... Q... id=\xff\xfe", "deals.txt:1:21: byte 0xff is not UTF-8, expected text"),
        (b"\x89PNG\r\n", "deals.txt:1:1: byte 0x89 is not UTF-8"),
        ("D:A... K... Q... id=\udcff", "deals.txt:1:21: byte 0xed is not UTF-8"),
        (b"D:A... K\0... Q...", "deals.txt:1:9: a NUL byte, expected text"),
        (b"D:A... K... A...", "deals.txt:1:13: SA is held by both D and R"),
        (b"D:A... K... Q... x=" + b"y" * 10**6, "deals.txt:1:18: unknown key 'x'"),
        (b'{"deal": "D:A... K... A..."}', "deals.txt:1: deal, column 13: SA is held by both D and R"),
        (b'{"deal": ', "deals.txt:1:10: no JSON object: Expecting value"),
        (b'{"deal": "D:A..."} x', "deals.txt:1:20: no JSON object: Extra data"),
        (b'{"trump": "S", "trump": "S"}', "deals.txt:1: key 'trump' is given twice"),
        (b'{"id": ' + b"9" * 10**4 + b"}", "deals.txt:1:1: no record: a number is too long"),
        (
            b'{"id": ' + b"[" * 10**6,
            "deals.txt:1:1: no record: a number is too long, or brackets are nested too deep",
        ),
    ],
)
def test_what_is_wrong_with_a_line_is_named_with_file_line_and_column(line: bytes | str, error: str) -> None:
    (found,) = errors([line])
    assert found.startswith(error)


def test_a_bad_line_does_not_hide_the_good_ones() -> None:
    lines = ["", SMALL, "nonsense", "# comment", f"{SMALL} id=x"]
    found = list(read_records(lines, "<stdin>"))
    assert [number for number, _ in found] == [2, 3, 5]
    bad = found[1][1]
    assert isinstance(bad, BadRecord)
    assert bad.text == "nonsense"
    assert str(bad.error).startswith("<stdin>:3:1: 'nonsense' is no deal")


def test_a_position_needs_a_trump() -> None:
    for name in ("position", "start"):
        with pytest.raises(InputError, match="the trump is not given, expected trump= and one of S H D C N"):
            getattr(Record.parse(SMALL), name)
    assert Record.parse(SMALL).tricks_taken == BySeat(0, 0, 0)


def test_a_record_is_checked_when_it_is_made() -> None:
    deal = Deal.parse(SMALL)
    with pytest.raises(InputError, match="play: trick 1: D cannot play SK"):
        Record(deal, Trump.N, play=(Card.parse("SK"),))
    with pytest.raises(InputError, match="trick: the hands have D 1, L 1, R 1 cards"):
        Record(Deal.parse("D:2... K... Q...", uneven=True), trick=parse_cards("SA") * 2)
    with pytest.raises(InputError, match="id, column 1: 'a b' is no id"):
        Record(deal, id="a b")
    with pytest.raises(InputError, match="expected D 2, L 2, R 2 with no trick in progress"):
        Record(Deal.parse("D:2.5.. K.4.3. QJ.6..", uneven=True))


def test_a_line_that_is_too_long_is_refused_and_cut_short() -> None:
    long = b"D:A... K... Q... trump=S id=" + b"x" * MAX_LINE
    (_, bad), (_, good) = read_records([long, b"D:A... K... Q... trump=S"], "deals.txt")
    assert isinstance(bad, BadRecord)
    assert str(bad.error) == f"deals.txt:1: a line of {MAX_LINE} bytes or more, expected a record"
    assert len(bad.text) <= 100
    assert isinstance(good, Record)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("D:A... A... Q... trump=S id=x", "x"),
        ("nonsense id=x # id=y", "x"),
        ("nonsense # id=y", None),
        ("nonsense", None),
        ('{"deal": "D:A... A... Q...", "id": "x"}', "x"),
        ('{"deal": "D:A... A... Q...", "id": 7}', "7"),
        ('{"record": "D:A... A... Q... id=x"}', "x"),
        ('{"deal": "D:A... A... Q...", "id": [7]}', None),
        ('{"id": "x"', None),
    ],
)
def test_a_line_that_is_no_record_keeps_its_id_where_that_can_be_read(line: str, name: str | None) -> None:
    ((_, bad),) = read_records([line], "deals.txt")
    assert isinstance(bad, BadRecord)
    assert bad.id == name


def test_a_list_names_the_element_that_is_no_text() -> None:
    (message,) = [
        str(bad.error)
        for _, bad in read_records(['{"deal": "D:A... K... Q...", "play": ["SA", 8]}'], "deals.txt")
        if isinstance(bad, BadRecord)
    ]
    assert "play: expected texts, found int as number 2 of the list" in message
