"""Deck lists of every program: told apart by content, each read with its lines; what is no deck is refused by line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.cards.decks import read_deck
from server.cards.decks.formats import FORMATS, read_list, sniff
from server.cards.loading import DeckFault
from server.oracle.house import house_card

PLAIN = "# Bears\n40 Forest\n4x Thornhide Cub\n\n16 plains\nSideboard:\n2 Levy of Moss\n"
MTGA = """About
Name Bears

Commander
1 Boar Warden (M21) 12

Deck
40 Forest (THB) 254
4 Thornhide Cub (M19) 146★ *F*
15 Plains

Companion
1 Levy of Moss (IKO) 2

Sideboard
2 Levy of Moss (IKO) 2
"""
MTGA_UNTITLED = (
    "40 Forest (THB) 254\r\n4 Thornhide Cub (M19) 146\r\n16 Plains (THB) 1\r\n\r\n2 Levy of Moss (IKO) 2\r\n"
)
MTGO = "40 Forest\n4 Thornhide Cub\n16 Plains\n\n2 Levy of Moss\n"
MTGO_SB = "40 Forest\n4 Thornhide Cub\n16 Plains\nSB: 2 Levy of Moss\n"
DEK = """<?xml version="1.0" encoding="utf-8"?>
<Deck xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <NetDeckID>0</NetDeckID>
  <Cards CatID="1" Quantity="40" Sideboard="false" Name="Forest" Annotation="0" />
  <Cards CatID="2" Quantity="4" Sideboard="false" Name="Thornhide Cub" Annotation="0" />
  <Cards CatID="3" Quantity="16" Sideboard="false" Name="Plains" Annotation="0" />
  <Cards CatID="4" Quantity="2" Sideboard="true" Name="Levy of Moss" Annotation="0" />
</Deck>"""
COD = """<?xml version="1.0" encoding="UTF-8"?>
<cockatrice_deck version="1">
    <lastLoadedTimestamp>Mon Jan 1 2024</lastLoadedTimestamp>
    <deckname>Bears</deckname>
    <bannerCard providerId="">Thornhide Cub</bannerCard>
    <comments>what bears do</comments>
    <zone name="main">
        <card number="40" name="Forest"/>
        <card number="4" setShortName="M19" collectorNumber="1" uuid="x" name="Thornhide Cub"/>
        <card number="16" name="Plains"/>
    </zone>
    <zone name="side"><card number="2" name="Levy of Moss"/></zone>
    <zone name="tokens"><card number="1" name="Saproling Token"/></zone>
</cockatrice_deck>"""
FORGE = """[metadata]
Name=Bears
[Avatar]

