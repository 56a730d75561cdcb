"""Card lists that people have: each kind read to the same card, foreign names kept, and everything bad refused clearly."""

import gzip
import json
import random
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.cards.forms import Card
from server.cards.loading import Entry, Foreign, Imported, Unread
from server.oracle.importing import CardFile, Item, ListFault, Refused, read

BEAR = Entry(name="Grove Bear", cost="{1}{G}", types="Creature — Bear", text="Trample", power="2", toughness="2")
OWN = {
    "name": "Grove Bear",
    "cost": "{1}{G}",
    "types": "Creature — Bear",
    "power": "2",
    "toughness": "2",
    "text": "Trample",
}
SCRYFALL: dict[str, Any] = {
    "object": "card",
    "id": "0",
    "oracle_id": "1",
    "name": "Grove Bear",
    "lang": "en",
    "layout": "normal",
    "image_uris": {"small": "https://example.org/a.jpg"},
    "mana_cost": "{1}{G}",
    "cmc": 2.0,
    "type_line": "Creature — Bear",
    "oracle_text": "Trample",
    "power": "2",
    "toughness": "2",
    "legalities": {"modern": "legal"},
    "prices": {"usd": None},
}
ATOMIC: dict[str, Any] = {
    "colors": ["G"],
    "foreignData": [
        {"language": "German", "name": "Hainbär", "text": "Trampelschaden", "identifiers": {"a": "b"}},
        {"language": "French", "name": "Ours du bosquet", "faceName": None},
        {"language": "Klingon", "name": "Qa'"},
    ],
    "layout": "normal",
    "manaCost": "{1}{G}",
    "name": "Grove Bear",
    "type": "Creature — Bear",
    "types": ["Creature"],
    "text": "Trample",
    "power": "2",
    "toughness": "2",
}


def items(folder: Path, data: bytes | str) -> list[Item]:
    path = folder / "list"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return list(CardFile(path).items())


def cards(folder: Path, data: object) -> list[Imported]:
    found = items(folder, data if isinstance(data, str | bytes) else json.dumps(data))
    assert all(isinstance(one, Imported) for one in found), found
    return [one for one in found if isinstance(one, Imported)]


def refused(folder: Path, data: object) -> str:
    """The sentence for the only card of a list."""
    (one,) = items(folder, data if isinstance(data, str | bytes) else json.dumps(data))
    assert isinstance(one, Refused)
    return str(one)


def fault(folder: Path, data: object) -> ListFault:
    with pytest.raises(ListFault) as caught:
        items(folder, data if isinstance(data, str | bytes) else json.dumps(data))
    return caught.value


# --- what is read -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "format_"),
    [
        (json.dumps(OWN), "JSON lines"),
        (json.dumps(OWN) + "\r\n\r\n" + json.dumps(OWN | {"name": "B"}), "JSON lines"),
        (json.dumps(OWN, indent=2), "JSON lines"),
        (json.dumps([OWN]), "JSON lines"),
        ("\ufeff" + json.dumps([OWN]), "JSON lines"),
        (json.dumps([SCRYFALL]), "Scryfall"),
        ("[\n" + json.dumps(SCRYFALL) + ",\n" + json.dumps(SCRYFALL) + "\n]\n", "Scryfall"),
        (json.dumps(SCRYFALL) + "\n" + json.dumps(SCRYFALL), "Scryfall"),
        (json.dumps({"object": "list", "total_cards": 1, "data": [SCRYFALL]}), "Scryfall"),
        (json.dumps({"meta": {"date": "2026", "x": [1, {"data": 2}]}, "data": {"Grove Bear": [ATOMIC]}}), "MTGJSON"),
        (json.dumps({"data": {"Grove Bear": [ATOMIC]}, "meta": {"version": "5"}}), "MTGJSON"),
    ],
)
def test_each_kind_of_list_gives_the_same_card(tmp_path: Path, data: str, format_: str) -> None:
    path = tmp_path / "x"
    path.write_text(data, encoding="utf-8")
    file = CardFile(path)
    found = list(file.items())
    assert file.format == format_
    assert isinstance(found[0], Imported)
    assert found[0].entry == BEAR
    assert (found[0].layout, found[0].kind, found[0].faces) == ("normal", "card", ("Grove Bear",))
    assert file.done == file.size
    assert len(file.fingerprint) == 64
    assert isinstance(read(found[0]), Card)


