"""Other words that are kept with the cards of a data directory: a deck grows whole by being played."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from protocol.options import RoomOptions
from server.cards.forms import Card
from server.cards.loading import Unread, paragraphs_by_hand
from server.command import wordings
from server.command.library import open_library
from server.command.main import main
from server.oracle.rewording import reworded
from server.rooms import RULES
from server.rules.model import define
from server.rules.turn import Reworded
from server.storage import Amended, Sitting, make_setup, open_sqlite

LIST = (
    '{"name":"Humming Imp","cost":"{1}{R}","types":"Creature — Imp","power":"2","toughness":"1",'
    '"text":"Flying\\nWhenever the stars align, hum.","loyalty":""}\n'
)
PARAGRAPH = "Whenever the stars align, hum."


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    path = tmp_path / "list.jsonl"
    path.write_text(LIST, encoding="utf-8")
    return path


def found(data: Path, cards: Path, *, by_hand: bool) -> Card | Unread | None:
    return open_library(data, [cards]).find("Humming Imp", by_hand=by_hand)


def test_a_card_in_other_words_is_whole_from_then_on(
    tmp_path: Path, cards: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    library = open_library(data, [cards])
    assert isinstance(library.find("Humming Imp"), Unread)
    args = ["cards", "reword", "Humming Imp", "--cards", str(cards), "--data", str(data)]
    assert main([*args, "Frolic most gladly."]) == 1
    assert "not read" in capsys.readouterr().err
    assert isinstance(library.find("Humming Imp"), Unread)
    assert main([*args, "At the beginning of your upkeep, you gain 1 life."]) == 0
    card = library.find("Humming Imp")  # a server that runs sees it, too
    assert isinstance(card, Card) and not paragraphs_by_hand(card) and "upkeep" in card.text
    assert main(["cards", "wordings", "--data", str(data)]) == 0
    assert "Humming Imp" in capsys.readouterr().out


def test_the_words_that_a_table_agreed_on_are_kept_from_its_journal(tmp_path: Path, cards: Path) -> None:
    data = tmp_path / "data"
    card = found(data, cards, by_hand=True)
    assert isinstance(card, Card) and paragraphs_by_hand(card) == (PARAGRAPH,)
    line = "Whenever this creature attacks, draw a card."
    new, _ = reworded(card, PARAGRAPH, line)
    change = Reworded(was=define(card).key, card=new, text=PARAGRAPH, line=line)

    async def journal() -> None:
        people = [Sitting(name=name, person=name, deck=(card,) * 60) for name in ("Ada", "Ben")]
        options = RoomOptions(seats=2, by_hand="unread")
        async with open_sqlite(data) as storage:
            setup = make_setup(room="r", options=options, seed="s", sittings=people, version=RULES.version)
            await storage.create(setup, [Amended(seq=1, seat=0, change=change)])

    trio.run(journal)
    assert main(["cards", "keep", "r", "--data", str(data)]) == 0
    again = found(data, cards, by_hand=False)
    assert isinstance(again, Card) and not paragraphs_by_hand(again)
    assert main(["cards", "keep", "nowhere", "--data", str(data)]) == 1


def test_a_damaged_line_and_words_that_fit_no_more_are_left_out(tmp_path: Path, cards: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    other = b'{"card":"Humming Imp","text":"Something else.","line":"Trample"}\n'
    (data / wordings.FILE).write_bytes(b"nonsense\n" + other)
    assert isinstance(found(data, cards, by_hand=False), Unread)
    card = found(data, cards, by_hand=True)
    assert isinstance(card, Card) and paragraphs_by_hand(card) == (PARAGRAPH,)
