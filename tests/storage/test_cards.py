"""The store of imported cards: kept whole or not at all, found by any of their names."""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from server.cards.loading import Entry, Foreign, Imported
from server.storage import Damaged, NewerData, StorageFault
from server.storage.cards import FILE, CardStore, Kept

BEAR = Imported(
    Entry(name="Grove Bear", types="Creature — Bear", text="Trample"), foreign=(Foreign("fr", "Ours du bosquet"),)
)
OTHER = Imported(Entry(name="Grove Bear", types="Creature — Bear", text="Flying"))
SUN = Imported(
    Entry(name="Sun // Moon", cost="{W} // {R}", types="Instant // Instant"),
    layout="split",
    foreign=(Foreign("fr", "Soleil // Lune"), Foreign("fr", "Soleil", 1), Foreign("de", "Sonne", 1)),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[CardStore]:
    store = CardStore(tmp_path / "data")
    yield store
    store.close()


def keep(store: CardStore, cards: Sequence[Imported], file: str = "list") -> Kept:
    with store.importing() as found:
        for card in cards:
            found.add(card)
        return found.keep(file, "JSON lines", "f" * 64)


def texts(store: CardStore, name: str) -> list[str]:
    return [card.entry.text for card in store.find(name)]


def test_found_by_every_name(store: CardStore) -> None:
    keep(store, [BEAR, SUN])
    for name in ("Grove Bear", "grove  BEAR", "Ours du bosquet", "ours du bosquet"):
        assert texts(store, name) == ["Trample"]
    for name in ("Sun // Moon", "Sun/Moon", "sun", "Moon", "Soleil", "Sonne", "Soleil // Lune"):
        assert [card.entry.name for card in store.find(name)] == ["Sun // Moon"]
    assert store.find("Mars") == []
    assert store.foreign("sun // moon") == (
        Foreign("fr", "Soleil // Lune"),
        Foreign("fr", "Soleil", 1),
        Foreign("de", "Sonne", 1),
    )
    assert store.count() == 2


def test_what_stands_on_cards_in_another_language(store: CardStore) -> None:
    words = "Créature : ours", "Piétinement"
    bear = replace(
        BEAR, foreign=(Foreign("fr", "Ours du bosquet", 0, *words), Foreign("de", "Bär", 0, "Bär", "Trampelt"))
    )
    sides = (Foreign("fr", "Soleil // Lune"), Foreign("fr", "Soleil", 1, "Éphémère", "Piochez une carte."))
    keep(store, [bear, replace(SUN, foreign=sides)])
    names = ["grove bear", "Sun", "Moon", "Sun // Moon", "Mars", "Ours du bosquet"]
    assert store.printings("fr", names) == {
        "grove bear": Foreign("fr", "Ours du bosquet", 0, *words),
        "Sun": sides[1],
        "Sun // Moon": sides[0],
    }
    assert store.printings("de", names) == {"grove bear": Foreign("de", "Bär")}, "no client speaks it"
    keep(store, [BEAR])
    assert store.printings("fr", names)["grove bear"].text == "Piétinement", "a list without texts takes none away"


def test_a_printing_without_its_text_gives_way_to_one_that_has_it(store: CardStore) -> None:
    bare, told = (Foreign("fr", "Ours du bosquet", 0, "Créature : ours", text) for text in ("", "Piétinement"))
    for order in ([bare, told], [told, bare]):
        keep(store, [replace(BEAR, foreign=(one,)) for one in order])
        assert store.printings("fr", ["Grove Bear"]) == {"Grove Bear": told}


def test_tokens_that_share_a_name_have_that_name_in_other_languages_if_they_agree(store: CardStore) -> None:
    def token(text: str, french: str) -> Imported:
        entry = Entry(name="Elf", types="Token Creature — Elf", text=text)
        return Imported(entry, layout="token", kind="token", foreign=(Foreign("fr", french),))

    keep(store, [token("", "Elfe"), token("Trample", "Elfe")])
    assert store.printings("fr", ["Elf"]) == {"Elf": Foreign("fr", "Elfe")}
    keep(store, [token("Flying", "Elfe volant")])
    assert store.printings("fr", ["Elf"]) == {}
    keep(store, [Imported(Entry(name="Elf", types="Creature — Elf"), foreign=(Foreign("fr", "L'Elfe"),))])
    assert store.printings("fr", ["Elf"]) == {"Elf": Foreign("fr", "L'Elfe")}, "a card comes before tokens"


def test_a_whole_name_hides_a_face_and_that_a_foreign_name(store: CardStore) -> None:
    sun = Imported(Entry(name="Sun", types="Land"))
    rock = Imported(Entry(name="Rock", types="Land"), foreign=(Foreign("de", "Moon"), Foreign("de", "Stein")))
    stone = Imported(Entry(name="Stone", types="Land"), foreign=(Foreign("de", "Stein"),))
    keep(store, [SUN, sun, rock, stone])
    assert [card.entry.name for card in store.find("Sun")] == ["Sun"]
    assert [card.entry.name for card in store.find("Moon")] == ["Sun // Moon"]
    assert [card.entry.name for card in store.find("Stein")] == [
        "Rock",
        "Stone",
    ]  # the caller says that it is ambiguous


def test_tokens_share_names_and_are_no_cards(store: CardStore) -> None:
    tokens = [
        Imported(Entry(name="Bear", types="Token Creature — Bear", power=str(n)), "token", "token") for n in (1, 2, 2)
    ]
    keep(store, tokens)
    assert store.find("Bear") == []
    assert store.count() == 0
    assert store.sources()[0].cards == 2


def test_a_later_list_wins_and_other_names_stay(store: CardStore) -> None:
    assert keep(store, [BEAR, SUN]) == Kept(new=2, changed=0, same=0)
    assert keep(store, [BEAR]) == Kept(new=0, changed=0, same=1)
    assert keep(store, [OTHER], "second") == Kept(new=0, changed=1, same=0)
    assert texts(store, "Grove Bear") == texts(store, "Ours du bosquet") == ["Flying"]
    assert store.count() == 2
    assert [(source.file, source.cards) for source in store.sources()] == [("list", 2), ("list", 1), ("second", 1)]


def test_one_name_with_two_texts_is_refused_and_the_earlier_card_stays(store: CardStore) -> None:
    keep(store, [BEAR])
    third = Imported(Entry(name="Grove Bear", types="Creature — Bear", text="Reach"))
    with store.importing() as found:
        assert [found.add(card) for card in (OTHER, OTHER, SUN, third)] == ["new", "same", "new", "conflict"]
        assert [one.card.entry.name for one in found.cards()] == ["Sun // Moon"]
        assert found.keep("two", "JSON lines", "0") == Kept(new=1, changed=0, same=0)
    assert texts(store, "Grove Bear") == ["Trample"]


def test_spellings_and_cards_outside_the_game_give_way(store: CardStore) -> None:
    funny = Imported(OTHER.entry, funny=True)
    spelled = Imported(Entry(name="Gróve Bear", types="Creature — Bear", text="Reach"))
    with store.importing() as found:
        assert [found.add(card) for card in (funny, BEAR, funny, spelled)] == ["new", "hidden", "hidden", "hidden"]
        found.keep("list", "Scryfall", "0")
    assert texts(store, "Grove Bear") == ["Trample"]
    with store.importing() as found:
        found.add(funny)
        assert found.add(Imported(BEAR.entry, funny=True)) == "conflict"


@pytest.mark.parametrize("stop", [KeyboardInterrupt, ValueError])
def test_an_import_that_stops_changes_nothing(store: CardStore, tmp_path: Path, stop: type[BaseException]) -> None:
    keep(store, [BEAR])
    with pytest.raises(stop), store.importing() as found:
        found.add(OTHER)
        found.add(SUN)
        raise stop
    assert texts(store, "Grove Bear") == ["Trample"]
    assert store.find("Sun") == []
    assert len(store.sources()) == 1
    keep(store, [SUN])  # and the next one works
    other = CardStore(tmp_path / "data")
    assert texts(other, "Grove Bear") == ["Trample"]
    assert store.count() == other.count() == 2
    other.close()


def test_others_read_while_an_import_runs_and_see_it_at_its_end(store: CardStore, tmp_path: Path) -> None:
    keep(store, [BEAR])
    reader = CardStore(tmp_path / "data")
    before = reader.version()
    with store.importing() as found:
        found.add(OTHER)
        assert texts(reader, "Grove Bear") == ["Trample"]
        assert reader.version() == before
        found.keep("list", "JSON lines", "0")
        assert texts(reader, "Grove Bear") == ["Flying"]
    assert reader.version() != before
    reader.close()


def test_asked_from_many_threads(store: CardStore) -> None:
    keep(store, [BEAR])
    wrong: list[object] = []

    def ask() -> None:
        for _ in range(200):
            if texts(store, "grove bear") != ["Trample"]:
                wrong.append(1)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_broken_and_newer_databases(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all, but long enough to be looked at" * 100)
    with pytest.raises(Damaged):
        CardStore(tmp_path)
    (tmp_path / FILE).unlink()
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(NewerData):
        CardStore(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageFault):
        CardStore(tmp_path / "file")


def test_a_folder_without_imports_has_no_store(tmp_path: Path) -> None:
    assert CardStore.existing(tmp_path) is None
    assert not list(tmp_path.iterdir())


def test_cards_imported_before_formats_were_kept_are_still_there(tmp_path: Path) -> None:
    store = CardStore(tmp_path)
    with store.importing() as found:
        found.add(BEAR)
        found.keep("list", "JSON lines", "0")
    store.close()
    with sqlite3.connect(tmp_path / FILE) as db:
        db.executescript(
            "ALTER TABLE card DROP COLUMN legalities; DROP TABLE verdict; DROP TABLE printing; PRAGMA user_version = 1;"
        )
    store = CardStore(tmp_path)
    assert [card.entry.name for card in store.find("grove bear")] == ["Grove Bear"]
    with store.importing() as found:
        found.add(Imported(BEAR.entry, legalities=(("modern", "legal"),)))
        found.keep("list", "Scryfall", "1")
    assert store.find("grove bear")[0].legalities == (("modern", "legal"),)
    store.close()


def test_what_a_reader_said_is_known_until_card_or_reader_changes(store: CardStore) -> None:
    def words(card: Imported, reader: str) -> list[str | None]:
        with store.importing() as found:
            found.add(card)
            said = list(found.cards(reader))
            for one in said:
                found.tried(one, "Trample")
            found.keep("list", "JSON lines", "0", reader)
        return [one.word for one in said]

    assert words(BEAR, "first") == [None]
    assert words(BEAR, "first") == ["Trample"]
    assert words(OTHER, "first") == [None], "another text"
    assert words(OTHER, "second") == [None], "another reader"
    assert words(OTHER, "second") == ["Trample"]