def test_foreign_names_french_first(tmp_path: Path) -> None:
    (one,) = cards(tmp_path, {"meta": {}, "data": {"Grove Bear": [ATOMIC]}})
    assert one.foreign == (Foreign("fr", "Ours du bosquet"), Foreign("de", "Hainbär", 0, "", "Trampelschaden"))
    french = SCRYFALL | {"lang": "fr", "printed_name": "Ours du bosquet", "printed_text": "Piétinement"}
    french["printed_type_line"] = "Créature : ours"
    (one,) = cards(tmp_path, [french])
    assert (one.entry, one.foreign) == (BEAR, (Foreign("fr", "Ours du bosquet", 0, "Créature : ours", "Piétinement"),))


FACES = [
    {
        "name": "Sun",
        "mana_cost": "{W}",
        "type_line": "Creature — Elf",
        "oracle_text": "Flying",
        "power": "1",
        "toughness": "2",
    },
    {
        "name": "Moon",
        "mana_cost": "",
        "type_line": "Enchantment",
        "oracle_text": "Flash",
        "color_indicator": ["R", "W"],
    },
]


@pytest.mark.parametrize("layout", ["split", "flip", "transform", "modal_dfc"])
def test_cards_of_several_faces(tmp_path: Path, layout: str) -> None:
    french = [face | {"printed_name": name} for face, name in zip(FACES, ("Soleil", "Lune"), strict=True)]
    plain = {
        "object": "card",
        "lang": "fr",
        "name": "Sun // Moon",
        "layout": layout,
        "type_line": "x",
        "card_faces": french,
    }
    (one,) = cards(tmp_path, [plain])
    assert one.entry == Entry(
        name="Sun // Moon",
        cost="{W} // ",
        types="Creature — Elf // Enchantment",
        text="Flying // Flash",
        power="1 // ",
        toughness="2 // ",
    )
    assert (one.faces, one.colors) == (("Sun", "Moon"), " // WR")
    assert one.foreign == (Foreign("fr", "Soleil // Lune"), Foreign("fr", "Soleil", 1), Foreign("fr", "Lune", 2))
    faces = [
        {
            "layout": layout,
            "side": side,
            "faceName": face["name"],
            "manaCost": face["mana_cost"],
            "type": face["type_line"],
        }
        | {"text": face["oracle_text"], "colorIndicator": face.get("color_indicator", [])}
        | {key: face[key] for key in ("power", "toughness") if key in face}
        | {"foreignData": [{"language": "French", "name": "Soleil // Lune", "faceName": name}]}
        for side, face, name in zip("ab", FACES, ("Soleil", "Lune"), strict=True)
    ]
    (two,) = cards(tmp_path, {"data": {"Sun // Moon": faces[::-1]}})
    assert two == one


def test_a_colour_indicator_makes_the_colour(tmp_path: Path) -> None:
    (one,) = cards(tmp_path, [SCRYFALL | {"mana_cost": "", "color_indicator": ["U", "W"]}])
    card = read(one)
    assert isinstance(card, Card)
    assert card.colors == "WU"


def test_layouts_that_are_not_read_are_named(tmp_path: Path) -> None:
    for layout in ("meld", "prepare", "planar", "something new"):
        (one,) = cards(tmp_path, [SCRYFALL | {"layout": layout, "type_line": "Enchantment — Saga"}])
        assert read(one) == Unread("Grove Bear", f"layout {layout}")
    (token, emblem, art) = cards(
        tmp_path, [SCRYFALL | {"layout": layout} for layout in ("token", "emblem", "art_series")]
    )
    assert (token.kind, emblem.kind, art.kind) == ("token", "other", "other")


