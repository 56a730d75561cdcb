"""Who may know which card an object is: for each zone and each way to be shown, exactly these viewers."""

from __future__ import annotations

from typing import Any

import pytest

from server.knowledge.hidden import Viewer, may_know
from server.rules.model import define, made_of
from tests.rooms.fake import SECRET

EVERYONE: set[Viewer] = {0, 1, 2, None}


@pytest.mark.rule("400.2")
@pytest.mark.rule("707.5")
@pytest.mark.parametrize(
    ("thing", "viewers"),
    [
        *(({"zone": zone}, EVERYONE) for zone in ("battlefield", "graveyard", "stack", "exile", "command")),
        ({"zone": "hand"}, {0}),
        ({"zone": "hand", "known": 0b100}, {0, 2}),
        ({"zone": "library"}, set[Viewer]()),
        ({"zone": "library", "known": 0b010}, {1}),
        ({"zone": "battlefield", "face_down": True}, {1}),
        ({"zone": "stack", "face_down": True}, {1}),
        ({"zone": "exile", "face_down": True}, set[Viewer]()),
        ({"zone": "exile", "face_down": True, "known": 0b100}, {2}),
    ],
)
def test_who_may_know_what_seat_0_owns_and_seat_1_controls(thing: dict[str, Any], viewers: set[Viewer]) -> None:
    made = made_of(id=1, definition=define(SECRET), owner=0, controller=1, **thing)
    assert {viewer for viewer in EVERYONE if may_know(made, viewer)} == viewers
