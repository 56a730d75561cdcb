"""Equal lands listed once, over real websockets."""

from __future__ import annotations

import json

import msgspec
import pytest
import trio
from websockets.trio.client import ClientConnection

from protocol import questions as q
from protocol.gathered import spread
from protocol.patch import apply
from server.command.decks import house_decks
from server.net.app import running
from server.storage import MemoryStorage
from tests.net.test_brief import Frame, played
from tests.net.test_net import ask, client_of

LAND = "Mountain"
ENOUGH = 3


async def seated(ada: ClientConnection, ben: ClientConnection, **hello: bool) -> None:
    """Ada, who said that in `hello`, and Ben at a table, whose game begins."""
    for one, name in ((ada, "Ada"), (ben, "Ben")):
        await ask(one, {"type": "hello", "id": "h", "name": name, **(hello if one is ada else {})})
    room = (await ask(ada, {"type": "open", "id": "o", "options": {"seats": 2}}))["room"]["id"]
    await ask(ben, {"type": "join", "id": "j", "room": room})
    for one in (ada, ben):
        await ask(one, {"type": "deck", "id": "d", "house": "emberclan"})
        await ask(one, {"type": "ready", "id": "r"})
    await ada.send(json.dumps({"type": "start", "id": "go"}))


def whole(told: Frame) -> tuple[q.Action, ...]:
    """The list in which answers count."""
    question = spread(msgspec.convert(told, q.Question))
    assert isinstance(question, q.PriorityQuestion)
    return question.actions


def chosen(actions: tuple[q.Action, ...]) -> int:
    """The last of enough equal lands, else a land from the hand, else to pass."""
    lands = [place for place, action in enumerate(actions) if action.mana and action.text.startswith(LAND)]
    if len(lands) >= ENOUGH:
        return lands[-1]
    return next((n for n, action in enumerate(actions) if action.type == "play_land" and action.text == LAND), 0)


async def land_tapped(websocket: ClientConnection) -> Frame:
    """Play until one of enough equal lands was tapped by its place in the whole list, and it was that one. The question that had it."""
    view: Frame = {}
    asked: Frame = {}
    tapped = ""
    async for data in websocket:
        frame = json.loads(data)
        if frame["type"] in ("view", "patch"):
            view = frame["view"] if frame["type"] == "view" else apply(view, frame.get("patch", {}))
        told = frame.get("question")
        if told is None:
            continue
        if tapped:
            own = {name: one for name, one in view["objects"].items() if one.get("controller") == 0}
            assert [name for name, one in own.items() if one.get("tapped")] == [tapped]
            return asked
        answer = told["default"]
        if told["kind"] == "priority":
            index = chosen(whole(told))
            answer = {"kind": "priority", "index": index}
            if whole(told)[index].mana:
                asked, tapped = told, str(whole(told)[index].object)
        await websocket.send(json.dumps({"type": "answer", "id": "a", "question": told["id"], "answer": answer}))
    raise AssertionError("the connection ended")


@pytest.mark.parametrize("gathered", [True, False])
async def test_who_asked_for_it_is_told_of_equal_lands_once_and_taps_each_by_its_place(gathered: bool) -> None:
    async with running(MemoryStorage(), house_decks()) as app, client_of(app) as ada, client_of(app) as ben:
        await seated(ada, ben, gathered=gathered)
        with trio.fail_after(60):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(played, ben, [])
                asked = await land_tapped(ada)
                nursery.cancel_scope.cancel()
    lands = [action for action in asked["actions"] if action.get("mana") and action["text"].startswith(LAND)]
    also = [len(action.get("also", ())) for action in lands]
    assert also == ([ENOUGH - 1] if gathered else [0] * ENOUGH)