SIDES = [
    ATOMIC | {"name": "Sun // Moon", "faceName": face, "side": side, "layout": "split", "type": "Instant", "power": None}
    | {"toughness": None, "text": "Draw a card." if side == "a" else "You gain 1 life.", "foreignData": []}
    for face, side in (("Moon", "b"), ("Sun", "a"))
]  # fmt: skip
IN_SETS = {
    "AllPrintings": {"meta": {}, "data": {
        "M10": {"baseSetSize": 2, "booster": {"cards": [1]}, "cards": [ATOMIC, *SIDES, ATOMIC], "tokens": [ATOMIC]},
        "M11": {"cards": [SIDES[0], ATOMIC, *SIDES]},
    }},
    "one set": {"meta": {}, "data": {"baseSetSize": 2, "cards": [SIDES[0], ATOMIC, SIDES[1]], "code": "M10"}},
}  # fmt: skip


@pytest.mark.parametrize("kind", IN_SETS)
def test_sets_of_mtgjson_have_each_card_with_its_faces(tmp_path: Path, kind: str) -> None:
    found = {card.entry.name: card.entry.text for card in cards(tmp_path, IN_SETS[kind])}
    assert found == {"Grove Bear": "Trample", "Sun // Moon": "Draw a card. // You gain 1 life."}


def test_several_cards_under_one_name_of_mtgjson(tmp_path: Path) -> None:
    other = ATOMIC | {"text": "Flying", "isFunny": True}
    first, second = cards(tmp_path, {"data": {"Grove Bear": [ATOMIC, other]}})
    assert (first.funny, second.funny, second.entry.text) == (False, True, "Flying")


# --- bad input: the file is refused -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "line", "column", "says"),
    [
        ('[\n{"name": "A", "types": "Land",,}\n]', 2, 31, "is no JSON: "),
        ('[{"name": "A"} {"name": "B"}]', 1, 16, "is no JSON: after array element"),
        ('{"name": "A", "types": "Land"}\n{"name": "B", types: "Land"}\n', 2, 16, "is no JSON"),
        (
            '{"name": "A", "types": "Land"}\n{"name": "B", "types": "La\n',
            2,
            27,
            "is no JSON: invalid character inside string",
        ),
        ('[{"name": "A", "types": "Land"}', 1, 31, "is no JSON: premature EOF"),
        ('\n\n[{"name": "A", "types": "Land", "text": tru}]', 3, 44, "is no JSON"),
        (b'[{"name": "Dej\xe0 Vu", "types": "Land"}]', 1, 16, "the text is not UTF-8"),
        ("<html><body>503</body></html>", 1, 1, "is HTML or XML"),
        ("not json", 1, 2, "is no JSON"),
    ],
)
def test_broken_json_has_line_and_column(tmp_path: Path, data: str | bytes, line: int, column: int, says: str) -> None:
    found = fault(tmp_path, data)
    assert says in str(found)
    assert (found.line, found.column) == (line, column)


