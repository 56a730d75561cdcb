"""Type lines."""

import pytest

from server.cards.grammar import parse_types, strange_types


@pytest.mark.parametrize(
    ("line", "supertypes", "types", "subtypes"),
    [
        ("Legendary Creature — Elf Druid", ("legendary",), ("creature",), ("Elf", "Druid")),
        ("Basic Land — Forest", ("basic",), ("land",), ("Forest",)),
        ("Artifact Creature - Golem", (), ("artifact", "creature"), ("Golem",)),
        ("Creature — Time Lord Doctor", (), ("creature",), ("Time Lord", "Doctor")),
        ("Instant", (), ("instant",), ()),
        ("", (), (), ()),
    ],
)
@pytest.mark.rule("205.1")
def test_parse_types(line: str, supertypes: tuple[str, ...], types: tuple[str, ...], subtypes: tuple[str, ...]) -> None:
    assert parse_types(line) == (supertypes, types, subtypes)
    assert not strange_types(line)


def test_strange_words_are_named() -> None:
    assert strange_types("Legendary Critter — elf Dr00d") == ("Critter", "elf", "Dr00d")
