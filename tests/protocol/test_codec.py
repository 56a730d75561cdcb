"""Frames: what is good comes back the same, what is bad is refused with the place of the fault, and nothing else happens."""

import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import MAX_CLIENT_FRAME, MAX_DEPTH
from protocol import messages as m
from protocol import questions as q
from protocol.codec import JSON, MSGPACK, Malformed, json_depth, msgpack_depth
from protocol.options import RoomOptions
from protocol.refusals import Code
from protocol.view import View
from tests.pace import fastest

CODECS = (JSON, MSGPACK)

IDS = st.text(min_size=1, max_size=20).filter(lambda s: s.encode("utf-8", "ignore").decode() == s)
SMALL = st.integers(-1, 1000)
ANSWERS = st.one_of(
    st.builds(q.PriorityAnswer, index=SMALL, manual=st.booleans()),
    st.builds(q.ChooseAnswer, picks=st.lists(SMALL).map(tuple)),
    st.builds(q.ConfirmAnswer, yes=st.booleans()),
    st.builds(q.NumberAnswer, number=SMALL),
    st.builds(q.AttackersAnswer, attacks=st.lists(st.tuples(SMALL, SMALL)).map(tuple)),
    st.builds(q.BlockersAnswer, blocks=st.lists(st.tuples(SMALL, IDS)).map(tuple)),
    st.builds(q.DamageAnswer, amounts=st.lists(st.lists(SMALL).map(tuple)).map(tuple)),
    st.builds(q.PaymentAnswer, index=SMALL),
)
MESSAGES = st.one_of(
    st.builds(m.Hello, id=IDS, name=IDS, digests=st.booleans()),
    st.builds(m.Open, id=IDS, options=st.builds(RoomOptions, seats=st.integers(2, 10), private=st.booleans())),
    st.builds(m.Join, id=IDS, room=IDS, seat=st.just(msgspec.UNSET) | st.integers(0, 9)),
    st.builds(m.AnswerMessage, id=IDS, question=IDS, answer=ANSWERS),
    st.builds(m.Stops, id=IDS, mine=st.just(msgspec.UNSET) | st.just(["upkeep"])),
    st.builds(m.Pass, id=IDS, until=st.sampled_from(["off", "something", "my_turn"])),
)
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | IDS,
    lambda inner: st.lists(inner) | st.dictionaries(IDS, inner),
    max_leaves=10,
)


@pytest.mark.parametrize("codec", CODECS)
@given(message=MESSAGES)
def test_a_message_comes_back_the_same(codec, message):
    frame = codec.write(message)
    assert isinstance(frame, str) is (codec is JSON)
    assert codec.read_client(frame) == message


@given(st.text(max_size=300) | st.binary(max_size=300))
@settings(max_examples=300)
def test_noise_is_refused(frame):
    for codec in CODECS:
        with pytest.raises(Malformed) as refused:
            codec.read_client(frame)
        assert refused.value.code in set(Code) and refused.value.sentence


@given(MESSAGES, st.data())
@settings(max_examples=300)
def test_a_message_with_one_thing_wrong_is_refused_and_names_its_id(message, data):
    """Any field replaced by anything either still fits or is refused in reply to the message's id; nothing else is ever raised."""
    plain = msgspec.to_builtins(message)
    key = data.draw(st.sampled_from(sorted(plain)))
    plain[key] = data.draw(PLAIN)
    for codec, frame in ((JSON, json.dumps(plain)), (MSGPACK, msgspec.msgpack.encode(plain))):
        try:
            codec.read_client(frame)
        except Malformed as refused:
            if key != "id" and refused.code != Code.MALFORMED:
                assert refused.re == message.id


@given(MESSAGES, st.integers(0, 400), st.binary(min_size=1, max_size=3))
@settings(max_examples=300)
def test_damaged_binary_frames_never_raise_anything_else(message, at, damage):
    frame = bytearray(msgspec.msgpack.encode(message))
    at %= len(frame)
    frame[at : at + len(damage)] = damage
    try:
        MSGPACK.read_client(bytes(frame))
    except Malformed:
        pass


@pytest.mark.parametrize(
    ("frame", "code", "path"),
    [
        ('{"type":"nope","id":"1"}', Code.UNKNOWN_MESSAGE, "type"),
        ('{"id":"1"}', Code.UNKNOWN_MESSAGE, ""),
        ('{"type":"hello","id":"1","name":3}', Code.INVALID, "name"),
        ('{"type":"hello","id":"1","name":null}', Code.INVALID, "name"),
        ('{"type":"hello","id":"1","name":"a","extra":1}', Code.INVALID, ""),
        ('{"type":"open","id":"1","options":{"seats":11}}', Code.INVALID, "options.seats"),
        (
            '{"type":"answer","id":"1","question":"q","answer":{"kind":"choose","picks":[0,"a"]}}',
            Code.INVALID,
            "answer.picks[1]",
        ),
    ],
)
def test_refusals_name_the_place(frame, code, path):
    with pytest.raises(Malformed) as refused:
        JSON.read_client(frame)
    assert (refused.value.code, refused.value.path, refused.value.re) == (code, path, "1")


