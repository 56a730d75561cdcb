"""Patches without what their reader can know, over real websockets."""

from __future__ import annotations

import json
from typing import Any

import trio
from websockets.trio.client import ClientConnection

from protocol.brief import full
from protocol.patch import apply
from protocol.view import digest
from tests.net.test_net import app_of, ask, client_of

Frame = dict[str, Any]


async def seated(ada: ClientConnection, ben: ClientConnection) -> None:
    """Both at one table, whose game begins."""
    room = (await ask(ada, {"type": "open", "id": "o", "options": {"seats": 2}}))["room"]["id"]
    await ask(ben, {"type": "join", "id": "j", "room": room})
    for one in (ada, ben):
        await ask(one, {"type": "deck", "id": "d", "house": "bears"})
        await ask(one, {"type": "stops", "id": "s", "only_pass": True})
        await ask(one, {"type": "ready", "id": "r"})
    await ada.send(json.dumps({"type": "start", "id": "go"}))


async def played(websocket: ClientConnection, frames: list[Frame]) -> None:
    """Give every default until the game is over; all that came."""
    async for data in websocket:
        got = json.loads(data)
        frames.append(got)
        question = got.get("question") if got["type"] in ("view", "question") else None
        if question is not None:
            answer = {"type": "answer", "id": "a", "question": question["id"], "answer": question["default"]}
            await websocket.send(json.dumps(answer))
        if got["type"] == "over":
            return


async def test_who_asked_for_brief_patches_counts_by_itself_and_the_other_is_told_as_ever() -> None:
    terse: list[Frame] = []
    plain: list[Frame] = []
    async with app_of() as app, client_of(app) as ada, client_of(app) as ben:
        await ask(ada, {"type": "hello", "id": "h", "name": "Ada", "digests": True, "brief": True})
        await ask(ben, {"type": "hello", "id": "h", "name": "Ben", "digests": True})
        await seated(ada, ben)
        with trio.fail_after(30):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(played, ada, terse)
                nursery.start_soon(played, ben, plain)
    for frames, whole in ((terse, full), (plain, lambda patch: patch)):
        tree: Frame = {}
        at = (0, 0)
        for frame in frames:
            if frame["type"] == "view":
                tree, at = frame["view"], (frame["epoch"], frame["seq"])
            elif frame["type"] == "patch":
                tree, at = apply(tree, whole(frame.get("patch", {}))), (at[0], at[1] + 1)
                assert frame["digest"] == digest(tree)
            if frame["type"] == "question" or (frames is plain and frame["type"] == "patch"):
                assert (frame["epoch"], frame["seq"]) == at
    told = [frame for frame in terse if frame["type"] == "patch"]
    assert len(told) > 5 and not any("epoch" in frame or "seq" in frame for frame in told)
    assert not any("priority" in frame.get("patch", {}) and "waiting_for" in frame["patch"] for frame in told)
