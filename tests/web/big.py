"""Tables made up for measuring and looking: seats with thirty permanents each, in the middle of a combat, and what changes at them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from protocol import messages as m
from protocol.options import RoomOptions
from protocol.questions import PlayerChoice
from protocol.rooms import RoomState, Seat
from protocol.view import AttackView, CombatView, Event, Face, ObjectView, PlayerView, View, face_hash, write

SEATS = 4
LANDS, CREATURES, OTHERS = 10, 15, 5
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ines", "Jo")

SOCKET = """() => {
  window.WebSocket = class {
    static OPEN = 1;
    readyState = 1;
    constructor() { window.socket = this; setTimeout(() => this.onopen?.()); }
    send(text) {
      const message = JSON.parse(text);
      const reply = (more) => setTimeout(() => this.tell({ re: message.id, ...more }));
      if (message.type === 'hello') {
        reply({ type: 'welcome', server: 'made up', version: 1, person: 'p', name: message.name, token: 't' });
      } else if (message.type === 'list') reply({ type: 'rooms' });
      else if (message.type === 'decks') reply({ type: 'decks' });
      else reply({ type: 'ok' });
    }
    tell(message) { this.onmessage?.({ data: JSON.stringify(message) }); }
    close() {}
  };
}"""
"""Put in the place of the page's websocket before it loads: says what it must, and hands over what `socket.tell` is given."""

PAINTED = """async (messages) => {
  const times = [];
  for (const message of messages) {
    await new Promise((done) => setTimeout(done, Math.random() * 20));
    const start = performance.now();
    window.socket.tell(message);
    await new Promise((done) => requestAnimationFrame(() => {
      const after = new MessageChannel();
      after.port1.onmessage = done;
      after.port2.postMessage(0);
    }));
    times.push(performance.now() - start);
  }
  return times;
}"""
"""Hands messages over at odd moments; milliseconds until the frame with each has been painted."""


def plain(message: m.ServerMessage) -> dict[str, Any]:
    """A message as the page reads it."""
    return json.loads(msgspec.json.encode(message))


def faces() -> dict[str, Face]:
    """A face for each kind of card at the table."""
    made = [Face(name=name, types=f"Basic Land — {name}") for name in ("Forest", "Plains", "Swamp")]
    for at in range(CREATURES):
        made.append(
            Face(
                name=f"Warden of Gate {at}",
                cost="{2}{G}",
                types="Creature — Elf",
                text="Reach",
                power="2",
                toughness="4",
            )
        )
    made += [Face(name=f"Banner {at}", cost="{2}", types="Artifact", text="{T}: Add {G}.") for at in range(OTHERS)]
    return {face_hash(face): face for face in made}


def beginning(seats: int = SEATS) -> list[dict[str, Any]]:
    """The room and the whole view: the first player attacks the next three, and one of their planeswalkers."""
    known = faces()
    keys = list(known)
    objects: dict[str, ObjectView] = {}
    for seat in range(seats):
        kinds = [("land", keys[at % 3]) for at in range(LANDS)]
        kinds += [("creature", keys[3 + at]) for at in range(CREATURES)]
        kinds += [("artifact", keys[3 + CREATURES + at]) for at in range(OTHERS)]
        for at, (kind, face) in enumerate(kinds):
            thing = ObjectView(zone="battlefield", owner=seat, controller=seat, face=face, types=[kind])
            if kind == "creature":
                thing = msgspec.structs.replace(thing, power=2, toughness=4, keywords=["reach"], colors=["G"])
            objects[str(100 * (seat + 1) + at)] = thing
    view = View(
        turn=12,
        phase="combat",
        step="declare_attackers",
        active=0,
        you=0,
        order=list(range(seats)),
        players={
            str(seat): PlayerView(name=NAMES[seat], life=20, hand_count=4, library_count=40) for seat in range(seats)
        },
        objects=objects,
        battlefield=list(objects),
        combat=CombatView(
            attackers={
                str(110 + at): AttackView(defender=PlayerChoice(seat=1 + at % 3), defending_player=1 + at % 3)
                for at in range(9)
            }
        ),
    )
    sitting = [Seat(seat=seat, kind="person", name=NAMES[seat], connected=True) for seat in range(seats)]
    state = RoomState(id="measured", state="playing", options=RoomOptions(seats=seats), seats=sitting, host=0, you=0)
    return [
        plain(m.Room(room=state)),
        plain(m.ViewMessage(epoch=1, seq=0, view=write(view), faces=known)),
    ]


def changes(count: int) -> Iterator[dict[str, Any]]:
    """Patches as a game has them: creatures tap, are hurt, grow; life changes; steps go by; lines for the log."""
    steps = ("declare_attackers", "declare_blockers", "combat_damage", "postcombat_main", "end", "precombat_main")
    for at in range(count):
        seat = at % SEATS
        thing = str(100 * (seat + 1) + LANDS + at % CREATURES)
        patch: dict[str, Any] = {
            "objects": {thing: {"tapped": at % 2 == 0, "damage": at % 4, "counters": {"+1/+1": 1 + at % 5}}},
            "players": {str(seat): {"life": 20 - at % 19}},
        }
        if at % 3 == 0:
            patch["step"] = steps[at // 3 % len(steps)]
        if at % 40 == 0:
            patch["turn"] = 12 + at // 40
        args: dict[str, Any] = {"card": f"Warden of Gate {at % CREATURES}", "card_id": thing, "target": NAMES[seat]}
        lines = [Event(kind="attack", key="event.attack", rule="508.1", args=args)]
        yield plain(m.Patch(epoch=1, seq=at + 1, patch=patch, events=lines))
