"""Tables to show and to play on, made by hand."""

from __future__ import annotations

from typing import Any

from client_cli.table import Table
from protocol.messages import ViewMessage
from protocol.questions import ConfirmAnswer, ConfirmQuestion, PlayerChoice, Question, Text
from protocol.view import AttackView, CombatView, Face, Faces, ObjectView, PlayerView, View, face_hash, write


class Setting:
    """Builds a view for seat 0 of a table."""

    def __init__(self, seats: int = 4, *, turn: int = 5, step: str = "precombat_main", active: int = 0) -> None:
        self.faces: Faces = {}
        self.objects: dict[str, ObjectView] = {}
        self.battlefield: list[str] = []
        self.stack: list[str] = []
        self.attackers: dict[str, AttackView] = {}
        self.hand: list[str] = []
        self.players = {
            seat: {"name": name, "life": 20, "hand_count": 4, "library_count": 40}
            for seat, name in zip(range(seats), ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay"], strict=False)
        }
        self.turn, self.step, self.active = turn, step, active
        self.more: dict[str, Any] = {}
        """Other fields of the view, such as `teams`."""

    def _face(self, **fields: Any) -> str:
        face = Face(**fields)
        self.faces[face_hash(face)] = face
        return face_hash(face)

    def _add(self, key: str, thing: ObjectView) -> str:
        key = key or str(len(self.objects) + 1)
        self.objects[key] = thing
        if thing.zone == "battlefield":
            self.battlefield.append(key)
        elif thing.zone == "hand":
            self.hand.append(key)
        elif thing.zone == "stack":
            self.stack.append(key)
        return key

    def creature(self, name: str, power: int, toughness: int, seat: int = 0, *keywords: str, **state: Any) -> str:
        """A creature; its id."""
        cost = max(1, (power + toughness) // 2)
        printed = state.pop("cost", f"{{{cost}}}")
        face = self._face(
            name=name, cost=printed, mana_value=cost, types="Creature", power=str(power), toughness=str(toughness)
        )
        zone = state.pop("zone", "battlefield")
        key = state.pop("key", "")
        thing = ObjectView(
            zone=zone,
            owner=seat,
            controller=seat,
            face=face,
            power=power,
            toughness=toughness,
            types=["creature"],
            keywords=list(keywords),
            **state,
        )
        return self._add(key, thing)

    def land(self, name: str, seat: int = 0, **state: Any) -> str:
        """A basic land."""
        face = self._face(name=name, types=f"Basic Land - {name}")
        zone = state.pop("zone", "battlefield")
        types = ["basic", "land", name.lower()]
        return self._add("", ObjectView(zone=zone, owner=seat, controller=seat, face=face, types=types, **state))

    def card(self, name: str, types: str, text: str, seat: int = 0, *, mana_value: int = 2, **state: Any) -> str:
        """Any other card, in hand unless told otherwise."""
        face = self._face(name=name, cost=f"{{{mana_value}}}", mana_value=mana_value, types=types.title(), text=text)
        zone = state.pop("zone", "hand")
        thing = ObjectView(zone=zone, owner=seat, controller=seat, face=face, types=types.lower().split(), **state)
        return self._add("", thing)

    def attack(self, key: str, seat: int, *blockers: str) -> None:
        """Have a creature attack a player, blocked by these."""
        self.attackers[key] = AttackView(
            defender=PlayerChoice(seat), defending_player=seat, blocked=bool(blockers), blockers=list(blockers)
        )

    def view(self) -> View:
        """The view."""
        players = {
            str(seat): PlayerView(**fields, hand=self.hand if seat == 0 else [])
            for seat, fields in self.players.items()
        }
        extra = {"combat": CombatView(attackers=self.attackers)} if self.attackers else {}
        return View(
            turn=self.turn,
            phase="precombat_main",
            step=self.step,
            active=self.active,
            players=players,
            order=list(self.players),
            you=0,
            objects=self.objects,
            battlefield=self.battlefield,
            stack=self.stack,
            **extra,
            **self.more,
        )

    def table(self, question: Question | None = None) -> Table:
        """A table with this view."""
        table = Table()
        extra: dict[str, Any] = {} if question is None else {"question": question}
        table.feed(ViewMessage(epoch=1, seq=0, view=write(self.view()), faces=self.faces, **extra))
        return table


def base(purpose: str = "test", default: Any = None) -> dict[str, Any]:
    """The fields every question has."""
    return {
        "id": "q1",
        "seat": 0,
        "purpose": purpose,
        "prompt": Text("ask.choose"),
        "default": default if default is not None else ConfirmAnswer(yes=False),
    }


def confirm(number: int = 1) -> ConfirmQuestion:
    """A simple question."""
    return ConfirmQuestion(
        id=f"q{number}", seat=0, purpose="may", prompt=Text("ask.may"), default=ConfirmAnswer(yes=False)
    )