[Main]
40 Forest|ZEN|3
4 Thornhide Cub+|M10
16 Plains
[Sideboard]
2 Levy of Moss|M10|1
[Planes]
1 Bant|HOP
"""
XMAGE = """NAME:Bears
40 [ZEN:246] Forest
4 [M10:189] Thornhide Cub
16 [M10:230] Plains
SB: 2 [M10:1] Levy of Moss
LAYOUT MAIN:(1,3)(NONE,false,50)|([ZEN:246],[M10:189],[M10:230])
LAYOUT SIDEBOARD:(0,0)(NONE,false,50)|([M10:1])
"""
ARCHIDEKT = """40x Forest (zen) 246 [Land]
4x Thornhide Cub (m10) 189 *F* [Creature,Ramp] ^Have,#37d67a^
16x Plains (m10) 230 [Land]
2x Levy of Moss (m10) 1 [Sideboard]
1x Boar Warden (m10) 3 [Maybeboard{noDeck}{noPrice},Creature]
"""
TABLE = """Quantity,Name,Edition,Board
40,Forest,"Zen, the set",main
4,"Thornhide Cub",M10,main
16,Plains,M10,main
2,Levy of Moss,M10,side
1,Boar Warden,M10,maybe
"""
ALL = {
    "plain text": PLAIN,
    "MTGA": MTGA_UNTITLED,
    "MTGO text": MTGO,
    "MTGO .dek": DEK,
    "Cockatrice": COD,
    "Forge": FORGE,
    "XMage": XMAGE,
    "text with categories": ARCHIDEKT,
    "CSV": TABLE,
}


@pytest.mark.parametrize("format_", ALL)
def test_every_form_says_the_same_deck(format_: str) -> None:
    deck = read_deck(ALL[format_], house_card)
    assert deck.format == format_
    assert [(line.count, line.card.name) for line in deck.main] == [
        (40, "Forest"),
        (4, "Thornhide Cub"),
        (16, "Plains"),
    ]
    assert [(line.count, line.card.name) for line in deck.sideboard] == [(2, "Levy of Moss")]


def test_sections_of_mtga() -> None:
    found = read_list(MTGA)
    assert (found.format, found.name, found.faults) == ("MTGA", "Bears", [])
    assert [(one.count, one.name, one.line) for one in found.main] == [
        (1, "Boar Warden", 5),
        (40, "Forest", 8),
        (4, "Thornhide Cub", 9),
        (15, "Plains", 10),
    ]
    assert [(one.count, one.name) for one in found.sideboard] == [(2, "Levy of Moss")]


def test_names_and_comments_are_kept() -> None:
    assert [read_list(text).name for text in (COD, FORGE, XMAGE)] == ["Bears"] * 3
    assert read_list(COD).about == "what bears do"
    assert read_list(PLAIN).about == "Bears"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (PLAIN, "plain"),
        ("4 Forest", "plain"),
        ("", "plain"),
        (MTGO_SB, "mtgo"),
        ("\ufeff" + MTGA, "mtga"),
        ("Deck\n60 Forest", "mtga"),
        ("4 Fire // Ice\n56 Forest\n\n4 Plains", "mtgo"),
        ("30 Forest\n\n30 Plains\n\n4 Swamp", "plain"),  # blocks by type of card are no sideboard
        ("30 Forest\n\n30 Plains", "plain"),
        ("[main]\n60 Forest", "forge"),
        ("60 [M10:1] Forest", "xmage"),
        (" <x/>", "xml"),
        (ARCHIDEKT, "archidekt"),
        ("60 Forest #land", "archidekt"),
        (TABLE, "table"),
        ('Name;Count\n"Forest";60', "table"),
    ],
)
def test_sniffing(text: str, kind: str) -> None:
    assert sniff(text.removeprefix("\ufeff")) == kind


def test_a_sideboard_marked_or_behind_an_empty_line() -> None:
    for text in (MTGO, MTGO_SB, MTGO.replace("\n\n", "\n\nSideboard\n")):
        found = read_list(text)
        assert [(one.count, one.name) for one in found.sideboard] == [(2, "Levy of Moss")]


@pytest.mark.parametrize(
    "line",
    [
        "4 Thornhide Cub",
        "4x Thornhide Cub",
        "4 x Thornhide Cub",
        "x4 Thornhide Cub",
        "4 Thornhide Cub *F*",
        "4 Thornhide Cub (M10) 189★ *E*",
        "4 [M10] Thornhide Cub",
        "4 [M10#189] Thornhide Cub",
        "4 Thornhide Cub [M10]",
        "4 Thornhide Cub <189> [M10]",
        "4 Thornhide Cub # a comment",
        "4 Thornhide Cub #creature #ramp",
        "4 Thornhide Cub [Ramp]",
    ],
)
def test_what_sites_hang_on_a_line_is_no_part_of_the_name(line: str) -> None:
    found = read_list(f"56 Forest\n{line}\n")
    assert [(one.count, one.name) for one in found.main] == [(56, "Forest"), (4, "Thornhide Cub")]


def test_titles_sort_cards_and_what_is_only_thought_of_is_left_out() -> None:
    text = "Creatures (4)\n4 Thornhide Cub\n== Lands ==\n56 Forest\nConsidering\n4 Boar Warden\nSideboard\n2 Levy of Moss\n"
    found = read_list(text)
    assert [one.name for one in found.main] == ["Thornhide Cub", "Forest"] and not found.faults
    assert [one.name for one in found.sideboard] == ["Levy of Moss"]


def test_a_table_says_its_faults_by_line() -> None:
    found = read_list('Name,Qty\n"Forest",60\n\nPlains,many\n,4\n')
    assert [line for line, _ in found.faults] == [4, 5]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (COD.replace("?>\n", '?>\n<!DOCTYPE x [<!ENTITY a "aaaa">]>\n', 1), 2, "document type"),
        (COD.replace("?>\n", '?>\n<!DOCTYPE x SYSTEM "other.dtd">\n', 1), 2, "document type"),
        (COD.replace("what bears do", "&bomb;"), 6, "is no XML: undefined entity"),
        (COD.replace("</deckname>", ""), 14, "mismatched tag"),
        ("<html><body>Not found</body></html>", 1, "<html> is no deck"),
        ("<Deck>" + "<a>" * 30, 1, "deeper"),
        ("<", 1, "is no XML"),
        (DEK.replace('Quantity="4" ', ""), 5, "without Quantity"),
        (DEK.replace('Quantity="4" ', 'Quantity="four" '), 5, "is not a count"),
        (COD.replace('number="40"', 'number="0"'), 8, "no count from 1"),
        (XMAGE.replace("[M10:189] ", ""), 3, "a printing and a name"),
        ("4 Forest\n[Main]\n56 Forest", 1, "before the first section"),
        (FORGE.replace("4 Thornhide Cub+|M10", "Thornhide Cub"), 7, "not a count and a name"),
        (FORGE.replace("Thornhide Cub+", "Ghost of Nobody"), 7, "there is no card named 'Ghost of Nobody'"),
        (DEK.replace("Thornhide Cub", "Ghost of Nobody"), 5, "there is no card named 'Ghost of Nobody'"),
        (MTGA.replace("Thornhide Cub (M19)", "Ghost of Nobody (M19)"), 9, "there is no card named 'Ghost of Nobody'"),
    ],
)
def test_faults_name_their_line(text: str, line: int, says: str) -> None:
    with pytest.raises(DeckFault) as caught:
        read_deck(text, house_card)
    assert any(found == line and says in why for found, why in caught.value.faults), caught.value.faults


WORDS = [
    "Deck",
    "[Main]",
    "[",
    "<",
    "<Deck>",
    "</Deck>",
    "SB:",
    "4",
    "Forest",
    "(M10)",
    "12",
    "\n",
    "\n\n",
    "|",
    "4 [M10:1] Forest",
    "[Ramp]",
    "*CMDR*",
    "#land",
    "Name,Count",
    '"',
]


@given(st.text(max_size=60) | st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    assert read_list(text).format
    for reader in FORMATS.values():
        assert reader([(1, text.strip())])


@pytest.mark.parametrize("line", ["1 Forest" + " " * 32_000 + "*F*", "1" + "\t" * 32_000 + "Forest"])
def test_runs_of_spaces_count_as_one(line: str) -> None:
    """A pattern that tries each place of such a run took two minutes of CPU for one line."""
    (want,) = read_list(line).main
    assert (want.count, want.name) == (1, "Forest")


def test_no_card_has_a_line_of_more_than_500_characters() -> None:
    found = read_list("1 Forest\n1 " + "F #a " * 6_000 + "\n# " + "A comment may. " * 1_000)
    assert [want.name for want in found.main] == ["Forest"]
    assert [line for line, _ in found.faults] == [2] and len(found.faults[0][1]) < 120