def test_depth_is_capped():
    deep = MAX_DEPTH + 1
    for codec, frame in (
        (JSON, "[" * 30_000),
        (JSON, '{"a":' * 10_000),
        (JSON, '{"type":"ping","id":"1","x":' + "[" * deep + "]" * deep + "}"),
        (MSGPACK, b"\x91" * 60_000),
        (MSGPACK, b"\x81\xa1a" * 20_000),
        (MSGPACK, b"\xdd\x00\x00\x00\x01" * 10_000),
    ):
        with pytest.raises(Malformed) as refused:
            codec.read_client(frame)
        assert refused.value.code == Code.MALFORMED and str(MAX_DEPTH) in refused.value.sentence


@given(PLAIN)
def test_depth_is_counted_right(value):
    def depth(value) -> int:
        if isinstance(value, dict):
            value = list(value.values())
        return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0

    most = min(depth(value), MAX_DEPTH + 1)
    assert json_depth(json.dumps(value).encode()) == most
    found = msgpack_depth(msgspec.msgpack.encode([[0], value]))
    assert max(2, most) <= found <= max(2, most + 1), "an empty one is no depth"


_FULL = MAX_CLIENT_FRAME - 100


@pytest.mark.parametrize(
    ("codec", "frame"),
    [
        (JSON, "[" * _FULL),
        (JSON, "[]," * (_FULL // 3)),
        (JSON, ("[" * MAX_DEPTH + "]" * MAX_DEPTH) * (_FULL // (2 * MAX_DEPTH))),
        (JSON, "[" * (_FULL // 2) + "]" * (_FULL // 2)),
        (JSON, "[" * 40 + '"",' * (_FULL // 3)),
        (JSON, "[" * 40 + '"' + "\\\\" * (_FULL // 2)),
        (JSON, '{"type":"ping","id":"1","x":[' + "{}," * (_FULL // 3)),
        (MSGPACK, b"\xdc\xff\xff" + b"\x90" * _FULL),
        (MSGPACK, b"\x91" * _FULL),
        (MSGPACK, b"\xdc\xff\xff" + b"\x91\x00" * (_FULL // 2)),
    ],
)
def test_no_frame_takes_long_to_refuse(codec, frame):
    """Two hundred connections of one address may send such frames at once."""

    def refuse() -> None:
        with pytest.raises(Malformed):
            codec.read_client(frame)

    assert fastest(refuse) < 0.002


def test_brackets_in_strings_are_no_depth():
    text = "[" * 400 + '"' + "\\"
    assert JSON.read_client(json.dumps({"type": "chat", "id": "1", "text": text})) == m.Say(id="1", text=text)
    deck = m.ChooseDeck(id="1", text="4 Élan\n" * 900)
    assert MSGPACK.read_client(MSGPACK.write(deck)) == deck


def test_strings_that_never_end_take_linear_time():
    with pytest.raises(Malformed):
        JSON.read_client('{"a":[[' + "[" * 20 + "{" * 20 + '"' + '\\"' * 32_000)


def test_frames_beyond_the_limit_are_refused():
    with pytest.raises(Malformed) as refused:
        JSON.read_client('"' + "x" * MAX_CLIENT_FRAME + '"')
    assert refused.value.code == Code.TOO_LARGE


def test_the_wrong_sort_of_frame_is_refused():
    for codec, frame in ((JSON, b"{}"), (MSGPACK, "{}")):
        with pytest.raises(Malformed):
            codec.read_client(frame)


def test_clients_ignore_what_they_do_not_know():
    assert JSON.read_server('{"type":"ok","re":"1","later":{"a":1}}') == m.Ok(re="1")
    assert JSON.read_server('{"type":"later","re":"1","seats":7}') == m.Unknown(re="1", name="later")
    later = '{"type":"view","epoch":1,"seq":2,"view":{"turn":1},"question":{"kind":"later","id":"q"}}'
    assert JSON.read_server(later) == m.ViewMessage(epoch=1, seq=2, view={"turn": 1})
    with pytest.raises(Malformed):
        JSON.read_server("[]")


def test_nothing_absent_is_written_as_null():
    view = View(turn=1, phase="beginning", step="upkeep", active=0, players={})
    message = m.ViewMessage(epoch=1, seq=0, view=msgspec.to_builtins(view))
    assert "null" not in str(JSON.write(message)) and "you" not in str(JSON.write(message))
