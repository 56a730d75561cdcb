"""How often a person at the terminal is asked, with the stops that nobody has changed: measured at a table of four on a real server."""

from __future__ import annotations

import pytest
import trio

from client_cli.app import App
from client_cli.bot_kit import play
from client_cli.session import Session, open_session
from client_cli.settings import MINE, OTHERS, Settings
from protocol import messages as m
from protocol import questions as q
from protocol.options import RoomOptions
from server.command.decks import house_decks
from server.net.app import running
from server.settings import Listen, People
from server.settings import Settings as ServerSettings
from server.storage import MemoryStorage

OWN = ServerSettings(listen=Listen(port=0), people=People(own_cards="everybody"))
CARDS = "".join(
    f'[[card]]\nname = "Ditch Ghoul {n}"\ntypes = "Creature — Zombie"\ncost = "{{B}}"\npower = "1"\ntoughness = "1"\n'
    f'text = "{{B}}: Regenerate Ditch Ghoul {n}."\n'
    f'[[card]]\nname = "Ditch Hound {n}"\ntypes = "Creature — Dog"\ncost = "{{B}}"\npower = "1"\ntoughness = "1"\n'
    for n in "abcde"
)
GHOULS = "40 Swamp\n" + "".join(f"4 Ditch Ghoul {n}\n" for n in "abcde")
HOUNDS = "40 Swamp\n" + "".join(f"4 Ditch Hound {n}\n" for n in "abcde")
BUILT_BY = 12
"""Turn by which everybody has what they will have; nobody casts anything from then on."""


class Builder:
    """Plays lands and at most `creatures` creatures until all is built; attacks with all whoever is next but not seat 0, or nobody."""

    def __init__(self, *, attacks: bool, creatures: int) -> None:
        self.attacks = attacks
        self.creatures = creatures

    def answer(self, table: object, question: q.Question) -> q.Answer:
        view = table.view  # type: ignore[attr-defined]
        me = table.you  # type: ignore[attr-defined]
        match question:
            case q.PriorityQuestion() if view.active == me and view.turn < BUILT_BY:
                mine = [
                    thing for thing in view.objects.values() if thing.controller == me and thing.zone == "battlefield"
                ]
                for number, action in enumerate(question.actions):
                    if action.type == "play_land":
                        return q.PriorityAnswer(index=number)
                    if action.type == "cast" and sum("creature" in thing.types for thing in mine) < self.creatures:
                        return q.PriorityAnswer(index=number)
            case q.AttackersQuestion() if self.attacks and view.turn >= BUILT_BY:
                wanted = q.PlayerChoice(me % 3 + 1)
                return q.AttackersAnswer(
                    attacks=tuple((at, one.defenders.index(wanted)) for at, one in enumerate(question.attackers))
                )
            case _:
                pass
        return question.default


async def asked_in_a_round(*, attacks: bool) -> tuple[list[int], set[str]]:
    """How many times the person at seat 0 had priority in each of three rounds, and in which moments."""
    counts: list[int] = []
    moments: set[str] = set()
    async with running(MemoryStorage(), house_decks(), settings=OWN) as server, trio.open_nursery() as nursery:
        async with open_session(server.url, "Ann") as ann:
            app = App(ann, settings=Settings(lands=False))
            options = RoomOptions(seats=4, first=0, mulligans=False, seed=7)
            await app.begin(new=options)
            while app.room is None:
                await app.tell(await ann.receive())
            for name in ("Ben", "Cleo", "Dora"):
                nursery.start_soon(_sits, server.url, name, app.room.id, Builder(attacks=attacks, creatures=2))
            while not all(seat.ready or seat.seat == 0 for seat in app.room.seats if seat.kind != "open") or any(
                seat.kind == "open" for seat in app.room.seats
            ):
                await app.tell(await ann.receive())
            await ann.send(m.ChooseDeck(id=ann.new_id(), text=GHOULS, cards=CARDS))
            await app.start()
            builder = Builder(attacks=False, creatures=1)
            while len(counts) < 4:
                await app.tell(await ann.receive())
                if app.dialog is None:
                    continue
                view, question = ann.table.view, app.dialog.question
                if view.turn >= BUILT_BY and isinstance(question, q.PriorityQuestion):
                    if view.active == 0 and view.step == "precombat_main":
                        counts.append(0)
                        _has_a_ghoul_and_a_swamp(ann)
                    if counts:
                        counts[-1] += 1
                        moments.add(f"{'mine' if view.active == 0 else 'others'} {view.step}")
                await app._send_answer(question, builder.answer(ann.table, question))
        nursery.cancel_scope.cancel()
    return counts[:3], moments


def _has_a_ghoul_and_a_swamp(session: Session) -> None:
    mine = [session.table.name(key) for key in session.table.view.battlefield]
    mine = [
        name
        for key, name in zip(session.table.view.battlefield, mine, strict=True)
        if session.table.view.objects[key].controller == 0
    ]
    assert "Swamp" in mine and any(name.startswith("Ditch Ghoul") for name in mine)


async def _sits(url: str, name: str, room: str, builder: Builder) -> None:
    async with open_session(url, name) as session:
        await session.request(m.Join(id="j", room=room), m.Room)
        await session.do(m.ChooseDeck(id="d", text=HOUNDS, cards=CARDS))
        await session.do(m.Stops(id="s", mine=["precombat_main"], others=[]))
        await session.do(m.Ready(id="r"))
        await play(session, builder)


@pytest.mark.rule("508.3")
@pytest.mark.parametrize(("attacks", "most"), [(False, 5), (True, 11)])
async def test_one_regenerator_and_a_swamp_are_asked_about_seldom(attacks: bool, most: int) -> None:
    with trio.fail_after(120):
        counts, moments = await asked_in_a_round(attacks=attacks)
    assert counts == [most] * 3, (counts, moments)
    mine = {f"mine {step}" for step in MINE}
    others = {f"others {step}" for step in OTHERS if attacks or step == "end"}
    assert moments == mine | others
