"""Four people at a Commander table by deck rules that the host has added, each with a companion, over real websockets."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest
import trio

from client_cli.bot_kit import play
from client_cli.errors import RequestRefused
from client_cli.session import open_session
from client_cli.table import Table
from protocol import messages as m
from protocol import questions as q
from protocol.options import RoomOptions
from server.cards.decks import read_rules
from server.command.decks import house_decks
from server.net.app import running
from server.rooms import RULES, replay
from server.settings import Listen, People, Settings
from server.storage import MemoryStorage

OWN = Settings(listen=Listen(port=0), people=People(own_cards="everybody"))
CLUB = read_rules(
    b'name = "club"\nformat = "commander"\nleast = 40\nmost = 40\ncopies = 2\nlife = 21\nbanned_leaders = ["Barred Captain"]'
)
CARDS = """
[[card]]
name = "Line Captain"
types = "Legendary Creature — Human Soldier"
cost = "{2}{W}"
power = "2"
toughness = "1"

[[card]]
name = "Barred Captain"
types = "Legendary Creature — Human Soldier"
cost = "{2}{W}"
power = "2"
toughness = "1"

[[card]]
name = "Far Fox"
types = "Legendary Creature — Fox"
cost = "{2}{W}"
power = "3"
toughness = "3"
text = "Companion — Your starting deck contains only cards with mana value 3 or greater and land cards."

[[card]]
name = "Small Fox"
types = "Creature — Fox"
cost = "{W}"
power = "1"
toughness = "1"
"""
DECK = "Commander\n1 Line Captain\n\nCompanion\n1 Far Fox\n\nDeck\n39 Plains\n"
NAMES = ("Ann", "Ben", "Cleo", "Dan")


class Member:
    """The first plays lands, takes the companion and casts it; the others pass.

    `seen`: each fox with its owner and where it was; `out` is set once one is on the battlefield."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, int, str]] = set()
        self.taken = 0
        self.out = trio.Event()

    def answer(self, table: Table, question: q.Question) -> q.Answer:
        for number, thing in table.view.objects.items():
            if thing.zone in ("command", "battlefield", "hand") and "Fox" in table.name(number):
                self.seen.add((table.name(number), thing.owner, thing.zone))
                if thing.zone == "battlefield":
                    self.out.set()
        if not isinstance(question, q.PriorityQuestion) or table.you != 0:
            return question.default
        for number, action in enumerate(question.actions):
            if action.type == "play_land" or action.way == "companion":
                self.taken += action.way == "companion"
                return q.PriorityAnswer(index=number)
            if action.type == "cast" and action.object and "Fox" in table.name(action.object):
                return q.PriorityAnswer(index=number)
        return question.default


@pytest.mark.rule("current 702.139a")
@pytest.mark.rule("current 903.11")
async def test_each_of_four_brings_a_companion_to_a_commander_table_by_rules_of_a_club() -> None:
    storage, members = MemoryStorage(), [Member() for _ in NAMES]
    async with running(storage, house_decks(rules=[CLUB]), settings=OWN) as app, AsyncExitStack() as stack:
        people = [await stack.enter_async_context(open_session(app.url, name)) for name in NAMES]
        ann, *others = people
        made = RoomOptions(seats=4, edition="current", deck_rules="club", first=0, mulligans=False)
        room = (await ann.request(m.Open(id="o", options=made), m.Room)).room
        assert (room.options.format, room.options.life) == ("commander", 21)
        for one in others:
            await one.request(m.Join(id="j", room=room.id), m.Room)
        for deck, says in (
            (DECK.replace("Line", "Barred"), "Barred Captain"),
            (DECK.replace("39 Plains", "38 Plains"), "40"),
            (DECK.replace("39 Plains", "36 Plains\n3 Small Fox"), "Small Fox"),
            (DECK.replace("39 Plains", "38 Plains\n1 Small Fox"), "companion"),
        ):
            with pytest.raises(RequestRefused, match=says) as refused:
                await ann.do(m.ChooseDeck(id="bad", text=deck, cards=CARDS))
            assert refused.value.refused.code == "bad_deck"
        for one in people:
            await one.do(m.ChooseDeck(id="d", text=DECK, cards=CARDS))
            await one.do(m.Stops(id="s", mine=["precombat_main"], others=[]))
            await one.do(m.Ready(id="r"))
        await ann.do(m.Start(id="go"))
        with trio.fail_after(120):
            async with trio.open_nursery() as nursery:
                for one, member in zip(people, members, strict=True):
                    nursery.start_soon(play, one, member)
                await members[3].out.wait()
                for one in others:
                    await one.send(m.Concede(id=one.new_id()))
    assert members[0].taken == 1
    for member in members:
        assert {(owner, zone) for _, owner, zone in member.seen} >= {(seat, "command") for seat in range(4)}
    last = list(replay(await storage.load(room.id), RULES))[-1].after
    assert last.result is not None and last.result.winners == (0,)