def test_the_place_is_right_far_into_a_file(tmp_path: Path) -> None:
    lines = [json.dumps(OWN | {"name": f"É{i}"}, ensure_ascii=False) for i in range(5000)]
    lines[4321] = lines[4321].replace('"cost"', "cost", 1)
    found = fault(tmp_path, "\n".join(lines))
    column = lines[4321].encode().index(b"cost") + 1
    assert (found.line, found.column) == (4322, column)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("", "is empty"),
        ("  \n ", "is no JSON"),
        ("[]", "an empty list"),
        ("{}", "is no card list"),
        ("[1, 2]", "not of objects"),
        ('"cards"', "a single value"),
        ("[[]]", "not of objects"),
        (
            json.dumps([{"id": 1, "title": "x"}]),
            "is no card list: of a card's fields, its first object has these: none",
        ),
        (json.dumps({"data": {"M10": {"tokens": [ATOMIC]}}}), "no card in it"),
        (json.dumps([ATOMIC]), "neither as AtomicCards"),
        (json.dumps({"data": {}}), "there is no card in it"),
        (json.dumps({"data": []}), "there is no card in it"),
        (json.dumps({"results": [1, 2, {"x": []}]}), "is no card list"),
        (json.dumps(OWN) + "\n3\n", "'3' stands where a card should"),
        (json.dumps([OWN, [OWN]]), "a list stands where a card should"),
        ("[" * 100_000, "is no card list"),
        ('{"a":' * 100_000, "is no card list"),
        (json.dumps(OWN).encode("utf-16"), "is UTF-16"),
        (json.dumps(OWN).encode("utf-16-le"), "is UTF-16 or UTF-32"),
        (json.dumps(OWN).encode("utf-32-be"), "is UTF-16 or UTF-32"),
        (gzip.compress(json.dumps(OWN).encode()), "is gzip"),
        (b"\x00\x01\x02\x03" * 100, "no text at all"),
        ("name,types\nBear,Creature\n", "is no JSON"),
    ],
)
def test_what_is_no_card_list(tmp_path: Path, data: str | bytes, says: str) -> None:
    assert says in str(fault(tmp_path, data))


def test_one_endless_value_does_not_fill_the_memory(tmp_path: Path) -> None:
    data = b'[{"name": "A", "types": "Land", "text": "' + b"x" * 40_000_000 + b'"}]'
    assert "a single value larger than" in str(fault(tmp_path, data))


# --- bad input: a card is refused, the others are read ----------------------------------------------------------------


