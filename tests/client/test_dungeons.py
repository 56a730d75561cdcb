"""The terminal client shows the dungeon that a player is in (current 309)."""

from __future__ import annotations

from msgspec.structs import replace

from client_cli.show import Show
from protocol.messages import ViewMessage
from protocol.view import write
from tests.client.tables import Setting


def test_a_dungeon_stands_with_its_owner_and_the_room() -> None:
    made = Setting(2)
    key = made.creature("Old Minster", 0, 0, 1, zone="command")
    view = made.view()
    objects = {**view.objects, key: replace(view.objects[key], kind="dungeon", notes={"room": "Nave"})}
    table = made.table()
    table.feed(ViewMessage(epoch=2, seq=0, view=write(replace(view, objects=objects, command=[key])), faces=made.faces))
    assert "command zone: Old Minster (Nave)" in " ".join("\n".join(Show(table).board()).split())
    assert Show(table).piles() == ["Bob, command zone: Old Minster (Nave)"]
