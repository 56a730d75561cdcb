"""Card lists that are no JSON: databases of Cockatrice and sets of Magic Set Editor give the same cards, and bad ones are refused."""

import io
import zipfile
from pathlib import Path

import pytest

from server.cards.forms import Card
from server.cards.loading import Entry, Imported
from server.oracle.importing import CardFile, Item, ListFault, Refused, read

BEAR = Entry(name="Grove Bear", cost="{1}{G}", types="Creature — Bear", text="Trample", power="2", toughness="2")


def items(folder: Path, data: bytes | str) -> tuple[str, list[Item]]:
    path = folder / "list"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    file = CardFile(path)
    found = list(file.items())
    assert file.done == file.size == path.stat().st_size and len(file.fingerprint) == 64
    return file.format, found


def cards(folder: Path, data: bytes | str) -> list[Imported]:
    found = items(folder, data)[1]
    assert all(isinstance(one, Imported) for one in found), found
    return [one for one in found if isinstance(one, Imported)]


def fault(folder: Path, data: bytes | str) -> ListFault:
    with pytest.raises(ListFault) as caught:
        items(folder, data)
    return caught.value


# --- Cockatrice -------------------------------------------------------------------------------------------------------


def database(*elements: str, version: int = 4) -> str:
    inside = "".join(f"<card>{element}</card>" for element in elements)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<cockatrice_carddatabase version="{version}">'
        f"<sets><set><name>OWN</name></set></sets><cards>{inside}</cards></cockatrice_carddatabase>"
    )


GROVE_BEAR = (
    "<name>Grove Bear</name><text>Trample</text><prop><layout>normal</layout><side>front</side><type>Creature — Bear</type>"
    "<maintype>Creature</maintype><manacost>1G</manacost><colors>G</colors><pt>2/2</pt><format-modern>legal</format-modern>"
    "<format-vintage>restricted</format-vintage></prop><set>OWN</set><related>Cub</related><tablerow>2</tablerow>"
)


def test_a_card_of_cockatrice_is_the_card_of_any_list(tmp_path: Path) -> None:
    format_, found = items(tmp_path, "\ufeff" + database(GROVE_BEAR))
    assert format_ == "Cockatrice"
    (one,) = found
    assert isinstance(one, Imported) and one.entry == BEAR and one.kind == "card" and one.colors == ""
    assert one.legalities == (("modern", "legal"), ("vintage", "restricted"))
    assert isinstance(read(one), Card)


def test_databases_of_version_3_have_no_properties(tmp_path: Path) -> None:
    old = (
        "<name>Grove Bear</name><set>OWN</set><color>G</color><manacost>1G</manacost><type>Creature - Bear</type><pt>2/2</pt>"
        "<tablerow>2</tablerow><text>Trample</text>"
    )
    (one,) = cards(tmp_path, database(old, version=3))
    assert one.entry == BEAR


@pytest.mark.parametrize(
    ("written", "cost"),
    [
        ("", ""),
        ("12WW", "{12}{W}{W}"),
        ("{2}{W}{W}", "{2}{W}{W}"),
        ("X{R/W}(2/B)", "{X}{R/W}{2/B}"),
        ("2W/U{g/p}", "{2}{W/U}{G/P}"),
    ],
)
def test_costs_are_understood_however_they_are_written(tmp_path: Path, written: str, cost: str) -> None:
    card = f"<name>A</name><prop><type>Sorcery</type><manacost>{written}</manacost></prop><text>Draw a card.</text>"
    (one,) = cards(tmp_path, database(card))
    assert one.entry.cost == cost


def test_the_colours_of_what_has_no_cost_are_an_indicator(tmp_path: Path) -> None:
    sorcery = "<name>A</name><text>Draw a card.</text><prop><type>Sorcery</type><colors>RU</colors></prop>"
    land = "<name>B</name><text></text><prop><type>Basic Land — Forest</type><colors>G</colors></prop>"
    found = {card.entry.name: card.colors for card in cards(tmp_path, database(sorcery, land))}
    assert found == {"A": "UR", "B": ""}


