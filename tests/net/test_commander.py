"""Commander over a real websocket: the room's option, decks that are legal or not, the command zone, the tax, 21 damage."""

from __future__ import annotations

import pytest
import trio

from client_cli.bot_kit import Outcome, play, prepare
from client_cli.errors import RequestRefused
from client_cli.session import Session, open_session
from client_cli.table import Table
from protocol import messages as m
from protocol import questions as q
from protocol.options import RoomOptions
from protocol.rooms import RoomState
from protocol.view import ObjectView
from server.command.decks import house_decks
from server.net.app import App, running
from server.rooms import RULES, replay
from server.rules import State
from server.settings import Listen, People, Settings
from server.storage import MemoryStorage

OWN = Settings(listen=Listen(port=0), people=People(own_cards="everybody"))
CARDS = """
[[card]]
name = "Line Captain"
types = "Legendary Creature — Human Soldier"
cost = "{W}"
power = "11"
toughness = "1"
"""
DECK = "Commander\n1 Line Captain\n\nDeck\n99 Plains\n"


class Captain:
    """Plays a land and the commander whenever that can be; attacks with all; blocks as long as `blocks` says so."""

    def __init__(self, blocks: int = 0) -> None:
        self.blocks = blocks
        self.paid: list[int] = []
        self.life: list[int] = []
        self.in_command: list[str] = []
        self.struck: list[int] = []
        self.taxes: set[int] = set()
        """What our commander was said to cost more, in the command zone."""

    def answer(self, table: Table, question: q.Question) -> q.Answer:
        view = table.view
        mine = table.you or 0
        self.life.append(view.players["0"].life)
        self.taxes |= {view.objects[number].tax for number in view.command if view.objects[number].owner == mine}
        self.struck.append(view.players["1"].commander_damage.get("0", 0))
        if not self.in_command:
            self.in_command = [table.name(number) for number in view.command]
        match question:
            case q.PriorityQuestion():
                for kind in ("play_land", "cast"):
                    for number, action in enumerate(question.actions):
                        if action.type == kind and view.active == mine:
                            if kind == "cast":
                                self.paid.append(sum(self._is_land(thing, mine) for thing in view.objects.values()))
                            return q.PriorityAnswer(index=number)
                return question.default
            case q.AttackersQuestion():
                return q.AttackersAnswer(attacks=tuple((number, 0) for number in range(len(question.attackers))))
            case q.BlockersQuestion() if self.blocks:
                self.blocks -= 1
                return q.BlockersAnswer(
                    blocks=tuple((number, blocker.attackers[0]) for number, blocker in enumerate(question.blockers))
                )
            case q.ConfirmQuestion() if question.purpose != "mulligan":
                return q.ConfirmAnswer(yes=True)
            case _:
                return question.default

    @staticmethod
    def _is_land(thing: ObjectView, seat: int) -> bool:
        return thing.zone == "battlefield" and thing.controller == seat and "land" in thing.types


async def opened(session: Session, **options: object) -> RoomState:
    asked = m.Open(id="o", options=RoomOptions(seats=2, format="commander", **options))  # type: ignore[arg-type]
    return (await session.request(asked, m.Room)).room


async def played(deck: str, cards: str, ann_is: Captain, ben_is: Captain) -> tuple[Outcome, State]:
    """A whole game of two with this deck for both, Ann first: how it ended for her, and its last state, from its journal."""
    storage = MemoryStorage()
    async with (
        running(storage, house_decks(), settings=OWN) as app,
        open_session(app.url, "Ann") as ann,
        open_session(app.url, "Ben") as ben,
    ):
        room = await opened(ann, first=0, mulligans=False, edition="current")
        await ben.request(m.Join(id="j", room=room.id), m.Room)
        for session in (ann, ben):
            await session.do(m.ChooseDeck(id="d", text=deck, cards=cards))
            await session.do(m.Stops(id="s", mine=["precombat_main"], others=[]))
            await session.do(m.Ready(id="r"))
        await ann.do(m.Start(id="go"))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play, ben, ben_is)
            with trio.fail_after(60):
                outcome = await play(ann, ann_is)
    return outcome, list(replay(await storage.load(room.id), RULES))[-1].after


