"""Frames that several readers are sent: written once, and of nobody else's words."""

from __future__ import annotations

import msgspec
import pytest

from protocol.codec import JSON, MSGPACK, Codec
from protocol.messages import ClientMessage, Patch, ServerMessage
from protocol.patch import Tree
from protocol.view import Event
from server.net.frames import REMEMBERED, Frames


class Counted(Codec):
    """Says how often it wrote."""

    written = 0

    def encode(self, message: ClientMessage | ServerMessage) -> bytes:
        self.written += 1
        return super().encode(message)


@pytest.mark.parametrize("codec", [JSON, MSGPACK])
def test_a_patch_that_two_are_told_is_written_once_and_is_what_each_would_be_written(codec: Codec) -> None:
    counted = Counted(codec.format)
    frames = Frames(counted)
    patch: Tree = {"priority": 1}
    events = [Event(kind="draw", key="event.draw")]
    ada, ben = (Patch(epoch=n, seq=n, patch=patch, events=events) for n in (1, 2))
    assert frames.unnumbered(ada) is frames.unnumbered(ben) and counted.written == 1
    assert frames.unnumbered(ada) == frames.of(msgspec.structs.replace(ada, epoch=0, seq=0))


def test_other_words_are_other_frames() -> None:
    frames = Frames(JSON)
    patch: Tree = {"priority": 1}
    events = [Event(kind="draw", key="event.draw")]
    plain = Patch(epoch=1, seq=1, patch=patch, events=events)
    said = [
        plain,
        msgspec.structs.replace(plain, events=[]),
        msgspec.structs.replace(plain, patch={"priority": 2}),
        msgspec.structs.replace(plain, digest="d"),
        msgspec.structs.replace(plain, receipt="r"),
    ]
    assert len({frames.unnumbered(message) for message in said}) == len(said)
    assert len({frames.of(msgspec.structs.replace(plain, seq=seq)) for seq in (1, 2)}) == 2


def test_frames_are_forgotten_and_patches_that_lie_where_another_lay_are_written_anew() -> None:
    frames = Frames(JSON)
    for number in range(4 * REMEMBERED):
        message = Patch(epoch=1, seq=1, patch={"priority": number})
        assert b'"priority":%d}' % number in frames.unnumbered(message)
        assert len(frames._alike) <= REMEMBERED