def test_halves_of_one_frame_are_the_faces_of_a_card(tmp_path: Path) -> None:
    halves = (
        "<name>Sun // Moon</name><text>Draw a card.\n\n---\n\nYou gain 1 life.</text><prop><layout>split</layout>"
        "<type>Instant // Sorcery</type><manacost>U // 1W</manacost></prop>"
    )
    adventure = (
        "<name>Grove Bear // Long Walk</name><text>Trample\n\n---\n\nYou gain 3 life.</text><prop><layout>adventure</layout>"
        "<type>Creature — Bear // Sorcery — Adventure</type><manacost>1G // G</manacost><pt>2/2</pt></prop>"
    )
    split, bear = cards(tmp_path, database(halves, adventure))
    assert (split.layout, split.entry.cost) == ("split", "{U} // {1}{W}")
    assert split.entry.text == "Draw a card. // You gain 1 life." and isinstance(read(split), Card)
    assert (bear.entry.power, bear.entry.types) == ("2 // ", "Creature — Bear // Sorcery — Adventure")
    assert isinstance(read(bear), Card)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_front_and_the_back_that_it_names_are_one_card(tmp_path: Path, order: tuple[int, int]) -> None:
    front = (
        '<name>Village Elder</name><related>Wolf</related><related attach="transform">Elder of Fangs</related>'
        "<text>{2}: Transform Village Elder.</text>"
        "<prop><layout>transform</layout><side>front</side><type>Creature — Human Werewolf</type><manacost>1G</manacost><pt>1/1</pt></prop>"
    )
    back = (
        "<name>Elder of Fangs</name><text>Trample</text><prop><layout>transform</layout><side>back</side>"
        "<type>Creature — Werewolf</type><colors>G</colors><pt>4/4</pt></prop>"
    )
    both = (front, back)
    (one,) = cards(tmp_path, database(*(both[at] for at in order)))
    assert one.layout == "transform" and one.faces == ("Village Elder", "Elder of Fangs")
    assert (one.colors, one.entry.power) == (" // G", "1 // 4")
    assert isinstance(read(one), Card)


def test_a_face_without_the_other_is_refused_by_name(tmp_path: Path) -> None:
    front = '<name>Village Elder</name><related attach="transform">Elder of Fangs</related><prop><type>Creature</type></prop>'
    back = "<name>Left Alone</name><prop><side>back</side><type>Creature</type></prop>"
    found = items(tmp_path, database(front, back, GROVE_BEAR))[1]
    said = [str(one) for one in found if isinstance(one, Refused)]
    assert any("'Village Elder'" in one and "Elder of Fangs" in one for one in said)
    assert any("'Left Alone'" in one and "no front" in one for one in said) and len(found) == 3


def test_tokens_of_cockatrice_are_no_cards_of_a_deck(tmp_path: Path) -> None:
    token = "<name>Cub</name><text></text><prop><type>Token Creature — Bear</type><pt>1/1</pt></prop><token>1</token>"
    (one,) = cards(tmp_path, database(token))
    assert one.kind == "token"


BOMB = """<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<cockatrice_carddatabase><cards><card><name>&b;</name></card></cards></cockatrice_carddatabase>"""


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("<html><body>503</body></html>", "HTML or XML, but no card database"),
        ("<!DOCTYPE html><html></html>", "document type"),
        (BOMB, "document type"),
        (database(GROVE_BEAR)[:-40], "unclosed token"),
        (database(GROVE_BEAR).replace("</prop>", ""), "mismatched tag"),
        (database("<name>" + "<b>" * 100 + "</b>" * 100 + "</name>"), "nested deeper"),
        ("<cockatrice_carddatabase a='" + "x" * 40_000_000 + "'/>", "a single value larger than"),
        (database("<name>&undefined;</name>"), "undefined entity"),
    ],
)
def test_what_is_no_database_is_refused(tmp_path: Path, data: str, says: str) -> None:
    found = fault(tmp_path, data)
    assert says in str(found)
    assert found.line or "larger" in says


@pytest.mark.parametrize(
    ("card", "says"),
    [
        ("<text>Trample</text><prop><type>Creature</type></prop>", "`name` is empty"),
        ("<name>A</name><text>Trample</text>", "`types` is empty"),
        ("<name>A</name><prop><type>Creature</type></prop><text>" + "x" * 70_000 + "</text>", "has more than 65536"),
        ("<name>A</name><prop><type>Sorcery</type></prop><text>&lt;b>Draw&lt;/b></text>", "holds HTML"),
    ],
)
def test_a_bad_card_of_a_database_is_refused_alone(tmp_path: Path, card: str, says: str) -> None:
    bad, good = items(tmp_path, database(card, GROVE_BEAR))[1]
    assert isinstance(bad, Refused) and says in bad.why
    assert isinstance(good, Imported) and good.entry == BEAR


# --- Magic Set Editor -------------------------------------------------------------------------------------------------

SET = """\ufeffmse_version: 2.0.2
game: magic
stylesheet: m15
set_info:
\ttitle: Own
styling:
\tmagic-m15:
\t\toverlay: none
"""
BEAR_OF_A_SET = """card:
\thas_styling: false
\tname: Grove Bear
\tcasting_cost: 1G
\tsuper_type: <word-list-type-en>Creature</word-list-type-en>
\tsub_type: <word-list-race-en>Bear</word-list-race-en><atom-sep></atom-sep>
\trule_text: <kw-A><nospellcheck>Trample</nospellcheck></kw-A>
\tpower: 2
\ttoughness: 2
"""


