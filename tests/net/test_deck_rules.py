"""Deck rules that a host has added, over a real websocket: which rooms play by them, and which decks those take."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from client_cli.errors import RequestRefused
from client_cli.session import Session, open_session
from protocol import messages as m
from protocol.options import RoomOptions
from protocol.refusals import Refusal
from server.cards.decks import read_rules
from server.command.decks import house_decks
from server.command.main import main
from server.command.serve import added_rules
from server.command.settings import BadSettings
from server.lobby.rematches import deck_of
from server.net.app import running
from server.storage import MemoryStorage

SINGLES = read_rules(b'name = "singles"\nleast = 40\ncopies = 1\nlife = 33\nbanned = ["Emberclan Runner"]')
DUEL = read_rules(b'name = "duel"\nformat = "commander"\nleast = 100\nmost = 100\ncopies = 1\nlife = 20')
LARGE = read_rules(b'name = "large"\nleast = 250')


async def opened(session: Session, deck_rules: str) -> m.Room:
    options = RoomOptions(seats=2, seed=1, deck_rules=deck_rules)
    return await session.request(m.Open(id="o", options=options), m.Room)


async def refused(session: Session, message: m.ChooseDeck | m.AddBot) -> tuple[str, str]:
    with pytest.raises(RequestRefused) as found:
        await session.do(message)
    return found.value.refused.code, found.value.refused.sentence


async def test_who_comes_is_told_which_deck_rules_there_are_and_which_house_decks_they_have() -> None:
    async with running(MemoryStorage(), house_decks(rules=[SINGLES, DUEL])) as app, open_session(app.url, "Ann") as ann:
        told = await ann.request(m.ListDecks(id="l"), m.Decks)
        assert [(one.name, one.format, one.life) for one in told.deck_rules] == [
            ("singles", "constructed", 33),
            ("duel", "commander", 20),
        ]
        by = {deck.name: deck.deck_rules for deck in told.decks}
        assert by["two-fires"] == ["duel"]
        assert by["emberclan"] == []


async def test_a_room_by_deck_rules_has_their_format_and_life() -> None:
    async with running(MemoryStorage(), house_decks(rules=[DUEL])) as app, open_session(app.url, "Ann") as ann:
        room = (await opened(ann, "duel")).room
        assert (room.options.deck_rules, room.options.format, room.options.life) == ("duel", "commander", 20)
        await ann.do(m.ChooseDeck(id="d", house="two-fires"))
        await ann.do(m.AddBot(id="b", level="simple"))
        await ann.do(m.Start(id="s"))
        with trio.fail_after(60):
            while not ann.table.started:
                await ann.receive()
        assert {player.life for player in ann.table.view.players.values()} == {20}
        played = app.lobby.tables[room.id].room
        assert played is not None
        assert deck_of(played.setup, 0).rules == "duel", "who plays again has a deck of these rules"


async def test_deck_rules_that_there_are_not_are_refused() -> None:
    async with running(MemoryStorage(), house_decks()) as app, open_session(app.url, "Ann") as ann:
        with pytest.raises(RequestRefused, match="no deck rules 'duel' here") as found:
            await opened(ann, "duel")
        assert found.value.refused.code == "bad_option"


async def test_a_deck_is_judged_by_the_rules_of_its_room() -> None:
    async with running(MemoryStorage(), house_decks(rules=[SINGLES])) as app, open_session(app.url, "Ann") as ann:
        await opened(ann, "singles")
        code, why = await refused(ann, m.ChooseDeck(id="1", text="2 Ember Lash\n58 Mountain"))
        assert (code, "singles" in why) == ("bad_deck", True), why
        code, why = await refused(ann, m.ChooseDeck(id="2", text="1 Emberclan Runner\n59 Mountain"))
        assert (code, "'Emberclan Runner' is banned by singles" in why) == ("bad_deck", True), why
        code, why = await refused(ann, m.ChooseDeck(id="3", house="emberclan"))
        assert (code, "singles" in why) == ("bad_deck", True), why
        await ann.do(m.ChooseDeck(id="4", text="1 Ember Lash\n39 Mountain"))
        report = await ann.request(
            m.CheckDeck(id="5", text="2 Ember Lash\n38 Mountain", deck_rules="singles"), m.DeckReport
        )
        assert report.faults
        report = await ann.request(
            m.CheckDeck(id="7", text="1 Ember Lash\n39 Mountain", deck_rules="singles"), m.DeckReport
        )
        assert not report.faults
        report = await ann.request(m.CheckDeck(id="6", text="1 Ember Lash\n39 Mountain"), m.DeckReport)
        assert report.faults, "without the rules of the club it has too few cards"


async def test_a_deck_that_was_read_for_other_rules_is_not_taken() -> None:
    # The host has changed the rules while a long list was being read.
    async with running(MemoryStorage(), house_decks(rules=[SINGLES])) as app, open_session(app.url, "Ann") as ann:
        room = (await opened(ann, "singles")).room
        read = await app.lobby.decks.read("60 Mountain")
        with pytest.raises(Refusal, match="by the rules of singles"):
            app.lobby.tables[room.id].check_deck(read)


async def test_where_no_house_deck_obeys_no_bot_sits_down() -> None:
    async with running(MemoryStorage(), house_decks(rules=[LARGE])) as app, open_session(app.url, "Ann") as ann:
        await opened(ann, "large")
        assert (await refused(ann, m.AddBot(id="b", level="simple")))[0] == "unknown_deck"


async def test_a_deck_goes_when_the_room_plays_by_other_rules() -> None:
    async with running(MemoryStorage(), house_decks(rules=[SINGLES])) as app, open_session(app.url, "Ann") as ann:
        await opened(ann, "singles")
        await ann.do(m.ChooseDeck(id="d", text="1 Ember Lash\n39 Mountain"))
        await ann.do(m.SetOptions(id="o", options=RoomOptions(seats=2)))
        with trio.fail_after(10):
            while ann.table.room is None or ann.table.room.options.deck_rules:
                await ann.receive()
        assert not ann.table.room.seats[0].deck


def test_a_house_deck_is_the_same_value_for_all_who_play_it() -> None:
    decks = house_decks(rules=(SINGLES,))
    for deck in decks.summaries():
        found = decks.house(deck.name)
        assert found is decks.house(deck.name.upper())
        assert found.played_as(found.format) is found
        for rules in deck.deck_rules:
            assert decks.house(deck.name, rules).rules == rules


def test_files_of_deck_rules_are_read_at_the_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text('name = "duel"\nformat = "commander"', "utf-8")
    bad.write_text('name = "Not A Name"', "utf-8")
    assert [rules.name for rules in added_rules([str(good)])] == ["duel"]
    with pytest.raises(BadSettings, match="there are deck rules 'duel' already"):
        added_rules([str(good), str(good)])
    config = tmp_path / "apnap.toml"
    config.write_text(f'[games]\ndeck_rules = ["{bad}"]', "utf-8")
    assert main(["serve", "--config", str(config), "--data", str(tmp_path)]) == 2
    assert "bad.toml" in capsys.readouterr().err
