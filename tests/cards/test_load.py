"""Door B: TOML and JSON to cards, and what is refused on the way, with its place."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.cards.forms import Card, Damage, SpellAbility
from server.cards.loading import CardFault, UnreadNoun, faults, files
from server.cards.loading.errors import Malformed, Oversized, Unsound
from server.cards.nouns import Noun

BOLT = """
name = "Ember Test"
types = "Instant"
cost = "{R}"
text = "Ember Test deals 3 damage to target creature or player."
[[abilities]]
ability = "spell"
[[abilities.do]]
do = "damage"
amount = 3
to = "target creature or player"
"""


def bolt(**changes: object) -> dict[str, object]:
    data = files.from_toml(BOLT)
    assert isinstance(data, dict)
    return {**data, **changes}


def spell(*verbs: Mapping[str, object], **changes: object) -> dict[str, object]:
    return bolt(abilities=[{"ability": "spell", "do": list(verbs)}], **changes)


def creature(**changes: object) -> dict[str, object]:
    return {
        "name": "Test Bear",
        "types": "Creature — Bear",
        "cost": "{1}{G}",
        "power": "2",
        "toughness": "2",
        **changes,
    }


def test_a_card_is_read_and_written_again() -> None:
    card = files.card_of(bolt())
    assert card.abilities == (SpellAbility(do=(Damage(amount=3, to=Noun("target creature or player")),)),)
    assert files.card_of(files.data_of(card)) == card
    assert files.card_of(json.loads(json.dumps(files.data_of(card)))) == card


@pytest.mark.parametrize(
    ("change", "path", "kind"),
    [
        ({"power": "1"}, "power", Unsound),
        ({"loyalty": "3"}, "loyalty", Unsound),
        ({"cost": "{R"}, "cost", Unsound),
        ({"types": "Instantly"}, "types", Unsound),
        ({"types": ""}, "types", Unsound),
        ({"name": ""}, "name", Unsound),
        ({"colors": "RR"}, "colors", Unsound),
        ({"keywords": ["fying"]}, "keywords[0]", Unsound),
        ({"keywords": ["equip"]}, "keywords[0]", Unsound),
        ({"keywords": ["demonstrate"]}, "keywords[0]", Unsound),
        ({"colour": "R"}, "", Malformed),
        ({"cost": 3}, "cost", Malformed),
        ({"types": "Creature"}, "power", Unsound),
    ],
)
def test_faults_of_the_face(change: dict[str, object], path: str, kind: type[CardFault]) -> None:
    with pytest.raises(kind) as caught:
        files.card_of(bolt(**change), "file.toml")
    assert caught.value.path == path
    assert str(caught.value).startswith("file.toml: ")


@pytest.mark.parametrize(
    ("verb", "path", "says"),
    [
        ({"do": "damage", "amount": 3, "to": "target blorg"}, "to", "blorg"),
        ({"do": "damage", "amount": "three", "to": "it"}, "amount", "int"),
        ({"do": "smite", "what": "it"}, "do", "smite"),
        ({"do": "damage", "to": "it"}, "", "amount"),
        ({"do": "damage", "amount": {"amount": "X"}, "to": "it"}, "amount", "X"),
        ({"do": "destroy", "what": "$nothing"}, "what", "nothing binds"),
        ({"do": "destroy", "what": "the creature with the greatest power"}, "what", "tie"),
        ({"do": "add mana", "mana": "{Q}"}, "mana", "no mana"),
        ({"do": "if", "condition": {"if": "paid", "cost": "kicker"}, "then": []}, "condition", "no cost named"),
        (
            {"do": "effect", "what": "{this}", "mods": [{"mod": "gains", "keywords": ["flyng"]}]},
            "mods[0].keywords[0]",
            "flyng",
        ),
        ({"do": "draw", "count": 10**9}, "count", "out of bounds"),
    ],
)
def test_faults_of_a_verb_name_their_place(verb: dict[str, object], path: str, says: str) -> None:
    with pytest.raises(CardFault, match=says) as caught:
        files.card_of(spell(verb))
    assert caught.value.path in (f"abilities[0].do[0].{path}".rstrip("."), "abilities[0].do[0]")


def test_an_unread_noun_is_its_own_fault() -> None:
    with pytest.raises(UnreadNoun):
        files.card_of(spell({"do": "destroy", "what": "target whatsit"}))


@pytest.mark.rule("114.1")
def test_targets_stand_in_programs_only() -> None:
    static = {"ability": "static", "what": "target creature", "mods": [{"mod": "adds P/T", "power": 1}]}
    with pytest.raises(Unsound, match="target"):
        files.card_of(creature(abilities=[static]))
    delayed = {
        "do": "delayed",
        "when": [{"event": "step", "step": "end_turn"}],
        "then": [{"do": "destroy", "what": "target land"}],
    }
    files.card_of(spell(delayed))


@pytest.mark.rule("609.5")
def test_the_greatest_of_several_says_what_happens_on_a_tie() -> None:
    files.card_of(spell({"do": "destroy", "what": "a creature with the greatest power"}))
    files.card_of(spell({"do": "destroy", "what": "the creature with the greatest power, your choice if tied"}))


def test_a_name_is_bound_before_it_is_used() -> None:
    make = {"do": "create", "token": creature(name="Bear", cost=""), "as_name": "bear"}
    tap = {"do": "tap", "what": "$bear"}
    files.card_of(spell(make, tap))
    with pytest.raises(Unsound, match=r"\$bear"):
        files.card_of(spell(tap, make))


def test_tokens_are_checked_too() -> None:
    with pytest.raises(Unsound, match="toughness") as caught:
        files.card_of(spell({"do": "create", "token": creature(toughness="")}))
    assert caught.value.path == "abilities[0].do[0].token.toughness"


@pytest.mark.parametrize(
    "ability",
    [
        {"ability": "spell", "do": [{"do": "draw"}]},
        {"ability": "activated", "cost": [{"pay": "loyalty", "change": 1}], "do": [{"do": "draw"}]},
        {"ability": "keyword", "keyword": "equip", "cost": [{"pay": "mana", "mana": "{1}"}]},
        {"ability": "keyword", "keyword": "enchant", "quality": "creature"},
        {"ability": "keyword", "keyword": "bushido"},
        {"ability": "player rule", "rule": "controls turn"},
        {"ability": "static", "what": "{this}", "mods": [{"mod": "rule", "rule": "blocks each combat"}]},
        {"ability": "static", "what": "creatures", "mods": [{"mod": "adds P/T", "power": 1}], "zone": "hand"},
        {"ability": "static", "what": "each creature", "mods": [{"mod": "control"}], "zone": "graveyard"},
        {"ability": "player rule", "rule": "no maximum hand size", "zone": "graveyard"},
        {"ability": "costs", "what": "spells you cast", "generic": -1, "zone": "library"},
        {"ability": "triggered", "when": [{"event": "unattached"}], "do": [{"do": "draw"}]},
        {"ability": "activated", "cost": []},
        {"ability": "triggered", "when": [{"event": "step", "step": "tea"}], "do": [{"do": "draw"}]},
        {"ability": "activated", "cost": [], "modes": [{"do": [{"do": "draw"}]}], "most": 2},
    ],
)
def test_abilities_that_a_creature_cannot_have(ability: dict[str, object]) -> None:
    with pytest.raises(Unsound):
        files.card_of(creature(abilities=[ability]))


def test_all_faults_are_found() -> None:
    card = files.shape(creature(power="", cost="{QQ}", keywords=["flyng"]))
    assert [fault.path for fault in faults(card)] == ["cost", "power", "keywords[0]"]


def nested(depth: int) -> dict[str, object]:
    verb: dict[str, object] = {"do": "draw"}
    for _ in range(depth):
        verb = {"do": "may", "then": [verb]}
    return verb


def test_caps() -> None:
    files.card_of(spell(nested(10)))
    for data in (
        spell(nested(40)),
        spell(nested(5000)),
        bolt(text="x" * 70_000),
        spell(*[{"do": "draw"}] * 2000),
    ):
        with pytest.raises(Oversized):
            files.card_of(data)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_deep_texts_are_refused_before_they_are_decoded(text: str) -> None:
    with pytest.raises(Oversized):
        files.from_json(text)
    with pytest.raises(Oversized):
        files.from_toml("a = " + text)


@pytest.mark.parametrize("text", ["a." * 20_000 + "a = 1", "[" + "a . " * 10_000 + "a]\n", '"a"."b".' * 5000 + "a = 1"])
def test_keys_of_many_parts_are_refused_before_they_are_decoded(text: str) -> None:
    """Each part is a table in the one before; the decoder looks at all of them for each."""
    with pytest.raises(Oversized):
        files.from_toml(text)


def test_dots_in_numbers_texts_and_comments_are_not_depth() -> None:
    assert files.deepest("a = [" + "1.5, " * 500 + "2.5]") == 2
    assert files.deepest('a.b.c = "' + "Draw a card. " * 500 + '" # ' + "a." * 500 + "\na.b = 1.5\nc.d = 2") == 2
    assert files.deepest("a = {b = 1.0, c = 2.0, d = 3.0}") == 2


def test_brackets_in_texts_and_comments_are_not_depth() -> None:
    assert files.deepest('a = "[[[[" # [[[[\nb = """[[ " [[""" \nc = [{d = \'[[\'}]') == 2
    assert files.deepest('"]" [ "]" [ "\\"]" [') == 3


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("x.toml", "a = [", "TOML"),
        ("x.json", '{"a": ', "JSON"),
        ("x.json", "3", "no card"),
        ("x.txt", "", "none of"),
        ("x.jsonl", '{"name": "A"}\n{', "x.jsonl:2"),
        ("x.toml", "", "holds no card"),
        ("x.json", "[[]]", "object"),
    ],
)
def test_broken_files(tmp_path: Path, name: str, text: str, says: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(CardFault, match=says):
        files.read_file(path)


def test_wrong_encoding(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"name = '\xff'")
    with pytest.raises(Malformed, match="UTF-8"):
        files.read_file(path)


def test_files_of_several_cards(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text('[[card]]\nname = "A"\ntypes = "Artifact"\n[[card]]\nname = "B"\ntypes = "Artifact"\n')
    assert [card.name for card in files.read_file(path)] == ["A", "B"]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(["damage", "spell", "target creature"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["do", "ability", "abilities", "to", "name", "types", "amount", "x"]), inner, max_size=5
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_any_data_is_a_card_or_refused(data: object) -> None:
    try:
        assert isinstance(files.card_of(data), Card)
    except CardFault as fault:
        assert fault.why
