"""Cards of one's own: who may bring them, and what they may not be."""

from __future__ import annotations

import pytest

from protocol import messages as m
from protocol.options import Edition, RoomOptions
from protocol.refusals import Code, Refusal
from server.command.decks import house_decks
from server.settings import People, Settings
from tests.lobby.parlour import Guest, lobby_of, refusal_of

DRAKE = '[[card]]\nname = "Kettle Drake"\ntypes = "Creature — Drake"\ncost = "{2}{R}"\npower = "2"\ntoughness = "2"\ntext = "Flying"\n'
LIST = "4 Kettle Drake\n56 Mountain"


@pytest.mark.parametrize(
    ("who", "guest", "account"),
    [("nobody", Code.OWN_CARDS, Code.OWN_CARDS), ("accounts", Code.OWN_CARDS, ""), ("everybody", "", "")],
)
async def test_who_may_bring_own_cards_is_the_hosts_choice(who: str, guest: str, account: str) -> None:
    async with lobby_of(settings=Settings(people=People(own_cards=who))) as lobby:  # type: ignore[arg-type]
        one = Guest(lobby)
        await one.hello("Ada")
        await one.ask(m.Open(id="o"))
        choose = m.ChooseDeck(id="d", text="10 Bear", cards=DRAKE)
        assert await refusal_of(one, choose) == guest
        assert one.client.person is not None
        one.client.person.role = "account"
        assert await refusal_of(one, choose) == account


async def test_a_deck_brings_its_own_cards() -> None:
    deck = await house_decks().read(LIST, DRAKE)
    assert [card.name for card in deck.cards].count("Kettle Drake") == 4
    with pytest.raises(Refusal, match="Kettle Drake"):
        await house_decks().read(LIST)


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        (DRAKE.replace("Kettle Drake", "Mountain"), "there is a card of that name already"),
        (DRAKE.replace("Flying", "Frobnicate."), "Kettle Drake"),
        (DRAKE + "cost = 3", "no TOML"),
        ("", "Kettle Drake"),
    ],
)
async def test_own_cards_that_cannot_be_are_refused(cards: str, said: str) -> None:
    with pytest.raises(Refusal) as refused:
        await house_decks().read(LIST, cards)
    assert refused.value.code == Code.BAD_DECK and said in refused.value.sentence


YOUNG = """
[[card]]
name = "Kettle Drake"
types = "Creature — Drake"
cost = "{2}{R}"
power = "2"
toughness = "2"
keywords = ["flying", "infect", "menace", "forestwalk"]
"""


@pytest.mark.parametrize(("edition", "said"), [("2009", "infect, menace"), ("2011", "menace"), ("current", "")])
async def test_who_brings_keywords_younger_than_the_rooms_edition_is_told(edition: Edition, said: str) -> None:
    async with lobby_of(settings=Settings(people=People(own_cards="everybody"))) as lobby:
        one = Guest(lobby)
        await one.hello("Ada")
        await one.ask(m.Open(id="o", options=RoomOptions(edition=edition)))
        lobby.decks.read = house_decks().read
        await one.ask(m.ChooseDeck(id="d", text=LIST, cards=YOUNG))
        await one.ask(m.ChooseDeck(id="e", house="bears"))
        told = [n for n in one.read() if isinstance(n, m.Notice) and n.key == "notice.younger_keywords"]
        assert [n.args["keywords"] for n in told] == ([said] if said else [])