async def test_a_game_of_commander_from_the_command_zone_to_twenty_one_damage() -> None:
    attacker = Captain()
    outcome, last = await played(DECK, CARDS, attacker, Captain(blocks=1))
    assert attacker.in_command == ["Line Captain", "Line Captain"] and attacker.life[0] == 40
    assert attacker.paid[:2] == [1, 3], "two more from the command zone the second time (903.10)"
    assert attacker.taxes == {0, 2}, "and the view says so before"
    assert outcome.over is not None and outcome.over.result.winners == [0]
    (lost,) = [standing for standing in outcome.over.result.standings if standing.seat == 1]
    assert lost.reason == "lost.commander" and attacker.struck[-1] == 11, "shown to all"
    assert last.players[1].life > 0 and max(damage for _, damage in last.players[1].commander_damage) >= 21


async def test_a_deck_is_legal_for_the_format_of_the_room() -> None:
    async with running(MemoryStorage(), house_decks()) as app, open_session(app.url, "Ann") as ann:
        await opened(ann)
        for message, says in (
            (m.ChooseDeck(id="1", house="emberclan"), "903.5a"),
            (m.ChooseDeck(id="2", text="60 Forest"), "exactly 100"),
        ):
            with pytest.raises(RequestRefused, match=says) as refused:
                await ann.do(message)
            assert refused.value.refused.code == "bad_deck"
        report = await ann.request(m.CheckDeck(id="c", text="100 Forest", format="commander"), m.DeckReport)
        assert [fault.text for fault in report.faults] and "903.3" in report.faults[0].text
        await ann.do(m.ChooseDeck(id="3", house="two-fires"))
        await ann.do(m.AddBot(id="b", level="simple"))
        await ann.do(m.Ready(id="r"))
        await ann.do(m.SetOptions(id="o", options=RoomOptions(seats=2)))
        await ann.do(m.ListDecks(id="l"))
        room = ann.table.room
        while room is None or room.options.format != "constructed":
            await ann.receive()
            room = ann.table.room
        assert room.seats[0].deck == "" and room.seats[1].deck not in ("", "two-fires", "voice-of-the-tide")
        # Elsewhere it is a deck like any other: whoever draws one from the list of decks, knowing of no formats, can play it.
        assert isinstance(await ann.do(m.ChooseDeck(id="4", house="two-fires")), m.Ok)


async def bots_play(app: App) -> Outcome:
    from client_cli.bots import make

    async with open_session(app.url, "Host") as session:
        await opened(session, seed=3)
        await prepare(session)
        await session.do(m.AddBot(id="b", level="simple"))
        await session.do(m.Start(id="s"))
        return await play(session, make("simple", 3))


async def test_bots_play_commander_with_the_decks_of_the_house() -> None:
    with trio.fail_after(120):
        async with running(MemoryStorage(), house_decks()) as app:
            outcome = await bots_play(app)
    assert outcome.over is not None and outcome.refusals == outcome.failures == 0


@pytest.mark.rule("current 702.124d")
async def test_two_partners_are_struck_and_paid_for_each_by_itself() -> None:
    pair = CARDS.replace("Line Captain", "Line Major") + CARDS
    pair = pair.replace('power = "11"', 'power = "11"\nkeywords = ["partner"]')
    deck = DECK.replace("1 Line Captain", "1 Line Captain\n1 Line Major").replace("99", "98")
    attacker = Captain()
    outcome, last = await played(deck, pair, attacker, Captain())
    assert sorted(attacker.in_command) == ["Line Captain"] * 2 + ["Line Major"] * 2
    assert attacker.paid[:2] == [1, 2], "the second one costs no more for the first"
    assert outcome.over is not None and outcome.over.result.winners == [0]
    struck = dict(last.players[1].commander_damage)
    assert struck.keys() <= {1, 3} and max(struck.values()) >= 21, "Ann's are 1 and 3"
    assert max(attacker.struck) < 21, "nobody loses by the damage of both together"