def packed(text: str, **others: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("set", text)
        for name, said in others.items():
            file.writestr(name, said)
    return made.getvalue()


def test_a_card_of_a_set_is_the_card_of_any_list(tmp_path: Path) -> None:
    format_, found = items(tmp_path, packed(SET + BEAR_OF_A_SET + "version_control:\n\ttype: none\n"))
    assert format_ == "Magic Set Editor"
    (one,) = found
    assert isinstance(one, Imported) and one.entry == BEAR and isinstance(read(one), Card)


def test_the_cards_that_a_set_includes_are_read_in_their_places(tmp_path: Path) -> None:
    other = BEAR_OF_A_SET.replace("Grove Bear", "Hill Bear").replace("casting_cost", "casting cost")
    text = SET.replace("mse_version", "mse version") + "include_file: card a\n" + BEAR_OF_A_SET
    found = cards(tmp_path, packed(text, **{"card a": "mse_version: 2.0.2\n" + other}))
    assert [one.entry.name for one in found] == ["Hill Bear", "Grove Bear"] and found[0].entry.cost == "{1}{G}"


def test_texts_of_several_lines_keep_symbols_names_and_reminders(tmp_path: Path) -> None:
    card = """card:
\tname: Oda, Grove Keeper
\tcasting_cost: 2W/UG
\tsuper_type: Legendary Creature
\tsub_type: Elf  Druid
\trule_text:
\t\t<sym-auto>T</sym-auto>: Add <sym>G</sym>.
\t\t<sym>1G</sym>, <sym>T</sym>: Untap CARDNAME. <i-auto>(It can be used again.)</i-auto>
\t\t
\t\t<sym>2</sym>: LEGENDNAME gets +1/+1 until end of turn.
\tpower: 1
\ttoughness: 3
"""
    (one,) = cards(tmp_path, packed(SET + card))
    assert (one.entry.cost, one.entry.types) == ("{2}{W/U}{G}", "Legendary Creature — Elf Druid")
    assert one.entry.text == (
        "{T}: Add {G}.\n{1}{G}, {T}: Untap Oda, Grove Keeper. (It can be used again.)\n{2}: Oda gets +1/+1 until end of turn."
    )
    assert isinstance(read(one), Card)


def test_loyalty_abilities_stand_in_fields_of_their_own(tmp_path: Path) -> None:
    card = """card:
\tstylesheet: m15-planeswalker
\tname: Oda of the Grove
\tcasting_cost: 2GG
\tsuper_type: Legendary Planeswalker
\tsub_type: Oda
\tlevel_1_text: Draw a card.
\tloyalty_cost_1: +1
\tlevel_2_text: You gain 10 life.
\tloyalty_cost_2: -6
\tloyalty: 4
"""
    (one,) = cards(tmp_path, packed(SET + card))
    assert (one.entry.text, one.entry.loyalty) == ("+1: Draw a card.\n-6: You gain 10 life.", "4")
    assert isinstance(read(one), Card)


def test_two_faces_are_told_by_the_frame(tmp_path: Path) -> None:
    second = {
        "name": "Elder of Fangs",
        "super_type": "Creature",
        "sub_type": "Werewolf",
        "power": "4",
        "toughness": "4",
    }
    card = BEAR_OF_A_SET + "".join(f"\t{key}_2: {said}\n" for key, said in second.items())
    (known,) = cards(tmp_path, packed(SET + card.replace("card:\n", "card:\n\tstylesheet: m15-doublefaced\n")))
    assert known.layout == "transform" and known.faces == ("Grove Bear", "Elder of Fangs")
    for frame in ("m15", "m15-saga"):
        (odd,) = items(tmp_path, packed(SET.replace("m15", frame) + card))[1]
        assert isinstance(odd, Refused) and "frame" in odd.why and frame in odd.why


def test_what_is_no_set_is_refused(tmp_path: Path) -> None:
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as file:
        file.writestr("deck.txt", "60 Forest")
    whole = packed(SET + BEAR_OF_A_SET)
    for data, says in (
        (other.getvalue(), "no set of Magic Set Editor"),
        (whole[:-30], "broken zip"),
        (whole.replace(whole[40:60], b"x" * 20), "broken zip"),
        (packed("no colon\n"), "is no line of a set"),
        (packed(SET + "include_file: ../../etc/passwd\n"), "which is not in it"),
        (packed("a: " + "x" * (64 * 1024 * 1024)), "bytes of text"),
    ):
        assert says in str(fault(tmp_path, data)), says
