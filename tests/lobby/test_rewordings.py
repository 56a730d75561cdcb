"""Before a game its people may say cards of their decks in other words; those on which all agree are played."""

from __future__ import annotations

import pytest

from protocol import messages as m
from protocol.refusals import Code, Refusal
from server.cards.forms import Card
from server.cards.loading import Entry
from server.lobby.decks import Deck
from server.oracle.by_hand import read_partly
from tests.lobby.parlour import Guest, TwoDecks, lobby_of, refusal_of, table_of

WORDS = "Draw a card."


def verse() -> Card:
    found = read_partly(Entry("Verse of Odds", cost="{0}", types="Sorcery", text="Hum along with everybody."))
    assert isinstance(found, Card)
    return found


@pytest.fixture(autouse=True)
def decks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TwoDecks, "house", lambda self, name, rules="": Deck(name, (verse(),) * 10))


def proposal(**more: str) -> m.Reword:
    return m.Reword(**{"id": "w", "card": "Verse of Odds", "line": WORDS, **more})


async def proposed(guests: list[Guest]) -> str:
    """The first proposes other words; the name of the ballot."""
    assert isinstance(await guests[0].ask(proposal()), m.Ok)
    (told,) = guests[1].last(m.Room).room.rewordings
    assert (told.card, told.text, told.line, told.read) == (
        "Verse of Odds",
        "Hum along with everybody.",
        WORDS,
        WORDS,
    )
    assert (told.by, told.waiting) == (0, [1])
    return told.ballot


@pytest.mark.parametrize("yes", [True, False])
async def test_what_all_agree_on_is_what_is_played(yes: bool) -> None:
    async with lobby_of() as lobby:
        guests = await table_of(lobby, by_hand="unread")
        ballot = await proposed(guests)
        await guests[1].ask(m.Agree(id="a", ballot=ballot, yes=yes))
        left = guests[0].last(m.Room).room.rewordings
        assert [one.waiting for one in left] == ([[]] if yes else [])
        await guests[0].ask(m.Start(id="s"))
        (table,) = lobby.tables.values()
        assert table.room is not None
        assert {card.text for card in table.room.setup.cards} == {WORDS if yes else "Hum along with everybody."}


async def test_words_that_somebody_has_not_agreed_to_are_not_played() -> None:
    async with lobby_of() as lobby:
        guests = await table_of(lobby, by_hand="unread")
        await proposed(guests)
        await guests[0].ask(m.Start(id="s"))
        (table,) = lobby.tables.values()
        assert table.room is not None
        assert {card.text for card in table.room.setup.cards} == {"Hum along with everybody."}


@pytest.mark.parametrize(
    ("message", "option", "code"),
    [
        (proposal(line="Frolic most gladly."), "unread", Code.NOT_AN_ACT),
        (proposal(card="Somebody's Secret"), "unread", Code.NO_SUCH_OBJECT),
        (proposal(text="Another paragraph."), "unread", Code.NOT_AN_ACT),
        (m.Agree(id="a", ballot="w9"), "unread", Code.NO_BALLOT),
    ],
)
async def test_what_cannot_be_said_is_refused_with_the_reason(message: m.ClientMessage, option: str, code: str) -> None:
    async with lobby_of() as lobby:
        guests = await table_of(lobby, by_hand=option)
        assert await refusal_of(guests[0], message) == code
        assert guests[0].last(m.Room).room.rewordings == []


async def test_a_majority_decides_only_in_a_room_that_is_not_listed() -> None:
    async with lobby_of() as lobby:
        with pytest.raises(Refusal) as refused:
            await table_of(lobby, by_hand="unread", agreement="most")
        assert refused.value.code == Code.BAD_OPTION
        await table_of(lobby, by_hand="unread", agreement="most", private=True)