def deep(depth: int) -> object:
    return json.loads("[" * depth + "]" * depth)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"name": None}, "`name` is empty"),
        ({"name": " "}, "`name` is empty"),
        ({"name": 3}, "`name` is a number, not text"),
        ({"name": "A\nB"}, "`name` is no name"),
        ({"types": None}, "`types` is empty"),
        ({"text": ["Trample"]}, "`text` is a list, not text"),
        ({"power": 2}, "`power` is a number, not text"),
        ({"text": "<b>Trample</b>"}, "`text` holds HTML: <b>"),
        ({"text": "Trample<br/>"}, "`text` holds HTML: <br/>"),
        ({"name": "Bear &amp; Cub"}, "`name` holds HTML: &amp;"),
        ({"text": "<script>alert(1)</script>"}, "`text` holds HTML"),
        ({"text": "Tram\x00ple"}, "control character U+0000"),
        ({"text": "\x1b[31mTrample"}, "control character U+001B"),
        ({"name": "Grove\u202eraeB"}, "control character U+202E"),
        ({"types": "Creature\x85"}, "control character U+0085"),
        ({"name": "Dej\ufffd Vu"}, "wrong encoding"),
        ({"text": "x" * 9000}, "longer than 8000"),
        ({"name": "x" * 300}, "`name` is longer than 200"),
        ({"text": "x" * 10_000_000}, "larger than 65536 characters"),
        ({"text": deep(200)}, "nested deeper than 16"),
        ({"other": deep(200)}, "nested deeper than 16"),
        ({"text": [[0]] * 10_000}, "more than 4000 parts"),
    ],
)
def test_a_bad_card_is_refused_and_the_others_are_read(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    lines = json.dumps(OWN | {"name": "First"}), json.dumps(OWN | change), json.dumps(OWN | {"name": "Last"})
    first, bad, last = items(tmp_path, "\n".join(lines))
    assert isinstance(first, Imported)
    assert isinstance(last, Imported)
    assert isinstance(bad, Refused)
    assert bad.number == 2
    assert says in str(bad)


def test_a_letter_that_was_read_in_the_wrong_encoding_is_read_again(tmp_path: Path) -> None:
    (found,) = cards(tmp_path, json.dumps(OWN | {"text": "Trample", "name": "Bear\u00e2\u0080\u0099s D\u00e9j\u00e0"}))
    assert found.entry.name == "Bear\u2019s D\u00e9j\u00e0"


def test_missing_fields(tmp_path: Path) -> None:
    assert refused(tmp_path, {"name": "A", "text": ""}) == "card 1 'A': `types` is missing"
    without = {key: value for key, value in SCRYFALL.items() if key != "layout"}
    assert "`layout` is missing" in refused(tmp_path, [without])
    assert "needs `card_faces`" in refused(tmp_path, [SCRYFALL | {"layout": "transform"}])
    assert "`card_faces` is no list of faces" in refused(tmp_path, [SCRYFALL | {"card_faces": "x"}])
    assert "`type` is missing" in refused(tmp_path, {"data": {"A": [{"layout": "normal", "text": ""}]}})
    assert "more than 40" in refused(tmp_path, {"data": {"A": [ATOMIC] * 50}})
    assert "no list of colours" in refused(tmp_path, [SCRYFALL | {"color_indicator": ["purple"]}])


def test_foreign_texts_that_are_none_are_left_out(tmp_path: Path) -> None:
    texts = [
        ("Vol", "Créature"),
        ("<b>Vol</b>", "Créature"),
        ("Vol", "<i>Créature</i>"),
        ("Vol\x01", ""),
        ("V" * 9000, ""),
    ]
    for text, types in texts:
        french = [{"language": "French", "name": "Ours", "text": text, "type": types}]
        (one,) = cards(tmp_path, {"data": {"Grove Bear": [ATOMIC | {"foreignData": french}]}})
        kept = Foreign("fr", "Ours", 0, types if types == "Créature" else "", text if text == "Vol" else "")
        assert one.foreign == (kept,)


def test_bad_foreign_names_are_left_out(tmp_path: Path) -> None:
    names = [{"language": "French", "name": "<i>Ours</i>"}, {"language": "German", "name": "Bär"}, "x"]
    (one,) = cards(tmp_path, {"data": {"Grove Bear": [ATOMIC | {"foreignData": names}]}})
    assert one.foreign == (Foreign("de", "Bär"),)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["en", "normal", "split", "{T}"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["name", "types", "type", "text", "layout", "data", "card_faces", "type_line", "lang", "x"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(data=JSON | st.lists(st.fixed_dictionaries({"name": JSON, "types": JSON, "text": JSON}), max_size=3))
def test_any_json_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: object) -> None:
    try:
        for one in items(tmp_path_factory.getbasetemp(), json.dumps(data)):
            assert isinstance(one, Imported | Refused)
    except ListFault as found:
        assert str(found)


@given(seed=st.integers(0, 10_000))
def test_a_cut_or_damaged_list_is_refused_or_read_in_part(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    random_ = random.Random(seed)
    data = bytearray(json.dumps([SCRYFALL, SCRYFALL | {"name": "B"}], ensure_ascii=False).encode())
    for _ in range(random_.randint(0, 3)):
        data[random_.randrange(len(data))] = random_.randrange(256)
    try:
        items(tmp_path_factory.getbasetemp(), bytes(data[: random_.randint(1, len(data))]))
    except ListFault as found:
        assert str(found)


def test_a_long_list_takes_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    padding = {
        "prices": {f"p{i}": "0.10" for i in range(100)},
        "image_uris": {f"i{i}": "https://x" * 10 for i in range(20)},
    }
    with path.open("w", encoding="utf-8") as file:
        for number in range(3000):
            file.write(",\n" if number else "[\n")
            file.write(json.dumps(SCRYFALL | padding | {"name": f"Bear {number}"}))
        file.write("\n]\n")
    tracemalloc.start()
    try:
        assert sum(1 for _ in CardFile(path).items()) == 3000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert path.stat().st_size > 10_000_000
    assert peak < 4_000_000
